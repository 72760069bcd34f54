"""Test icon sets: folders, Iconify's JSON, and several at once."""

import json
from pathlib import Path

import numpy as np
import pytest

from generator.base.errors import InvalidValueError
from generator.base.values import LazyMapping
from generator.draw.art.library import ArtShelf
from generator.pack.folder import PackFolder
from generator.pack.icons import Icons, read_icons

ARROW = '<path fill="currentColor" d="M2 1h4v6H2z"/>'
SET = {
    "prefix": "mine",
    "icons": {
        "bar": {"body": ARROW},
        "wide": {"body": ARROW, "width": 24, "height": 8},
        "flipped": {"body": ARROW, "hFlip": True},
        "turned": {"body": ARROW, "rotate": 1},
        "off": {"body": ARROW, "left": 2, "top": 1, "width": 6, "height": 8, "rotate": 3},
    },
    "aliases": {
        "again": {"parent": "bar"},
        "upside-down": {"parent": "bar", "vFlip": True},
        "back": {"parent": "flipped", "hFlip": True},
        "half": {"parent": "turned", "rotate": 1},
    },
    "width": 8,
    "height": 8,
}
BODIES = {
    "bar": (2, 1, 6, 7),
    "flipped": (2, 1, 6, 7),
    "upside-down": (2, 1, 6, 7),
    "turned": (1, 2, 7, 6),
}


@pytest.fixture
def pack(tmp_path):
    for folder in ("icons", "signs", "marks"):
        (tmp_path / "art" / folder / "deep").mkdir(parents=True)
    for name in ("icons/sword", "icons/deep/star", "signs/star", "marks/star"):
        (tmp_path / "art" / f"{name}.svg").write_text(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
        )
    (tmp_path / "mine.json").write_text(json.dumps(SET))
    return PackFolder(tmp_path)


def test_folder_of_icons_is_read_with_its_subfolders(pack):
    icons = Icons(read_icons(pack, "art/icons"))
    assert list(icons) == ["star", "sword"]
    assert icons["sword"] is icons["icons/sword"]
    assert icons["sword"].stem == "sword"


def test_ambiguous_icon_name_is_refused_with_its_paths(pack):
    icons = Icons(read_icons(pack, "art/marks") | read_icons(pack, "art/signs"))
    assert list(icons) == ["marks/star", "signs/star"]
    with pytest.raises(InvalidValueError, match="there are 2 icons 'star'") as caught:
        icons.find("star")
    assert caught.value.expected == "the file name of one of them: marks/star, signs/star"
    assert "star" not in icons


def test_unknown_icon_is_refused_with_nearest_name(pack):
    with pytest.raises(InvalidValueError, match="unknown icon 'sord'") as caught:
        Icons(read_icons(pack, "art/icons")).find("sord")
    assert caught.value.hint == "did you mean 'sword'?"


def test_iconify_set_offers_its_icons_and_aliases(pack):
    icons = Icons(read_icons(pack, "mine.json"))
    assert sorted(icons) == sorted([*SET["icons"], *SET["aliases"]])
    assert icons["mine/bar"].name == "mine.json/bar"


def ink(picture: np.ndarray) -> tuple[float, ...]:
    """Return the edges of the dark part, in eighths of the box's height.

    40 × 30 mm hold a square in the middle.
    """
    dark = picture.min(axis=2) < 128
    xs = np.where(dark.any(axis=0))[0]
    ys = np.where(dark.any(axis=1))[0]
    edges = (xs.min() - 100, ys.min(), xs.max() + 1 - 100, ys.max() + 1)
    return tuple(round(float(edge) / 75, 1) for edge in edges)


@pytest.mark.parametrize(
    ("name", "box"),
    [
        ("bar", (2, 1, 6, 7)),
        ("flipped", (2, 1, 6, 7)),
        ("upside-down", (2, 1, 6, 7)),
        ("turned", (1, 2, 7, 6)),
        ("half", (2, 1, 6, 7)),
        ("back", (2, 1, 6, 7)),
    ],
)
def test_iconify_icon_fills_its_box_after_flips_and_turns(
    name, box, pack, face_of, rendered_pixels
):
    asset = Icons(read_icons(pack, "mine.json"))[name]
    assert ink(rendered_pixels(face_of(asset.path, svg=asset))) == box


