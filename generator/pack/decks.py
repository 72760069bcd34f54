"""Sleeves and paper stocks for decks, read from `decks.toml`."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from generator.base.errors import InvalidValueError, nearest
from generator.base.geometry import Size
from generator.base.units import length, lengths

MAX_OVERSIZE_MM = (0.8, 1.2)
"""The width and the height by which a card may exceed the size that its sleeve is made for."""

MAX_SLACK_MM = (4.0, 5.0)
"""The width and the height by which a card may be smaller before it slides about in its sleeve."""

SLEEVE_THICKNESS_MM = 0.1
"""The thickness that a sleeve adds to a card: two films."""


@dataclass(frozen=True)
class Sleeve:
    """A kind of sleeve, and the size in mm of the card that it is made for."""

    name: str
    title: str
    size: Size

    def holds(self, card: Size) -> bool:
        """Return True if an upright card of this size (mm) fits in the sleeve without sliding about."""
        return all(
            -max_slack <= side - nominal <= max_oversize
            for side, nominal, max_oversize, max_slack in zip(
                card, self.size, MAX_OVERSIZE_MM, MAX_SLACK_MM, strict=True
            )
        )


@dataclass(frozen=True)
class CardStock:
    """A paper stock: the thickness of a sheet in mm, and its weight in g/m²."""

    name: str
    title: str
    thickness: float
    grams: float


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "decks.toml").read_text("utf-8"))


@cache
def sleeves() -> dict[str, Sleeve]:
    """Return all sleeves by name."""
    rows = _tables()["sleeves"].items()
    return {name: Sleeve(name, row["title"], Size(*lengths(row["size"]))) for name, row in rows}


@cache
def stocks() -> dict[str, CardStock]:
    """Return all paper stocks by their weight, such as `300g`."""
    rows = _tables()["stocks"].items()
    return {
        name: CardStock(name, row["title"], float(row["thick"]), float(row["grams"]))
        for name, row in rows
    }


def sleeve_for(card: Size) -> Sleeve | None:
    """Return the best-fitting sleeve for a card of this size (mm) in either orientation.

    None if none fits.
    """
    upright = Size(min(card), max(card))
    fitting = [row for row in sleeves().values() if row.holds(upright)]
    return min(
        fitting,
        key=lambda row: sum(abs(a - b) for a, b in zip(row.size, upright, strict=True)),
        default=None,
    )


def parse_thickness(text: str) -> float:
    """Parse the thickness of one card in mm: a length, or a paper weight such as `250g`.

    Raises `InvalidValueError` for a weight that is not in `decks.toml`.
    """
    name = text.replace(" ", "").lower().removesuffix("/m²").removesuffix("/m2").removesuffix("sm")
    if name in stocks():
        return stocks()[name].thickness
    if name.endswith("g"):
        hint = nearest(name, stocks()) or "or its thickness: 0.3mm"
        raise InvalidValueError(
            f"paper of {text!r} is in no table", f"one of: {', '.join(stocks())}", hint
        )
    return length(text)
