"""Test OTF, variable and WOFF2 fonts, and characters that are missing from fonts of the pack."""

import json
import struct

import click
import pikepdf
import pypdfium2
import pytest
import uharfbuzz as hb
from PIL import Image, ImageChops, ImageFilter, ImageStat

from generator.base import font_files
from generator.base.font_files import static_fonts
from generator.base.fonts import font_set
from generator.draw.draw import draw_game
from generator.picture.items import TextRun, walk
from tests.tools import read_pdf
from tests.tools.make_fonts import (
    compress,
    make_letters,
    make_otf,
    make_variable,
    make_variable_cff,
    width_at,
)
from tests.tools.make_pack import loaded, make, problems, render_design

SIZE_MM = 20.0
LAYOUT = "- {text: A, box: [5, 5, 30, 30], style: boxes}\n"
STYLE = "  boxes: {font: Boxes, weight: %d, size: 20mm, leading: 1}\n"


def pack(folder, data, name, weight=400):
    """Make a pack whose card shows one letter of a font."""
    return make(folder, LAYOUT, more=STYLE % weight, files={f"fonts/{name}": data})


def ink_width(picture):
    """Return the width in mm of the ink on a card."""
    left, _, right, _ = picture.box()
    return right - left


@pytest.mark.parametrize("weight", [100, 400, 620, 900])
@pytest.mark.parametrize("name", ["boxes.ttf", "boxes.woff2"])
def test_variable_font_is_rendered_at_the_weight_of_its_style(tmp_path, name, weight):
    data = make_variable(flavor="woff2" if name.endswith("woff2") else None)
    folder = pack(tmp_path, data, name, weight)
    assert problems(folder) == ""
    assert ink_width(render_design(folder)) == pytest.approx(SIZE_MM * width_at(weight), abs=0.15)


@pytest.mark.parametrize("name", ["boxes.otf", "boxes.woff2"])
def test_font_with_cff_outlines_is_rendered(tmp_path, name):
    data = make_otf(width=700)
    folder = pack(tmp_path, compress(data) if name.endswith("woff2") else data, name)
    assert ink_width(render_design(folder)) == pytest.approx(SIZE_MM * 0.7, abs=0.15)


def test_headings_of_rules_may_have_a_font_with_cff_outlines(tmp_path, pnp):
    more = "  heading: {font: Boxes}\nrules: {file: rules.md}"
    files = {"fonts/boxes.otf": make_otf(), "rules.md": "# A\n\nDraw a card.\n"}
    result = pnp("rules", make(tmp_path / "pack", more=more, files=files), "-o", tmp_path)
    assert result.exit_code == 0, result.output
    booklets = list(tmp_path.rglob("*-booklet-*.pdf"))
    assert len(booklets) == 2
    assert all("Boxes" in " ".join(read_pdf.fonts(path)) for path in booklets)


@pytest.mark.parametrize(
    ("name", "data", "weight", "width"),
    [
        ("boxes.otf", make_otf(width=700), 400, 0.7),
        ("boxes.ttf", make_variable(), 620, width_at(620)),
        ("boxes.ttf", make_variable(), 390, width_at(390)),  # rounded to regular by the engines
        ("boxes.ttf", make_variable(), 650, width_at(650)),  # rounded to bold by the engines
        ("boxes.woff2", make_variable(flavor="woff2"), 300, width_at(300)),
    ],
)
def test_printed_text_in_a_font_of_the_pack_is_as_wide_as_its_preview(
    tmp_path, pnp, name, data, weight, width
):
    folder = pack(tmp_path / "pack", data, name, weight)
    result = pnp("build", folder, "-o", tmp_path, "--paper", "a4", "--what", "sheets")
    assert result.exit_code == 0, result.output
    (path,) = tmp_path.rglob("*sheets-a4.pdf")
    with pypdfium2.PdfDocument(path) as pdf:
        text = pdf[0].get_textpage()
        index = text.get_text_range().index("A")
        left, _, right, _ = text.get_charbox(index)
    assert (right - left) * 25.4 / 72 == pytest.approx(SIZE_MM * width, abs=0.05)
    assert ink_width(render_design(folder)) == pytest.approx(SIZE_MM * width, abs=0.15)


