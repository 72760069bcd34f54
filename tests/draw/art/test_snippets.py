"""SVG, a row a feature: print, preview and the engine alone show the same, or a message says why not.

All of `snippets.txt` stands on one page, cell by cell, so that it is read, printed and drawn once. The rows at its end,
which the engines draw wrongly by themselves, are compared with Chromium too.
"""

import base64
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from resvg import render, usvg

from generator.base.geometry import Rect
from generator.draw.art.library import ArtShelf
from generator.draw.canvas import Canvas, Subject
from generator.pack.game import Asset
from generator.pack.icons import Icons
from generator.pack.sizes import parse_size
from generator.pack.tile import EMPTY_TILE
from generator.pdf.faces import compile_faces
from generator.picture.raster import Rasteriser
from tests.tools.live_browser import Chromium

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 40"'
UNITS = 40
PER_CELL = 8
ACROSS = 20
"""mm of a cell, and how many stand beside each other."""
PIXELS = 80
"""Of a cell."""
DPI = PIXELS / PER_CELL * 25.4
LEVELS = 40
MOST_PIXELS = 48
"""How many of 255 levels an engine may be off where it smooths an edge, and how many pixels may be off by more."""


def pixels(kind: str) -> str:
    buffer = io.BytesIO()
    image = Image.new("RGB", (4, 4), "#06c")
    image.paste("#fc0", (0, 0, 2, 2))
    image.paste("#c00", (2, 2, 4, 4))
    image.resize((40, 40), Image.Resampling.NEAREST).save(
        buffer, kind, **({"quality": 95} if kind == "JPEG" else {})
    )
    return base64.b64encode(buffer.getvalue()).decode()


def encode_svg(body: str) -> str:
    return base64.b64encode(f"{HEAD}>{body}</svg>".encode()).decode()


WORDS = {
    "png": pixels("PNG"),
    "jpeg": pixels("JPEG"),
    "svg": encode_svg('<circle cx="20" cy="20" r="18" fill="#06c"/>'),
    "svg_text": encode_svg('<text x="2" y="28" font-size="20" font-family="Alegreya">Ag</text>'),
}


@dataclass(frozen=True)
class Row:
    name: str
    body: str
    plain: str


def rows() -> dict[str, Row]:
    found: dict[str, Row] = {}
    text = (Path(__file__).parents[2] / "data" / "art" / "snippets.txt").read_text("utf-8")
    for word, data in WORDS.items():
        text = text.replace("{" + word + "}", data)
    for line in text.splitlines():
        name, _, body = line.partition(": ")
        if line.startswith("= "):
            last = list(found.values())[-1]
            found[last.name] = Row(last.name, last.body, line[2:])
        elif not line.startswith("#"):
            assert name not in found
            found[name] = Row(name, body, body)
    return found


ROWS = rows()
CASES = list(ROWS)[list(ROWS).index("style-comments") :]
DIFFERS = {
    "linear-repeat": "pdfium fills one row of pixels less where a gradient comes again",
    "linear-reflect": "pdfium fills one row of pixels less where a gradient comes again",
}
"""What print shows differently on a screen so coarse, and why that is right."""


@dataclass(frozen=True)
class Sheet:
    printed: np.ndarray
    shown: np.ndarray
    fonts: object

    def cell(self, picture: np.ndarray, name: str) -> np.ndarray:
        row, column = divmod(list(ROWS).index(name), ACROSS)
        return picture[row * PIXELS : (row + 1) * PIXELS, column * PIXELS : (column + 1) * PIXELS]


