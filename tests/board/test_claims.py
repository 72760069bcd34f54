"""Test true, false and meaningless claims about boards."""

from dataclasses import replace

import pytest

from generator.base.errors import InvalidValueError
from generator.board.claims import CLAIMS, check_claim
from generator.board.counting import COUNTS
from generator.board.matching_rules import CODES
from generator.board.rules import BoardSection, build_rules, find_unknown_words
from generator.board.spec import BoardShapeSpec, parse_number_range
from tests.tools.make_board import board, check, rules_from_text, shows, specs_from

KIT = """
    straight 5: n-s:red
    bend 3: n-e:red
    tap 2: n:red@tap !wet %weight=2
    blue: n-s:blue
    sea: n=sea e=sea s=sea w=sea
"""
RULES = """
    matching: {sides: equal, fills: {sea: sea}}
    scoring:
      taps: {count: {tap: 3, straight: 0.5}}
      weight: {count: weight, needs: {2: at least 4, 3: 2}}
      both: {total: [taps, weight]}
      best: {each: network, count: tiles, take: most}
      least: {each: network, count: tiles, take: least}
    removing:
      cut: {root: wet}
    moving:
      walk: {along: red, stops: tap}
    routing:
      local: {along: red, stops: tap}
"""
ROW = "tap> straight> tap< .\nblue . . ."


@pytest.fixture(scope="module")
def rules():
    return rules_from_text(KIT, RULES)


def test_true_claims_hold(rules):
    check(
        rules,
        ROW + "#free",
        "legal: false because sides",
        "legal: false",
        "score taps: 6.5",
        "score both: 10.5",
        "score best: 3",
        "score least: 1",
        "score best: at least 2",
        "score best: 2 to 3",
        "met weight with 2 players: true",
        "met weight with 3 players: false",
        "network red: closed, tiles 3, tap 2, straight at most 1",
        "network blue at A2: open",
        "connected A1 to C1: true",
        "connected A1 to A2: false",
        "connected A1 to C1 by blue: false",
        "weight: 4",
        "tiles: 4",
        "tiles of red having wet: 2",
        "tiles of red without wet: 1",
        "tiles at A1 B1: 2",
        "runs of red forms through: 1",
        "unused: 8",
        "placing tap> at #free: true",
        "removing cut at B1: true, drops nothing",
        "path walk A1 B1 C1: steps 1, tap 1",
        "filling: nothing",
    )


WRONG = {
    "legal: true": "false because sides (red at A1 meets blue at A2)",
    "score taps: 7": "6.5",
    "met weight with 2 players: false": "true: 4 of at least 4",
    "network red: open, tiles 3": "closed, tiles 3",
    "network red: closed, tiles 4": "closed, tiles 3",
    "network red at A1 A2: closed": "no networks of red there",
    "connected A1 to A2: true": "false",
    "tiles: 5": "4",
    "placing blue at D1: false": "true",
    "removing cut at B1: true, drops C1": "true, drops nothing",
    "removing cut at B1: false": "true",
    "path walk A1 B1 C1: steps 2": "steps 1",
    "path walk A1 B1: steps 1": "false because no-stop (B1 is not a place to stop)",
    "filling: D2 sea": "nothing",
}


@pytest.mark.parametrize("claim", WRONG)
def test_false_claim_shows_actual_value(rules, claim):
    text = ROW if "legal" not in claim else "tap blue\nblue ."
    if "legal" in claim:
        assert (
            shows(rules, "tap/180\nblue", claim)
            == "false because kinds (red at A1 meets blue at A2)"
        )
    else:
        assert shows(rules, text, claim) == WRONG[claim]


def test_claim_must_name_all_reasons_or_none(rules):
    text = "tap/180 straight\nblue bend>"
    check(
        rules,
        text,
        "legal: false because kinds, sides",
        "legal: false because sides, kinds",
        "legal: false",
    )
    for claim in (
        "legal: false because sides",
        "legal: false because kinds",
        "legal: false because sides, kinds, gaps",
    ):
        assert shows(rules, text, claim).startswith("false because ")


