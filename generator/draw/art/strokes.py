"""Lines whose width the engines read in ways of their own: those that keep it at any scale, and those without one."""

from generator.draw.art.computed import Computed, length, walk
from generator.draw.art.lines import DRAWN
from generator.draw.art.model import Art, property_of, styled

FIXED = "non-scaling-stroke"

NOTHING = 1e-5
"""Of the picture's width. Dia writes 1e-37 for a hairline, which in a PDF becomes the thinnest line of the printer."""


def settle_strokes(art: Art) -> None:
    """Give lines of a fixed width that width, as it is at the picture's own size; leave out what has next to none."""
    for at in walk(art.root):
        if at.matrix.scale <= 0:
            continue
        if property_of(at.element, "vector-effect") == FIXED:
            _scale_back(at)
        elif at.element.tag in DRAWN:
            width = length(at.value("stroke-width", "1"), 16.0)
            if width is not None and 0 < width * at.matrix.scale < NOTHING * art.view.w:
                styled(at.element, stroke="none")


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
