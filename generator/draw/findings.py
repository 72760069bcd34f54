"""Faults of faces that are known without rendering: too few pixels, thin lines, things near the cut, useless art.

A build counts them; `pnp check` lists them beside what it finds by rendering.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from generator.base import polygon
from generator.base.errors import Problem, Where
from generator.base.geometry import EPSILON, Rect
from generator.base.outline import Outline
from generator.base.units import number
from generator.draw.draw import DrawnComponent
from generator.pack.game import Component
from generator.picture.face import CrampedFeature, Face, KeepInside, resolutions, thinnest_line

MIN_LINE_MM = 0.1
"""Printers lose thinner lines."""
MIN_DPI = 200
"""Photographs with fewer pixels an inch look soft on paper."""
CUT_TOLERANCE_MM = 0.005
"""Rounding of positions in mm; a thing this much closer to the cut than is safe counts as safe."""


@dataclass(frozen=True)
class Finding:
    """A fault of a face, with advice; `unsafe` if a cut may reach something.

    `what` is equal for faults that are corrected in one place; the worst of these has the greatest
    `weight`. `where` is the row of the face's design.
    """

    face: str
    text: str
    hint: str
    unsafe: bool = False
    what: str = ""
    weight: float = 0.0
    where: Where | None = None

    def __str__(self) -> str:
        return f"{self.face}: {self.text}\n  {self.hint}"


@dataclass(frozen=True)
class CutFace:
    """A face of a component with the outline that it is cut to and the row of its design."""

    face: Face
    spec: Component
    outline: Outline
    where: Where | None


def cut_faces(component: DrawnComponent) -> Iterator[CutFace]:
    """Yield each distinct face of a component once, with its outline."""
    spec = component.spec
    rows = {design.id: design.where for design in spec.designs}
    backs = {design.back.name for design in component.designs if design.back}
    faces: dict[str, Face] = {}
    for face in component.faces:
        faces.setdefault(face.name, face)
    for face in faces.values():
        design = face.label.partition(":")[2].rpartition(" ")[0].partition(" face")[0]
        yield CutFace(face, spec, _outline_of(face, spec, backs), rows.get(design))


def _outline_of(face: Face, spec: Component, backs: set[str]) -> Outline:
    if spec.panels:
        return Outline.of_box(Rect(0, 0, *face.size))
    return spec.behind if face.name in backs else spec.outline


MAX_NAMED_FACES = 3
"""Number of faces that a note names."""
CRAMPED_HINT = "make it smaller, move it, such as @{name}(at 30%), or allow it with crowd: true"


def cramped_notes(
    components: Iterable[DrawnComponent], limit: int = MAX_NAMED_FACES
) -> Iterator[str]:
    """Yield a note for each kind of feature that has too little room on faces of a component, the worst faces first.

    A note names at most `limit` faces; 0 names all.
    """
    for component in components:
        found: dict[str, dict[str, CrampedFeature]] = {}
        for face in component.faces:
            for feature in sorted(face.cramped, key=lambda each: each.room, reverse=True):
                found.setdefault(feature.name, {})[face.label] = feature
        for name, faces in found.items():
            worst = sorted(faces.items(), key=lambda each: each[1].room / each[1].size)
            named = [
                _describe_room(label.partition(":")[2], feature)
                for label, feature in worst[: limit or None]
            ]
            rest = len(worst) - len(named)
            more = f" and {rest} more" if rest else ""
            hint = CRAMPED_HINT.format(name=name)
            yield f"{component.spec.id}: feature {name!r} has too little room: {', '.join(named)}{more}\n  {hint}"


def _describe_room(face: str, feature: CrampedFeature) -> str:
    return f"{number(round(feature.room, 1))} of {number(feature.size)} mm on {face}"


def gap_finding(gap: Problem) -> Finding:
    """Return the finding for a gap in the pack's tables or layouts."""
    return Finding(str(gap.where or ""), gap.found, gap.hint, where=gap.where)


def component_findings(component: DrawnComponent) -> Iterator[Finding]:
    """Yield the faults of all faces of a component."""
    for cut_face in cut_faces(component):
        yield from face_findings(cut_face)


def face_findings(cut_face: CutFace) -> Iterator[Finding]:
    """Yield the faults of a face in the order in which `pnp check` lists them."""
    face = cut_face.face
    outline = cut_face.outline
    safe = cut_face.spec.safe
    found = [
        finding
        for ink in face.keep_inside
        if not ink.is_from_author
        for finding in _near_cut(face, ink, outline, safe)
    ]
    for picture in resolutions(face):
        if picture.dpi < MIN_DPI:
            text = f"{picture.name} has {picture.dpi:.0f} dpi at its printed size"
            hint = f"use a picture of at least {MIN_DPI} dpi, or a smaller box"
            what = f"{picture.name} has too few dots"
            found.append(Finding(face.label, text, hint, what=what, weight=-picture.dpi))
    thinnest = thinnest_line(face)
    if thinnest is not None and thinnest < MIN_LINE_MM - EPSILON:
        text = f"its thinnest line is {number(thinnest)} mm"
        hint = f"lines under {number(MIN_LINE_MM)} mm may not print"
        found.append(Finding(face.label, text, hint, what="lines are too thin", weight=-thinnest))
    found += [
        Finding(face.label, advice.text, advice.hint, what=advice.text) for advice in face.advice
    ]
    yield from (replace(finding, where=cut_face.where) for finding in found)


def _near_cut(face: Face, ink: KeepInside, outline: Outline, safe: float) -> Iterator[Finding]:
    gap = box_gap(ink.box, outline)
    if gap >= safe or needs_pixels(ink, outline):
        return
    if ink.corners and ink.art is None:
        gap = max(gap, min(outline.depth(corner) for corner in ink.corners))
    yield from near_cut(face, ink, gap, safe)


def needs_pixels(ink: KeepInside, outline: Outline) -> bool:
    """Return True if only the rendered picture tells how near it comes to the cut."""
    return ink.art is not None and bool(ink.corners) and ink.box.overlaps(outline.box)


def near_cut(face: Face, ink: KeepInside, gap: float, safe: float) -> Iterator[Finding]:
    """Yield the fault of something `gap` mm inside the cut (negative outside), if that is less than `safe`."""
    if gap < safe - CUT_TOLERANCE_MM:
        text = (
            f"{ink.label} is {number(max(gap, 0))} mm from the cut"
            if gap >= 0
            else f"{ink.label} is cut off"
        )
        hint = f"keep it {number(safe)} mm inside"
        what = f"{ink.label} is too close to the cut"
        yield Finding(face.label, text, hint, unsafe=True, what=what, weight=-gap)


def box_gap(box: Rect, outline: Outline) -> float:
    """Return how far inside an outline the nearest corner of a box lies, in mm.

    Negative if the outline cuts the box: past a corner of the box, or in a bay whose corner lies
    inside the box.
    """
    gap = min(outline.depth(corner) for corner in polygon.box(box))
    if outline.is_convex:
        return gap
    inside = any(box.grown(-EPSILON).holds(Rect(*corner, 0, 0)) for corner in outline.core)
    return min(gap, -EPSILON) if inside else gap
