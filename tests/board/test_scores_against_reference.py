"""Test scores of random boards against sums found by brute force."""

from collections import defaultdict

from hypothesis import given

from generator.board.rules import build_rules
from tests.board.test_against_reference import KITS, boards, turned
from tests.tools.board_reference import Wires, centre
from tests.tools.examples import try_times
from tests.tools.make_board import specs_from

SPECS = specs_from("""
    matching:
      sides: equal
      joins: [[red, pink]]
      fits: [[plug, socket], [plug, hole]]
      closed-at: [plug, wall]
      reopened-by: hole
      dead-ends: [blue]
      open-space: bare
    scoring:
      closed-links: {each: network, of: red, closed: true, count: links}
      open-tiles: {each: network, closed: false, count: tiles, base: 3, worth: 2, beyond: 2}
      distinct: {each: network, of: red, where: {tap: at least 1}, take: distinct}
      largest: {each: network, count: runs, take: most}
      smallest: {each: network, count: runs, take: least}
      tapped: {each: network, where: {tap: 1 to 2}, take: groups}
      cooled: {each: network, count: runs, worth: 3, less: tap}
      plain-rows: {each: row, where: {red: 0}, take: groups}
      weights: {count: {tap: 2, tee: 0.5, runs: 1}}
      bends: {count: tiles, having: bend}
      others: {count: tiles, without: [bend, tee]}
      branches: {count: runs, forms: branch, of: red}
      neighbours: {each: tile, count: neighbours}
      holes: {count: holes}
      rows: {count: rows}
      columns: {count: columns, of: blue}
      total: {total: [rows, columns]}
    """)


def expected_scores(board, kit):
    wires = Wires(board, kit, SPECS.matching)
    groups = wires.networks()
    taps = {group: sum(wires.wires[w][0].feature == "tap" for w in group) for group in groups}
    tiles = {group: len({place for place, _ in group}) for group in groups}
    red = [group for group in groups if any(wires.kind(w) == "red" for w in group)]
    named = {placement.place: placement.design for placement in board.placements}
    solid = {place for place, name in named.items() if name != "bare"}
    red_rows = {w[0].row for w in wires.wires if wires.kind(w) == "red"}
    ring = neighbour_finder(board)
    scores = {
        "closed-links": sum(
            bool(wires.continuations(w, p))
            for group in red
            if not wires.open_ends(group)
            for w in group
            if wires.kind(w) == "red"
            for p in wires.wires[w][1]
        ),
        "open-tiles": sum(
            3 + 2 * max(0, tiles[group] - 2) for group in groups if wires.open_ends(group)
        ),
        "distinct": len(
            {w[0] for group in red if taps[group] for w in group if wires.kind(w) == "red"}
        ),
        "largest": max(map(len, groups), default=0),
        "smallest": min(map(len, groups), default=0),
        "tapped": sum(1 <= taps[group] <= 2 for group in groups),
        "cooled": sum(len(group) * max(0, 3 - taps[group]) for group in groups),
        "plain-rows": len({place.row for place in named} - red_rows),
        "weights": 2 * sum(taps.values())
        + 0.5 * list(named.values()).count("tee")
        + len(wires.wires),
        "bends": list(named.values()).count("bend"),
        "others": sum(name not in {"bend", "tee"} for name in named.values()),
        "branches": sum(
            len(points) > 2 for link, points in wires.wires.values() if link.kind == "red"
        ),
        "neighbours": sum(len(ring(centre(wires.shape, place), solid)) for place in named),
        "holes": holes(board, solid, set(named), ring),
        "rows": len({place.row for place in named}),
        "columns": len({w[0].column for w in wires.wires if wires.kind(w) == "blue"}),
    }
    return scores | {"total": scores["rows"] + scores["columns"]}


def neighbour_finder(board):
    """Return a function that gives the neighbours of a point: places whose centres are one tile away."""

    def ring(spot, places):
        spots = ((place, centre(board.lattice.name, place)) for place in places)
        return [
            place
            for place, (x, y) in spots
            if abs((x - spot[0]) ** 2 + (y - spot[1]) ** 2 - 1) < 1e-6
        ]

    return ring


def holes(board, solid, taken, ring):
    spots = defaultdict(set)
    for place in taken:
        x, y = centre(board.lattice.name, place)
        for other in (board.lattice.neighbour(place, port) for port in board.lattice.ports):
            spots[other] |= {(x, y)}
    return sum(
        len(ring(centre(board.lattice.name, spot), solid)) == len(board.lattice.ports)
        for spot in spots
        if spot not in taken
    )


@try_times(3)
@given(boards(KITS))
def test_scores_match_sums_found_by_brute_force(board):
    kit = KITS[board.lattice.name]
    rules = build_rules(kit, board.lattice, SPECS)
    scene = rules.analyse(board)
    assert {name: rules.score(name, scene) for name in SPECS.scoring} == expected_scores(board, kit)


@try_times(2)
@given(boards(KITS, shape="square"))
def test_turning_board_keeps_scores(board):
    rules = build_rules(KITS["square"], board.lattice, SPECS)
    rows = {"plain-rows", "rows", "columns", "total"}
    names = [name for name in SPECS.scoring if name not in rows]

    def scores(of):
        scene = rules.analyse(of)
        return [rules.score(name, scene) for name in names]

    first = scores(board)
    for _ in range(4):
        board = turned(board)
        assert scores(board) == first
