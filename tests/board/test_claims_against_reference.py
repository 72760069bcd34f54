"""Test every kind of claim on random boards of every tiling against brute force."""

import re
from collections import defaultdict
from functools import cached_property
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.board.board import Placement, build_board
from generator.board.claims import CLAIMS, check_claim
from generator.board.lattice import Place, find_lattice
from generator.board.rules import build_rules
from tests.tools.board_reference import grid_points_inside
from tests.tools.examples import try_times
from tests.tools.make_board import kit_from, specs_from
from tests.tools.tiling_reference import NAMES, PointBoard, centre, point

KIT = """
    straight 30: {0}-{2}:red
    bend 30: {0}-{1}:red
    junction 30: {0}-{1}-{2}:red
    stop 30: {0}-{1}:red@tap(value 20)
    hub 30: {0}-{1}-{2}:red@tap(value 10)
    end 30: {0}:red@tap(value 30)
    blue 30: {0}-{1}:blue
    mixed 30: {0}:red@tap {1}-{2}:blue
    wall 30: {0}=wall {1}-{2}:red
    bare 30: !bare
    sea 30: SEA !bare
"""
SPECS = specs_from("""
    matching:
      sides: equal
      never-touch: [[bare, bare]]
      never-join: [[tap, tap]]
      must-join: [red]
      complete-needs: {red: tap}
      together: touching
      gaps: none
      within: {columns: 3, rows: 2}
      closed-at: wall
      fills: {wall: sea}
    scoring:
      closed: {each: network, of: red, closed: true, count: tiles, base: 1, worth: 2}
      most: {each: network, of: red, count: runs, take: most, needs: {2: at least 3, 4: at least 1}}
      beside: {each: tile, count: neighbours}
    removing:
      cut: {root: end, never: bare, neighbours: at most 2}
    moving:
      walk: {along: red, stops: tap}
    routing:
      train: {along: red, stops: tap, most: 3}
    """)


def kit(shape):
    sea = " ".join(f"{side}=wall" for side in NAMES[shape])
    return kit_from(KIT.replace("SEA", sea).format(*NAMES[shape]), find_lattice(shape))


KITS = {shape: kit(shape) for shape in NAMES}
ALL = tuple(sorted(KITS["square"].designs))
LINKED = ["straight", "bend", "junction", "stop", "end", "mixed"]
WALKED = ["hub", "junction", "stop", "end"]
"""Tiles that join in most turns: among others, hardly any random walk is a legal path."""


@st.composite
def boards(draw, names=ALL, columns=3, rows=3):
    shape = draw(st.sampled_from(sorted(NAMES)))
    turns = st.sampled_from(range(0, 360, find_lattice(shape).turn_step))
    choice = st.sampled_from([*names, None])
    cells = [(draw(choice), draw(turns), c, r) for r in range(rows) for c in range(columns)]
    return build_board(
        find_lattice(shape), [Placement(name, c, r, turn) for name, turn, c, r in cells if name]
    )


