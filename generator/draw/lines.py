"""The thinnest line that a picture draws, in its own units: printers lose what is under a tenth of a millimetre."""

import re
from math import hypot
from xml.etree import ElementTree as ET

_SCALE = re.compile(r"(scale|matrix)\(([^)]*)\)")
_WIDTH = re.compile(r"stroke-width\s*:\s*(\d*\.?\d+)")
_STROKE = re.compile(r"(?:^|;)\s*stroke\s*:\s*([^;]+)")


def thinnest_line(root: ET.Element) -> float | None:
    """The least stroke width, with the scale of the groups round it; style sheets are not followed."""
    widths: list[float] = []
    _visit(root, 1.0, 1.0, "none", widths)
    return min(widths, default=None)


def _visit(element: ET.Element, scale: float, width: float, stroke: str, found: list[float]) -> None:
    style = element.get("style", "")
    scale *= _scale_of(element.get("transform", ""))
    stroke = (_STROKE.search(style) or ["", element.get("stroke", stroke)])[1].strip()
    width = _number((_WIDTH.search(style) or ["", element.get("stroke-width", "")])[1], width)
    if stroke != "none" and len(element) == 0 and width > 0:
        found.append(width * scale)
    for child in element:
        _visit(child, scale, width, stroke, found)


def _number(text: str, default: float) -> float:
    match = re.match(r"\d*\.?\d+", text)
    return float(match[0]) if match else default


def _scale_of(transform: str) -> float:
    scale = 1.0
    for kind, inside in _SCALE.findall(transform):
        numbers = [float(n) for n in re.findall(r"[-+]?\d*\.?\d+(?:e[-+]?\d+)?", inside)]
        if kind == "scale" and numbers:
            scale *= min(abs(n) for n in numbers)
        elif len(numbers) >= 4:
            scale *= min(hypot(numbers[0], numbers[1]), hypot(numbers[2], numbers[3]))
    return scale
