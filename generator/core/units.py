"""Lengths. Everything before `pdf/` is a plain float in millimetres.

The two conversions of the trade are written here once, and so is the one
function that turns a number into text: rounding happens there and nowhere
between the stages.
"""

import re

from generator.core.problems import Wrong

MM_PER_INCH = 25.4
PT_PER_INCH = 72
MM_PER_PT = MM_PER_INCH / PT_PER_INCH

UNITS = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, '"': MM_PER_INCH, "pt": MM_PER_PT}

_LENGTH = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*([a-z\"]*)\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*,\s*|\s+(?=[\d.+-])")
_TIMES = re.compile(r"(?<=[\d\s\"a-z])\s*[x×]\s*(?=[\d.])", re.IGNORECASE)

MAX_LENGTH = 10_000.0
"""Nothing printed is larger than ten metres; beyond it a number is a slip."""


def length(text: str) -> float:
    """Millimetres of `2.5in`, `3 mm`, `11pt`; a bare number is millimetres."""
    match = _LENGTH.fullmatch(text)
    if match is None or (match[2] and match[2].lower() not in UNITS):
        pointed = text.strip().replace(",", ".")
        hint = f"did you mean {pointed!r}?" if pointed != text.strip() and _LENGTH.fullmatch(pointed) else ""
        raise Wrong(f"{text!r} is not a length", "a number with mm, cm, in or pt, such as 63.5mm or 2.5in", hint)
    value = float(match[1]) * UNITS[match[2].lower() or "mm"]
    if abs(value) > MAX_LENGTH:
        raise Wrong(f"{text!r} is too large", f"a length of at most {number(MAX_LENGTH)} mm")
    return value


def lengths(text: str) -> tuple[float, ...]:
    """Millimetres of `63.5 x 88.9 mm` or `2.5in × 3.5in`; a unit at the end holds for all."""
    parts = _TIMES.split(text)
    last = _LENGTH.fullmatch(parts[-1])
    unit = last[2] if last else ""
    bare = re.compile(r"[\s\d.+-]*")
    return tuple(length(part + unit if bare.fullmatch(part) else part) for part in parts)


def sides(text: str) -> tuple[float, float, float, float]:
    """Millimetres at the top, right, bottom and left, of `10mm 12mm 10mm 12mm`, or of `0.5 in` for all four."""
    parts = [length(part) for part in _BETWEEN.split(text.strip())]
    if len(parts) not in {1, 4}:
        raise Wrong(f"{text!r} is {len(parts)} lengths", "one for all sides, or four: top, right, bottom and left")
    top, right, bottom, left = parts * (4 // len(parts))
    return top, right, bottom, left


def points(mm: float) -> float:
    """Typographic points of a length in mm."""
    return mm / MM_PER_PT


def pixels(mm: float, dpi: float) -> int:
    """Whole pixels that a length takes at a resolution."""
    return max(1, round(mm / MM_PER_INCH * dpi))


def number(value: float) -> str:
    """A number as it is written into a file or a message: to 0.001, without a tail of zeros."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def fine(value: float) -> str:
    """The same to a millionth, for what is multiplied by lengths: a third of a millimetre in a kilometre."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
