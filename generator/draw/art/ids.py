"""Gives a picture ids of its own, wherever an id can stand."""

import re
from xml.etree import ElementTree as ET

from generator.core.svg import is_known, key_of
from generator.draw.art.model import HREF

_HASH_URL = re.compile(r"url\(\s*['\"]?#([^)'\"]+?)['\"]?\s*\)")
_HIDDEN = ("data-", "class")
"""Attributes that only our own steps read."""


def renamed(element: ET.Element, prefix: str) -> ET.Element:
    """A copy of the element in which every id, and every reference to one, is prefixed."""
    copy = ET.Element(element.tag)
    for key, value in element.attrib.items():
        if not key.startswith(_HIDDEN) and is_known(element.tag, key_of(key)):
            copy.set(key, _renamed(key, value, prefix))
    copy.text, copy.tail = element.text, element.tail
    copy.extend([renamed(child, prefix) for child in element])
    return copy


def _renamed(key: str, value: str, prefix: str) -> str:
    if key == "id":
        return f"{prefix}-{value}"
    if key == HREF:
        value = value.strip()
        return f"#{prefix}-{value[1:]}" if value.startswith("#") else value
    return _HASH_URL.sub(lambda match: f"url(#{prefix}-{match[1]})", value) if "url(" in value else value
