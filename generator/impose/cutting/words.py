"""A cut plan as a page of text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.core.units import number
from generator.core.words import CutWords
from generator.impose.cutting.plan import GuillotineCut, Stop, StripPlan, measures, plan, strokes
from generator.impose.setup import Setup
from generator.impose.sheet import Bed


def cut_plan(game: str, beds: Sequence[Bed], setup: Setup, words: CutWords) -> str:
    """The plan for all sheets of a job."""
    size = f"{number(setup.paper.size.w)} x {number(setup.paper.size.h)} mm"
    title = words.title.format(game=game, paper=setup.paper.called(setup.words), size=size)
    lines, writer = [title, "", words.measure, words.waste], _Writer(words)
    for bed in beds:
        lines += ["", *writer.bed(bed)]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class _Writer:
    """Says what to cut in one language."""

    words: CutWords

    def bed(self, bed: Bed) -> Iterator[str]:
        """What is cut of sheets that are cut alike."""
        words = self.words
        sheets = (words.sheet if bed.first == bed.last else words.sheets).format(first=bed.first, last=bed.last)
        head = words.bed.format(sheets=sheets, title=bed.component, count=len(bed.outlines))
        yield words.folded.format(bed=head) if bed.folded else head
        made = plan(bed.paper, [outline.box for outline in bed.outlines])
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
