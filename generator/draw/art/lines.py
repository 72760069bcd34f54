"""Lines: the thinnest that a picture draws, since printers lose what is under a tenth of a millimetre; fixed widths."""

from xml.etree import ElementTree as ET

from generator.core.geometry import IDENTITY, Affine, read_transform
from generator.draw.art.computed import Computed, length, walk
from generator.draw.art.model import Art, property_of, styled

DRAWN = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}
FIXED = "non-scaling-stroke"
UNSEEN = {"clipPath", "mask", "linearGradient", "radialGradient", "filter"}


def thinnest_line(root: ET.Element) -> float | None:
    """The least stroke width, with the scale of the groups round it."""
    widths: list[float] = []
    _visit(root, IDENTITY, 1.0, "none", widths)
    return min(widths, default=None)


def _visit(element: ET.Element, matrix: Affine, width: float, stroke: str, found: list[float]) -> None:
    if element.tag in UNSEEN or property_of(element, "display") == "none":
        return
    transform = property_of(element, "transform")
    matrix = matrix @ read_transform(transform) if transform else matrix
    stroke = property_of(element, "stroke") or stroke
    own = length(property_of(element, "stroke-width") or "", 16.0)
    width = width if own is None else own
    if stroke != "none" and element.tag in DRAWN and width > 0:
        found.append(width * matrix.least)
    for child in element:
        _visit(child, matrix, width, stroke, found)


def fix_widths(art: Art) -> None:
    """Give lines of a fixed width that width, as it is at the picture's own size: no engine knows them."""
    if any("vector-effect" in key + value for one in art.root.iter() for key, value in one.attrib.items()):
        for at in walk(art.root):
            if at.matrix.scale > 0 and property_of(at.element, "vector-effect") == FIXED:
                _scale_back(at)


def _scale_back(at: Computed) -> None:
    for name in ("stroke-width", "stroke-dashoffset"):
        value = length(at.value(name, "1" if name == "stroke-width" else ""), 16.0)
        if value is not None:
            styled(at.element, **{name: f"{value / at.matrix.scale:.9g}"})
    dashes = at.value("stroke-dasharray", "none")
    if dashes != "none":
        lengths = [length(part, 16.0) for part in dashes.replace(",", " ").split()]
        plain = " ".join(f"{part / at.matrix.scale:.9g}" for part in lengths if part is not None)
        styled(at.element, stroke_dasharray=plain)
