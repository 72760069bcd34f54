"""Test that a file of many pages stores shared parts once."""

from pathlib import Path

import pikepdf
import pytest

from tests.tools.read_pdf import OPENING, clean_save, fonts, read

DECK = Path(__file__).parents[1] / "data" / "packs" / "flip"


@pytest.fixture
def build(pnp, tmp_path):
    def make(copies, *args):
        folder = tmp_path / str(copies)
        result = pnp(
            "build",
            DECK,
            "--what",
            "sheets",
            "--paper",
            "a4",
            "--copies",
            str(copies),
            "-o",
            folder,
            *args,
        )
        assert result.exit_code == 0, result.output
        return next(folder.rglob("*.pdf"))

    return make


@pytest.mark.parametrize("mode", ["long-edge", "gutterfold"])
def test_pages_share_one_form_of_each_face(build, mode):
    file = build(9, "--duplex", mode)
    pages = read(file)
    forms = {}
    assert len(pages) > 8
    for page in pages:
        for form in page.forms:
            forms.setdefault(form.name, set()).add(form.form)
    assert all(len(objects) == 1 for objects in forms.values())
    assert all(fonts(file).values())
    clean_save(file)


def test_pages_of_a_deck_differ_only_by_their_footer(build):
    """Faces, marks and ruler of equal slots are stored once for all pages."""
    file = build(30)
    fronts_read = read(file)[4:20:4]
    assert all(page.forms and page.strokes for page in fronts_read)
    with pikepdf.open(file) as pdf:
        fronts = [page for page in pdf.pages if not OPENING.fullmatch(page.label)][4:20:4]
        forms_of_pages = [
            {name: form.objgen for name, form in page.Resources.XObject.items()} for page in fronts
        ]
        assert len(forms_of_pages[0]) == 2, (
            "one form for the faces of a side, one for its marks and ruler"
        )
        assert all(page == forms_of_pages[0] for page in forms_of_pages)
        assert all(len(page.Contents.read_bytes()) < 600 for page in fronts)


def test_each_page_of_further_copies_adds_less_than_700_bytes(build):
    few = build(3)
    many = build(90)
    pages = len(read(many)) - len(read(few))
    assert (many.stat().st_size - few.stat().st_size) / pages < 700