NONSENSE = {
    "legal": (
        "'legal' is not a claim",
        "a subject, a colon and a statement, such as legal: true",
        "",
    ),
    "legal: perhaps": (
        "'perhaps' is neither true nor false",
        "true, false, or false because …",
        "",
    ),
    "legal A1: true": ("'legal A1' is not a claim", "legal: true, or legal: false because …", ""),
    "legal: true because sides": (
        "'true because sides' is neither true nor false",
        "true, false, or false because …",
        "",
    ),
    "legal: false because sidez": (
        "unknown reason 'sidez'",
        f"one of: {', '.join(CODES[:12])}, …",
        "did you mean 'sides'?",
    ),
    "legl: true": (
        "unknown claim 'legl'",
        (
            "one of: around, bend, best, blue, bordering, bordering-closed, "
            "columns, connected, diagonal, ends, filling, holes, …"
        ),
        "did you mean 'legal'?",
    ),
    "score tips: 4": (
        "unknown score 'tips'",
        "one of: best, both, least, taps, weight",
        "did you mean 'taps'?",
    ),
    "score taps: many": (
        "'many' is not a number",
        "a number, at least 1, at most 2, or 2 to 4",
        "",
    ),
    "score taps: 5 to 2": ("'5 to 2' contains no number", "the lower number first: 2 to 5", ""),
    "network red: ,": ("network red: , states nothing", "a statement, such as steps 2", ""),
    "network rde: closed": (
        "unknown kind of link 'rde'",
        "one of: blue, red",
        "did you mean 'red'?",
    ),
    "network red: closed, tils 3": (
        "unknown count 'tils'",
        (
            "one of: around, bend, blue, bordering, bordering-closed, columns, "
            "diagonal, ends, holes, joined, joins, links, …"
        ),
        "did you mean 'tiles'?",
    ),
    "network red at D1: closed": ("nothing lies at D1", "one of: A1, A2, B1, C1", ""),
    "connected A1 to A2: perhaps": (
        "connected A1 to A2: perhaps is not a claim",
        "two places, such as connected A1 to C3: true",
        "",
    ),
    "connected A1: true": (
        "connected A1: true is not a claim",
        "two places, such as connected A1 to C3: true",
        "",
    ),
    "connected A1 to #x: true": ("unknown place '#x'; there is no place here", "", ""),
    "connected A1 to 5: true": (
        "'5' is not a place",
        "a column's letter and a row's number, such as B3, or a #name of the board",
        "",
    ),
    "tiles of red of blue: 1": (
        "'of' occurs twice in 'tiles of red of blue'",
        "each keyword once, followed by all its words",
        "",
    ),
    "tiles of rad: 3": ("unknown kind of link 'rad'", "one of: blue, red", "did you mean 'red'?"),
    "met best with 3 players: true": (
        "'best' has no `needs:` for 3 players",
        "needs: in scoring.best, or another number",
        "",
    ),
    "met weight with x players: true": (
        "'x' is not a number of players",
        "a number, such as with 3 players",
        "",
    ),
    "met weight with ² players: true": (
        "'²' is not a number of players",
        "a number, such as with 3 players",
        "",
    ),
    "path walk A1 B1 rolling ²: tap 1": (
        "'²' is not a roll of dice",
        "the numbers of the dice, such as rolling 6 1",
        "",
    ),
    "placing bnd at D1: true": (
        "unknown design 'bnd'",
        "one of: bend, blue, sea, straight, tap",
        "did you mean 'bend'?",
    ),
    "placing bend: true": (
        "'placing bend' is not a claim",
        "a tile and its place, such as placing bend> at B2",
        "",
    ),
    "removing cud at A1: true": (
        "unknown way to remove 'cud'",
        "one of: cut",
        "did you mean 'cut'?",
    ),
    "path wolk A1 B1: true": ("unknown way to move 'wolk'", "one of: walk", "did you mean 'walk'?"),
    "path walk A1 B1: tip 1": (
        "unknown count 'tip'",
        "one of: bend, blue, red, sea, steps, straight, tap, weight, wet",
        "did you mean 'tap'?",
    ),
    "best: 3": ("'best' is not a claim", "a train, such as best express", ""),
    "best local slow: 3": ("'best local slow' is not a claim", "a train, such as best express", ""),
    "network: closed": (
        "'network' is not a claim",
        "one kind of link, such as network fire at B2",
        "",
    ),
    "score taps tips: 3": (
        "'score taps tips' is not a claim",
        "a score's name, such as score A",
        "",
    ),
    "score taps for anna: 3": (
        "the points of 'taps' belong to no owner",
        "majority: shared, alone, any in scoring.taps, or no owner",
        "",
    ),
    "removing cut: true": (
        "'removing cut' is not a claim",
        "a way to remove and a place, such as removing sword at B2",
        "",
    ),
    "met weight with 2 players: perhaps": (
        "'perhaps' is neither true nor false",
        "true or false",
        "",
    ),
    "path walk: tap 1": (
        "'path walk' is not a claim",
        "a way to move and its places, such as path truck A1 A2",
        "",
    ),
    "path walk A1 B1 rolling x: tap 1": (
        "'x' is not a roll of dice",
        "the numbers of the dice, such as rolling 6 1",
        "",
    ),
    "best locl: 3": ("unknown train 'locl'", "one of: local", "did you mean 'local'?"),
    "route local: worth 1": (
        "'route local' is not a claim",
        "a train and its places, such as route express A1 A2",
        "",
    ),
    "route local A1 B1 C1: tip 3": ("unknown count 'tip'", "one of: stops, worth", ""),
    "filling: A1 see": (
        "unknown design 'see'",
        "one of: bend, blue, sea, straight, tap",
        "did you mean 'sea'?",
    ),
}