class ReferenceBoard(PointBoard):
    """A board as points: its tiles, its labels, and the tiles that share the middle of a side."""

    def __init__(self, board, kit):
        super().__init__(board, kit)
        self.shape = board.lattice.name
        self.kit = kit
        self.named = {placement.place: placement.design for placement in board.placements}
        self.labels = defaultdict(dict)
        for item in board.placements:
            for border in kit.designs[item.design].front.tile.borders:
                self.labels[point(self.shape, item, border.port)][item.place] = border.label

    def sides(self, place):
        """Return the middles of the sides of a place, with or without a tile."""
        return {point(self.shape, Placement("", *place), name) for name in NAMES[self.shape]}

    @cached_property
    def beside(self):
        rim = {place: self.sides(place) for place in self.named}
        return {place: {o for o in rim if o != place and rim[o] & rim[place]} for place in rim}

    def continuations(self, run, end):
        return set() if end in self.labels else super().continuations(run, end)

    @cached_property
    def near(self):
        return {
            run: {o for end in ends for o in self.continuations(run, end)}
            for run, (_, ends) in self.links.items()
        }

    @cached_property
    def groups(self):
        return parts(self.near)

    def open_ends(self, group):
        open_ends = 0
        for run in group:
            link, ends = self.links[run]
            open_ends += len(ends) == 1 and not link.feature
            open_ends += sum(
                not self.continuations(run, end) and end not in self.labels for end in ends
            )
        return open_ends

    def holes(self):
        near = {Place(c, r) for c in range(-1, 5) for r in range(-1, 5)} - set(self.named)
        rims = {rim for place in self.named for rim in self.sides(place)}
        return {place for place in near if self.sides(place) <= rims}

    def mismatches(self):
        """Yield the code and the two tiles of each pair of sides that do not match."""
        for item, others in self.beside.items():
            for other in (o for o in others if o > item):
                (at,) = self.sides(item) & self.sides(other)
                labels = [
                    self.labels[at].get(place) if at in self.labels else None
                    for place in (item, other)
                ]
                kinds = [
                    sorted(self.links[r][0].kind for r in self.runs_at[at] if r[0] == p)
                    for p in (item, other)
                ]
                if labels[0] != labels[1]:
                    yield "borders", {item, other}
                elif labels == [None, None] and kinds[0] != kinds[1]:
                    yield ("kinds" if all(kinds) else "sides"), {item, other}

    def breaches(self):
        """Return the code and the places of each rule that the board breaks."""
        breaches = [*self.mismatches()]
        bare = {place for place, name in self.named.items() if name in {"bare", "sea"}}
        breaches += [("never-touch", {a, b}) for a in bare for b in self.beside[a] & bare]
        for group in self.groups:
            taps = {run[0] for run in group if self.links[run][0].feature}
            red = any(self.links[run][0].kind == "red" for run in group)
            many = sum(bool(self.links[run][0].feature) for run in group)
            breaches += [("never-join", taps)] * (many > 1)
            breaches += [("complete-needs", {run[0] for run in group})] * (
                red and not self.open_ends(group) and not taps
            )
        for place in self.named if len(self.named) > 1 else ():
            reds = [
                run for run in self.links if run[0] == place and self.links[run][0].kind == "red"
            ]
            breaches += [("must-join", {place})] * (
                bool(reds) and not any(self.near[run] for run in reds)
            )
        held = min(parts(self.beside), key=min) if self.named else frozenset()
        breaches += [("together", set(self.named) - held)] * (held != set(self.named))
        breaches += [("gaps", {place}) for place in self.holes()]
        for axis, most in ((0, 3), (1, 2)):
            span = [place[axis] for place in self.named]
            breaches += [("within", set(self.named))] * (
                bool(span) and max(span) - min(span) + 1 > most
            )
        return {(code, frozenset(places)) for code, places in breaches}


def parts(near):
    """Return the groups of connected tiles."""
    left = set(near)
    groups = []
    while left:
        group = set()
        edge = {left.pop()}
        while edge:
            here = edge.pop()
            group.add(here)
            edge |= near[here] - group
        left -= group
        groups.append(frozenset(group))
    return groups


def rules_and_reference(board):
    kit = KITS[board.lattice.name]
    return build_rules(kit, board.lattice, SPECS), ReferenceBoard(board, kit)


def shows(rules, board, claim):
    return check_claim(claim, board, rules).actual


def codes(text):
    """Return the reasons in `false because a, b (…)`."""
    head = text.partition(" (")[0]
    return set(head.removeprefix("false because ").split(", ")) if head != "true" else set()


FEW = try_times(0.6)
CODES_TESTED_ELSEWHERE = {"fills"}
"""Codes of rules that a test of their own covers."""


@FEW
@given(boards())
def test_verdicts_match_brute_force(board):
    rules, ground = rules_and_reference(board)
    expected = ground.breaches()
    breaches = {
        (v.code, frozenset(v.places))
        for v in rules.breaches(rules.analyse(board))
        if v.code not in CODES_TESTED_ELSEWHERE
    }
    assert breaches == expected
    assert codes(shows(rules, board, "legal: true")) - CODES_TESTED_ELSEWHERE == {
        code for code, _ in expected
    }


