"""A cut plan as a page of text."""

from collections.abc import Iterator, Sequence

from generator.impose.cutting.plan import Cut, Plan, measures, plan, strokes
from generator.impose.setup import Setup
from generator.impose.sheet import Bed
from generator.units import number

HEAD = (
    "Each measure is what stays between the stop and the blade. Lay the sheets with their fronts up.",
    "The part at the stop is kept; what lies beyond the blade is waste, unless it says 'again'.",
)


def cut_plan(title: str, beds: Sequence[Bed], setup: Setup) -> str:
    """The plan for all sheets of a job."""
    size = f"{number(setup.paper.size.w)} x {number(setup.paper.size.h)} mm"
    lines = [f"{title} – cut plan for {setup.paper.title}, {size}", "", *HEAD]
    for bed in beds:
        lines += ["", *_bed(bed)]
    return "\n".join(lines) + "\n"


def _bed(bed: Bed) -> Iterator[str]:
    sheets = f"Sheet {bed.first}" if bed.first == bed.last else f"Sheets {bed.first} to {bed.last}"
    folded = ", folded and glued" if bed.folded else ""
    yield f"{sheets}: {bed.component}, {len(bed.outlines)} on a sheet{folded}"
    made = plan(bed.paper, [outline.trim for outline in bed.outlines])
    if made is None:
        yield "  No straight cut passes between these; cut them one by one, or with a machine."
        return
    different = sorted(measures(made))
    listed = ", ".join(number(mm) for mm in different)
    yield f"  {len(different)} different measures: {listed} mm; {strokes(made)} cuts with strips stacked"
    yield from _steps(made, "  ", "")


def _steps(made: Plan, indent: str, prefix: str) -> Iterator[str]:
    step = 0
    for step, cut in enumerate(made.cuts, 1):
        yield f"{indent}{prefix}{step}. {_cut(cut)}"
    for count, strip in made.strips:
        step += 1
        yield f"{indent}{prefix}{step}. {'the strip' if count == 1 else f'each of {count} strips'}:"
        yield from _steps(strip, indent + "   ", f"{prefix}{step}.")


def _cut(cut: Cut) -> str:
    again = "; what is beyond goes in again" if cut.apart else ""
    many = "" if cut.times == 1 else f", {cut.times} times" if cut.apart else f", for {cut.times} strips"
    return f"{number(cut.measure)} mm, {cut.stop.value} edge at the stop{many}{again}"
