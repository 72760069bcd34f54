"""Make the dice and the truck of Fire Engines from the printed page: cut, fold and glue.

Places are read from the PDF and folded by the marks beside them, without the code of the program.
"""

from itertools import product

import numpy as np
import pytest

from tests.tools.read_pdf import read

GAME = "urban-insanity-fire-engines"
EDGE_MM = 20.0
WIDTH_MM = 32.0
HEIGHT_MM = 24.0
TOLERANCE_MM = 0.05
SIDES = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)])
"""Directions from the centre of a square to its sides, clockwise from the top, y down."""


@pytest.fixture(params=["a4", "letter"])
def page(request, printed, pieces_by_picture):
    """Return the page with folded pieces, and the places of their faces by component."""
    for sheet_page in read(printed(GAME) / f"{GAME}-2-sheets-{request.param}.pdf"):
        places = {"dice": [], "truck": []}
        for form in sheet_page.forms:
            places.get(pieces_by_picture(GAME)[form.name][0], []).append(form)
        if places["dice"]:
            return sheet_page, places
    raise AssertionError("no page has dice")


def lines(page, *, dashed):
    """Return the straight strokes of a page, each from its upper or left end."""
    ends = (
        [(stroke.x1, stroke.y1), (stroke.x2, stroke.y2)]
        for stroke in page.strokes
        if stroke.dashed == dashed
    )
    return [np.array(sorted(pair)) for pair in ends]


def fold_marks(page, a, b):
    """Return the dashes of the strokes that mark a fold from a to b beyond its ends."""
    length = np.linalg.norm(b - a)
    way = (b - a) / length
    dashed = [stroke for stroke in page.strokes if stroke.dashed]
    ends = np.array([[(stroke.x1, stroke.y1), (stroke.x2, stroke.y2)] for stroke in dashed]) - a
    across = np.abs(ends @ np.array([-way[1], way[0]])).max(axis=1)
    along = ends @ way
    dash_by_end = {}
    for index in np.flatnonzero(across < TOLERANCE_MM):
        for end, near in (("before", -along[index].max()), ("after", along[index].min() - length)):
            if -TOLERANCE_MM < near < 2 * EDGE_MM + 5:
                dash_by_end[end] = dashed[index].dash
    return dash_by_end


def are_near(a, b):
    """Return True if two places or lengths agree; quicker than `np.allclose`."""
    return np.abs(np.subtract(a, b)).max() < TOLERANCE_MM


def is_dots(dash):
    return dash[0] < 0.6


def nets(forms):
    """Yield the centres of the faces of each die, which touch each other."""
    left = [np.array((form.x, form.y)) for form in forms]
    while left:
        net = []
        todo = [left.pop()]
        while todo:
            at = todo.pop()
            net.append(at)
            neighbours = [entry for entry in left if are_near(np.abs(entry - at).sum(), EDGE_MM)]
            left = [item for item in left if not any(item is other for other in neighbours)]
            todo += neighbours
        yield net


def fold_faces(net):
    """Fold each face back by a right angle; return its frame in space (right, down, outwards)."""
    frames = {0: (np.array((1, 0, 0)), np.array((0, 1, 0)), np.array((0, 0, 1)))}
    todo = [0]
    while todo:
        nth = todo.pop()
        right, down, out = frames[nth]
        for other, at in enumerate(net):
            step = np.round((at - net[nth]) / EDGE_MM).astype(int)
            if other in frames or np.abs(step).sum() != 1:
                continue
            ahead = step[0] * right + step[1] * down
            # The fold turns the direction ahead into the box.
            turned = {tuple(ahead): -out, tuple(-ahead): out}
            frames[other] = (turned.get(tuple(right), right), turned.get(tuple(down), down), ahead)
            todo.append(other)
    return frames


