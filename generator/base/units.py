"""Lengths: as users write them, as numbers in millimetres, and as text in files and messages.

Everything before `pdf/` is a plain float in millimetres. Only the functions here turn a number into
text and round it.
"""

import re

from generator.base.errors import InvalidValueError

MM_PER_INCH = 25.4
PT_PER_INCH = 72
MM_PER_PT = MM_PER_INCH / PT_PER_INCH

UNITS = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, '"': MM_PER_INCH, "pt": MM_PER_PT}

_LENGTH = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*([a-z\"]*)\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*,\s*|\s+(?=[\d.+-])")
_TIMES = re.compile(r"(?<=[\d\s\"a-z])\s*[x×]\s*(?=[\d.])", re.IGNORECASE)

MAX_LENGTH_MM = 10_000.0
"""Nothing that is printed is longer than ten metres; a longer length is taken for a slip."""


def length(text: str) -> float:
    """Return mm from `2.5in`, `3 mm` or `11pt`; a bare number is in mm."""
    match = _LENGTH.fullmatch(text)
    if match is None or (match[2] and match[2].lower() not in UNITS):
        pointed = text.strip().replace(",", ".")
        hint = (
            f"did you mean {pointed!r}?"
            if pointed != text.strip() and _LENGTH.fullmatch(pointed)
            else ""
        )
        raise InvalidValueError(
            f"{text!r} is not a length",
            "a number with mm, cm, in or pt, such as 63.5mm or 2.5in",
            hint,
        )
    value = float(match[1]) * UNITS[match[2].lower() or "mm"]
    if abs(value) > MAX_LENGTH_MM:
        raise InvalidValueError(
            f"{text!r} is too large", f"a length of at most {number(MAX_LENGTH_MM)} mm"
        )
    return value


def lengths(text: str) -> tuple[float, ...]:
    """Return mm from `63.5 x 88.9 mm` or `2.5in × 3.5in`.

    A unit at the end holds for all numbers.
    """
    parts = _TIMES.split(text)
    last = _LENGTH.fullmatch(parts[-1])
    unit = last[2] if last else ""
    unitless = re.compile(r"[\s\d.+-]*")
    return tuple(length(part + unit if unitless.fullmatch(part) else part) for part in parts)


def sides(text: str) -> tuple[float, float, float, float]:
    """Return mm at the top, right, bottom and left from `10mm 12mm 10mm 12mm`, or from `0.5 in` for all four."""
    parts = [length(part) for part in _BETWEEN.split(text.strip())]
    if len(parts) not in {1, 4}:
        raise InvalidValueError(
            f"{text!r} has {len(parts)} lengths",
            "one for all sides, or four: top, right, bottom and left",
        )
    top, right, bottom, left = parts * (4 // len(parts))
    return top, right, bottom, left


MAX_DIGITS = 9
"""More digits than any number that pnp reads; Python's `int` raises an error for more than 4,300."""


def parse_whole_number(text: str) -> int | None:
    """Return the number that some digits stand for; None for any other text, or more than `MAX_DIGITS` digits."""
    digits = text.strip()
    return int(digits) if digits.isdecimal() and len(digits) <= MAX_DIGITS else None


def points(mm: float) -> float:
    """Return a length in mm as typographic points."""
    return mm / MM_PER_PT


def pixels(mm: float, dpi: float) -> int:
    """Return the whole pixels that a length in mm takes at a resolution."""
    return max(1, round(mm / MM_PER_INCH * dpi))


def roman(number: int) -> str:
    """Return a page number from 1 to 39 in lower-case Roman numerals, such as `iv`."""
    tens, ones = divmod(number, 10)
    return "x" * tens + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[ones]


def format_count(count: int, word: str) -> str:
    """Return a number with its noun: `1 page`, `12 pages`."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def number(value: float) -> str:
    """Return a number as files and messages have it: to 0.001, without trailing zeros."""
    return _without_zeros(f"{value:.3f}")


def fine(value: float) -> str:
    """Return a number as text to a millionth, for factors that lengths are multiplied by."""
    return _without_zeros(f"{value:.6f}")


def _without_zeros(text: str) -> str:
    text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