def test_static_fonts_have_the_outlines_of_the_variable_font_at_each_weight(tmp_path):
    data = make_variable()
    path = tmp_path / "boxes.ttf"
    path.write_bytes(data)
    for static in static_fonts(path, [250, 620])[0]:
        variable = hb.Font(hb.Face(data))
        variable.set_variations({"wght": static.axis_weight})
        pinned = hb.Font(hb.Face(static.path.read_bytes()))
        expected = variable.get_glyph_extents(2)
        extents = pinned.get_glyph_extents(2)
        assert extents.width == pytest.approx(expected.width, abs=1), static.axis_weight
        assert extents.height == expected.height
    assert [file.axis_weight for file in static_fonts(path, [250, 620])[0]] == [250, 400, 620, 700]


AXES = "  boxes: {font: Boxes, weight: 620, size: 20mm, leading: 1, axes: {wdth: 80, GRAD: 50}}\n"


def boxes(folder, layout=LAYOUT, table="id\none\n", style=AXES):
    """Make a pack with the variable font whose width and grade can be set."""
    files = {"fonts/boxes.ttf": make_variable(more_axes=True)}
    return make(folder, layout, table, style, files=files)


def extents(data, **axes):
    """Return HarfBuzz's width and height of `A` in em at a place on a font's axes."""
    font = hb.Font(hb.Face(data))
    font.set_variations(axes)
    extents = font.get_glyph_extents(2)
    return extents.width / 1000, -extents.height / 1000


def ink_height(picture):
    """Return the height in mm of the ink on a card."""
    _, top, _, bottom = picture.box()
    return bottom - top


def test_axes_of_a_style_are_those_of_harfbuzz_in_preview_and_print(tmp_path, pnp):
    folder = boxes(tmp_path / "pack")
    width, height = extents(make_variable(more_axes=True), wght=620, wdth=80, GRAD=50)
    assert (width, height) == (width_at(620, 80), 0.875)
    picture = render_design(folder)
    assert ink_width(picture) == pytest.approx(SIZE_MM * width, abs=0.15)
    assert ink_height(picture) == pytest.approx(SIZE_MM * height, abs=0.15)
    assert pnp("build", folder, "-o", tmp_path, "--paper", "a4").exit_code == 0
    (path,) = tmp_path.rglob("*sheets-a4.pdf")
    subset, *_ = embedded_fonts(path, "Boxes")
    assert (width, height) in glyph_sizes(subset)


def embedded_fonts(path, name):
    """Return the embedded TrueType files of a PDF whose font's name contains a word."""
    with pikepdf.open(path) as pdf:
        return [
            bytes(item.FontDescriptor.FontFile2.read_bytes())
            for item in pdf.objects
            if isinstance(item, pikepdf.Dictionary)
            and "/FontDescriptor" in item
            and name in str(item.get("/BaseFont"))
        ]


def glyph_sizes(data):
    """Return HarfBuzz's width and height in em of all glyphs of a font."""
    face = hb.Face(data)
    boxes = [hb.Font(face).get_glyph_extents(index) for index in range(face.glyph_count)]
    return {(box.width / face.upem, -box.height / face.upem) for box in boxes if box}


@pytest.mark.parametrize(
    "layout",
    [
        "- {text: A, box: [5, 5, 35, 35], style: boxes, axes: {wdth: $wide}}\n",
        "- blocks: [{text: A, style: boxes, axes: {wdth: $wide}}]\n  box: [5, 5, 35, 35]\n",
        "- {table: A, box: [5, 5, 35, 35], style: boxes, axes: {wdth: $wide}}\n",
    ],
)
def test_axes_come_from_a_column_in_texts_blocks_and_tables(tmp_path, layout):
    folder = boxes(tmp_path, layout, "id,wide\none,75\ntwo,125\n")
    for design, width in ((0, 75), (1, 125)):
        picture = render_design(folder, design=design)
        assert ink_width(picture) == pytest.approx(SIZE_MM * width_at(620, width), abs=0.15)
        # The inline style keeps the grade of its text.
        assert ink_height(picture) == pytest.approx(SIZE_MM * 0.875, abs=0.15)


