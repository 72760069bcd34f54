"""Test pipes that end at roads and pump rooms, pits that open them, covers that close them."""

import pytest

from tests.tools.make_board import check, codes, rules_from_text, shows

KIT = """
    pump 10: n=pump e=pump s=pump w=pump !pump / n=pump e=pump s=pump w=pump !pump
    road 10: n=road e=road s=road w=road !road / n=road e=road s=road w=road !road
    pit 4: n=pit e=pit s=pit w=pit !pit
    cover 4: n=road e=road s=road w=road !cover
    fire: n-s:fire
    firebend: n-e:fire
    firetee: n-e-s:fire
    firecross: n-e-s-w:fire
    firepump: n-s:fire n=to-pump / n-s:gas n=to-road
    fireroad: n-s:fire n=to-road
    pe: n-s:pe n=to-road
    mixed: n-s:fire e-w:pe
    corner: n-e:pe n=to-road e=to-road
"""
RULES = """
    matching:
      sides: equal
      fits: [[to-road, road], [to-road, pit], [to-pump, pump]]
      closed-at: [to-road, to-pump]
      reopened-by: pit
      over: [[pit, road], [cover, road], [cover, pit]]
      fills: {to-road: road, to-pump: pump}
      start: pump
    scoring:
      fire: {each: network, of: fire, closed: true, count: links}
      pe: {each: network, of: pe, closed: true, count: links}
"""


@pytest.fixture(scope="module")
def rules():
    return rules_from_text(KIT, RULES)


TWELVE = """
    pump  firepump<  firetee>       firetee>   firepump>  pump
    .     .          firebend       firebend<  .          .
"""


def test_closed_pipe_scores_links_of_its_tiles(rules):
    """Score a pipe of six tiles with 1, 3, 3, 1, 2 and 2 links, twelve in all."""
    check(
        rules,
        TWELVE,
        "legal: true",
        "score fire: 12",
        "network fire: closed, tiles 6, links 12, joins 6, loops 1, ends 2",
        *(
            f"links of fire at {place}: {links}"
            for place, links in zip(
                ["B1", "C1", "C2", "D1", "D2", "E1"], [1, 3, 2, 3, 2, 1], strict=True
            )
        ),
    )
    check(rules, TWELVE.replace("firebend<", "fire/90  "), "score fire: 0")


def test_open_pipe_scores_nothing(rules):
    check(
        rules, "pump firepump< fire>", "score fire: 0", "network fire: open, links 2, open-ends 1"
    )


def test_pipe_closed_by_borders_needs_no_neighbour(rules):
    check(
        rules, "firepump< fire> fireroad>", "score fire: 4", "network fire: closed, links 4, ends 2"
    )


def test_links_are_counted_by_kind_on_one_tile(rules):
    check(
        rules,
        """
        .    fire      .
        .    mixed#it  pe>
        .    fire      .
        """,
        "links of fire at #it: 2",
        "links of pe at #it: 1",
        "joined at #it: 3",
        "joined of fire at B2: 2",
    )


def test_borders_never_meet_and_gaps_between_borders_must_be_filled(rules):
    check(rules, "fireroad> fireroad<", "legal: false because borders")
    check(rules, "firepump> firepump<", "legal: false because borders")
    check(rules, ". .\ncorner .", "filling: A1 road, B2 road", "legal: true")
    check(rules, "fireroad> . fire>", "filling: nothing", "legal: false because fills")
    check(
        rules,
        "fireroad> . .\n. . .",
        "placing fire> at C1: false because fills",
        "placing pe< at C1: true",
    )
    assert shows(rules, "fireroad> . fire>", "legal: true") == (
        "false because fills (B1 must be filled with road, which does not fit)"
    )
    check(rules, "fireroad> . firepump<", "legal: false because fills")


def test_pit_reopens_pipe_and_cover_closes_it(rules):
    row = "firepump< fireroad> {}"
    check(rules, row.format("road"), "score fire: 2", "legal: true")
    check(
        rules, row.format("road+pit"), "score fire: 0", "legal: true", "open-ends of fire at B1: 1"
    )
    check(rules, row.format("road+pit+cover"), "score fire: 2", "legal: true")
    check(rules, row.format("road+cover"), "score fire: 2", "legal: true")
    check(rules, row.format("road+cover+pit"), "legal: false because over")
    check(rules, row.format("road"), "placing pit at C1: true")
    check(rules, row.format("road+cover"), "placing pit at C1: false because over")
    assert codes(rules, "fire+fire") == ["over"]


def test_turned_over_tile_counts_links_of_its_back(rules):
    check(
        rules,
        "road ~firepump<",
        "gas: 1",
        "fire: 0",
        "network gas: open, open-ends 1",
        "legal: true",
    )
