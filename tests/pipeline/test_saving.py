"""Little ink for any pack: tints on fronts and backs, words that stay legible."""

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
    """Return the usual and the low-ink sheets of dark cards with a light word, and the second build's output."""
    pack = shutil.copytree("tests/data/packs/flip", tmp_path_factory.mktemp("pack") / "flip")
    (pack / "layouts" / "front.yaml").write_text(FRONT, "utf-8")
    (pack / "layouts" / "back.yaml").write_text('- fill: "#204080"\n', "utf-8")
    args = ("build", pack, "--paper", "a4", "-o", pack / "out")
    whole = pnp(*args, "--what", "sheets")
    light = pnp(*args, "--low-ink")
    assert whole.exit_code == light.exit_code == 0, light.output
    folder = pack / "out" / "flip"
    return folder / "flip-1-sheets-a4.pdf", folder / "flip-1-sheets-a4-low-ink.pdf", light.output


def card(path, page):
    """The pixels of the first card of a page."""
    clip = read(path)[page].forms[0].clip
    left, top, wide, high = (round(mm * 72 / 25.4) for mm in clip)
    return render(path, page, 72)[top + 12 : top + high - 12, left + 12 : left + wide - 12]


def ink(path, page):
    return float(np.mean(255 - card(path, page).min(axis=2))) / 255


def test_it_takes_less_than_half_of_the_ink(builds):
    whole, light, _ = builds
    assert ink(light, 0) < 0.5 * ink(whole, 0)
    assert ink(whole, 1) > 0.8


def test_words_that_were_light_on_dark_are_dark_on_light(builds):
    _, light, _ = builds
    pixels = card(light, 0)
    assert pixels.min() < 90
    assert np.median(pixels.min(axis=2)) > 120
    document = pypdfium2.PdfDocument(light)
    assert "Castle" in document[0].get_textpage().get_text_bounded()
    document.close()


def test_colours_that_differ_still_do(builds):
    _, light, _ = builds
    seen, counts = np.unique(card(light, 0).reshape(-1, 3), axis=0, return_counts=True)
    ground = seen[np.argsort(counts)[-1]]
    box = seen[np.argsort(counts)[-2]]
    assert abs(ground - box).max() > 40


def test_backs_become_tints_like_fronts(builds):
    """A back may be played: nothing on it becomes an outline or transparent."""
    whole, light, _ = builds
    assert 0.3 * ink(whole, 1) < ink(light, 1) < 0.5 * ink(whole, 1)


def test_it_stands_beside_the_whole_and_makes_no_release(builds):
    whole, light, said = builds
    assert whole.exists()
    assert light.exists()
    assert sorted(path.suffix for path in light.parent.iterdir()) == [".pdf", ".pdf"]
    assert "release" not in said