def test_inline_style_has_its_axes_inside_a_text_of_another_style(tmp_path):
    layout = "- {text: '[boxes]A[/]', box: [5, 5, 35, 35], style: body}\n"
    picture = render_design(boxes(tmp_path, layout))
    assert ink_width(picture) == pytest.approx(SIZE_MM * width_at(620, 80), abs=0.15)


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ("{wdth: 60}", "60 is outside the axis wdth (Width) of 'Boxes'\n  expected 75 to 125"),
        (
            "{Width: 80}",
            "expected one of: wdth (Width) 75 to 125, GRAD (Grade) 0 to 100\n  did you mean 'wdth'?",
        ),
        ("{wght: 620}", "wght has a key of its own\n  expected `weight: 620`"),
        ("80", "this is not a mapping\n  expected such as {wdth: 80, GRAD: 50}"),
    ],
)
def test_wrong_axes_are_reported_at_their_line(tmp_path, axes, message):
    style = f"  boxes:\n    font: Boxes\n    axes: {axes}\n"
    report = problems(boxes(tmp_path / "style", style=style))
    assert report.startswith("game.yaml:8: styles.boxes")
    assert message in report
    layout = f"- text: A\n  box: trim\n  style: boxes\n  axes: {axes}\n"
    report = problems(boxes(tmp_path / "layer", layout))
    assert report.startswith("layouts/front.yaml:4: axes")
    assert message in report


def test_wrong_axis_value_in_a_cell_is_reported_at_the_row(tmp_path):
    layout = "- {text: A, box: trim, style: boxes, axes: {wdth: $wide}}\n"
    folder = boxes(tmp_path, layout, "id,wide\none,80\ntwo,300\n")
    assert problems(folder) == (
        "cards.csv:3: wide: 300 is outside the axis wdth (Width) of 'Boxes'\n"
        "  expected 75 to 125\n"
        "  it is used in layouts/front.yaml:1"
    )


def test_font_without_axes_is_named(tmp_path):
    style = "  boxes: {font: Alegreya, axes: {wdth: 80}}\n"
    assert "the font 'Alegreya' has no axes to set" in problems(boxes(tmp_path, style=style))


def test_too_many_values_of_axes_are_refused(tmp_path):
    layout = "- {text: A, box: trim, style: boxes, axes: {GRAD: $n}}\n"
    table = "id,n\n" + "".join(f"c{n},{n}\n" for n in range(40))
    report = problems(boxes(tmp_path, layout, table))
    assert "styles and columns set the axes of variable fonts to 41 different values" in report


def test_variable_opentype_outlines_are_rendered_at_their_axes(tmp_path):
    style = "  boxes: {font: Boxes, weight: 620, size: 20mm, leading: 1, axes: {wdth: 150}}\n"
    data = make_variable_cff()
    folder = make(tmp_path, LAYOUT, more=style, files={"fonts/boxes.otf": data})
    width, _ = extents(data, wght=620, wdth=150)
    assert ink_width(render_design(folder)) == pytest.approx(SIZE_MM * width, abs=0.15)


def test_fonts_of_a_pack_are_listed_with_their_axes(tmp_path, pnp):
    result = pnp("list", "fonts", "--game", boxes(tmp_path))
    assert "axes: wdth (Width) 75 to 125, GRAD (Grade) 0 to 100" in result.output
    assert "wdth80" not in result.output
    assert pnp("list", "papers", "--game", tmp_path).exit_code == 2


DPI = 254
"""Ten pixels a millimetre, as in pictures of `render_design`."""


