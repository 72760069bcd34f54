"""Test that our own sheets are relayed without their how-to-make pages."""

import re

from tests.tools.read_pdf import OPENING, read, read_all


def test_how_to_make_page_of_our_own_sheets_is_left_out(starter, tmp_path, pnp):
    pack = starter("cards")
    built = pnp("build", pack, "-o", tmp_path / "built", "--paper", "a4")
    assert built.exit_code == 0, built.output
    (sheets,) = (tmp_path / "built").rglob("*-sheets-a4.pdf")
    first = [page for page in read_all(sheets) if OPENING.fullmatch(page.label)]
    assert first, "the file begins with its how-to-make page"
    result = pnp("relay", sheets, "-o", tmp_path / "out", "--paper", "letter")
    assert result.exit_code == 0, result.output
    assert "is a how-to-make page and is left out" in re.sub(r"\s+", " ", result.output)
    (relayed,) = (tmp_path / "out").rglob("*-sheets-letter.pdf")
    fronts = [page for page in read(sheets) if page.label.endswith("front")]
    relayed_fronts = [page for page in read(relayed) if page.label.endswith("front")]
    assert sum(len(page.forms) for page in relayed_fronts) == sum(
        len(page.forms) for page in fronts
    )
