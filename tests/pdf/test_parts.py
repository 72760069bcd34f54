"""A file of many pages has once what they have alike, and reads as it is laid out."""

from pathlib import Path

import pikepdf
import pytest
from reading import clean_save, fonts, read

DECK = Path(__file__).parents[1] / "packs" / "flip"


@pytest.fixture
def build(pnp, tmp_path):
    def make(copies, *args):
        folder = tmp_path / str(copies)
        result = pnp("build", DECK, "--what", "sheets", "--paper", "a4", "--copies", str(copies), "-o", folder, *args)
        assert result.exit_code == 0, result.output
        return next(folder.rglob("*.pdf"))

    return make


@pytest.mark.parametrize("mode", ["long-edge", "gutterfold"])
def test_each_face_is_there_once_over_all_pages(build, mode):
    file = build(9, "--duplex", mode)
    pages, forms = read(file), {}
    assert len(pages) > 8
    for page in pages:
        for form in page.forms:
            forms.setdefault(form.name, set()).add(form.form)
    assert all(len(objects) == 1 for objects in forms.values())
    assert all(fonts(file).values())
    clean_save(file)


def test_pages_differ_by_their_footer_alone(build):
    """Of the same slots: the faces, the marks and the ruler are in the file once, in the place of each page."""
    with pikepdf.open(build(30)) as pdf:
        fronts = [page.obj.Contents for page in pdf.pages][4:20:4]
        shared = set.intersection(*({part.objgen for part in contents} for contents in fronts))
        assert len(shared) >= len(fronts[0]) - 2
        assert all(len(part.read_bytes()) < 400 for contents in fronts for part in contents[-1:])


def test_more_copies_hardly_make_a_larger_file(build):
    few, many = build(3), build(90)
    pages = len(read(many)) - len(read(few))
    assert (many.stat().st_size - few.stat().st_size) / pages < 700
