"""The print faults of faces: what cutting and a cheap printer would show."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial

from generator.check.edges import CutEdges, Rims, edge_fault, gap, rim, shared_cut
from generator.core.geometry import Rect
from generator.core.outline import Outline
from generator.core.problems import Where
from generator.core.raster import Rasteriser
from generator.core.units import number
from generator.draw.draw import DrawnComponent
from generator.draw.face import Face
from generator.pack.game import Component

THINNEST = 0.1
"""mm; printers lose lines below."""

LEAST_DPI = 200


@dataclass(frozen=True)
class Finding:
    """A fault of a face, with what to do about it; `unsafe` where a cut may reach something.

    `what` is the same for faults that are mended in one place; of those the one with the greatest `weight` is the
    worst. `where` is the row of the face's design.
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


def findings(component: DrawnComponent, raster: Rasteriser) -> Iterator[Finding]:
    """The faults of a component's faces, each picture looked at once."""
    if said := shared_cut(component, raster):
        yield Finding(component.spec.id, said.partition(": ")[2], "no `gutter:`, or one of twice the bleed")
    rows = {design.id: design.where for design in component.spec.designs}
    seen: set[str] = set()
    cut, rims = cache(CutEdges), cache(partial(rim, raster))
    backs = {design.back.name for design in component.designs if design.back}
    for face in component.faces:
        if face.name not in seen:
            seen.add(face.name)
            spec = component.spec
            for fault in _faults(face, spec, _trim_of(face, spec, backs), cut, raster, rims):
                design = face.label.partition(":")[2].rpartition(" ")[0].partition(" face")[0]
                yield replace(fault, where=rows.get(design))


def _trim_of(face: Face, spec: Component, backs: set[str]) -> Outline:
    """What a face is cut to."""
    if spec.panels:
        return Outline.of_box(Rect(0, 0, *face.size))
    return spec.behind if face.name in backs else spec.outline


def _faults(
    face: Face,
    spec: Component,
    outline: Outline,
    cut: Callable[[Outline, float], CutEdges],
    raster: Rasteriser,
    rims: Rims,
) -> Iterator[Finding]:
    yield from _unsafe(face, spec.safe, outline, rims)
    for picture in face.facts.pictures:
        if picture.dpi < LEAST_DPI:
            text = f"{picture.name} has {picture.dpi:.0f} dpi at its printed size"
            hint = f"use a picture of at least {LEAST_DPI} dpi, or a smaller box"
            yield Finding(face.label, text, hint, what=f"{picture.name} has too few dots", weight=-picture.dpi)
    thinnest = face.facts.thinnest
    if thinnest is not None and thinnest < THINNEST - 1e-9:
        text = f"its thinnest line is {number(thinnest)} mm"
        hint = f"lines under {number(THINNEST)} mm may not print"
        yield Finding(face.label, text, hint, what="lines are too thin", weight=-thinnest)
    if spec.bleed and (fault := edge_fault(face, cut(outline, face.bleed), raster)):
        yield Finding(face.label, fault, "let the art reach to the end of the bleed", what="art stops at the cut")


def _unsafe(face: Face, safe: float, outline: Outline, rims: Rims) -> Iterator[Finding]:
    for ink in face.facts.inks:
        near = gap(ink, outline, safe, rims)
        if near < safe - 0.005:
            text = f"{ink.what} is {number(max(near, 0))} mm from the cut" if near >= 0 else f"{ink.what} is cut off"
            what, hint = f"{ink.what} is too near to the cut", f"keep it {number(safe)} mm inside"
            yield Finding(face.label, text, hint, unsafe=True, what=what, weight=-near)
