"""Write a page that shows every changed design before and after, in one file."""

from collections.abc import Iterator

from PIL import Image

from generator.base.files import Outbox
from generator.base.geometry import Rect
from generator.export import WrittenFile
from generator.picture.face import Face
from generator.picture.images import png_address
from generator.picture.raster import Rasteriser
from generator.pipeline.open_releases import ComparedReleases, compare_requested
from generator.pipeline.project import Project
from generator.release.compare_faces import FaceComparer, have_same_size
from generator.release.compare_releases import DesignChange
from generator.release.report import Plate, compose_changes_page

PLATE_DPI = 150
# The colour of changes, RGB.
CHANGE_RGB = (230, 0, 126)


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write the page of changes between two releases."""
    with compare_requested(project) as releases:
        yield write_page(project, releases, outbox, f"{project.game.stem('changes')}.html")


def write_page(
    project: Project, releases: ComparedReleases, outbox: Outbox, name: str
) -> WrittenFile:
    """Write the page of changes of two releases that are already compared."""
    changes = releases.difference.changes
    with project.watch.stage("pictures", len(changes)):
        text = compose_changes_page(
            releases.difference, [list(_plates(releases, change)) for change in changes]
        )
    return WrittenFile(outbox.write(name, text.encode()))


def _plates(releases: ComparedReleases, change: DesignChange) -> Iterator[Plate]:
    old = change.old
    new = change.new
    for side in ("front", "back"):
        before = getattr(old, side, None)
        after = getattr(new, side, None)
        if old and new and side not in change.sides:
            continue
        if before:
            yield _plate(_render(releases.comparer.old, before), f"{side}, before")
        if after:
            yield _plate(_render(releases.comparer.new, after), f"{side}, after")
        if before and after and have_same_size(before, after):
            yield _plate(_mark_changes(releases.comparer, before, after), f"{side}, what changed")


def _render(raster: Rasteriser, face: Face) -> Image.Image:
    """Render a face at its trim size on white."""
    return raster.face(face, PLATE_DPI, Rect(0, 0, *face.size)).convert("RGB")


def _mark_changes(comparer: FaceComparer, old: Face, new: Face) -> Image.Image:
    """Return the new face, pale, with the changes in `CHANGE_RGB`."""
    picture = _render(comparer.new, new)
    pale = Image.blend(picture, Image.new("RGB", picture.size, "white"), 0.7)
    mask = comparer.difference_mask(old, new).resize(picture.size, Image.Resampling.BOX)
    pale.paste(CHANGE_RGB, (0, 0), mask)
    return pale


def _plate(picture: Image.Image, caption: str) -> Plate:
    return png_address(picture), caption
