"""Simplify a picture: remove undrawn parts, and rewrite newer notation that the engines lack.

First editors' data, links, animations and other languages go; the rest has one namespace, so names are written
without any. Then CSS notation is rewritten as SVG 1.1 attributes.
"""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from generator.draw.art.gate import INKSCAPE_LABEL
from generator.draw.art.tree import HREF, LABEL, declarations, format_style
from generator.picture.svg_table import ELEMENTS, XLINK, tag_of

_XML = "{http://www.w3.org/XML/1998/namespace}"
_REPLACED_LATER = {"a", "switch", "style", "foreignObject"}
"""Elements that later steps replace."""
DRAWN_ELEMENTS = {"svg", "g", "use", "switch", "a", "text", "tspan", "textPath", "image", "foreignObject"} | {
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
}
"""Elements that are drawn where they stand; SVG's conditions apply to these alone."""
CONDITIONS = ("requiredExtensions", "requiredFeatures", "systemLanguage")


def plain(root: ET.Element, language: str) -> ET.Element:
    """Return a copy of a picture with plain names, as a reader of this language sees it."""
    copy = _copy(root, language, in_text=False)
    return copy if copy is not None else ET.Element("svg")


def _copy(element: ET.Element, language: str, *, in_text: bool) -> ET.Element | None:
    tag = tag_of(element)
    if (tag not in ELEMENTS and tag not in _REPLACED_LATER) or (
        tag in DRAWN_ELEMENTS and not _applies(element, language)
    ):
        return None
    if tag == "a":
        tag = "tspan" if in_text else "g"
    in_text = in_text or tag == "text"
    copy = ET.Element("g" if tag == "switch" else tag, _attributes(element))
    copy.text = element.text
    copy.tail = element.tail
    for child in element:
        child_copy = _copy(child, language, in_text=in_text)
        if tag == "switch" and child_copy is not None and child_copy.tag == "foreignObject":
            child_copy = None
        if child_copy is not None:
            copy.append(child_copy)
        elif child.tail:
            _add_text(copy, child.tail)
        if tag == "switch" and child_copy is not None:
            break
    return copy


def _applies(element: ET.Element, language: str) -> bool:
    """Return True if SVG's conditions hold: no extension is known, every feature is, and languages must match."""
    if element.get("requiredExtensions"):
        return False
    wanted = element.get("systemLanguage")
    if wanted is None:
        return True
    mine = language.replace("_", "-").lower()
    names = [part.strip().lower() for part in wanted.split(",")]
    return any(mine == name or mine.startswith(f"{name}-") or name.startswith(f"{mine}-") for name in names if name)