def test_preview_and_print_of_the_packs_fonts_differ_by_less_than_a_pixel(tmp_path, pnp):
    files = {
        "fonts/a.otf": make_letters("otf", "A"),
        "fonts/b.ttf": make_letters("variable", "B"),
        "fonts/c.woff2": compress(make_letters("otf", "C")),
    }
    styles = {"a": "{font: A", "b": "{font: B, axes: {wdth: 110}", "c": "{font: C"}
    more = "".join(f"  {name}: {style}, size: 6mm}}\n" for name, style in styles.items())
    texts = (
        f"- {{text: 'Spring Ave', box: [1, {1 + 12 * n}, 38, 12], style: {name}}}\n"
        f"- {{text: '62 gjq&%@', box: [1.3, {6.77 + 12 * n}, 38, 12], style: {name}}}\n"
        for n, name in enumerate(styles)
    )
    folder = make(tmp_path / "pack", "".join(texts), more=more, files=files)
    assert pnp("build", folder, "-o", tmp_path, "--paper", "a4").exit_code == 0
    (path,) = tmp_path.rglob("*sheets-a4.pdf")
    printed = ink(read_pdf.face(path, DPI))
    preview = ink(render_design(folder).image)
    assert preview.size == printed.size
    for row in range(3):  # each font has two lines with ink
        part = preview.crop((0, 40 + 120 * row, preview.width, 160 + 120 * row))
        assert ImageStat.Stat(part).sum[0] > 255 * 1000
    assert not ImageChops.subtract(printed, preview.filter(ImageFilter.MaxFilter(3))).getbbox()
    assert not ImageChops.subtract(preview, printed.filter(ImageFilter.MaxFilter(3))).getbbox()


def ink(image):
    """Return a mask of the pixels that are more than half covered by ink, as white."""
    paper = Image.new("RGB", image.size, "white")
    paper.paste(image, mask=image.getchannel("A") if image.mode == "RGBA" else None)
    return paper.convert("L").point(lambda light: 255 if light < 128 else 0)


def test_static_fonts_have_the_same_bytes_each_time(tmp_path):
    path = tmp_path / "boxes.woff2"
    path.write_bytes(make_variable(flavor="woff2"))
    (static_font,) = {
        file.path.read_bytes() for file in static_fonts(path, [])[0] if file.axis_weight == 400
    }
    assert font_files.make_static_fonts(path.read_bytes(), [400], "", ()).endswith(static_font)


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("boxes.woff2", make_variable(flavor="woff2"), "is compressed"),
        ("boxes.ttf", make_variable(), "is a variable font"),
    ],
)
def test_font_that_needs_a_missing_extra_names_the_extra(tmp_path, monkeypatch, name, data, kind):
    monkeypatch.setattr(font_files, "engine_versions", lambda: {"fonttools": ""})
    monkeypatch.setenv("PNP_CACHE", str(tmp_path / "empty"))
    message = problems(pack(tmp_path / "pack", data, name))
    assert f"fonts/{name}: {name} {kind}; reading it needs the extra `fonts`" in message
    assert "pip install 'pnp-generator[fonts]'" in message
    assert "unknown font" not in message, "the style names the font that could not be read"


