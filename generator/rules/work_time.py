"""Estimate how long printing, cutting, folding and gluing a game take."""

from dataclasses import dataclass
from math import ceil

from generator.impose.sheet import Bed, Job
from generator.rules.sheet_cuts import number_lines

# Estimates of ours for one person at home; nobody was timed. A cut includes laying the ruler on its
# marks and two strokes through card; an outline is that of a token or a hexagon, cut with scissors.
PREPARING_MINUTES = 5.0
MINUTES_PER_SHEET = 1.0
MINUTES_PER_CUT = 2 / 3
MINUTES_PER_OUTLINE = 2 / 3
MINUTES_PER_FOLDED_PIECE = 8.0

# Estimates are rounded up to this.
STEP_MINUTES = 5


@dataclass(frozen=True)
class WorkTime:
    """Minutes for each part of the work, rounded up; `folding` includes gluing."""

    printing: int
    cutting: int
    folding: int

    @property
    def total(self) -> int:
        """The minutes of all parts."""
        return self.printing + self.cutting + self.folding


def estimate_time(job: Job, folded: int) -> WorkTime:
    """Return the time that a job takes; `folded` pieces are cut out, folded and glued."""
    cutting = sum((bed.last - bed.first + 1) * _time_sheet(bed) for bed in job.beds)
    return WorkTime(
        _round_up(PREPARING_MINUTES + MINUTES_PER_SHEET * len(job.sheets)),
        _round_up(cutting),
        _round_up(MINUTES_PER_FOLDED_PIECE * folded),
    )


def _time_sheet(bed: Bed) -> float:
    """Return the minutes in which a sheet is cut: with a ruler, or piece by piece."""
    cuts = number_lines(bed)
    round_pieces = sum(not outline.is_box or outline.is_circle for outline in bed.outlines)
    return MINUTES_PER_CUT * len(cuts) + MINUTES_PER_OUTLINE * (
        round_pieces if cuts else len(bed.outlines)
    )


def _round_up(minutes: float) -> int:
    return STEP_MINUTES * ceil(minutes / STEP_MINUTES)
