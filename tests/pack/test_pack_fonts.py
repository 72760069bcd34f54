"""Test fonts in the folder of a pack."""

import io
import shutil
import struct

import numpy as np
import pytest
from fontTools.cffLib import SubrsIndex
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString
from fontTools.ttLib import TTCollection, TTFont
from PIL import ImageChops

from generator.base.fonts import read_font
from generator.pdf.typst import fonts_in
from generator.release.release_file import read
from tests.tools.make_fonts import compress
from tests.tools.make_pack import FONTS, loaded, make, problems, renamed, render_design
from tests.tools.read_pdf import fonts, picture

LAYOUT = "- text: Hamburg\n  box: [3, 10, 34, 20]\n  style: mine\n"
STYLE = "  mine: {font: Pack Font, size: 6mm}"


def test_font_of_a_pack_is_found_and_rendered(tmp_path):
    mine = make(tmp_path / "mine", LAYOUT, more=STYLE, files={"fonts/deep/pack.ttf": renamed()})
    ours = make(tmp_path / "ours", LAYOUT, more=STYLE.replace("Pack Font", "Bungee"))
    other = make(tmp_path / "other", LAYOUT, more=STYLE.replace("Pack Font", "Alegreya"))
    pictures = [np.asarray(render_design(pack).image)[..., 3] for pack in (mine, ours, other)]
    assert pictures[0].any()
    assert (pictures[0] == pictures[1]).all(), "the renamed font looks like the original"
    assert (pictures[0] != pictures[2]).any()


def test_font_of_a_pack_is_embedded_in_the_print(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack", LAYOUT, more=STYLE, files={"fonts/pack.ttf": renamed()})
    assert pnp("build", "pack", "--paper", "a4").exit_code == 0
    fonts_in_print = fonts(tmp_path / "output/pack/pack-1-sheets-a4.pdf")
    assert any("Pack" in name for name in fonts_in_print), fonts_in_print
    assert all(fonts_in_print.values())


@pytest.mark.parametrize(
    "family",
    [
        *("Cooper Black", "Franklin Gothic Medium", "Segoe UI Semibold", "Rockwell Extra Bold"),
        *("Univers LT", "Arial Narrow", "Berlin Sans FB Demi", "Exo-Thin", "Gill Condensed"),
        *("Fira Sans Extra Condensed", "Wide Extended", "Smith", "North"),
    ],
)
def test_typst_finds_a_font_by_one_of_its_names(tmp_path, family):
    (tmp_path / "pack.ttf").write_bytes(renamed(family=family))
    (filed,) = fonts_in([str(tmp_path)]).families()
    assert filed in read_font(tmp_path / "pack.ttf").names


@pytest.mark.parametrize(
    ("one", "two", "printed"),
    [
        ("Pack Black", "Pack", {"Pack-Black", "Pack"}),
        ("Pack Black", "Pack Light", {"Pack-Black", "Pack-Light"}),
        ("Fira Sans Condensed", "Fira Sans", {"FiraSansCondensed-Regular", "Fira-Sans"}),
    ],
)
def test_families_that_differ_by_a_word_of_style_are_each_printed_in_their_own_letters(
    tmp_path, monkeypatch, pnp, one, two, printed
):
    styles = f"  one: {{font: {one}, size: 6mm}}\n  two: {{font: {two}, size: 6mm}}"
    layout = "".join(
        f"- {{text: Wow, box: [3, {top}, 34, 12], style: {style}}}\n"
        for style, top in (("one", 3), ("two", 20))
    )
    files = {
        f"fonts/{family}.ttf": renamed(family=family)
        for family in (one, two)
        if family != "Fira Sans Condensed"  # a bundled font
    }
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack", layout, more=styles, files=files)
    assert pnp("build", "pack", "--paper", "a4", "--what", "sheets").exit_code == 0
    embedded = fonts(tmp_path / "output/pack/pack-1-sheets-a4.pdf")
    assert printed <= {name.partition("+")[2] for name in embedded}


def test_unknown_font_is_refused(tmp_path):
    assert "unknown font 'Pack Font'" in problems(make(tmp_path, LAYOUT, more=STYLE))


@pytest.mark.parametrize("name", ["mine", "Mine.ttf", "fonts/mine.ttf"])
def test_file_of_a_font_in_place_of_its_family_is_refused_with_the_family(tmp_path, name):
    style = STYLE.replace("Pack Font", name)
    message = problems(make(tmp_path, LAYOUT, more=style, files={"fonts/mine.ttf": renamed()}))
    assert f"unknown font {name!r}" in message
    assert message.endswith("the family of mine.ttf is 'Pack Font'")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.ttf", b"nonsense", "a.ttf has no outlines"),
        ("a.woff2", b"wOF2", "a.woff2 cannot be read"),
        ("a.ttf", b"", "a.ttf"),
    ],
    ids=["nonsense", "woff2", "empty"],
)
def test_font_that_cannot_be_printed_is_refused(name, data, message, tmp_path):
    assert f"fonts/{name}: {message}" in problems(make(tmp_path, files={f"fonts/{name}": data}))


