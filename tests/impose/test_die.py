"""Cut out, fold and glue a die from the file, and test that it becomes a cube."""

import shutil
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations

import ezdxf
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base import polygon
from generator.base.errors import InvalidValueError
from generator.base.geometry import Rect, Size
from generator.base.shapes import fill_box
from generator.draw.draw import draw_game
from generator.impose.impose import impose, impose_packed
from generator.impose.marks import MARK_STYLES
from generator.impose.nets.dice_and_boxes import make_net_builder
from generator.impose.setup import Setup
from generator.impose.sheet import Piece
from generator.picture.items import words_of
from tests.tools.examples import try_times
from tests.tools.make_pack import loaded, make, problems
from tests.tools.read_pdf import read

FOLDING = "tests/data/packs/folding"
SIX = tuple("123456")


def make_piece(edge=16.0, bleed=2.0, name="d"):
    return Piece(name, "dice", fill_box("rect", Size(edge, edge)), bleed, SIX[0], more=SIX[1:])


def impose_die(edge=16.0, bleed=2.0, **wish):
    """Return the faces, the outline and the lines of a die on its sheet."""
    job = impose([make_net_builder("die")(make_piece(edge, bleed))], Setup(**wish))
    front = job.sheets[0].front
    return (
        front.placed,
        job.beds[0].outlines[0].corners,
        [mark for mark in front.marks if mark.width < 1],
    )


@dataclass
class Square:
    """A face in space: its upper left corner, and its directions right, down and outwards."""

    corner: np.ndarray
    right: np.ndarray
    down: np.ndarray
    out: np.ndarray

    def over(self, side):
        """Return the neighbour at a side, folded away from the reader."""
        u = self.right
        v = self.down
        n = self.out
        return {
            "right": lambda: Square(self.corner + u, -n, v, u),
            "left": lambda: Square(self.corner - n, n, v, -u),
            "bottom": lambda: Square(self.corner + v, u, -n, v),
            "top": lambda: Square(self.corner - n, u, n, -v),
        }[side]()

    def edge(self, side):
        a = self.corner
        b = self.corner + self.right
        c = self.corner + self.down
        ends = {
            "top": (a, b),
            "left": (a, c),
            "right": (b, b + self.down),
            "bottom": (c, c + self.right),
        }[side]
        return frozenset(tuple(round(float(value)) for value in end) for end in ends)


def find_neighbours(trims):
    """Return the neighbours of each face by side: faces that share a full side on the paper."""
    neighbours_by_side = defaultdict(dict)
    for (a, item), (b, other) in combinations(trims.items(), 2):
        if abs(item.y - other.y) < 0.001 and abs(abs(item.x - other.x) - item.w) < 0.001:
            left, right = (a, b) if item.x < other.x else (b, a)
            neighbours_by_side[left]["right"] = right
            neighbours_by_side[right]["left"] = left
        if abs(item.x - other.x) < 0.001 and abs(abs(item.y - other.y) - item.h) < 0.001:
            top, bottom = (a, b) if item.y < other.y else (b, a)
            neighbours_by_side[top]["bottom"] = bottom
            neighbours_by_side[bottom]["top"] = top
    return neighbours_by_side


def fold_faces(trims):
    """Return each face in space, with an edge of length 1, and the neighbours of each face."""
    x, y, z = np.eye(3)
    first = next(iter(trims))
    space = {first: Square(np.zeros(3), x, y, z)}
    hinges = find_neighbours(trims)
    todo = [first]
    while todo:
        name = todo.pop()
        for side, other in hinges[name].items():
            if other not in space:
                space[other] = space[name].over(side)
                todo.append(other)
    return space, hinges


@try_times(0.3)
@given(st.floats(6, 40), st.sampled_from([0.0, 1.0, 2.0, 3.0]))
def test_net_of_a_die_folds_to_a_cube_with_opposite_faces_adding_up_to_7(edge, bleed):
    placed, _, _ = impose_die(edge, bleed)
    assert Counter(p.face for p in placed) == Counter(SIX)
    trims = {p.face: p.trim for p in placed}
    assert all(trim.size == pytest.approx((edge, edge)) for trim in trims.values())
    space, hinges = fold_faces(trims)
    assert sum(map(len, hinges.values())) == 2 * 5  # five folds connect six faces
    towards = {tuple(np.round(square.out).astype(int)): int(face) for face, square in space.items()}
    assert len(towards) == 6
    for out, face in towards.items():
        assert face + towards[tuple(-value for value in out)] == 7
    corners = {
        corner
        for square in space.values()
        for side in ("top", "bottom")
        for corner in square.edge(side)
    }
    assert len(corners) == 8


def test_faces_1_2_3_of_a_die_run_anticlockwise():
    """Faces 1, 2 and 3 run anticlockwise round their corner, seen from outside.

    The y axis of the picture runs down, so the sign is reversed.
    """
    placed, _, _ = impose_die()
    space, _ = fold_faces({p.face: p.trim for p in placed})
    assert np.linalg.det([space[face].out for face in "123"]) == pytest.approx(-1)


