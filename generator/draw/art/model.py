"""A picture that was read: its elements, what they inherit, and its thinnest line. Lengths in the picture's units."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from xml.etree import ElementTree as ET

from generator.core.geometry import IDENTITY, Affine, Rect, read_transform
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
class ArtTree:
    """A picture's elements, in its own coordinates; their names and attributes have no namespaces any more."""

    name: str
    root: ET.Element
    view: Rect
    inner: Mapping[str, "ArtTree"] = field(default_factory=dict)
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


DRAWN = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}
FIXED = "non-scaling-stroke"
UNSEEN = {"clipPath", "mask", "linearGradient", "radialGradient", "filter"}


def thinnest_line(root: ET.Element) -> float | None:
    """The least stroke width, with the scale of the groups round it."""
    widths: list[float] = []
    _visit(root, IDENTITY, 1.0, "none", widths)
    return min(widths, default=None)


def _visit(element: ET.Element, matrix: Affine, width: float, stroke: str, found: list[float]) -> None:
    if element.tag in UNSEEN or property_of(element, "display") == "none":
        return
    transform = property_of(element, "transform")
    matrix = matrix @ read_transform(transform) if transform else matrix
    stroke = property_of(element, "stroke") or stroke
    own = length(property_of(element, "stroke-width") or "", 16.0)
    width = width if own is None else own
    if stroke != "none" and element.tag in DRAWN and width > 0:
        found.append(width * matrix.least)
    for child in element:
        _visit(child, matrix, width, stroke, found)


def fix_widths(art: ArtTree) -> None:
    """Give lines of a fixed width that width, as it is at the picture's own size: no engine knows them."""
    if any("vector-effect" in key + value for one in art.root.iter() for key, value in one.attrib.items()):
        for at in walk(art.root):
            if at.matrix.scale > 0 and property_of(at.element, "vector-effect") == FIXED:
                _scale_back(at)


def _scale_back(at: Computed) -> None:
    for name in ("stroke-width", "stroke-dashoffset"):
        value = length(at.value(name, "1" if name == "stroke-width" else ""), 16.0)
        if value is not None:
            styled(at.element, **{name: f"{value / at.matrix.scale:.9g}"})
    dashes = at.value("stroke-dasharray", "none")
    if dashes != "none":
        lengths = [length(part, 16.0) for part in dashes.replace(",", " ").split()]
        plain = " ".join(f"{part / at.matrix.scale:.9g}" for part in lengths if part is not None)
        styled(at.element, stroke_dasharray=plain)
