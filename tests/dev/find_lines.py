"""Write the pages of quotations into the tables of the games' READMEs, after a change to the rules.

`python -m tests.dev.find_lines OUTPUT` reads `OUTPUT/<game>/*-rules.pdf` and, of other languages,
`*-rules-nl.pdf`. A quotation that stands nowhere is said, and left for a person to mend.
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
    """The pages of a row: of each quotation the one it had, or else the first it stands on."""
    found: set[int] = set()
    for quotation in row.quotations:
        there = pages_with(quotation, booklet)
        if not there:
            sys.stdout.write(f"  nowhere: “{quotation}”\n")
        found |= there & {*row.numbers} or {min(there)} if there else set()
    return ", ".join(map(str, sorted(found))) or row.pages


def update(game: str, language: str, folder: Path) -> None:
    """Write the pages of one booklet."""
    tail = f"-{language}" if language else ""
    (path,) = folder.glob(f"{game}/{game}-*-rules{tail}.pdf")
    booklet = words_of(path)
    readme = TEMPLATES / game / "README.md"
    before, section, rest = readme.read_text("utf-8").partition(f"{SECTION}\n")
    head = list(table(game)[0])
    column = head.index(f"page ({language})" if language else "page")
    wanted = iter([located(row, booklet) for row in rows(game, language)])
    lines = rest.splitlines(keepends=True)
    seen = 0
    for number, line in enumerate(lines):
        if line.startswith("## "):
            break
        if line.startswith("|"):
            seen += 1
            if seen > 2:
                cells = re.split(r"(?<=\|)", line.rstrip("\n"))
                cells[column + 1] = f" {next(wanted)} |"
                lines[number] = "".join(cells) + "\n"
    readme.write_text(before + section + "".join(lines), "utf-8")


if __name__ == "__main__":
    for each, spoken in booklets():
        sys.stdout.write(f"{each} {spoken or ENGLISH}\n")
        update(each, spoken, Path(sys.argv[1]))
