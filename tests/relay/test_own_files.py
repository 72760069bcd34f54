"""Test that our own sheets are relayed without their how-to-make pages."""

import re

import pikepdf

from generator.base.units import roman
from tests.tools.foreign_pdfs import A4, MM, NAMES, POKER, Canvas, card, places
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
    assert re.search(
        r"(is a how-to-make page and is|are how-to-make pages and are) left out",
        re.sub(r"\s+", " ", result.output),
    )
    (relayed,) = (tmp_path / "out").rglob("*-sheets-letter.pdf")
    fronts = [page for page in read(sheets) if page.label.endswith("front")]
    relayed_fronts = [page for page in read(relayed) if page.label.endswith("front")]
    assert sum(len(page.forms) for page in relayed_fronts) == sum(
        len(page.forms) for page in fronts
    )


def test_every_how_to_make_page_is_left_out_where_there_are_many(tmp_path, pnp):
    plain = tmp_path / "plain.pdf"
    canvas = Canvas(str(plain), pagesize=A4)
    for _ in range(6):
        for (x, y), name in zip(places(A4, POKER, 3, 3), NAMES, strict=False):
            card(canvas, x, y, POKER[0] * MM, POKER[1] * MM, name)
        canvas.showPage()
    canvas.save()
    with pikepdf.open(plain) as pdf:
        pdf.docinfo["/Producer"] = "pnp 1"
        labels = [*map(roman, range(1, 6)), "1 front"]
        pdf.Root.PageLabels = pikepdf.Dictionary(
            Nums=[
                entry
                for number, label in enumerate(labels)
                for entry in (number, pikepdf.Dictionary(P=pikepdf.String(label)))
            ]
        )
        pdf.save(tmp_path / "own.pdf")
    result = pnp("relay", tmp_path / "own.pdf", "-o", tmp_path / "out", "--paper", "a4")
    output = re.sub(r"\s+", " ", result.output)
    assert "pages 1, 2, 3, 4, 5 are how-to-make pages and are left out" in output
    assert " 9 pieces" in output
