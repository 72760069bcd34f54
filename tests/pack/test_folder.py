"""Test that a pack reads only files in its own folder."""

import shutil
from pathlib import Path
from unicodedata import normalize

import pytest

from generator.base.errors import InvalidValueError
from generator.pack.folder import PackFolder
from tests.tools.make_pack import loaded, make, problems, render_design, svg

FONTS = Path(__file__).parents[2] / "fonts"
OUTSIDE = [
    "../secret.svg",
    "art/../../secret.svg",
    "/etc/passwd",
    "~/secret.svg",
    "..\\secret.svg",
    "C:/secret.svg",
    "C:\\x",
    "",
    " ",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_art_outside_the_pack_is_refused(name, tmp_path):
    pack = make(tmp_path / "pack", f"- svg: '{name}'\n")
    (tmp_path / "secret.svg").write_text(svg(""))
    assert "is not a file of the pack" in problems(pack)


@pytest.mark.parametrize("key", ["front: layouts/front.yaml", "data: cards.csv"])
@pytest.mark.parametrize("name", ["../out/x.csv", "/etc/hosts.csv", "..\\x.csv"])
def test_layout_or_table_outside_the_pack_is_refused(key, name, tmp_path):
    path = make(tmp_path / "pack") / "game.yaml"
    path.write_text(path.read_text().replace(key, f"{key.split(':')[0]}: {name}"))
    assert "is not a file of the pack" in problems(path.parent)


def test_path_in_a_cell_outside_the_pack_is_reported_at_the_cell(tmp_path):
    pack = make(tmp_path, "- svg: art/$art\n", "id,art\none,../../secret.svg\n")
    assert problems(pack).startswith(
        "cards.csv:2: art: 'art/../../secret.svg' is not a file of the pack"
    )


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_link_out_of_the_pack_is_refused(kind, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.svg").write_text(svg(""))
    pack = make(tmp_path / "pack", "- svg: art/a.svg\n")
    if kind == "file":
        (pack / "art").mkdir()
        (pack / "art" / "a.svg").symlink_to(outside / "a.svg")
    else:
        (pack / "art").symlink_to(outside)
    assert "'art/a.svg' leads out of the pack's folder" in problems(pack)


def test_link_inside_the_pack_is_followed(tmp_path):
    art = svg('<rect width="10" height="10" fill="#00ff00"/>')
    pack = make(tmp_path, "- svg: art/b.svg\n", files={"art/a.svg": art})
    (pack / "art" / "b.svg").symlink_to(pack / "art" / "a.svg")
    assert problems(pack) == ""
    assert render_design(pack).at(20, 20) == "#00ff00"


def test_game_yaml_that_links_out_of_the_pack_is_refused(tmp_path):
    shutil.move(make(tmp_path / "pack") / "game.yaml", tmp_path / "game.yaml")
    (tmp_path / "pack" / "game.yaml").symlink_to(tmp_path / "game.yaml")
    assert "leads out" in problems(tmp_path / "pack")


def test_font_that_links_out_of_the_pack_is_refused(tmp_path):
    pack = make(tmp_path / "pack")
    (pack / "fonts").mkdir()
    (pack / "fonts" / "a.ttf").symlink_to(FONTS / "bungee" / "Bungee-Regular.ttf")
    assert "a.ttf leads out of the pack's folder" in problems(pack)


def test_missing_file_is_reported_with_its_neighbours_and_the_nearest(tmp_path):
    pack = make(
        tmp_path, "- svg: art/tre.svg\n", files={"art/tree.svg": svg(""), "art/rock.svg": svg("")}
    )
    message = problems(pack)
    assert "no file 'art/tre.svg'" in message
    assert "rock, tree" in message
    assert "did you mean 'art/tree.svg'?" in message


def test_names_are_found_however_their_accents_are_stored(tmp_path):
    """Archives made on macOS hold ü as u and a mark of its own."""
    stored = normalize("NFD", "grün")
    assert stored != "grün"
    files = {
        f"{stored}/{stored}.svg": svg("<rect width='10' height='10' fill='#00ff00'/>"),
        f"art/icons/{stored}.svg": svg("<rect width='10' height='10' fill='#0000ff'/>"),
    }
    layout = (
        "- svg: grün/$name.svg\n  box: [5, 5, 10, 10]\n"
        "- text: ':grün:'\n  box: [20, 20, 10, 10]\n  style: body\n"
        "- icon: $name\n  at: [30, 10]\n  size: 6mm\n"
    )
    picture = render_design(make(tmp_path, layout, "id,name\na,grün\n", files=files))
    assert [picture.at(10, 10), picture.at(30, 10)] == ["#00ff00", "#0000ff"]


def test_missing_folder_is_reported(tmp_path):
    assert "there is no folder 'art'" in problems(make(tmp_path, "- svg: art/tree.svg\n"))


@pytest.mark.parametrize("name", ["x" * 300, "a/" * 3000, "a\0b"])
def test_impossible_file_name_is_refused(name, tmp_path):
    with pytest.raises(InvalidValueError, match="no file"):
        PackFolder(make(tmp_path)).asset(name)


def test_sentence_in_place_of_a_file_name_is_reported_at_its_cell(tmp_path):
    pack = make(tmp_path, "- svg: art/$text\n", f"id,text\none,{'A long story. ' * 40}\n")
    assert problems(pack).startswith("cards.csv:2: text: no file")


@pytest.mark.parametrize("version", ["../../evil", "1/2", "/etc/x", "", "a b", "."])
def test_version_that_cannot_be_part_of_a_file_name_is_refused(version, tmp_path):
    path = make(tmp_path) / "game.yaml"
    path.write_text(path.read_text().replace('"1"', f'"{version}"'))
    assert f"version: {version!r} cannot be part of a file name" in problems(tmp_path)


@pytest.mark.parametrize("version", ["1", "1.10", "2024-05-01", "v2.0-beta_3+x"])
def test_version_is_read_as_written(version, tmp_path):
    path = make(tmp_path) / "game.yaml"
    path.write_text(path.read_text().replace('"1"', version))
    assert loaded(tmp_path).version == version
