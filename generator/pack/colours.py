"""Parse the colours, strokes and gradients of a pack into values of `generator.picture`.

Colours are `#rrggbb`, `#rrggbbaa`, `rgb()`, `hsl()` or CSS names. A stroke is a width and a colour;
a gradient is colours joined by `to`.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise

from generator.base import units
from generator.base.errors import InvalidValueError, unknown
from generator.picture.items import Gradient, Stroke

_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)


@cache
def colour_names() -> Mapping[str, str]:
    """Return the CSS colour names with their `#rrggbb` values."""
    from PIL import ImageColor

    # getrgb() replaces the entry in colormap by a tuple when it is used, so the names are copied
    # first.
    return {
        name: "#" + bytes(ImageColor.getrgb(name)[:3]).hex() for name in tuple(ImageColor.colormap)
    }


def parse_colour(text: str) -> str:
    """Return a colour as lower-case `#rrggbb` or `#rrggbbaa`, or `none`.

    Accepts hexadecimal forms, CSS names, `rgb()` and `hsl()`. Raises `InvalidValueError` for
    anything else, with a hint for known foreign notations.
    """
    if text.lower() in {"none", "transparent"}:
        return "none"
    if _HEX.fullmatch(text):
        digits = text[1:].lower()
        return "#" + (digits if len(digits) > 4 else "".join(2 * digit for digit in digits))
    if text.lower() in colour_names():
        return colour_names()[text.lower()]
    if _FUNCTION.fullmatch(text):
        return _read_function(text)
    if not text:
        raise InvalidValueError(
            "no colour is given",
            EXPECTED,
            "`${kind.colour | white}` is white if the cell is empty",
        )
    wrong = unknown("colour", text, colour_names())
    raise InvalidValueError(wrong.found, EXPECTED, _hint_for_notation(text) or wrong.hint)


EXPECTED = "#rrggbb, a name of CSS, or $name of the palette"
_FUNCTION = re.compile(r"(rgb|hsl)a?\(([^()]*)\)", re.IGNORECASE)


def _read_function(text: str) -> str:
    """Return the colour of `rgb(20, 30, 40)`, `hsl(210 50% 40%)` or one of these with an opacity as fourth value."""
    from PIL import ImageColor

    match = _FUNCTION.fullmatch(text)
    parts = (
        [part.removesuffix("deg") for part in re.split(r"[\s,/]+", match[2].strip())]
        if match
        else []
    )
    try:
        opacity = _read_opacity(parts.pop(3)) if len(parts) == 4 else 1.0
        red, green, blue = ImageColor.getrgb(f"{match[1]}({', '.join(parts)})" if match else "")[:3]
    except (ValueError, IndexError):
        expected = (
            "three values such as rgb(20, 30, 40) or hsl(210, 50%, 40%), and an opacity if need be"
        )
        raise InvalidValueError(f"{text!r} is not a colour", expected) from None
    digits = bytes(min(max(value, 0), 255) for value in (red, green, blue)).hex()
    return f"#{digits}" if opacity == 1 else f"#{digits}{round(255 * opacity):02x}"


def _read_opacity(text: str) -> float:
    value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return value


def _hint_for_notation(text: str) -> str:
    """Return a hint that translates another program's colour notation; empty if there is none."""
    low = text.lower()
    if _HEX.fullmatch(digits := "#" + low.removeprefix("0x")):
        return f'did you mean "{digits}", with a # and in quotes?'
    return _hint_for_gradient(low)


def _hint_for_gradient(text: str) -> str:
    """Return a hint for text that looks like a gradient or another colour space.

    Empty if there is none.
    """
    if text.startswith(("cmyk", "lab")):
        return "the same colour as #rrggbb, which any image editor shows"
    if " to " in text:
        return "a gradient works only where an area is filled"
    if len(words := re.split(r"\s+|-", text)) > 1 and all(
        w in colour_names() for w in (words[0], words[-1])
    ):
        return f"a gradient: `{words[0]} to {words[-1]}`, where an area is filled"
    is_several = "gradient" in text or "," in text
    return "a gradient: `red to blue right`, where an area is filled" if is_several else ""


