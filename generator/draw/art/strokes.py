"""Lines that keep their width whatever they are scaled by: the engines do not know them, so they are made so."""

from generator.draw.art.computed import length, walk
from generator.draw.art.model import Art, property_of, styled

FIXED = "non-scaling-stroke"


def settle_strokes(art: Art) -> None:
    """Give lines of a fixed width that width, as it is at the picture's own size."""
    for at in walk(art.root):
        if property_of(at.element, "vector-effect") != FIXED or at.matrix.scale <= 0:
            continue
        for name in ("stroke-width", "stroke-dashoffset"):
            value = length(at.value(name, "1" if name == "stroke-width" else ""), 16.0)
            if value is not None:
                styled(at.element, **{name: f"{value / at.matrix.scale:.9g}"})
        dashes = at.value("stroke-dasharray", "none")
        if dashes != "none":
            lengths = [length(part, 16.0) for part in dashes.replace(",", " ").split()]
            plain = " ".join(f"{part / at.matrix.scale:.9g}" for part in lengths if part is not None)
            styled(at.element, stroke_dasharray=plain)
