"""Test encrypted, broken, huge and hostile files: a clear refusal, or only their drawings are used."""

import json

import pikepdf
import pypdfium2
import pytest

from generator.relay import read_pdf
from generator.relay.page_shapes import find_shapes
from tests.tools.foreign_pdfs import A4, MM, NAMES, POKER, Canvas, card, places, touching
from tests.tools.read_pdf import read


@pytest.fixture(scope="module")
def plain_file(tmp_path_factory):
    return touching(tmp_path_factory.mktemp("plain")).path


def save_copy(plain_file, path, **how):
    with pikepdf.open(plain_file) as pdf:
        pdf.save(path, **how)


def encrypt(plain_file, path):
    save_copy(plain_file, path, encryption=pikepdf.Encryption(user="a", owner="b"))


def forbid_printing(plain_file, path):
    nobody = pikepdf.Permissions(print_lowres=False, print_highres=False)
    save_copy(plain_file, path, encryption=pikepdf.Encryption(user="", owner="b", allow=nobody))


def junk(plain_file, path):
    path.write_bytes(b"%PDF-1.4\n" + bytes(range(256)) * 20)


def endless(plain_file, path):
    with pikepdf.new() as pdf:
        for _ in range(501):
            pdf.add_blank_page()
        pdf.save(path)


def vast(plain_file, path):
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(14000, 14000))
        pdf.pages[0].UserUnit = 10
        pdf.save(path)


def words_alone(plain_file, path):
    canvas = Canvas(str(path), pagesize=A4)
    canvas.drawString(100, 500, "No pieces here, only a rule or two.")
    canvas.save()


def missing(plain_file, path):
    pass


FORM = b"0 0 180 250 re f /Me Do"
TILES = b"/Pattern cs /Me scn 0 0 180 250 re f"


def with_drawings(path, contents, *, in_itself, kind="/XObject"):
    """Save nine copies of a drawing that is a chain of forms or patterns.

    Each shows the next; with `in_itself` the last shows the first.
    """
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=A4)
        drawings = [pdf.make_stream(content) for content in contents]
        for index, drawing in enumerate(drawings):
            drawing.BBox = pikepdf.Array([0, 0, 180, 250])
            drawing.Subtype = pikepdf.Name.Form
            if kind == "/Pattern":
                for key, value in {
                    "PatternType": 1,
                    "PaintType": 1,
                    "TilingType": 1,
                    "XStep": 9,
                    "YStep": 9,
                }.items():
                    drawing[f"/{key}"] = value
            if index + 1 < len(drawings) or in_itself:
                inner = drawings[(index + 1) % len(drawings)]
                drawing.Resources = pikepdf.Dictionary({kind: pikepdf.Dictionary(Me=inner)})
        top = drawings[0]
        if kind == "/Pattern":
            top = pdf.make_stream(
                TILES, Subtype=pikepdf.Name.Form, BBox=pikepdf.Array([0, 0, 180, 250])
            )
            top.Resources = pikepdf.Dictionary(Pattern=pikepdf.Dictionary(Me=drawings[0]))
        places = [(20 + 185 * column, 20 + 255 * row) for column in range(3) for row in range(3)]
        content = b"".join(
            b"q 1 0 0 1 %d %d cm /F Do Q %d %d 180 250 re S\n" % (*at, *at) for at in places
        )
        pdf.pages[0].Contents = pdf.make_stream(content)
        pdf.pages[0].Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(F=top))
        pdf.save(path)


def form_in_itself(plain_file, path):
    with_drawings(path, [FORM], in_itself=True)


def forms_in_each_other(plain_file, path):
    with_drawings(path, [FORM] * 3, in_itself=True)


def pattern_in_itself(plain_file, path):
    with_drawings(path, [TILES], in_itself=True, kind="/Pattern")


def a_thousand_forms(plain_file, path):
    with_drawings(path, [FORM] * 1000, in_itself=False)


