"""Cut files: the trim lines of a bed for a cutting machine, as SVG and as DXF, in mm."""

import io
from collections.abc import Iterator

from generator.core.geometry import EPSILON, Point
from generator.core.problems import Kind, Wrong
from generator.core.units import number
from generator.impose.sheet import Bed, Outline

QUARTER = 0.41421356237309503
"""DXF's bulge of a quarter circle: the tangent of a sixteenth turn."""

MILLIMETRES = 4
"""DXF's number of the unit."""


def svg(bed: Bed) -> str:
    """A path a piece, on the paper with the origin at its top left; the paper itself in a group of its own."""
    w, h = number(bed.paper.w), number(bed.paper.h)
    cuts = "\n".join(f'    <path d="{_path(outline)}"/>' for outline in bed.outlines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}">\n'
        f'  <g id="paper" fill="none" stroke="#0000ff" stroke-width="0.1">\n'
        f'    <rect x="0" y="0" width="{w}" height="{h}"/>\n  </g>\n'
        f'  <g id="cut" fill="none" stroke="#ff0000" stroke-width="0.1">\n{cuts}\n  </g>\n</svg>\n'
    )


def _path(outline: Outline) -> str:
    if outline.radius <= EPSILON:
        return "M" + " L".join(_xy(corner) for corner in _angles(outline)) + " Z"
    arc, sides = f" A{number(outline.radius)} {number(outline.radius)} 0 0 1 ", list(_sides(outline))
    first, *others = [*sides, sides[0]]
    turns = "".join(f"{arc}{_xy(start)} L{_xy(end)}" for start, end in others[:-1])
    return f"M{_xy(first[0])} L{_xy(first[1])}{turns}{arc}{_xy(first[0])} Z"


def _angles(outline: Outline) -> tuple[Point, ...]:
    """The corners of an outline without a curve."""
    t = outline.trim
    box = (Point(t.x, t.y), Point(t.right, t.y), Point(t.right, t.bottom), Point(t.x, t.bottom))
    return outline.corners or box


def _xy(point: Point) -> str:
    return f"{number(point.x)} {number(point.y)}"


def _sides(outline: Outline) -> Iterator[tuple[Point, Point]]:
    """The straight sides of a box with rounded corners, clockwise from the top; those of a circle have no length."""
    t, r = outline.trim, outline.radius
    yield Point(t.x + r, t.y), Point(t.right - r, t.y)
    yield Point(t.right, t.y + r), Point(t.right, t.bottom - r)
    yield Point(t.right - r, t.bottom), Point(t.x + r, t.bottom)
    yield Point(t.x, t.bottom - r), Point(t.x, t.y + r)


def dxf(bed: Bed) -> str:
    """The same with the origin at the paper's bottom left, on the layers CUT and PAPER."""
    try:
        from ezdxf.filemanagement import new
    except ImportError:
        raise Wrong(
            "a cut file needs ezdxf, which is not installed",
            "the extra 'cut': pip install 'pnp-generator[cut]'",
            kind=Kind.MISSING,
        ) from None
    drawing = new("R2000", units=MILLIMETRES)
    drawing.layers.add("CUT", color=1)
    drawing.layers.add("PAPER", color=5)
    space, height = drawing.modelspace(), bed.paper.h
    sheet = [(0, 0), (bed.paper.w, 0), (bed.paper.w, height), (0, height)]
    space.add_lwpolyline(sheet, close=True, dxfattribs={"layer": "PAPER"})
    for outline in bed.outlines:
        corners = [(point.x, height - point.y, bulge) for point, bulge in _corners(outline)]
        space.add_lwpolyline(corners, format="xyb", close=True, dxfattribs={"layer": "CUT"})
    out = io.StringIO()
    drawing.write(out)
    return out.getvalue()


def _corners(outline: Outline) -> Iterator[tuple[Point, float]]:
    """Each corner with the bulge of the line that leaves it: negative is clockwise."""
    if outline.radius <= EPSILON:
        yield from ((corner, 0.0) for corner in _angles(outline))
        return
    for start, end in _sides(outline):
        if (end - start).length() > EPSILON:
            yield start, 0.0
        yield end, -QUARTER