def _add_text(parent: ET.Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def _attributes(element: ET.Element) -> dict[str, str]:
    is_link = tag_of(element) == "a"
    result = {}
    for key, value in element.attrib.items():
        plain_key = _plain_key(key)
        if plain_key and plain_key not in CONDITIONS and not (is_link and plain_key == HREF):
            result[plain_key] = value
    return result


def _plain_key(key: str) -> str:
    """Return an attribute's plain name; empty for attributes of editors, scripts and screen readers."""
    if key == INKSCAPE_LABEL:
        return LABEL
    if key.startswith(_XML):
        return f"xml:{key[len(_XML) :]}" if key.endswith("space") else ""
    namespace, _, local = key.rpartition("}")
    if local == "href" and namespace in {"", f"{{{XLINK}"}:
        return HREF
    return "" if namespace or local.startswith(("on", "aria-", "data-")) or local in {"role", "xmlns"} else local


PAINTED = ("fill", "stroke", "color", "stop-color", "flood-color", "lighting-color")
GEOMETRY = {"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry"}
TEXTS = {"text", "tspan", "textPath"}
PRESERVED_SPACES = {"pre", "pre-wrap", "break-spaces"}

_PLACE = {"x", "y", "width", "height", "viewBox", "preserveAspectRatio"}
_SLASH = re.compile(r"\b(rgb|hsl)a?\(\s*([^()/]+?)\s*/\s*([\d.]+%?)\s*\)", re.IGNORECASE)
_NAME = re.compile(r"\brebeccapurple\b", re.IGNORECASE)
_PRESS_COLOUR = re.compile(r"\s+(?:icc-color|device-cmyk)\([^()]*\)", re.IGNORECASE)
"""A press colour that follows the screen colour."""
_FONT = re.compile(
    r"^(?P<words>(?:(?:normal|italic|oblique|small-caps|bold|bolder|lighter|[1-9]00|(?:ultra-|extra-|semi-)?"
    r"(?:condensed|expanded))\s+)*)"
    r"(?P<size>[\d.]+[a-z%]*|(?:xx?-)?(?:small|large)|medium|smaller|larger)(?:\s*/\s*[^\s,]+)?\s+(?P<family>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_UNIT = re.compile(r"(?<![\d.])([-+]?+(?:\d++\.?+\d*+|\.\d++)(?:e[-+]?\d++)?+)(px|deg|turn|rad|grad)\b", re.IGNORECASE)
_DEGREES_PER_UNIT = {"deg": 1.0, "turn": 360.0, "rad": 57.29577951308232, "grad": 0.9}


def rewrite_css(root: ET.Element) -> None:
    """Rewrite notation that the engines would draw black or not at all."""
    for element in [element for element in root.iter("svg") if element is not root]:
        _wrap_inner_svg(element)
    for element in root.iter():
        for name in PAINTED:
            if name in element.attrib:
                element.set(name, _rewrite_colours(element.attrib[name]))
        if "style" in element.attrib:
            _rewrite_style(element, declarations(_rewrite_colours(element.attrib["style"])))


def _wrap_inner_svg(element: ET.Element) -> None:
    """Move an inner `<svg>`'s transform and opacity to a group: the engines apply them wrongly on `<svg>`."""
    outside = {key: value for key, value in element.attrib.items() if key not in _PLACE}
    if not outside:
        return
    picture = ET.Element("svg", {key: value for key, value in element.attrib.items() if key in _PLACE})
    if "overflow" in outside:
        picture.set("overflow", outside.pop("overflow"))
    picture.extend(list(element))
    tail = element.tail
    element.clear()
    element.tag = "g"
    element.tail = tail
    element.attrib.update(outside)
    element.append(picture)


def _rewrite_style(element: ET.Element, styles: dict[str, str]) -> None:
    if styles.get("white-space") in PRESERVED_SPACES:
        element.set("xml:space", "preserve")
    for name in GEOMETRY & {*styles} if element.tag not in TEXTS else ():
        if styles[name] != "auto":
            element.set(name, styles.pop(name))
    if "(" in styles.get("filter", ""):
        element.set("filter", styles.pop("filter"))
    if (
        "transform" in styles and element.tag in DRAWN_ELEMENTS
    ):  # as SVG writes it, which browsers read in attributes alone
        element.set("transform", styles.pop("transform").removeprefix("none"))
    element.set("style", format_style(styles))


def _rewrite_colours(text: str) -> str:
    return _PRESS_COLOUR.sub("", _SLASH.sub(_with_commas, _NAME.sub("#663399", text)))


def _with_commas(match: re.Match[str]) -> str:
    """Return `rgb(10 120 200 / 50%)` with commas."""
    share = match[3]
    alpha = float(share[:-1]) / 100 if share.endswith("%") else float(share)
    return f"{match[1].lower()}a({', '.join(match[2].replace(',', ' ').split())}, {alpha:g})"


def expand_shorthand(name: str, value: str) -> Iterator[tuple[str, str]]:
    """Yield the properties that one CSS declaration sets."""
    if name == "font":
        yield from _expand_font(value)
    elif name == "marker":
        yield from ((f"marker-{end}", value) for end in ("start", "mid", "end"))
    elif name in {"transform", "rotate", "scale", "translate"}:
        yield ("transform", _svg_transform(name, value))
    else:
        yield name, value


def _expand_font(value: str) -> Iterator[tuple[str, str]]:
    match = _FONT.match(value.strip())
    if match is None:
        return
    words = match["words"].lower().split()
    yield "font-style", next((word for word in words if word in {"italic", "oblique"}), "normal")
    yield "font-variant", "small-caps" if "small-caps" in words else "normal"
    weights = [word for word in words if word in {"bold", "bolder", "lighter"} or word.isdigit()]
    yield "font-weight", weights[0] if weights else "normal"
    stretches = [word for word in words if word.endswith(("condensed", "expanded"))]
    yield "font-stretch", stretches[0] if stretches else "normal"
    yield "font-size", match["size"]
    yield "font-family", match["family"].strip()


def _svg_transform(name: str, value: str) -> str:
    """Return a CSS transform in SVG notation: without units, angles in degrees."""
    if name != "transform":
        value = f"{name}({', '.join(value.split())})" if value.strip() != "none" else "none"

    def plain(match: re.Match[str]) -> str:
        return f"{float(match[1]) * _DEGREES_PER_UNIT.get(match[2].lower(), 1.0):.6g}"

    value = re.sub(r"\btranslateX\(([^)]*)\)", r"translate(\1, 0)", _UNIT.sub(plain, value))
    value = re.sub(r"\btranslateY\(([^)]*)\)", r"translate(0, \1)", value)
    value = re.sub(r"\bscaleX\(([^)]*)\)", r"scale(\1, 1)", value)
    return re.sub(r"\bscaleY\(([^)]*)\)", r"scale(1, \1)", value)
