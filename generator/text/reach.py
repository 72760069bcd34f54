"""Where the ink of possible lines begins and ends: the letters at their ends may reach past their own widths."""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.text.breaks import SPACES, Break
from generator.text.item import Item, item_at
from generator.text.shape import shape


@dataclass(frozen=True)
class Reach:
    """For every break, in em along the paragraph: the start of a line that ends there at its nearest, and its end.

    `starts[i]` belongs to the line after break `i - 1`, the first to the paragraph's beginning.
    """

    starts: tuple[float, ...]
    ends: tuple[float, ...]


def reach_of(text: str, items: Sequence[Item], breaks: Sequence[Break], along: Sequence[float]) -> Reach:
    """The reach of all lines that are possible."""
    begins = (0, *(place.at for place in breaks[:-1]))
    return Reach(tuple(_start(items, at, along) for at in begins), tuple(_end(text, items, b, along) for b in breaks))


def _start(items: Sequence[Item], at: int, along: Sequence[float]) -> float:
    item = item_at(items, at)
    return along[at] - _overhangs(item, at)[item.level % 2]


def _end(text: str, items: Sequence[Item], place: Break, along: Sequence[float]) -> float:
    """Without the spaces and the letter spacing at the line's end, with its hyphen."""
    end = place.at
    while end > 1 and text[end - 1] in SPACES:
        end -= 1
    item = item_at(items, end - 1)
    spacing = item.look.spacing
    if place.hyphen:
        return along[end] + shape(place.hyphen, item.look, "ltr").width
    return along[end] - spacing + _overhangs(item, end - 1)[1 - item.level % 2]


def _overhangs(item: Item, at: int) -> tuple[float, float]:
    """How far the ink of a letter reaches past its own width on the left and on the right."""
    shaped = None if item.icon else item.part(at, at + 1).shaped()
    if not shaped or not shaped.ink:
        return 0.0, 0.0
    return max(0.0, -shaped.ink.x), max(0.0, shaped.ink.right - shaped.width)