@pytest.mark.parametrize("edge", [8.0, 16.0, 30.0])
def test_each_glued_edge_of_a_die_has_one_tab(edge):
    placed, outline, _ = impose_die(edge)
    trims = {p.face: p.trim for p in placed}
    space, hinges = fold_faces(trims)
    meeting = defaultdict(list)
    for face, trim in trims.items():
        for side in {"top", "right", "bottom", "left"} - set(hinges[face]):
            meeting[space[face].edge(side)].append(inside(outside_of(trim, side), outline))
    assert len(meeting) == 7
    assert all(sorted(tabs) == [False, True] for tabs in meeting.values())


def outside_of(trim, side):
    x, y = trim.centre
    return {
        "top": (x, trim.y - 1),
        "bottom": (x, trim.bottom + 1),
        "left": (trim.x - 1, y),
        "right": (trim.right + 1, y),
    }[side]


def inside(place, corners):
    """Return True if a line from a place to the right crosses the outline an odd number of times."""
    x, y = place
    crossings = 0
    for i, b in enumerate(corners):
        a = corners[i - 1]
        if (a.y > y) != (b.y > y) and x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x):
            crossings += 1
    return crossings % 2 == 1


@try_times(0.3)
@given(st.floats(6, 40), st.sampled_from([0.0, 1.0, 3.0]), st.sampled_from(["crosshair", "none"]))
def test_lines_and_faces_of_a_die_do_not_touch_other_faces(edge, bleed, marks):
    placed, _, lines = impose_die(edge, bleed, marks=MARK_STYLES[marks])
    for p in placed:
        assert p.ink.holds(p.trim)
        for other in placed:
            if other is not p:
                assert not inside(p.trim.centre, other.clip.flat)
                assert not overlap(p.clip.flat, other.clip.flat)
        for line in lines:
            for n in range(21):
                step = line.a + (line.b - line.a).scaled(n / 20)
                assert distance(step, p.clip.flat) - line.width / 2 >= 0.2 - 1e-6


def overlap(a, b):
    """Return True if two convex outlines overlap, so that no side of either separates them."""
    for item, other in ((a, b), (b, a)):
        for i, corner in enumerate(item):
            out = polygon.outward(item[i - 1], corner)
            if all(polygon.dot(place - corner, out) >= -1e-6 for place in other):
                return False
    return True


def distance(place, corners):
    """Return a lower bound of the distance of a place from a convex outline."""
    return max(
        polygon.dot(place - corners[i], polygon.outward(corners[i - 1], corners[i]))
        for i in range(len(corners))
    )


def test_folds_of_a_die_are_dotted_and_free_edges_solid():
    net = make_net_builder("die")(make_piece()).net
    trims = {leaf.face: leaf.trim for leaf in net.front}
    lines = {
        (bool(line.dash), axis, round(line.a[1 - axis], 3))
        for line in net.lines
        for axis in (0, 1)
        if abs(line.a[1 - axis] - line.b[1 - axis]) < 0.001 and line.a[axis] != line.b[axis]
    }
    row = trims["1"]
    lids = (trims["3"], trims["4"])
    assert {at for dashed, axis, at in lines if dashed and axis == 0} == {
        round(row.y, 3),
        round(row.bottom, 3),
    }
    hinges = {round(trims[face].right, 3) for face in "6512"}
    assert {at for dashed, axis, at in lines if dashed and axis == 1} == hinges
    assert {round(lids[0].y, 3), round(lids[1].bottom, 3)} <= {
        at for dashed, _, at in lines if not dashed
    }


def test_lines_of_dice_survive_the_cuts_of_a_guillotine():
    job = impose([make_net_builder("die")(make_piece())] * 2, Setup(marks=MARK_STYLES["none"]))
    lines = [mark for mark in job.sheets[0].front.marks if mark.width < 1]
    assert len(lines) > 20
    for line in lines:
        assert any(
            part.holds(Rect.around([Rect(*line.a, 0, 0), Rect(*line.b, 0, 0)]))
            for part in job.beds[0].parts
        )


def test_dice_are_turned_if_more_fit_on_a_sheet():
    job = impose([make_net_builder("die")(make_piece(name=str(n))) for n in range(12)], Setup())
    front = job.sheets[0].front
    assert {p.turn for p in front.placed} == {90}
    for name in {p.piece for p in front.placed}:
        trims = {p.face: p.trim for p in front.placed if p.piece == name}
        space, _ = fold_faces(trims)
        towards = {
            tuple(np.round(square.out).astype(int)): int(face) for face, square in space.items()
        }
        assert all(
            face + towards[tuple(-value for value in out)] == 7 for out, face in towards.items()
        )


def test_dice_share_sheets_and_keep_their_own_lines():
    cards = [
        Piece(f"c{n}", "cards", fill_box("rect", Size(63, 88)), 3, "front", "back")
        for n in range(3)
    ]
    job = impose_packed([*cards, make_net_builder("die")(make_piece())], Setup())
    (sheet,) = job.sheets
    assert Counter(p.face for p in sheet.front.placed) == Counter(["front"] * 3 + list(SIX))
    assert [p.face for p in sheet.back.placed] == ["back"] * 3
    box = Rect.around([p.trim for p in sheet.front.placed if p.piece == "d"])
    dotted = [mark for mark in sheet.front.marks if mark.dash]
    assert dotted
    assert all(box.grown(8).holds(Rect(*mark.a, 0, 0)) for mark in dotted)
    mirrored = Rect(210 - box.right, box.y, box.w, box.h).grown(-1)
    assert not [mark for mark in sheet.back.marks if mirrored.holds(Rect(*mark.a, 0, 0))]


