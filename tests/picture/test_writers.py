"""Test art, text and nested pictures in each of the three writers of a picture."""

import io
import pickle
from base64 import b64encode

import numpy as np
import pikepdf
import pypdfium2
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from generator.base.fonts import font_set
from generator.base.geometry import Affine, Point, Rect, Size
from generator.base.outline import Outline
from generator.base.paths import curve_data
from generator.base.spill import SpillFile
from generator.base.units import points
from generator.pdf.faces import compile_faces
from generator.pdf.finish import DocumentInfo, DocumentPart, write_file
from generator.pdf.sheets import define_form
from generator.picture.face import Face
from generator.picture.images import read_pixels
from generator.picture.items import Art, Group, Picture, PlacedArt, PlacedImage, PlacedPicture
from generator.picture.raster import Rasteriser
from generator.picture.web_parts import make_sprite
from tests.tools.make_face import rect, text_run
from tests.tools.picture_contract import faults

DPI = 254
"""Ten pixels a millimetre."""

HALVES = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100">'
    '<rect width="100" height="100" fill="#ff0000"/><rect x="100" width="100" height="100" fill="#0000ff"/></svg>'
)


def green_square():
    buffer = io.BytesIO()
    Image.new("RGB", (4, 4), "#00a000").save(buffer, "PNG")
    return read_pixels("green.png", buffer.getvalue(), SpillFile())


def composed_face():
    """Return a face with turned and clipped art, a pixel image, text, and a picture twice."""
    halves = PlacedArt(Art("halves.svg", HALVES, Rect(0, 0, 200, 100)), Rect(0, 0, 20, 10))
    disc = curve_data(circle(Rect(5, 0, 10, 10)).edges)
    art = Group((halves,), Affine(0, 1, -1, 0, 12, 2), disc)
    square = Group((PlacedImage(green_square(), Rect(0, 0, 4, 4)),), Affine(e=16, f=2))
    words = text_run("Bold", 14.0, 14.0, family="Alegreya", weight=700, italic=True, width=10.0)
    small = Picture((rect(-1, -1, 6, 6, "#000000"),), Size(4, 4), 1.0)
    twice = (
        PlacedPicture(small, Affine(e=24, f=2), box(4)),
        PlacedPicture(small, Affine(0.5, 0, 0, 0.5, 24, 8), box(4)),
    )
    return Face((art, square, words, *twice), Size(30, 24), 0.0, "composed")


def box(side):
    return Outline.of_box(Rect(0, 0, side, side))


def circle(rect):
    return Outline.of_box(rect, rect.w / 2)


def pdf_of(face):
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=tuple(map(points, face.size)), invariant=1)
    define_form(canvas, face.name, face.full.size)
    canvas.doForm(face.name)
    canvas.save()
    pages = DocumentPart(buffer.getvalue(), compile_faces([face], font_set()))
    return write_file([pages], DocumentInfo("T", "en", "", "Simplex", ("1",))).read()


def on_white(image):
    image = image.convert("RGBA")
    return np.asarray(
        Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    ).astype(int)


def as_svg():
    return on_white(Rasteriser(font_set()).face(composed_face(), DPI))


def as_page():
    """Return the pixels of the web page's picture, rendered by resvg."""
    face = composed_face()
    svg_text = (
        make_sprite([face])
        .use(face, "")
        .replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    )
    head, tail = svg_text.split(">", 1)
    inside = make_sprite([face]).symbols.partition(">")[2].removesuffix("</svg>")
    return on_white(Rasteriser(font_set()).svg(f"{head}>{inside}{tail}", 300, 240))


def as_print():
    document = pypdfium2.PdfDocument(pdf_of(composed_face()))
    image = document[0].render(scale=DPI / 72).to_pil()
    document.close()
    return on_white(image)


@pytest.mark.parametrize("writer", [as_svg, as_page, as_print])
def test_every_writer_puts_each_part_at_its_place(writer):
    pixels = writer()

    def near(x, y, colour):
        return np.abs(pixels[round(y * 10), round(x * 10)] - colour).max() < 12

    assert near(7, 10, (255, 0, 0)), (
        "the left half of the art lies above when it is turned clockwise"
    )
    assert near(7, 14, (0, 0, 255))
    assert near(3, 8, (255, 255, 255)), "a corner of the art is cut off"
    assert near(7, 4, (255, 255, 255)), "the art is clipped to the circle"
    assert near(18, 4, (0, 160, 0))
    assert near(26, 4, (0, 0, 0))
    assert near(23.5, 4, (255, 255, 255)), "the bleed of the nested picture is cut off"
    assert near(25, 9, (0, 0, 0))
    assert near(26.5, 9, (255, 255, 255)), "the second nested picture is half as large"
    assert (pixels[100:145, 140:260].min(axis=2) < 100).sum() > 300, "the text is drawn"


def test_pdf_holds_one_form_of_the_composed_face_and_keeps_text():
    with pikepdf.open(io.BytesIO(pdf_of(composed_face()))) as pdf:
        forms = [
            item
            for item in pdf.objects
            if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form"
        ]
        composing = [form for form in forms if form.read_bytes().count(b" Do") == 3]
    assert len(composing) == 1
    document = pypdfium2.PdfDocument(pdf_of(composed_face()))
    assert document[0].get_textpage().get_text_range().strip() == "Bold"
    document.close()


def test_web_page_holds_each_nested_picture_and_each_art_file_once():
    text = make_sprite([composed_face(), composed_face()]).symbols
    small = composed_face().placed[0].picture
    assert text.count(f'<symbol id="face-{small.name}"') == 1
    assert text.count(f'<use href="#face-{small.name}"') == 2
    assert text.count(b64encode(HALVES.encode()).decode()) == 1


def test_composed_face_has_no_faults():
    assert faults([composed_face()], font_set().families) == ()


def test_pickled_face_is_equal_with_the_same_hash_and_name():
    """Faces travel between processes by pickle."""
    one = composed_face()
    other = pickle.loads(pickle.dumps(composed_face()))  # noqa: S301 - our own
    assert other == one
    assert hash(other) == hash(one)
    assert other.name == one.name


def test_name_of_a_picture_changes_with_each_of_its_items():
    face = composed_face()
    fewer = [
        Picture(face.items[:n] + face.items[n + 1 :], face.size) for n in range(len(face.items))
    ]
    moved = Picture(
        (*face.items[:-1], PlacedPicture(face.placed[0].picture, Affine(e=1))), face.size
    )
    names = [picture.name for picture in (face, moved, *fewer)]
    assert len(set(names)) == len(names)
    placement = Affine.moving(Point(2, 2), Point(10, 5), 90, 2)
    assert placement.apply(Point(2, 2)) == pytest.approx((10, 5))
    assert placement.apply(Point(3, 2)) == pytest.approx((10, 7))


def test_edge_of_a_face_is_its_cut_outline():
    face = composed_face()
    disc = circle(Rect(0, 0, 24, 24))
    assert face.edge.d == Outline.of_box(Rect(0, 0, 30, 24)).d
    assert face.cut(disc).edge.d == disc.d
    assert face.cut(box(24)).edge.d == face.edge.d, "a face cut to its own box is unchanged"
