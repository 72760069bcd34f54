"""What decks are put into and printed on: sleeves, and paper by its weight, from `decks.toml`."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from generator.core.geometry import Size
from generator.core.problems import Wrong, nearest
from generator.core.units import length, lengths

OVER = (0.8, 1.2)
"""mm; by so much a card may be wider and higher than the one that its sleeve is made for."""

LOOSE = (4.0, 5.0)
"""mm; a card that is narrower or lower by more slides about in it."""

SLEEVE = 0.1
"""mm; what a sleeve adds to a card: two films."""


@dataclass(frozen=True)
class Sleeve:
    """A row: the card that it is made for."""

    name: str
    title: str
    size: Size

    def holds(self, card: Size) -> bool:
        """Whether a card goes in and stays in its place."""
        return all(
            -slack <= side - own <= over for side, own, over, slack in zip(card, self.size, OVER, LOOSE, strict=True)
        )


@dataclass(frozen=True)
class CardStock:
    """A row: how thick a sheet is, in mm, and what a square metre weighs."""

    name: str
    title: str
    thick: float
    grams: float


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "decks.toml").read_text("utf-8"))


@cache
def sleeves() -> dict[str, Sleeve]:
    """All sleeves by name."""
    rows = _tables()["sleeves"].items()
    return {name: Sleeve(name, row["title"], Size(*lengths(row["size"]))) for name, row in rows}


@cache
def stocks() -> dict[str, CardStock]:
    """All papers by their weight."""
    rows = _tables()["stocks"].items()
    return {name: CardStock(name, row["title"], float(row["thick"]), float(row["grams"])) for name, row in rows}


def sleeve_for(card: Size) -> Sleeve | None:
    """The sleeve that a card lies closest in, whichever way up; none where it fits none."""
    upright = Size(min(card), max(card))
    fitting = [row for row in sleeves().values() if row.holds(upright)]
    return min(fitting, key=lambda row: sum(abs(a - b) for a, b in zip(row.size, upright, strict=True)), default=None)


def thickness(text: str) -> float:
    """The thickness of one card in mm: a length, or the weight of its paper, such as 250g."""
    name = text.replace(" ", "").lower().removesuffix("/m²").removesuffix("/m2").removesuffix("sm")
    if name in stocks():
        return stocks()[name].thick
    if name.endswith("g"):
        hint = nearest(name, stocks()) or "or its thickness: 0.3mm"
        raise Wrong(f"paper of {text!r} is in no table", f"one of: {', '.join(stocks())}", hint)
    return length(text)
