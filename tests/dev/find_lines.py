"""Write the pages of quotations into the tables of the games' READMEs, after a change to the rules.

`python -m tests.dev.find_lines OUTPUT` reads `OUTPUT/<game>/*-rules.pdf` and, of other languages,
`*-rules-nl.pdf`. It prints quotations that it does not find, and leaves them for a person to correct.
"""

import re
import sys
from pathlib import Path

from tests.games.test_every_line import (
    ENGLISH,
    SECTION,
    TEMPLATES,
    Row,
    booklets,
    pages_with,
    rows,
    table,
    words_of,
)


def located(row: Row, booklet: list[str]) -> str:
    """Return the pages of a row: for each quotation its present page, or else the first page with it."""
    numbers: set[int] = set()
    for quotation in row.quotations:
        pages = pages_with(quotation, booklet)
        if not pages:
            sys.stdout.write(f"  nowhere: “{quotation}”\n")
        numbers |= pages & {*row.numbers} or {min(pages)} if pages else set()
    return ", ".join(map(str, sorted(numbers))) or row.pages


def update(game: str, language: str, folder: Path) -> None:
    """Write the pages of one booklet."""
    tail = f"-{language}" if language else ""
    (path,) = folder.glob(f"{game}/{game}-*-rules{tail}.pdf")
    booklet = words_of(path)
    readme = TEMPLATES / game / "README.md"
    before, section, remainder = readme.read_text("utf-8").partition(f"{SECTION}\n")
    columns = list(table(game)[0])
    column = columns.index(f"page ({language})" if language else "page")
    texts = iter([located(row, booklet) for row in rows(game, language)])
    lines = remainder.splitlines(keepends=True)
    row_count = 0
    for number, line in enumerate(lines):
        if line.startswith("## "):
            break
        if line.startswith("|"):
            row_count += 1
            if row_count > 2:
                cells = re.split(r"(?<=\|)", line.rstrip("\n"))
                cells[column + 1] = f" {next(texts)} |"
                lines[number] = "".join(cells) + "\n"
    readme.write_text(before + section + "".join(lines), "utf-8")


if __name__ == "__main__":
    for each, spoken in booklets():
        sys.stdout.write(f"{each} {spoken or ENGLISH}\n")
        update(each, spoken, Path(sys.argv[1]))