NESTED = (3, "cannot be read: a form or pattern shows itself, or more than 100 lie in each other")
REFUSED = {
    form_in_itself: NESTED,
    forms_in_each_other: NESTED,
    pattern_in_itself: NESTED,
    a_thousand_forms: NESTED,
    encrypt: (3, "needs a password"),
    forbid_printing: (3, "may not be printed: its author forbids it in the file"),
    junk: (3, "cannot be read: "),
    endless: (3, "has 501 pages\n  expected at most 500 at once\n  --page 1-40 takes some of them"),
    vast: (3, "page 1 is larger than 5 m"),
    words_alone: (
        3,
        "pnp finds no pieces on its pages\n  expected pages with pieces in a grid\n  set their number with --grid 3x3",
    ),
    missing: (2, "the file does not exist"),
}


def test_50_nested_forms_are_accepted(tmp_path, pnp):
    with_drawings(tmp_path / "file.pdf", [FORM] * 50, in_itself=False)
    result = pnp("relay", tmp_path / "file.pdf", "--grid", "3x3", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("make", REFUSED, ids=lambda make: make.__name__)
def test_unusable_file_is_refused_and_nothing_is_written(plain_file, tmp_path, pnp, make):
    code, message = REFUSED[make]
    make(plain_file, tmp_path / "file.pdf")
    result = pnp("relay", tmp_path / "file.pdf", "-o", tmp_path / "out")
    assert (result.exit_code, f"file.pdf: {message}" in result.output) == (code, True), (
        result.output
    )
    assert not (tmp_path / "out").exists()


def test_page_with_too_many_instructions_is_reported(tmp_path, monkeypatch):
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.pages[0].Contents = pdf.make_stream(b"0 0 m\n" * 1001)
        pdf.save(tmp_path / "file.pdf")
    monkeypatch.setattr(read_pdf, "MAX_INSTRUCTIONS", 1000)
    assert json.loads(find_shapes(str(tmp_path / "file.pdf"), 1)) == {
        "wrong": "is too complex to read",
        "expected": "at most 1,000 drawing instructions",
    }


def test_scripts_links_and_attachments_are_not_copied(plain_file, tmp_path, pnp):
    with pikepdf.open(plain_file) as pdf:
        act = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert(1)")
        pdf.Root.OpenAction = act
        pdf.attachments["more.txt"] = b"a file within"
        page = pdf.pages[0]
        page.AA = pikepdf.Dictionary(O=act)
        page.Resources.More = pikepdf.Dictionary(S=pikepdf.Name.Launch, F="run.exe")
        link = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Link, Rect=[0, 0, 500, 500], A=act
        )
        page.Annots = pikepdf.Array([pdf.make_indirect(link)])
        pdf.save(tmp_path / "file.pdf")
    assert (
        pnp("relay", tmp_path / "file.pdf", "-o", tmp_path / "out", "--paper", "a4").exit_code == 0
    )
    paths = list((tmp_path / "out").rglob("*.pdf"))
    assert sum(len(page.forms) for path in paths for page in read(path)) == 40
    for path in paths:
        with pikepdf.open(path) as pdf_written:
            objects = b"".join(
                item.unparse(resolved=True)
                for item in pdf_written.objects
                if isinstance(item, pikepdf.Dictionary)
            )
        assert not [
            word for word in (b"JavaScript", b"Launch", b"/EF", b"/Annots") if word in objects
        ]


