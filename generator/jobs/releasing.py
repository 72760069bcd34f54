"""The order of the stages for releases: `pnp release`, and the page of `pnp diff`."""

import io
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image

from generator.core.files import Outbox
from generator.core.geometry import Rect
from generator.core.places import display
from generator.core.problems import PnpError, Where, fail
from generator.core.timing import Watch
from generator.draw.face import Face
from generator.jobs.comparing import Compared, Edition, compared, kept, present
from generator.jobs.pipeline import Drawn, draw
from generator.pack.load import Wish
from generator.pack.translations import forms
from generator.preview.raster import Rasteriser
from generator.release import folder, report, store
from generator.release.compare import Change, Difference, Kind
from generator.release.look import Eye, same_size
from generator.release.page import Plate, page

PLATE_DPI = 150
MARK = (230, 0, 126)
"""The colour of what changed."""


@dataclass(frozen=True)
class Released:
    """What became of a release: its file, whether it was written, and what changed since the one before.

    `forms` are the variants and languages that the file keeps besides the game itself, `lacks` those that it does not.
    """

    path: Path
    written: bool
    since: Difference | None
    forms: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


def drawn_forms(drawn: Drawn, watch: Watch) -> tuple[Drawn, ...]:
    """The game in all its other forms."""
    return tuple(_drawn_form(str(drawn.game.folder), form, watch) for form in forms(drawn.game.folder))


def _drawn_form(name: str, form: tuple[str, str], watch: Watch) -> Drawn:
    try:
        return draw(name, Wish(*form), watch)
    except PnpError as error:
        called = " in ".join(word for word in form if word)
        raise type(error)([replace(each, found=f"as {called}: {each.found}") for each in error.problems]) from error


def write_release(drawn: Drawn, outbox: Outbox, watch: Watch) -> Released:
    """Write the pack as it is now in all its forms; raises where there is another release of that version."""
    edition = present(drawn, drawn_forms(drawn, watch))
    release = edition.release
    name, path = folder.file_name(release.version), outbox.folder / folder.file_name(release.version)
    before = folder.last_before(outbox.folder, release.version)
    since = _since(drawn, before, edition, outbox.folder, watch) if before else None
    called = tuple(map(release.called, release.forms))
    if path.is_file():
        with kept(drawn, release.version, outbox.folder) as there:
            _check_same(path, there, edition, watch)
            known = tuple(map(there.release.called, there.release.forms))
        return Released(path, written=False, since=since, forms=known, lacks=_without(called, known))
    with watch.stage("write"):
        outbox.write(name, store.to_bytes(release))
    return Released(path, written=True, since=since, forms=called)


def _without(names: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in known)


def write_manifest(drawn: Drawn, watch: Watch, outbox: Outbox) -> tuple[Path, tuple[str, ...]]:
    """The pack as it is now, beside its sheets, in all forms that can be drawn; of the others, what is wrong."""
    others, lacking = [], []
    for form in forms(drawn.game.folder):
        try:
            others.append(_drawn_form(str(drawn.game.folder), form, watch))
        except PnpError as error:
            lacking.append(f"the release keeps less than it could: {error.problems[0]}")
    with watch.stage("release"):
        name = folder.file_name(f"{drawn.game.slug}-{drawn.game.version}")
        return outbox.write(name, store.to_bytes(present(drawn, tuple(others)).release)), tuple(lacking)


def _since(drawn: Drawn, version: str, edition: Edition, place: Path, watch: Watch) -> Difference:
    with kept(drawn, version, place) as before:
        return compared(before, edition, watch).difference


def _check_same(path: Path, there: Edition, now: Edition, watch: Watch) -> None:
    """What was only drawn anew and looks as before does not make another release, in any of the forms that it keeps."""
    _check_form(path, compared(there, now, watch).difference, "")
    for form in now.release.forms:
        old, new = (edition.release.form(form.variant, form.language) for edition in (there, now))
        if old and new:
            both = compared(replace(there, release=old), replace(now, release=new), watch)
            _check_form(path, both.difference, f" in {now.release.called(form)}")


def _check_form(path: Path, difference: Difference, where: str) -> None:
    if all(change.kinds == (Kind.REDRAWN,) for change in difference.changes) and not difference.rules:
        return
    _, *rows = report.lines(difference)
    what = "\n".join(f"  {row.strip()}" for row in rows)
    found = f"release {difference.old.version} is another already; it and the pack differ{where}:\n{what}"
    hint = "give the pack a new version in game.yaml; or delete the file, if nobody has printed that release"
    fail(Where(display(path)), found, hint=hint)


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
