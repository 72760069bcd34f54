"""A file of more pages than ReportLab holds at a time is the same file."""

from pathlib import Path

import pytest
from reading import clean_save, fonts, read

from generator.pdf import sheets

DECK = Path(__file__).parents[1] / "packs" / "flip"


@pytest.fixture
def build(pnp, tmp_path, monkeypatch):
    def make(pages_at_a_time, *args):
        monkeypatch.setattr(sheets, "PART", pages_at_a_time)
        folder = tmp_path / str(pages_at_a_time)
        result = pnp("build", DECK, "--what", "sheets", "--paper", "a4", "--copies", "3", "-o", folder, *args)
        assert result.exit_code == 0, result.output
        return next(folder.rglob("*.pdf"))

    return make


@pytest.mark.parametrize("at_a_time", [1, 2, 3])
@pytest.mark.parametrize("mode", ["long-edge", "gutterfold"])
def test_pages_in_parts_read_as_in_one(build, at_a_time, mode):
    whole, parts = build(500, "--duplex", mode), build(at_a_time, "--duplex", mode)
    pages, again = read(whole), read(parts)
    assert len(pages) > 3
    for page, other in zip(pages, again, strict=True):
        assert (page.width, page.height, page.text, page.label) == (other.width, other.height, other.text, other.label)
        assert page.strokes == other.strokes
        assert [(form.name, form.x, form.y, form.turn, form.clip) for form in page.forms] == [
            (form.name, form.x, form.y, form.turn, form.clip) for form in other.forms
        ]
    assert all(fonts(parts).values())
    clean_save(parts)


def test_each_face_is_there_once_over_all_parts(build):
    forms = {form.name: set() for page in read(build(500)) for form in page.forms}
    for page in read(build(1)):
        for form in page.forms:
            forms[form.name].add(form.form)
    assert all(len(objects) == 1 for objects in forms.values())
