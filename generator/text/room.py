"""Text in room that is no box: round pictures, or inside an outline; each line is as wide as the room is there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from generator.core.geometry import EPSILON, Point, Rect
from generator.pack.style import Align, VAlign
from generator.text.lines import TextLine, line_of, stretched
from generator.text.paragraph import ShapedParagraph
from generator.text.placing import GAP, LineStand, stand
from generator.text.setting import Setting

Ring = tuple[Point, ...]
"""The corners of what text goes round, or of what it lies in."""
Stretch = tuple[float, float]
SCANS, MOST_SCANS = 5, 8
"""Heights of a line at which the room is looked at, and how many of corners at most."""
MOST_CORNERS = 120
"""Of an outline; of more, some stand for all."""
TRIES = 6
"""How often a text is set anew to stand in the middle or at the bottom."""


@dataclass(frozen=True)
class TextRoom:
    """The part of a box that lies inside an outline, if one is given, and at least `gap` mm beside some others."""

    box: Rect
    inside: Ring = ()
    around: tuple[Ring, ...] = ()
    gap: float = 0.0

    def free(self, top: float, bottom: float) -> Stretch:
        """The widest stretch that is free at all heights between two; of no width where there is none."""
        inside = _edges(self.inside, top, bottom)
        around = [_edges(ring, top - self.gap, bottom + self.gap) for ring in self.around]
        corners = [a.y for edges in (inside, *around) for a, _ in edges if top < a.y < bottom]
        heights = [top + (bottom - top) * n / (SCANS - 1) for n in range(SCANS)]
        free: list[Stretch] = [(self.box.x, self.box.right)]
        for y in (*heights, *corners[:: len(corners) // MOST_SCANS + 1]):
            if self.inside:
                free = _common(free, _crossed(inside, y))
            for ring in around:
                for near in (y - self.gap, y, y + self.gap):
                    free = _without(free, [(a - self.gap, b + self.gap) for a, b in _crossed(ring, near)])
        return max(free, key=lambda stretch: stretch[1] - stretch[0], default=(self.box.x, self.box.x))


def _edges(ring: Ring, top: float, bottom: float) -> list[tuple[Point, Point]]:
    """Those of a ring's edges that come near a line; of very many corners, some stand for all."""
    some = ring[:: len(ring) // MOST_CORNERS + 1]
    every = pairwise((*some, *some[:1]))
    return [(a, b) for a, b in every if min(a.y, b.y) <= bottom and max(a.y, b.y) >= top]


def _crossed(edges: Sequence[tuple[Point, Point]], y: float) -> list[Stretch]:
    """The stretches of a height that lie between a ring's edges."""
    xs = sorted(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y) for a, b in edges if min(a.y, b.y) <= y < max(a.y, b.y))
    return list(zip(xs[::2], xs[1::2], strict=False))


def _common(some: Sequence[Stretch], others: Sequence[Stretch]) -> list[Stretch]:
    both = ((max(a, c), min(b, d)) for a, b in some for c, d in others)
    return [(left, right) for left, right in both if left < right]


def _without(some: Sequence[Stretch], taken: Sequence[Stretch]) -> list[Stretch]:
    for left, right in taken:
        parts = ((a, min(b, left)) for a, b in some), ((max(a, right), b) for a, b in some)
        some = [(a, b) for part in parts for a, b in part if a < b]
    return list(some)


def flowed(paragraphs: Sequence[ShapedParagraph], setting: Setting, room: TextRoom, size: float) -> list[LineStand]:
    """Where the lines of some paragraphs stand in a room; those without room stand below its box.

    Text that begins lower than at the top is tried for as many lines as it took before, until it takes no more.
    """
    step, count = setting.style.leading * size, 1
    stands = _from(paragraphs, setting, room, size, count)
    for _ in range(TRIES if setting.style.valign is not VAlign.TOP and stands else 0):
        taken = round((stands[-1].y - stands[0].y) / step) + 1
        if taken == count or stands[-1].y > room.box.bottom + step * taken:
            break
        count = taken
        stands = _from(paragraphs, setting, room, size, count)
    return stands


def _from(
    paragraphs: Sequence[ShapedParagraph], setting: Setting, room: TextRoom, size: float, count: int
) -> list[LineStand]:
    """The lines from where the first of so many stands; lower, where its ink would leave the box."""
    style, box = setting.style, room.box
    height = (count - 1) * style.leading * size
    first = {
        VAlign.TOP: box.y + setting.metrics.ascent * size,
        VAlign.MIDDLE: max(box.y, box.centre.y - height / 2) + setting.metrics.cap * size / 2,
        VAlign.BOTTOM: max(box.y, box.bottom - setting.metrics.descent * size - height),
    }[style.valign]
    stands = list(_Flow(setting, room, size, first).stands(paragraphs))
    above = box.y - min((stand.ink.y for stand in stands), default=box.y)
    return list(_Flow(setting, room, size, first + above).stands(paragraphs)) if above > EPSILON else stands


@dataclass
class _Flow:
    """Lines one below the other; `y` is the baseline of the next."""

    setting: Setting
    room: TextRoom
    size: float
    y: float

    def stands(self, paragraphs: Sequence[ShapedParagraph]) -> Iterator[LineStand]:
        for paragraph in paragraphs:
            if paragraph.text:
                yield from self._lines(paragraph)
            else:
                self.y += self._step * GAP

    @property
    def _step(self) -> float:
        return self.setting.style.leading * self.size

    def _lines(self, paragraph: ShapedParagraph) -> Iterator[LineStand]:
        breaks, index = paragraph.breaks, 0
        while index < len(breaks):
            left, right = self._free()
            last = self._last(paragraph, index, (right - left) / self.size)
            if last is None:
                self.y += self._step
                continue
            line = self._line(paragraph, index, last, (right - left) / self.size)
            yield stand(line, self.setting, Rect(left, self.y, right - left, 0.0), self.size, self.y)
            self.y += self._step * line.height
            index = last + 1

    def _line(self, paragraph: ShapedParagraph, first: int, last: int, width: float) -> TextLine:
        start = paragraph.breaks[first - 1].at if first else 0
        end = paragraph.breaks[last]
        if self.setting.style.align is Align.JUSTIFY and last < len(paragraph.breaks) - 1:
            return stretched(paragraph, start, end, self.setting, width)
        return line_of(paragraph, start, end, self.setting)

    def _free(self) -> Stretch:
        metrics, box = self.setting.metrics, self.room.box
        if self.y - metrics.ascent * self.size > box.bottom:
            return box.x, box.right
        return self.room.free(self.y - metrics.ascent * self.size, self.y + metrics.descent * self.size)

    def _last(self, paragraph: ShapedParagraph, index: int, width: float) -> int | None:
        """The last break that a line may end at; below the box any line may be too wide."""
        reach, below = paragraph.reach, self.y > self.room.box.bottom
        start, fitting = reach.starts[index], None
        for at in range(index, len(reach.ends)):
            if reach.ends[at] - start > width + EPSILON:
                break
            fitting = at
        return index if fitting is None and below else fitting
