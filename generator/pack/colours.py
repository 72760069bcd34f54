"""Colours as packs write them: `#rrggbb`, `#rrggbbaa`, a name of CSS; lines; colours that run into each other."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise

from generator.core import units
from generator.core.problems import Wrong, unknown
from generator.picture.items import Gradient, Stroke

_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)


@cache
def colour_names() -> Mapping[str, str]:
    """The colours of CSS, with their values. Pillow's own table changes its form when a name is used."""
    from PIL import ImageColor

    return {name: "#" + bytes(ImageColor.getrgb(name)[:3]).hex() for name in tuple(ImageColor.colormap)}


def colour(text: str) -> str:
    """`#rrggbb` or `#rrggbbaa` in lower case, from a value or a name of CSS, or `none`."""
    if text.lower() == "none":
        return "none"
    if _HEX.fullmatch(text):
        digits = text[1:].lower()
        return "#" + (digits if len(digits) > 4 else "".join(2 * digit for digit in digits))
    if text.lower() in colour_names():
        return colour_names()[text.lower()]
    if not text:
        raise Wrong("no colour is named", EXPECTED, "`${kind.colour | white}` reads what is empty as another")
    wrong = unknown("colour", text, colour_names())
    raise Wrong(wrong.found, EXPECTED, _as_ours(text) or wrong.hint)


EXPECTED = "#rrggbb, a name of CSS, or $name of the palette"
_RGB = r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+).*\)"


def _as_ours(text: str) -> str:
    """How what is a colour elsewhere is written here."""
    low = text.lower()
    if rgb := re.fullmatch(_RGB, text, re.IGNORECASE):
        meant = "'#{:02x}{:02x}{:02x}'".format(*(min(int(part), 255) for part in rgb.groups()))
    elif _HEX.fullmatch(digits := "#" + low.removeprefix("0x")):
        meant = f'"{digits}", with a # and in quotes'
    else:
        meant = "'none'" if low == "transparent" else ""
    return f"did you mean {meant}?" if meant else _as_gradient(low)


def _as_gradient(text: str) -> str:
    """What is meant by several words, which may be colours that run into each other."""
    if text.startswith(("hsl", "cmyk", "lab")):
        return "worked out as #rrggbb, as any program of pictures shows it"
    if " to " in text:
        return "colours run into each other only where an area is filled"
    if len(words := re.split(r"\s+|-", text)) > 1 and all(w in colour_names() for w in (words[0], words[-1])):
        return f"colours that run into each other: `{words[0]} to {words[-1]}`, where an area is filled"
    is_several = "gradient" in text or "," in text
    return "colours that run into each other: `red to blue right`, where an area is filled" if is_several else ""


def stroke(text: str) -> Stroke | None:
    """`0.4mm $ink`: a width and a colour; `none` for no line."""
    if text.lower() == "none":
        return None
    width, _, name = text.partition(" ")
    if not re.match(r"[-+.\d]", width):
        raise Wrong(f"{text!r} is no line", "a width and then a colour: 0.4mm $ink")
    mm = units.length(width)
    if mm <= 0:
        raise Wrong(f"a line of {units.number(mm)} mm", "a width above 0, or none")
    return Stroke(mm, colour(name.strip() or "#000000"))


WAYS = {
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
"""Which way a gradient runs through the box of what it fills, across and down; outwards from its middle."""

_BETWEEN = re.compile(r"\s+to\s+")
_STOP = r"(?P<colour>\S+)(?:\s+(?P<at>\d{1,3}(?:\.\d+)?)%)?(?:\s+(?P<way>[a-z][a-z-]*))?"
MOST_STOPS = 20


def paint(text: str, of_palette: Callable[[str], str]) -> str | Gradient:
    """A colour, or `$red to $gold 40% to #fff right`: colours, where each is reached, and which way they run."""
    parts = _BETWEEN.split(text)
    if len(parts) == 1:
        return colour(of_palette(text))
    stops = [re.fullmatch(_STOP, part) for part in parts]
    ways = [stop["way"] for stop in stops if stop and stop["way"]]
    if not all(stops) or ways[:-1] or (ways and stops[-1] and not stops[-1]["way"]) or len(parts) > MOST_STOPS:
        expected = "colours with `to` between them, and a way after the last, such as $red to $gold 40% to #fff right"
        raise Wrong(f"{text!r} is no gradient", expected)
    if ways and ways[0] not in WAYS:
        raise unknown("way of a gradient", ways[0], WAYS)
    written = [(_seen(of_palette(stop["colour"])), stop["at"]) for stop in stops if stop]
    places = _spread([None if at is None else float(at) / 100 for _, at in written])
    if any(a > b for a, b in pairwise(places)) or places[-1] > 1:
        raise Wrong(f"{text!r} runs back", "shares that grow, from 0% to 100%")
    return Gradient(
        tuple((place, shown) for place, (shown, _) in zip(places, written, strict=True)), *WAYS[(ways or ["down"])[0]]
    )


def _seen(text: str) -> str:
    found = colour(text)
    return "#ffffff00" if found == "none" else found


def _spread(places: list[float | None]) -> list[float]:
    """Where each colour is reached: as it is said, or evenly between those that say it."""
    known = [0.0 if places[0] is None else places[0], *places[1:-1], 1.0 if places[-1] is None else places[-1]]
    said = [(index, place) for index, place in enumerate(known) if place is not None]
    spread = [said[0][1]]
    for (i, a), (j, b) in pairwise(said):
        spread += [a + (b - a) * step / (j - i) for step in range(1, j - i + 1)]
    return spread
