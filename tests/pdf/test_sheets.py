"""Test sheets on ReportLab's canvas: names of forms, parts drawn once, and files of many parts."""

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pikepdf
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from generator.base.fonts import font_set
from generator.base.geometry import Affine, Point, Rect, Size
from generator.impose.sheet import Anchor, Line, Note, PlacedFace, SheetPage, SheetSide
from generator.pdf.finish import DocumentInfo, DocumentPart, write_file
from generator.pdf.forms import PREFIX
from generator.pdf.sheets import SheetPages, draw_sheets, write_sheets
from tests.tools.read_pdf import read_all

ROOT = Path(__file__).parents[2]
PAPER = Size(210, 297)
ABOUT = DocumentInfo("Title", "en", "", "DuplexFlipLongEdge", ())


def placed(name, x, y, turn=0):
    trim = Rect(x, y, 60, 90)
    return PlacedFace(name, f"piece of {name}", trim, trim.grown(2), turn)


def place_sides(*sides):
    sheet_pages = [SheetPage(PAPER, side) for side in sides]
    sizes = {at.face: Size(66, 96) for side in sides for at in side.placed}
    return SheetPages(sheet_pages, sizes, font_set().find("Alegreya"))


@pytest.fixture
def read_back(tmp_path):
    """Return a function that writes sides to a file and reads its pages back."""

    def draw(*sides):
        path = tmp_path / "sheets.pdf"
        path.write_bytes(draw_sheets(place_sides(*sides)))
        return read_all(path)

    return draw


def test_forms_of_the_canvas_have_the_expected_names():
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.beginForm("some-face", 0, 0, 9, 9)
    canvas.endForm()
    canvas.doForm("some-face")
    canvas.save()
    with pikepdf.open(buffer) as pdf:
        assert list(pdf.pages[0].Resources.XObject.keys()) == [f"{PREFIX}some-face"]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_face_is_centred_on_its_trim_turned_and_clipped(read_back, turn):
    (page,) = read_back(SheetSide("1", (placed("one", 20, 30, turn),)))
    (form,) = page.forms
    assert (form.x, form.y) == pytest.approx((50, 75), abs=1e-3)
    assert form.turn == pytest.approx(turn, abs=1e-3)
    assert form.clip == pytest.approx((18, 28, 64, 94), abs=1e-3)
    assert (form.w, form.h) == pytest.approx((66, 96), abs=1e-3)


def test_printer_correction_moves_faces_and_marks_alike(read_back):
    line = Line(Point(10, 20), Point(30, 20), 0.15)
    move = Affine(1.001, 0.002, -0.002, 0.999, 0.7, -0.4)
    (page,) = read_back(SheetSide("1", (placed("one", 20, 30),), marks=(line,), undo=move))
    (form,) = page.forms
    (stroke,) = page.strokes
    assert (form.x, form.y) == pytest.approx(move.apply(Point(50, 75)), abs=1e-3)
    assert (stroke.x1, stroke.y1) == pytest.approx(move.apply(line.a), abs=1e-3)
    assert (stroke.x2, stroke.y2) == pytest.approx(move.apply(line.b), abs=1e-3)


def test_pages_share_equal_sides_and_marks(read_back):
    back = (placed("back", 20, 30), placed("back", 90, 30))
    marks = (Line(Point(10, 20), Point(30, 20), 0.15),)
    fronts = [
        SheetSide(f"{n}", (placed(f"a{n}", 20, 30), placed(f"b{n}", 90, 30)), marks)
        for n in range(3)
    ]
    sides = [side for front in fronts for side in (front, SheetSide("back", back, marks))]
    pages_read = read_back(*sides)
    assert [len(page.forms) for page in pages_read] == [2] * 6
    assert [len(page.strokes) for page in pages_read] == [1] * 6
    assert len({page.forms[0].form for page in pages_read}) == 4, "three fronts and a back"
    with pikepdf.open(io.BytesIO(draw_sheets(place_sides(*sides)))) as pdf:
        names = {name for page in pdf.pages for name in page.Resources.XObject.keys()}  # noqa: SIM118 - pikepdf's own
    parts = sorted(name.removeprefix(PREFIX) for name in names if "-" in name)
    assert [name.partition("-")[0] for name in parts] == ["lines", "side"]


