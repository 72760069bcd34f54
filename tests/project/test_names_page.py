"""Test that the page of names agrees with the program's tables."""

import runpy
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "docs" / "make_names.py"


def test_the_page_is_as_the_tables_are():
    made = runpy.run_path(str(SCRIPT))
    assert made["PAGE"].read_text("utf-8") == made["text"](), "run: python docs/make_names.py"
