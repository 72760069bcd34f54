"""One line: its stretches from left to right, each at its place in em from the line's left end."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from generator.core.geometry import Rect
from generator.text import bidi
from generator.text.breaks import SPACES, Break
from generator.text.item import Item, items_between
from generator.text.paragraph import Paragraph
from generator.text.setting import ICON_SIDE, Setting

_SPACE = " "
_WORDS_AND_SPACES = re.compile(" |[^ ]+")


@dataclass(frozen=True)
class Placed:
    """A stretch at its place: `gap` is the letter spacing to what follows, `ink` is round its own origin."""

    item: Item
    x: float
    width: float
    gap: float
    ink: Rect | None


@dataclass(frozen=True)
class Line:
    """A line; `base` is its paragraph's direction."""

    parts: tuple[Placed, ...]
    base: int = 0

    @property
    def width(self) -> float:
        """Its advance, without the spacing after its last letter."""
        return self.parts[-1].x + self.parts[-1].width if self.parts else 0.0

    @cached_property
    def ink(self) -> Rect:
        """The bounds of its ink round the left end of its baseline."""
        inks = [part.ink.shifted((part.x, 0.0)) for part in self.parts if part.ink]
        return Rect.round_all(inks) if inks else Rect(0.0, 0.0, 0.0, 0.0)

    @property
    def text(self) -> str:
        """What it says, for messages."""
        ordered = sorted(self.parts, key=lambda part: part.item.start)
        return "".join(f":{p.item.icon}:" if p.item.icon else p.item.text for p in ordered).replace(bidi.MARK, "")


def line_of(paragraph: Paragraph, start: int, end: Break, setting: Setting) -> Line:
    """The line between two breaks, as wide as it is by nature."""
    return _set(_items(paragraph, start, end), paragraph.base, setting)


def stretched(paragraph: Paragraph, start: int, end: Break, setting: Setting, width: float) -> Line:
    """The line made as wide as its box by wider spaces; as it is by nature when it has none."""
    words = [word for item in _items(paragraph, start, end) for word in _words(item)]
    line = _set(words, paragraph.base, setting)
    spaces = sum(part.item.text == _SPACE for part in line.parts)
    overhang = max(0.0, -line.ink.x) + max(0.0, line.ink.right - line.width)
    extra = max(0.0, width - line.width - overhang) / spaces if spaces else 0.0
    return Line(tuple(_spread(line.parts, extra)), paragraph.base)


def _items(paragraph: Paragraph, start: int, end: Break) -> list[Item]:
    """The stretches of a line in the order of reading, without the spaces at its end, with its hyphen."""
    text = paragraph.text[start : end.at].rstrip(SPACES)
    items = items_between(paragraph.items, start, start + len(text))
    if end.hyphen and items:
        items[-1] = replace(items[-1], text=items[-1].text + end.hyphen)
    return items


def _words(item: Item) -> Iterator[Item]:
    for match in _WORDS_AND_SPACES.finditer(item.text):
        yield replace(item, start=item.start + match.start(), text=match[0])


def _set(items: Sequence[Item], base: int, setting: Setting) -> Line:
    """Put the items side by side in the order in which they are seen."""
    x = 0.0
    parts = []
    for index in bidi.visual([item.level for item in items]):
        part = _placed(items[index], setting, x)
        parts.append(part)
        x += part.width + part.gap
    return Line(tuple(parts), base)


def _placed(item: Item, setting: Setting, x: float) -> Placed:
    if item.icon:
        width, height = setting.icon_size(item.icon)
        top = -(setting.metrics.cap + height) / 2
        return Placed(item, x, width + 2 * ICON_SIDE, setting.spacing, Rect(ICON_SIDE, top, width, height))
    if item.level % 2 and item.text != _SPACE:
        item = replace(item, text=bidi.framed(item.text))
    shaped = item.shaped()
    return Placed(item, x, shaped.width, sum(shaped.advances) - shaped.width, shaped.ink)


def _spread(parts: Iterable[Placed], extra: float) -> Iterator[Placed]:
    by = 0.0
    for part in parts:
        yield replace(part, x=part.x + by)
        by += extra if part.item.text == _SPACE else 0.0
