"""A picture that was read, and the few words for its elements."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from generator.core.geometry import Rect
from generator.core.units import MM_PER_INCH, UNITS

HREF = "xlink:href"
LABEL = "data-label"
"""Where the name that Inkscape shows for an object is kept."""

CSS_DPI = 96
PX = {**{unit: mm * CSS_DPI / MM_PER_INCH for unit, mm in UNITS.items()}, "px": 1.0, "": 1.0, "pc": 16.0}
"""The lengths of CSS in its pixels; one pixel is one unit of the picture."""

_URL = re.compile(r"url\(\s*['\"]?([^)'\"]*)['\"]?\s*\)")
_DECLARATION = re.compile(r"\s*([-\w]+)\s*:\s*((?:[^;\"'(]|\"[^\"]*\"|'[^']*'|\((?:[^()]|\([^()]*\))*\))*)")


@dataclass(frozen=True)
class Art:
    """A picture's elements, in its own coordinates; their names and attributes have no namespaces any more."""

    name: str
    root: ET.Element
    view: Rect
    inner: Mapping[str, "Art"] = field(default_factory=dict)
    """The pictures that its images show, by their addresses."""

    @property
    def ratio(self) -> float:
        """The width as a multiple of the height."""
        return self.view.w / self.view.h


def declarations(css: str) -> dict[str, str]:
    """The properties of a `style` attribute."""
    return {match[1].lower(): match[2].strip() for match in _DECLARATION.finditer(css)}


def written(properties: dict[str, str]) -> str:
    """Properties as a `style` attribute has them."""
    return ";".join(f"{name}:{value}" for name, value in properties.items())


def styled(element: ET.Element, **changes: str) -> None:
    """Give an element some properties; `stroke_width` is written for `stroke-width`."""
    plain = {name.replace("_", "-"): value for name, value in changes.items()}
    element.set("style", written({**declarations(element.get("style", "")), **plain}))


def property_of(element: ET.Element, name: str) -> str | None:
    """A property as the element itself has it, by its style or else by its attribute."""
    if "style" in element.attrib:
        styles = declarations(element.attrib["style"])
        if name in styles:
            return styles[name]
    return element.get(name)


def references(element: ET.Element) -> Iterator[str]:
    """All that an element points to."""
    for key, value in element.attrib.items():
        if key == HREF:
            yield value.strip()
        elif "url(" in value:
            yield from _URL.findall(value)


def by_id(root: ET.Element) -> dict[str, ET.Element]:
    """The elements that have an id; the first, where two have the same."""
    found: dict[str, ET.Element] = {}
    for element in root.iter():
        found.setdefault(element.get("id", ""), element)
    found.pop("", None)
    return found