@FEW
@given(boards(), st.sampled_from(LINKED), st.integers(0, 5))
def test_reasons_against_placing_match_brute_force(board, name, turn):
    rules, ground = rules_and_reference(board)
    free = [Place(c, r) for c in range(3) for r in range(3) if (c, r) not in ground.named]
    if free:
        turn = turn * board.lattice.turn_step % 360
        extended = board.with_pieces([Placement(name, *free[0], turn)])
        added = ReferenceBoard(extended, ground.kit).breaches() - ground.breaches()
        outcome = shows(rules, board, f"placing {name}/{turn} at {free[0]}: true")
        assert codes(outcome) - CODES_TESTED_ELSEWHERE == {code for code, _ in added}


@FEW
@given(boards())
def test_network_claims_match_brute_force(board):
    rules, ground = rules_and_reference(board)
    for place in ground.named:
        here = [
            g
            for g in ground.groups
            if any(r[0] == place and ground.links[r][0].kind == "red" for r in g)
        ]
        claim = f"network red at {place}: open, tiles 1, runs 1, links 1, open-ends 1, tap 1"
        if len(here) != 1:
            assert shows(rules, board, claim).startswith(
                f"{len(here) or 'no'} networks of red there"
            )
            continue
        (group,) = here
        ends = ground.open_ends(group)
        joins = sum(
            bool(ground.continuations(run, end)) for run in group for end in ground.links[run][1]
        )
        taps = sum(bool(ground.links[run][0].feature) for run in group)
        counts = (
            "open" if ends else "closed",
            len({r[0] for r in group}),
            len(group),
            joins,
            ends,
            taps,
        )
        assert shows(
            rules, board, claim
        ) == "{}, tiles {}, runs {}, links {}, open-ends {}, tap {}".format(*counts)


@FEW
@given(boards(LINKED), st.data())
def test_connected_claims_match_brute_force(board, data):
    rules, ground = rules_and_reference(board)
    if ground.named:
        here, there = (data.draw(st.sampled_from(sorted(ground.named))) for _ in "ab")
        is_joined = any(o == max(here, there) for o in ground.reachable_tiles(min(here, there)))
        assert shows(rules, board, f"connected {here} to {there}: true") == str(is_joined).lower()


@FEW
@given(boards())
def test_scores_and_met_needs_match_brute_force(board):
    rules, ground = rules_and_reference(board)
    red = [g for g in ground.groups if any(ground.links[r][0].kind == "red" for r in g)]
    closed = sum(1 + 2 * len({r[0] for r in g}) for g in red if not ground.open_ends(g))
    most = max(map(len, red), default=0)
    assert shows(rules, board, "score closed: 0") == str(closed)
    assert shows(rules, board, "score most: 0") == str(most)
    assert shows(rules, board, "score beside: 0") == str(sum(map(len, ground.beside.values())))
    assert shows(rules, board, "met most with 2 players: true").startswith(str(most >= 3).lower())
    assert shows(rules, board, "met most with 4 players: true").startswith(str(most >= 1).lower())


@FEW
@given(boards())
def test_counts_match_brute_force(board):
    rules, ground = rules_and_reference(board)
    runs = ground.links
    loose = {
        place: ground.at_corner(ground.shape, place, set(ground.named)) for place in ground.named
    }
    expected = {
        "tiles": len(ground.named),
        "places": len(ground.named),
        "runs": len(runs),
        "runs of red": sum(link.kind == "red" for link, _ in runs.values()),
        "runs forms end": sum(len(ends) == 1 for _, ends in runs.values()),
        "runs forms branch": sum(len(ends) == 3 for _, ends in runs.values()),
        "links": sum(bool(ground.continuations(run, end)) for run in runs for end in runs[run][1]),
        "joins": sum(len(ground.continuations(run, end)) for run in runs for end in runs[run][1])
        // 2,
        "networks": len(ground.groups),
        "open-ends": sum(map(ground.open_ends, ground.groups)),
        "tap": sum(bool(link.feature) for link, _ in runs.values()),
        "rows": len({place.row for place in ground.named}),
        "columns": len({place.column for place in ground.named}),
        "holes": len(ground.holes()),
        "tiles having bare": sum(name in {"bare", "sea"} for name in ground.named.values()),
        "longest": longest(ground),
        "unused": 30 * len(ALL) - len(ground.named),
    }
    assert {name: shows(rules, board, f"{name}: -1") for name in expected} == {
        k: str(v) for k, v in expected.items()
    }
    for place in list(ground.named)[:3]:
        near = {o for run in runs if run[0] == place for o, _ in ground.near[run]}
        at = {
            "neighbours": len(ground.beside[place]),
            "diagonal": len(loose[place]),
            "around": len(ground.beside[place] | loose[place]),
            "joined": len(near - {place}),
        }
        assert {name: shows(rules, board, f"{name} at {place}: -1") for name in at} == {
            k: str(v) for k, v in at.items()
        }


