"""The types of a pack's fields: each turns the text that was written into a checked value.

Names (of colours, styles, files, links) are looked up while the field is read,
so that a stage that gets a layer has values in its hands, not names.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, GetPydanticSchema, ValidationInfo, WithJsonSchema
from pydantic_core.core_schema import is_instance_schema

from generator.core import units
from generator.core.fonts import WEIGHTS, FontSet
from generator.core.geometry import Point, Rect, Size
from generator.core.outline import Outline
from generator.core.problems import Wrong, unknown
from generator.pack.colours import colour, paint, stroke
from generator.pack.decks import thickness
from generator.pack.folder import PackFolder
from generator.pack.game import Asset, LinkStyle
from generator.pack.icons import Icons
from generator.pack.sizes import read_size
from generator.pack.style import Style
from generator.picture.items import Gradient, Stroke


@dataclass(frozen=True)
class Names:
    """What a pack's names stand for while its fields are read."""

    folder: PackFolder
    fonts: FontSet
    tables: Mapping[str, Mapping[str, object]]
    styles: Mapping[str, Style]
    links: Mapping[str, LinkStyle]
    icons: Icons
    boxes: Mapping[str, Rect]
    palette: Mapping[str, str] = field(default_factory=dict)

    def of_palette(self, text: str) -> str:
        """A colour as it is written, or, where a cell of a table names one with `$`, that of the palette."""
        name = text[1:].removeprefix("{").removesuffix("}")
        if not text.startswith("$"):
            return text
        if name not in self.palette:
            raise unknown("colour of the palette", name, self.palette)
        return self.palette[name]


WHOLE = GetPydanticSchema(lambda kind, _: is_instance_schema(kind))
"""Marks a type of ours whose values are made in one piece: what is in one is not looked through again."""


def names_of(info: ValidationInfo) -> Names:
    """The names that this validation was started with."""
    names = info.context
    if not isinstance(names, Names):
        raise TypeError("a pack's model is validated with its Names as context")
    return names


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Wrong("nothing is written here" if value is None else "a list or a mapping stands here", "a single value")
    return value.strip()


def _reader(read: Callable[[str], Any]) -> BeforeValidator:
    """A field that is read from its text; a value that our own code set passes as it is."""
    return BeforeValidator(lambda value: read(_text(value)) if isinstance(value, str | None | list | dict) else value)


def _point(value: object, info: ValidationInfo) -> object:
    """Two lengths, or an anchor of the trim such as `center`, `top-left` or `bottom`."""
    if isinstance(value, Point):
        return value
    if isinstance(value, str) and value.strip()[:1].isalpha():
        return _anchor(value.strip(), names_of(info).boxes["trim"])
    return Point(*_items(value, 2))


def _anchor(name: str, trim: Rect) -> Point:
    places = {"left": (0.0, 0.5), "right": (1.0, 0.5), "top": (0.5, 0.0), "bottom": (0.5, 1.0), "center": (0.5, 0.5)}
    for y, fy in (("top", 0.0), ("bottom", 1.0)):
        for x, fx in (("left", 0.0), ("right", 1.0)):
            places[f"{y}-{x}"] = (fx, fy)
    if name not in places:
        raise unknown("anchor", name, places)
    return Point(trim.x + trim.w * places[name][0], trim.y + trim.h * places[name][1])


def _items(value: object, *counts: int) -> tuple[float, ...]:
    parts = value if isinstance(value, list) else _text(value).replace(",", " ").split()
    if len(parts) not in counts:
        raise Wrong(
            f"{len(parts)} numbers", f"{' or '.join(map(str, counts))} lengths, such as [{', '.join('5' * counts[0])}]"
        )
    return tuple(units.length(_text(part)) for part in parts)


def weight(text: str) -> int:
    """A font's weight by name or number."""
    if text in WEIGHTS:
        return WEIGHTS[text]
    if text.isdigit() and 1 <= int(text) <= 1000:
        return int(text)
    raise unknown("weight", text, WEIGHTS)


VARIANT = re.compile(r"[^\W_][\w .+-]*")
"""A variant's name, which stands in names of files."""


def boolean(text: str) -> bool:
    """YAML 1.2: `true` and `false`, nothing else."""
    if text in {"true", "false"}:
        return text == "true"
    raise Wrong(f"{text!r} is neither true nor false", "true or false")


def count(text: str) -> int:
    """A whole number from 0 on."""
    if not re.fullmatch(r"\d{1,6}(?:\.0+)?", text):
        found = "is too many" if text.isdecimal() else "is no whole number"
        raise Wrong(f"{text!r} {found}", "0, 1, 2, …")
    return int(float(text))


def real(text: str) -> float:
    """A plain number."""
    try:
        value = float(text)
    except ValueError:
        raise Wrong(f"{text!r} is no number", "a number such as 1.5") from None
    if not math.isfinite(value):
        raise Wrong(f"{text!r} is no number", "a number such as 1.5")
    return value


def _above_zero(value: float) -> float:
    if value <= 0:
        raise Wrong(f"{units.number(value)} cannot be", "more than 0")
    return value


def not_negative(value: float) -> float:
    """The same length; raises where it is below 0."""
    if value < 0:
        raise Wrong(f"{units.number(value)} mm is negative", "0 mm or more")
    return value


