"""Takes away what no engine draws: editors' private matter, links, animations, other languages.

What is left has one namespace, so its names are written without any.
"""

from xml.etree import ElementTree as ET

from generator.core.svg import ELEMENTS, XLINK, tag_of
from generator.draw.art.gate import INKSCAPE_LABEL
from generator.draw.art.model import HREF, LABEL

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