def test_postscript_objects_are_not_copied(plain_file, tmp_path, pnp):
    """Printers might run PostScript of a page or of a form on the page."""
    program = b"(%stdout) (w) file (PROGRAM) writestring"
    with pikepdf.open(plain_file) as pdf:
        for number, page in enumerate(pdf.pages):
            run = pdf.make_stream(program, Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.PS)
            if number % 2:
                run.Subtype = pikepdf.Name.Form
                run.Subtype2 = pikepdf.Name.PS
            form = pdf.make_stream(
                b"q /Run Do Q", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form
            )
            form.BBox = pikepdf.Array([0, 0, 600, 850])
            form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Run=run))
            page.Resources.XObject = pikepdf.Dictionary(
                {**page.Resources.get("/XObject", {}), "/Run": run, "/Fo": form}
            )
            page.contents_add(b"q /Run Do /Fo Do Q")
        pdf.save(tmp_path / "file.pdf")
    result = pnp("relay", tmp_path / "file.pdf", "-o", tmp_path / "out", "--paper", "a4")
    assert result.exit_code == 0, result.output
    paths = sorted((tmp_path / "out").rglob("*.pdf"))
    assert paths
    for path in paths:
        with pikepdf.open(path) as pdf:
            streams = [entry for entry in pdf.objects if isinstance(entry, pikepdf.Stream)]
            assert not [
                stream
                for stream in streams
                if "/PS" in {str(stream.get("/Subtype")), str(stream.get("/Subtype2"))}
            ]
            contents = [item.read_bytes() for item in streams if item.get("/Subtype") != "/Image"]
            assert not [data for data in contents if b"PROGRAM" in data]


def test_hidden_layer_is_not_printed(tmp_path, pnp):
    path = tmp_path / "layers.pdf"
    w, h = (side * MM for side in POKER)
    canvas = Canvas(str(path), pagesize=A4)
    for (x, y), name in zip(places(A4, POKER, 3, 3), NAMES, strict=False):
        card(canvas, x, y, w, h, name)
    canvas.save()
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        layer = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name="Low ink"))
        usual = pikepdf.Dictionary(OFF=pikepdf.Array([layer]))
        pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=pikepdf.Array([layer]), D=usual)
        page = pdf.pages[0]
        page.Resources.Properties = pikepdf.Dictionary(L=layer)
        font = next(iter(page.Resources.Font.keys())).encode()
        hidden = b"/OC /L BDC BT %s 12 Tf 100 400 Td (HIDDEN) Tj ET EMC" % font
        page.Contents = pdf.make_stream(b"q\n" + page.Contents.read_bytes() + b"\nQ\n" + hidden)
        pdf.save(path)
    assert pnp("relay", path, "-o", tmp_path / "out", "--paper", "letter").exit_code == 0
    for sheets in (tmp_path / "out").rglob("*.pdf"):
        document = pypdfium2.PdfDocument(sheets)
        text = " ".join(page.get_textpage().get_text_bounded() for page in document)
        document.close()
        assert "Foxred" in text
        assert "HIDDEN" not in text


def test_resources_of_a_wrong_type_are_left_out(plain_file, tmp_path, pnp):
    """Put numbers and strings in the place of fonts, drawings and settings."""
    with pikepdf.open(plain_file) as pdf:
        for page in pdf.pages:
            for key in (
                "/XObject",
                "/ExtGState",
                "/Font",
                "/Pattern",
                "/Shading",
                "/ColorSpace",
                "/Properties",
            ):
                resources = page.Resources.get(key, pikepdf.Dictionary())
                resources["/Odd"] = 7
                resources["/Word"] = pikepdf.String("x")
                page.Resources[key] = resources
            page.Resources["/Font"]["/Whole"] = pdf.make_indirect(pikepdf.Array([1]))
            form = pdf.make_stream(
                b"q Q", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 9, 9]
            )
            form.Resources = pdf.make_indirect(pikepdf.String("no resources"))
            page.Resources.XObject["/Form"] = form
        pdf.save(tmp_path / "odd.pdf")
    result = pnp("relay", tmp_path / "odd.pdf", "-o", tmp_path / "out", "--paper", "a4")
    assert result.exit_code == 0, result.stderr
    paths = list((tmp_path / "out").rglob("*.pdf"))
    assert paths
    with pikepdf.open(paths[0]) as pdf:
        assert b"/Odd" not in b"".join(bytes(str(item), "utf-8", "replace") for item in pdf.objects)
