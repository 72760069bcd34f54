"""A page that shows before and after of every design that differs, complete in itself."""

import io
from base64 import b64encode
from collections.abc import Iterator

from PIL import Image

from generator.app.comparing import Compared, between
from generator.app.project import Project
from generator.core.files import Outbox
from generator.core.geometry import Rect
from generator.export import Written
from generator.picture.face import Face
from generator.picture.raster import Rasteriser
from generator.release.compare import DesignChange
from generator.release.look import FaceComparer, have_same_size
from generator.release.report import Plate, page

PLATE_DPI = 150
MARK = (230, 0, 126)
"""The colour of what changed."""


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """The page of what changed between two releases."""
    with between(project) as both:
        yield write_page(project, both, outbox, f"{project.game.stem('changes')}.html")


def write_page(project: Project, both: Compared, outbox: Outbox, name: str) -> Written:
    """The same of two that are compared already, in a file of a name."""
    changes = both.difference.changes
    with project.watch.stage("pictures", len(changes)):
        text = page(both.difference, [list(_plates(both, change)) for change in changes])
    return Written(outbox.write(name, text.encode()))


def _plates(both: Compared, change: DesignChange) -> Iterator[Plate]:
    old = change.old
    new = change.new
    for side in ("front", "back"):
        before = getattr(old, side, None)
        after = getattr(new, side, None)
        if old and new and side not in change.sides:
            continue
        if before:
            yield _plate(_shown(both.comparer.old, before), f"{side}, before")
        if after:
            yield _plate(_shown(both.comparer.new, after), f"{side}, after")
        if before and after and have_same_size(before, after):
            yield _plate(_marked(both.comparer, before, after), f"{side}, what changed")


def _shown(raster: Rasteriser, face: Face) -> Image.Image:
    return raster.face(face, PLATE_DPI, Rect(0, 0, *face.size)).convert("RGB")


def _marked(comparer: FaceComparer, old: Face, new: Face) -> Image.Image:
    """The new face, pale, with what changed in a loud colour."""
    picture = _shown(comparer.new, new)
    pale = Image.blend(picture, Image.new("RGB", picture.size, "white"), 0.7)
    mask = comparer.difference_mask(old, new).resize(picture.size, Image.Resampling.BOX)
    pale.paste(MARK, (0, 0), mask)
    return pale


def _plate(picture: Image.Image, caption: str) -> Plate:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return Plate("data:image/png;base64," + b64encode(buffer.getvalue()).decode(), caption)
