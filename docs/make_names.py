"""Writes `names.md`, all names for packs and commands, from the program's own tables.

`python docs/make_names.py`; a test fails if the page is out of date.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from generator.base.paper import papers
from generator.base.shapes import SHAPES
from generator.base.units import number
from generator.board.counting import COUNTS
from generator.board.matching_rules import RULES
from generator.draw.links.patterns import PATTERNS
from generator.export.targets import TARGETS
from generator.impose.duplex import DUPLEX_MODES, TRAYS
from generator.impose.marks import MARK_STYLES
from generator.impose.plotter import REGISTRATIONS
from generator.impose.precut import load_precut_sheets
from generator.pack.decks import sleeves, stocks
from generator.pack.sizes import named_sizes
from generator.pdf.press.profile import PROFILES

PAGE = Path(__file__).parent / "names.md"
HEAD = """# Names

All names that you can use in a pack or in a command, with their meanings. `python docs/make_names.py` writes this page
from the tables that the program itself reads, so the page is always up to date.
"""


def text() -> str:
    """Return the text of the page."""
    sizes = {row.name: f"{row.title}, {_mm(row.size)}" for row in named_sizes().values()}
    sheets = {row.name: f"{row.title}, {_mm(row.size)}" for row in papers()}
    cut = {name: f"{row.title}, {row.paper.title}" for name, row in load_precut_sheets().items()}
    profiles = PROFILES
    parts = (
        ("Sizes of components", "`size:`", sizes),
        (
            "Shapes of components",
            "`size:`, with a length after it",
            {name: row.what for name, row in SHAPES.items()},
        ),
        ("Papers", "`paper:` and `--paper`", sheets),
        (
            "Duplex modes",
            "`duplex:` and `--duplex`",
            {name: row.summary for name, row in DUPLEX_MODES.items()},
        ),
        ("Trays", "`--tray`", TRAYS),
        (
            "Cut marks",
            "`marks:` and `--marks`",
            {name: row.summary for name, row in MARK_STYLES.items()},
        ),
        (
            "Cutting machines",
            "`--cutter`",
            {name: row.summary for name, row in REGISTRATIONS.items()},
        ),
        ("Targets", "`pnp export`", {name: row.what for name, row in TARGETS.items()}),
        (
            "Pre-cut sheets",
            "`--template`",
            cut,
        ),
        (
            "Profiles of presses",
            "`--profile`",
            profiles,
        ),
        (
            "Sleeves",
            "the output of `pnp check`",
            {name: row.title for name, row in sleeves().items()},
        ),
        (
            "Papers and cards to print on",
            "`stock:`",
            {name: row.title for name, row in stocks().items()},
        ),
        (
            "Patterns of links",
            "`pattern:`",
            {name: row.description for name, row in PATTERNS.items()},
        ),
        ("Rules of matching", "`matching:`", {name: row.meaning for name, row in RULES.items()}),
        ("Counts", "`count:`", {name: row.meaning for name, row in COUNTS.items()}),
    )
    return "\n".join([HEAD, *(_part(title, where, rows) for title, where, rows in parts)])


def _part(title: str, where: str, rows: Mapping[str, str]) -> str:
    lines: Iterable[str] = (f"| `{name}` | {what} |" for name, what in rows.items())
    return "\n".join(
        [f"## {title}", "", f"In {where}.", "", "| name | what it is |", "|---|---|", *lines, ""]
    )


def _mm(size: tuple[float, float]) -> str:
    return f"{number(size[0])} × {number(size[1])} mm"


if __name__ == "__main__":
    PAGE.write_text(text(), "utf-8")