def test_folded_die_closes_with_a_tab_at_every_glued_edge(page):
    """Fold six faces back, and expect a tab of 5 mm or more on one side of each of the seven seams."""
    sheet_page, places = page
    solid = lines(sheet_page, dashed=False)
    dice = list(nets(places["dice"]))
    assert [len(net) for net in dice] == [6, 6]
    for net in dice:
        frames = fold_faces(net)
        assert len({tuple(out) for *_, out in frames.values()}) == 6, (
            "every side of the die has one face"
        )
        meeting = {}
        for index, step in product(range(6), SIDES):
            right, down, out = frames[index]
            across = net[index] + EDGE_MM / 2 * step
            along = EDGE_MM / 2 * np.array((abs(step[1]), abs(step[0])))
            if any(are_near(net[index] + EDGE_MM * step, other) for other in net):
                marks = fold_marks(sheet_page, across - along, across + along)
                dashes = [marks[end] for end in marks]
                assert all(map(is_dots, dashes)), "folds of a die are dotted"
                continue
            ahead = step[0] * right + step[1] * down
            key = frozenset((tuple(out), tuple(ahead)))
            meeting.setdefault(key, []).append(tab(solid, across, step, along))
        assert len(meeting) == 7
        for tabs in meeting.values():
            assert len(tabs) == 2
            (deep,) = [item for item in tabs if item]
            assert 5 <= deep < EDGE_MM / 2


def tab(solid, across, step, along):
    """Return the depth of the tab at an edge, found by a cut beyond the edge and cuts from its ends; None without."""
    for a, b in solid:
        if not are_near((b - a) * np.abs(step), 0):
            continue
        deep = float((a - across) @ step)
        ends = (np.array((a, b)) - across) @ (along / np.linalg.norm(along))
        if (
            3 < deep < 9
            and abs(ends.sum()) < TOLERANCE_MM
            and 4 < np.ptp(ends) < EDGE_MM
            and leads(solid, a, across, step)
        ):
            return deep
    return None


def leads(solid, place, across, step):
    """Return True if a line goes from a place to an edge, up to the ink beside the edge."""
    for pair in solid:
        for near, far in (pair, pair[::-1]):
            if are_near(near, place) and abs((far - across) @ step) < 3:
                return True
    return False


def test_every_fold_of_a_die_is_marked_at_both_ends(page):
    """Look for marks at both ends, between which a ruler can lie."""
    sheet_page, places = page
    for net in nets(places["dice"]):
        folds = set()
        for at, step in product(net, SIDES[1:3]):
            if any(are_near(at + EDGE_MM * step, other) for other in net):
                across = at + EDGE_MM / 2 * step
                along = EDGE_MM / 2 * np.array((abs(step[1]), abs(step[0])))
                folds.add(len(fold_marks(sheet_page, across - along, across + along)))
        assert folds == {2}


def test_truck_folds_to_stand_on_two_feet(page):
    """Read the folds: back at the head, and forwards at the feet.

    The feet then lie flat, one in front and one behind.
    """
    sheet_page, places = page
    one, other = places["truck"]
    assert {one.turn % 360, other.turn % 360} in ({0, 180}, {90, 270})
    assert abs(one.turn - other.turn) % 360 == 180
    middles = np.array([(one.x, one.y), (other.x, other.y)])
    head = middles.mean(axis=0)
    up = (middles[1] - middles[0]) / np.linalg.norm(middles[1] - middles[0])
    side = WIDTH_MM / 2 * np.array([-up[1], up[0]])
    assert np.linalg.norm(middles[1] - middles[0]) == pytest.approx(HEIGHT_MM, abs=TOLERANCE_MM)
    ways = {}
    for off in (-HEIGHT_MM, 0, HEIGHT_MM):
        marks = fold_marks(sheet_page, head + off * up - side, head + off * up + side)
        assert set(marks) == {"before", "after"}, off
        ways[off] = {is_dots(dash) for dash in marks.values()}
    assert ways == {-HEIGHT_MM: {False}, 0: {True}, HEIGHT_MM: {False}}
    solid = lines(sheet_page, dashed=False)
    for way in (-1, 1):  # each foot: its outer edge and its two sides are lines to cut along
        end = head + way * (HEIGHT_MM + WIDTH_MM / 2) * up
        assert is_drawn(solid, end - side, end + side)
        for edge in (-side, side):
            assert is_drawn(solid, head + way * (HEIGHT_MM + 0.5) * up + edge, end + edge)


def is_drawn(solid, a, b):
    """Return True if a line runs between two places, up to half a mm."""
    way = (b - a) / np.linalg.norm(b - a)
    long = np.linalg.norm(b - a)
    for ends in solid:
        places = (ends - a) @ way
        off = (ends - a) @ np.array([-way[1], way[0]])
        if abs(off).max() < TOLERANCE_MM and places.min() < 0.5 and places.max() > long - 0.5:
            return True
    return False
