"""Test that the page of names agrees with the program's tables."""

import runpy
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "docs" / "make_names.py"


def test_page_of_names_agrees_with_the_tables():
    script = runpy.run_path(str(SCRIPT))
    assert script["PAGE"].read_text("utf-8") == script["text"](), "run: python docs/make_names.py"
