"""The saved object, read by a reader written from the published fields, and its pictures."""

import json
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest

from tests.tools.make_deck import deck, opened
from tests.tools.make_pack import make

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
    open_once = cache(opened)
    for index, (_, sheet, (row, column)) in enumerate(cards):
        assert sheet["NumWidth"] <= 10
        assert sheet["NumHeight"] <= 7
        image = open_once(folder / sheet["FaceURL"].rpartition("/")[2])
        assert image.mode == "RGB"
        assert max(image.size) <= 4096
        w, h = image.width // sheet["NumWidth"], image.height // sheet["NumHeight"]
        seen = image.getpixel((column * w + w - 3, row * h + h - 3))
        assert seen == (index // 256 + 16, index % 256, 0x80)


@pytest.mark.parametrize(
    ("count", "component"),
    [
        (71, "back: layouts/back.yaml"),
        (142, "back: mirror"),
        (9, "back: mirror"),
    ],
)
def test_no_card_is_known_by_its_sharpness(count, component, tmp_path, pnp):
    (state,), folder, _ = table(
        pnp, deck(tmp_path / "pack", count, component=component), tmp_path, "--url", ADDRESS
    )
    decks = list(state["CustomDeck"].values())
    sizes = set()
    for sheet in decks:
        grid = (sheet["NumWidth"], sheet["NumHeight"])
        for key, (columns, rows) in (
            ("FaceURL", grid),
            ("BackURL", grid if sheet["UniqueBack"] else (1, 1)),
        ):
            image = opened(folder / sheet[key].rpartition("/")[2])
            assert (image.width % columns, image.height % rows) == (0, 0)
            sizes.add((image.width // columns, image.height // rows))
    assert len(sizes) == 1, "all faces and backs have as many pixels"
    held = [
        len([card for card in state["DeckIDs"] if str(card // 100) == key])
        for key in state["CustomDeck"]
    ]
    assert sum(held) == count
    assert max(held) - min(held) <= 1


def test_equal_backs_are_one_file(tmp_path, pnp):
    (state,), folder, _ = table(pnp, deck(tmp_path / "pack", 71), tmp_path, "--url", ADDRESS)
    assert len({sheet["FaceURL"] for sheet in state["CustomDeck"].values()}) == 2
    assert len({sheet["BackURL"] for sheet in state["CustomDeck"].values()}) == 1
    assert len(list(folder.glob("*.png"))) == 3
    (bag,), folder, _ = table(
        pnp, deck(tmp_path / "tokens", 5, "hex 40mm"), tmp_path, "--url", ADDRESS
    )
    images = [token["CustomImage"] for token in bag["ContainedObjects"]]
    assert len({image["ImageURL"] for image in images}) == 5
    assert len({image["ImageSecondaryURL"] for image in images}) == 1
    assert len(list(folder.glob("*.png"))) == 6


def test_copies_share_a_cell(tmp_path, pnp):
    (state,), *_ = table(pnp, deck(tmp_path / "pack", 2, copies=3), tmp_path)
    assert state["DeckIDs"] == [100, 100, 100, 101, 101, 101]


def test_a_common_back_is_one_picture_and_own_backs_a_sheet(tmp_path, pnp):
    (state,), folder, _ = table(
        pnp, deck(tmp_path / "pack", 3, "6 x 9 mm"), tmp_path, "--url", ADDRESS
    )
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
    [
        ("hex 40mm", "Custom_Tile", 1),
        ("circle 22mm", "Custom_Tile", 2),
        ("triangle 40mm", "Custom_Token", None),
    ],
)
def test_tokens_lie_in_a_bag(size, name, kind, tmp_path, pnp):
    (bag,), folder, _ = table(
        pnp, deck(tmp_path / "pack", 2, size, copies=2), tmp_path, "--url", ADDRESS
    )
    assert bag["Name"] == "Bag"
    assert [item["Name"] for item in bag["ContainedObjects"]] == [name] * 4
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
    assert "game-crafter does not take --url; these targets do: tabletop-simulator" in result.output


DIE = """\
name: Dice
version: "1"
components:
  dice:
    title: Dice
    make: {make}
    size: {size}
    bleed: 2mm
    safe: 0
    faces: tint
    data: [{{id: die, tint: "{tints}"}}]
    front: layouts/face.yaml
"""
SOLIDS = {
    "die": (6, "16mm"),
    "d4": (4, "triangle 30mm"),
    "d8": (8, "triangle 26mm"),
    "d12": (12, "pentagon 26mm"),
}
SOLIDS["d20"] = (20, "triangle 22mm")


def mesh_of(text):
    """The places, the places on the picture and the faces of an OBJ, by a reader of our own."""
    rows = [line.split() for line in text.splitlines()]
    places = np.array([[float(part) for part in row[1:]] for row in rows if row[0] == "v"])
    shown = np.array([[float(part) for part in row[1:]] for row in rows if row[0] == "vt"])
    faces = [[int(corner.split("/")[0]) - 1 for corner in row[1:]] for row in rows if row[0] == "f"]
    return places, shown, faces


def looks_of(text):
    """Return the direction of each face, computed from its corners."""
    rows = [line.split() for line in text.splitlines()]
    looks = [[float(part) for part in row[1:]] for row in rows if row[0] == "vn"]
    named = [{int(corner.split("/")[2]) for corner in row[1:]} for row in rows if row[0] == "f"]
    return [looks[index - 1] for (index,) in named]


def lies_up(normal, turn):
    """Return the direction of a face after the table turned the object: x is mirrored, turns about z, x, then y."""
    x, y, z = (np.radians(turn[axis]) for axis in "xyz")
    about_z = np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
    about_y = np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
    return about_y @ about_x @ about_z @ (normal * [-1, 1, 1])


@pytest.mark.parametrize("make_", SOLIDS)
def test_a_die_is_a_closed_mesh_that_knows_its_numbers(make_, tmp_path, pnp):
    count, size = SOLIDS[make_]
    tints = [f"#{40 + 10 * n:02x}8020" for n in range(count)]
    files = {
        "game.yaml": DIE.format(make=make_, size=size, tints=" ".join(tints)),
        "layouts/face.yaml": "- fill: $face\n",
    }
    for name, text in files.items():
        (tmp_path / "pack" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "pack" / name).write_text(text)
    (die,), folder, _ = table(pnp, tmp_path / "pack", tmp_path, "--url", ADDRESS)
    custom = die["CustomMesh"]
    assert (die["Name"], custom["TypeIndex"], custom["Convex"]) == ("Custom_Model", 2, True)
    text = (folder / custom["MeshURL"].rpartition("/")[2]).read_text()
    places, shown, faces = mesh_of(text)
    looks = looks_of(text)
    picture = opened(folder / custom["DiffuseURL"].rpartition("/")[2])
    assert len(faces) == len(looks) == count
    near = places.round(3) + 0.0
    edges = [
        (tuple(near[a]), tuple(near[b]))
        for face in faces
        for a, b in zip(face, face[1:] + face[:1], strict=True)
    ]
    assert all((b, a) in edges for a, b in edges), (
        "each edge lies on that of one neighbour, the other way round"
    )
    for index, (face, value) in enumerate(zip(faces, die["RotationValues"], strict=True)):
        corners = places[face]
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        normal /= np.linalg.norm(normal)
        assert normal @ corners.mean(0) > 0, "it is seen from outside"
        assert looks[index] == pytest.approx(normal, abs=1e-4), (
            "light falls on it as on a flat face"
        )
        assert value["Value"] == str(index + 1)
        assert lies_up(normal, value["Rotation"]) == pytest.approx(
            [0, -1 if make_ == "d4" else 1, 0], abs=1e-4
        )
        u, v = shown[face].mean(0)
        seen = picture.getpixel((int(u * picture.width), int((1 - v) * picture.height)))
        assert seen == (40 + 10 * index, 0x80, 0x20)


def test_a_number_on_a_die_reads_upright_and_not_mirrored(tmp_path, pnp):
    """The picture's up is the face's up: going round from its top left is going round from outside, clockwise."""
    pack = Path(__file__).parents[1] / "data" / "packs" / "boxes"
    states, folder, _ = table(pnp, pack, tmp_path, "--url", ADDRESS, "--only", "d20")
    custom = states[0]["CustomMesh"]
    places, shown, faces = mesh_of((folder / custom["MeshURL"].rpartition("/")[2]).read_text())
    for face in faces:
        a, b, c = places[face]
        (ua, va), (ub, vb), (uc, vc) = shown[face]
        on_picture = (ub - ua) * (vc - va) - (uc - ua) * (vb - va)
        assert on_picture > 0, "against the clock on both"
        assert np.linalg.norm(b - a) == pytest.approx(np.linalg.norm(c - a), rel=1e-3)


def test_a_box_is_folded(tmp_path, pnp):
    pack = Path(__file__).parents[1] / "data" / "packs" / "boxes"
    states, folder, _ = table(pnp, pack, tmp_path, "--url", ADDRESS, "--only", "box")
    (box,) = [
        state
        for state in states
        if state["Name"] == "Custom_Model" and "RotationValues" not in state
    ]
    places, _, faces = mesh_of(
        (folder / box["CustomMesh"]["MeshURL"].rpartition("/")[2]).read_text()
    )
    assert len(faces) == 6
    sides = sorted(places.max(0) - places.min(0))
    assert sides[2] > sides[1] > sides[0] > 0.3, "in inches"


SET_OUT = """\
start:
  setup: true
  board: |
    c0 c1>
    .  ~c0
"""


def test_a_table_is_set_up_as_a_figure_shows(tmp_path, pnp):
    pack = deck(tmp_path / "pack", 3, "30mm", copies=2)
    (pack / "figures.yaml").write_text(SET_OUT)
    states, *_ = table(pnp, pack, tmp_path, "--url", ADDRESS)
    spots = [
        (item["Nickname"], *(item["Transform"][key] for key in ("posX", "posZ", "rotY", "rotZ")))
        for item in states[:3]
    ]
    apart = round(30 / 25.4, 3)
    assert spots == [
        ("c0", 0.0, 0.0, 180.0, 0.0),
        ("c0", apart, -apart, 180.0, 180.0),
        ("c1", apart, 0.0, 270.0, 0.0),
    ]
    assert states[3]["Name"] == "DeckCustom"
    assert [card["Nickname"] for card in states[3]["ContainedObjects"]] == ["c1", "c2", "c2"]
    assert states[3]["Transform"]["posZ"] < -apart - 2
    assert len({state["GUID"] for state in states}) == len(states)


def test_a_set_up_of_more_pieces_than_there_are_is_said(tmp_path, pnp):
    pack = deck(tmp_path / "pack", 1, "30mm")
    (pack / "figures.yaml").write_text("start:\n  setup: true\n  board: c0 c0\n")
    *_, result = table(pnp, pack, tmp_path)
    assert "the set-up has more pieces than the game: c0" in result.stderr


def test_one_of_several_set_ups(tmp_path, pnp):
    pack = deck(tmp_path / "pack", 3, "30mm")
    (pack / "figures.yaml").write_text(
        "two: {setup: true, board: c0 c1}\nthree: {setup: true, board: c0 c1 c2}\n"
    )
    states, *_ = table(pnp, pack, tmp_path, "--setup", "three")
    assert [state["Name"] for state in states] == ["CardCustom"] * 3
    wrong = pnp("export", "tabletop-simulator", pack, "-o", tmp_path, "--setup", "thre")
    assert wrong.exit_code == 2
    assert "unknown set-up 'thre'" in wrong.output
    assert "did you mean 'three'?" in wrong.output
