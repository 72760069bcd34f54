"""The cut plan for a guillotine: straight cuts that part the pieces of each sheet, with few settings of the stop.

It is written as text, and as pages with a small picture of each sheet with numbered cuts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from operator import itemgetter

from generator.base import polygon
from generator.base.geometry import EPSILON, Point, Rect, Segment, Size
from generator.base.ui_strings import CutWords
from generator.base.units import number
from generator.impose.setup import Setup
from generator.impose.sheet import Anchor, Bed, Line, Note, PaperEdge, SheetPage, SheetSide

# Decimals in mm to which measures must agree to be one setting.
SETTING_DECIMALS = 4


@dataclass(frozen=True)
class GuillotineCut:
    """One setting of the stop: `measure` mm stay between the stop and the blade.

    `stop` is the edge of the paper, fronts up, that lies against the stop. The part there is kept.
    The part beyond the blade is waste, or goes against the stop again with its new edge when the
    same cut is made `repeats` times to take strips off. `lines` are the places on the sheet of all
    strips that are cut this way.
    """

    measure: float
    stop: PaperEdge
    repeats: int = 1
    separates_strips: bool = False
    lines: tuple[Segment, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class StripPlan:
    """Cuts, followed by the plans of the resulting strips: each with the count of strips that are cut alike."""

    cuts: tuple[GuillotineCut, ...]
    strips: tuple[tuple[int, "StripPlan"], ...] = ()


Span = tuple[float, float]


@dataclass(frozen=True)
class Axis:
    """A direction in which strips lie side by side."""

    near: PaperEdge
    far: PaperEdge
    span: Callable[[Rect], Span]
    part: Callable[[Rect, Span], Rect]

    def line(self, paper: Rect, at: float) -> Segment:
        """Return the cut across a paper at `at` mm along this direction."""
        cut = self.part(paper, (at, at))
        return Segment(Point(cut.x, cut.y), Point(cut.right, cut.bottom))


ACROSS = Axis(
    PaperEdge.LEFT,
    PaperEdge.RIGHT,
    lambda r: (r.x, r.right),
    lambda r, s: Rect.between(s[0], r.y, s[1], r.bottom),
)
DOWN = Axis(
    PaperEdge.TOP,
    PaperEdge.BOTTOM,
    lambda r: (r.y, r.bottom),
    lambda r, s: Rect.between(r.x, s[0], r.right, s[1]),
)


def plan_cuts(paper: Rect, trims: Sequence[Rect]) -> StripPlan | None:
    """Plan straight edge-to-edge cuts that part the trims; return None if that is impossible."""
    if len(trims) == 1 and all(abs(a - b) < EPSILON for a, b in zip(paper, trims[0], strict=True)):
        return StripPlan(())
    directions = [(axis, _strips(axis, trims)) for axis in (ACROSS, DOWN)]
    # With one strip in both directions, only waste comes off.
    directions = [(axis, strips) for axis, strips in directions if len(strips) > 1] or [
        (axis, strips)
        for axis, strips in directions
        if _is_larger(axis.span(paper), _span_of(axis, strips[0]))
    ]
    plans = [
        plan
        for axis, strips in directions
        if (plan := _plan_along(axis, paper, strips)) is not None
    ]
    return min(plans, key=_cost, default=None)


def _cost(plan: StripPlan) -> tuple[int, int]:
    """Return a sort key: the number of different settings first, then the strokes of the blade."""
    return len(collect_measures(plan)), count_strokes(plan)


def _is_larger(a: Span, b: Span) -> bool:
    return a[0] < b[0] - EPSILON or a[1] > b[1] + EPSILON


def _strips(axis: Axis, trims: Sequence[Rect]) -> list[list[Rect]]:
    """Group the trims into strips that a straight cut can part."""
    strips: list[list[Rect]] = []
    end = float("-inf")
    for trim in sorted(trims, key=axis.span):
        start, stop = axis.span(trim)
        if start >= end - EPSILON:
            strips.append([])
        strips[-1].append(trim)
        end = max(end, stop)
    return strips


def _span_of(axis: Axis, strip: Sequence[Rect]) -> Span:
    spans = [axis.span(trim) for trim in strip]
    return min(start for start, _ in spans), max(end for _, end in spans)


def _plan_along(axis: Axis, paper: Rect, strips: list[list[Rect]]) -> StripPlan | None:
    spans = [_span_of(axis, strip) for strip in strips]
    plans = [
        plan_cuts(axis.part(paper, span), strip) for span, strip in zip(spans, strips, strict=True)
    ]
    possible = [plan for plan in plans if plan is not None]
    if len(possible) < len(plans):
        return None
    return _join_strips(tuple(_cuts(axis, paper, spans)), possible)


def _join_strips(cuts: tuple[GuillotineCut, ...], plans: list[StripPlan]) -> StripPlan:
    """Return a plan that counts strips that are cut alike instead of repeating them."""
    alike = [list(group) for _, group in groupby(plans)]
    return StripPlan(
        cuts,
        tuple(
            (len(group), _merge_plans(group)) for group in alike if group[0].cuts or group[0].strips
        ),
    )


def _merge_plans(alike: list[StripPlan]) -> StripPlan:
    """Return the shared plan of strips that are cut alike, with the lines of all."""
    cuts = tuple(
        replace(same[0], lines=tuple(line for cut in same for line in cut.lines))
        for same in zip(*(plan.cuts for plan in alike), strict=True)
    )
    parts = zip(*(plan.strips for plan in alike), strict=True)
    return StripPlan(
        cuts, tuple((same[0][0], _merge_plans([strip for _, strip in same])) for same in parts)
    )


def _cuts(axis: Axis, paper: Rect, spans: list[Span]) -> Iterator[GuillotineCut]:
    start, end = axis.span(paper)

    def cut(measure: float, stop: PaperEdge, places: list[float], times: int = 1) -> GuillotineCut:
        return GuillotineCut(
            measure, stop, times, lines=tuple(axis.line(paper, at) for at in places)
        )

    if spans[0][0] > start + EPSILON:
        yield cut(round(end - spans[0][0], SETTING_DECIMALS), axis.far, [spans[0][0]])
    pitches = [(round(b[0] - a[0], SETTING_DECIMALS), b[0]) for a, b in pairwise(spans)]
    for pitch, group in groupby(pitches, key=itemgetter(0)):
        places = [at for _, at in group]
        yield replace(cut(pitch, axis.near, places, len(places)), separates_strips=True)
    nexts = [b[0] for b in spans[1:]] + [end]
    left = [
        (round(b - a, SETTING_DECIMALS), b)
        for (a, b), after in zip(spans, nexts, strict=True)
        if after > b + EPSILON
    ]
    for width in dict.fromkeys(width for width, _ in left):
        places = [at for other, at in left if other == width]
        yield cut(width, axis.near, places, len(places))


def collect_measures(plan: StripPlan) -> set[float]:
    """Return all settings of the stop in mm."""
    inner = [collect_measures(strip) for _, strip in plan.strips]
    return {cut.measure for cut in plan.cuts}.union(*inner)


def count_strokes(plan: StripPlan) -> int:
    """Count the strokes of the blade if strips that are cut alike are cut as one stack."""
    return sum(cut.repeats if cut.separates_strips else 1 for cut in plan.cuts) + sum(
        count_strokes(strip) for _, strip in plan.strips
    )


def number_cuts(plan: StripPlan, prefix: str = "") -> Iterator[tuple[str, GuillotineCut]]:
    """Yield every cut with the number that it has in the text."""
    for step, cut in enumerate(plan.cuts, 1):
        yield f"{prefix}{step}", cut
    for step, (_, strip) in enumerate(plan.strips, len(plan.cuts) + 1):
        yield from number_cuts(strip, f"{prefix}{step}.")


def plan_bed(bed: Bed) -> StripPlan | None:
    """Plan the cuts of sheets that are cut alike; return None if straight cuts cannot part them."""
    return plan_cuts(bed.paper, bed.parts)


def write_cut_plan(game: str, beds: Sequence[Bed], setup: Setup, words: CutWords) -> str:
    """Return the text of the cut plan for all sheets of a job."""
    title = words.title.format(
        game=game, paper=setup.paper.title_in(setup.words), size=setup.paper.size_text
    )
    lines = [title, "", words.measure, words.waste]
    for bed in beds:
        lines += ["", *write_bed(bed, words)]
    return "\n".join(lines) + "\n"


def write_bed(bed: Bed, words: CutWords) -> list[str]:
    """Return the lines of text for sheets that are cut alike."""
    sheets = (words.sheet if bed.first == bed.last else words.sheets).format(
        first=bed.first, last=bed.last
    )
    head = words.bed.format(sheets=sheets, title=bed.component, count=len(bed.outlines))
    head = words.folded.format(bed=head) if bed.folded else head
    plan = plan_bed(bed)
    if plan is None:
        return [head, f"  {words.impossible}"]
    different = sorted(collect_measures(plan))
    listed = ", ".join(number(mm) for mm in different)
    measures = words.measures.format(
        count=len(different), measures=listed, cuts=count_strokes(plan)
    )
    return [head, f"  {measures}", *_write_steps(plan, words, "  ", "")]


def _write_steps(plan: StripPlan, words: CutWords, indent: str, prefix: str) -> Iterator[str]:
    for step, cut in enumerate(plan.cuts, 1):
        yield f"{indent}{prefix}{step}. {_write_cut(cut, words)}"
    for step, (count, strip) in enumerate(plan.strips, len(plan.cuts) + 1):
        which = words.strip if count == 1 else words.strips.format(count=count)
        yield f"{indent}{prefix}{step}. {which}"
        yield from _write_steps(strip, words, indent + "   ", f"{prefix}{step}.")


def _write_cut(cut: GuillotineCut, words: CutWords) -> str:
    edges = {
        PaperEdge.LEFT: words.left,
        PaperEdge.RIGHT: words.right,
        PaperEdge.TOP: words.top,
        PaperEdge.BOTTOM: words.bottom,
    }
    text = edges[cut.stop].format(mm=number(cut.measure))
    if cut.repeats > 1:
        text += (words.times if cut.separates_strips else words.for_strips).format(
            count=cut.repeats
        )
    return text + (words.again if cut.separates_strips else "")


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


def draw_cut_pages(
    title: str, beds: Sequence[Bed], paper: Size, words: CutWords
) -> tuple[SheetPage, ...]:
    """Return the pages of the cut plan for all sheets of a job, on pages of the size `paper`."""
    return tuple(
        SheetPage(paper, side)
        for bed in beds
        for side in _BedPicture(title, bed, paper, words).sides()
    )


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
        return min(
            MAX_PICTURE_MM.w / size.w,
            MAX_PICTURE_MM.h / size.h,
            (self.paper.w - 2 * MARGIN_MM) / size.w,
        )

    def to_page(self, place: Point) -> Point:
        """Return the place in the picture of a point on the sheet."""
        top = MARGIN_MM + TITLE_SIZE_MM * 2
        return Point(MARGIN_MM, top) + Point(
            place.x - self.bed.paper.x, place.y - self.bed.paper.y
        ).scaled(self.scale)

    def sides(self) -> Iterator[SheetSide]:
        """Yield a page with the picture, and as many further pages as the text needs."""
        first = [
            Note(self.title, Point(MARGIN_MM, MARGIN_MM + TITLE_SIZE_MM), TITLE_SIZE_MM),
            *self._numbers(),
        ]
        top = self.to_page(Point(0, self.bed.paper.bottom)).y + 3 * TEXT_SIZE_MM
        lines = write_bed(self.bed, self.words)
        page = 1
        while lines:
            line_count = max(
                1, int((self.paper.h - MARGIN_MM - top) / (LINE_HEIGHT_EM * TEXT_SIZE_MM))
            )
            text = [
                self._line_note(line, top + index * LINE_HEIGHT_EM * TEXT_SIZE_MM)
                for index, line in enumerate(lines[:line_count])
            ]
            marks = tuple(self._picture()) if page == 1 else ()
            yield SheetSide(f"{self.bed.first}-{page}", marks=marks, notes=(*first, *text))
            lines = lines[line_count:]
            first = []
            top = MARGIN_MM + TEXT_SIZE_MM
            page += 1

    def _line_note(self, line: str, y: float) -> Note:
        words = line.lstrip()
        return Note(
            words, Point(MARGIN_MM + (len(line) - len(words)) * TEXT_SIZE_MM / 2, y), TEXT_SIZE_MM
        )

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
