"""Test that nets close, by folding the panels on the paper in a computation."""

from collections import Counter
from itertools import combinations
from math import acos, radians, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base import polygon
from generator.base.errors import InvalidValueError
from generator.base.geometry import Rect, Size
from generator.base.outline import Outline
from generator.base.shapes import SHAPES, fill_box
from generator.impose.nets.dice_and_boxes import (
    BOXES,
    DICE,
    TUCKBOX_FACES,
    make_net_builder,
    make_tuckbox_faces,
    plan_tuckbox,
)
from generator.impose.nets.net import FlatNet
from generator.impose.sheet import Piece
from tests.tools.examples import try_times
from tests.tools.make_pack import make
from tests.tools.read_pdf import read

BETWEEN = {
    "die": radians(90),
    "d4": acos(1 / 3),
    "d8": acos(-1 / 3),
    "d12": acos(-1 / sqrt(5)),
    "d20": acos(-sqrt(5) / 3),
}
"""The angle between two faces of each regular solid."""


def edges_of(corners):
    return [(corners[n], corners[(n + 1) % len(corners)]) for n in range(len(corners))]


def find_joints(panels):
    """Yield the pairs of panels that share a full edge on the paper, with that edge."""
    for (i, item), (j, other) in combinations(enumerate(panels), 2):
        for a, b in edges_of(item):
            for c, d in edges_of(other):
                if max((a - d).length(), (b - c).length()) < 0.01:
                    yield i, j, a, b


def rotate(place, hinge, axis, angle):
    """Return a place turned about an axis through a hinge (Rodrigues' formula)."""
    v = place - hinge
    turned = (
        v * np.cos(angle)
        + np.cross(axis, v) * np.sin(angle)
        + axis * np.dot(axis, v) * (1 - np.cos(angle))
    )
    return turned + hinge


def fold_panels(panels, between):
    """Return every panel's corners in space, folded away from the reader by 180° minus the angle between faces.

    `between` is the angle between any two faces, or a function of two joined panels.
    """
    angle = between if callable(between) else lambda *_: between
    hung = {}
    for i, j, a, b in find_joints(panels):
        hung.setdefault(i, []).append((j, a, b, angle(i, j)))
        hung.setdefault(j, []).append((i, b, a, angle(i, j)))
    moves = {0: []}
    waiting = [0]
    while waiting:
        here = waiting.pop()
        for other, a, b, opening in hung.get(here, []):
            if other not in moves:
                moves[other] = [(a, b, opening), *moves[here]]
                waiting.append(other)
    folded_panels = []
    for index, panel in enumerate(panels):
        places = [np.array([p.x, p.y, 0.0]) for p in panel]
        for a, b, opening in moves[index]:
            hinge = np.array([a.x, a.y, 0.0])
            axis = np.array([b.x - a.x, b.y - a.y, 0.0])
            places = [
                rotate(p, hinge, axis / np.linalg.norm(axis), -(np.pi - opening)) for p in places
            ]
        folded_panels.append(places)
    return folded_panels


def net_of(name, across=20.0, bleed=2.0):
    return FlatNet(DICE[name].plan(across), bleed)


@try_times(0.24)
@given(st.sampled_from(sorted(DICE)), st.floats(8, 60))
def test_each_edge_of_a_folded_die_meets_exactly_one_other(name, across):
    space = fold_panels(net_of(name, across).panels, BETWEEN[name])
    ends = [pair for panel in space for pair in edges_of(panel)]
    for index, (a, b) in enumerate(ends):
        meeting = [
            m
            for m, (c, d) in enumerate(ends)
            if m != index and max(np.linalg.norm(a - d), np.linalg.norm(b - c)) < 0.05
        ]
        assert len(meeting) == 1


@pytest.mark.parametrize("name", [name for name in DICE if name != "d4"])
def test_opposite_faces_of_a_die_add_up_to_one_more_than_its_faces(name):
    space = fold_panels(net_of(name).panels, BETWEEN[name])
    centre = np.mean([p for panel in space for p in panel], axis=0)
    ways = [np.mean(panel, axis=0) - centre for panel in space]
    numbers = {panel: n for n, panel in enumerate(DICE[name].numbers, 1)}
    for panel, way in enumerate(ways):
        opposite = min(range(len(ways)), key=lambda other: np.linalg.norm(ways[other] + way))
        assert np.linalg.norm(ways[opposite] + way) < 0.01
        assert numbers[panel] + numbers[opposite] == len(ways) + 1


