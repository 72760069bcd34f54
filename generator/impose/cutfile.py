"""Files and registration marks for cutting machines.

A file holds the trim lines of sheets that are cut alike, as SVG or DXF in mm. The table at the end
has a row for each kind of registration marks.
"""

import io
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from types import MappingProxyType

from generator.core.geometry import Point, Rect, Size
from generator.core.outline import Outline
from generator.core.problems import Kind, Wrong, unknown
from generator.core.units import number
from generator.core.worker import Worker
from generator.impose.setup import PLAIN, Registration
from generator.impose.sheet import Bed, Line

# DXF's code for millimetres ($INSUNITS).
MILLIMETRES = 4


def svg(bed: Bed) -> str:
    """Return the SVG cut file: the paper and one path for each piece.

    The origin is the paper's top left corner. The paper is a group of its own.
    """
    w = number(bed.paper.w)
    h = number(bed.paper.h)
    cuts = "\n".join(f'    <path d="{d}"/>' for outline, bridge in _with_bridges(bed) for d in _drawn(outline, bridge))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}">\n'
        f'  <g id="paper" fill="none" stroke="#0000ff" stroke-width="0.1">\n'
        f'    <rect x="0" y="0" width="{w}" height="{h}"/>\n  </g>\n'
        f'  <g id="cut" fill="none" stroke="#ff0000" stroke-width="0.1">\n{cuts}\n  </g>\n</svg>\n'
    )


def dxf(bed: Bed, worker: Worker) -> str:
    """Return the DXF cut file, with the layers CUT and PAPER.

    The origin is the paper's bottom left corner. ezdxf reads settings from the working directory and
    writes to the home directory, so it runs in the worker, which has neither. Raise Wrong if ezdxf is
    not installed.
    """
    if find_spec("ezdxf") is None:
        raise Wrong(
            "a cut file needs ezdxf, which is not installed",
            "the extra 'cut': pip install 'pnp-generator[cut]'",
            kind=Kind.MISSING,
        )
    return worker.run(drawn, bed).decode()


def drawn(bed: Bed) -> bytes:
    """Return the bytes of the DXF file, without the time stamps and random ids of ezdxf."""
    from ezdxf.filemanagement import new

    import_module("ezdxf").options.write_fixed_meta_data_for_testing = True
    drawing = new("R2000", units=MILLIMETRES)
    drawing.layers.add("CUT", color=1)
    drawing.layers.add("PAPER", color=5)
    space = drawing.modelspace()
    height = bed.paper.h
    sheet = [(0, 0), (bed.paper.w, 0), (bed.paper.w, height), (0, height)]
    space.add_lwpolyline(sheet, close=True, dxfattribs={"layer": "PAPER"})
    for outline, bridge in _with_bridges(bed):
        if not bridge:
            corners = [(*_upward(point, height), round(bulge, FINE)) for point, bulge in _corners(outline)]
            space.add_lwpolyline(corners, format="xyb", close=True, dxfattribs={"layer": "CUT"})
        for way in held(outline, bridge) if bridge else ():
            space.add_lwpolyline([_upward(point, height) for point in way], dxfattribs={"layer": "CUT"})
    out = io.StringIO()
    drawing.write(out)
    return out.getvalue().encode()


# Decimals of DXF coordinates: further digits differ between versions of Python.
FINE = 6


def _upward(point: Point, height: float) -> tuple[float, float]:
    """Return the DXF coordinates of a point; the y axis of DXF points up."""
    return round(point.x, FINE), round(height - point.y, FINE)


def _with_bridges(bed: Bed) -> Iterator[tuple[Outline, float]]:
    """Yield each outline with the length of its bridges in mm; 0 for none."""
    yield from zip(bed.outlines, bed.bridges or (0.0,) * len(bed.outlines), strict=True)


def _drawn(outline: Outline, bridge: float) -> Iterator[str]:
    """Yield the path data of a piece: one closed path, or the stretches between bridges."""
    if not bridge:
        yield outline.d
    for way in held(outline, bridge) if bridge else ():
        yield "M" + "L".join(f"{number(point.x)} {number(point.y)}" for point in way)


# Length of outline for each bridge; a piece has at least two bridges.
HELD = 50.0


