"""Test OTF, variable and WOFF2 fonts, and characters that are missing from fonts of the pack."""

import json
import struct

import click
import pypdfium2
import pytest
import uharfbuzz as hb

from generator.base import font_files
from generator.base.font_files import static_files
from generator.base.fonts import font_set
from generator.draw.draw import draw_game
from generator.picture.items import TextRun, walk
from tests.tools.make_fonts import compress, make_otf, make_variable, width_at
from tests.tools.make_pack import drawn, loaded, make, problems

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
    assert ink_width(drawn(folder)) == pytest.approx(SIZE_MM * width_at(weight), abs=0.15)


@pytest.mark.parametrize("name", ["boxes.otf", "boxes.woff2"])
def test_font_with_cff_outlines_is_rendered(tmp_path, name):
    data = make_otf(width=700)
    folder = pack(tmp_path, compress(data) if name.endswith("woff2") else data, name)
    assert ink_width(drawn(folder)) == pytest.approx(SIZE_MM * 0.7, abs=0.15)


@pytest.mark.parametrize(
    ("name", "data", "weight", "width"),
    [
        ("boxes.otf", make_otf(width=700), 400, 0.7),
        ("boxes.ttf", make_variable(), 620, width_at(620)),
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
    assert ink_width(drawn(folder)) == pytest.approx(SIZE_MM * width, abs=0.15)


def test_static_fonts_have_the_outlines_of_the_variable_font_at_each_weight(tmp_path):
    data = make_variable()
    path = tmp_path / "boxes.ttf"
    path.write_bytes(data)
    for static in static_files(path, [250, 620]):
        variable = hb.Font(hb.Face(data))
        variable.set_variations({"wght": static.weight})
        pinned = hb.Font(hb.Face(static.path.read_bytes()))
        expected, extents = variable.get_glyph_extents(2), pinned.get_glyph_extents(2)
        assert extents.width == pytest.approx(expected.width, abs=1), static.weight
        assert extents.height == expected.height
    assert [file.weight for file in static_files(path, [250, 620])] == [250, 400, 620, 700]


def test_static_fonts_have_the_same_bytes_each_time(tmp_path):
    path = tmp_path / "boxes.woff2"
    path.write_bytes(make_variable(flavor="woff2"))
    (static_font,) = {
        file.path.read_bytes() for file in static_files(path, []) if file.weight == 400
    }
    assert font_files.make_static_fonts(path.read_bytes(), [400]).endswith(static_font)


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


def test_damaged_font_is_reported_with_its_file(tmp_path):
    woff = make_variable(flavor="woff2")
    message = problems(pack(tmp_path / "cut", woff[: len(woff) // 2], "boxes.woff2"))
    assert message.startswith("fonts/boxes.woff2: boxes.woff2 cannot be read: ")
    huge = woff[:16] + struct.pack(">I", 2_000_000_000) + woff[20:]
    message = problems(pack(tmp_path / "huge", huge, "boxes.woff2"))
    assert "boxes.woff2 unpacks to 2000 MB" in message


def test_weights_that_previews_cannot_tell_apart_are_refused(tmp_path):
    more = STYLE % 600 + "  other: {font: Boxes, weight: 620}\n"
    folder = make(tmp_path, LAYOUT, more=more, files={"fonts/boxes.ttf": make_variable()})
    assert "the weights 600 and 620 are too close in a variable font" in problems(folder)


def test_weight_in_a_cell_selects_a_weight_of_a_variable_font(tmp_path):
    layout = LAYOUT.replace("}", ", weight: $weight}")
    files = {"fonts/boxes.ttf": make_variable()}
    folder = make(tmp_path, layout, "id,weight\none,800\n", STYLE % 400, files=files)
    assert ink_width(drawn(folder)) == pytest.approx(SIZE_MM * width_at(800), abs=0.15)


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
