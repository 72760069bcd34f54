"""The saved object, read by a reader written from the published fields, and its pictures."""

import json
import re
from hashlib import sha256
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from exported_decks import deck, opened
from making import make

ADDRESS = "https://example.org/game"


def table(pnp, pack, out, *more):
    result = pnp("export", "tabletop-simulator", pack, "-o", out, *more)
    assert result.exit_code == 0, result.output
    folder = out / pack.name / "tabletop-simulator"
    (path,) = folder.glob("*.json")
    return json.loads(path.read_text("utf-8"))["ObjectStates"], folder, result


def cards_of(state):
    """Every card with the cell of the sheet that it shows: its title, the file, column and row, and the back's file."""
    for card in state.get("ContainedObjects", [state]):
        assert card["Name"] in {"Card", "CardCustom"}
        key, place = divmod(card["CardID"], 100)
        sheet = state["CustomDeck"][str(key)]
        assert place < sheet["NumWidth"] * sheet["NumHeight"], "the cell is on the sheet"
        yield card["Nickname"], sheet, divmod(place, sheet["NumWidth"])


@pytest.mark.parametrize("count", [1, 69, 70, 71, 700])
def test_every_card_shows_its_own_face(count, tmp_path, pnp):
    pack = deck(tmp_path / "pack", count, "6 x 9 mm")
    (state,), folder, _ = table(pnp, pack, tmp_path, "--url", ADDRESS)
    assert state["Name"] == ("DeckCustom" if count > 1 else "CardCustom")
    cards = list(cards_of(state))
    assert [title for title, _, _ in cards] == [f"c{n}" for n in range(count)]
    if count > 1:
        assert state["DeckIDs"] == [card["CardID"] for card in state["ContainedObjects"]]
        assert len(set(state["DeckIDs"])) == count
    sheets = {}
    for nth, (_, sheet, (row, column)) in enumerate(cards):
        assert sheet["NumWidth"] <= 10
        assert sheet["NumHeight"] <= 7
        image = sheets.setdefault(sheet["FaceURL"], opened(folder / sheet["FaceURL"].rpartition("/")[2]))
        assert image.mode == "RGB"
        assert max(image.size) <= 4096
        w, h = image.width // sheet["NumWidth"], image.height // sheet["NumHeight"]
        seen = image.getpixel((column * w + w - 3, row * h + h - 3))
        assert seen == (nth // 256 + 16, nth % 256, 0x80)


def test_copies_share_a_cell(tmp_path, pnp):
    (state,), *_ = table(pnp, deck(tmp_path / "pack", 2, copies=3), tmp_path)
    assert state["DeckIDs"] == [100, 100, 100, 101, 101, 101]


def test_a_common_back_is_one_picture_and_own_backs_a_sheet(tmp_path, pnp):
    (state,), folder, _ = table(pnp, deck(tmp_path / "pack", 3, "6 x 9 mm"), tmp_path, "--url", ADDRESS)
    sheet = state["CustomDeck"]["1"]
    assert (sheet["UniqueBack"], sheet["BackIsHidden"]) == (False, True)
    assert opened(folder / sheet["BackURL"].rpartition("/")[2]).getpixel((5, 5)) == (0, 0, 255)
    mirrored = deck(tmp_path / "own", 3, "6 x 9 mm", component="back: mirror")
    (state,), folder, _ = table(pnp, mirrored, tmp_path, "--url", ADDRESS)
    sheet = state["CustomDeck"]["1"]
    front, back = (opened(folder / sheet[key].rpartition("/")[2]) for key in ("FaceURL", "BackURL"))
    assert sheet["UniqueBack"]
    assert front.size == back.size


def test_names_carry_a_digest_of_the_content(tmp_path, pnp):
    *_, folder, _ = table(pnp, deck(tmp_path / "pack", 2), tmp_path)
    pictures = list(folder.glob("*.png"))
    assert pictures
    for path in pictures:
        digest = re.search(r"-([0-9a-f]{12})\.png$", path.name)[1]
        assert sha256(path.read_bytes()).hexdigest().startswith(digest)


def test_files_of_this_machine_are_said_to_be_that(tmp_path, pnp):
    (state,), folder, result = table(pnp, deck(tmp_path / "pack", 2), tmp_path)
    address = urlsplit(state["CustomDeck"]["1"]["FaceURL"])
    assert address.scheme == "file"
    assert (folder / unquote(address.path)).is_file()
    assert "others cannot see files of this machine" in result.stderr
    *_, away = table(pnp, deck(tmp_path / "other", 2), tmp_path, "--url", ADDRESS)
    assert "others cannot see" not in away.stderr


@pytest.mark.parametrize(
    ("size", "name", "kind"),
    [("hex 40mm", "Custom_Tile", 1), ("circle 22mm", "Custom_Tile", 2), ("triangle 40mm", "Custom_Token", None)],
)
def test_tokens_lie_in_a_bag(size, name, kind, tmp_path, pnp):
    (bag,), folder, _ = table(pnp, deck(tmp_path / "pack", 2, size, copies=2), tmp_path, "--url", ADDRESS)
    assert bag["Name"] == "Bag"
    assert [each["Name"] for each in bag["ContainedObjects"]] == [name] * 4
    image = bag["ContainedObjects"][0]["CustomImage"]
    assert image.get("CustomTile", {}).get("Type") == kind
    shown = opened(folder / image["ImageURL"].rpartition("/")[2])
    assert shown.getpixel((1, 1))[3] == 0, "round it there is nothing"
    assert np.asarray(shown)[shown.height // 2, shown.width // 2, 3] == 255


def test_boards_and_rules(tmp_path, pnp):
    pack = make(
        tmp_path / "pack",
        component="make: board\n",
        more="rules: {file: rules.md}",
        files={"rules.md": "# Play\n\nWin.\n"},
    )
    states, folder, _ = table(pnp, pack, tmp_path, "--url", ADDRESS)
    assert [state["Name"] for state in states] == ["Custom_Board", "Custom_PDF"]
    address = states[1]["CustomPDF"]["PDFUrl"]
    assert address.startswith(ADDRESS)
    assert (folder / address.rpartition("/")[2]).read_bytes().startswith(b"%PDF")


def test_the_address_is_for_this_target_alone(tmp_path, pnp):
    result = pnp("export", "game-crafter", deck(tmp_path / "pack", 1), "--url", ADDRESS)
    assert result.exit_code == 2
    assert "game-crafter takes no --url; these do: tabletop-simulator" in result.output
