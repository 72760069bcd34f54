"""The sheets of a game of ours are relayed without the pages that say how it is made."""

import re

from tests.tools.read_pdf import OPENING, read, whole


def test_how_a_game_is_made_is_no_piece(starter, tmp_path, pnp):
    pack = starter("cards")
    built = pnp("build", pack, "-o", tmp_path / "built", "--paper", "a4")
    assert built.exit_code == 0, built.output
    (sheets,) = (tmp_path / "built").rglob("*-sheets-a4.pdf")
    first = [page for page in whole(sheets) if OPENING.fullmatch(page.label)]
    assert first, "the sheets begin with the page on how they are made"
    result = pnp("relay", sheets, "-o", tmp_path / "out", "--paper", "letter")
    assert result.exit_code == 0, result.output
    assert "is a how-to-make page and is left out" in re.sub(r"\s+", " ", result.output)
    (relayed,) = (tmp_path / "out").rglob("*-sheets-letter.pdf")
    fronts = [page for page in read(sheets) if page.label.endswith("front")]
    found = [page for page in read(relayed) if page.label.endswith("front")]
    assert sum(len(page.forms) for page in found) == sum(len(page.forms) for page in fronts)
