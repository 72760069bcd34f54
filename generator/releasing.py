"""The order of the stages for releases: `pnp release` and `pnp diff`."""

import io
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from generator.draw.face import Face
from generator.errors import Problem, Where, Wrong, raise_any
from generator.files import Outbox
from generator.fonts import FontSet
from generator.geometry import Rect
from generator.pipeline import Drawn
from generator.places import display
from generator.preview.raster import Rasteriser
from generator.release import folder, report, store
from generator.release.align import aligned
from generator.release.compare import Change, Difference, Kind, compare
from generator.release.look import Eye, same_size
from generator.release.manifest import Release
from generator.release.page import Plate, page
from generator.release.record import record
from generator.release.typeset import fonts_of
from generator.rulebook import kept_rules
from generator.timing import Watch
from generator.wishes import named

PLATE_DPI = 150
MARK = (230, 0, 126)
"""The colour of what changed."""


@dataclass(frozen=True)
class Edition:
    """A release with the fonts that set it."""

    release: Release
    fonts: FontSet


@dataclass(frozen=True)
class Compared:
    """Two editions, what differs, and the eye that saw it."""

    old: Edition
    new: Edition
    eye: Eye
    difference: Difference


def present(drawn: Drawn) -> Edition:
    """The pack as it is now."""
    return Edition(record(drawn.game, drawn.components, kept_rules(drawn.game)), drawn.game.fonts)


@contextmanager
def kept(drawn: Drawn, name: str, place: Path | None = None) -> Iterator[Edition]:
    """A release of the pack by its version or its file; its fonts are there meanwhile."""
    release = folder.find(place or folder.folder_of(drawn.game.folder), name)
    with TemporaryDirectory(prefix="pnp-fonts-") as temporary:
        try:
            yield Edition(release, fonts_of(release, drawn.game.fonts, Path(temporary)))
        except Wrong as wrong:
            raise_any([wrong.at(None)])


@contextmanager
def between(drawn: Drawn, old: str, new: str | None, watch: Watch, only: tuple[str, ...] = ()) -> Iterator[Compared]:
    """What differs between two releases, or between one and the pack as it is now; perhaps only some designs."""
    with ExitStack() as stack:
        before = stack.enter_context(kept(drawn, old))
        after = stack.enter_context(kept(drawn, new)) if new else present(drawn)
        yield compared(before, after, watch, only)


def _chosen(edition: Edition, other: Edition, only: tuple[str, ...]) -> Edition:
    """The components and designs that are named, by the names of both editions."""
    release = edition.release
    ids: dict[str, list[str]] = {}
    for component, design in (*release.designs, *other.release.designs):
        ids.setdefault(component.id, []).append(design.id)
    known = {name: list(dict.fromkeys(designs)) for name, designs in ids.items()}
    return replace(edition, release=release.chosen(named(known, only))) if only else edition


def compared(old: Edition, new: Edition, watch: Watch, only: tuple[str, ...] = ()) -> Compared:
    """The two side by side; perhaps only some designs."""
    old = replace(old, release=aligned(old.release, new.release))
    old, new = _chosen(old, new, only), _chosen(new, old, only)
    eye = Eye(Rasteriser(old.fonts), Rasteriser(new.fonts), old.release.fonts, new.release.fonts)
    total = sum(len(component.designs) for component in new.release.components)
    with watch.stage("compare", total) as tick:
        difference = compare(old.release, new.release, eye, tick)
        return Compared(old, new, eye, replace(difference, only=only))


@dataclass(frozen=True)
class Released:
    """What became of a release: its file, whether it was written, and what changed since the one before."""

    path: Path
    written: bool
    since: Difference | None


def write_release(drawn: Drawn, outbox: Outbox, watch: Watch) -> Released:
    """Write the pack as it is now; raises where there is another release of that version."""
    edition = present(drawn)
    name = folder.file_name(edition.release.version)
    before = folder.last_before(outbox.folder, edition.release.version)
    path = outbox.folder / name
    since = _since(drawn, before, edition, outbox.folder, watch) if before else None
    if path.is_file():
        with kept(drawn, edition.release.version, outbox.folder) as there:
            _check_same(path, compared(there, edition, watch).difference)
        return Released(path, written=False, since=since)
    with watch.stage("write"):
        outbox.write(name, store.to_bytes(edition.release))
    return Released(path, written=True, since=since)


def write_manifest(drawn: Drawn, watch: Watch, outbox: Outbox) -> Path:
    """The pack as it is now, beside its sheets."""
    with watch.stage("release"):
        name = folder.file_name(f"{drawn.game.slug}-{drawn.game.version}")
        return outbox.write(name, store.to_bytes(present(drawn).release))


def _since(drawn: Drawn, version: str, edition: Edition, place: Path, watch: Watch) -> Difference:
    with kept(drawn, version, place) as before:
        return compared(before, edition, watch).difference


def _check_same(path: Path, difference: Difference) -> None:
    """What was only drawn anew and looks as before does not make another release."""
    if all(change.kinds == (Kind.REDRAWN,) for change in difference.changes) and not difference.rules:
        return
    _, *rows = report.lines(difference)
    what = "\n".join(f"  {row.strip()}" for row in rows)
    found = f"release {difference.old.version} is another already; it and the pack differ:\n{what}"
    hint = "give the pack a new version in game.yaml; or delete the file, if nobody has printed that release"
    raise_any([Problem(Where(display(path)), found, hint=hint)])


def diff_page(both: Compared, watch: Watch) -> str:
    """The page with before and after of every design that differs, complete in itself."""
    changes = both.difference.changes
    with watch.stage("pictures", len(changes)):
        return page(both.difference, [list(_plates(both, change)) for change in changes])


def _plates(both: Compared, change: Change) -> Iterator[Plate]:
    old, new = change.old, change.new
    for side in ("front", "back"):
        before = getattr(old, side, None)
        after = getattr(new, side, None)
        if old and new and side not in change.sides:
            continue
        if before:
            yield _plate(_shown(both.eye.old, before), f"{side}, before")
        if after:
            yield _plate(_shown(both.eye.new, after), f"{side}, after")
        if before and after and same_size(before, after):
            yield _plate(_marked(both.eye, before, after), f"{side}, what changed")


def _shown(raster: Rasteriser, face: Face) -> Image.Image:
    return raster.face(face, PLATE_DPI, Rect(0, 0, *face.size)).convert("RGB")


def _marked(eye: Eye, old: Face, new: Face) -> Image.Image:
    """The new face, pale, with what changed in a loud colour."""
    picture = _shown(eye.new, new)
    pale = Image.blend(picture, Image.new("RGB", picture.size, "white"), 0.7)
    mask = eye.marked(old, new).resize(picture.size, Image.Resampling.BOX)
    pale.paste(MARK, (0, 0), mask)
    return pale


def _plate(picture: Image.Image, caption: str) -> Plate:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return Plate("data:image/png;base64," + b64encode(buffer.getvalue()).decode(), caption)
