"""A parsed picture: its elements and their inherited properties, in the picture's units."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from xml.etree import ElementTree as ET

from generator.base.geometry import IDENTITY, Affine, Fit, Rect, Size, read_transform
from generator.base.svg_table import SVG, key_of, tag_of
from generator.base.units import MM_PER_INCH, UNITS

HREF = "xlink:href"
LABEL = "data-label"
"""The attribute that holds the name that Inkscape shows for an object."""

CSS_DPI = 96
STROKED_ELEMENTS = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}
TEXT_ELEMENTS = {"text", "tspan", "textPath"}
PAINT_SERVERS_AND_MASKS = {"clipPath", "mask", "linearGradient", "radialGradient", "filter"}
"""Elements whose content is nowhere drawn itself: it colours, cuts or changes other elements."""
DEFINITIONS = {"defs", "symbol", "pattern", "marker", *PAINT_SERVERS_AND_MASKS}
"""Elements whose content is not drawn where it stands."""

PIXELS_PER_UNIT = {
    **{unit: mm * CSS_DPI / MM_PER_INCH for unit, mm in UNITS.items()},
    "px": 1.0,
    "": 1.0,
    "pc": 16.0,
}
"""The units of CSS in pixels; one pixel is one unit of the picture."""

# Possessive, so that a hostile value of a million blanks is read once.
_URL = re.compile(r"url\(\s*+['\"]?+\s*+#([^()'\"\s]++)\s*+['\"]?+\s*+\)")
"""A reference in a property, such as `url(#shade)`."""
_DECLARATION = re.compile(
    r"\s*([-\w]+)\s*:\s*((?:[^;\"'(]|\"[^\"]*\"|'[^']*'|\((?:[^()]|\([^()]*\))*\))*)"
)


@dataclass(frozen=True)
class ArtTree:
    """A picture's elements in its own coordinates; names and attributes have no namespaces."""

    name: str
    root: ET.Element
    view: Rect
    inner: Mapping[str, "ArtTree"] = field(default_factory=dict)
    """The SVG pictures that images show, by their addresses."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The names of the files that images link to, by the images' addresses."""
    has_press_colours: bool = False

    @cached_property
    def ids(self) -> Mapping[str, ET.Element]:
        """The elements by id."""
        return by_id(self.root)

    @property
    def ratio(self) -> float:
        """Return the width as a multiple of the height."""
        return self.view.w / self.view.h


def parse_finished(svg: str, view: Rect) -> ArtTree:
    """Return the tree of a finished picture that shows `view`, with names as readers of art have them."""
    root = ET.fromstring(svg)
    for element in root.iter():
        element.tag = tag_of(element)
        for key in [key for key in element.attrib if key_of(key) == "href"]:
            element.attrib[HREF] = element.attrib.pop(key)
    return ArtTree("", root, view)


def write_finished(art: ArtTree) -> str:
    """Return a tree of `parse_finished` as a complete SVG again."""
    for element in art.root.iter():
        if HREF in element.attrib:
            element.set("href", element.attrib.pop(HREF))
    art.root.set("xmlns", SVG)
    return ET.tostring(art.root, encoding="unicode")


def declarations(css: str) -> dict[str, str]:
    """Parse a `style` attribute into properties."""
    return {match[1].lower(): match[2].strip() for match in _DECLARATION.finditer(css)}


def format_style(properties: dict[str, str]) -> str:
    """Return properties as a `style` attribute."""
    return ";".join(f"{name}:{value}" for name, value in properties.items())


def set_style(element: ET.Element, **changes: str) -> None:
    """Set properties in an element's style; `stroke_width` stands for `stroke-width`."""
    plain = {name.replace("_", "-"): value for name, value in changes.items()}
    element.set("style", format_style({**declarations(element.get("style", "")), **plain}))


def property_of(element: ET.Element, name: str) -> str | None:
    """Return a property of the element itself, from its style or else from its attribute."""
    if "style" in element.attrib:
        styles = declarations(element.attrib["style"])
        if name in styles:
            return styles[name]
    return element.get(name)


def url_targets(value: str | None) -> list[str]:
    """Return the ids that a property such as `url(#shade)` names; none for other values."""
    return _URL.findall(value or "")


def href_target(element: ET.Element) -> str:
    """Return the id that an element's link names, such as that of a `<use>`; empty for other links."""
    address = element.get(HREF, "").strip()
    return address[1:] if address.startswith("#") else ""


def references(element: ET.Element) -> Iterator[str]:
    """Yield the ids of all elements that an element refers to."""
    if target := href_target(element):
        yield target
    for value in element.attrib.values():
        if "url(" in value:
            yield from _URL.findall(value)


