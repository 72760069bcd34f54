"""On which sheets of a job something lies, on which pages of its file these are, and how that is said."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from generator.impose.sheet import Job


def sheets_of(job: Job, components: Collection[str]) -> set[int]:
    """The numbers of the sheets on which pieces of some components lie, by their ids."""
    return {
        number
        for number, sheet in enumerate(job.sheets, 1)
        if any(placed.piece.partition(":")[0] in components for placed in sheet.front.placed)
    }


def pages_of(job: Job, sheets: Collection[int], before: int) -> list[int]:
    """The pages of those sheets, in the first file where there are two, after so many that stand before them.

    A page's label begins with the number of its sheet.
    """
    pages = job.parts[0].pages
    return [before + at for at, page in enumerate(pages, 1) if int(page.side.label.split()[0]) in sheets]


@dataclass(frozen=True)
class Counted:
    """What one of them is called, and several."""

    one: str
    many: str

    def said(self, numbers: Sequence[int]) -> str:
        """`page 2`, `pages 2–4, 7`; the numbers are sorted."""
        runs: list[list[int]] = []
        for at in numbers:
            if runs and runs[-1][-1] == at - 1:
                runs[-1].append(at)
            else:
                runs.append([at])
        told = ", ".join(f"{run[0]}" if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
        return f"{self.one if len(numbers) == 1 else self.many}\N{NO-BREAK SPACE}{told}"
