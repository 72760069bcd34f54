"""The thinnest line that a picture draws, in its own units: printers lose what is under a tenth of a millimetre."""

from xml.etree import ElementTree as ET

from generator.core.geometry import IDENTITY, Affine, read_transform
from generator.draw.art.computed import length
from generator.draw.art.model import property_of

DRAWN = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}
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