def parse_stroke(text: str) -> Stroke | None:
    """Parse `0.4mm $ink`, a width and a colour; return None for `none`.

    Raises `InvalidValueError` if the text does not begin with a width above 0.
    """
    if text.lower() == "none":
        return None
    width, _, name = text.partition(" ")
    if not re.match(r"[-+.\d]", width):
        raise InvalidValueError(f"{text!r} is not a line", "a width and then a colour: 0.4mm $ink")
    mm = units.length(width)
    if mm <= 0:
        raise InvalidValueError(f"a line of {units.number(mm)} mm", "a width above 0, or none")
    return Stroke(mm, parse_colour(name.strip() or "#000000"))


GRADIENT_DIRECTIONS = {
    "down": (0.0, 1.0),
    "up": (0.0, -1.0),
    "right": (1.0, 0.0),
    "left": (-1.0, 0.0),
    "down-right": (1.0, 1.0),
    "down-left": (-1.0, 1.0),
    "up-right": (1.0, -1.0),
    "up-left": (-1.0, -1.0),
    "outwards": (0.0, 0.0),
}
"""The directions of gradients as (x, y), y down, relative to the filled box.

(0, 0) is radial, from the centre.
"""

_BETWEEN = re.compile(r"\s+to\s+")
_STOP = r"(?P<colour>\S+)(?:\s+(?P<at>\d{1,3}(?:\.\d+)?)%)?(?:\s+(?P<direction>[a-z][a-z-]*))?"
# No design needs more stops than this; it bounds the size of the gradient in every output.
MAX_GRADIENT_STOPS = 20


def parse_paint(text: str, of_palette: Callable[[str], str]) -> str | Gradient:
    """Parse a colour, or a gradient such as `$red to $gold 40% to #fff right`.

    `of_palette` resolves `$name`. Raises `InvalidValueError` for malformed gradients, unknown
    directions and decreasing stops.
    """
    parts = _BETWEEN.split(text)
    if len(parts) == 1:
        return parse_colour(of_palette(text))
    stops = [re.fullmatch(_STOP, part) for part in parts]
    directions = [stop["direction"] for stop in stops if stop and stop["direction"]]
    if (
        not all(stops)
        or directions[:-1]
        or (directions and stops[-1] and not stops[-1]["direction"])
        or len(parts) > MAX_GRADIENT_STOPS
    ):
        expected = (
            "colours with `to` between them, and a direction after the last, "
            "such as $red to $gold 40% to #fff right"
        )
        raise InvalidValueError(f"{text!r} is not a gradient", expected)
    if directions and directions[0] not in GRADIENT_DIRECTIONS:
        raise unknown("direction of a gradient", directions[0], GRADIENT_DIRECTIONS)
    written = [(_stop_colour(of_palette(stop["colour"])), stop["at"]) for stop in stops if stop]
    places = _stop_positions([None if at is None else float(at) / 100 for _, at in written])
    if any(a > b for a, b in pairwise(places)) or places[-1] > 1:
        raise InvalidValueError(f"{text!r} runs back", "shares that grow, from 0% to 100%")
    return Gradient(
        tuple((place, colour) for place, (colour, _) in zip(places, written, strict=True)),
        *GRADIENT_DIRECTIONS[(directions or ["down"])[0]],
    )


def _stop_colour(text: str) -> str:
    """Return a stop's colour.

    `none` becomes transparent white, since a gradient needs a colour at every stop.
    """
    colour = parse_colour(text)
    return "#ffffff00" if colour == "none" else colour


def _stop_positions(places: list[float | None]) -> list[float]:
    """Return the position of every stop, from 0 to 1.

    Positions that are not given are spread evenly.
    """
    positions = [
        0.0 if places[0] is None else places[0],
        *places[1:-1],
        1.0 if places[-1] is None else places[-1],
    ]
    stated = [(index, place) for index, place in enumerate(positions) if place is not None]
    filled = [stated[0][1]]
    for (i, a), (j, b) in pairwise(stated):
        filled += [a + (b - a) * step / (j - i) for step in range(1, j - i + 1)]
    return filled
