"""Make releases without a pack: a face is a square whose colour depends on its name."""

import json
import lzma
from hashlib import sha256

from generator.base.geometry import Size
from generator.picture.face import Face
from generator.release import release_file
from generator.release.record import RecordedComponent, RecordedDesign, Release
from tests.tools.make_face import rect


def face(look: str, size: float = 20.0, bleed: float = 2.0) -> Face:
    colour = "#" + sha256(look.encode()).hexdigest()[:6]
    return Face((rect(0, 0, size, size, colour),), Size(size, size), bleed, look)


def design(
    name: str, count: int = 1, front: str = "", back: str | None = None, size: float = 20.0
) -> RecordedDesign:
    return RecordedDesign(
        name, name.title(), count, face(front or name, size), face(back, size) if back else None
    )


def release(version: str, *components: tuple[str, list[RecordedDesign]]) -> Release:
    recorded = tuple(
        RecordedComponent(name, name.title(), tuple(designs)) for name, designs in components
    )
    return Release("game", "Game", version, "en", (), "0", recorded)


def with_stored_face(svg: str) -> bytes:
    """Return a release file whose only face is replaced by an SVG, as a stranger may send it."""
    plain = lzma.decompress(
        release_file.to_bytes(release("1", ("cards", [design("fox")]))).removeprefix(
            release_file.HEADER
        )
    )
    stored = json.loads(plain)
    stored["faces"][0]["svg"] = svg
    return release_file.HEADER + lzma.compress(json.dumps(stored).encode())


class ByName:
    """Compares faces by name: `redrawn red` looks like `red`, but is not identical to it."""

    def look_same(self, old: Face | None, new: Face | None) -> bool:
        if old is None or new is None:
            return old is new
        return old.size == new.size and self._picture_of(old) == self._picture_of(new)

    def are_identical(self, old: Face, new: Face) -> bool:
        return old.name == new.name and old.size == new.size

    def _picture_of(self, face: Face) -> str:
        return face.label.removeprefix("redrawn ")
