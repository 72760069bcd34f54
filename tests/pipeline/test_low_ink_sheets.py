"""Test low-ink sheets of any pack: tints on fronts and backs, and legible words."""

import shutil

import numpy as np
import pypdfium2
import pytest

from tests.tools.read_pdf import read, render

FRONT = """\
- fill: "#101820"
- shape: {polygon: [[8, 8], [55, 8], [55, 38], [8, 38]], fill: "#b01030"}
- text: Castle
  box: [5, 45, 53, 14]
  style: word
  colour: "#ffffff"
"""


@pytest.fixture(scope="module")
def builds(pnp, tmp_path_factory):
    """Return the usual and the low-ink sheets of dark cards, and the output of the second build."""
    pack = shutil.copytree("tests/data/packs/flip", tmp_path_factory.mktemp("pack") / "flip")
    (pack / "layouts" / "front.yaml").write_text(FRONT, "utf-8")
    (pack / "layouts" / "back.yaml").write_text('- fill: "#204080"\n', "utf-8")
    args = ("build", pack, "--paper", "a4", "-o", pack / "out")
    usual = pnp(*args, "--what", "sheets")
    low_ink = pnp(*args, "--low-ink")
    assert usual.exit_code == low_ink.exit_code == 0, low_ink.output
    folder = pack / "out" / "flip"
    return folder / "flip-1-sheets-a4.pdf", folder / "flip-1-sheets-a4-low-ink.pdf", low_ink.output


def pixels_of_card(path, page):
    """Return the pixels of the first card of a page."""
    clip = read(path)[page].forms[0].clip
    left, top, wide, high = (round(mm * 72 / 25.4) for mm in clip)
    return render(path, page, 72)[top + 12 : top + high - 12, left + 12 : left + wide - 12]


def ink_of(path, page):
    return float(np.mean(255 - pixels_of_card(path, page).min(axis=2))) / 255


def test_low_ink_fronts_take_less_than_half_of_the_ink(builds):
    usual, low_ink, _ = builds
    assert ink_of(low_ink, 0) < 0.5 * ink_of(usual, 0)
    assert ink_of(usual, 1) > 0.8


def test_light_words_on_dark_become_dark_on_light(builds):
    _, low_ink, _ = builds
    pixels = pixels_of_card(low_ink, 0)
    assert pixels.min() < 90
    assert np.median(pixels.min(axis=2)) > 120
    document = pypdfium2.PdfDocument(low_ink)
    assert "Castle" in document[0].get_textpage().get_text_bounded()
    document.close()


def test_different_colours_stay_distinct_in_low_ink(builds):
    _, low_ink, _ = builds
    colours, counts = np.unique(
        pixels_of_card(low_ink, 0).reshape(-1, 3), axis=0, return_counts=True
    )
    background = colours[np.argsort(counts)[-1]]
    box = colours[np.argsort(counts)[-2]]
    assert abs(background - box).max() > 40


def test_low_ink_backs_become_tints_like_fronts(builds):
    """Some games play with backs up, so no fill of a back becomes an outline or transparent."""
    usual, low_ink, _ = builds
    assert 0.3 * ink_of(usual, 1) < ink_of(low_ink, 1) < 0.5 * ink_of(usual, 1)


def test_low_ink_sheets_stand_beside_the_usual_ones_without_a_release(builds):
    usual, low_ink, output = builds
    assert usual.exists()
    assert low_ink.exists()
    assert sorted(path.suffix for path in low_ink.parent.iterdir()) == [".pdf", ".pdf"]
    assert "release" not in output
