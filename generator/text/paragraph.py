"""A paragraph made ready for breaking: its stretches, their directions, its possible lines."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise

from generator.text import bidi
from generator.text.breaks import ICON, JOINER, SOFT_HYPHEN, ZERO_SPACE, Break, breaks
from generator.text.item import Item
from generator.text.markup import Span
from generator.text.reach import Reach, reach_of
from generator.text.setting import ICON_SIDE, Setting
from generator.text.shape import Look

_MARKS = {SOFT_HYPHEN: "-", ZERO_SPACE: "", JOINER: None}


@dataclass(frozen=True)
class Paragraph:
    """Its text and stretches in the order of reading, the places where it may be broken, and what lies between them."""

    text: str
    base: int
    items: tuple[Item, ...]
    breaks: tuple[Break, ...]
    reach: Reach


def prepare(spans: Iterable[Span], setting: Setting) -> Paragraph:
    """Make a paragraph of its spans."""
    marks: dict[int, str | None] = {}
    pieces = list(_spelled(spans, setting, marks))
    for piece in (piece for piece in pieces if not piece.icon):
        setting.check(piece.text, piece.look)
    text = "".join(piece.text for piece in pieces)
    if not text:
        return Paragraph("", 0, (), (), Reach((), ()))
    base = bidi.base_level(text)
    items = tuple(item for piece in _levelled(pieces, bidi.levels(text, base)) for item in _parted(piece))
    advances = [advance for item in items for advance in _advances(item, setting)]
    places = breaks(text, marks, setting.lang if setting.style.hyphenate else None)
    along = tuple(accumulate(advances, initial=0.0))
    return Paragraph(text, base, items, places, reach_of(text, items, places, along))


def _spelled(spans: Iterable[Span], setting: Setting, marks: dict[int, str | None]) -> Iterator[Item]:
    """The spans in the letters of the style, those of one look as one; the author's break marks are noted, not kept."""
    at = 0
    for (look, icon, _), group in groupby(enumerate(spans), lambda pair: _kind(pair, setting)):
        spelled = ICON if icon else ""
        for character in setting.cased("".join(span.text for _, span in group)):
            if character in _MARKS:
                marks[at + len(spelled)] = _MARKS[character]
            else:
                spelled += character
        yield Item(at, spelled, look, icon=icon)
        at += len(spelled)


def _kind(pair: tuple[int, Span], setting: Setting) -> tuple[Look, str, int]:
    """What neighbours share that are shaped together; an icon stands alone."""
    place, span = pair
    return setting.look(span), span.icon, place if span.icon else -1


def _levelled(items: Iterable[Item], levels: tuple[int, ...]) -> Iterator[Item]:
    """The items parted where the direction changes."""
    for item in items:
        for level, group in groupby(range(item.start, item.end), levels.__getitem__):
            places = list(group)
            yield replace(item.part(places[0], places[-1] + 1), level=level)


def _parted(item: Item) -> Iterator[Item]:
    """The item in the parts that can each be drawn as one run."""
    seams = () if item.icon else item.shaped().seams
    for start, end in pairwise((item.start, *(item.start + seam for seam in seams), item.end)):
        yield item.part(start, end)


def _advances(item: Item, setting: Setting) -> tuple[float, ...]:
    if item.icon:
        return (setting.icon_size(item.icon)[0] + 2 * ICON_SIDE + setting.spacing,)
    return item.shaped().advances
