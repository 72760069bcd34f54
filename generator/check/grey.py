"""Colours that a reader tells apart, and a printer that prints grey does not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from generator.pack.game import Game

CLOSE = 8.0
"""Steps of lightness, of a hundred, below which two greys are taken for one."""

APART = 60.0
"""How different two colours must be, of 441, that anybody would want to tell them apart."""


@dataclass(frozen=True)
class GreyPair:
    """Two colours by name, with their lightness from 0 to 100."""

    what: str
    a: str
    b: str
    light: tuple[float, float]

    def __str__(self) -> str:
        return f"{self.what} {self.a} and {self.b} (lightness {self.light[0]:.0f} and {self.light[1]:.0f})"


def alike_in_grey(game: Game) -> Iterator[GreyPair]:
    """Pairs of the palette, and of links that have no patterns to tell them apart."""
    yield from _pairs("colours", game.palette)
    patterns = {link.pattern for link in game.links.values()}
    for pattern in sorted(patterns):
        yield from _pairs("links", {name: link.fill for name, link in game.links.items() if link.pattern == pattern})


def _pairs(what: str, colours: Mapping[str, str]) -> Iterator[GreyPair]:
    channels = {name: _channels(value) for name, value in colours.items() if value.startswith("#")}
    for a, b in combinations(channels, 2):
        distance = sum((u - v) ** 2 for u, v in zip(channels[a], channels[b], strict=True)) ** 0.5
        light = lightness(channels[a]), lightness(channels[b])
        if distance >= APART and abs(light[0] - light[1]) < CLOSE:
            yield GreyPair(what, a, b, light)


def _channels(colour: str) -> tuple[int, int, int]:
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def lightness(channels: tuple[int, int, int]) -> float:
    """CIE L* of an sRGB colour."""
    linear = [_linear(value / 255) for value in channels]
    y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
