"""Test that the chapter on printing shows every mode, with small pictures."""

import re
from pathlib import Path

from generator.base.paper import papers
from generator.impose.duplex import DUPLEX_MODES, TRAYS
from generator.impose.marks import MARK_STYLES
from generator.impose.plotter import REGISTRATIONS
from generator.pipeline.printing import MAKES

DOCS = Path(__file__).parents[3] / "docs"
TEXT = (DOCS / "printing.md").read_text("utf-8")


def test_chapter_on_printing_names_every_mode_mark_tray_paper_and_make():
    names = [*DUPLEX_MODES, *MARK_STYLES, *REGISTRATIONS, *TRAYS, *(row.name for row in papers())]
    names += [f"make: {name}" for name in MAKES if name != "piece"]
    assert not [name for name in names if not re.search(rf"\b{name}\b", TEXT)]


def test_chapter_on_printing_has_a_picture_of_every_duplex_mode():
    assert set(DUPLEX_MODES) <= set(re.findall(r"pictures/([\w-]+)\.png", TEXT))


def test_pictures_of_the_chapter_on_printing_are_below_150_kb():
    for name in re.findall(r"\((pictures/[^)]+)\)", TEXT):
        assert (DOCS / name).stat().st_size < 150_000
