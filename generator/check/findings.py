"""The print faults of faces: what cutting and a cheap printer would show."""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.check.edges import edge_fault
from generator.draw.draw import DrawnComponent
from generator.draw.face import Face
from generator.geometry import Rect
from generator.pack.game import Component
from generator.pack.shape import ShapeKind
from generator.preview.raster import Rasteriser
from generator.units import number

THINNEST = 0.1
"""mm; printers lose lines below."""

LEAST_DPI = 200


@dataclass(frozen=True)
class Finding:
    """A fault of a face, with what to do about it."""

    face: str
    text: str
    hint: str

    def __str__(self) -> str:
        return f"{self.face}: {self.text}\n  {self.hint}"


def findings(component: DrawnComponent, raster: Rasteriser) -> Iterator[Finding]:
    """The faults of a component's faces, each picture looked at once."""
    seen: set[str] = set()
    for face in component.faces:
        if face.name not in seen:
            seen.add(face.name)
            yield from _faults(face, component.spec, raster)


def _faults(face: Face, spec: Component, raster: Rasteriser) -> Iterator[Finding]:
    yield from _unsafe(face, spec)
    for picture in face.facts.pictures:
        if picture.dpi < LEAST_DPI:
            text = f"{picture.name} has {picture.dpi:.0f} dpi at its printed size"
            yield Finding(face.label, text, f"use a picture of at least {LEAST_DPI} dpi, or a smaller box")
    thinnest = face.facts.thinnest
    if thinnest is not None and thinnest < THINNEST - 1e-9:
        text = f"its thinnest line is {number(thinnest)} mm"
        yield Finding(face.label, text, f"lines under {number(THINNEST)} mm may not print")
    if spec.bleed and (fault := edge_fault(face, raster)):
        yield Finding(face.label, fault, "let the art reach to the end of the bleed")


def _unsafe(face: Face, spec: Component) -> Iterator[Finding]:
    trim = Rect(0, 0, *face.size)
    for ink in face.facts.inks:
        gap = _round_gap(ink.box, trim) if spec.shape.kind is ShapeKind.CIRCLE else _gap(ink.box, trim)
        if gap < spec.safe - 0.005:
            text = f"{ink.what} is {number(max(gap, 0))} mm from the cut" if gap >= 0 else f"{ink.what} is cut off"
            yield Finding(face.label, text, f"keep it {number(spec.safe)} mm inside")


def _gap(box: Rect, trim: Rect) -> float:
    return min(box.x - trim.x, box.y - trim.y, trim.right - box.right, trim.bottom - box.bottom)


def _round_gap(box: Rect, trim: Rect) -> float:
    centre = trim.centre
    corners = ((box.x, box.y), (box.right, box.y), (box.x, box.bottom), (box.right, box.bottom))
    return trim.w / 2 - max((centre - corner).length() for corner in corners)
