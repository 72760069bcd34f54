"""The cut plan: guillotine cuts in order, with as few settings of the stop as possible.

A strip is first freed on one side, then cut at the distance from one piece to the next, then freed
on the other side. Equal pieces take three settings in each direction, and two if they touch.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import groupby, pairwise
from operator import itemgetter

from generator.core.geometry import EPSILON, Point, Rect, Segment
from generator.core.units import number
from generator.core.words import CutWords
from generator.impose.setup import Setup
from generator.impose.sheet import Bed

# Decimals in mm to which measures must agree to be one setting.
SAME = 4


class Stop(Enum):
    """The edge of the paper, fronts up, that lies against the stop."""

    LEFT = "left"
    RIGHT = "right"
    TOP = "top"
    BOTTOM = "bottom"


@dataclass(frozen=True)
class GuillotineCut:
    """One setting of the stop: `measure` mm stay between the stop and the blade.

    The part at the stop is kept. The part beyond the blade is waste, or goes against the stop again
    with its new edge when the same cut is made `times` times to take strips off. `lines` are the places
    on the sheet of all strips that are cut this way.
    """

    measure: float
    stop: Stop
    times: int = 1
    apart: bool = False
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

    near: Stop
    far: Stop
    span: Callable[[Rect], Span]
    part: Callable[[Rect, Span], Rect]

    def line(self, paper: Rect, at: float) -> Segment:
        """Return the cut across a paper at `at` mm along this direction."""
        cut = self.part(paper, (at, at))
        return Segment(Point(cut.x, cut.y), Point(cut.right, cut.bottom))


ACROSS = Axis(Stop.LEFT, Stop.RIGHT, lambda r: (r.x, r.right), lambda r, s: Rect.between(s[0], r.y, s[1], r.bottom))
DOWN = Axis(Stop.TOP, Stop.BOTTOM, lambda r: (r.y, r.bottom), lambda r, s: Rect.between(r.x, s[0], r.right, s[1]))


def plan(paper: Rect, trims: Sequence[Rect]) -> StripPlan | None:
    """Plan straight edge-to-edge cuts that part the trims; return None if that is impossible."""
    if len(trims) == 1 and all(abs(a - b) < EPSILON for a, b in zip(paper, trims[0], strict=True)):
        return StripPlan(())
    ways = [(axis, _strips(axis, trims)) for axis in (ACROSS, DOWN)]
    ways = [(axis, strips) for axis, strips in ways if len(strips) > 1] or _freeing(paper, ways)
    found = [made for axis, strips in ways if (made := _along(axis, paper, strips)) is not None]
    return min(found, key=_cost, default=None)


def _cost(made: StripPlan) -> tuple[int, int]:
    """Return a sort key: the number of different settings first, then the strokes of the blade."""
    return len(measures(made)), strokes(made)


def _freeing(paper: Rect, ways: list[tuple[Axis, list[list[Rect]]]]) -> list[tuple[Axis, list[list[Rect]]]]:
    """Return the directions in which waste must come off, when there is one strip in both."""
    return [(axis, strips) for axis, strips in ways if _larger(axis.span(paper), _ends(axis, strips[0]))]


def _larger(a: Span, b: Span) -> bool:
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


def _ends(axis: Axis, strip: Sequence[Rect]) -> Span:
    spans = [axis.span(trim) for trim in strip]
    return min(start for start, _ in spans), max(end for _, end in spans)


def _along(axis: Axis, paper: Rect, strips: list[list[Rect]]) -> StripPlan | None:
    spans = [_ends(axis, strip) for strip in strips]
    plans = [plan(axis.part(paper, span), strip) for span, strip in zip(spans, strips, strict=True)]
    done = [made for made in plans if made is not None]
    if len(done) < len(plans):
        return None
    return _joined(tuple(_cuts(axis, paper, spans)), done)


def _joined(cuts: tuple[GuillotineCut, ...], plans: list[StripPlan]) -> StripPlan:
    """Return a plan that counts strips that are cut alike instead of repeating them."""
    alike = [(list(group)) for _, group in groupby(plans)]
    return StripPlan(cuts, tuple((len(group), _together(group)) for group in alike if group[0].cuts or group[0].strips))


def _together(alike: list[StripPlan]) -> StripPlan:
    """Return the shared plan of strips that are cut alike, with the lines of all."""
    cuts = tuple(
        replace(same[0], lines=tuple(line for cut in same for line in cut.lines))
        for same in zip(*(made.cuts for made in alike), strict=True)
    )
    parts = zip(*(made.strips for made in alike), strict=True)
    return StripPlan(cuts, tuple((same[0][0], _together([strip for _, strip in same])) for same in parts))


def _cuts(axis: Axis, paper: Rect, spans: list[Span]) -> Iterator[GuillotineCut]:
    start, end = axis.span(paper)

    def cut(measure: float, stop: Stop, places: list[float], times: int = 1) -> GuillotineCut:
        return GuillotineCut(measure, stop, times, lines=tuple(axis.line(paper, at) for at in places))

    if spans[0][0] > start + EPSILON:
        yield cut(round(end - spans[0][0], SAME), axis.far, [spans[0][0]])
    pitches = [(round(b[0] - a[0], SAME), b[0]) for a, b in pairwise(spans)]
    for pitch, group in groupby(pitches, key=itemgetter(0)):
        places = [at for _, at in group]
        yield replace(cut(pitch, axis.near, places, len(places)), apart=True)
    nexts = [b[0] for b in spans[1:]] + [end]
    left = [(round(b - a, SAME), b) for (a, b), after in zip(spans, nexts, strict=True) if after > b + EPSILON]
    for width in dict.fromkeys(width for width, _ in left):
        places = [at for one, at in left if one == width]
        yield cut(width, axis.near, places, len(places))


def measures(made: StripPlan) -> set[float]:
    """Return all settings of the stop in mm."""
    inner = [measures(strip) for _, strip in made.strips]
    return {cut.measure for cut in made.cuts}.union(*inner)


def strokes(made: StripPlan) -> int:
    """Count the strokes of the blade if strips that are cut alike are cut as one stack."""
    return sum(cut.times if cut.apart else 1 for cut in made.cuts) + sum(strokes(strip) for _, strip in made.strips)


def numbered(made: StripPlan, prefix: str = "") -> Iterator[tuple[str, GuillotineCut]]:
    """Yield every cut with the number that it has in the text."""
    for step, cut in enumerate(made.cuts, 1):
        yield f"{prefix}{step}", cut
    for step, (_, strip) in enumerate(made.strips, len(made.cuts) + 1):
        yield from numbered(strip, f"{prefix}{step}.")


def plan_of(bed: Bed) -> StripPlan | None:
    """Plan the cuts of sheets that are cut alike; return None if straight cuts cannot part them."""
    return plan(bed.paper, bed.parts)


def bed_lines(bed: Bed, words: CutWords) -> list[str]:
    """Return the lines of text for sheets that are cut alike."""
    return list(_Writer(words).bed(bed))


def cut_plan(game: str, beds: Sequence[Bed], setup: Setup, words: CutWords) -> str:
    """Return the text of the cut plan for all sheets of a job."""
    title = words.title.format(game=game, paper=setup.paper.called(setup.words), size=setup.paper.measured)
    lines = [title, "", words.measure, words.waste]
    writer = _Writer(words)
    for bed in beds:
        lines += ["", *writer.bed(bed)]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class _Writer:
    """Writes cut plans in one language."""

    words: CutWords

    def bed(self, bed: Bed) -> Iterator[str]:
        """Yield the lines of text for sheets that are cut alike."""
        words = self.words
        sheets = (words.sheet if bed.first == bed.last else words.sheets).format(first=bed.first, last=bed.last)
        head = words.bed.format(sheets=sheets, title=bed.component, count=len(bed.outlines))
        yield words.folded.format(bed=head) if bed.folded else head
        made = plan_of(bed)
        if made is None:
            yield f"  {words.impossible}"
            return
        different = sorted(measures(made))
        listed = ", ".join(number(mm) for mm in different)
        yield "  " + words.measures.format(count=len(different), measures=listed, cuts=strokes(made))
        yield from self._steps(made, "  ", "")

    def _steps(self, made: StripPlan, indent: str, prefix: str) -> Iterator[str]:
        step = 0
        for step, cut in enumerate(made.cuts, 1):
            yield f"{indent}{prefix}{step}. {self._cut(cut)}"
        for count, strip in made.strips:
            step += 1
            which = self.words.strip if count == 1 else self.words.strips.format(count=count)
            yield f"{indent}{prefix}{step}. {which}"
            yield from self._steps(strip, indent + "   ", f"{prefix}{step}.")

    def _cut(self, cut: GuillotineCut) -> str:
        words = self.words
        edges = {Stop.LEFT: words.left, Stop.RIGHT: words.right, Stop.TOP: words.top, Stop.BOTTOM: words.bottom}
        said = edges[cut.stop].format(mm=number(cut.measure))
        if cut.times > 1:
            said += (words.times if cut.apart else words.for_strips).format(count=cut.times)
        return said + (words.again if cut.apart else "")