@pytest.fixture(scope="module")
def sheet(fonts, tmp_path_factory, array, printed):
    folder = tmp_path_factory.mktemp("snippets")
    down = -(-len(ROWS) // ACROSS)
    subject = Subject(
        parse_size(f"{ACROSS * PER_CELL} x {down * PER_CELL} mm"),
        0.0,
        EMPTY_TILE,
        {},
        {},
        fonts,
        Icons({}),
        "en",
    )
    canvas = Canvas(subject, ArtShelf())
    for number, row in enumerate(ROWS.values()):
        path = folder / f"{row.name}.svg"
        path.write_text(f"{HEAD}>{row.body}</svg>", "utf-8")
        y, x = divmod(number, ACROSS)
        canvas.art(Asset(path.name, path), Rect(x * PER_CELL, y * PER_CELL, PER_CELL, PER_CELL))
    face = canvas.face(mirrored=False)
    pages = compile_faces([face], fonts)
    page = pypdfium2.PdfDocument(printed([face], pages))[0]
    on_paper = array(page.render(scale=DPI / 72, fill_color=(255, 255, 255, 255)).to_pil())
    return Sheet(on_paper, array(Rasteriser(fonts).face(face, DPI)), fonts)


@pytest.fixture(scope="module")
def alone(fonts, array):
    options = usvg.Options.default()
    for file in fonts.files:
        options.load_font_data(file.path.read_bytes())

    def render_snippet(name):
        text = f'{HEAD} width="{PIXELS}" height="{PIXELS}">{ROWS[name].plain}</svg>'
        return array(
            Image.open(io.BytesIO(render(usvg.Tree.from_str(text, options), (1, 0, 0, 0, 1, 0))))
        )

    return render_snippet


def off(one: np.ndarray, other: np.ndarray) -> int:
    """Count the pixels of each picture whose colour the other does not have nearby."""
    return max(_beyond(one, other), _beyond(other, one))


def _beyond(one: np.ndarray, other: np.ndarray) -> int:
    padded = np.pad(other, ((1, 1), (1, 1), (0, 0)), mode="edge").astype(int)
    near = np.stack(
        [padded[y : y + len(one), x : x + len(one)] for y in range(3) for x in range(3)]
    )
    beyond = np.maximum(one - near.max(axis=0), near.min(axis=0) - one).max(axis=2)
    return int((beyond > LEVELS).sum())


def test_there_are_enough():
    assert len(ROWS) >= 300


@pytest.mark.parametrize("name", ROWS)
def test_print_and_preview_and_the_engine_agree(name, sheet, alone):
    shown = sheet.cell(sheet.shown, name)
    assert off(shown, alone(name)) <= MOST_PIXELS, "the preview shows what resvg makes of the file"
    apart = off(sheet.cell(sheet.printed, name), shown)
    assert (apart > MOST_PIXELS) == (name in DIFFERS), (
        "and print what the preview shows, but for what is known"
    )
    assert shown.min() < 230, "and it shows something"


@pytest.fixture(scope="module")
def in_chromium(fonts, array, tmp_path_factory):
    """Draw a row of the file as it is written, in a browser that has the fonts of the program."""
    folder = tmp_path_factory.mktemp("chromium")
    faces = "".join(
        f"@font-face {{font-family: Alegreya; font-weight: {file.weight}; src: url({file.path.resolve().as_uri()})}}"
        for file in fonts.files
        if file.family == "Alegreya" and not file.italic
    )

    def render_snippet(name):
        file = folder / f"{name}.html"
        svg = f'{HEAD} width="{PIXELS}" height="{PIXELS}">{ROWS[name].body}</svg>'
        style = f"<style>{faces} body {{margin: 0}} svg {{display: block}}</style>"
        file.write_text(f"<!doctype html><meta charset=utf-8>{style}{svg}", "utf-8")
        page = browser.open(file.as_uri())
        page.evaluate("document.fonts.ready")
        picture = Image.open(io.BytesIO(page.screenshot()))
        page.context.close()
        return array(picture)

    with Chromium(viewport={"width": PIXELS, "height": PIXELS}) as browser:
        yield render_snippet


@pytest.mark.browser
@pytest.mark.parametrize("name", CASES)
def test_print_and_preview_look_as_in_chromium(name, sheet, in_chromium):
    expected = in_chromium(name)
    assert off(sheet.cell(sheet.shown, name), expected) <= MOST_PIXELS
    assert off(sheet.cell(sheet.printed, name), expected) <= MOST_PIXELS
