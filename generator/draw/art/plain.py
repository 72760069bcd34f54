"""Takes away what no engine draws, and says in older words what the engines do not understand in newer ones.

First editors' private matter, links, animations, other languages go; what is left has one namespace, so its names are
written without any. Then what CSS says in its own words is said in SVG's.
"""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from generator.core.svg import ELEMENTS, XLINK, tag_of
from generator.draw.art.gate import INKSCAPE_LABEL
from generator.draw.art.model import HREF, LABEL, declarations, written

_XML = "{http://www.w3.org/XML/1998/namespace}"
_TURNED = {"a", "switch", "style", "foreignObject"}
"""What the steps after this one make something else of."""
SHOWN = {"svg", "g", "use", "switch", "a", "text", "tspan", "textPath", "image", "foreignObject"} | {
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
}
"""Elements that are drawn where they stand: conditions hold for these alone."""
CONDITIONS = ("requiredExtensions", "requiredFeatures", "systemLanguage")


def plain(root: ET.Element, language: str) -> ET.Element:
    """The picture's own elements with plain names, as someone who reads this language sees them."""
    copy = _copy(root, language, in_text=False)
    return copy if copy is not None else ET.Element("svg")


def _copy(element: ET.Element, language: str, *, in_text: bool) -> ET.Element | None:
    tag = tag_of(element)
    if (tag not in ELEMENTS and tag not in _TURNED) or (tag in SHOWN and not _applies(element, language)):
        return None
    if tag == "a":
        tag = "tspan" if in_text else "g"
    in_text = in_text or tag == "text"
    copy = ET.Element("g" if tag == "switch" else tag, _attributes(element))
    copy.text, copy.tail = element.text, element.tail
    for child in element:
        kept = _copy(child, language, in_text=in_text)
        if tag == "switch" and kept is not None and kept.tag == "foreignObject":
            kept = None
        if kept is not None:
            copy.append(kept)
        elif child.tail:
            _add_text(copy, child.tail)
        if tag == "switch" and kept is not None:
            break
    return copy


def _applies(element: ET.Element, language: str) -> bool:
    """SVG's conditions: no extension is known here, every feature is taken for granted, languages must match."""
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
        plain_key = _key(key)
        if plain_key and plain_key not in CONDITIONS and not (is_link and plain_key == HREF):
            result[plain_key] = value
    return result


def _key(key: str) -> str:
    """An attribute's plain name; nothing for those of editors, of browsers, and for people who do not see."""
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
    if "transform" in styles and element.tag in SHOWN:  # as SVG writes it, which browsers read in attributes alone
        element.set("transform", styles.pop("transform").removeprefix("none"))
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
