"""Renumber the pages that the packs' READMEs name, after the booklets have changed.

Run `python -m tests.dev.renumber_readme_pages [GAME …]`. Each quotation keeps its page if it still
stands there, and otherwise gets the first page that has it.
"""

import sys
import tempfile
from pathlib import Path

from click.testing import CliRunner

from generator.cli import main
from tests.games.test_every_line import TEMPLATES, Row, booklets, pages_with, rows, words_of


def read_booklet(game: str, language: str, folder: Path) -> list[str]:
    """Build the rules of a game and return the text of each page."""
    chosen = ("--lang", language) if language else ()
    folder = folder / (language or "en")
    result = CliRunner().invoke(
        main, ["build", game, *chosen, "--what", "rules", "-o", str(folder)], catch_exceptions=False
    )
    if result.exit_code:
        raise SystemExit(result.output)
    (path,) = (folder / game).glob(f"{game}-*-rules{language and '-'}{language}.pdf")
    return words_of(path)


def new_pages(row: Row, booklet: list[str]) -> str:
    """Return the cell of the pages on which a row's quotations stand."""
    found = set()
    for quotation in row.quotations:
        there = pages_with(quotation, booklet)
        if not there:
            print(f"on no page: “{quotation}”")
            return row.pages
        found.add(min(there & {*row.numbers} or there))
    return ", ".join(map(str, sorted(found))) or "–"


def renumber(game: str, language: str, folder: Path) -> None:
    """Write the pages of one language into a game's README."""
    readme = TEMPLATES / game / "README.md"
    text = readme.read_text("utf-8")
    booklet = read_booklet(game, language, folder)
    for row in rows(game, language):
        cells = f"| {row.where} | {{}} |"
        text = text.replace(cells.format(row.pages), cells.format(new_pages(row, booklet)))
    readme.write_text(text, "utf-8")


if __name__ == "__main__":
    games = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for game, language in booklets():
            if not games or game in games:
                renumber(game, language, Path(folder))
