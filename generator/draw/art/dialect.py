"""Says in older words what the engines do not understand in newer ones, and in SVG's what CSS says in its own."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from generator.draw.art.model import declarations, written

PAINTED = ("fill", "stroke", "color", "stop-color", "flood-color", "lighting-color")
GEOMETRY = {"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry"}
TEXTS = {"text", "tspan", "textPath"}
KEPT_SPACES = {"pre", "pre-wrap", "break-spaces"}

_PLACE = {"x", "y", "width", "height", "viewBox", "preserveAspectRatio"}
_SLASH = re.compile(r"\b(rgb|hsl)a?\(\s*([^()/]+?)\s*/\s*([\d.]+%?)\s*\)", re.IGNORECASE)
_NAME = re.compile(r"\brebeccapurple\b", re.IGNORECASE)
_PRESS = re.compile(r"\s+(?:icc-color|device-cmyk)\([^()]*\)", re.IGNORECASE)
"""A colour of a press behind the one of a screen."""
_FONT = re.compile(
    r"^(?P<words>(?:(?:normal|italic|oblique|small-caps|bold|bolder|lighter|[1-9]00|(?:ultra-|extra-|semi-)?"
    r"(?:condensed|expanded))\s+)*)"
    r"(?P<size>[\d.]+[a-z%]*|(?:xx?-)?(?:small|large)|medium|smaller|larger)(?:\s*/\s*[^\s,]+)?\s+(?P<family>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_UNIT = re.compile(r"(?<![\d.])([-+]?+(?:\d++\.?+\d*+|\.\d++)(?:e[-+]?\d++)?+)(px|deg|turn|rad|grad)\b", re.IGNORECASE)
_TURN = {"deg": 1.0, "turn": 360.0, "rad": 57.29577951308232, "grad": 0.9}


def modernise(root: ET.Element) -> None:
    """Rewrite what would otherwise be drawn black, or not at all."""
    for element in [element for element in root.iter("svg") if element is not root]:
        _wrap(element)
    for element in root.iter():
        for name in PAINTED:
            if name in element.attrib:
                element.set(name, _colours(element.attrib[name]))
        if "style" in element.attrib:
            _style(element, declarations(_colours(element.attrib["style"])))


def _wrap(element: ET.Element) -> None:
    """Put an inner `<svg>` into a group of its transformation and opacity, which the engines apply wrongly on it."""
    outside = {key: value for key, value in element.attrib.items() if key not in _PLACE}
    if not outside:
        return
    picture = ET.Element("svg", {key: value for key, value in element.attrib.items() if key in _PLACE})
    if "overflow" in outside:
        picture.set("overflow", outside.pop("overflow"))
    picture.extend(list(element))
    tail = element.tail
    element.clear()
    element.tag, element.tail = "g", tail
    element.attrib.update(outside)
    element.append(picture)


def _style(element: ET.Element, styles: dict[str, str]) -> None:
    if styles.get("white-space") in KEPT_SPACES:
        element.set("xml:space", "preserve")
    for name in GEOMETRY & {*styles} if element.tag not in TEXTS else ():
        if styles[name] != "auto":
            element.set(name, styles.pop(name))
    if "(" in styles.get("filter", ""):
        element.set("filter", styles.pop("filter"))
    element.set("style", written(styles))


def _colours(text: str) -> str:
    return _PRESS.sub("", _SLASH.sub(_commas, _NAME.sub("#663399", text)))


def _commas(match: re.Match[str]) -> str:
    """`rgb(10 120 200 / 50%)` with commas."""
    share = match[3]
    alpha = float(share[:-1]) / 100 if share.endswith("%") else float(share)
    return f"{match[1].lower()}a({', '.join(match[2].replace(',', ' ').split())}, {alpha:g})"


def expanded(name: str, value: str) -> Iterator[tuple[str, str]]:
    """The properties that one declaration of CSS sets."""
    if name == "font":
        yield from _font(value)
    elif name == "marker":
        yield from ((f"marker-{end}", value) for end in ("start", "mid", "end"))
    elif name in {"transform", "rotate", "scale", "translate"}:
        yield ("transform", _transform(name, value))
    else:
        yield name, value


def _font(value: str) -> Iterator[tuple[str, str]]:
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


def _transform(name: str, value: str) -> str:
    """A transformation of CSS as SVG writes it: no units, angles in degrees."""
    if name != "transform":
        value = f"{name}({', '.join(value.split())})" if value.strip() != "none" else "none"

    def plain(match: re.Match[str]) -> str:
        return f"{float(match[1]) * _TURN.get(match[2].lower(), 1.0):.6g}"

    value = re.sub(r"\btranslateX\(([^)]*)\)", r"translate(\1, 0)", _UNIT.sub(plain, value))
    value = re.sub(r"\btranslateY\(([^)]*)\)", r"translate(0, \1)", value)
    value = re.sub(r"\bscaleX\(([^)]*)\)", r"scale(\1, 1)", value)
    return re.sub(r"\bscaleY\(([^)]*)\)", r"scale(1, \1)", value)
