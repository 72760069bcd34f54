"""Papers to print on: the rows of `papers.toml`, and sizes, rolls and stocks as users write them."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files

from generator.base.errors import InvalidValueError, Kind, unknown
from generator.base.geometry import Size
from generator.base.ui_strings import SheetWords
from generator.base.units import length, lengths, number, parse_whole_number


class Orientation(StrEnum):
    """The orientation of a paper."""

    PORTRAIT = "portrait"
    LANDSCAPE = "landscape"


@dataclass(frozen=True)
class Paper:
    """A paper, in mm.

    `name` is fit for a file's name, `title` for a reader; `upright` is the title of a landscape
    paper's upright form. A roll is as long as the print needs; its height is the longest page that a
    file can have.
    """

    name: str
    title: str
    size: Size
    upright: str = ""
    is_roll: bool = False

    def title_in(self, words: SheetWords) -> str:
        """Return the title in a language."""
        return words.landscape.format(paper=self.upright) if self.upright else self.title

    def oriented(self, orientation: Orientation) -> "Paper":
        """Return the paper with its long side horizontal for landscape.

        Return it unchanged for portrait.
        """
        if orientation is Orientation.PORTRAIT or self.is_roll or self.size.w >= self.size.h:
            return self
        name = f"{self.name}-landscape"
        title = f"{self.title} landscape"
        return replace(
            self, name=name, title=title, size=Size(self.size.h, self.size.w), upright=self.title
        )

    @property
    def page(self) -> Size:
        """The size of a page of text: that of the paper, or A4 for a roll."""
        return paper("a4").size if self.is_roll else self.size

    @property
    def size_text(self) -> str:
        """The size as text."""
        width = f"{number(self.size.w)} mm"
        return width if self.is_roll else f"{number(self.size.w)} x {number(self.size.h)} mm"

    def cut_to(self, mm: float) -> "Paper":
        """Return a piece of the roll, so many mm long."""
        return replace(self, size=Size(self.size.w, mm))


@cache
def papers() -> tuple[Paper, ...]:
    """Return all papers of the table, in its order."""
    rows = tomllib.loads((files(__package__) / "papers.toml").read_text(encoding="utf-8"))
    return tuple(
        Paper(name, str(row["title"]), Size(float(row["width"]), float(row["height"])))
        for name, row in rows.items()
    )


MAX_PAGE_MM = 5000.0
"""The longest page of ours; one of a PDF may have 14,400 points, 5,080 mm (PDF 32000-1, annex C)."""

ROLL = "roll "


def paper(name: str) -> Paper:
    """Return the paper of a name, a size such as `210 x 297 mm`, or a roll such as `roll 610mm`.

    A size that is wider than high is landscape.
    """
    text = name.strip()
    if text.lower().startswith(ROLL):
        return _roll(text[len(ROLL) :])
    for row in papers():
        if row.name == text.lower():
            return row
    if text[:1].isdigit():
        return _custom(text)
    wrong = unknown("paper", name, [row.name for row in papers()])
    raise InvalidValueError(
        wrong.found, f"{wrong.expected}, or a size such as 210 x 297 mm", wrong.hint
    )


def _roll(text: str) -> Paper:
    width = length(text)
    if not 0 < width <= MAX_PAGE_MM:
        raise InvalidValueError(
            f"a roll cannot be {text.strip()} wide",
            f"a width of up to {number(MAX_PAGE_MM)} mm, such as roll 610mm",
        )
    return Paper(
        f"roll-{number(width)}mm",
        f"a roll of {number(width)} mm",
        Size(width, MAX_PAGE_MM),
        is_roll=True,
    )


def _custom(text: str) -> Paper:
    sides = lengths(text)
    if len(sides) != 2 or min(sides) <= 0:
        raise InvalidValueError(
            f"{text!r} is not a paper size", "a width and a height, such as 210 x 297 mm"
        )
    w, h = sides
    return Paper(f"{number(w)}x{number(h)}mm", f"{number(w)} × {number(h)} mm", Size(w, h))


MAX_PAPERS_IN_STOCK = 3
"""Largest number of papers of a stock; with more, to share pieces out among them would take long."""


@dataclass(frozen=True)
class PaperChoice:
    """The paper to print on.

    With `stock`, its share of several papers with a number of sheets each.
    """

    paper: Paper
    stock: tuple[tuple[Paper, int], ...] = ()

    @property
    def text(self) -> str:
        """The request as a user writes it: `a4`, or `a4:20,a3:5`."""
        return ",".join(f"{item.name}:{count}" for item, count in self.stock) or self.paper.name

    @property
    def title(self) -> str:
        """The title of the request: `a4`, or `a4 of a4:20,a3:5`."""
        return f"{self.paper.name} of {self.text}" if self.stock else self.paper.name


def parse_paper_choices(text: str) -> tuple[PaperChoice, ...]:
    """Parse a request for paper: `a4` gives one, the stock `a4:20,a3:5` one for each of its papers."""
    stock = _stock(text)
    return tuple(PaperChoice(item, stock) for item, _ in stock) or (PaperChoice(paper(text)),)


def check_unshared(papers: Iterable[PaperChoice], what: str) -> None:
    """Raise `InvalidValueError` if an output with one file for each paper is asked for on a stock of several."""
    for item in papers:
        if item.stock:
            found = f"{what} cannot be shared out among papers, which {item.text} asks for"
            raise InvalidValueError(found, "--paper a4, once for each paper", kind=Kind.USAGE)


def _stock(text: str) -> tuple[tuple[Paper, int], ...]:
    """Return the papers of a stock with their numbers of sheets.

    Nothing for the name of a single paper.
    """
    parts = [part.rpartition(":") for part in text.split(",")] if ":" in text else []
    counts: dict[Paper, int] = {}
    for row, _, count in parts:
        item = paper(row) if row.strip() else None
        sheets = parse_whole_number(count)
        if item is None or not sheets or item in counts:
            written = f"{row}:{count}" if row else count
            raise InvalidValueError(
                f"{written!r} in {text!r} gives no number of sheets",
                "a number for each paper, as in a4:20,a3:5",
            )
        if item.is_roll:
            raise InvalidValueError(
                f"{row!r} in {text!r} is a roll, which has no sheets to count",
                "papers, as in a4:20,a3:5",
            )
        counts[item] = sheets
    if len(counts) > MAX_PAPERS_IN_STOCK:
        raise InvalidValueError(
            f"{len(counts)} papers in {text!r}",
            f"at most {MAX_PAPERS_IN_STOCK} to share sheets out among",
        )
    return tuple(counts.items())
