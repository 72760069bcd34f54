"""Field types of a pack's models: each turns written text into a checked value.

Names of colours, styles, files and links are resolved during validation, so later stages get
values, not names.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    GetPydanticSchema,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic_core.core_schema import is_instance_schema

from generator.base import units
from generator.base.errors import InvalidValueError, find_row, unknown
from generator.base.fonts import WEIGHTS, FontSet
from generator.base.geometry import Point, Rect, Size
from generator.base.outline import Outline
from generator.pack.colours import parse_colour, parse_paint, parse_stroke
from generator.pack.decks import parse_thickness
from generator.pack.folder import Asset, PackFolder
from generator.pack.game import LinkStyle
from generator.pack.icons import Icons
from generator.pack.sizes import read_size
from generator.pack.validation import respelled
from generator.picture.items import Gradient, Stroke
from generator.text.style import Style


@dataclass(frozen=True)
class Names:
    """The tables in which the names of a pack are looked up during validation."""

    folder: PackFolder
    fonts: FontSet
    tables: Mapping[str, Mapping[str, object]]
    styles: Mapping[str, Style]
    links: Mapping[str, LinkStyle]
    icons: Icons
    boxes: Mapping[str, Rect]
    palette: Mapping[str, str] = field(default_factory=dict)

    def of_palette(self, text: str) -> str:
        """Return a colour as written.

        Resolve `$name` in the palette and raise `InvalidValueError` if it is unknown.
        """
        name = text[1:].removeprefix("{").removesuffix("}")
        if not text.startswith("$"):
            return text
        return find_row("colour of the palette", name, self.palette)


INSTANCE = GetPydanticSchema(lambda kind, _: is_instance_schema(kind))
"""Marks our own types, so that pydantic checks only that a value is an instance and does not look inside."""


def names_of(info: ValidationInfo) -> Names:
    """Return the `Names` that this validation was started with."""
    names = info.context
    if not isinstance(names, Names):
        raise TypeError("a pack's model is validated with its Names as context")
    return names


def _single_text(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidValueError(
            "nothing is written here" if value is None else "this is a list or a mapping",
            "a single value",
        )
    return value.strip()


def _reader(read: Callable[[str], Any]) -> BeforeValidator:
    """Return a validator that parses written values with `read` and passes other values unchanged."""
    return BeforeValidator(
        lambda value: (
            read(_single_text(value)) if isinstance(value, str | None | list | dict) else value
        )
    )


def _read_point(value: object, info: ValidationInfo) -> object:
    """Parse two lengths, or an anchor of the trim box such as `center`, `top-left` or `bottom`."""
    if isinstance(value, Point):
        return value
    if isinstance(value, str) and value.strip()[:1].isalpha():
        return _anchor(value.strip(), names_of(info).boxes["trim"])
    return Point(*_lengths(value, 2))


def _anchor(name: str, trim: Rect) -> Point:
    places = {
        "left": (0.0, 0.5),
        "right": (1.0, 0.5),
        "top": (0.5, 0.0),
        "bottom": (0.5, 1.0),
        "center": (0.5, 0.5),
    }
    for y, fy in (("top", 0.0), ("bottom", 1.0)):
        for x, fx in (("left", 0.0), ("right", 1.0)):
            places[f"{y}-{x}"] = (fx, fy)
    name = respelled(name, places)
    if name not in places:
        raise unknown("anchor", name, places)
    return Point(trim.x + trim.w * places[name][0], trim.y + trim.h * places[name][1])


def _lengths(value: object, *counts: int) -> tuple[float, ...]:
    parts = value if isinstance(value, list) else _single_text(value).replace(",", " ").split()
    if len(parts) not in counts:
        raise InvalidValueError(
            f"{len(parts)} numbers",
            f"{' or '.join(map(str, counts))} lengths, such as [{', '.join('5' * counts[0])}]",
        )
    return tuple(units.length(_single_text(part)) for part in parts)


def parse_weight(text: str) -> int:
    """Parse a font's weight: a name, or a number from 1 to 1000."""
    if text in WEIGHTS:
        return WEIGHTS[text]
    if text.isdecimal() and 1 <= int(text) <= 1000:
        return int(text)
    raise unknown("weight", text, WEIGHTS)


VARIANT = re.compile(r"[^\W_][\w .+-]*")
"""A variant's name; it becomes part of file names."""


def parse_boolean(text: str) -> bool:
    """Parse `true` or `false`; YAML 1.2 knows no other spelling."""
    if text in {"true", "false"}:
        return text == "true"
    raise InvalidValueError(f"{text!r} is neither true nor false", "true or false")


