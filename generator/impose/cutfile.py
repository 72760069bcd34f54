"""Cut files: the trim lines of a bed for a cutting machine, as SVG and as DXF, in mm."""

import io
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec

from generator.core.geometry import Point
from generator.core.outline import Outline
from generator.core.problems import Kind, Wrong
from generator.core.units import number
from generator.core.worker import Worker
from generator.impose.sheet import Bed

MILLIMETRES = 4
"""DXF's number of the unit."""


def svg(bed: Bed) -> str:
    """A path a piece, on the paper with the origin at its top left; the paper itself in a group of its own."""
    w, h = number(bed.paper.w), number(bed.paper.h)
    cuts = "\n".join(f'    <path d="{outline.d}"/>' for outline in bed.outlines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}">\n'
        f'  <g id="paper" fill="none" stroke="#0000ff" stroke-width="0.1">\n'
        f'    <rect x="0" y="0" width="{w}" height="{h}"/>\n  </g>\n'
        f'  <g id="cut" fill="none" stroke="#ff0000" stroke-width="0.1">\n{cuts}\n  </g>\n</svg>\n'
    )


def dxf(bed: Bed, worker: Worker) -> str:
    """The same with the origin at the paper's bottom left, on the layers CUT and PAPER.

    ezdxf reads settings from where one stands and writes into one's home, so it is called where there is neither.
    """
    if find_spec("ezdxf") is None:
        raise Wrong(
            "a cut file needs ezdxf, which is not installed",
            "the extra 'cut': pip install 'pnp-generator[cut]'",
            kind=Kind.MISSING,
        )
    return worker.run(drawn, bed).decode()


def drawn(bed: Bed) -> bytes:
    """The bytes of the DXF file, without the time and the random numbers that ezdxf writes into others."""
    from ezdxf.filemanagement import new

    import_module("ezdxf").options.write_fixed_meta_data_for_testing = True
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
    return out.getvalue().encode()


def _corners(outline: Outline) -> Iterator[tuple[Point, float]]:
    """Each corner with the bulge of the line that leaves it: negative is clockwise, with y upwards."""
    for edge in outline.edges:
        yield edge.a, -edge.bulge
        yield from ((place, 0.0) for place in list(edge.flat())[:-1] if edge.handles)
