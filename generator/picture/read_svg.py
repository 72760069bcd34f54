"""Read a picture back from the SVG that `picture/svg.py` wrote, for releases of earlier versions of a game.

Only what the writer writes is understood; anything else is reported. Numbers come back rounded as they were written.
"""

import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path as FilePath
from typing import Any
from xml.etree import ElementTree as ET

from generator.base.errors import InvalidValueError
from generator.base.fonts import FontFile
from generator.base.geometry import IDENTITY, Fit, Point, Rect, read_transform
from generator.base.svg_table import PICTURE_KEY, SVG_KIND, key_of, tag_of
from generator.picture.images import Pixels
from generator.picture.items import (
    Art,
    Box,
    Circle,
    Geometry,
    Gradient,
    Group,
    Item,
    Paint,
    Path,
    PlacedArt,
    PlacedImage,
    Polygon,
    Position,
    Shape,
    Stroke,
    TextRun,
)
from generator.picture.svg import ALIGNS, FITS

ArtReader = Callable[[str, Rect], Art]
"""Makes art of a complete SVG and the part of it to show."""

ImageReader = Callable[[str], Pixels]
"""Makes an image of its data address or key."""

_STROKE = {
    "stroke",
    "stroke-width",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-dasharray",
    "stroke-dashoffset",
}
_BOX = {"x", "y", "width", "height"}
_FONT = {
    "font-family",
    "font-size",
    "font-weight",
    "font-style",
    "font-variant",
    "text-decoration",
    "letter-spacing",
}

# Each element that stands for an item, with all attributes that the writer gives it. Anything else
# would be dropped without a word, so it is an error.
_ATTRIBUTES = {
    "g": {"transform", "clip-path", "opacity"},
    "text": {"x", "y", "fill", "xml:space"} | _FONT | _STROKE,
    "use": {"href"} | _BOX,
    "image": {"href", "preserveAspectRatio"} | _BOX,
    "rect": {"rx", "ry", "fill"} | _BOX | _STROKE,
    "circle": {"cx", "cy", "r", "fill"} | _STROKE,
    "polygon": {"points", "fill"} | _STROKE,
    "path": {"d", "fill"} | _STROKE,
}

_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_FIT_OF = {ratio: fit for fit, ratio in FITS.items()}
_POSITION_OF = {align: position for position, align in ALIGNS.items()}
_NAME = re.compile(r"'([^']*)'")
NO_FILE = FilePath()


def read_items(
    root: ET.Element, read_art: ArtReader, read_image: ImageReader, label: str
) -> tuple[Item, ...]:
    """Return the items of a picture that was written as SVG.

    Raises:
        InvalidValueError: if the SVG holds anything that the writer does not write; `label` names the picture.

    """
    try:
        reader = _Reader(read_art, read_image)
        for child in root:
            if tag_of(child) == "defs":
                reader.definitions |= {element.get("id", ""): element for element in child}
        _check_no_words(root)
        return tuple(reader.item(child) for child in root if tag_of(child) != "defs")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidValueError(
            f"{label} is not a picture that pnp drew ({error})", "a file made by `pnp release`"
        ) from error


@dataclass
class _Reader:
    """Reads elements; `definitions` are those that others refer to, by id."""

    read_art: ArtReader
    read_image: ImageReader
    definitions: dict[str, ET.Element] = field(default_factory=dict)

    def item(self, element: ET.Element) -> Item:
        """Return the item that an element stands for.

        Raise `ValueError` for one that the writer does not write.
        """
        values = {key_of(key): value for key, value in element.attrib.items()}
        tag = tag_of(element)
        if tag not in _ATTRIBUTES:
            raise ValueError(f"<{tag or 'a foreign element'}>")
        unknown = sorted(set(values) - _ATTRIBUTES[tag])
        if unknown:
            raise ValueError(f"{unknown[0]} of a <{tag}>")
        if len(element) and tag != "g":
            raise ValueError(f"an element in a <{tag}>")
        if tag != "text":
            _check_no_words(element)
        match tag:
            case "g":
                return self._group(element, values)
            case "text":
                return _text_run(element.text or "", values)
            case "use":
                return self._placed_art(values)
            case "image":
                return self._placed_image(values)
        return Shape(
            _geometry(tag, values), self._paint(values.get("fill", "#000000")), _stroke(values)
        )

    def _group(self, element: ET.Element, values: Mapping[str, str]) -> Group:
        clip = ""
        if "clip-path" in values:
            path = _only_child(self.definitions[_referred(values["clip-path"])])
            clip = path.attrib["d"]
        at = read_transform(values["transform"]) if "transform" in values else IDENTITY
        items = tuple(self.item(child) for child in element)
        return Group(items, at, clip, _number(values.get("opacity", 1)))

    def _placed_art(self, values: Mapping[str, str]) -> PlacedArt:
        symbol = self.definitions[values["href"].removeprefix("#")]
        image = {key_of(key): value for key, value in _only_child(symbol).attrib.items()}
        if not image["href"].startswith(SVG_KIND):
            raise ValueError("a symbol that shows no SVG")
        svg = b64decode(image["href"].removeprefix(SVG_KIND)).decode(errors="replace")
        view = Rect(*map(_number, symbol.attrib["viewBox"].split()))
        fit: Any = _FIT_OF[symbol.attrib["preserveAspectRatio"]]
        return PlacedArt(self.read_art(svg, view), _box(values), fit)

    def _placed_image(self, values: Mapping[str, str]) -> PlacedImage:
        address = values["href"]
        if not (
            address.startswith(("data:image/png;", "data:image/jpeg;"))
            or PICTURE_KEY.fullmatch(address)
        ):
            raise ValueError(f"an image of {address[:40]!r}")
        return PlacedImage(
            self.read_image(address), _box(values), *_fit(values["preserveAspectRatio"])
        )

    def _paint(self, fill: str) -> Paint:
        if not fill.startswith("url("):
            return fill
        element = self.definitions[_referred(fill)]
        stops = tuple(
            (_number(stop.attrib["offset"]), stop.attrib["stop-color"]) for stop in element
        )
        if tag_of(element) == "radialGradient":
            return Gradient(stops, 0.0, 0.0)
        ends = {side: _number(element.attrib[side]) for side in ("x1", "y1", "x2", "y2")}
        return Gradient(stops, ends["x2"] - ends["x1"], ends["y2"] - ends["y1"])


