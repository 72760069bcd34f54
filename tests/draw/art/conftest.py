"""Render art as print, as preview and as the file by itself, and compare the pixels."""

import io
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas as PageCanvas
from resvg import render, usvg

from generator.base.fonts import FontSet, font_set
from generator.base.geometry import Rect
from generator.base.units import points
from generator.draw.art.library import ArtShelf
from generator.draw.canvas import Canvas, Subject
from generator.draw.layers.pictures import Svg
from generator.pack.folder import Asset
from generator.pack.icons import Icons
from generator.pack.sizes import parse_size
from generator.pack.tile import EMPTY_TILE
from generator.pdf.faces import FacePages, compile_faces
from generator.pdf.finish import DocumentInfo, DocumentPart, write_file
from generator.pdf.sheets import define_form
from generator.picture.face import Face
from generator.picture.raster import Rasteriser

DPI = 254 * 2
"""Twenty pixels to the millimetre, so that boxes in whole millimetres are whole pixels."""
PER_MM = 20
SHRINK = 2
"""Pictures are compared reduced by this factor, so that engines may smooth edges differently."""
BOX = Rect(6, 5, 40, 30)
WHOLE = Rect(0, 0, 52, 40)
CUT = np.s_[5 * PER_MM : 35 * PER_MM, 6 * PER_MM : 46 * PER_MM]
COARSE = 2
"""The gallery's resolution is divided by this, since some hundred pictures are rendered three times each."""
COARSE_CUT = np.s_[
    5 * PER_MM // COARSE : 35 * PER_MM // COARSE, 6 * PER_MM // COARSE : 46 * PER_MM // COARSE
]


FEATURES = Path(__file__).parents[2] / "data" / "art" / "features"
PLAIN_SUFFIX = ".plain"
"""`css-variables.plain.svg` draws the expected look of `css-variables.svg` with basic SVG only."""


@pytest.fixture(scope="session")
def fonts():
    return font_set()


@dataclass(frozen=True, eq=False)
class Gallery:
    """All SVG features, compiled into one PDF."""

    fonts: FontSet
    faces: dict[str, Face]
    pdf: bytes
    rasteriser: Rasteriser

    def printed(self, name: str) -> np.ndarray:
        document = pypdfium2.PdfDocument(self.pdf)
        page = document[list(self.faces).index(name)]
        picture = page.render(scale=DPI / COARSE / 72, fill_color=(255, 255, 255, 255)).to_pil()
        document.close()
        return array(picture)[COARSE_CUT]

    @lru_cache(1)  # noqa: B019 - there is one gallery, and the tests go from feature to feature
    def rendered(self, name: str) -> np.ndarray:
        return array(self.rasteriser.face(self.faces[name], DPI / COARSE))[COARSE_CUT]

    def alone(self, name: str) -> np.ndarray:
        plain = FEATURES / f"{name}{PLAIN_SUFFIX}.svg"
        return rendered_alone(plain if plain.exists() else FEATURES / f"{name}.svg", self.fonts)


@pytest.fixture(scope="session")
def gallery(fonts):
    paths = sorted(path for path in FEATURES.glob("*.svg") if not path.stem.endswith(PLAIN_SUFFIX))
    faces = {path.stem: face_of(path, fonts) for path in paths}
    pages = compile_faces(tuple(faces.values()), fonts)
    return Gallery(fonts, faces, printed_pdf(list(faces.values()), pages), Rasteriser(fonts))


def printed_pdf(faces: list[Face], pages: tuple[FacePages, ...]) -> bytes:
    """Return a PDF with a page for each face."""
    buffer = io.BytesIO()
    canvas = PageCanvas(buffer, invariant=1)
    for face in faces:
        canvas.setPageSize(tuple(map(points, face.size)))
        define_form(canvas, face.name, face.full.size)
        canvas.doForm(face.name)
        canvas.showPage()
    canvas.save()
    return write_file(
        [DocumentPart(buffer.getvalue(), pages)], DocumentInfo("T", "en", "", "Simplex", ("1",))
    ).read()