def longest(ground):
    def walk(run, used):
        ways = [
            walk(other, used | {other[0]}) for other in ground.near[run] if other[0] not in used
        ]
        return max(ways, default=len(used))

    return max((walk(run, {run[0]}) for run in ground.links), default=0)


@st.composite
def walks(draw):
    """Return a board and some of its places, each joined to the next one where possible."""
    board = draw(boards(WALKED))
    _, ground = rules_and_reference(board)
    places = sorted(ground.named)
    walk = (
        [draw(st.sampled_from([p for p in places if stops(ground, p)] or places))] if places else []
    )
    for _ in range(draw(st.integers(1, 3)) if walk else 0):
        ahead = sorted(
            {o for run in ground.links if run[0] == walk[-1] for o, _ in ground.near[run]}
        )
        walk.append(draw(st.sampled_from(ahead or places)))
    return board, walk


@try_times(1)
@given(walks())
def test_paths_match_brute_force(case):
    board, places = case
    if len(places) < 2:
        return
    rules, ground = rules_and_reference(board)
    outcome = shows(rules, board, f"path walk {' '.join(map(str, places))}: true")
    reasons = {"twice"} if len(set(places)) < len(places) else set()
    at = {(run, 0) for run in stops(ground, places[0])}
    for here, there in pairwise(places):
        on = {(run, n) for run, n in at if run[0] == here}
        at = {
            (o, n + (o in stops(ground, there)))
            for run, n in on
            for o in ground.near[run]
            if o[0] == there
        }
        if not at:
            reasons.add("not-joined")
            break
    ended = [n for run, n in at if run in stops(ground, places[-1])]
    reasons |= {"no-stop"} if at and not ended else set()
    assert codes(outcome) == reasons
    if not reasons:
        assert (
            shows(rules, board, f"path walk {' '.join(map(str, places))}: steps 0")
            == f"steps {min(ended)}"
        )


def stops(ground, place):
    return {run for run in ground.links if run[0] == place and ground.links[run][0].feature}


@try_times(1)
@given(walks())
def test_routes_match_brute_force(case):
    """Lead trains from stop to stop: each link once, in by one port and out by another."""
    board, places = case
    if not places:
        return
    rules, ground = rules_and_reference(board)
    worth = {run: link.stand.value for run, (link, _) in ground.links.items() if link.feature}
    most = ground.best_route_value(worth, 3)
    assert shows(rules, board, "best train: none") == ("none" if most is None else f"{most:g}")
    best = []

    def walk(run, entered, nth, used, seen):
        link, ends = ground.links[run]
        if link.feature:
            if run in seen:
                return
            seen = [*seen, run]
            if len(seen) > 3:
                return
            if nth == len(places) - 1 and len(seen) > 1:
                best.append(len(seen))
        for end in ends:
            legs = (
                {run}
                if len(ends) <= 2 and not link.feature
                else {(run, entered), (run, end)} - {(run, None)}
            )
            if end != entered and not legs & used and nth + 1 < len(places):
                for other in ground.continuations(run, end):
                    if other[0] == places[nth + 1]:
                        walk(other, end, nth + 1, used | legs, seen)

    for run in stops(ground, places[0]):
        walk(run, None, 0, frozenset(), [])
    claim = f"route train {' '.join(map(str, places))}"
    assert shows(rules, board, f"{claim}: true") == str(bool(best)).lower()
    assert not best or int(shows(rules, board, f"{claim}: stops 0").split()[1]) in best


