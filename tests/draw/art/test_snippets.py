"""Test SVG snippets, one feature per row: print, preview and resvg alone agree.

All of `snippets.txt` stands on one page, cell by cell, so that it is rendered once. The rows at its end,
which engines alone render wrongly, are compared with Chromium too.
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
from generator.pack.folder import Asset
from generator.pack.icons import Icons
from generator.pack.sizes import parse_size
from generator.pack.tile import EMPTY_TILE
from generator.pdf import art_pages
from generator.pdf.faces import compile_faces
from generator.picture.raster import Rasteriser
from tests.tools.live_browser import Chromium

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 40"'
UNITS = 40
PER_CELL = 8
ACROSS = 20
"""Cells in a row of the page; a cell is 8 mm wide."""
PIXELS = 80
"""Pixels across a cell."""
DPI = PIXELS / PER_CELL * 25.4
LEVELS = 40
MOST_PIXELS = 48
"""Number of pixels of a cell that may differ by more than LEVELS of 255."""


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
    rows_by_name: dict[str, Row] = {}
    text = (Path(__file__).parents[2] / "data" / "art" / "snippets.txt").read_text("utf-8")
    for word, data in WORDS.items():
        text = text.replace("{" + word + "}", data)
    for line in text.splitlines():
        name, _, body = line.partition(": ")
        if line.startswith("= "):
            last = list(rows_by_name.values())[-1]
            rows_by_name[last.name] = Row(last.name, last.body, line[2:])
        elif not line.startswith("#"):
            assert name not in rows_by_name
            rows_by_name[name] = Row(name, body, body)
    return rows_by_name


ROWS = rows()
CASES = list(ROWS)[list(ROWS).index("style-comments") :]
DIFFERS = {
    "linear-repeat": "pdfium fills one row of pixels less where a gradient comes again",
    "linear-reflect": "pdfium fills one row of pixels less where a gradient comes again",
}
"""Rows whose print differs at this resolution, with the reason why that is right."""


@dataclass(frozen=True)
class Sheet:
    printed: np.ndarray
    rendered: np.ndarray

    def cell(self, picture: np.ndarray, name: str) -> np.ndarray:
        row, column = divmod(list(ROWS).index(name), ACROSS)
        return picture[row * PIXELS : (row + 1) * PIXELS, column * PIXELS : (column + 1) * PIXELS]


@pytest.fixture(scope="module")
def sheet(fonts, shared, array, printed_pdf):
    """Return the page, which is made once for all processes.

    The engines are not compared at 1440 pixels: it takes three times as long as all other work, and
    every snippet that differs at 480 pixels, six times the size of a cell, differs there as well.
    """

    def fill(folder):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(art_pages, "SIDES", art_pages.SIDES[:-1])
            printed_pixels, rendered_pixels = draw_sheet(folder, fonts, array, printed_pdf)
        np.save(folder / "printed.npy", printed_pixels)
        np.save(folder / "rendered.npy", rendered_pixels)

    folder = shared("snippets", fill)
    return Sheet(np.load(folder / "printed.npy"), np.load(folder / "rendered.npy"))


def draw_sheet(folder, fonts, array, printed_pdf):
    """Return the pixels of the page with all snippets, as printed and as previewed."""
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
    page = pypdfium2.PdfDocument(printed_pdf([face], pages))[0]
    printed_pixels = array(page.render(scale=DPI / 72, fill_color=(255, 255, 255, 255)).to_pil())
    return printed_pixels, array(Rasteriser(fonts).face(face, DPI))


@pytest.fixture(scope="module")
def rendered_alone(fonts, array):
    options = usvg.Options.default()
    for file in fonts.files:
        options.load_font_data(file.path.read_bytes())

    def render_snippet(name):
        text = f'{HEAD} width="{PIXELS}" height="{PIXELS}">{ROWS[name].plain}</svg>'
        return array(
            Image.open(io.BytesIO(render(usvg.Tree.from_str(text, options), (1, 0, 0, 0, 1, 0))))
        )

    return render_snippet


def count_differing_pixels(one: np.ndarray, other: np.ndarray) -> int:
    """Count the pixels of each picture whose colour the other does not have nearby."""
    return max(_beyond(one, other), _beyond(other, one))


def _beyond(one: np.ndarray, other: np.ndarray) -> int:
    padded = np.pad(other, ((1, 1), (1, 1), (0, 0)), mode="edge").astype(int)
    near = np.stack(
        [padded[y : y + len(one), x : x + len(one)] for y in range(3) for x in range(3)]
    )
    beyond = np.maximum(one - near.max(axis=0), near.min(axis=0) - one).max(axis=2)
    return int((beyond > LEVELS).sum())


def test_at_least_300_snippets_are_tested():
    assert len(ROWS) >= 300


@pytest.mark.parametrize("name", ROWS)
def test_snippet_agrees_in_print_preview_and_resvg(name, sheet, rendered_alone):
    preview = sheet.cell(sheet.rendered, name)
    assert count_differing_pixels(preview, rendered_alone(name)) <= MOST_PIXELS, (
        "the preview equals the file rendered by resvg"
    )
    differing_pixels = count_differing_pixels(sheet.cell(sheet.printed, name), preview)
    assert (differing_pixels > MOST_PIXELS) == (name in DIFFERS), (
        "print equals the preview, except for the listed features"
    )
    assert preview.min() < 230, "the snippet draws something"


@pytest.fixture(scope="module")
def rendered_in_chromium(fonts, array, tmp_path_factory):
    """Return a function that renders a row in a browser with the fonts of pnp."""
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
def test_snippet_agrees_in_print_preview_and_chromium(name, sheet, rendered_in_chromium):
    expected = rendered_in_chromium(name)
    assert count_differing_pixels(sheet.cell(sheet.rendered, name), expected) <= MOST_PIXELS
    assert count_differing_pixels(sheet.cell(sheet.printed, name), expected) <= MOST_PIXELS
