"""Test the table in each README that shows where the booklet covers the original rules."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import pytest
import yaml

from tests.tools.read_rules import shown_figures

TEMPLATES = Path(__file__).parents[2] / "templates"
GAMES = sorted(path.parent.name for path in TEMPLATES.glob("*/game.yaml"))
SECTION = "## Where the booklet covers each line of the original"
ENGLISH = ""


@dataclass(frozen=True)
class Row:
    """A line of the original, and its place in the booklet of one language.

    Lines that the booklet leaves out have no pages.
    """

    original: str
    where: str
    pages: str

    @property
    def numbers(self) -> list[int]:
        return [] if self.pages == "–" else [int(number) for number in self.pages.split(", ")]

    @property
    def quotations(self) -> list[str]:
        return re.findall("“([^”]+)”", self.where)

    @property
    def figures(self) -> list[str]:
        return re.findall("`([^`]+)`", self.where)

    @property
    def words(self) -> str:
        """Return the text that is neither a quotation nor a figure."""
        return re.sub("“[^”]*”|`[^`]*`", "", self.where)


def table(game: str) -> list[dict[str, str]]:
    text = (TEMPLATES / game / "README.md").read_text("utf-8")
    lines = text.partition(f"{SECTION}\n")[2].partition("\n## ")[0].splitlines()
    head, _, *rows = [
        [cell.strip() for cell in line.strip("| ").split("|")] for line in lines if line[:1] == "|"
    ]
    return [dict(zip(head, row, strict=True)) for row in rows]


def rows(game: str, language: str) -> list[Row]:
    mark = language and f" ({language})"
    names = ("in the original", f"in the booklet{mark}", f"page{mark}")
    return [Row(*(row[name] for name in names)) for row in table(game)]


def booklets() -> Iterator[tuple[str, str]]:
    """Yield every game in English and in each language of its rules."""
    for game in GAMES:
        yield game, ENGLISH
        yield from ((game, path.suffixes[0][1:]) for path in TEMPLATES.glob(f"{game}/rules.*.md"))


each_booklet = pytest.mark.parametrize(("game", "language"), list(booklets()))


@pytest.fixture(scope="session")
def pages(printed):
    """Return a function that gives the text of each page: `pages("hydras", "")`."""
    read = {}

    def once(game: str, language: str) -> list[str]:
        if (game, language) not in read:
            folder = printed(game, *(("--lang", language) if language else ()))
            (path,) = folder.glob(f"{game}-*-rules{language and '-'}{language}.pdf")
            read[game, language] = words_of(path)
        return read[game, language]

    return once


def words_of(path: Path) -> list[str]:
    with pypdfium2.PdfDocument(path) as document:
        return [plain(page.get_textpage().get_text_bounded()) for page in document]


def plain(text: str) -> str:
    """Return the text without hyphens, since those at line ends may be added, and line breaks."""
    unhyphenated = re.sub(r"[-\u00ad\u0002\ufffe]\s*", "", text)
    return " ".join(unhyphenated.split())


def faults(row: Row, booklet: list[str]) -> Iterator[str]:
    """Yield the faults of a row."""
    pages_by_quotation = {quotation: pages_with(quotation, booklet) for quotation in row.quotations}
    for quotation, there in pages_by_quotation.items():
        if not there & {*row.numbers}:
            yield f"{row.original}: “{quotation}” stands on {sorted(there) or 'no page'}, not on {row.pages}"
    for number in row.numbers:
        if not any(number in there for there in pages_by_quotation.values()):
            yield f"{row.original}: nothing of it stands on page {number}"


def pages_with(quotation: str, booklet: list[str]) -> set[int]:
    return {number for number, words in enumerate(booklet, 1) if plain(quotation) in words}


@each_booklet
def test_every_quotation_in_readme_stands_on_its_page(pages, game, language):
    booklet = pages(game, language)
    assert rows(game, language)
    messages = [fault for row in rows(game, language) for fault in faults(row, booklet)]
    assert not messages, "\n".join(messages)


@each_booklet
def test_every_row_has_quotations_or_a_reason(game, language):
    """Expect a heading and a quotation in each row that names a page,

    and a reason in each other row.
    """
    text = (TEMPLATES / game / (f"rules.{language}.md" if language else "rules.md")).read_text(
        "utf-8"
    )
    headings = [
        line.lstrip("# ").partition(" {#")[0] for line in text.splitlines() if line.startswith("#")
    ]
    table_rows = rows(game, language)
    assert len(table_rows) > 20
    for row in table_rows:
        assert row.original
        assert bool(row.quotations) == bool(row.numbers), row
        assert row.words, row
        if row.numbers:
            assert any(heading in row.words for heading in headings), row


@each_booklet
def test_every_figure_named_in_readme_is_in_the_rules(game, language):
    text = (TEMPLATES / game / (f"rules.{language}.md" if language else "rules.md")).read_text(
        "utf-8"
    )
    known = yaml.safe_load((TEMPLATES / game / "figures.yaml").read_text("utf-8"))
    assert {name for row in rows(game, language) for name in row.figures} <= {
        *shown_figures(text)
    } & {*known}
