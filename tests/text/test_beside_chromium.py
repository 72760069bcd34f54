"""Compare lines of both directions with Chromium: places of characters, and appearance."""

import base64
import io
from html import escape
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from generator.text import bidi
from generator.text.shape import LetterStyle, shape_text
from generator.text.style import Align
from tests.tools.live_browser import Chromium

FONTS = Path(__file__).parents[1] / "data" / "fonts"
PX = 25.4 / 96
SIZE = 36 * PX
BOX = (5.0, 5.0, 150.0, 40.0)
WIDTH_PX = 620
HEIGHT_PX = 60

PHRASES = [
    "אש (HP) (3 מים)",
    "אש (HP 3) מים",
    "Draw אש (3 מים).",
    "Draw (אש) 3 (מים)!",
    "אש [HP (3) x] מים.",
    "(אש) HP (מים)",
    "HP (אש 3) HP",
    "אש 3–5 (HP)",
    "אש: 3 × (HP + 2)",
    "שים 12 אש, 3.5 HP!",
    "a (b אש c) מים",
    "אש {HP} <3>",
    '"אש" (HP), מים?',
    "12 אש (3/4)",
    "HP +2 (אש -1) 50%",
    "\u2067אש (HP)\u2069: 3",
    "see \u2068אש 1\u2069, \u2068HP 2\u2069",
    "a \u202bאש HP (3)\u202c b",
    "\u202eHP (3)\u202c אש",
    "\u202dאש (3)\u202c HP",
    "אש-HP-מים",
    "ירי (ב־3 HP) (או 4)",
]

PLACES = """async () => {
  await document.fonts.ready;
  const line = document.querySelector("p"), node = line.firstChild, box = line.getBoundingClientRect();
  return [...node.data].map((_, at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect().left - box.left;
  });
}"""


@pytest.fixture(scope="module")
def chromium():
    with Chromium(viewport={"width": WIDTH_PX, "height": HEIGHT_PX}) as browser:
        yield browser


def line_in_html(text, lang):
    font = base64.b64encode((FONTS / "pnp-test-hebrew.ttf").read_bytes()).decode()
    # `plaintext` takes the direction of the first letter, after rules P2 and P3.
    direction = "direction: rtl" if bidi.is_rtl_language(lang) else "unicode-bidi: plaintext"
    return (
        "<!doctype html><meta charset=utf-8><style>"
        f"@font-face {{font-family: t; src: url(data:font/ttf;base64,{font})}}"
        "body {margin: 0; background: #fff} p {margin: 0; font: 36px/60px t; white-space: pre; width: max-content}"
        f'</style><p style="{direction}" lang="{lang}">{escape(text)}</p>'
    )


def set_in_chromium(browser, tmp_path, text, lang):
    """Return the left edges (mm) of the characters, and the picture."""
    file = tmp_path / "line.html"
    file.write_text(line_in_html(text, lang), "utf-8")
    page = browser.open(file.as_uri())
    places = page.evaluate(PLACES)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("L")
    page.context.close()
    assert not browser.faults
    return [place * PX for place in places], picture


def places_in(block):
    """Return the characters of a block's runs from left to right, each with its left edge (mm)."""
    places = []
    for run in block.runs:
        level = bidi.levels(run.text, 0)[min(1, len(run.text) - 1)]
        text = bidi.strip_direction_codes(run.text)
        advances = shape_text(text, LetterStyle(run.font), bidi.direction(level)).advances
        x = run.x
        for character, advance in list(zip(text, advances, strict=True))[:: -1 if level % 2 else 1]:
            places.append((x, character))
            x += advance * run.size
    return sorted(places)


def ink_of(picture):
    """Return the ink of a picture, cut to its bounds."""
    ink = 255 - np.asarray(picture, dtype=float)
    columns, rows = (np.flatnonzero((ink > 64).any(axis=axis)) for axis in (0, 1))
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


@pytest.mark.browser
@pytest.mark.parametrize("lang", ["en", "he"])
@pytest.mark.parametrize("text", PHRASES)
def test_line_agrees_with_chromium_in_places_and_ink(chromium, put, drawer, tmp_path, text, lang):
    block = put(text, box=BOX, font="Pnp Test Hebrew", size=SIZE, lang=lang, align=Align.LEFT)
    theirs, picture = set_in_chromium(chromium, tmp_path, text, lang)
    codes = bidi.CONTROLS + " "
    expected = sorted(
        (x, character) for x, character in zip(theirs, text, strict=True) if character not in codes
    )
    ours = [(x - BOX[0], character) for x, character in places_in(block) if character != " "]
    assert [character for _, character in ours] == [character for _, character in expected]
    assert [x for x, _ in ours] == pytest.approx([x for x, _ in expected], abs=0.2)

    picture_of_block = drawer.picture(drawer.body(block), drawer.page(160, 50, 96))
    paper = Image.new("L", picture_of_block.size, 255)
    paper.paste(picture_of_block.convert("L"), mask=picture_of_block.getchannel("A"))
    a = ink_of(paper)
    b = ink_of(picture)
    assert a.shape == pytest.approx(b.shape, abs=2)
    high, wide = (min(sides) for sides in zip(a.shape, b.shape, strict=True))
    difference = np.abs(a[:high, :wide] - b[:high, :wide]).sum() / b.sum()
    assert difference < 0.5, difference
