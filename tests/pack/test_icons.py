"""Test the folder of icons of a pack."""

import pytest

from tests.tools.make_pack import make, problems, render_design, svg

DOT = svg('<circle cx="5" cy="5" r="5" fill="currentColor"/>')
LAYOUT = "- icon: dot\n  at: center\n  size: 10mm\n  colour: blue\n"


@pytest.mark.parametrize(
    ("more", "file"),
    [
        ("", "art/icons/dot.svg"),
        ("icons: signs", "signs/dot.svg"),
        ("icons: signs", "signs/deep/dot.svg"),
    ],
)
def test_icon_is_found_in_the_folder_of_icons(more, file, tmp_path):
    picture = render_design(make(tmp_path, LAYOUT, more=more, files={file: DOT}))
    assert picture.at(20, 20) == "#0000ff"


def test_missing_folder_of_icons_is_reported(tmp_path):
    assert "game.yaml:6: icons: no folder 'signs'" in problems(make(tmp_path, more="icons: signs"))


@pytest.mark.parametrize("folder", ["../signs", "/usr/share", "signs/../../x"])
def test_folder_of_icons_outside_the_pack_is_refused(folder, tmp_path):
    (tmp_path / "signs").mkdir()
    (tmp_path / "signs" / "dot.svg").write_text(DOT)
    assert "is not a folder of the pack" in problems(
        make(tmp_path / "pack", more=f"icons: {folder}")
    )


def test_icon_that_links_out_of_the_pack_is_refused(tmp_path):
    (tmp_path / "dot.svg").write_text(DOT)
    pack = make(tmp_path / "pack", files={"art/icons/other.svg": DOT})
    (pack / "art/icons/dot.svg").symlink_to(tmp_path / "dot.svg")
    assert "leads out of the pack's folder" in problems(pack)


def test_two_icons_with_the_same_name_are_refused(tmp_path):
    pack = make(tmp_path, files={"art/icons/a/dot.svg": DOT, "art/icons/b/dot.svg": DOT})
    assert "called like an icon 'dot' (art/icons/a/dot.svg and art/icons/b/dot.svg)" in problems(
        pack
    )


def test_all_duplicate_icon_names_are_reported_in_one_message(tmp_path):
    files = {
        f"art/icons/{folder}/{name}.svg": DOT
        for folder in "ab"
        for name in ("dot", "star", "sun", "sea", "sky", "wood")
    }
    pack = make(tmp_path, "- icon: dot\n  at: [9, 9]\n  size: 4mm\n", files=files)
    message = problems(pack)
    assert (
        "called like icons 'dot' (art/icons/a/dot.svg and art/icons/b/dot.svg), 'sea' (" in message
    )
    assert "and 2 more" in message
    assert "unknown icon" not in message


def test_icon_set_with_too_many_brackets_is_refused(tmp_path):
    pack = make(
        tmp_path, more="icons: [set.json]", files={"set.json": "[" + "[]," * 200_000 + "[]]"}
    )
    assert "more than 200000 brackets" in problems(pack)
