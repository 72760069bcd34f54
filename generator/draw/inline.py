"""Turns a picture into a `<symbol>` whose ids and style sheets are its own."""

import re
from xml.etree import ElementTree as ET

from generator.draw.art import SVG, XLINK, Art, local
from generator.units import number

_HASH_URL = re.compile(r"url\(\s*['\"]?#([^)'\"]+?)['\"]?\s*\)")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_STATEMENT = re.compile(r"@[^{};]*;")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_XML = "{http://www.w3.org/XML/1998/namespace}"
KEPT_NAMESPACES = ("", SVG)
ROOT_ONLY = {"x", "y", "width", "height", "viewBox", "preserveAspectRatio", "version", "baseProfile"}
DROPPED = {"metadata", "title", "desc", "animate", "animateMotion", "animateTransform", "set"}
"""Elements that no print shows."""


def symbol(art: Art, name: str, fit: str) -> ET.Element:
    """The picture as `<symbol id=name>`; `fit` is SVG's preserveAspectRatio."""
    view = art.view
    attributes = {"id": name, "viewBox": " ".join(number(n) for n in view), "preserveAspectRatio": fit}
    outer = ET.Element("symbol", attributes)
    group = ET.SubElement(ET.SubElement(outer, "g", {"id": f"{name}-art"}), "g")
    group.attrib.update({k: v for k, v in _attributes(art.root, name).items() if k not in ROOT_ONLY})
    for child in art.root:
        if (kept := _copy(child, name)) is not None:
            group.append(kept)
    return outer


def _copy(element: ET.Element, name: str) -> ET.Element | None:
    """The element without editors' private matter, its ids prefixed."""
    if not isinstance(element.tag, str):
        return None
    namespace, _, tag = element.tag.rpartition("}")
    if namespace.lstrip("{") not in KEPT_NAMESPACES or tag in DROPPED:
        return None
    copy = ET.Element(tag, _attributes(element, name))
    copy.text, copy.tail = element.text, element.tail
    if tag == "style":
        copy.text = scoped(element.text or "", name)
    for child in element:
        if (kept := _copy(child, name)) is not None:
            copy.append(kept)
        elif child.tail and len(copy):
            copy[-1].tail = (copy[-1].tail or "") + child.tail
        elif child.tail:
            copy.text = (copy.text or "") + child.tail
    return copy


def _attributes(element: ET.Element, name: str) -> dict[str, str]:
    result = {}
    for key, value in element.attrib.items():
        if key.startswith("{") and not key.startswith((f"{{{XLINK}}}", _XML)):
            continue
        plain = local(key)
        if plain.lower().startswith("on"):
            continue  # what a browser would run when it is clicked
        if key.startswith(_XML):
            plain = f"xml:{plain}"
        elif plain == "href":
            plain = "xlink:href"
        result[plain] = _renamed(plain, value, name)
    return result


def _renamed(key: str, value: str, name: str) -> str:
    if key == "id":
        return f"{name}-{value}"
    if key == "xlink:href" and value.startswith("#"):
        return f"#{name}-{value[1:]}"
    return _HASH_URL.sub(lambda match: f"url(#{name}-{match[1]})", value)


def scoped(css: str, name: str) -> str:
    """A style sheet that reaches only what lies inside the picture."""
    rules = []
    for selectors, body in _RULE.findall(_STATEMENT.sub("", _COMMENT.sub("", css))):
        if selectors.strip().startswith("@"):
            continue
        scoped_selectors = ", ".join(
            _scoped_selector(part.strip(), name) for part in selectors.split(",") if part.strip()
        )
        rules.append(f"{scoped_selectors} {{{_HASH_URL.sub(lambda m: f'url(#{name}-{m[1]})', body)}}}")
    return "\n".join(rules)


def _scoped_selector(selector: str, name: str) -> str:
    renamed = re.sub(r"#([\w-]+)", rf"#{name}-\1", selector)
    if re.match(r"(svg|:root)\b", renamed):
        return f"#{name}-art > g" + re.sub(r"^(svg|:root)", "", renamed)
    return f"#{name}-art {renamed}"
