"""A picture as the engines get it: whole, as its author drew it, written anew from the table of what may be in it."""

import re
from base64 import b64encode
from copy import deepcopy
from html import escape
from xml.etree import ElementTree as ET

from generator.core.fonts import FontSet
from generator.core.svg import SVG, SVG_KIND, written
from generator.draw.art.fonts import set_fonts
from generator.draw.art.lines import fix_widths
from generator.draw.art.model import HREF, Art, declarations, property_of
from generator.draw.art.model import written as style_of

PAGE = ("x", "y", "width", "height", "viewBox", "preserveAspectRatio", "version", "baseProfile")
"""What an outermost `<svg>` says of its page."""

_COLOURED = re.compile("currentcolor", re.IGNORECASE)


def takes_colour(art: Art) -> bool:
    """Whether anything in it has the colour of what stands round it."""
    values = (value for element in art.root.iter() for value in element.attrib.values())
    return any(map(_COLOURED.search, values)) or any(map(takes_colour, art.inner.values()))


def finished(art: Art, fonts: FontSet) -> Art:
    """A copy in which every text names the file that sets it, also in the pictures that it shows."""
    inner = {address: finished(one, fonts) for address, one in art.inner.items()}
    copy = Art(art.name, deepcopy(art.root), art.view, inner)
    set_fonts(copy, fonts)
    fix_widths(copy)
    return copy


def address_of(art: Art, colour: str | None) -> str:
    """A finished picture as the address of an image; `colour` is what it takes for currentColor."""
    inner = {address: address_of(one, colour) for address, one in art.inner.items()}
    root = art.root
    if inner:
        root = deepcopy(root)
        for element in root.iter():
            if element.get(HREF, "").strip() in inner:
                element.set(HREF, inner[element.attrib[HREF].strip()])
    text = written(_page(root, art, colour), set(inner.values()))
    named = f"<title>{escape(art.name, quote=False)}</title>"
    head, tail = text.replace("<svg", f'<svg xmlns="{SVG}"', 1).split(">", 1)
    whole = f"{head[:-1]}>{named}</svg>" if head.endswith("/") else f"{head}>{named}{tail}"
    return SVG_KIND + b64encode(whole.encode(errors="replace")).decode()


def _page(root: ET.Element, art: Art, colour: str | None) -> ET.Element:
    """The root with a page of just what the picture shows."""
    page = ET.Element("svg")
    x, y, w, h = (f"{value:.9g}" for value in art.view)
    page.attrib |= {"width": w, "height": h, "viewBox": f"{x} {y} {w} {h}"}
    page.attrib |= {key: value for key, value in root.attrib.items() if key not in PAGE}
    if "style" in page.attrib:
        page.set("style", style_of({k: v for k, v in declarations(page.attrib["style"]).items() if k not in PAGE}))
    if colour and property_of(root, "color") is None:
        page.set("color", colour)
    page.text = root.text
    page.extend(list(root))
    return page


def symbol(art: Art, name: str, fit: str, colour: str | None) -> ET.Element:
    """A finished picture as `<symbol id=name>`; `fit` is SVG's preserveAspectRatio. What lies past its view is cut."""
    x, y, w, h = (f"{value:.9g}" for value in art.view)
    outer = ET.Element("symbol", {"id": name, "viewBox": f"{x} {y} {w} {h}", "preserveAspectRatio": fit})
    box = {"x": x, "y": y, "width": w, "height": h, "preserveAspectRatio": "none"}
    ET.SubElement(outer, "image", {**box, HREF: address_of(art, colour)})
    return outer