def by_id(root: ET.Element) -> dict[str, ET.Element]:
    """Return the elements by id; of equal ids the first element counts."""
    elements: dict[str, ET.Element] = {}
    for element in root.iter():
        elements.setdefault(element.get("id", ""), element)
    elements.pop("", None)
    return elements


MEDIUM_FONT_SIZE = 16.0
"""The size of text without a `font-size`, in pixels, as in browsers."""
_SIZE_KEYWORDS = dict(
    zip(
        ("xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large"),
        (0.5625, 0.625, 0.8125, 1.0, 1.125, 1.5, 2.0),
        strict=True,
    )
)
_LENGTH = re.compile(
    r"\s*([-+]?(?:\d++\.?+\d*+|\.\d++)(?:e[-+]?\d+)?)\s*(%|[a-z]*)\s*", re.IGNORECASE
)
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


NO_PAINT = {"none", "transparent"}


@dataclass(frozen=True)
class InheritedPaint:
    """The inherited properties that decide whether an element is visible, where, and in which colours.

    A fill or stroke that a `<use>` around the element gives is changed on its host, this `<use>`.
    """

    fill: str = "black"
    stroke: str = "none"
    line_width: float = 1.0
    visibility: str = "visible"
    colour: str = "black"
    fill_opacity: float = 1.0
    stroke_opacity: float = 1.0
    fill_host: ET.Element | None = None
    stroke_host: ET.Element | None = None

    def of(self, element: ET.Element) -> "InheritedPaint":
        """Return the properties of an element that inherits these."""
        own_values: Mapping[str, str] = element.attrib
        if "style" in own_values:
            own_values = {**own_values, **declarations(own_values["style"])}

        def value(name: str, inherited: str) -> str:
            own_value = own_values.get(name, "inherit").strip()
            return inherited if own_value == "inherit" else own_value

        def share(name: str, inherited: float) -> float:
            own_share = length(own_values.get(name, ""), MEDIUM_FONT_SIZE, 1.0)
            return inherited if own_share is None else own_share

        width = length(own_values.get("stroke-width", ""), MEDIUM_FONT_SIZE)
        colour = value("color", "currentColor")
        return InheritedPaint(
            value("fill", self.fill),
            value("stroke", self.stroke),
            self.line_width if width is None else width,
            value("visibility", self.visibility),
            self.colour if colour == "currentColor" else colour,
            share("fill-opacity", self.fill_opacity),
            share("stroke-opacity", self.stroke_opacity),
            self.fill_host if value("fill", "") == "" else None,
            self.stroke_host if value("stroke", "") == "" else None,
        )

    def hosted_by(self, use: ET.Element) -> "InheritedPaint":
        """Return the properties for the elements that a `<use>` repeats.

        A paint that they inherit belongs to this `<use>`: another may give them another one.
        """
        return replace(self, fill_host=self.fill_host or use, stroke_host=self.stroke_host or use)

    @property
    def stroke_width(self) -> float:
        """The width of the stroke; 0 without one."""
        return 0.0 if self.stroke in NO_PAINT else self.line_width


DEFAULT_PAINT = InheritedPaint()


@dataclass(frozen=True)
class Computed:
    """An element with its inherited properties; `matrix` maps its coordinates to the picture's."""

    element: ET.Element
    matrix: Affine = IDENTITY
    size: float = MEDIUM_FONT_SIZE
    values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def value(self, name: str, default: str) -> str:
        """Return an inherited property."""
        return self.values.get(name, default)

    def length(self, name: str) -> float:
        """Return a length that is inherited, such as letter spacing."""
        return length(self.value(name, "0"), self.size) or 0.0


def walk(root: ET.Element) -> Iterator[Computed]:
    """Yield all elements in document order with their inherited properties."""
    yield from _walk(Computed(root, *_own_properties(root, Computed(root))))


def _walk(at: Computed) -> Iterator[Computed]:
    yield at
    for child in at.element:
        yield from _walk(Computed(child, *_own_properties(child, at)))


def _own_properties(
    element: ET.Element, parent: Computed
) -> tuple[Affine, float, Mapping[str, str]]:
    transform = property_of(element, "transform")
    matrix = parent.matrix @ read_transform(transform) if transform else parent.matrix
    return (
        matrix,
        _font_size(property_of(element, "font-size"), parent.size),
        _inherited_values(element, parent),
    )


def _inherited_values(element: ET.Element, parent: Computed) -> Mapping[str, str]:
    attributes = element.attrib
    if "style" in attributes:
        attributes = {**attributes, **declarations(attributes["style"])}
    values = {
        name: attributes[name]
        for name in INHERITED
        if name in attributes and attributes[name] != "inherit"
    }
    if "font-weight" in values:
        values["font-weight"] = str(
            weight(values["font-weight"], parent.value("font-weight", "400"))
        )
    return {**parent.values, **values} if values else parent.values


