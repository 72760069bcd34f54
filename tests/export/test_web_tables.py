"""Test the room for playingcards.io, read as a public importer reads it, and sheets for tables."""

import io
import json
import re
import zipfile

import pytest
from PIL import Image

from tests.tools.make_deck import deck, opened
from tests.tools.make_pack import make


def read_room(path):
    """Return the cards as virtualtabletop.io imports them, each with the bytes of its sides."""
    with zipfile.ZipFile(path) as archive:
        assert archive.read("schemaVersion") == b"8"
        widgets = json.loads(archive.read("widgets.json"))
        files = {
            f"package://{name}": archive.read(name)
            for name in archive.namelist()
            if name.startswith("userassets")
        }
    by_id = {widget["id"]: widget for widget in widgets}
    assert len(by_id) == len(widgets)
    assert all(len(data) < 2_097_152 for data in files.values()), "importers skip larger files"
    cards = []
    for card in (widget for widget in widgets if widget["type"] == "card"):
        deck = by_id[card["deck"]]
        assert by_id[card["parent"]]["type"] == "holder"
        kind = deck["cardTypes"][card["cardType"]]
        sides = []
        for template in (deck["faceTemplate"], deck["backTemplate"]):
            (face_object,) = template["objects"]
            assert (face_object["w"], face_object["h"]) == (deck["cardWidth"], deck["cardHeight"])
            sides.append(files[kind[face_object["value"]]])
        cards.append((card["cardType"], *sides))
    return cards


def middle(data):
    with Image.open(io.BytesIO(data)) as image:
        return image.getpixel((image.width // 2, image.height // 2))


@pytest.mark.parametrize("count", [1, 71, 700])
def test_every_card_has_its_face_and_back(count, tmp_path, pnp):
    pack = deck(tmp_path / "pack", min(count, 7), "7 x 9 mm", copies=-(-count // 7))
    result = pnp("export", "playingcards-io", pack, "-o", tmp_path)
    assert result.exit_code == 0, result.output
    (path,) = tmp_path.rglob("*.pcio")
    cards = read_room(path)
    assert len(cards) == (-(-count // 7) * min(count, 7))
    for name, front, back in cards[:: max(1, count // 70)]:
        number = int(name.removeprefix("c"))
        assert middle(front)[:3] == (16, number, 0x80)
        assert middle(back)[:3] == (0, 0, 255)


@pytest.mark.parametrize(
    ("target", "counts"), [("playingcards-io", "1 card\n"), ("virtual-table", "1 face, 1 sheet\n")]
)
def test_faces_of_dice_that_are_left_out_are_noted(target, counts, tmp_path, pnp):
    table = "id,pips\nred,1 2 3 4 5 6\n"
    component = "make: die\nfaces: pips\nbleed: 1mm"
    pack = make(tmp_path / "pack", "- fill: $ink\n", table, component=component, size="18mm")
    result = pnp("export", target, pack, "-o", tmp_path)
    assert result.stdout.endswith(counts)
    assert "note: Cards: only the first face of each die is shown" in result.stderr


def test_same_game_gives_same_room_file(tmp_path, pnp):
    pack = deck(tmp_path / "pack", 2)
    files = []
    for out in ("one", "two"):
        pnp("export", "playingcards-io", pack, "-o", tmp_path / out)
        files.append(next((tmp_path / out).rglob("*.pcio")).read_bytes())
    assert files[0] == files[1]


def test_faces_have_one_size_and_sheets_have_no_gaps(tmp_path, pnp):
    assert (
        pnp(
            "export", "virtual-table", deck(tmp_path / "pack", 12, "7 x 9 mm"), "-o", tmp_path
        ).exit_code
        == 0
    )
    singles = [opened(path) for path in tmp_path.rglob("c*-x1-*.png")]
    assert len(singles) == 24
    assert len({image.size for image in singles}) == 1
    (path,) = tmp_path.rglob("*-fronts.png")
    sheet = opened(path)
    columns, rows = map(int, re.search(r"(\d+)x(\d+)", path.name).groups())
    w = sheet.width // columns
    h = sheet.height // rows
    assert (w * columns, h * rows) == sheet.size
    for index in range(12):
        row, column = divmod(index, columns)
        cell = sheet.crop((column * w, row * h, column * w + w, row * h + h))
        assert cell.getcolors() == [(w * h, (16, index, 0x80))], (
            "the cell shows its face up to every edge"
        )
