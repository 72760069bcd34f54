"""Turns a picture into a `<symbol>` that stands in a face."""

from xml.etree import ElementTree as ET

from generator.draw.art.embedded import contents
from generator.draw.art.model import Art


def symbol(art: Art, name: str, fit: str) -> ET.Element:
    """The picture as `<symbol id=name>`; `fit` is SVG's preserveAspectRatio."""
    view = " ".join(f"{n:.9g}" for n in art.view)
    outer = ET.Element("symbol", {"id": name, "viewBox": view, "preserveAspectRatio": fit})
    outer.append(contents(art, name))
    return outer