def parse_count(text: str) -> int:
    """Parse a whole number from 0 to 999999."""
    if not re.fullmatch(r"\d{1,6}(?:\.0+)?", text):
        if text.isdecimal():
            raise InvalidValueError(f"{text!r} is too many", "at most 999999")
        raise InvalidValueError(f"{text!r} is not a whole number", "0, 1, 2, …")
    return int(float(text))


def parse_real(text: str) -> float:
    """Parse a finite number."""
    try:
        value = float(text)
    except ValueError:
        raise InvalidValueError(f"{text!r} is not a number", "a number such as 1.5") from None
    if not math.isfinite(value):
        raise InvalidValueError(f"{text!r} is not a number", "a number such as 1.5")
    return value


def _positive(value: float) -> float:
    if value <= 0:
        raise InvalidValueError(f"{units.number(value)} is too small", "more than 0")
    return value


def not_negative(value: float) -> float:
    """Return a length in mm unchanged; raise `InvalidValueError` if it is below 0."""
    if value < 0:
        raise InvalidValueError(f"{units.number(value)} mm is negative", "0 mm or more")
    return value


def _read_share(text: str) -> float:
    value = parse_real(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    if not 0 <= value <= 1:
        raise InvalidValueError(f"{text} is not a share", "0 to 1, such as 0.4, or 40%")
    return value


def _read_text_size(text: str) -> float:
    mm = units.length(text)
    if mm and re.fullmatch(r"[\d.+-]+", text):
        raise InvalidValueError(f"{text} of what?", f"a size with its unit: {text}pt, or {text}mm")
    return mm


def boxes(size: Size, bleed: float, safe: float) -> dict[str, Rect]:
    """Return the boxes that every face has, by name, in mm from the trim's top left corner."""
    trim = Rect(0, 0, *size)
    return {"trim": trim, "safe": trim.grown(-safe), "bleed": trim.grown(bleed)}


def parse_rect(value: object) -> Rect:
    """Parse `[x, y, width, height]`, each a length."""
    x, y, w, h = _lengths(value, 4)
    if w <= 0 or h <= 0:
        size = f"a box of {units.number(w)} × {units.number(h)} mm"
        raise InvalidValueError(size, "x, y, width and height, the last two above 0")
    return Rect(x, y, w, h)


def _read_box(value: object, info: ValidationInfo) -> object:
    if isinstance(value, Rect):
        return value
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z][\w-]*", value.strip()):
        boxes = names_of(info).boxes
        return find_row("box", value.strip(), boxes)
    return parse_rect(value)


def _looked_up(
    table: Callable[[Names], Mapping[str, Any]], what: str, *, any_case: bool = False
) -> BeforeValidator:
    def look_up(value: object, info: ValidationInfo) -> object:
        if not isinstance(value, str | None | list | dict):
            return value
        rows = table(names_of(info))
        name = _single_text(value)
        name = name.lower() if any_case and name.lower() in rows else name
        return find_row(what, name, rows)

    return BeforeValidator(look_up)


def choice(what: str, *, any_case: bool = False) -> BeforeValidator:
    """Return a validator that replaces a name by its row in a table that another stage supplies.

    With `any_case`, capital letters in the name do not matter: papers are usually written `A4` and
    `Letter`.
    """
    return _looked_up(lambda names: names.tables[what], what, any_case=any_case)


def _read_outline(value: object, info: ValidationInfo) -> object:
    return value if isinstance(value, Outline) else read_size(value, names_of(info).folder)


def _find_asset(value: object, info: ValidationInfo) -> object:
    folder = names_of(info).folder
    return value if isinstance(value, Asset) else folder.picture(_single_text(value), folder.asset)


def _find_icon(value: object, info: ValidationInfo) -> object:
    names = names_of(info)
    return (
        value
        if isinstance(value, Asset)
        else names.folder.picture(_single_text(value), names.icons.find)
    )


def _read_colour(value: object, info: ValidationInfo) -> object:
    return parse_colour(names_of(info).of_palette(_single_text(value)))


def _read_paint(value: object, info: ValidationInfo) -> object:
    return (
        value
        if isinstance(value, Gradient)
        else parse_paint(_single_text(value), names_of(info).of_palette)
    )


def _read_line(value: object, info: ValidationInfo) -> object:
    if isinstance(value, Stroke):
        return value
    width, blank, name = _single_text(value).partition(" ")
    return parse_stroke(f"{width}{blank}{names_of(info).of_palette(name.strip())}")


_NUMBER_OR_TEXT_SCHEMA = WithJsonSchema({"type": ["string", "number"]})
_TEXT_SCHEMA = WithJsonSchema({"type": "string"})


