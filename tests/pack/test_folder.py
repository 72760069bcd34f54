"""Test that a pack reads only files in its own folder."""

import shutil
from pathlib import Path

import pytest

from generator.base.errors import InvalidValueError
from generator.pack.folder import PackFolder
from tests.tools.make_pack import drawn, loaded, make, problems, svg

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
def test_a_path_that_leads_outside(name, tmp_path):
    pack = make(tmp_path / "pack", f"- svg: '{name}'\n")
    (tmp_path / "secret.svg").write_text(svg(""))
    assert "is not a file of the pack" in problems(pack)


@pytest.mark.parametrize("key", ["front: layouts/front.yaml", "data: cards.csv"])
@pytest.mark.parametrize("name", ["../out/x.csv", "/etc/hosts.csv", "..\\x.csv"])
def test_everywhere(key, name, tmp_path):
    path = make(tmp_path / "pack") / "game.yaml"
    path.write_text(path.read_text().replace(key, f"{key.split(':')[0]}: {name}"))
    assert "is not a file of the pack" in problems(path.parent)


def test_a_path_from_the_table_is_the_tables_fault(tmp_path):
    pack = make(tmp_path, "- svg: art/$art\n", "id,art\none,../../secret.svg\n")
    assert problems(pack).startswith(
        "cards.csv:2: art: 'art/../../secret.svg' is not a file of the pack"
    )


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_link_that_leads_out(what, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.svg").write_text(svg(""))
    pack = make(tmp_path / "pack", "- svg: art/a.svg\n")
    if what == "file":
        (pack / "art").mkdir()
        (pack / "art" / "a.svg").symlink_to(outside / "a.svg")
    else:
        (pack / "art").symlink_to(outside)
    assert "'art/a.svg' leads out of the pack's folder" in problems(pack)


def test_a_link_within_is_welcome(tmp_path):
    art = svg('<rect width="10" height="10" fill="#00ff00"/>')
    pack = make(tmp_path, "- svg: art/b.svg\n", files={"art/a.svg": art})
    (pack / "art" / "b.svg").symlink_to(pack / "art" / "a.svg")
    assert problems(pack) == ""
    assert drawn(pack).at(20, 20) == "#00ff00"


def test_game_yaml_itself_may_not_lead_out(tmp_path):
    shutil.move(make(tmp_path / "pack") / "game.yaml", tmp_path / "game.yaml")
    (tmp_path / "pack" / "game.yaml").symlink_to(tmp_path / "game.yaml")
    assert "leads out" in problems(tmp_path / "pack")


def test_a_font_may_not_lead_out(tmp_path):
    pack = make(tmp_path / "pack")
    (pack / "fonts").mkdir()
    (pack / "fonts" / "a.ttf").symlink_to(FONTS / "bungee" / "Bungee-Regular.ttf")
    assert "a.ttf leads out of the pack's folder" in problems(pack)


def test_a_missing_file_has_its_neighbours_named(tmp_path):
    pack = make(
        tmp_path, "- svg: art/tre.svg\n", files={"art/tree.svg": svg(""), "art/rock.svg": svg("")}
    )
    said = problems(pack)
    assert "no file 'art/tre.svg'" in said
    assert "rock, tree" in said
    assert "did you mean 'art/tree.svg'?" in said


def test_a_folder_that_is_not_there(tmp_path):
    assert "there is no folder 'art'" in problems(make(tmp_path, "- svg: art/tree.svg\n"))


@pytest.mark.parametrize("name", ["x" * 300, "a/" * 3000, "a\0b"])
def test_a_name_that_no_file_can_have(name, tmp_path):
    with pytest.raises(InvalidValueError, match="no file"):
        PackFolder(make(tmp_path)).asset(name)


def test_a_sentence_where_a_file_belongs(tmp_path):
    pack = make(tmp_path, "- svg: art/$text\n", f"id,text\none,{'A long story. ' * 40}\n")
    assert problems(pack).startswith("cards.csv:2: text: no file")


@pytest.mark.parametrize("version", ["../../evil", "1/2", "/etc/x", "", "a b", "."])
def test_a_version_that_no_file_can_have(version, tmp_path):
    path = make(tmp_path) / "game.yaml"
    path.write_text(path.read_text().replace('"1"', f'"{version}"'))
    assert f"version: {version!r} cannot be part of a file name" in problems(tmp_path)


@pytest.mark.parametrize("version", ["1", "1.10", "2024-05-01", "v2.0-beta_3+x"])
def test_a_version_stays_as_it_is(version, tmp_path):
    path = make(tmp_path) / "game.yaml"
    path.write_text(path.read_text().replace('"1"', version))
    assert loaded(tmp_path).version == version
