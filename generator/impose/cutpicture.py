"""The pages of a cut plan: a small picture of each sheet with numbered cuts, and the text of the plan."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from generator.core import polygon
from generator.core.geometry import Point, Segment, Size
from generator.core.words import CutWords
from generator.impose.cutplan import bed_lines, numbered, plan_of
from generator.impose.sheet import Anchor, Bed, Line, Note, SheetPage, SheetSide

# Margin of a page.
MARGIN = 15.0

# Largest size of a sheet's picture.
SMALL = Size(150.0, 110.0)

# Font sizes of the title, the text and the numbers in the picture.
HEAD = 5.0
TEXT = 3.2
NUMBER = 2.6

# Distance between baselines in em.
STEP = 1.4

# (line width in mm, grey) of the paper's edge, of trims and of cuts. Cuts within strips are drawn
# thinner.
PAPER = (0.2, 0.5)
PIECES = (0.15, 0.6)
CUTS = (0.35, 0.0)


def cut_pages(title: str, beds: Sequence[Bed], paper: Size, words: CutWords) -> tuple[SheetPage, ...]:
    """Return the pages of the cut plan for all sheets of a job, on pages of the size `paper`."""
    return tuple(SheetPage(paper, side) for bed in beds for side in _Bed(title, bed, paper, words).sides())


@dataclass(frozen=True)
class _Bed:
    """The picture and the text for sheets that are cut alike."""

    title: str
    bed: Bed
    paper: Size
    words: CutWords

    @property
    def scale(self) -> float:
        """The scale of the picture: mm on the page for each mm on the sheet."""
        size = self.bed.paper
        return min(SMALL.w / size.w, SMALL.h / size.h, (self.paper.w - 2 * MARGIN) / size.w)

    def at(self, place: Point) -> Point:
        """Return the place in the picture of a point on the sheet."""
        top = MARGIN + HEAD * 2
        return Point(MARGIN, top) + Point(place.x - self.bed.paper.x, place.y - self.bed.paper.y).scaled(self.scale)

    def sides(self) -> Iterator[SheetSide]:
        """Yield a page with the picture, and as many further pages as the text needs."""
        first = [Note(self.title, Point(MARGIN, MARGIN + HEAD), HEAD), *self._numbers()]
        top = self.at(Point(0, self.bed.paper.bottom)).y + 3 * TEXT
        lines = bed_lines(self.bed, self.words)
        number = 1
        while lines:
            room = max(1, int((self.paper.h - MARGIN - top) / (STEP * TEXT)))
            text = [self._said(line, top + nth * STEP * TEXT) for nth, line in enumerate(lines[:room])]
            marks = tuple(self._picture()) if number == 1 else ()
            yield SheetSide(f"{self.bed.first}-{number}", marks=marks, notes=(*first, *text))
            lines = lines[room:]
            first = []
            top = MARGIN + TEXT
            number = number + 1

    def _said(self, line: str, y: float) -> Note:
        words = line.lstrip()
        return Note(words, Point(MARGIN + (len(line) - len(words)) * TEXT / 2, y), TEXT)

    def _picture(self) -> Iterator[Line]:
        yield from self._round(polygon.box(self.bed.paper), PAPER)
        for outline in self.bed.outlines:
            yield from self._round(outline.flat, PIECES)
        for name, line in self._cuts():
            width = CUTS[0] / (1 + name.count("."))
            yield Line(self.at(line.a), self.at(line.b), width, grey=CUTS[1])

    def _round(self, flat: Sequence[Point], look: tuple[float, float]) -> Iterator[Line]:
        for a, b in pairwise((*flat, flat[0])):
            yield Line(self.at(a), self.at(b), look[0], grey=look[1])

    def _cuts(self) -> Iterator[tuple[str, Segment]]:
        made = plan_of(self.bed)
        for name, cut in numbered(made) if made else ():
            yield from ((name, line) for line in cut.lines)

    def _numbers(self) -> Iterator[Note]:
        """Yield the number of each cut: right of the upper end of upright cuts, above the left end of level ones."""
        for name, line in self._cuts():
            a = self.at(line.a)
            upright = line.a.x == line.b.x
            at = a + Point(0.5, NUMBER) if upright else a + Point(0.5, -0.5)
            yield Note(name, at, NUMBER, Anchor.START)
