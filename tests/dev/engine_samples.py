"""One small output of each engine, and the record of their digests.

`python -m tests.dev.engine_samples` prints the digests, and `--record` records them. Record on
Linux on x86-64 with the versions of `constraints.txt`: wheels for other systems may compress
pictures in another way.
"""

import io
import json
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
FONT = ROOT / "fonts" / "alegreya" / "Alegreya-Regular.ttf"
RECORD = ROOT / "tests" / "data" / "engine_samples.json"

SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40" viewBox="0 0 60 40"><defs>
<linearGradient id="g"><stop offset="0" stop-color="#c33"/><stop offset="1" stop-color="#36c"/></linearGradient>
<filter id="f"><feGaussianBlur stdDeviation="1.5"/></filter></defs>
<rect width="60" height="40" fill="url(#g)"/><circle cx="18" cy="20" r="9" fill="#fff" filter="url(#f)"/>
<text x="24" y="24" font-family="Alegreya" font-size="9">AVATAR fi</text></svg>"""


def brotli() -> bytes:
    """Return a text compressed as in WOFF2."""
    import brotli

    return brotli.compress(b"The quick brown fox jumps over the lazy dog. " * 20)


def fonttools() -> bytes:
    """Return a variable font pinned to two weights by HarfBuzz, with names by fontTools."""
    from generator.base.font_files import make_static_fonts
    from tests.tools.make_fonts import make_variable

    return make_static_fonts(make_variable(), [300, 620], "", ())


def cssselect2() -> bytes:
    from xml.etree import ElementTree as ET

    import cssselect2
    import tinycss2

    matcher = cssselect2.Matcher()
    for number, rule in enumerate(
        tinycss2.parse_stylesheet("a.b > c {} c:nth-child(2n+1) {} c {}", skip_whitespace=True)
    ):
        for selector in cssselect2.compile_selector_list(rule.prelude):
            matcher.add_selector(selector, number)
    root = cssselect2.ElementWrapper.from_xml_root(
        ET.fromstring('<a class="b"><c/><c id="x"/></a>')
    )
    return repr([matcher.match(element) for element in root.iter_subtree()]).encode()


def ezdxf() -> bytes:
    import ezdxf
    from ezdxf.filemanagement import new

    # Without this, the file contains the time and random numbers.
    ezdxf.options.write_fixed_meta_data_for_testing = True
    document = new("R2000", setup=False)
    document.modelspace().add_lwpolyline([(0, 0), (63, 0), (63, 88)], close=True)
    out = io.StringIO()
    document.write(out)
    return out.getvalue().encode()


def markdown_it_py() -> bytes:
    from markdown_it import MarkdownIt

    text = "# Title\n\n1. *one* `two`\n2. [three](x.md)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    return MarkdownIt().enable("table").render(text).encode()


def openpyxl() -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["id", 1, 2.5, True, None])
    out = io.BytesIO()
    book.save(out)
    return repr(list(openpyxl.load_workbook(out).active.values)).encode()


def pikepdf() -> bytes:
    import pikepdf

    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(200, 300))
    form = pdf.make_stream(
        b"0 0 m 10 10 l S", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 9, 9]
    )
    pdf.pages[0].add_resource(form, pikepdf.Name.XObject, pikepdf.Name.face)
    out = io.BytesIO()
    pdf.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue()


def pillow() -> bytes:
    from PIL import Image

    ramp = Image.linear_gradient("L").resize((90, 60), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    ramp.save(out, "PNG")
    ramp.convert("RGB").save(out, "JPEG", quality=85)
    return out.getvalue()


def pydantic() -> bytes:
    from pydantic import BaseModel

    class Card(BaseModel):
        name: str
        count: int = 1

    return (
        json.dumps(Card.model_json_schema(), sort_keys=True).encode()
        + Card(name="Ö").model_dump_json().encode()
    )


def pypdfium2() -> bytes:
    import pypdfium2

    page = pypdfium2.PdfDocument(_drawn_by_reportlab())[0]
    return bytes(page.render(scale=2).to_pil().tobytes())


def pyphen() -> bytes:
    import pyphen

    words = (
        ("en_GB", "hydrants"),
        ("nl_NL", "brandweerwagen"),
        ("de_DE", "Feuerwehrauto"),
        ("fr_FR", "incendie"),
    )
    return " ".join(
        pyphen.Pyphen(lang=language).inserted(word) for language, word in words
    ).encode()


def python_calamine() -> bytes:
    from zipfile import ZipFile

    import python_calamine

    kind = "application/vnd.oasis.opendocument.spreadsheet"
    names = " ".join(
        f'xmlns:{x}="urn:oasis:names:tc:opendocument:xmlns:{x}:1.0"'
        for x in ("office", "table", "text")
    )
    cells = (
        '<table:table-cell office:value-type="string"><text:p>id<text:s/></text:p></table:table-cell>'
        '<table:table-cell office:value-type="float" office:value="2.50"/>'
        '<table:table-cell office:value-type="date" office:date-value="2026-01-02"/>'
    )
    table = f'<table:table table:name="a"><table:table-row>{cells}</table:table-row></table:table>'
    book = io.BytesIO()
    with ZipFile(book, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("META-INF/manifest.xml", "<manifest:manifest/>")
        archive.writestr(
            "content.xml", f"<office:document-content {names}>{table}</office:document-content>"
        )
    book.seek(0)
    return repr(python_calamine.load_workbook(book).get_sheet_by_index(0).to_python()).encode()


def pyyaml() -> bytes:
    import yaml

    return repr(yaml.safe_load("a: {b: [1, 0o7, 1.5, yes, 2026-01-02]}\nc: |\n  text\n")).encode()


def reportlab() -> bytes:
    return _drawn_by_reportlab()


def resvg() -> bytes:
    from resvg import render, usvg

    options = usvg.Options.default()
    options.load_font_data(FONT.read_bytes())
    return bytes(render(usvg.Tree.from_str(SVG, options), (3, 0, 0, 0, 3, 0)))


def svgwrite() -> bytes:
    import svgwrite as library

    drawing = library.Drawing(size=("63mm", "88mm"), debug=False)
    drawing.add(drawing.text("Ö & <", insert=(1.5, 2), fill="red"))
    return drawing.tostring().encode()


def tinycss2() -> bytes:
    import tinycss2

    rules = tinycss2.parse_stylesheet(
        "a:hover, b{fill:RGB(1 2 3);x:calc(1px + 2%)}@media print{c{}}", True, True
    )
    return tinycss2.serialize(rules).encode()


def typst() -> bytes:
    import typst

    source = '#set text(font: "Alegreya", size: 9pt)\n#set page(width: 80mm, height: 60mm)\n= Title\n#lorem(40)\n'
    files = {"main": (source + '#image("a.svg", width: 30mm)\n').encode(), "a.svg": SVG.encode()}
    fonts = typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(FONT.parent)]
    )
    return bytes(
        typst.compile(files, format="pdf", font_paths=fonts, ignore_system_fonts=True, timestamp=0)
    )


def uharfbuzz() -> bytes:
    import uharfbuzz

    face = uharfbuzz.Face(uharfbuzz.Blob(FONT.read_bytes()))
    buffer = uharfbuzz.Buffer()
    buffer.add_str("AVATAR fi ffl")
    buffer.guess_segment_properties()
    uharfbuzz.shape(uharfbuzz.Font(face), buffer, {"smcp": True})
    places = [glyph.x_advance for glyph in buffer.glyph_positions]
    subset_input = uharfbuzz.SubsetInput()
    subset_input.unicode_set.update(map(ord, "AVATR fil"))
    return repr(places).encode() + uharfbuzz.subset(face, subset_input).blob.data


def _drawn_by_reportlab() -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(200, 150), invariant=True, pageCompression=1)
    canvas.drawString(20, 100, "Sheet 1")
    canvas.bezier(10, 10, 40, 90, 90, 10, 150, 80)
    canvas.save()
    return out.getvalue()


SAMPLES: dict[str, Callable[[], bytes]] = {
    "brotli": brotli,
    "cssselect2": cssselect2,
    "ezdxf": ezdxf,
    "fonttools": fonttools,
    "markdown-it-py": markdown_it_py,
    "openpyxl": openpyxl,
    "pikepdf": pikepdf,
    "pillow": pillow,
    "pydantic": pydantic,
    "pypdfium2": pypdfium2,
    "pyphen": pyphen,
    "python-calamine": python_calamine,
    "pyyaml": pyyaml,
    "reportlab": reportlab,
    "resvg": resvg,
    "svgwrite": svgwrite,
    "tinycss2": tinycss2,
    "typst": typst,
    "uharfbuzz": uharfbuzz,
}


def digests() -> dict[str, str]:
    return {name: sha256(sample()).hexdigest()[:20] for name, sample in SAMPLES.items()}


def record() -> None:
    from generator.base.cache import engine_versions

    lines = (
        f"  {json.dumps(name)}: {json.dumps([engine_versions()[name], digest])}"
        for name, digest in digests().items()
    )
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--record"]:
        record()
    else:
        sys.stdout.write(json.dumps(digests()))