@pytest.mark.parametrize("claim", NONSENSE)
def test_invalid_claim_is_refused_with_expectation_and_hint(rules, claim):
    text = ROW if "walk" not in claim else "tap> tap< .\nblue . ."
    with pytest.raises(InvalidValueError) as wrong:
        check_claim(claim, board(rules, text), rules)
    assert (wrong.value.found, wrong.value.expected, wrong.value.hint) == NONSENSE[claim]


def test_claims_about_legality_are_refused_without_matching_rules():
    rules = rules_from_text(KIT, "matching: {joins: [[red, blue]]}")
    for claim in ("legal: true", "legal: false", "placing bend at B1: true"):
        with pytest.raises(InvalidValueError, match="the pack has no rules about legal boards"):
            check_claim(claim, board(rules, "bend"), rules)
    specs = BoardSection(board=BoardShapeSpec(tiling="square"))
    with pytest.raises(InvalidValueError, match="the pack has no rules about legal boards"):
        check_claim(
            "legal: true", board(rules, "bend"), build_rules(rules.kit, rules.lattice, specs)
        )
    check(rules_from_text(KIT, "matching: {over: [[bend, sea]]}"), "bend", "legal: true")


def test_placing_a_tile_on_blocked_place_is_illegal():
    unblocked = rules_from_text(KIT)
    specs = BoardSection(board=BoardShapeSpec(blocked=("B1",)))
    rules = build_rules(unblocked.kit, unblocked.lattice, specs)
    check(
        rules,
        "bend .",
        "placing bend at B1: false because blocked",
        "placing bend at C1: true",
        "legal: true",
    )


def test_outcome_reads_as_claim_with_actual_value(rules):
    outcome = check_claim("tiles: 5", board(rules, ROW), rules)
    assert str(outcome) == "tiles: 5 (the board shows: 4)"
    assert (outcome.subject, outcome.stated, outcome.actual, outcome.ok) == (
        "tiles",
        "5",
        "4",
        False,
    )
    assert str(check_claim("tiles: 4", board(rules, ROW), rules)) == "tiles: 4"


@pytest.mark.parametrize(
    ("text", "expected", "inside", "outside"),
    [
        ("3", "3", [3], [2, 4]),
        ("0.5", "0.5", [0.5], [0]),
        ("at least 2", "at least 2", [2, 9], [1]),
        ("at most 2", "at most 2", [-1, 2], [3]),
        ("at most 0", "at most 0", [0], [1]),
        ("at least 0", "at least 0", [0], [-1]),
        ("2 to 4", "2 to 4", [2, 4], [1, 5]),
        ("0 to 4", "0 to 4", [0, 4], [-1, 5]),
    ],
)
def test_number_range_contains_its_numbers_and_reads_as_written(text, expected, inside, outside):
    span = parse_number_range(text)
    assert str(span) == expected
    assert all(span.contains(value) for value in inside)
    assert not any(span.contains(value) for value in outside)


def test_unknown_words_in_rules_are_reported_with_hints(rules):
    specs = specs_from("""
        matching: {never-touch: [[tap, tub]], fits: [[sea, see]], complete-needs: {rod: tap}, fills: {sea: se}}
        scoring:
          a: {of: rad, count: tils, where: {looops: 1}, less: taap}
          b: {total: [a, c]}
          c: {total: [a]}
        removing: {cut: {root: wed}}
        moving: {walk: {along: red, stops: tip, changes: [[tap, red, bleu]]}}
    """)
    reports = [
        (".".join(path), wrong.found, wrong.hint)
        for path, wrong in find_unknown_words(rules.kit, specs)
    ]
    assert reports == [
        ("matching.fits", "unknown label 'see'", "did you mean 'sea'?"),
        ("matching.never-touch", "unknown word 'tub'", ""),
        ("matching.complete-needs", "unknown kind of link 'rod'", "did you mean 'red'?"),
        ("matching.fills", "unknown design 'se'", "did you mean 'sea'?"),
        ("scoring.a.of", "unknown kind of link 'rad'", "did you mean 'red'?"),
        ("scoring.a.where", "unknown count 'looops'", "did you mean 'loops'?"),
        ("scoring.a.count", "unknown count 'tils'", "did you mean 'tiles'?"),
        ("scoring.a.less", "unknown count 'taap'", "did you mean 'tap'?"),
        ("scoring.b.total", "'c' is a total", ""),
        ("removing.cut.root", "unknown word 'wed'", "did you mean 'wet'?"),
        ("moving.walk.stops", "unknown word 'tip'", "did you mean 'tap'?"),
        ("moving.walk.changes", "unknown word 'bleu'", "did you mean 'blue'?"),
    ]


