"""Says in older words what the engines do not understand in newer ones: colours, white space, filter functions."""

import re
from xml.etree import ElementTree as ET

from generator.draw.art.model import declarations, written

_SLASH = re.compile(r"\b(rgb|hsl)a?\(\s*([^()/]+?)\s*/\s*([\d.]+%?)\s*\)", re.IGNORECASE)
_NAME = re.compile(r"\brebeccapurple\b", re.IGNORECASE)
PAINTED = ("fill", "stroke", "color", "stop-color", "flood-color", "lighting-color")
KEPT_SPACES = {"pre", "pre-wrap", "break-spaces"}


def modernise(root: ET.Element) -> None:
    """Rewrite what would otherwise be drawn black, or not at all."""
    for element in root.iter():
        for name in PAINTED:
            if name in element.attrib:
                element.set(name, _colours(element.attrib[name]))
        if "style" in element.attrib:
            _style(element, declarations(_colours(element.attrib["style"])))


def _style(element: ET.Element, styles: dict[str, str]) -> None:
    if styles.get("white-space") in KEPT_SPACES:
        element.set("xml:space", "preserve")
    if "(" in styles.get("filter", ""):
        element.set("filter", styles.pop("filter"))
    element.set("style", written(styles))


def _colours(text: str) -> str:
    return _SLASH.sub(_commas, _NAME.sub("#663399", text))


def _commas(match: re.Match[str]) -> str:
    """`rgb(10 120 200 / 50%)` with commas."""
    share = match[3]
    alpha = float(share[:-1]) / 100 if share.endswith("%") else float(share)
    return f"{match[1].lower()}a({', '.join(match[2].replace(',', ' ').split())}, {alpha:g})"
