"""Test pictures composed of faces: equal to their SVG, with each face stored once."""

import io
from collections import Counter

import numpy as np
import pikepdf
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from generator.base.fonts import font_set
from generator.base.geometry import Point, Rect, Size
from generator.base.shapes import fill_box
from generator.base.units import points
from generator.pdf.faces import compile_faces
from generator.pdf.finish import DocumentInfo, DocumentPart, write_file
from generator.picture.face import Face
from generator.picture.items import Path, Shape
from generator.picture.raster import Rasteriser
from generator.picture.web_parts import make_sprite
from generator.pipeline.project import BuildRequest, Project
from generator.rules.figures.draw import PlacedPiece, compose
from generator.rules.figures.pen import Pen
from tests.tools.make_face import rect

DPI = 200
BLEED = 2.0
RECT = fill_box("rect", Size(30, 20))
HEX = fill_box("hex", Size(40 / 3**0.5, 20))
CIRCLE = fill_box("circle", Size(16, 16))


def face(outline, colour):
    """Return a face with an F, which reveals turns and mirroring, on a ground with bleed."""
    w, h = outline.size
    letter = Path(f"M{w / 2 - 3} {h / 2 + 5}v-10h6v2h-4v2h3v2h-3v4z")
    return Face((rect(-2, -2, w + 4, h + 4, colour), Shape(letter, "#101010")), outline.size, BLEED)


def compose_pieces():
    one = face(RECT, "#d04030")
    two = face(HEX, "#3060c0")
    three = face(CIRCLE, "#20a040")
    pieces = [
        PlacedPiece(one, RECT, Point(20, 14), 0, 0.7),
        PlacedPiece(one, RECT, Point(45, 14), 90, 0.7),
        PlacedPiece(two, HEX, Point(70, 14), 60, 0.9),
        PlacedPiece(three, CIRCLE, Point(20, 36), 30, 1.1),
    ]
    above = [PlacedPiece(one, RECT, Point(45, 34), 8, 0.8)]
    over = Pen(font_set(), "en")
    over.circle(Point(45, 20), 6, "#e0b000")
    over.numeral("7", Point(45, 20))
    box = Rect.around([item.box for item in [*pieces, *above]]).grown(1.5)
    return compose((), pieces, over, box, above, "picture")


def pdf_of(composed_picture):
    """Return a PDF with one page that shows only the picture."""
    buffer = io.BytesIO()
    size = tuple(map(points, composed_picture.size))
    canvas = Canvas(buffer, pagesize=size, invariant=1)
    canvas.beginForm(composed_picture.name, 0, 0, *size)
    canvas.endForm()
    canvas.doForm(composed_picture.name)
    canvas.save()
    pages = DocumentPart(buffer.getvalue(), compile_faces([composed_picture], font_set()))
    return write_file([pages], DocumentInfo("T", "en", "", "Simplex", ("1",))).read()


def pixels_of(data):
    document = pypdfium2.PdfDocument(data)
    pixels = np.asarray(document[0].render(scale=DPI / 72).to_pil().convert("RGB")).astype(int)
    document.close()
    return pixels


def on_white(picture):
    pixels = np.asarray(picture.convert("RGBA")).astype(int)
    return (pixels[:, :, :3] * pixels[:, :, 3:] + 255 * (255 - pixels[:, :, 3:])) // 255


def test_composed_picture_prints_like_its_svg():
    composed_picture = compose_pieces()
    printed = pixels_of(pdf_of(composed_picture))
    expected = on_white(Rasteriser(font_set()).face(composed_picture, DPI))
    rows, columns = (min(a, b) for a, b in zip(printed.shape[:2], expected.shape[:2], strict=True))
    differs = np.abs(printed[:rows, :columns] - expected[:rows, :columns]).max(axis=2)
    assert expected.std() > 40, "there is a picture to compare"
    assert (differs > 90).mean() < 0.006
    assert differs.mean() < 2.5


def test_composed_picture_on_a_web_page_looks_like_its_svg():
    composed_picture = compose_pieces()
    w, h = composed_picture.size
    inside = make_sprite([composed_picture]).symbols.partition(">")[2].removesuffix("</svg>")
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}">{inside}'
        f'<use href="#face-{composed_picture.name}"/></svg>'
    )
    raster = Rasteriser(font_set())
    expected = on_white(raster.face(composed_picture, DPI))
    page = on_white(raster.svg(svg, expected.shape[1], expected.shape[0]))
    differs = np.abs(page - expected).max(axis=2)
    assert expected.std() > 40
    assert (differs > 90).mean() < 0.002


def test_pdf_has_one_form_for_each_face_of_a_composed_picture():
    composed_picture = compose_pieces()
    with pikepdf.open(io.BytesIO(pdf_of(composed_picture))) as pdf:
        forms = [
            item
            for item in pdf.objects
            if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form"
        ]
        colours = [form for form in forms if b" Do" not in form.read_bytes()]
    assert len(composed_picture.leaves) == len(
        {part.picture.name for part in composed_picture.layers}
    )
    assert len(colours) == len(composed_picture.leaves)


FIGURES = """
one: {board: "bend bend> mill", overlays: [{ring: A1}], held: [{piece: bend, at: B1 0.2 -0.4}]}
two: {board: "bend< ~bend mill"}
"""


@pytest.fixture
def pack(starter):
    folder = starter("tiles")
    (folder / "figures.yaml").write_text(FIGURES, "utf-8")
    (folder / "rules.md").write_text(
        "# Rules\n\n::: figure one :::\n\n::: figure two :::\n\n::: components :::\n", "utf-8"
    )
    with (folder / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("rules: {}\n")
    return folder


def test_rules_store_a_face_of_several_figures_once(pack, pnp):
    assert pnp("rules", pack).exit_code == 0
    for path in sorted(pack.parent.glob("output/pack/*.pdf")):
        with pikepdf.open(path) as pdf:
            forms = [
                x
                for x in pdf.objects
                if isinstance(x, pikepdf.Stream) and x.get("/Subtype") == "/Form"
            ]
            contents = Counter(
                (form.read_bytes(), *(str(part.objgen) for part in _inner_forms(form)))
                for form in forms
            )
        assert len(contents) > 5
        assert max(contents.values()) == 1, path.name


def _inner_forms(form):
    return form.get("/Resources", {}).get("/XObject", {}).values()


def test_web_page_defines_a_face_of_several_figures_once(pack):
    game = Project(BuildRequest(str(pack)))
    figures = game.figures
    bend = next(face for face in game.components[0].faces if face.label.startswith("tiles:bend"))
    text = make_sprite([figures["one"].face, figures["two"].face, bend]).symbols
    assert text.count(f'<symbol id="face-{bend.name}"') == 1
    assert text.count(f'<use href="#face-{bend.name}"') == 4
    ids = [part.partition('"')[0] for part in text.split(' id="')[1:]]
    assert len(ids) == len(set(ids))
