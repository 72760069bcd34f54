"""What elements inherit: transformations, and what their text is set in. Lengths in the picture's units."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from xml.etree import ElementTree as ET

from generator.core.geometry import IDENTITY, Affine, read_transform
from generator.draw.art.model import PX, property_of

MEDIUM = 16.0
_KEYWORDS = dict(
    zip(
        ("xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large"),
        (0.5625, 0.625, 0.8125, 1.0, 1.125, 1.5, 2.0),
        strict=True,
    )
)
_LENGTH = re.compile(r"\s*([-+]?(?:\d++\.?+\d*+|\.\d++)(?:e[-+]?\d+)?)\s*(%|[a-z]*)\s*", re.IGNORECASE)
INHERITED = (
    "font-family",
    "font-weight",
    "font-style",
    "font-stretch",
    "font-variant",
    "letter-spacing",
    "word-spacing",
    "text-anchor",
    "writing-mode",
    "display",
    "stroke-width",
    "stroke-dasharray",
    "stroke-dashoffset",
)


@dataclass(frozen=True)
class Computed:
    """An element with what it inherits; `matrix` leads from its coordinates to the picture's."""

    element: ET.Element
    parent: ET.Element | None
    matrix: Affine = IDENTITY
    size: float = MEDIUM
    values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def value(self, name: str, default: str) -> str:
        """An inherited property."""
        return self.values.get(name, default)

    def length(self, name: str) -> float:
        """A length of the text, such as its letter spacing."""
        return length(self.value(name, "0"), self.size) or 0.0


def walk(root: ET.Element) -> Iterator[Computed]:
    """All elements in their order, each with what it inherits."""
    yield from _walk(Computed(root, None, *_own(root, Computed(root, None))))


def _walk(at: Computed) -> Iterator[Computed]:
    yield at
    for child in at.element:
        yield from _walk(Computed(child, at.element, *_own(child, at)))


def _own(element: ET.Element, parent: Computed) -> tuple[Affine, float, Mapping[str, str]]:
    if "style" not in element.attrib and len(element.attrib) < 2 and element.get("transform") is None:
        return parent.matrix, _size(element.get("font-size"), parent.size), _values(element, parent)
    transform = property_of(element, "transform")
    matrix = parent.matrix @ read_transform(transform) if transform else parent.matrix
    return matrix, _size(property_of(element, "font-size"), parent.size), _values(element, parent)


def _values(element: ET.Element, parent: Computed) -> Mapping[str, str]:
    found = {name: value for name in INHERITED if (value := property_of(element, name)) not in {None, "inherit"}}
    if "font-weight" in found:
        found["font-weight"] = str(weight(found["font-weight"] or "", parent.value("font-weight", "400")))
    plain = {name: str(value) for name, value in found.items()}
    return {**parent.values, **plain} if plain else parent.values


def _size(written: str | None, parent: float) -> float:
    if written is None or written == "inherit":
        return parent
    word = written.strip().lower()
    if word in _KEYWORDS:
        return MEDIUM * _KEYWORDS[word]
    if word in {"smaller", "larger"}:
        return parent / 1.2 if word == "smaller" else parent * 1.2
    value = length(written, parent, parent)
    return parent if value is None else value


def length(text: str, em: float, whole: float = 0.0) -> float | None:
    """A length of CSS in the picture's units; `whole` is what 100 % are. Nothing for words such as `normal`."""
    match = _LENGTH.fullmatch(text)
    if match is None:
        return None
    value, unit = float(match[1]), match[2].lower()
    factors = {**PX, "em": em, "rem": MEDIUM, "ex": em / 2, "ch": em / 2, "%": whole / 100}
    return value * factors[unit] if unit in factors else None


def weight(text: str, inherited: str) -> int:
    """A font's weight as a number; `bolder` and `lighter` go by what is inherited."""
    word = text.strip().lower()
    now = int(inherited) if inherited.isdigit() else 400
    if word == "bolder":
        return 400 if now < 350 else 700 if now < 550 else 900
    if word == "lighter":
        return 100 if now < 550 else 400 if now < 750 else 700
    if word == "bold":
        return 700
    return round(float(word)) if re.fullmatch(r"\d+(\.\d+)?", word) else 400