def _lengths_schema(count: int) -> WithJsonSchema:
    items = {"type": ["string", "number"]}
    return WithJsonSchema(
        {"type": ["array", "string"], "items": items, "minItems": count, "maxItems": count}
    )


Text = Annotated[
    str,
    BeforeValidator(lambda value: value if isinstance(value, str) else _single_text(value)),
    _NUMBER_OR_TEXT_SCHEMA,
]
Length = Annotated[float, _reader(units.length), _NUMBER_OR_TEXT_SCHEMA]
TextSize = Annotated[
    float, _reader(_read_text_size), AfterValidator(_positive), _NUMBER_OR_TEXT_SCHEMA
]
"""A font size: a length above 0 with its unit, since points and mm are both usual."""
Real = Annotated[float, _reader(parse_real), _NUMBER_OR_TEXT_SCHEMA]
Above = Annotated[Length, AfterValidator(_positive)]
"""A length above 0."""
Thickness = Annotated[
    float, _reader(parse_thickness), AfterValidator(_positive), _NUMBER_OR_TEXT_SCHEMA
]
"""The thickness of paper in mm: a length above 0, or a weight per square metre (`250g`)."""
NotNegative = Annotated[Length, AfterValidator(not_negative)]
Factor = Annotated[Real, AfterValidator(_positive)]
"""A number above 0."""
Share = Annotated[float, _reader(_read_share), _NUMBER_OR_TEXT_SCHEMA]
"""A part of a whole, from 0 to 1."""
Count = Annotated[int, _reader(parse_count), _NUMBER_OR_TEXT_SCHEMA]
Bool = Annotated[bool, _reader(parse_boolean), WithJsonSchema({"type": ["boolean", "string"]})]
Colour = Annotated[str, BeforeValidator(_read_colour), _TEXT_SCHEMA]
Paint = Annotated[str | Annotated[Gradient, INSTANCE], BeforeValidator(_read_paint), _TEXT_SCHEMA]
"""A colour or a gradient."""
Line = Annotated[Annotated[Stroke, INSTANCE] | None, BeforeValidator(_read_line), _TEXT_SCHEMA]
Weight = Annotated[int, _reader(parse_weight), _NUMBER_OR_TEXT_SCHEMA]
OutlineField = Annotated[
    Outline,
    INSTANCE,
    BeforeValidator(_read_outline),
    WithJsonSchema({"type": ["string", "number", "object"]}),
]
Box = Annotated[Rect, INSTANCE, BeforeValidator(_read_box), _lengths_schema(4)]
Place = Annotated[Point, INSTANCE, BeforeValidator(_read_point), _lengths_schema(2)]
AssetField = Annotated[Asset, INSTANCE, BeforeValidator(_find_asset), _TEXT_SCHEMA]
IconField = Annotated[Asset, INSTANCE, BeforeValidator(_find_icon), _TEXT_SCHEMA]
StyleField = Annotated[
    Style, INSTANCE, _looked_up(lambda names: names.styles, "style"), _TEXT_SCHEMA
]


def _register_substitutes(value: dict[str, str], info: ValidationInfo) -> dict[str, str]:
    """Register font families as substitutes for missing ones.

    Raise `InvalidValueError` for unknown families.
    """
    names_of(info).fonts.with_substitutes(value)
    return value


OtherFonts = Annotated[dict[str, Text], AfterValidator(_register_substitutes)]
"""Font families missing from the pack and the program, with their substitutes."""


def _with_tags(value: object) -> object:
    """Return each value of a mapping with its tag, since the check of a value needs both."""
    if not isinstance(value, dict):
        raise InvalidValueError("this is not a mapping", "such as {wdth: 80, GRAD: 50}")
    return {tag: (tag, written) for tag, written in value.items()}


def _read_axis(pair: tuple[str, object], info: ValidationInfo) -> float:
    """Return the value on an axis; raise `InvalidValueError` if the font of the text has no such value."""
    tag, written = pair
    value = parse_real(_single_text(written))
    fonts = names_of(info).fonts
    style = info.data.get("style")
    family = info.data.get("font") or (style.font if style else "")
    if isinstance(family, str) and family in fonts.families:
        fonts.check_axis(family, tag, value)
    return value


_AxisValue = Annotated[float, BeforeValidator(_read_axis), _NUMBER_OR_TEXT_SCHEMA]
Axes = Annotated[dict[str, _AxisValue], BeforeValidator(_with_tags)]
"""Values on axes of a variable font, checked against the font that the model's `style` or `font` names.

The loader checks those of `styles:`, because there the font may be that of the pack.
"""
