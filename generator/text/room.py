"""Text in room that is no box: round pictures, or inside an outline; each line is as wide as the room is there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from generator.core.geometry import EPSILON, Point, Rect
from generator.pack.style import Align, VAlign
from generator.text.lines import TextLine, line_of, stretched
from generator.text.paragraph import ShapedParagraph
from generator.text.placing import GAP, LineStand, stand
from generator.text.setting import Setting

Ring = tuple[Point, ...]
"""The corners of what text goes round, or of what it lies in."""
Stretch = tuple[float, float]
SCANS = 5
"""Heights of a line at which the room is looked at, besides those of corners."""


@dataclass(frozen=True)
class TextRoom:
    """The part of a box that lies inside an outline, if one is given, and at least `gap` mm beside some others."""

    box: Rect
    inside: Ring = ()
    around: tuple[Ring, ...] = ()
    gap: float = 0.0

    def free(self, top: float, bottom: float) -> Stretch:
        """The widest stretch that is free at all heights between two; of no width where there is none."""
        corners = [y for ring in (self.inside, *self.around) for _, y in ring if top < y < bottom]
        heights = [top + (bottom - top) * n / (SCANS - 1) for n in range(SCANS)]
        free: list[Stretch] = [(self.box.x, self.box.right)]
        for y in (*heights, *corners):
            if self.inside:
                free = _common(free, _crossed(self.inside, y))
            for ring in self.around:
                for near in (y - self.gap, y, y + self.gap):
                    free = _without(free, [(a - self.gap, b + self.gap) for a, b in _crossed(ring, near)])
        return max(free, key=lambda stretch: stretch[1] - stretch[0], default=(self.box.x, self.box.x))


def _crossed(ring: Ring, y: float) -> list[Stretch]:
    """The stretches of a height that lie in a ring."""
    edges = pairwise((*ring, *ring[:1]))
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

    Text that begins lower than at the top is tried as one line, as two, … until it takes no more than that.
    """
    style, box = setting.style, room.box
    step = style.leading * size
    most = 1 if style.valign is VAlign.TOP else ceil(box.h / step)
    stands: list[LineStand] = []
    for count in range(1, most + 1):
        height = (count - 1) * step
        first = {
            VAlign.TOP: box.y + setting.metrics.ascent * size,
            VAlign.MIDDLE: box.centre.y + (setting.metrics.cap * size - height) / 2,
            VAlign.BOTTOM: box.bottom - setting.metrics.descent * size - height,
        }[style.valign]
        stands = list(_Flow(setting, room, size, first).stands(paragraphs))
        if stands and (above := box.y - min(stand.ink.y for stand in stands)) > EPSILON:
            first += above
            stands = list(_Flow(setting, room, size, first).stands(paragraphs))
        if not stands or stands[-1].y <= first + height + EPSILON:
            break
    return stands


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
        fits = [at for at in range(index, len(reach.ends)) if reach.ends[at] - reach.starts[index] <= width + EPSILON]
        return fits[-1] if fits else (index if below else None)