@pytest.mark.parametrize("name", DICE)
def test_tabs_lie_on_one_of_two_joined_edges_without_overlap(name):
    net = net_of(name)
    assert len(net.pairs) * 2 == len(net.rim)
    assert Counter(
        index for pair in net.pairs for index in pair if index in net.tabs
    ) == dict.fromkeys(net.tabs, 1)
    assert all(len({*pair} & {*net.tabs}) == 1 for pair in net.pairs)
    shapes = {nth: Outline(tab) for nth, tab in net.tabs.items()}
    panels = [Outline(panel) for panel in net.panels]
    assert not [
        pair for pair in combinations(shapes, 2) if shapes[pair[0]].overlaps(shapes[pair[1]])
    ]
    assert not [
        number for number, tab in shapes.items() if any(tab.overlaps(panel) for panel in panels)
    ]
    assert not [
        pair
        for pair in combinations(range(len(panels)), 2)
        if panels[pair[0]].overlaps(panels[pair[1]])
    ]


@pytest.mark.parametrize("name", DICE)
def test_bleed_of_a_face_does_not_reach_other_faces_of_a_net(name):
    net = net_of(name)
    for index, ink in enumerate(net.inks):
        for other, panel in enumerate(net.panels):
            middle = Outline(panel).centre
            assert index == other or not Outline(ink).contains(middle)
            assert index == other or all(Outline(ink).depth(place) < 0.01 for place in panel)


@pytest.mark.parametrize("name", DICE)
def test_faces_lie_on_their_panels_with_the_right_turn(name):
    """The first corner of a panel is the uppermost one of the art."""
    shape = DICE[name].shape
    outline = fill_box(shape, SHAPES[shape].sized(20.0))
    count = len(DICE[name].numbers)
    piece = make_net_builder(name)(
        Piece("d", "dice", outline, 2.0, "1", more=tuple(map(str, range(2, count + 1))))
    )
    net = net_of(name, outline.size.w)
    assert [leaf.face for leaf in piece.net.front] == [str(n) for n in range(1, count + 1)]
    for leaf, panel in zip(piece.net.front, DICE[name].numbers, strict=True):
        for own, there in zip(outline.corners, net.panels[panel], strict=True):
            placed = (own - outline.centre).turned(leaf.turn) + leaf.trim.centre
            assert (placed - there - net.corner).length() < 0.05


decks = st.builds(Size, st.floats(30, 120), st.floats(40, 150))


@try_times(0.25)
@given(decks, st.floats(5, 50))
def test_tuckbox_closes_and_has_space_for_its_deck(deck, thick):
    net = FlatNet(plan_tuckbox(deck, thick), 3.0)
    space = fold_panels(net.panels, radians(90))[: len(TUCKBOX_FACES)]
    low, high = (edge([p for panel in space for p in panel], axis=0) for edge in (np.min, np.max))
    assert sorted(high - low) == pytest.approx(
        sorted((deck.w + 1, deck.h + 1, thick + 1)), abs=0.05
    )
    ends = [pair for panel in space for pair in edges_of(panel)]
    for index, (a, b) in enumerate(ends):
        assert any(
            m != index and max(np.linalg.norm(a - d), np.linalg.norm(b - c)) < 0.05
            for m, (c, d) in enumerate(ends)
        )


@try_times(0.25)
@given(decks, st.floats(5, 50))
def test_panels_and_flaps_of_a_tuckbox_do_not_overlap(deck, thick):
    panels = [Outline(panel) for panel in FlatNet(plan_tuckbox(deck, thick), 3.0).panels]
    assert len(panels) == 13
    assert panels[0].overlaps(panels[1].moved((-1, 0)))
    assert not [
        pair
        for pair in combinations(range(len(panels)), 2)
        if panels[pair[0]].overlaps(panels[pair[1]])
    ]


def test_faces_of_a_tuckbox_are_printed_in_their_sizes():
    outline = fill_box("rect", Size(63.5, 88.9))
    piece = make_net_builder("tuckbox")(
        Piece("b", "box", outline, 3.0, "front", more=TUCKBOX_FACES[1:], depth=18.0)
    )
    sizes = {leaf.face: leaf.trim.size for leaf in piece.net.front}
    expected = dict(zip(TUCKBOX_FACES, make_tuckbox_faces(outline.size, 18.0), strict=True))
    assert sizes == {face: pytest.approx(box.size) for face, box in expected.items()}
    assert sizes["left"] == pytest.approx((19.0, 89.9))