def test_notes_are_anchored_at_their_place_and_turned():
    from pypdfium2 import PdfDocument

    notes = [Note("Begin", Point(50, 40), 4), Note("Middle", Point(100, 60), 4, Anchor.MIDDLE)]
    notes += [Note("End", Point(150, 80), 4, Anchor.END), Note("Down", Point(100, 150), 4, turn=90)]
    document = PdfDocument(draw_sheets(place_sides(SheetSide("1", notes=tuple(notes)))))
    text = document[0].get_textpage()
    boxes = {}
    for index in range(text.count_rects()):
        left, bottom, right, top = (edge * 25.4 / 72 for edge in text.get_rect(index))
        boxes[text.get_text_bounded(*text.get_rect(index)).strip()] = (
            left,
            297 - top,
            right,
            297 - bottom,
        )
    document.close()
    assert boxes["Begin"][0] == pytest.approx(50, abs=0.5)
    assert (boxes["Middle"][0] + boxes["Middle"][2]) / 2 == pytest.approx(100, abs=0.5)
    assert boxes["End"][2] == pytest.approx(150, abs=0.5)
    left, top, right, bottom = boxes["Down"]
    assert top == pytest.approx(150, abs=0.5), "the text runs downwards from its anchor"
    assert bottom - top > right - left


def pages_of_sizes(*sizes, link=False):
    """Return a file with pages of the given sizes in points."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    for size in sizes:
        canvas.setPageSize(size)
        if link:
            canvas.linkURL("https://example.org", (0, 0, 9, 9))
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


@pytest.mark.parametrize(("duplex", "before"), [("DuplexFlipLongEdge", 4), ("Simplex", 3)])
def test_pages_before_the_sheets_fill_a_sheet_of_paper(duplex, before):
    info = DocumentInfo("Title", "en", "", duplex, ("1 front", "1 back"))
    sheets = place_sides(SheetSide("1 front", (placed("one", 20, 30),)), SheetSide("1 back"))
    data = write_sheets(sheets, (), info, pages_of_sizes(*[(595, 842)] * 3)).read()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        labels = [page.label for page in pdf.pages]
        have_forms = ["/XObject" in page.Resources for page in pdf.pages]
    assert labels == [*["i", "ii", "iii", "iv"][:before], "1 front", "1 back"]
    assert have_forms == [False] * before + [True, False]


def test_links_of_later_parts_are_removed():
    part = pages_of_sizes((595, 842), link=True)
    with pikepdf.open(
        io.BytesIO(write_file([DocumentPart(part), DocumentPart(part)], ABOUT).read())
    ) as pdf:
        assert ["/Annots" in page for page in pdf.pages] == [True, False]


def test_file_does_not_depend_on_the_hash_seed_of_python(tmp_path):
    pack = shutil.copytree(ROOT / "tests/data/packs/flip", tmp_path / "flip")
    for number in range(3):
        Image.effect_noise((300, 200), 60 + number).convert("RGB").save(pack / f"p{number}.png")
    layout = "".join(f"- image: p{n}.png\n  box: [{5 + 9 * n}, 5, 9, 9]\n" for n in range(3))
    front = pack / "layouts" / "front.yaml"
    front.write_text(front.read_text("utf-8") + layout, "utf-8")
    files = []
    for seed in "12":
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
        call = [
            "-m",
            "generator",
            "build",
            pack,
            "--what",
            "sheets",
            "--paper",
            "a4",
            "--no-cache",
            "-o",
            tmp_path / seed,
        ]
        subprocess.run([sys.executable, *call], env=environment, check=True, capture_output=True)
        files.append(next((tmp_path / seed).rglob("*.pdf")).read_bytes())
    assert len(set(files)) == 1