def test_every_count_has_a_meaning_and_every_claim_an_example():
    assert all(kind.meaning for kind in COUNTS.values())
    assert all(kind.example.split()[0].rstrip(":") == name for name, kind in CLAIMS.items())


def test_board_with_more_tiles_than_pack_is_refused(rules):
    with pytest.raises(InvalidValueError, match="this board has 3 of 'tap', the pack has 2"):
        check_claim("unused: 5", board(rules, "tap tap tap"), rules)


WAY = "stop: n-s:red@tap %worth=5\nbend: n-e:red\ncross: n-s:red e-w:red\ntap: n:red@tap %worth=7\nchip 3: token"


def test_path_counts_its_start_only_if_spec_counts_start():
    spec = (
        "moving: {out: {along: red, stops: tap}, all: {along: red, stops: tap, counts-start: true}}"
    )
    table = rules_from_text(WAY, spec)
    check(table, "tap/180\nstop\ntap", "path out A1 A2 A3: worth 12", "path all A1 A2 A3: worth 19")


def test_token_that_bars_end_of_path_does_not_bar_its_start():
    table = rules_from_text(WAY, "moving: {walk: {along: red, stops: tap, never-onto: [[chip]]}}")
    check(table, "tap/180+chip\nstop\ntap", "path walk A1 A2 A3: true", "path walk A1: true")
    check(table, "tap/180\nstop\ntap+chip", "path walk A1 A2 A3: false because occupied")


def test_path_enters_a_tile_twice_only_with_again_setting():
    """Lead a path down through a crossing, round to the left and across the crossing."""
    spec = "moving: {once: {along: red, stops: tap}, again: {along: red, stops: tap, again: true}}"
    table = rules_from_text(WAY, spec)
    place = ". tap/180 .\nbend> cross tap>\nbend^ bend< ."
    path = "B1 B2 B3 A3 A2 B2 C2"
    placed = board(table, place.replace("tap>", "tap/270"))
    assert check_claim(f"path once {path}: false because twice", placed, table).ok
    assert check_claim(f"path again {path}: true", placed, table).ok
    assert not check_claim(f"path again {path} B2: true", placed, table).ok


def test_numbers_of_tokens_are_added_up():
    """Give a chip the worth 3 and check the totals of the board and of its places."""
    table = rules_from_text(WAY)
    chips = table.kit.designs["chip"]
    worth = replace(chips, front=replace(chips.front, numbers={"worth": 3.0}))
    table = replace(table, kit=replace(table.kit, designs={**table.kit.designs, "chip": worth}))
    check(
        table,
        "tap+chip(red,2) bend+chip",
        "worth: 16",
        "worth at A1: 13",
        "worth at B1: 3",
        "chip: 3",
    )