@pytest.mark.parametrize(
    ("content", "tuck", "dust"), [(Size(63.5, 88.9), 16, 14), (Size(30, 12), 9.1, 11.7)]
)
def test_flaps_of_a_tuckbox_fit_fingers_but_never_exceed_its_height(content, tuck, dust):
    heights = [
        polygon.box_around(panel.corners).h for panel in plan_tuckbox(content, 18).panels[7:]
    ]
    assert heights == pytest.approx([tuck] * 2 + [dust] * 4)


@try_times(0.25)
@given(
    st.sampled_from(["tent", "stand"]), st.floats(20, 120), st.floats(30, 120), st.floats(0.1, 0.9)
)
def test_tents_and_stands_close_to_a_prism(name, w, h, share):
    """Equal legs and the given depth determine the angles, with which both ends meet."""
    depth = share * 2 * h
    net = FlatNet(BOXES[name].plan(Size(w, h), depth), 3.0)
    foot = np.arccos(depth / 2 / h)
    rows = {"tent": ((0, 1, foot), (1, 2, foot), (2, 3, np.pi - 2 * foot))}.get(
        name,
        (
            (0, 1, np.pi - 2 * foot),
            (0, 2, np.pi + foot),
            (2, 3, 1.5 * np.pi),
            (1, 4, foot),
            (4, 5, np.pi),
        ),
    )
    angles = {frozenset((a, b)): angle for a, b, angle in rows}
    assert {frozenset(pair[:2]) for pair in find_joints(net.panels)} == set(angles)
    space = fold_panels(net.panels, lambda *pair: angles[frozenset(pair)])
    first, last = (space[0][:2], space[2][:2]) if name == "tent" else (space[0][2:], space[4][2:])
    assert max(np.linalg.norm(first[0] - last[1]), np.linalg.norm(first[1] - last[0])) < 0.05
    for panel, edge in net.rim:
        corners = list(zip(net.panels[panel], space[panel], strict=True))
        for own in net.get_edge((panel, edge)):
            there = next(place for corner, place in corners if (corner - own).length() < 1e-6)
            assert np.linalg.norm(np.array(net.fold_point(panel, own)) - there) < 0.05


def test_unprinted_floor_of_a_tent_has_lines_to_cut_along():
    net = FlatNet(BOXES["tent"].plan(Size(60, 50), 30), 3.0)
    sides = {net.outline.box.x, net.outline.box.right}
    all_sides = [
        line.a.x
        for line in net.lines
        if abs(line.a.x - line.b.x) < 1e-6 and abs(line.b.y - line.a.y) > 29
    ]
    assert sorted(all_sides) == pytest.approx(sorted(sides))


def test_tent_has_the_same_marks_on_both_sides():
    net = FlatNet(BOXES["tent"].plan(Size(60, 50), 30), 3.0)
    ends_of_lines, mirrored_ends = (
        {
            frozenset(
                (round(x, 3) + 0.0, round(at.y, 3)) for at in (line.a, line.b) for x in [side(at.x)]
            )
            for line in net.lines
        }
        for side in (float, lambda x: net.size.w - x)
    )
    assert ends_of_lines == mirrored_ends


def test_face_of_a_die_has_full_bleed_at_free_edges_and_half_a_mm_at_tabs():
    net = FlatNet(DICE["die"].plan(20), 3.0)
    leaves = [net.place_face(panel, "") for panel in range(6)]
    over = {round(leaf.trim.x - leaf.visible.x, 3) + 0.0 for leaf in leaves}
    assert over | {round(leaf.visible.bottom - leaf.trim.bottom, 3) + 0.0 for leaf in leaves} == {
        0,
        0.5,
        3,
    }


@pytest.mark.parametrize(("mm", "deep"), [(12, 4.2), (20, 7), (40, 8)])
def test_tabs_are_a_third_as_deep_as_their_edge_and_at_most_8_mm(mm, deep):
    net = FlatNet(DICE["die"].plan(mm), 3.0)
    depths = [
        abs(
            (tab[1] - tab[0]).x * (tab[3] - tab[0]).unit().y
            - (tab[1] - tab[0]).y * (tab[3] - tab[0]).unit().x
        )
        for tab in net.tabs.values()
    ]
    assert depths == pytest.approx([deep] * len(depths))


