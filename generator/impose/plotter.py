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

from generator.base.errors import InvalidValueError, Kind, find_row
from generator.base.geometry import Point, Rect, Size
from generator.base.html import html, join_html
from generator.base.outline import Outline
from generator.base.units import number
from generator.base.worker import Worker
from generator.impose.setup import NO_REGISTRATION, Registration
from generator.impose.sheet import Bed, Line

# DXF's code for millimetres ($INSUNITS).
DXF_MILLIMETRES = 4


_SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="${w}mm" height="${h}mm" viewBox="0 0 $w $h">
  <g id="paper" fill="none" stroke="#0000ff" stroke-width="0.1">
    <rect x="0" y="0" width="$w" height="$h"/>
  </g>
  <g id="cut" fill="none" stroke="#ff0000" stroke-width="0.1">
$cuts
  </g>
</svg>
"""


def write_svg(bed: Bed) -> str:
    """Return the SVG cut file: the paper and one path for each piece.

    The origin is the paper's top left corner. The paper is a group of its own.
    """
    paths = (d for outline, bridge in _with_bridges(bed) for d in _path_data(outline, bridge))
    cuts = join_html((html('    <path d="$d"/>', d=d) for d in paths), "\n")
    return html(_SVG, w=number(bed.paper.w), h=number(bed.paper.h), cuts=cuts)


def write_dxf(bed: Bed, worker: Worker) -> str:
    """Return the DXF cut file: trim lines on the layer CUT, the paper's frame on PAPER, which is not to be cut.

    The origin is the paper's bottom left corner. ezdxf reads settings from the working directory and
    writes to the home directory, so it runs in the worker, which has neither. Raise InvalidValueError if ezdxf is
    not installed.
    """
    if find_spec("ezdxf") is None:
        raise InvalidValueError(
            "a cut file needs ezdxf, which is not installed",
            "the extra 'cut': pip install 'pnp-generator[cut]'",
            kind=Kind.MISSING,
        )
    return worker.run(compile_dxf, bed).decode()


def compile_dxf(bed: Bed) -> bytes:
    """Return the bytes of the DXF file, without the time stamps and random ids of ezdxf."""
    from ezdxf.filemanagement import new

    # ezdxf does not export its options explicitly, so mypy rejects them on an imported module.
    import_module("ezdxf").options.write_fixed_meta_data_for_testing = True
    drawing = new("R2000", units=DXF_MILLIMETRES)
    drawing.layers.add("CUT", color=1)
    # Programs that obey the plotting flag (group code 290 of layers) draw the paper's frame but do
    # not cut it.
    drawing.layers.add("PAPER", color=5, plot=False)
    space = drawing.modelspace()
    height = bed.paper.h
    sheet = [(0, 0), (bed.paper.w, 0), (bed.paper.w, height), (0, height)]
    space.add_lwpolyline(sheet, close=True, dxfattribs={"layer": "PAPER"})
    for outline, bridge in _with_bridges(bed):
        if not bridge:
            corners = [
                (*_to_dxf(point, height), round(bulge, DXF_DECIMALS))
                for point, bulge in _corners(outline)
            ]
            space.add_lwpolyline(corners, format="xyb", close=True, dxfattribs={"layer": "CUT"})
        for stretch in split_at_bridges(outline, bridge) if bridge else ():
            space.add_lwpolyline(
                [_to_dxf(point, height) for point in stretch], dxfattribs={"layer": "CUT"}
            )
    out = io.StringIO()
    drawing.write(out)
    return out.getvalue().encode()


# Decimals of DXF coordinates: further digits differ between versions of Python.
DXF_DECIMALS = 6


def _to_dxf(point: Point, height: float) -> tuple[float, float]:
    """Return the DXF coordinates of a point; the y axis of DXF points up."""
    return round(point.x, DXF_DECIMALS), round(height - point.y, DXF_DECIMALS)


def _with_bridges(bed: Bed) -> Iterator[tuple[Outline, float]]:
    """Yield each outline with the length of its bridges in mm; 0 for none."""
    yield from zip(bed.outlines, bed.bridges or (0.0,) * len(bed.outlines), strict=True)


def _path_data(outline: Outline, bridge: float) -> Iterator[str]:
    """Yield the path data of a piece: one closed path, or the stretches between bridges."""
    if not bridge:
        yield outline.d
    for stretch in split_at_bridges(outline, bridge) if bridge else ():
        yield "M" + "L".join(f"{number(point.x)} {number(point.y)}" for point in stretch)


# Length of outline for each bridge; a piece has at least two bridges.
OUTLINE_PER_BRIDGE_MM = 50.0


def split_at_bridges(outline: Outline, bridge: float) -> Iterator[list[Point]]:
    """Yield the stretches of an outline between its evenly spaced bridges.

    The first stretch starts half a bridge from the middle of the longest straight side. Raise
    InvalidValueError if the bridges take more than half of the outline.
    """
    corners = list(outline.flat)
    longest = max(
        range(len(corners)),
        key=lambda corner_index: (corners[corner_index] - corners[corner_index - 1]).length(),
    )
    middle = (corners[longest] + corners[longest - 1]).scaled(0.5)
    loop = [middle, *corners[longest:], *corners[:longest], middle]
    length = sum((b - a).length() for a, b in pairwise(loop))
    count = max(2, round(length / OUTLINE_PER_BRIDGE_MM))
    if bridge * count > length / 2:
        raise InvalidValueError(
            f"bridges of {number(bridge)} mm take more than half of the outline of a piece of {outline}",
            "shorter bridges",
        )
    for index in range(count):
        yield _cut_stretch(
            loop, index * length / count + bridge / 2, (index + 1) * length / count - bridge / 2
        )


def _cut_stretch(line: list[Point], start: float, end: float) -> list[Point]:
    """Return the part of a polyline between two distances along it, in mm."""
    stretch: list[Point] = []
    travelled = 0.0
    for a, b in pairwise(line):
        side_length = (b - a).length()
        if travelled + side_length > start and travelled < end:
            low = max(start - travelled, 0.0) / side_length
            high = min(end - travelled, side_length) / side_length
            # Only the first side adds its start: the others start where the last one ended.
            stretch += [a + (b - a).scaled(low)] * (not stretch) + [a + (b - a).scaled(high)]
        travelled += side_length
    return stretch


def _corners(outline: Outline) -> Iterator[tuple[Point, float]]:
    """Yield each corner with the bulge of the line that leaves it, as DXF counts it: y points up.

    A curve with handles becomes short straight lines.
    """
    for edge in outline.edges:
        yield edge.a, -edge.bulge
        yield from ((place, 0.0) for place in list(edge.flat())[:-1] if edge.handles)


# Distance of a machine's marks from the paper's edges. docs/printing.md tells users to enter it, and
# the length and width below, in Silhouette Studio.
MARK_INSET_MM = 10.0
# White paper that a machine's sensor needs beside its marks.
SENSOR_CLEARANCE_MM = 2.0
# Silhouette's marks of type 1: a square, and two angles with arms of this length and width.
SQUARE_MM = 5.0
ARM_LENGTH_MM = 8.4
ARM_WIDTH_MM = 1.0
# Line width of Cricut's frame.
FRAME_WIDTH_MM = 1.27


def make_level_bar(x: float, y: float, length: float, width: float) -> Line:
    """Return a level bar from the left end of its middle line."""
    return Line(Point(x, y), Point(x + length, y), width)


def make_upright_bar(x: float, y: float, length: float, width: float) -> Line:
    """Return an upright bar from the upper end of its middle line."""
    return Line(Point(x, y), Point(x, y + length), width)


def _square_and_angles(paper: Size) -> tuple[Line, ...]:
    right = paper.w - MARK_INSET_MM
    bottom = paper.h - MARK_INSET_MM
    half = ARM_WIDTH_MM / 2
    return (
        make_level_bar(MARK_INSET_MM, MARK_INSET_MM + SQUARE_MM / 2, SQUARE_MM, SQUARE_MM),
        make_level_bar(right - ARM_LENGTH_MM, MARK_INSET_MM + half, ARM_LENGTH_MM, ARM_WIDTH_MM),
        make_upright_bar(right - half, MARK_INSET_MM, ARM_LENGTH_MM, ARM_WIDTH_MM),
        make_level_bar(MARK_INSET_MM, bottom - half, ARM_LENGTH_MM, ARM_WIDTH_MM),
        make_upright_bar(MARK_INSET_MM + half, bottom - ARM_LENGTH_MM, ARM_LENGTH_MM, ARM_WIDTH_MM),
    )


def _area_between_angles(paper: Size) -> Rect:
    keep = MARK_INSET_MM + ARM_WIDTH_MM + SENSOR_CLEARANCE_MM
    return Rect.between(
        keep, MARK_INSET_MM + SQUARE_MM + SENSOR_CLEARANCE_MM, paper.w - keep, paper.h - keep
    )


def _frame(paper: Size) -> tuple[Line, ...]:
    half = FRAME_WIDTH_MM / 2
    w = paper.w - 2 * MARK_INSET_MM
    h = paper.h - 2 * MARK_INSET_MM
    return (
        make_level_bar(MARK_INSET_MM, MARK_INSET_MM + half, w, FRAME_WIDTH_MM),
        make_level_bar(MARK_INSET_MM, paper.h - MARK_INSET_MM - half, w, FRAME_WIDTH_MM),
        make_upright_bar(MARK_INSET_MM + half, MARK_INSET_MM, h, FRAME_WIDTH_MM),
        make_upright_bar(paper.w - MARK_INSET_MM - half, MARK_INSET_MM, h, FRAME_WIDTH_MM),
    )


def _area_inside_frame(paper: Size) -> Rect:
    return Rect(0, 0, *paper).grown(-MARK_INSET_MM - FRAME_WIDTH_MM - SENSOR_CLEARANCE_MM)


_ROWS = (
    NO_REGISTRATION,
    Registration(
        "silhouette",
        "a square and two angles, 10 mm from the edges",
        _square_and_angles,
        _area_between_angles,
    ),
    Registration("cricut", "a frame 10 mm from the edges", _frame, _area_inside_frame),
)

REGISTRATIONS: Mapping[str, Registration] = MappingProxyType({row.name: row for row in _ROWS})


def find_registration(name: str) -> Registration:
    """Return the kind of registration marks called `name`.

    Raise InvalidValueError for an unknown name.
    """
    return find_row("cutter", name, REGISTRATIONS)
