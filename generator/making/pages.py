"""Name the sheets and the pages on which components are printed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from generator.impose.sheet import Job


def sheets_of(job: Job, components: Collection[str]) -> set[int]:
    """Return the numbers of the sheets with pieces of some components, given by their ids."""
    return {
        number
        for number, sheet in enumerate(job.sheets, 1)
        if any(placed.piece.partition(":")[0] in components for placed in sheet.front.placed)
    }


def pages_of(job: Job, sheets: Collection[int], before: int) -> list[int]:
    """Return the pages of some sheets in the file; `before` pages precede the first sheet.

    Of two files, the pages are those of the first. A page's label begins with the number of its sheet.
    """
    pages = job.parts[0].pages
    return [before + at for at, page in enumerate(pages, 1) if int(page.side.label.split()[0]) in sheets]


@dataclass(frozen=True)
class Counter:
    """The singular and the plural of a counted noun, such as page and pages."""

    singular: str
    plural: str

    def format_numbers(self, numbers: Sequence[int]) -> str:
        """Return sorted numbers as text, such as `page 2` or `pages 2–4, 7`."""
        runs: list[list[int]] = []
        for at in numbers:
            if runs and runs[-1][-1] == at - 1:
                runs[-1].append(at)
            else:
                runs.append([at])
        text = ", ".join(f"{run[0]}" if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
        return f"{self.singular if len(numbers) == 1 else self.plural}\N{NO-BREAK SPACE}{text}"
