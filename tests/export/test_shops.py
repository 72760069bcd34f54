"""Test pictures for print shops: sizes, modes, resolution and order files."""

from xml.etree.ElementTree import parse

import pytest

from generator.export.targets.print_shops import load_shops
from tests.tools.make_deck import deck, opened
from tests.tools.make_pack import make

PICTURED = [shop for shop in load_shops() if shop != "drive-thru-cards"]
"""DriveThruCards takes a PDF, which the tests of press files cover."""


def export(pnp, target, pack, tmp_path, *more):
    result = pnp("export", target, pack, "-o", tmp_path / "out", *more)
    assert result.exit_code == 0, result.output
    return tmp_path / "out" / pack.name / target


@pytest.mark.parametrize("shop", PICTURED)
@pytest.mark.parametrize("size", ["poker", "bridge", "business"])
def test_shop_pictures_have_size_mode_and_dpi_of_the_shop(shop, size, tmp_path, pnp):
    folder = export(pnp, shop, deck(tmp_path / "pack", 2, size), tmp_path)
    wants = {row.name: row.pixels for row in load_shops()[shop].sizes}[size]
    pictures = list(folder.rglob("*.png"))
    assert {path.name for path in pictures} == {
        "001-c0-x1-front.png",
        "002-c1-x1-front.png",
        "back.png",
    }
    for path in pictures:
        image = opened(path)
        assert (image.size, image.mode) == (wants, "RGB")
        assert [round(value) for value in image.info["dpi"]] == [300, 300]
        assert "srgb" in image.info


def test_shop_sizes_have_trims_of_published_card_sizes():
    """Compare trims in inches with the sizes that the shops publish."""
    inches = {
        name: tuple(round(side / 25.4, 2) for side in row.trim)
        for shop in load_shops().values()
        for row in shop.sizes
        for name in [f"{shop.name} {row.name}"]
    }
    assert inches["game-crafter poker"] == inches["make-playing-cards poker"] == (2.5, 3.5)
    assert inches["drive-thru-cards poker"] == (2.5, 3.5)
    assert inches["game-crafter tarot"] == inches["make-playing-cards tarot"] == (2.75, 4.75)
    assert inches["game-crafter hex"] == (3.75, 3.25)
    assert inches["game-crafter jumbo"] == (3.5, 5.5)
    assert inches["make-playing-cards micro"] == (1.25, 1.75)


def test_missing_bleed_is_filled_from_edges_with_a_note(tmp_path, pnp):
    layout = "- fill: red\n"
    pack = make(tmp_path / "pack", layout, size="poker", component="bleed: 0mm")
    result = pnp("export", "game-crafter", pack, "-o", tmp_path)
    assert "a bleed of 0 mm where the shop wants 3.175 mm" in result.stderr
    (path,) = tmp_path.rglob("*front.png")
    image = opened(path)
    assert image.getcolors() == [(825 * 1125, (255, 0, 0))]


def test_trim_is_centred_in_shop_picture_at_true_size(tmp_path, pnp):
    layout = "- fill: white\n- shape: {rect: [0, 0, 63.5, 88.9], fill: red}\n"
    folder = export(pnp, "game-crafter", make(tmp_path / "pack", layout, size="poker"), tmp_path)
    image = opened(next(folder.rglob("*front.png")))
    box = image.point(lambda v: 255 - v).getchannel("B").getbbox()
    assert box == pytest.approx((37.5, 37.5, 787.5, 1087.5), abs=1)


def test_landscape_card_is_turned_with_its_back_mirrored_behind(tmp_path, pnp):
    """Print a dot at the left of the front and one behind it, at the right of the back."""
    dot = "- fill: white\n- shape: {{circle: [{x}, 25], r: 3mm, fill: red}}\n"
    pack = make(
        tmp_path / "pack",
        dot.format(x=5),
        size="3.5in x 2in",
        component="back: layouts/back.yaml",
        files={"layouts/back.yaml": dot.format(x=88.9 - 5)},
    )
    folder = export(pnp, "game-crafter", pack, tmp_path)
    boxes = [
        opened(next(folder.rglob(name))).point(lambda v: 255 - v).getchannel("B").getbbox()
        for name in ("*front.png", "back.png")
    ]
    front, back = boxes
    assert front[1] == pytest.approx(back[1], abs=2), (
        "the dots have the same distance from the top edge"
    )
    assert front[0] == pytest.approx(675 - back[2], abs=2), "the dot of the back is mirrored across"


