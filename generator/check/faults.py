"""The print faults of faces: mistakes that cutting or a cheap printer would reveal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import ceil
from statistics import median
from typing import ClassVar

from generator.base.geometry import Rect
from generator.check.edges import (
    CutEdges,
    EdgeReport,
    FaceInspector,
    Rims,
    differ,
    picture_gap,
    picture_rim,
)
from generator.draw.cut_edges import shares_cuts
from generator.draw.draw import DrawnComponent
from generator.draw.findings import (
    STOPS_AT_CUT,
    STOPS_HINT,
    CutFace,
    Finding,
    box_gap,
    component_findings,
    cut_faces,
    cut_finding,
    needs_pixels,
    neighbours_differ,
    no_bleed,
)
from generator.draw.stacking import Sight
from generator.picture.colours import Channels, contrast
from generator.picture.face import Face
from generator.picture.items import PlacedArt, PlacedImage, art_of


def find_faults(component: DrawnComponent, inspector: FaceInspector) -> Iterator[Finding]:
    """Yield all faults of a component's faces: those known without rendering and those in the pixels."""
    spec = component.spec
    cuts = cache(CutEdges)
    rims = cache(partial(picture_rim, inspector.raster))
    found: list[Finding] = []
    reports: dict[str, EdgeReport] = {}
    for cut_face in cut_faces(component):
        face = cut_face.face
        found += _pictures_near_cut(cut_face, rims)
        for art in art_of(face):
            if inspector.is_empty(art):
                text = f"{art.name} draws nothing on its page"
                hint = "its elements lie outside its viewBox: move them, or make the page larger"
                found.append(Finding(face.label, text, hint, what=text, where=cut_face.where))
        report = reports[face.name] = inspector.edges(face, cuts(cut_face.outline, face.bleed))
        if report.fault:
            found.append(
                Finding(
                    face.label, report.fault, STOPS_HINT, what=STOPS_AT_CUT, where=cut_face.where
                )
            )
        if report.is_coloured and not spec.bleed:
            found.append(no_bleed(cut_face))
    found = [*component_findings(component, RenderedSight(inspector)), *found]
    if shares_cuts(spec) and _neighbours_differ(component, reports):
        yield neighbours_differ(spec)
    yield from _most_exact(found)


def _most_exact(found: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the findings; of two with the same text on the same face, only the one that names the layer."""
    located = {(finding.face, finding.text) for finding in found if finding.layer}
    for finding in found:
        if finding.layer or (finding.face, finding.text) not in located:
            yield finding


@dataclass(frozen=True)
class RenderedSight(Sight):
    """Findings that need pixels: renderings of pictures, and of the background under texts."""

    inspector: FaceInspector
    renders: ClassVar[bool] = True

    def is_opaque(self, item: PlacedArt | PlacedImage, part: Rect) -> bool:
        """Return True if a picture is opaque in a part of its box, in the item's coordinates."""
        if isinstance(item, PlacedImage) and item.fit == "contain":
            return False  # the image does not fill its box
        return super().is_opaque(item, part) or self.inspector.is_opaque(item, part)

    def contrast(self, face: Face, box: Rect, colour: Channels) -> float | None:
        """Return the contrast of a text to its background: the median over the box; None outside the face."""
        ground = self.inspector.ground(face)
        full = face.full
        left, top = (max(0, int(at)) for at in (box.x - full.x, box.y - full.y))
        right = min(ground.width, max(left + 1, ceil(box.right - full.x)))
        bottom = min(ground.height, max(top + 1, ceil(box.bottom - full.y)))
        if right <= left or bottom <= top:
            return None  # a text outside the face is reported as a fault of its own
        pixels = ground.crop((left, top, right, bottom)).tobytes()
        return median(
            contrast(colour, pixel)
            for pixel in zip(pixels[::3], pixels[1::3], pixels[2::3], strict=True)
        )


def _pictures_near_cut(cut_face: CutFace, rims: Rims) -> Iterator[Finding]:
    outline = cut_face.outline
    safe = cut_face.spec.safe
    for ink in (box for box in cut_face.face.keep_inside if not box.is_from_author):
        if box_gap(ink.box, outline) < safe and needs_pixels(ink, outline):
            yield from cut_finding(cut_face, ink, picture_gap(ink, outline, rims), safe)


def _neighbours_differ(component: DrawnComponent, reports: dict[str, EdgeReport]) -> bool:
    fronts = {design.front.name for design in component.designs}
    backs = {design.back.name for design in component.designs if design.back}
    return any(
        differ(reports[name] for name in names if name in reports) for names in (fronts, backs)
    )
