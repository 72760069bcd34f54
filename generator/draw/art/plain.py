"""Takes away what no engine draws: editors' private matter, links, animations, other languages.

What is left has one namespace, so its names are written without any.
"""

from xml.etree import ElementTree as ET

from generator.draw.art.model import HREF, LABEL, SVG, XLINK

_XML = "{http://www.w3.org/XML/1998/namespace}"
_INKSCAPE_LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"
KEPT_NAMESPACES = ("", SVG)
UNSEEN = {"metadata", "title", "desc", "animate", "set", "animateTransform", "animateMotion", "animateColor", "view"}
"""Elements that draw nothing on paper."""
CONDITIONS = ("requiredExtensions", "requiredFeatures", "systemLanguage")


def plain(root: ET.Element, language: str) -> ET.Element:
    """The picture's own elements with plain names, as someone who reads this language sees them."""
    copy = _copy(root, language, in_text=False)
    return copy if copy is not None else ET.Element("svg")


def _copy(element: ET.Element, language: str, *, in_text: bool) -> ET.Element | None:
    tag = _tag(element)
    if not tag or tag in UNSEEN or not _applies(element, language):
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


def _tag(element: ET.Element) -> str:
    """The name of an element of SVG; nothing for a comment or an editor's own element."""
    if not isinstance(element.tag, str):
        return ""
    namespace, _, tag = element.tag.rpartition("}")
    return tag if namespace.lstrip("{") in KEPT_NAMESPACES else ""


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
    is_link = _tag(element) == "a"
    result = {}
    for key, value in element.attrib.items():
        plain_key = _key(key)
        if plain_key and plain_key not in CONDITIONS and not (is_link and plain_key == HREF):
            result[plain_key] = value
    return result


def _key(key: str) -> str:
    """An attribute's plain name; nothing for those of editors, of browsers, and for people who do not see."""
    if key == _INKSCAPE_LABEL:
        return LABEL
    if key.startswith(_XML):
        return f"xml:{key[len(_XML) :]}" if key.endswith("space") else ""
    namespace, _, local = key.rpartition("}")
    if local == "href" and namespace in {"", f"{{{XLINK}"}:
        return HREF
    return "" if namespace or local.startswith(("on", "aria-", "data-")) or local in {"role", "xmlns"} else local