STANDING = """
    two: n:rail@city(value,20) s:rail@city(value,40)
    lone: m(50,50) m:rail@city(2,value,30)
    red 9: token
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("two+red(red)@city", "@city names 2 parts of A1"),
        ("two+red@rail.e", "@rail.e names no part of A1"),
        ("two>+red@n", "@n names no part of A1"),
        ("two+red@corner.n", "A1 has no 'corner.n'"),
        ("two+red@edge.ne", "A1 has no 'edge.ne'"),
        (".+red@city two", "@city names no part of A1"),
    ],
)
def test_token_on_unknown_or_ambiguous_part_of_tile_is_refused(text, message):
    with pytest.raises(InvalidValueError) as error:
        check(rules_from_text(STANDING), text, "tiles: 1")
    assert message in error.value.found


def test_token_with_number_zero_is_refused():
    with pytest.raises(InvalidValueError, match="stands for 0 tokens"):
        check(rules_from_text(STANDING), "two+red(red,0)@city.n", "tiles: 1")


def test_tokens_on_empty_places_count_for_board_but_not_for_networks():
    rules = rules_from_text(
        STANDING, "scoring: {net: {each: network, count: tokens}, all: {count: tokens}}"
    )
    check(
        rules,
        "two+red@n .+red(blue,2) .+red@corner.se",
        "tokens: 4",
        "owners: 1",
        "red: 4",
        "score all: 4",
    )
    check(rules, "two+red@n .+red(blue,2)", "score net: 1", "tokens of rail: 1")


def test_city_without_track_is_a_closed_network():
    rules = rules_from_text(STANDING, "routing: {t: {along: rail, stops: [city]}}")
    check(
        rules,
        "lone+red(red,2)@city",
        "network rail at A1: closed",
        "city: 1",
        "slots: 2",
        "value: 30",
        "best t: none",
    )


def test_corner_token_counts_for_its_tile_and_for_a_sole_network():
    rules = rules_from_text(
        STANDING,
        "scoring: {net: {each: network, count: tokens}, tile: {each: tile, count: tokens}}",
    )
    check(
        rules,
        "two+red@corner.se",
        "tokens: 1",
        "score net: 0",
        "score tile: 1",
        "tokens of rail at A1: 1",
    )
    check(rules, "lone+red@corner.se", "score net: 1", "score tile: 1")
    check(rules, "lone+red@edge.s lone", "tokens at A1: 1", "tokens at B1: 0", "score net: 1")


@pytest.mark.parametrize(
    ("links", "networks"),
    [
        ("m(50,50) n-m:red m-e:red", 1),
        ("m(50,50) p(20,20) n-m:red p-e:red", 2),
        ("m(50,50) n-m:red m-e:blue", 2),
        ("n-s:red e-w:red", 2),
        ("n-s:red e-w:red(joins)", 1),
        ("n-s:red e-w:blue(joins)", 2),
    ],
)
def test_links_that_meet_inside_a_tile_are_one_network(links, networks):
    check(rules_from_text(f"yard: {links}"), "yard", f"networks: {networks}")


def test_best_route_runs_over_plain_track_and_obeys_limit_of_stops():
    rules = rules_from_text(
        """
        big 3: n-e-s-w:rail@city(value,50)
        small 3: n-s:rail@city(value,10)
        plain 9: n-s:rail
        """,
        """
        routing:
          local: {along: rail, stops: [city], most: 2}
          express: {along: rail, stops: [city], most: 3}
          endless: {along: rail, stops: [city]}
        """,
    )
    line = "small\nplain\nplain\nbig\nplain\nbig\nsmall"
    claims = (
        "best local: 100",
        "best express: 110",
        "best endless: 120",
        "best local: at least 90",
        "best local: 50 to 100",
    )
    ways = (
        "route local A4 A5 A6: worth 100, stops 2",
        "route express A1 A2 A3 A4 A5 A6: worth 110, stops 3",
    )
    check(
        rules,
        line,
        *claims,
        *ways,
        "route local A4 A6: false",
        "route local A1 A2 A3 A4 A5 A6: false",
    )


def test_stop_without_value_counts_tile_number_named_by_worth():
    rules = rules_from_text(
        "mine: n-s:rail@city %gold=30\ntown: n-s:rail@city(value,20) %gold=1",
        "routing: {coach: {along: rail, stops: [city]}, gold: {along: rail, stops: [city], worth: gold}}",
    )
    check(rules, "mine\ntown\nmine", "best coach: 20", "best gold: 80")


def test_network_that_counts_nothing_scores_no_base():
    rules = rules_from_text(KIT, "scoring: {taps: {each: network, count: tap, base: 5, worth: 2}}")
    check(rules, "tap> straight> tap< .\nblue . . .", "score taps: 9")
    check(rules, "blue", "score taps: 0")


def test_route_may_be_longer_than_a_thousand_tiles():
    rules = rules_from_text(
        "rail 9999: e-w:rail\nturn 9999: s-w:rail\nend 2: n:rail@city(value,20)",
        "routing: {express: {along: rail, stops: city}}",
    )
    check(rules, winding_track(40, 40), "best express: 40")


def winding_track(columns, rows):
    """Return a board with one track through all places, row by row, there and back, and a city at each end."""
    lines = [["rail"] * columns for _ in range(rows)]
    for y in range(rows - 1):
        right = y % 2 == 0
        lines[y][-1 if right else 0] = "turn" if right else "turn<"
        lines[y + 1][-1 if right else 0] = "turn>" if right else "turn/180"
    lines[0][0] = "end>"
    lines[-1][-1 if rows % 2 else 0] = "end<" if rows % 2 else "end>"
    return "\n".join(map(" ".join, lines))