@FEW
@given(boards(LINKED), st.data())
def test_tiles_dropped_by_removing_match_brute_force(board, data):
    rules, ground = rules_and_reference(board)
    if not ground.named:
        return
    place = data.draw(st.sampled_from(sorted(ground.named)))
    joined = {
        p: {o for run in ground.links if run[0] == p for o, _ in ground.near[run]}
        for p in ground.named
    }
    without = {p: others - {place} for p, others in joined.items() if p != place}
    lost = joined_to_ends(ground, joined) - joined_to_ends(ground, without) - {place}
    outcome = shows(rules, board, f"removing cut at {place}: true, drops nothing")
    if len(ground.beside[place]) > 2:
        assert codes(outcome) == {"neighbours"}
    else:
        assert set(outcome.removeprefix("true, drops ").split(", ")) == (
            {str(p) for p in lost} or {"nothing"}
        )


def joined_to_ends(ground, near):
    """Return the tiles that are connected to an `end` tile."""
    return {
        place
        for group in parts(near)
        if any(ground.named[p] == "end" for p in group)
        for place in group
    }


@FEW
@given(boards(["wall", "straight", "sea", "bare"]))
def test_fillings_match_brute_force(board):
    """Expect a sea on each free place whose neighbouring sides are all walls."""
    rules, ground = rules_and_reference(board)
    around = {Place(c, r) for c in range(-1, 5) for r in range(-1, 5)} - set(ground.named)
    rims = {rim: place for place in ground.named for rim in ground.sides(place)}
    met = {
        place: [bool(ground.labels.get(rim)) for rim in ground.sides(place) if rim in rims]
        for place in around
    }
    expected = {f"{place} sea" for place, walls in met.items() if any(walls) and all(walls)}
    outcome = shows(rules, board, "filling: nothing")
    assert set(re.findall(r"\([-\d]+, [-\d]+\) sea|\w+ sea|nothing", outcome)) == (
        expected or {"nothing"}
    )


def test_every_kind_of_claim_is_tested_against_brute_force():
    tested = {
        "legal",
        "placing",
        "network",
        "connected",
        "score",
        "met",
        "route",
        "path",
        "removing",
        "filling",
        "best",
    }
    assert tested == set(CLAIMS)


@pytest.mark.parametrize("shape", NAMES)
def test_places_are_centred_as_in_reference_tiling(shape):
    kind = find_lattice(shape)
    for place in (Place(0, 0), Place(1, 0), Place(2, 1), Place(1, 2)):
        x, y = centre(shape, place)
        at = kind.centre(place)
        first = kind.centre(Place(0, 0))
        x0, y0 = centre(shape, Place(0, 0))
        if shape != "triangular":
            assert (at.x - first.x, at.y - first.y) == pytest.approx((x - x0, y - y0), abs=0.01)


RINGS = {
    s: kit_from("bend: {0}-{1}:red\njunction: {0}-{1}-{2}:red".format(*NAMES[s]), find_lattice(s))
    for s in NAMES
}


@try_times(0.6)
@given(boards(["bend", "junction"], 4, 3))
def test_loop_count_matches_innermost_circuits_of_brute_force(board):
    """Compare circuits by the grid points inside each; count those that contain no other circuit."""
    kit = RINGS[board.lattice.name]
    ground = ReferenceBoard(board, kit)
    rings = [path for group in ground.groups for path in circuits(ground, group)]
    insides = [
        grid_points_inside([centre(ground.shape, run[0]) for run in path], 0.11) for path in rings
    ]
    expected = sum(not any(other < inside for other in insides) for inside in insides)
    assert shows(build_rules(kit, board.lattice, specs_from("")), board, "loops: -1") == str(
        expected
    )


def circuits(ground, group):
    circuits_by_steps = {}

    def walk(run, way):
        for other in ground.near[run]:
            if other == way[0] and len(way) > 2:
                circuits_by_steps.setdefault(
                    frozenset(frozenset(step) for step in zip(way, way[1:] + way[:1], strict=True)),
                    way,
                )
            elif other > way[0] and other not in way:
                walk(other, [*way, other])

    for run in group:
        walk(run, [run])
    return list(circuits_by_steps.values())