def with_table(tag: bytes, table: bytes) -> bytes:
    """Return the bytes of a bundled font with another table of this name at its end."""
    data = bytearray((FONTS / "bungee/Bungee-Regular.ttf").read_bytes())
    data += bytes(-len(data) % 4)
    (count,) = struct.unpack_from(">H", data, 4)
    for at in range(12, 12 + 16 * count, 16):
        if data[at : at + 4] == tag:
            struct.pack_into(">II", data, at + 8, len(data), len(table))
    return bytes(data + table)


def characters(*ranges: tuple[int, int]) -> bytes:
    """Return a table of characters that lists some ranges, all with the glyph 1."""
    groups = b"".join(struct.pack(">III", *ends, 1) for ends in ranges)
    head = struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, len(ranges))
    return struct.pack(">HHHHI", 0, 1, 3, 10, 12) + head + groups


def glyph_of_itself() -> bytes:
    """Return the outlines of a bundled font, in which the glyph of A consists of itself, twice."""
    font = TTFont(FONTS / "bungee/Bungee-Regular.ttf")
    start = font["loca"].locations[font.getGlyphID("A")]
    parts = struct.pack(
        ">HHbbHHbb", 0x22, font.getGlyphID("A"), 0, 0, 2, font.getGlyphID("A"), 0, 0
    )
    glyphs = bytearray(font.reader["glyf"])
    glyphs[start : start + 10 + len(parts)] = struct.pack(">5h", -1, 0, 0, 500, 700) + parts
    return bytes(glyphs)


@pytest.mark.parametrize(
    ("tag", "table", "message"),
    [
        (b"cmap", characters((0, 0xFFFFFFFF)), "claims to have more than 3,000,000 characters"),
        (
            b"cmap",
            characters(*[(0, 0x10FFFF)] * 9),
            "claims to have more than 3,000,000 characters",
        ),
        (b"cmap", struct.pack(">HH", 0, 60_000), "has 60000 tables of characters"),
        (b"glyf", glyph_of_itself(), "its glyphs are nested more than 16 deep"),
    ],
    ids=["one range", "many ranges", "many tables", "a glyph of itself"],
)
def test_font_that_would_fill_the_memory_is_refused(tmp_path, tag, table, message):
    files = {"fonts/a.ttf": with_table(tag, table)}
    found = problems(make(tmp_path, files=files))
    assert "fonts/a.ttf: a.ttf would take too much memory: it" in found
    assert message in found