def _font_size(text: str | None, parent: float) -> float:
    if text is None or text == "inherit":
        return parent
    word = text.strip().lower()
    if word in _SIZE_KEYWORDS:
        return MEDIUM_FONT_SIZE * _SIZE_KEYWORDS[word]
    if word in {"smaller", "larger"}:
        return parent / 1.2 if word == "smaller" else parent * 1.2
    value = length(text, parent, parent)
    return parent if value is None else value


def length(text: str, em: float, full_length: float = 0.0) -> float | None:
    """Convert a CSS length to the picture's units; None for words such as `normal`.

    `em` is the font size, `full_length` the length that 100 % stands for.
    """
    match = _LENGTH.fullmatch(text)
    if match is None:
        return None
    value = float(match[1])
    unit = match[2].lower()
    if unit in PIXELS_PER_UNIT:
        return value * PIXELS_PER_UNIT[unit]
    factors = {
        "em": em,
        "rem": MEDIUM_FONT_SIZE,
        "ex": em / 2,
        "ch": em / 2,
        "%": full_length / 100,
    }
    return value * factors[unit] if unit in factors else None


def first_length(element: ET.Element, name: str, em: float) -> float | None:
    """Return the first length of an attribute that may be a list, such as the `x` of a text; None without one."""
    lengths = element.get(name, "").replace(",", " ").split()
    return length(lengths[0], em) if lengths else None


VERTICAL_ATTRIBUTES = {"y", "height", "cy", "ry", "y1", "y2"}


def length_of(element: ET.Element, name: str, viewport: Size, default: str = "") -> float | None:
    """Return a length of an element; a percentage is one of the width or height of `viewport`."""
    side = viewport.h if name in VERTICAL_ATTRIBUTES else viewport.w
    return length(property_of(element, name) or default, MEDIUM_FONT_SIZE, side)


_NUMBER = re.compile(r"[-+]?(?:\d++\.?+\d*+|\.\d++)(?:e[-+]?\d+)?", re.IGNORECASE)


def view_box(element: ET.Element) -> Rect | None:
    """Return the `viewBox` of an element; None without one, or for one that has no area."""
    numbers = [float(part) for part in _NUMBER.findall(element.get("viewBox", ""))]
    return Rect(*numbers) if len(numbers) == 4 and min(numbers[2:]) > 0 else None


def read_fit(element: ET.Element) -> Fit:
    """Return how an element fits its content into its box, from `preserveAspectRatio`."""
    ratio = element.get("preserveAspectRatio", "")
    if ratio.startswith("none"):
        return "stretch"
    return "cover" if ratio.endswith("slice") else "contain"


def weight(text: str, inherited: str) -> int:
    """Convert a font weight to a number.

    `bolder` and `lighter` are relative to the inherited weight (CSS Fonts 4).
    """
    word = text.strip().lower()
    now = _numeric_weight(inherited)
    if word == "bolder":
        return 400 if now < 350 else 700 if now < 550 else 900
    if word == "lighter":
        return 100 if now < 550 else 400 if now < 750 else 700
    if word == "bold":
        return 700
    return _numeric_weight(word)


def _numeric_weight(word: str) -> int:
    """Return a weight from 1 to 1000 as a number; 400 for anything else, which CSS ignores."""
    if re.fullmatch(r"[0-9]{1,4}(\.[0-9]+)?", word) is None:
        return 400
    number = round(float(word))
    return number if 1 <= number <= 1000 else 400


NON_SCALING_STROKE = "non-scaling-stroke"


def fix_widths(art: ArtTree) -> None:
    """Replace `vector-effect: non-scaling-stroke`, which no engine supports, by plain widths."""
    if any(
        "vector-effect" in key + value
        for element in art.root.iter()
        for key, value in element.attrib.items()
    ):
        for at in walk(art.root):
            if (
                at.matrix.scale > 0
                and property_of(at.element, "vector-effect") == NON_SCALING_STROKE
            ):
                _scale_back(at)


def _scale_back(at: Computed) -> None:
    for name in ("stroke-width", "stroke-dashoffset"):
        value = length(at.value(name, "1" if name == "stroke-width" else ""), MEDIUM_FONT_SIZE)
        if value is not None:
            set_style(at.element, **{name: f"{value / at.matrix.scale:.9g}"})
    dashes = at.value("stroke-dasharray", "none")
    if dashes != "none":
        lengths = [length(part, MEDIUM_FONT_SIZE) for part in dashes.replace(",", " ").split()]
        plain = " ".join(f"{part / at.matrix.scale:.9g}" for part in lengths if part is not None)
        set_style(at.element, stroke_dasharray=plain)
