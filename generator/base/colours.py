"""Colours as numbers: their lightness, their contrast, and their tints."""

from __future__ import annotations

from PIL import ImageColor

Channels = tuple[int, int, int]
"""Red, green and blue of an sRGB colour, from 0 to 255."""

MAX_BLACK_CHANNEL = 66
"""Colours without a brighter channel count as black: a line in #22303a looks black on paper."""


def channels_of(colour: str) -> Channels:
    """Return the channels of a CSS colour without its transparency.

    Raise `ValueError` if it is not a colour.
    """
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return red, green, blue


def to_hex(channels: Channels) -> str:
    """Return channels as `#rrggbb`."""
    return "#{:02x}{:02x}{:02x}".format(*channels)


def is_black(channels: Channels) -> bool:
    """Return True for black and the dark colours that are used as black."""
    return max(channels) <= MAX_BLACK_CHANNEL


def mix_with_paper(channels: Channels, share: float) -> Channels:
    """Return a tint: a colour of which `share` is left, and white for the rest."""
    red, green, blue = (round(255 - (255 - channel) * share) for channel in channels)
    return red, green, blue


def luminance(channels: Channels) -> float:
    """Return the relative luminance of a colour, from 0 to 1 (WCAG 2.2)."""
    red, green, blue = (_linear(channel / 255) for channel in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lightness(channels: Channels) -> float:
    """Return the CIE lightness L* of a colour, from 0 to 100."""
    y = luminance(channels)
    # The constants are those of CIE 15:2004; below 216/24389 the curve is a straight line.
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27


def contrast(one: Channels, other: Channels) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _linear(value: float) -> float:
    """Return the linear light of an sRGB value (IEC 61966-2-1)."""
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)
