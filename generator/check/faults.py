"""The print faults of faces: mistakes that cutting or a cheap printer would reveal."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from generator.base.units import number
from generator.check.edges import (
    CutEdges,
    EdgeReport,
    FaceInspector,
    Rims,
    differ,
    picture_gap,
    picture_rim,
    shares_cuts,
)
from generator.draw.draw import DrawnComponent
from generator.draw.findings import (
    CutFace,
    Finding,
    box_gap,
    cut_faces,
    face_findings,
    near_cut,
    needs_pixels,
)
from generator.picture.items import art_of


def find_faults(component: DrawnComponent, inspector: FaceInspector) -> Iterator[Finding]:
    """Yield all faults of a component's faces: those known without rendering and those in the pixels."""
    spec = component.spec
    cuts = cache(CutEdges)
    rims = cache(partial(picture_rim, inspector.raster))
    found: list[Finding] = []
    reports: dict[str, EdgeReport] = {}
    for cut_face in cut_faces(component):
        face = cut_face.face
        found += [
            replace(fault, where=cut_face.where) for fault in _pictures_near_cut(cut_face, rims)
        ]
        found += face_findings(cut_face)
        for art in art_of(face):
            if inspector.is_empty(art):
                text = f"{art.name} draws nothing on its page"
                hint = "its elements lie outside its viewBox: move them, or make the page larger"
                found.append(Finding(face.label, text, hint, what=text, where=cut_face.where))
        if spec.bleed:
            report = reports[face.name] = inspector.edges(face, cuts(cut_face.outline, face.bleed))
            if report.fault:
                hint = "let the art reach to the end of the bleed"
                what = "art stops at the cut"
                found.append(
                    Finding(face.label, report.fault, hint, what=what, where=cut_face.where)
                )
    if shares_cuts(spec) and spec.gutter is not None and _neighbours_differ(component, reports):
        text = f"pieces {number(spec.gutter)} mm apart differ at the cut: a cut that is off shows the neighbour"
        yield Finding(spec.id, text, "no `gutter:`, or one of twice the bleed")
    yield from found


def _pictures_near_cut(cut_face: CutFace, rims: Rims) -> Iterator[Finding]:
    face = cut_face.face
    outline = cut_face.outline
    safe = cut_face.spec.safe
    for ink in (box for box in face.keep_inside if not box.is_from_author):
        if box_gap(ink.box, outline) < safe and needs_pixels(ink, outline):
            yield from near_cut(face, ink, picture_gap(ink, outline, rims), safe)


def _neighbours_differ(component: DrawnComponent, reports: dict[str, EdgeReport]) -> bool:
    fronts = {design.front.name for design in component.designs}
    backs = {design.back.name for design in component.designs if design.back}
    return any(
        differ(reports[name] for name in names if name in reports) for names in (fronts, backs)
    )
