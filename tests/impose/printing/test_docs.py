"""The chapter on printing shows every mode, with pictures that are there and small."""

import re
from pathlib import Path

from generator.base.paper import papers
from generator.impose.cutting.machines import REGISTRATIONS
from generator.impose.duplex import DUPLEX_MODES, TRAYS
from generator.impose.marks.styles import MARK_STYLES
from generator.pipeline.printing import MAKES

DOCS = Path(__file__).parents[3] / "docs"
TEXT = (DOCS / "printing.md").read_text("utf-8")


def test_every_row_of_the_tables_is_in_the_chapter():
    names = [*DUPLEX_MODES, *MARK_STYLES, *REGISTRATIONS, *TRAYS, *(row.name for row in papers())]
    names += [f"make: {name}" for name in MAKES if name != "piece"]
    assert not [name for name in names if not re.search(rf"\b{name}\b", TEXT)]


def test_every_mode_has_a_picture():
    assert set(DUPLEX_MODES) <= set(re.findall(r"pictures/([\w-]+)\.png", TEXT))


def test_pictures_are_there_and_small():
    for name in re.findall(r"\((pictures/[^)]+)\)", TEXT):
        assert (DOCS / name).stat().st_size < 150_000
