"""Stretches of text that are shaped together."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from generator.text import bidi
from generator.text.shape import Look, Shaped, shape


@dataclass(frozen=True)
class Item:
    """A stretch of one look and one direction; an icon has one character in its text to stand for it."""

    start: int
    text: str
    look: Look
    level: int = 0
    icon: str = ""

    @property
    def end(self) -> int:
        """Where the next stretch begins."""
        return self.start + len(self.text)

    def part(self, start: int, end: int) -> "Item":
        """What of it lies between two places of the paragraph."""
        if start <= self.start and end >= self.end:
            return self
        text = self.text[max(start - self.start, 0) : end - self.start]
        return Item(max(start, self.start), text, self.look, self.level, self.icon)

    def shaped(self) -> Shaped:
        """Its shape, when it is text."""
        return shape(self.text, self.look, bidi.direction(self.level))


def item_at(items: Sequence[Item], at: int) -> Item:
    """The item that has a character; items follow each other without a hole."""
    return items[_index(items, at)]


def items_between(items: Sequence[Item], start: int, end: int) -> list[Item]:
    """The stretches of a part, in the order of reading."""
    if start >= end:
        return []
    return [item.part(start, end) for item in items[_index(items, start) : _index(items, end - 1) + 1]]


def _index(items: Sequence[Item], at: int) -> int:
    return bisect_right(items, at, key=lambda item: item.start) - 1