def test_damaged_font_is_reported_with_its_file(tmp_path):
    woff = make_variable(flavor="woff2")
    message = problems(pack(tmp_path / "cut", woff[: len(woff) // 2], "boxes.woff2"))
    assert message.startswith("fonts/boxes.woff2: boxes.woff2 cannot be read: ")
    huge = woff[:16] + struct.pack(">I", 2_000_000_000) + woff[20:]
    message = problems(pack(tmp_path / "huge", huge, "boxes.woff2"))
    assert "boxes.woff2 unpacks to 2000 MB" in message


@pytest.mark.parametrize("axes", ["", ", axes: {wdth: 80}"])
@pytest.mark.parametrize(("style", "weight"), [("boxes", 600), ("other", 620)])
def test_weights_near_one_hundred_stay_different(tmp_path, axes, style, weight):
    """Engines know only hundreds: 600 and 620 are one weight to them."""
    layout = LAYOUT.replace("boxes", style)
    more = "".join(
        f"  {name}: {{font: Boxes, weight: {each}, size: 20mm, leading: 1{axes}}}\n"
        for name, each in (("boxes", 600), ("other", 620))
    )
    data = make_variable(more_axes=bool(axes))
    folder = make(tmp_path, layout, more=more, files={"fonts/boxes.ttf": data})
    width = SIZE_MM * width_at(weight, 80 if axes else 100)
    assert ink_width(render_design(folder)) == pytest.approx(width, abs=0.1)


def test_too_many_weights_are_refused(tmp_path):
    more = STYLE % 400 + "".join(f"  s{n}: {{font: Boxes, weight: {n}}}\n" for n in range(500, 530))
    folder = make(tmp_path, LAYOUT, more=more, files={"fonts/boxes.ttf": make_variable()})
    assert "the pack has 32 weights of variable fonts\n  expected at most 24" in problems(folder)


def test_weight_in_a_cell_selects_a_weight_of_a_variable_font(tmp_path):
    layout = LAYOUT.replace("}", ", weight: $weight}")
    files = {"fonts/boxes.ttf": make_variable()}
    folder = make(tmp_path, layout, "id,weight\none,800\n", STYLE % 400, files=files)
    assert ink_width(render_design(folder)) == pytest.approx(SIZE_MM * width_at(800), abs=0.15)


def test_footer_is_printed_in_our_font_if_the_pack_replaces_it(tmp_path, pnp):
    folder = make(tmp_path / "pack", files={"fonts/own.otf": make_otf("Alegreya Sans")})
    result = pnp("build", folder, "-o", tmp_path, "--paper", "a4", "--what", "sheets")
    assert result.exit_code == 0, result.output
    (path,) = tmp_path.rglob("*sheets-a4.pdf")
    with pypdfium2.PdfDocument(path) as pdf:
        assert "print at 100" in pdf[0].get_textpage().get_text_bounded()


def test_symbols_and_emoji_need_no_font_of_the_pack(tmp_path):
    layout = "- {text: 'Pay ♥ or 🎲 now', box: trim, style: body}\n"
    (component,) = draw_game(loaded(make(tmp_path, layout)))
    runs = [item for item, _ in walk(component.designs[0].front.items) if isinstance(item, TextRun)]
    families = {run.text.strip(): run.font.family for run in runs}
    assert families["♥"] == "Noto Sans Symbols 2"
    assert families["🎲"] == "Noto Emoji"
    assert families["now"] == "Alegreya Sans"
    assert all(run.text == run.text.strip() for run in runs if run.font.family.startswith("Noto"))


def test_symbols_are_printed_in_rules(tmp_path, pnp):
    rules = "# Rules\n\nPay ♥ or 🎲, then ★.\n"
    folder = make(tmp_path / "pack", more="rules: {file: rules.md}\n", files={"rules.md": rules})
    assert pnp("rules", folder, "-o", tmp_path).exit_code == 0
    path = next(path for path in tmp_path.rglob("*rules.pdf"))
    with pypdfium2.PdfDocument(path) as pdf:
        assert "Pay ♥ or 🎲, then ★." in pdf[0].get_textpage().get_text_bounded()


def test_release_with_a_variable_font_differs_from_later_cards_only(tmp_path, pnp):
    table = "id,letter\none,A\ntwo,A A\n"
    layout = LAYOUT.replace("text: A", "text: $letter")
    style = (STYLE % 620).replace("20mm", "8mm")
    folder = make(tmp_path / "pack", layout, table, style, files={"fonts/b.ttf": make_variable()})
    assert pnp("release", folder).exit_code == 0
    (folder / "cards.csv").write_text(table.replace("A A", "A"), "utf-8")
    game = (folder / "game.yaml").read_text("utf-8")
    (folder / "game.yaml").write_text(game.replace('version: "1"', 'version: "2"'), "utf-8")
    changes = json.loads(pnp("diff", folder, "--from", "1", "--json").stdout)["changes"]
    assert [change["id"] for change in changes] == ["two"]


def test_list_of_fonts_shows_each_family_in_its_own_letters(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    opened_urls = []
    monkeypatch.setattr(click, "launch", lambda url, **_: opened_urls.append(url) or 0)
    assert pnp("list", "fonts", "--show").exit_code == 0
    assert opened_urls == ["output/fonts.html"]
    page = (tmp_path / "output" / "fonts.html").read_text("utf-8")
    for family in font_set().families:
        assert f">{family}</h2>" in page
    assert page.count("@font-face") == len(font_set().files)
    assert pnp("list", "papers", "--show").exit_code == 2