L = '<path d="M0 0h2v6h4v2H0z"/>'
"""An L, which looks different after every turn and flip."""


@pytest.mark.parametrize(
    ("icon", "dark"),
    [
        ({}, "left bottom"),
        ({"hFlip": True}, "right bottom"),
        ({"vFlip": True}, "left top"),
        ({"rotate": 1}, "left top"),
        ({"rotate": 2}, "right top"),
        ({"rotate": 3}, "right bottom"),
        ({"rotate": 1, "hFlip": True}, "left bottom"),
        ({"left": -1, "top": -1, "width": 9, "height": 9, "rotate": 1}, "left top"),
    ],
)
def test_iconify_icon_is_turned_and_flipped_as_declared(
    icon, dark, tmp_path, face_of, rendered_pixels
):
    (tmp_path / "l.json").write_text(
        json.dumps({"prefix": "l", "width": 8, "height": 8, "icons": {"l": {"body": L, **icon}}})
    )
    asset = Icons(read_icons(PackFolder(tmp_path), "l.json"))["l"]
    picture = rendered_pixels(face_of(asset.path, svg=asset))[:, 100:700].min(axis=2) < 128
    halves = {
        "left": picture[:, :300],
        "right": picture[:, 300:],
        "top": picture[:300],
        "bottom": picture[300:],
    }
    darkest = {side: half.sum() for side, half in halves.items()}
    across = max(("left", "right"), key=darkest.get)
    assert f"{across} {max(('top', 'bottom'), key=darkest.get)}" == dark


def test_icon_has_aspect_ratio_of_its_box(pack):
    icons = Icons(read_icons(pack, "mine.json"))
    widths = LazyMapping(icons, ArtShelf().ratio)
    assert {name: widths[name] for name in ("bar", "wide", "again")} == {
        "bar": 1.0,
        "wide": 3.0,
        "again": 1.0,
    }
    assert widths["off"] == pytest.approx(8 / 6)
    assert "nothing" not in widths


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "is not an icon set"),
        ('{"prefix": "a"}', "is not an icon set"),
        ('{"prefix": "a", "icons": {"b": {}}}', "icon 'b' has no body"),
        ('{"prefix": "a", "icons": {"b": "c"}}', "icon 'b' is not an icon"),
        ('{"prefix": "a", "icons": {"b": {"body": "", "width": "9"}}}', "width is '9'"),
        (
            '{"prefix": "a", "icons": {}, "aliases": {"b": {"parent": "c"}}}',
            "the alias 'b' leads nowhere",
        ),
        (
            '{"prefix": "a", "icons": {}, "aliases": {"b": {"parent": "b"}}}',
            "the alias 'b' leads nowhere",
        ),
    ],
)
def test_invalid_icon_set_is_refused(data, message, tmp_path):
    (tmp_path / "a.json").write_text(data)
    with pytest.raises(InvalidValueError, match=message):
        read_icons(PackFolder(tmp_path), "a.json")


def test_missing_icon_folder_is_refused_with_nearest_name(pack):
    with pytest.raises(InvalidValueError, match="no folder 'art/icon'") as caught:
        read_icons(pack, "art/icon")
    assert caught.value.hint == "did you mean 'art/icons'?"


def test_pack_with_two_icon_sets_builds(starter, pnp):
    pack = starter("cards")
    (pack / "mine.json").write_text(
        json.dumps({**SET, "icons": {**SET["icons"], "star": {"body": ARROW}}})
    )
    game = (pack / "game.yaml").read_text("utf-8")
    (pack / "game.yaml").write_text(game + "icons: [art/icons, mine.json]\n", "utf-8")
    table = (pack / "cards.csv").read_text("utf-8")
    result = pnp("build", pack)
    assert result.exit_code == 0, result.output  # `star` is found in the pack's own folder
    (pack / "cards.csv").write_text(
        table.replace(",star,", ",mine/star,").replace(":star:", ":mine/star:"), "utf-8"
    )
    result = pnp("build", pack)
    assert result.exit_code == 0, result.output
    assert list(Path("output/pack").glob("*.pdf"))
