"""Test the saved object of Tabletop Simulator and its pictures, by its published fields."""

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


def export_table(pnp, pack, out, *more):
    result = pnp("export", "tabletop-simulator", pack, "-o", out, *more)
    assert result.exit_code == 0, result.output
    folder = out / pack.name / "tabletop-simulator"
    (path,) = folder.glob("*.json")
    return json.loads(path.read_text("utf-8"))["ObjectStates"], folder, result


def cards_of(state):
    """Yield every card's title, the sheet that it shows, and the row and column of its cell."""
    for card in state.get("ContainedObjects", [state]):
        assert card["Name"] in {"Card", "CardCustom"}
        key, place = divmod(card["CardID"], 100)
        sheet = state["CustomDeck"][str(key)]
        assert place < sheet["NumWidth"] * sheet["NumHeight"], "the cell is on the sheet"
        yield card["Nickname"], sheet, divmod(place, sheet["NumWidth"])


@pytest.mark.parametrize("count", [1, 69, 70, 71, 700])
def test_every_card_shows_its_own_face(count, tmp_path, pnp):
    pack = deck(tmp_path / "pack", count, "6 x 9 mm")
    (state,), folder, _ = export_table(pnp, pack, tmp_path, "--url", ADDRESS)
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
        w = image.width // sheet["NumWidth"]
        h = image.height // sheet["NumHeight"]
        pixel = image.getpixel((column * w + w - 3, row * h + h - 3))
        assert pixel == (index // 256 + 16, index % 256, 0x80)


@pytest.mark.parametrize(
    ("count", "size", "component"),
    [
        (71, "poker", "back: layouts/back.yaml"),
        (36, "poker", "back: mirror"),
        (142, "6 x 9 mm", "back: mirror"),
        (9, "poker", "back: mirror"),
    ],
)
def test_all_faces_and_backs_have_the_same_resolution(count, size, component, tmp_path, pnp):
    """More than 30 poker cards are reduced to fit their sheets; the others have the usual resolution."""
    pack = deck(tmp_path / "pack", count, size, component)
    (state,), folder, _ = export_table(pnp, pack, tmp_path, "--url", ADDRESS)
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
    cards_per_sheet = [
        len([card for card in state["DeckIDs"] if str(card // 100) == key])
        for key in state["CustomDeck"]
    ]
    assert sum(cards_per_sheet) == count
    assert max(cards_per_sheet) - min(cards_per_sheet) <= 1


def test_equal_backs_are_one_file(tmp_path, pnp):
    (state,), folder, _ = export_table(
        pnp, deck(tmp_path / "pack", 71, "6 x 9 mm"), tmp_path, "--url", ADDRESS
    )
    assert len({sheet["FaceURL"] for sheet in state["CustomDeck"].values()}) == 2
    assert len({sheet["BackURL"] for sheet in state["CustomDeck"].values()}) == 1
    assert len(list(folder.glob("*.png"))) == 3
    (bag,), folder, _ = export_table(
        pnp, deck(tmp_path / "tokens", 5, "hex 40mm"), tmp_path, "--url", ADDRESS
    )
    images = [token["CustomImage"] for token in bag["ContainedObjects"]]
    assert len({image["ImageURL"] for image in images}) == 5
    assert len({image["ImageSecondaryURL"] for image in images}) == 1
    assert len(list(folder.glob("*.png"))) == 6


def test_copies_share_a_cell_of_the_sheet(tmp_path, pnp):
    (state,), *_ = export_table(pnp, deck(tmp_path / "pack", 2, copies=3), tmp_path)
    assert state["DeckIDs"] == [100, 100, 100, 101, 101, 101]


def test_common_back_is_one_picture_and_own_backs_are_a_sheet(tmp_path, pnp):
    (state,), folder, _ = export_table(
        pnp, deck(tmp_path / "pack", 3, "6 x 9 mm"), tmp_path, "--url", ADDRESS
    )
    sheet = state["CustomDeck"]["1"]
    assert (sheet["UniqueBack"], sheet["BackIsHidden"]) == (False, True)
    assert opened(folder / sheet["BackURL"].rpartition("/")[2]).getpixel((5, 5)) == (0, 0, 255)
    mirrored = deck(tmp_path / "own", 3, "6 x 9 mm", component="back: mirror")
    (state,), folder, _ = export_table(pnp, mirrored, tmp_path, "--url", ADDRESS)
    sheet = state["CustomDeck"]["1"]
    front, back = (opened(folder / sheet[key].rpartition("/")[2]) for key in ("FaceURL", "BackURL"))
    assert sheet["UniqueBack"]
    assert front.size == back.size


def test_picture_names_carry_a_digest_of_their_content(tmp_path, pnp):
    *_, folder, _ = export_table(pnp, deck(tmp_path / "pack", 2), tmp_path)
    pictures = list(folder.glob("*.png"))
    assert pictures
    for path in pictures:
        digest = re.search(r"-([0-9a-f]{12})\.png$", path.name)[1]
        assert sha256(path.read_bytes()).hexdigest().startswith(digest)


def test_export_without_url_notes_that_files_are_local(tmp_path, pnp):
    (state,), folder, result = export_table(pnp, deck(tmp_path / "pack", 2), tmp_path)
    address = urlsplit(state["CustomDeck"]["1"]["FaceURL"])
    assert address.scheme == "file"
    assert (folder / unquote(address.path)).is_file()
    assert "others cannot see files of this machine" in result.stderr
    *_, result_with_url = export_table(pnp, deck(tmp_path / "other", 2), tmp_path, "--url", ADDRESS)
    assert "others cannot see" not in result_with_url.stderr


@pytest.mark.parametrize(
    ("size", "name", "kind"),
    [
        ("hex 40mm", "Custom_Tile", 1),
        ("circle 22mm", "Custom_Tile", 2),
        ("triangle 40mm", "Custom_Token", None),
    ],
)
def test_tokens_lie_in_a_bag_with_transparent_corners(size, name, kind, tmp_path, pnp):
    (bag,), folder, _ = export_table(
        pnp, deck(tmp_path / "pack", 2, size, copies=2), tmp_path, "--url", ADDRESS
    )
    assert bag["Name"] == "Bag"
    assert [item["Name"] for item in bag["ContainedObjects"]] == [name] * 4
    image = bag["ContainedObjects"][0]["CustomImage"]
    assert image.get("CustomTile", {}).get("Type") == kind
    picture = opened(folder / image["ImageURL"].rpartition("/")[2])
    assert picture.getpixel((1, 1))[3] == 0, "the corner is transparent"
    assert np.asarray(picture)[picture.height // 2, picture.width // 2, 3] == 255


def test_boards_and_rules_are_exported(tmp_path, pnp):
    pack = make(
        tmp_path / "pack",
        component="make: board\n",
        more="rules: {file: rules.md}",
        files={"rules.md": "# Play\n\nWin.\n"},
    )
    states, folder, _ = export_table(pnp, pack, tmp_path, "--url", ADDRESS)
    assert [state["Name"] for state in states] == ["Custom_Board", "Custom_PDF"]
    address = states[1]["CustomPDF"]["PDFUrl"]
    assert address.startswith(ADDRESS)
    assert (folder / address.rpartition("/")[2]).read_bytes().startswith(b"%PDF")


def test_url_option_is_refused_for_other_targets(tmp_path, pnp):
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
    """Return the vertices, the texture coordinates and the faces of an OBJ file."""
    rows = [line.split() for line in text.splitlines()]
    places = np.array([[float(part) for part in row[1:]] for row in rows if row[0] == "v"])
    texture = np.array([[float(part) for part in row[1:]] for row in rows if row[0] == "vt"])
    faces = [[int(corner.split("/")[0]) - 1 for corner in row[1:]] for row in rows if row[0] == "f"]
    return places, texture, faces


def normals_of(text):
    """Return the normal of each face, as the file declares it."""
    rows = [line.split() for line in text.splitlines()]
    normals = [[float(part) for part in row[1:]] for row in rows if row[0] == "vn"]
    indices = [{int(corner.split("/")[2]) for corner in row[1:]} for row in rows if row[0] == "f"]
    return [normals[index - 1] for (index,) in indices]


def lies_up(normal, turn):
    """Return the direction of a face after the table turned the object: x is mirrored, turns about z, x, then y."""
    x, y, z = (np.radians(turn[axis]) for axis in "xyz")
    about_z = np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
    about_y = np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
    return about_y @ about_x @ about_z @ (normal * [-1, 1, 1])


@pytest.mark.parametrize("make_", SOLIDS)
def test_die_is_a_closed_mesh_with_a_number_up_for_each_rotation(make_, tmp_path, pnp):
    count, size = SOLIDS[make_]
    tints = [f"#{40 + 10 * n:02x}8020" for n in range(count)]
    files = {
        "game.yaml": DIE.format(make=make_, size=size, tints=" ".join(tints)),
        "layouts/face.yaml": "- fill: $face\n",
    }
    for name, text in files.items():
        (tmp_path / "pack" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "pack" / name).write_text(text)
    (die,), folder, _ = export_table(pnp, tmp_path / "pack", tmp_path, "--url", ADDRESS)
    custom = die["CustomMesh"]
    assert (die["Name"], custom["TypeIndex"], custom["Convex"]) == ("Custom_Model", 2, True)
    text = (folder / custom["MeshURL"].rpartition("/")[2]).read_text()
    places, texture, faces = mesh_of(text)
    normals = normals_of(text)
    picture = opened(folder / custom["DiffuseURL"].rpartition("/")[2])
    assert len(faces) == len(normals) == count
    near = places.round(3) + 0.0
    edges = [
        (tuple(near[a]), tuple(near[b]))
        for face in faces
        for a, b in zip(face, face[1:] + face[:1], strict=True)
    ]
    assert all((b, a) in edges for a, b in edges), (
        "each edge is shared with one neighbour, in the opposite direction"
    )
    for index, (face, value) in enumerate(zip(faces, die["RotationValues"], strict=True)):
        corners = places[face]
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        normal /= np.linalg.norm(normal)
        assert normal @ corners.mean(0) > 0, "the face points outwards"
        assert normals[index] == pytest.approx(normal, abs=1e-4), (
            "the declared normal is that of a flat face"
        )
        assert value["Value"] == str(index + 1)
        assert lies_up(normal, value["Rotation"]) == pytest.approx(
            [0, -1 if make_ == "d4" else 1, 0], abs=1e-4
        )
        u, v = texture[face].mean(0)
        pixel = picture.getpixel((int(u * picture.width), int((1 - v) * picture.height)))
        assert pixel == (40 + 10 * index, 0x80, 0x20)


def test_number_on_a_die_is_upright_and_not_mirrored(tmp_path, pnp):
    """Compare the orientation of each face on the picture and in space."""
    pack = Path(__file__).parents[1] / "data" / "packs" / "boxes"
    states, folder, _ = export_table(pnp, pack, tmp_path, "--url", ADDRESS, "--only", "d20")
    custom = states[0]["CustomMesh"]
    places, texture, faces = mesh_of((folder / custom["MeshURL"].rpartition("/")[2]).read_text())
    for face in faces:
        a, b, c = places[face]
        (ua, va), (ub, vb), (uc, vc) = texture[face]
        on_picture = (ub - ua) * (vc - va) - (uc - ua) * (vb - va)
        assert on_picture > 0, "anticlockwise on the picture and in space"
        assert np.linalg.norm(b - a) == pytest.approx(np.linalg.norm(c - a), rel=1e-3)


def test_box_is_exported_folded(tmp_path, pnp):
    pack = Path(__file__).parents[1] / "data" / "packs" / "boxes"
    states, folder, _ = export_table(pnp, pack, tmp_path, "--url", ADDRESS, "--only", "box")
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
    assert sides[2] > sides[1] > sides[0] > 0.3, "the sides of the box in inches"


SET_OUT = """\
start:
  setup: true
  board: |
    c0 c1>
    .  ~c0
"""


def test_table_is_set_up_as_its_figure_shows(tmp_path, pnp):
    pack = deck(tmp_path / "pack", 3, "30mm", copies=2)
    (pack / "figures.yaml").write_text(SET_OUT)
    states, *_ = export_table(pnp, pack, tmp_path, "--url", ADDRESS)
    spots = [
        (item["Nickname"], *(item["Transform"][key] for key in ("posX", "posZ", "rotY", "rotZ")))
        for item in states[:3]
    ]
    step_inches = round(30 / 25.4, 3)
    assert spots == [
        ("c0", 0.0, 0.0, 180.0, 0.0),
        ("c0", step_inches, -step_inches, 180.0, 180.0),
        ("c1", step_inches, 0.0, 270.0, 0.0),
    ]
    assert states[3]["Name"] == "DeckCustom"
    assert [card["Nickname"] for card in states[3]["ContainedObjects"]] == ["c1", "c2", "c2"]
    assert states[3]["Transform"]["posZ"] < -step_inches - 2
    assert len({state["GUID"] for state in states}) == len(states)


def test_set_up_with_more_pieces_than_the_game_is_noted(tmp_path, pnp):
    pack = deck(tmp_path / "pack", 1, "30mm")
    (pack / "figures.yaml").write_text("start:\n  setup: true\n  board: c0 c0\n")
    *_, result = export_table(pnp, pack, tmp_path)
    assert "the set-up has more pieces than the game: c0" in result.stderr


def test_setup_option_chooses_one_of_several_set_ups(tmp_path, pnp):
    pack = deck(tmp_path / "pack", 3, "30mm")
    (pack / "figures.yaml").write_text(
        "two: {setup: true, board: c0 c1}\nthree: {setup: true, board: c0 c1 c2}\n"
    )
    states, *_ = export_table(pnp, pack, tmp_path, "--setup", "three")
    assert [state["Name"] for state in states] == ["CardCustom"] * 3
    result = pnp("export", "tabletop-simulator", pack, "-o", tmp_path, "--setup", "thre")
    assert result.exit_code == 2
    assert "unknown set-up 'thre'" in result.output
    assert "did you mean 'three'?" in result.output