def held(outline: Outline, bridge: float) -> Iterator[list[Point]]:
    """Yield the stretches of an outline between its evenly spaced bridges.

    The first stretch starts half a bridge from the middle of the longest straight side. Raise Wrong if
    the bridges take more than half of the outline.
    """
    flat = list(outline.flat)
    longest = max(range(len(flat)), key=lambda nth: (flat[nth] - flat[nth - 1]).length())
    middle = (flat[longest] + flat[longest - 1]).scaled(0.5)
    round_it = [middle, *flat[longest:], *flat[:longest], middle]
    length = sum((b - a).length() for a, b in pairwise(round_it))
    count = max(2, round(length / HELD))
    if bridge * count > length / 2:
        raise Wrong(f"bridges of {number(bridge)} mm round a piece of {outline}", "bridges of half its line at most")
    for nth in range(count):
        yield _stretch(round_it, nth * length / count + bridge / 2, (nth + 1) * length / count - bridge / 2)


def _stretch(way: list[Point], start: float, end: float) -> list[Point]:
    """Return the part of a polyline between two distances along it, in mm."""
    found: list[Point] = []
    far = 0.0
    for a, b in pairwise(way):
        long = (b - a).length()
        if far + long > start and far < end:
            low = max(start - far, 0.0) / long
            high = min(end - far, long) / long
            found += [a + (b - a).scaled(low)] * (not found) + [a + (b - a).scaled(high)]
        far += long
    return found


def _corners(outline: Outline) -> Iterator[tuple[Point, float]]:
    """Yield each corner with the bulge of the line that leaves it; negative is clockwise with y up."""
    for edge in outline.edges:
        yield edge.a, -edge.bulge
        yield from ((place, 0.0) for place in list(edge.flat())[:-1] if edge.handles)


# Distance of a machine's marks from the paper's edges.
INSET = 10.0
# White paper that a machine's sensor needs beside its marks.
CLEAR = 2.0
# Silhouette's square, and the length and width of the arms of its angles.
SQUARE = 5.0
ARM = 8.4
THIN = 1.0
# Line width of Cricut's frame.
FRAME = 1.27


def level(x: float, y: float, length: float, width: float) -> Line:
    """Return a level bar from the left end of its middle line."""
    return Line(Point(x, y), Point(x + length, y), width)


def upright(x: float, y: float, length: float, width: float) -> Line:
    """Return an upright bar from the upper end of its middle line."""
    return Line(Point(x, y), Point(x, y + length), width)


def _square_and_angles(paper: Size) -> tuple[Line, ...]:
    right = paper.w - INSET
    bottom = paper.h - INSET
    half = THIN / 2
    return (
        level(INSET, INSET + SQUARE / 2, SQUARE, SQUARE),
        level(right - ARM, INSET + half, ARM, THIN),
        upright(right - half, INSET, ARM, THIN),
        level(INSET, bottom - half, ARM, THIN),
        upright(INSET + half, bottom - ARM, ARM, THIN),
    )


def _beside_the_marks(paper: Size) -> Rect:
    keep = INSET + THIN + CLEAR
    return Rect.between(keep, INSET + SQUARE + CLEAR, paper.w - keep, paper.h - keep)


def _frame(paper: Size) -> tuple[Line, ...]:
    half = FRAME / 2
    w = paper.w - 2 * INSET
    h = paper.h - 2 * INSET
    return (
        level(INSET, INSET + half, w, FRAME),
        level(INSET, paper.h - INSET - half, w, FRAME),
        upright(INSET + half, INSET, h, FRAME),
        upright(paper.w - INSET - half, INSET, h, FRAME),
    )


def _inside_the_frame(paper: Size) -> Rect:
    return Rect(0, 0, *paper).grown(-INSET - FRAME - CLEAR)


_ROWS = (
    PLAIN,
    Registration("silhouette", "a square and two angles, 10 mm from the edges", _square_and_angles, _beside_the_marks),
    Registration("cricut", "a frame 10 mm from the edges", _frame, _inside_the_frame),
)

KINDS: Mapping[str, Registration] = MappingProxyType({row.name: row for row in _ROWS})


def registration(name: str) -> Registration:
    """Return the kind of registration marks called `name`; raise Wrong for an unknown name."""
    if name not in KINDS:
        raise unknown("cutter", name, KINDS)
    return KINDS[name]
