"""Test drafts: they print despite problems, mark them on the pieces, and are labelled as drafts."""

import numpy as np
import pytest

from tests.tools.make_pack import make, svg
from tests.tools.read_pdf import read, render

LAYOUT = """\
- {text: $title, style: body, box: 8 8 24 5mm}
- {svg: art/$art.svg, box: 14 22 12 12mm}
- {icon: $icon, at: 36 36mm, size: 4mm}
"""
TABLE = """\
id,title,art,icon
good,Fine,tree,star
long,Far too many words for a box that is so small,tree,star
bare,Fine,lost,star
odd,Fine,tree,stat
last,Good,tree,star
"""
GREEN = svg('<rect width="10" height="10" fill="#00a000"/>')
FAULTY = [False, True, True, True, False]
DPI = 100


@pytest.fixture
def pack(tmp_path):
    return make(
        tmp_path / "deck", LAYOUT, TABLE, files={"art/tree.svg": GREEN, "art/icons/star.svg": GREEN}
    )


def slots_with_red_corner(path):
    """Return for each slot, row by row, True if it has a red corner."""
    page = read(path)[0]
    picture = render(path, 0, DPI)
    red = (picture[..., 0] > 180) & (picture[..., 1] < 60) & (picture[..., 2] < 60)
    forms = sorted(page.forms, key=lambda form: (round(form.y), form.x))
    scale = DPI / 25.4
    corners = [(round((f.x - 17) * scale), round((f.y - 17) * scale)) for f in forms]
    marked = [bool(red[y, x]) for x, y in corners]
    for form in forms:
        x = round((form.x - 23) * scale)
        y = round((form.y - 23) * scale)
        red[y : y + round(46 * scale), x : x + round(46 * scale)] = False
    assert not np.any(red), "ink of a mark outside the pieces"
    return marked


def test_draft_marks_faulty_pieces_and_no_others(pnp, pack, tmp_path):
    result = pnp("build", pack, "-o", tmp_path / "out", "--draft", "--paper", "a4")
    assert result.exit_code == 4
    (file,) = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert file.name == "deck-1-draft-sheets-a4.pdf"
    assert slots_with_red_corner(file) == FAULTY
    page = read(file)[0]
    assert "Small 1 DRAFT" in page.text
    for words in ("Fartoomany", "forabox", "textdoesnotfit", "svgmissing", "iconmissing"):
        assert words in "".join(page.text.split())
    for message in (
        "cards:long",
        "too tall for its box",
        "no file 'art/lost.svg'",
        "unknown icon 'stat'",
        "red corner",
    ):
        assert message in result.output
    assert "cards:good" not in result.output


def test_draft_names_layers_whose_kind_has_no_value(pnp, tmp_path):
    pack = make(tmp_path / "frames", "- frame: {inset: 30mm, stroke: 1mm red}\n")
    result = pnp("build", pack, "-o", tmp_path / "out", "--draft", "--paper", "a4")
    assert result.exit_code == 4
    (file,) = (tmp_path / "out").rglob("*.pdf")
    assert "framecannotbedrawn" in "".join(read(file)[0].text.split())


def test_draft_mark_of_a_round_piece_lies_on_the_piece(pnp, tmp_path):
    round_pack = make(
        tmp_path / "tokens",
        '- {text: ":lost: $id", style: body, box: 8 25 20 5mm}\n',
        size="circle 40mm",
    )
    result = pnp("build", round_pack, "-o", tmp_path / "out", "--draft", "--paper", "a4")
    assert result.exit_code == 4
    (file,) = (tmp_path / "out").rglob("*.pdf")
    token = read(file)[0].forms[0]
    x, y = ((middle - 12.5) * DPI / 25.4 for middle in (token.x, token.y))
    red, green, blue = render(file, 0, DPI)[round(y), round(x)]
    assert red > 180
    assert max(green, blue) < 60
    assert "textcannotbedrawn" in "".join(read(file)[0].text.split())


def test_faulty_pack_without_draft_option_writes_nothing(pnp, pack, tmp_path):
    result = pnp("build", pack, "-o", tmp_path / "out", "--paper", "a4")
    assert result.exit_code in {3, 5}
    assert not list((tmp_path / "out").rglob("*.*"))


def test_draft_of_a_sound_pack_exits_with_0_and_is_labelled(pnp, tmp_path):
    pack = make(tmp_path / "deck")
    result = pnp("build", pack, "-o", tmp_path / "out", "--draft", "--paper", "a4")
    assert result.exit_code == 0, result.output
    (file,) = (tmp_path / "out").rglob("*.pdf")
    assert "-draft-" in file.name
    assert "Small 1 DRAFT" in read(file)[0].text


@pytest.mark.parametrize("output", ["release", "rules", "gallery"])
def test_draft_of_other_outputs_than_sheets_is_refused(pnp, pack, tmp_path, output):
    result = pnp("build", pack, "-o", tmp_path / "out", "--draft", "--what", output)
    assert result.exit_code == 2
    assert "draft" in result.output
    assert not (tmp_path / "out").exists()