def _share(text: str) -> float:
    value = real(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    if not 0 <= value <= 1:
        raise Wrong(f"{text} is no share", "0 to 1, such as 0.4, or 40%")
    return value


def _text_size(text: str) -> float:
    mm = units.length(text)
    if mm and re.fullmatch(r"[\d.+-]+", text):
        raise Wrong(f"{text} of what?", f"a size with its unit: {text}pt, or {text}mm")
    return mm


def boxes(size: Size, bleed: float, safe: float) -> dict[str, Rect]:
    """The boxes that every face has, by name."""
    trim = Rect(0, 0, *size)
    return {"trim": trim, "safe": trim.grown(-safe), "bleed": trim.grown(bleed)}


def rect(value: object) -> Rect:
    """`[x, y, width, height]`, each a length."""
    x, y, w, h = _items(value, 4)
    if w <= 0 or h <= 0:
        size = f"a box of {units.number(w)} × {units.number(h)} mm"
        raise Wrong(size, "x, y, width and height, the last two above 0")
    return Rect(x, y, w, h)


def _box(value: object, info: ValidationInfo) -> object:
    if isinstance(value, Rect):
        return value
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z][\w-]*", value.strip()):
        known = names_of(info).boxes
        if value.strip() not in known:
            raise unknown("box", value.strip(), known)
        return known[value.strip()]
    return rect(value)


def _named(table: Callable[[Names], Mapping[str, Any]], what: str) -> BeforeValidator:
    def look_up(value: object, info: ValidationInfo) -> object:
        if not isinstance(value, str | None | list | dict):
            return value
        known = table(names_of(info))
        name = _text(value)
        if name not in known:
            raise unknown(what, name, known)
        return known[name]

    return BeforeValidator(look_up)


def choice(what: str) -> BeforeValidator:
    """A field that names a row of one of the tables that the other stages bring, and holds what stands there."""

    def check(value: object, info: ValidationInfo) -> object:
        name = _text(value)
        known = names_of(info).tables[what]
        if name not in known:
            raise unknown(what, name, known)
        return known[name]

    return BeforeValidator(check)


def _outline(value: object, info: ValidationInfo) -> object:
    return value if isinstance(value, Outline) else read_size(value, names_of(info).folder)


def _asset(value: object, info: ValidationInfo) -> object:
    folder = names_of(info).folder
    return value if isinstance(value, Asset) else folder.picture(_text(value), folder.asset)


def _icon(value: object, info: ValidationInfo) -> object:
    names = names_of(info)
    return value if isinstance(value, Asset) else names.folder.picture(_text(value), names.icons.find)


def _colour(value: object, info: ValidationInfo) -> object:
    return colour(names_of(info).of_palette(_text(value)))


def _paint(value: object, info: ValidationInfo) -> object:
    return value if isinstance(value, Gradient) else paint(_text(value), names_of(info).of_palette)


def _line(value: object, info: ValidationInfo) -> object:
    if isinstance(value, Stroke):
        return value
    width, blank, name = _text(value).partition(" ")
    return stroke(f"{width}{blank}{names_of(info).of_palette(name.strip())}")


_MEASURE = WithJsonSchema({"type": ["string", "number"]})
_WORD = WithJsonSchema({"type": "string"})
_FOUR = WithJsonSchema(
    {"type": ["array", "string"], "items": {"type": ["string", "number"]}, "minItems": 4, "maxItems": 4}
)
_TWO = WithJsonSchema(
    {"type": ["array", "string"], "items": {"type": ["string", "number"]}, "minItems": 2, "maxItems": 2}
)

Text = Annotated[str, BeforeValidator(lambda value: value if isinstance(value, str) else _text(value)), _MEASURE]
Length = Annotated[float, _reader(units.length), _MEASURE]
TextSize = Annotated[float, _reader(_text_size), AfterValidator(_above_zero), _MEASURE]
"""The size of letters: a length above 0 with its unit, since points and mm are both usual."""
Real = Annotated[float, _reader(real), _MEASURE]
Above = Annotated[Length, AfterValidator(_above_zero)]
"""A length above 0."""
Thickness = Annotated[float, _reader(thickness), AfterValidator(_above_zero), _MEASURE]
"""The thickness of paper: a length above 0, or what a square metre weighs (`250g`)."""
NotNegative = Annotated[Length, AfterValidator(not_negative)]
Factor = Annotated[Real, AfterValidator(_above_zero)]
"""A number above 0."""
Share = Annotated[float, _reader(_share), _MEASURE]
"""A part of a whole, from 0 to 1."""
Count = Annotated[int, _reader(count), _MEASURE]
Bool = Annotated[bool, _reader(boolean), WithJsonSchema({"type": ["boolean", "string"]})]
Colour = Annotated[str, BeforeValidator(_colour), _WORD]
Paint = Annotated[str | Annotated[Gradient, WHOLE], BeforeValidator(_paint), _WORD]
"""A colour, or several that run into each other."""
Line = Annotated[Annotated[Stroke, WHOLE] | None, BeforeValidator(_line), _WORD]
Weight = Annotated[int, _reader(weight), _MEASURE]
OutlineField = Annotated[
    Outline, WHOLE, BeforeValidator(_outline), WithJsonSchema({"type": ["string", "number", "object"]})
]
Box = Annotated[Rect, WHOLE, BeforeValidator(_box), _FOUR]
Place = Annotated[Point, WHOLE, BeforeValidator(_point), _TWO]
AssetField = Annotated[Asset, WHOLE, BeforeValidator(_asset), _WORD]
IconField = Annotated[Asset, WHOLE, BeforeValidator(_icon), _WORD]
StyleField = Annotated[Style, WHOLE, _named(lambda names: names.styles, "style"), _WORD]


def _others(value: dict[str, str], info: ValidationInfo) -> dict[str, str]:
    """Families that stand for others: those that are there."""
    names_of(info).fonts.with_others(value)
    return value


OtherFonts = Annotated[dict[str, Text], AfterValidator(_others)]
"""Families that art asks for and nobody has, with those that stand for them."""
