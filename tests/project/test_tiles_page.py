"""Test that the page of tile notation agrees with its pack, with a picture for each line."""

import runpy
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "docs" / "make_tiles.py"


def test_page_of_tiles_agrees_with_its_pack_and_pictures():
    script = runpy.run_path(str(SCRIPT))
    assert script["PAGE"].read_text("utf-8") == script["text"](), "run: python docs/make_tiles.py"
    pictures = {path.stem for path in (SCRIPT.parent / "pictures" / "tiles").glob("*.png")}
    assert pictures == {key for _, key, _, _ in script["rows"]()}