def face_of(path: Path, fonts: FontSet, **fields: object) -> Face:
    """Return a face that shows a picture in a box, as a layer does."""
    shape = parse_size(f"{WHOLE.w} x {WHOLE.h} mm")
    subject = Subject(shape, 0.0, EMPTY_TILE, {}, {}, fonts, Icons({}), "en")
    canvas = Canvas(subject, ArtShelf())
    layer = Svg.model_construct(
        **{
            "svg": Asset(path.name, path),
            "box": BOX,
            "fit": "contain",
            "colour": None,
            "turn": 0.0,
            "set": {},
            **fields,
        }
    )
    layer.draw(canvas)
    return canvas.face(mirrored=False)


def rendered_alone(path: Path, fonts: FontSet) -> np.ndarray:
    """Return the pixels of an SVG file without a face around it, at the size of its box in the gallery."""
    root = ET.fromstring(path.read_bytes())
    if root.get("viewBox") is None:
        root.set("viewBox", f"0 0 {BOX.w * 96 / 25.4} {BOX.h * 96 / 25.4}")
    root.set("width", str(round(BOX.w * PER_MM / COARSE)))
    root.set("height", str(round(BOX.h * PER_MM / COARSE)))
    ET.register_namespace("", "http://www.w3.org/2000/svg")
    tree = usvg.Tree.from_str(ET.tostring(root, encoding="unicode"), options_with(fonts))
    return array(Image.open(io.BytesIO(render(tree, (1, 0, 0, 0, 1, 0)))))


@cache
def options_with(fonts: FontSet) -> usvg.Options:
    """Return resvg's options with the fonts in memory, since it reads a font file again for every text."""
    options = usvg.Options.default()
    for file in fonts.files:
        options.load_font_data(file.path.read_bytes())
    return options


def array(picture: Image.Image) -> np.ndarray:
    """Return the red, green and blue of a picture on white."""
    white = Image.new("RGBA", picture.size, "white")
    white.alpha_composite(picture.convert("RGBA"))
    return np.asarray(white.convert("RGB"))


def differing_share(one: np.ndarray, other: np.ndarray, shrink: int = SHRINK) -> float:
    """Return the percentage of pixels that differ by more than a tenth of full brightness."""
    assert one.shape == other.shape
    a = _small(one, shrink)
    b = _small(other, shrink)
    limit = 25 * shrink**2
    return float(100 * np.mean((_outside(a, b) > limit) | (_outside(b, a) > limit)))


def _outside(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the distance of each pixel from the range of its neighbours' colours in the other picture."""
    return np.maximum(
        a - _extreme_of_neighbours(np.maximum, b), _extreme_of_neighbours(np.minimum, b) - a
    ).max(axis=2)


def _extreme_of_neighbours(choose: np.ufunc, picture: np.ndarray) -> np.ndarray:
    """Return the maximum or minimum of each pixel and its eight neighbours."""
    for axis in (0, 1):
        picture = choose(choose(np.roll(picture, -1, axis), np.roll(picture, 1, axis)), picture)
    return picture


def _small(picture: np.ndarray, shrink: int) -> np.ndarray:
    """Return the sum of each square of pixels: integers, which need no rounding."""
    height, width, colours = picture.shape
    return picture.reshape(height // shrink, shrink, width // shrink, shrink, colours).sum(
        axis=(1, 3), dtype=np.int16
    )


@pytest.fixture(scope="session", name="differing_share")
def differing_share_fixture():
    return differing_share


@pytest.fixture(scope="session", name="face_of")
def face_of_fixture(fonts):
    return lambda path, **fields: face_of(path, fonts, **fields)


@pytest.fixture(scope="session", name="rendered_pixels")
def rendered_pixels_fixture(fonts):
    rasteriser = Rasteriser(fonts)
    return lambda face: array(rasteriser.face(face, DPI))[CUT]


@pytest.fixture(scope="session", name="array")
def array_fixture():
    return array


@pytest.fixture(scope="session", name="printed_pdf")
def printed_pdf_fixture():
    return printed_pdf
