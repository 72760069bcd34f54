"""Test fonts in the folder of a pack."""

import io
import shutil

import numpy as np
import pytest
from fontTools.ttLib import TTCollection, TTFont

from tests.tools.make_fonts import compress
from tests.tools.make_pack import FONTS, loaded, make, problems, renamed, render_design
from tests.tools.read_pdf import fonts

LAYOUT = "- text: Hamburg\n  box: [3, 10, 34, 20]\n  style: mine\n"
STYLE = "  mine: {font: Pack Font, size: 6mm}"


def test_font_of_a_pack_is_found_and_rendered(tmp_path):
    mine = make(tmp_path / "mine", LAYOUT, more=STYLE, files={"fonts/deep/pack.ttf": renamed()})
    ours = make(tmp_path / "ours", LAYOUT, more=STYLE.replace("Pack Font", "Bungee"))
    other = make(tmp_path / "other", LAYOUT, more=STYLE.replace("Pack Font", "Alegreya"))
    pictures = [np.asarray(render_design(pack).image)[..., 3] for pack in (mine, ours, other)]
    assert pictures[0].any()
    assert (pictures[0] == pictures[1]).all(), "it looks like the font that it is"
    assert (pictures[0] != pictures[2]).any()


def test_font_of_a_pack_is_embedded_in_the_print(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "pack", LAYOUT, more=STYLE, files={"fonts/pack.ttf": renamed()})
    assert pnp("build", "pack", "--paper", "a4").exit_code == 0
    fonts_in_print = fonts(tmp_path / "output/pack/pack-1-sheets-a4.pdf")
    assert any("Pack" in name for name in fonts_in_print), fonts_in_print
    assert all(fonts_in_print.values())


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


def test_missing_weight_is_reported_with_the_weights_of_the_font(tmp_path):
    more = STYLE.replace("Pack Font", "Pack Font, weight: bold")
    message = problems(make(tmp_path, LAYOUT, more=more, files={"fonts/pack.ttf": renamed()}))
    assert "the font 'Pack Font' has no bold" in message
    assert "one of: regular" in message


def test_missing_weight_of_a_font_collection_says_that_one_font_of_it_is_read(tmp_path):
    collection = TTCollection()
    collection.fonts = [TTFont(io.BytesIO(renamed())), TTFont(FONTS / "alegreya/Alegreya-Bold.ttf")]
    data = io.BytesIO()
    collection.save(data)
    more = STYLE.replace("Pack Font", "Pack Font, weight: bold")
    message = problems(make(tmp_path, LAYOUT, more=more, files={"fonts/my.ttc": data.getvalue()}))
    assert "the font 'Pack Font' has no bold" in message
    assert "pnp reads only the first font in my.ttc" in message


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
