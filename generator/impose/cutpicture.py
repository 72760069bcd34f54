"""The pages of a cut plan: a small picture of each sheet with numbered cuts, and the text of the plan."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from generator.core import polygon
from generator.core.geometry import Point, Segment, Size
from generator.core.words import CutWords
from generator.impose.cutplan import number_cuts, plan_bed, write_bed
from generator.impose.sheet import Anchor, Bed, Line, Note, SheetPage, SheetSide

# Margin of a page.
MARGIN_MM = 15.0

# Largest size of a sheet's picture.
MAX_PICTURE_MM = Size(150.0, 110.0)

# Font sizes of the title, the text and the numbers in the picture.
TITLE_SIZE_MM = 5.0
TEXT_SIZE_MM = 3.2
NUMBER_SIZE_MM = 2.6

# Distance between baselines in em.
LINE_HEIGHT_EM = 1.4

# (line width in mm, grey) of the paper's edge, of trims and of cuts. Cuts within strips are drawn
# thinner.
PAPER_LINE = (0.2, 0.5)
TRIM_LINE = (0.15, 0.6)
CUT_LINE = (0.35, 0.0)


def draw_cut_pages(title: str, beds: Sequence[Bed], paper: Size, words: CutWords) -> tuple[SheetPage, ...]:
    """Return the pages of the cut plan for all sheets of a job, on pages of the size `paper`."""
    return tuple(SheetPage(paper, side) for bed in beds for side in _BedPicture(title, bed, paper, words).sides())


@dataclass(frozen=True)
class _BedPicture:
    """The picture and the text for sheets that are cut alike."""

    title: str
    bed: Bed
    paper: Size
    words: CutWords

    @property
    def scale(self) -> float:
        """The scale of the picture: mm on the page for each mm on the sheet."""
        size = self.bed.paper
        return min(MAX_PICTURE_MM.w / size.w, MAX_PICTURE_MM.h / size.h, (self.paper.w - 2 * MARGIN_MM) / size.w)

    def to_page(self, place: Point) -> Point:
        """Return the place in the picture of a point on the sheet."""
        top = MARGIN_MM + TITLE_SIZE_MM * 2
        return Point(MARGIN_MM, top) + Point(place.x - self.bed.paper.x, place.y - self.bed.paper.y).scaled(self.scale)

    def sides(self) -> Iterator[SheetSide]:
        """Yield a page with the picture, and as many further pages as the text needs."""
        first = [Note(self.title, Point(MARGIN_MM, MARGIN_MM + TITLE_SIZE_MM), TITLE_SIZE_MM), *self._numbers()]
        top = self.to_page(Point(0, self.bed.paper.bottom)).y + 3 * TEXT_SIZE_MM
        lines = write_bed(self.bed, self.words)
        number = 1
        while lines:
            line_count = max(1, int((self.paper.h - MARGIN_MM - top) / (LINE_HEIGHT_EM * TEXT_SIZE_MM)))
            text = [
                self._line_note(line, top + nth * LINE_HEIGHT_EM * TEXT_SIZE_MM)
                for nth, line in enumerate(lines[:line_count])
            ]
            marks = tuple(self._picture()) if number == 1 else ()
            yield SheetSide(f"{self.bed.first}-{number}", marks=marks, notes=(*first, *text))
            lines = lines[line_count:]
            first = []
            top = MARGIN_MM + TEXT_SIZE_MM
            number = number + 1

    def _line_note(self, line: str, y: float) -> Note:
        words = line.lstrip()
        return Note(words, Point(MARGIN_MM + (len(line) - len(words)) * TEXT_SIZE_MM / 2, y), TEXT_SIZE_MM)

    def _picture(self) -> Iterator[Line]:
        yield from self._draw_outline(polygon.box(self.bed.paper), PAPER_LINE)
        for outline in self.bed.outlines:
            yield from self._draw_outline(outline.flat, TRIM_LINE)
        for name, line in self._cuts():
            width = CUT_LINE[0] / (1 + name.count("."))
            yield Line(self.to_page(line.a), self.to_page(line.b), width, grey=CUT_LINE[1])

    def _draw_outline(self, corners: Sequence[Point], line: tuple[float, float]) -> Iterator[Line]:
        for a, b in pairwise((*corners, corners[0])):
            yield Line(self.to_page(a), self.to_page(b), line[0], grey=line[1])

    def _cuts(self) -> Iterator[tuple[str, Segment]]:
        plan = plan_bed(self.bed)
        for name, cut in number_cuts(plan) if plan else ():
            yield from ((name, line) for line in cut.lines)

    def _numbers(self) -> Iterator[Note]:
        """Yield the number of each cut: right of the upper end of upright cuts, above the left end of level ones."""
        for name, line in self._cuts():
            a = self.to_page(line.a)
            upright = line.a.x == line.b.x
            at = a + Point(0.5, NUMBER_SIZE_MM) if upright else a + Point(0.5, -0.5)
            yield Note(name, at, NUMBER_SIZE_MM, Anchor.START)
