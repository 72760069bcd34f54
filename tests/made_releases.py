"""Releases out of nothing: a face is a coloured square, and looks like another when it has its name."""

from generator.core.geometry import Size
from generator.core.held import Drawing
from generator.draw.face import Face
from generator.release.record import KeptComponent, KeptDesign, Release


def face(look: str, size: float = 20.0, bleed: float = 2.0) -> Face:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg"><title>{look}</title></svg>'
    return Face((Drawing(svg),), Size(size, size), bleed, look)


def design(name: str, count: int = 1, front: str = "", back: str | None = None, size: float = 20.0) -> KeptDesign:
    return KeptDesign(name, name.title(), count, face(front or name, size), face(back, size) if back else None)


def release(version: str, *components: tuple[str, list[KeptDesign]]) -> Release:
    made = tuple(KeptComponent(name, name.title(), tuple(designs)) for name, designs in components)
    return Release("game", "Game", version, "en", (), "0", made)


class ByName:
    """Sees what a face is called: `pale red` looks like `red` and is not drawn like it."""

    def same(self, old: Face | None, new: Face | None) -> bool:
        if old is None or new is None:
            return old is new
        return old.size == new.size and self._seen(old) == self._seen(new)

    def identical(self, old: Face, new: Face) -> bool:
        return old.name == new.name and old.size == new.size

    def _seen(self, face: Face) -> str:
        return face.label.removeprefix("redrawn ")