@pytest.mark.parametrize("count", [1, 69, 70, 71])
def test_order_file_lists_every_card_once(count, tmp_path, pnp):
    folder = export(pnp, "make-playing-cards", deck(tmp_path / "pack", 2, copies=count), tmp_path)
    (path,) = folder.rglob("order.xml")
    order = parse(path).getroot()
    assert order.findtext("details/quantity") == str(2 * count)
    assert int(order.findtext("details/bracket")) >= 2 * count
    slots = [int(n) for text in order.findall("fronts/card/slots") for n in text.text.split(",")]
    assert sorted(slots) == list(range(2 * count))
    for card in order.findall("fronts/card"):
        assert (path.parent / card.findtext("id")).is_file()
        assert f"-x{count}-" in card.findtext("name")
    assert (path.parent / order.findtext("cardback")).is_file()
    assert order.find("backs") is None


def test_order_beyond_limit_is_split_in_two(tmp_path, pnp):
    folder = export(pnp, "make-playing-cards", deck(tmp_path / "pack", 1, copies=700), tmp_path)
    paths = sorted(folder.rglob("order-*.xml"))
    assert [parse(path).getroot().findtext("details/quantity") for path in paths] == ["612", "88"]


def test_different_backs_are_listed_and_a_missing_back_is_white(tmp_path, pnp):
    pack = make(
        tmp_path / "pack",
        table="id,back\na,one\nb,\n",
        size="poker",
        component="back: layouts/back.yaml",
        files={"layouts/back.yaml": "- text: $id\n  box: [5, 5, 20, 8]\n  style: body\n"},
    )
    folder = export(pnp, "make-playing-cards", pack, tmp_path)
    order = parse(next(folder.rglob("order.xml"))).getroot()
    names = [card.findtext("id") for card in order.findall("backs/card")]
    assert names == ["001-a-x1-back.png", "002-b-x1-back.png"]
    single = export(
        pnp, "make-playing-cards", deck(tmp_path / "single", 1, component="back: none"), tmp_path
    )
    order = parse(next(single.rglob("order.xml"))).getroot()
    assert opened(next(single.rglob(order.findtext("cardback")))).getcolors() == [
        (822 * 1122, (255, 255, 255))
    ]


def test_size_that_shop_does_not_make_is_refused_with_nearest(tmp_path, pnp):
    result = pnp(
        "export",
        "make-playing-cards",
        deck(tmp_path / "pack", 1, "60 x 85 mm"),
        "-o",
        tmp_path / "out",
    )
    assert result.exit_code == 4
    assert "MakePlayingCards has no rectangle of 60 × 85 mm" in result.stderr
    assert "the nearest is Poker" in result.stderr
    assert not (tmp_path / "out").exists()
    assert (
        pnp(
            "export", "game-crafter", deck(tmp_path / "round", 1, "circle 40mm"), "-o", tmp_path
        ).exit_code
        == 4
    )


def test_pointed_hexagon_is_turned_to_shop_orientation(tmp_path, pnp):
    for size in ("hex 3.25in", "hex 3.25in pointed"):
        folder = export(
            pnp, "game-crafter", deck(tmp_path / size.replace(" ", "-"), 1, size), tmp_path
        )
        assert opened(next(folder.rglob("*front.png"))).size == (1200, 1050)


def test_export_of_named_designs_and_list_of_targets(tmp_path, pnp):
    folder = export(pnp, "game-crafter", deck(tmp_path / "pack", 3), tmp_path, "--only", "c1")
    assert [path.name for path in folder.rglob("*front.png")] == ["001-c1-x1-front.png"]
    assert pnp("export", "nowhere", tmp_path / "pack").exit_code == 2
    assert "pictures for The Game Crafter" in pnp("list", "targets").output