def test_font_whose_subroutines_multiply_is_refused(tmp_path):
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder([".notdef", "A"])
    builder.setupCharacterMap({65: "A"})
    # The number of a subroutine is stored less 107. Each calls the next one 30 times.
    calls = [[number + 1 - 107, "callsubr"] * 30 for number in range(8)]
    programs = [*calls, [1, 1, "rlineto"]]
    first = T2CharString(program=[0, 0, "rmoveto", -107, "callsubr", "endchar"])
    builder.setupCFF("Bomb", {}, {".notdef": T2CharString(program=["endchar"]), "A": first}, {})
    private = builder.font["CFF "].cff.topDictIndex[0].Private
    private.Subrs = SubrsIndex()
    for program in programs:
        private.Subrs.append(T2CharString(program=[*program, "return"], private=private))
    builder.setupHorizontalMetrics({".notdef": (500, 0), "A": (500, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Bomb", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.font.recalcBBoxes = False  # fontTools would draw the glyph for years
    out = io.BytesIO()
    builder.save(out)
    found = problems(make(tmp_path, files={"fonts/a.otf": out.getvalue()}))
    assert "a.otf would take too much memory: a glyph is drawn in too many steps" in found


def test_missing_weight_is_reported_with_the_weights_of_the_font(tmp_path):
    more = STYLE.replace("Pack Font", "Pack Font, weight: bold")
    message = problems(make(tmp_path, LAYOUT, more=more, files={"fonts/pack.ttf": renamed()}))
    assert "the font 'Pack Font' has no bold" in message
    assert "one of: regular" in message


def make_collection(*fonts):
    collection = TTCollection()
    collection.fonts = [TTFont(io.BytesIO(data)) for data in fonts]
    file = io.BytesIO()
    collection.save(file)
    return file.getvalue()


def test_each_font_of_a_collection_is_used_like_a_font_of_its_own(tmp_path, pnp):
    """The second font of a file is measured, previewed, printed and recorded in the release."""
    other = renamed("alegreya/Alegreya-Regular.ttf", family="Other Font")
    own = renamed()
    layout = LAYOUT + "- {text: Hamburg, box: [3, 22, 34, 15], style: other}\n"
    more = STYLE + "\n  other: {font: Other Font, size: 6mm}"
    packs = {
        "single": make(
            tmp_path / "single", layout, more=more, files={"fonts/a.ttf": own, "fonts/b.ttf": other}
        ),
        "joined": make(
            tmp_path / "joined",
            layout,
            more=more,
            files={"fonts/both.ttc": make_collection(own, other)},
        ),
    }
    pictures = [np.asarray(render_design(pack).image) for pack in packs.values()]
    assert (pictures[0] == pictures[1]).all()
    prints = []
    for name, pack in packs.items():
        result = pnp("build", pack, "-o", tmp_path / "out", "--paper", "a4")
        assert result.exit_code == 0, result.output
        (sheets,) = (tmp_path / "out" / name).glob("*sheets-a4.pdf")
        assert any("Other" in font for font in fonts(sheets))
        prints.append(picture(sheets, 0, 100))
    assert ImageChops.difference(*prints).getbbox() is None
    (release,) = (tmp_path / "out" / "joined").glob("*.pnprelease")
    recorded = {
        TTFont(io.BytesIO(font.data))["name"].getBestFamilyName() for font in read(release).fonts
    }
    assert sorted(recorded) == ["Other Font", "Pack Font"]


def test_collection_that_claims_too_many_fonts_is_refused(tmp_path):
    data = bytearray(make_collection(renamed()))
    struct.pack_into(">I", data, 8, 1_000_000)
    message = problems(make(tmp_path, LAYOUT, more=STYLE, files={"fonts/x.ttc": bytes(data)}))
    assert "x.ttc claims to hold 1000000 fonts" in message


def test_compressed_copy_of_a_font_is_reported_with_both_files_of_the_pack(tmp_path):
    packed = {"fonts/a.woff2": compress(renamed()), "fonts/b.woff2": compress(renamed())}
    message = problems(make(tmp_path, LAYOUT, more=STYLE, files=packed))
    assert "fonts/b.woff2: this is Pack Font regular, and so is" in message
    assert "fonts/a.woff2\n" in message


def test_font_folder_may_contain_licence_files(tmp_path):
    pack = make(
        tmp_path,
        LAYOUT,
        more=STYLE,
        files={"fonts/pack.ttf": renamed(), "fonts/OFL.txt": "licence"},
    )
    shutil.copy(FONTS / "bungee" / "OFL.txt", pack / "fonts" / "LICENSE")
    assert problems(pack) == ""
    assert "Pack Font" in loaded(pack).fonts.families


def test_two_font_files_with_the_same_name_and_style_are_refused(tmp_path):
    files = {"fonts/a.ttf": renamed(), "fonts/deep/b.ttf": renamed("alegreya/Alegreya-Regular.ttf")}
    message = problems(make(tmp_path, LAYOUT, more=STYLE, files=files))
    assert "fonts/deep/b.ttf: this is Pack Font regular, and so is" in message
    assert "fonts/a.ttf\n" in message
    assert (
        problems(make(tmp_path / "ours", LAYOUT, more=STYLE, files={"fonts/a.ttf": renamed()}))
        == ""
    )