def _check_no_words(element: ET.Element) -> None:
    """Raise `ValueError` if words stand in an element that is no text."""
    if any((text or "").strip() for text in (element.text, *(child.tail for child in element))):
        raise ValueError(f"text in a <{tag_of(element)}>")


def _only_child(element: ET.Element) -> ET.Element:
    """Return the child of an element; raise `ValueError` unless it has exactly one."""
    (child,) = element
    return child


def _geometry(tag: str, values: Mapping[str, str]) -> Geometry:
    match tag:
        case "rect":
            return Box(_box(values), _number(values.get("rx", 0)))
        case "circle":
            return Circle(Point(_number(values["cx"]), _number(values["cy"])), _number(values["r"]))
        case "polygon":
            corners = (corner.split(",") for corner in values["points"].split())
            return Polygon(tuple(Point(_number(x), _number(y)) for x, y in corners))
        case "path":
            return Path(values["d"])
    raise ValueError(f"<{tag or 'a foreign element'}>")


def _text_run(text: str, values: Mapping[str, str]) -> TextRun:
    family, *others = _NAME.findall(values["font-family"])
    italic = values.get("font-style") == "italic"
    # The file is not known here: whoever renders the face brings a set of fonts, in which it is
    # found by its name.
    name_of_copy = others[0] if len(others) > 1 else ""
    weight = int(values["font-weight"])
    font = FontFile(family, weight, italic, NO_FILE, name_of_copy=name_of_copy)
    return TextRun(
        text,
        font,
        size=_number(values["font-size"]),
        x=_number(values["x"]),
        y=_number(values["y"]),
        colour=values["fill"],
        spacing=_number(values.get("letter-spacing", 0)),
        width=0.0,
        small_caps=values.get("font-variant") == "small-caps",
        underline=values.get("text-decoration") == "underline",
        stroke=_stroke(values),
    )


def _stroke(values: Mapping[str, str]) -> Stroke | None:
    if values.get("stroke", "none") == "none":
        return None
    cap: Any = values.get("stroke-linecap", "butt")
    join: Any = values.get("stroke-linejoin", "miter")
    dash = tuple(map(_number, values.get("stroke-dasharray", "").split()))
    width = _number(values.get("stroke-width", 1))
    return Stroke(
        width, values["stroke"], cap, join, dash, _number(values.get("stroke-dashoffset", 0))
    )


def _box(values: Mapping[str, str]) -> Rect:
    return Rect(*(_number(values[side]) for side in ("x", "y", "width", "height")))


def _fit(ratio: str) -> tuple[Fit, Position]:
    if ratio == FITS["stretch"]:
        return "stretch", "center"
    align, _, kind = ratio.partition(" ")
    position: Any = _POSITION_OF[align]
    return "contain" if kind == "meet" else "cover", position


def _referred(value: str) -> str:
    match = _REFERENCE.fullmatch(value)
    if match is None:
        raise ValueError(f"a reference {value[:40]!r}")
    return match[1]


def _number(text: str | float) -> float:
    """Return a finite number."""
    value = float(text)
    if not isfinite(value):
        raise ValueError(f"the number {text}")
    return value
