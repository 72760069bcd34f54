"""Guess the size of the card on a finished picture, and the picture's bleed."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from generator.base.geometry import Size
from generator.base.units import MM_PER_INCH, number
from generator.pack.sizes import named_sizes

BLEEDS_MM = (0.0, 3.0, MM_PER_INCH / 8, 2.0, MM_PER_INCH / 16)
"""Bleeds of exported pictures, the most usual first; print shops ask for 3 mm or 1/8 in."""
USUAL_RESOLUTIONS = (300, 600, 150, 96, 200, 400, 1200, 100, 120)
"""Resolutions in dpi that programs export, the most usual first."""
MAX_SHAPE_ERROR = 0.012
"""Difference between the ratio of a picture's sides and that of a card, as a natural logarithm.

A millimetre on a card of 88 mm; a larger error shows as a border of unequal width.
"""
MAX_RESOLUTION_ERROR = 0.01
DEFAULT_SHORT_SIDE_MM = 63.0
PLAUSIBLE_SIDES_MM = (15.0, 300.0)
MIN_STATED_DPI = 100.0
"""Lowest stated resolution that is believed: programs write the 96 dpi of screens into any picture."""
PLAUSIBLE_DPI = (60.0, 2500.0)


@dataclass(frozen=True)
class CardGuess:
    """The size of the card on a picture without bleed, and the bleed that the picture has."""

    name: str
    size: Size
    bleed: float

    def describe(self, width: int) -> str:
        """Return the guess as text, for a picture with a width in pixels."""
        dpi = round(width / (self.size.w + 2 * self.bleed) * MM_PER_INCH)
        bleed = (
            f"with {number(round(self.bleed, 1))} mm of bleed" if self.bleed else "without bleed"
        )
        return f"{self.name} {bleed}, at {dpi} dpi"


def guess_card(width: int, height: int, dpi: float | None) -> CardGuess:
    """Return the most likely card for a picture, by its pixels and the resolution that it states."""
    stated = dpi if dpi and dpi >= MIN_STATED_DPI else None
    best = min(_candidates(width, height, stated), key=lambda pair: pair[0], default=None)
    if best and not (stated and best[0][0]):
        return best[1]
    shorter = min(width, height)
    mm = shorter / stated * MM_PER_INCH if stated else 0.0
    shortest, longest = PLAUSIBLE_SIDES_MM
    scale = (mm if shortest <= mm <= longest else DEFAULT_SHORT_SIDE_MM) / shorter
    size = Size(round(width * scale, 1), round(height * scale, 1))
    return CardGuess(_size_text(size), size, 0.0)


def _candidates(
    width: int, height: int, stated: float | None
) -> Iterator[tuple[tuple[float, ...], CardGuess]]:
    """Yield the cards whose shape a picture has, each with its rank; lower is more likely."""
    for size_rank, (name, row) in enumerate(named_sizes().items()):
        is_turned = (width > height) != (row.size.w > row.size.h) and row.size.w != row.size.h
        size = Size(row.size.h, row.size.w) if is_turned else row.size
        for bleed_rank, bleed in enumerate(BLEEDS_MM):
            full = Size(size.w + 2 * bleed, size.h + 2 * bleed)
            error = abs(math.log((width / height) / (full.w / full.h)))
            dpi = width / full.w * MM_PER_INCH
            if error > MAX_SHAPE_ERROR or not PLAUSIBLE_DPI[0] <= dpi <= PLAUSIBLE_DPI[1]:
                continue
            is_stated = stated is not None and _difference(dpi, stated) <= MAX_RESOLUTION_ERROR
            differences = [_difference(dpi, usual) for usual in USUAL_RESOLUTIONS]
            close_resolutions = [
                index
                for index, difference in enumerate(differences)
                if difference <= MAX_RESOLUTION_ERROR
            ]
            usual = close_resolutions[0] if close_resolutions else len(USUAL_RESOLUTIONS)
            deviation = round(differences[usual], 3) if close_resolutions else 0.0
            rank = (
                float(not is_stated),
                float(usual),
                deviation,
                float(bleed_rank),
                round(error, 3),
                float(size_rank),
            )
            yield rank, CardGuess(_size_text(size) if is_turned else name, size, bleed)


def _difference(dpi: float, other: float) -> float:
    return abs(math.log(dpi / other))


def _size_text(size: Size) -> str:
    return f"{number(round(size.w, 2))} x {number(round(size.h, 2))} mm"