def test_die_with_faces_that_are_not_square_is_refused():
    with pytest.raises(
        InvalidValueError, match=r"the faces of a die must be square, not 20 x 30 mm"
    ):
        make_net_builder("die")(
            Piece("d", "dice", fill_box("rect", Size(20, 30)), 2, SIX[0], more=SIX[1:])
        )


def test_pack_prints_each_face_of_each_die_once_and_cuts_each_net(pnp, tmp_path):
    result = pnp(
        "build", FOLDING, "-o", tmp_path, "--paper", "a4", "--only", "dice", "--cutter", "plain"
    )
    assert result.exit_code == 0, result.output
    assert "2 pieces on 1 sheet, one side" in result.output
    (page,) = read(tmp_path / "folding" / "folding-1-sheets-a4.pdf")
    assert sorted(Counter(form.name for form in page.forms).values()) == [1] * 8 + [2, 2]
    drawing = ezdxf.readfile(tmp_path / "folding" / "folding-1-cuts-a4-sheet-1.dxf")
    cuts = [cut for cut in drawing.modelspace() if cut.dxf.layer == "CUT"]
    assert [len(cut) for cut in cuts] == [14 + 2 * 7] * 2


BAD = {
    "make: die": "no column names the 6 faces of a die\n  expected `faces: ` and the name of a column",
    "make: die\nfaces: pips\nback: mirror": "a die has no back\n  expected none",
    "make: die\nfaces: pip": "there is no column 'pip'\n  expected one of: id, pips",
    "faces: pips": "a piece has a front and a back\n  expected no `faces`, or something else to make",
}


@pytest.mark.parametrize("setting", BAD)
def test_wrong_setting_of_a_die_is_refused(tmp_path, setting):
    messages = problems(make(tmp_path, component=setting, table="id,pips\none,1 2 3 4 5 6\n"))
    assert BAD[setting] in messages


DIE = "make: die\nfaces: pips"


def test_row_with_too_few_faces_and_size_that_is_not_square_are_refused(tmp_path):
    messages = problems(
        make(
            tmp_path,
            component="make: die\nfaces: pips",
            table="id,pips\none,1 2 3\n",
            size="16 x 18 mm",
        )
    )
    assert (
        "cards.csv:2: pips: '1 2 3' names 3 faces\n  expected 6, such as '1 2 3 4 5 6', or with | between"
        in messages
    )
    one = problems(
        make(
            tmp_path,
            "- text: $face\n  box: safe\n  style: body\n",
            "id,pips\none,1 2\n",
            component=DIE,
        )
    )
    assert one.count("expected") == 1, one
    assert "the faces of a die are squares\n  expected one length, such as 16mm" in messages


def test_words_of_faces_may_have_spaces(tmp_path):
    layout = "- text: $face\n  box: safe\n  style: body\n"
    table = "id,words\none,a bear | two foxes | three | four | five | -\n"
    pack = make(tmp_path, layout, table, component="make: die\nfaces: words")
    assert problems(pack) == ""
    (design,) = draw_game(loaded(pack))[0].designs
    assert [words_of(face) for face in design.faces] == [
        ("a", "bear"),
        ("two", "foxes"),
        *(("three",), ("four",), ("five",), ("-",)),
    ]


def test_faces_of_a_die_are_in_the_language_of_the_build(tmp_path):
    layout = "- text: $face\n  box: safe\n  style: body\n"
    table = "id,words,words@nl\none,one two three four five six,een twee drie vier vijf zes\n"
    pack = make(
        tmp_path, layout, table, component="make: die\nfaces: words", files={"rules.md": "# A\n"}
    )
    (component,) = draw_game(loaded(pack, language="nl"))
    (design,) = component.designs
    assert [
        word for face in design.faces for word in ("een", "two", "zes") if word in words_of(face)
    ] == ["een", "zes"]


def test_patch_prints_the_full_die_if_one_face_changed(pnp, tmp_path):
    pack = shutil.copytree(FOLDING, tmp_path / "pack")
    game = pack / "game.yaml"
    assert pnp("release", pack).exit_code == 0
    text = (
        game.read_text("utf-8")
        .replace('version: "1"', 'version: "2"')
        .replace("0 0 1 1 2 3", "0 0 1 1 2 4")
    )
    game.write_text(text, "utf-8")
    result = pnp("patch", pack, "--from", "1", "-o", tmp_path, "--paper", "a4")
    assert result.exit_code == 0, result.output
    (file,) = tmp_path.rglob("*patch-a4.pdf")
    *_, sheet = read(file)
    assert len(sheet.forms) == 6
    assert len({form.name for form in sheet.forms}) == 4