@try_times(0.4)
@given(decks, st.floats(8, 50))
def test_tray_closes_and_has_space_for_its_content(content, deep):
    net = FlatNet(BOXES["tray"].plan(content, deep), 3.0)
    space = fold_panels(net.panels, radians(90))
    low, high = (
        edge([p for panel in space[:5] for p in panel], axis=0) for edge in (np.min, np.max)
    )
    assert sorted(high - low) == pytest.approx(
        sorted((content.w + 1, content.h + 1, deep)), abs=0.05
    )
    walls = [pair for panel in space[1:5] for pair in edges_of(panel)]
    uprights = [(a, b) for a, b in walls if abs(abs((b - a)[2]) - deep) < 0.01]
    assert len(uprights) == 8
    for a, b in uprights:
        assert (
            sum(max(np.linalg.norm(a - d), np.linalg.norm(b - c)) < 0.05 for c, d in uprights) == 1
        )
    for tab in space[5:]:
        assert all(low[n] - 0.05 <= place[n] <= high[n] + 0.05 for place in tab for n in range(3))


@pytest.mark.parametrize("name", BOXES)
def test_panels_of_boxes_and_stands_have_their_sizes_without_overlap(name):
    for content, depth in ((Size(63.5, 88.9), 18.0), (Size(40, 30), 9.0), (Size(120, 70), 40.0)):
        net = FlatNet(BOXES[name].plan(content, depth), 3.0)
        panels = [Outline(panel) for panel in net.panels]
        assert not [
            pair
            for pair in combinations(range(len(panels)), 2)
            if panels[pair[0]].overlaps(panels[pair[1]])
        ]
        faces = BOXES[name].faces(content, depth)
        names = [f"f{n}" for n in range(len(faces))]
        piece = make_net_builder(name)(
            Piece(
                "b",
                "b",
                fill_box("rect", content),
                3.0,
                names[0],
                more=tuple(names[1:]),
                depth=depth,
            )
        )
        for leaf, face, panel in zip(
            piece.net.front, faces, BOXES[name].panel_by_face.values(), strict=True
        ):
            assert leaf.trim.size == pytest.approx(face.size)
            for own, there in zip(
                Outline.of_box(Rect(0, 0, *face.size)).corners, net.panels[panel], strict=True
            ):
                placed = (own - face.centre).turned(leaf.turn) + leaf.trim.centre
                assert (placed - there - net.corner).length() < 0.05


@pytest.mark.parametrize("name", ["tent", "stand"])
def test_tent_that_would_lie_flat_is_refused(name):
    with pytest.raises(InvalidValueError, match="as long as its two sides of 40 mm together"):
        BOXES[name].plan(Size(60, 40), 80.0)


def test_flaps_of_a_printed_tuckbox_have_their_depths(tmp_path, pnp):
    """Measure from the fold of each flap to its outer cut, in the PDF."""
    pack = make(
        tmp_path / "pack",
        size="63.5 x 88.9 mm",
        component="make: tuckbox\ndepth: 18mm\nbleed: 3mm\nfaces: side",
        table="id,side\nbox,front right back left top bottom\n",
    )
    assert pnp("build", pack, "--what", "sheets", "--paper", "a4", "-o", tmp_path).exit_code == 0
    (page,) = read(next(tmp_path.rglob("*-sheets-a4.pdf")))
    bleed = 3
    panels = [(form.x, form.y, form.w / 2 - bleed, form.h / 2 - bleed) for form in page.forms]
    sides = [panel for panel in panels if panel[2] == pytest.approx(9.5, abs=0.01)]
    lids = [panel for panel in panels if panel[3] == pytest.approx(9.5, abs=0.01)]
    assert (len(sides), len(lids)) == (2, 2)
    cuts = [stroke for stroke in page.strokes if stroke.width < 0.2 and not stroke.dashed]
    level = [
        stroke
        for stroke in cuts
        if stroke.y1 == pytest.approx(stroke.y2) and abs(stroke.x1 - stroke.x2) > 5
    ]
    upright = [
        stroke
        for stroke in cuts
        if stroke.x1 == pytest.approx(stroke.x2) and abs(stroke.y1 - stroke.y2) > 5
    ]

    def depths(panel):
        """Return the distances of cuts from the panel's upper or lower edge that is parallel and nearer."""
        x, y, _, half = panel
        outer = [
            stroke.y1
            for stroke in level
            if (stroke.x1 + stroke.x2) / 2 == pytest.approx(x, abs=0.01)
        ]
        return [abs(cut - y) - half for cut in outer if abs(cut - y) > half + 0.1]

    dust = [depth for side in sides for depth in depths(side)]
    assert dust == pytest.approx([14] * 4, abs=0.01)
    tuck = [depth for lid in lids for depth in depths(lid)]
    assert tuck == pytest.approx([16] * 2, abs=0.01)
    folds = [x + half for x, _, half, _ in sides]
    glue = [stroke.x1 - max(folds) for stroke in upright if stroke.x1 > max(folds) + 0.1]
    assert glue == pytest.approx([12], abs=0.01)
