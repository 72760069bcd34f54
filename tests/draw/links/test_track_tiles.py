"""Test the kinds of track tiles of railway games on hexagons, each written in one line.

Kinds are written as these games do: sides are numbered from the lower one clockwise, `0-3` is
plain track, `city 0,2` a city with its legs, `town` a stop, `junction` legs that meet. A turned
kind is the same kind.
"""

from itertools import combinations

import pytest

from generator.base.ports import HEX_PORTS
from generator.base.shapes import parse_shape
from generator.draw.links import FeatureSettings, FeatureShape, draw_links, plot_of
from generator.draw.links.patterns import PATTERNS
from generator.draw.links.room import DISC
from generator.pack.game import LinkStyle
from generator.pack.tile import parse_tile
from generator.picture.items import Stroke
from tests.tools.make_pack import no_art

SIDES = ["s", "sw", "nw", "n", "ne", "se"]
SIZES = {"city": 9.0, "town": 4.5, "double": 15.0, "triple": 16.0, "quad": 16.0}
STYLES = {
    "rail": LinkStyle(2.6, "#20262c", Stroke(0.5, "#ffffff")),
    "narrow": LinkStyle(2.0, "#ffffff", Stroke(0.5, "#20262c"), PATTERNS["dashes"]),
}
FEATURES = FeatureSettings({name: FeatureShape(DISC, size) for name, size in SIZES.items()})
PLOT = plot_of(parse_shape("hex 44mm"))


def turned(item, steps):
    what, legs = item
    return what, tuple(sorted((leg + steps) % 6 for leg in legs))


def kind(*items):
    """Return one name for a tile in all its turns."""
    return min(tuple(sorted(turned(item, steps) for item in items)) for steps in range(6))


def families():
    """Yield every family with its kinds."""
    legs = [many for count in range(1, 7) for many in combinations(range(6), count)]
    pairs = [many for many in legs if len(many) == 2]
    yield "track", {kind(("path", pair)) for pair in pairs}
    yield "two tracks", {kind(("path", a), ("path", b)) for a, b in combinations(pairs, 2)}
    separate = [
        many for many in combinations(pairs, 3) if len({leg for pair in many for leg in pair}) == 6
    ]
    yield "three tracks apart", {kind(*(("path", pair) for pair in many)) for many in separate}
    joined = [
        many for many in combinations(pairs, 3) if len({leg for pair in many for leg in pair}) == 3
    ]
    yield (
        "three tracks in a triangle",
        {kind(*(("path", pair) for pair in many)) for many in joined},
    )
    rings = [
        ((0, 3), (0, 2), (1, 3), (1, 2)),
        ((0, 3), (1, 4), (0, 1), (3, 4)),
        ((0, 3), (2, 4), (0, 4), (2, 3)),
    ]
    rings += [
        ((0, 3), (2, 4), (3, 4), (0, 2)),
        ((0, 3), (1, 4), (1, 3), (0, 4)),
        ((0, 1), (0, 2), (1, 3), (2, 3)),
    ]
    rings += [((0, 2), (2, 4), (0, 4), (1, 3), (3, 5), (1, 5))]
    yield "four tracks and more", {kind(*(("path", pair) for pair in many)) for many in rings}
    yield "junctions", {kind(("junction", many)) for many in legs if len(many) > 2}
    yield "towns", {kind(("town", many)) for many in legs}
    for slots in ("city", "double", "triple", "quad"):
        most = [many for many in legs if slots in {"city", "double"} or len(many) > 2]
        yield slots, {kind((slots, many)) for many in most}
    far = [(a, b) for a, b in combinations(pairs, 2) if not {*a} & {*b}]
    yield "double towns", {kind(("town", a), ("town", b)) for a, b in far}
    yield "two cities, a leg each", {kind(("city", (0,)), ("city", (n,))) for n in (1, 2, 3)}
    yield "two cities, two legs each", {kind(("city", a), ("city", b)) for a, b in far}
    yield (
        "a city and track past it",
        {kind(("city", a), ("path", b)) for a in pairs for b in pairs if not {*a} & {*b}},
    )
    yield (
        "three cities or four, a leg each",
        {
            kind(*(("city", (leg,)) for leg in many))
            for many in legs
            if len(many) in {3, 4} and (0 in many)
        },
    )
    yield (
        "a town and track past it",
        {kind(("town", a), ("path", b)) for a in pairs for b in pairs if not {*a} & {*b}},
    )
    yield (
        "a city and a town",
        {kind(("city", a), ("town", b)) for a in pairs for b in pairs if not {*a} & {*b}},
    )
    yield "three towns", {kind(*(("town", pair) for pair in many)) for many in separate}
    yield (
        "three cities, two legs each",
        {kind(*(("city", pair) for pair in many)) for many in separate},
    )
    three = [many for many in legs if len(many) == 3]
    one = [many for many in legs if len(many) == 1]
    yield (
        "two cities, unlike",
        {kind(("city", a), ("city", b)) for a in one for b in pairs + three if not {*a} & {*b}},
    )
    yield (
        "a city of three legs and track past it",
        {kind(("city", a), ("path", b)) for a in three for b in pairs if not {*a} & {*b}},
    )
    yield (
        "a junction and track past it",
        {kind(("junction", a), ("path", b)) for a in three for b in pairs if not {*a} & {*b}},
    )
    yield (
        "a city and track over it",
        {kind(("city", a), ("path", b)) for a in pairs for b in pairs if len({*a, *b}) == 3},
    )
    yield "no track leads there", {kind((what, ())) for what in ("city", "double", "town")}
    yield "two gauges", {kind(("path", a), ("narrow", b)) for a in pairs for b in pairs if a != b}


KINDS = {name: sorted(kinds) for name, kinds in families()}


def line(items):
    """Return the notation of a kind."""
    stubs = [legs for what, legs in items if len(legs) == 1]
    written = []
    for what, legs in items:
        ports = [SIDES[leg] for leg in legs] or ["m"]
        hub = len(legs) > 2 or (len(items) == 1 and len(legs) == 2 and what != "path")
        rail = "narrow" if what == "narrow" else "rail"
        far = "(length 50%)" if len(legs) == 1 and len(stubs) > 2 else ""
        stands = "" if what in {"path", "narrow", "junction"} else f"@{what}{SLOTS.get(what, '')}"
        written.append(f"{(',' if hub else '-').join(ports)}:{rail}{far}{stands}")
    alone = ["m(50,50)"] if any(not legs for _, legs in items) else []
    return " ".join([*alone, *written])


SLOTS = {"double": "(2)", "triple": "(3)", "quad": "(4)"}


def fault(items):
    """Return why a kind cannot be written or drawn in one line, or None."""
    try:
        tile = parse_tile(line(items), HEX_PORTS)
        drawn_links = draw_links(tile, PLOT, 2, STYLES, no_art, FEATURES)
    except ValueError as error:
        return str(error)
    for feature in drawn_links.features:
        if feature.room < 0.99 * SIZES[feature.name]:
            return f"{feature.name} has room for {feature.room:.1f}"
    if len(drawn_links.features) != sum(what in SIZES for what, _ in items):
        return "a feature is missing"
    return None


ALL = [(family, items) for family, kinds in KINDS.items() for items in kinds]


def test_at_least_280_kinds_of_track_tile_are_tested():
    assert len(ALL) >= 280
    counts = {name: len(kinds) for name, kinds in KINDS.items()}
    assert (
        counts["track"],
        counts["junctions"],
        counts["towns"],
        counts["three tracks apart"],
    ) == (3, 9, 13, 5)


def test_97_per_cent_of_track_tiles_are_drawn_from_one_line():
    faults = {line(items): why for _, items in ALL if (why := fault(items))}
    assert len(faults) <= 0.03 * len(ALL), faults


@pytest.mark.parametrize("family", KINDS)
def test_line_of_a_track_tile_reads_as_its_links(family):
    """Compare the links of each line with its kind, also after writing and reading again."""
    for items in KINDS[family]:
        tile = parse_tile(line(items), HEX_PORTS)
        assert parse_tile(tile.notation, HEX_PORTS) == tile
        links = sorted((link.feature or link.kind, sorted(link.ports)) for link in tile.links)
        names = {"path": "rail", "junction": "rail"}
        assert links == sorted(
            (names.get(what, what), sorted(SIDES[leg] for leg in legs) or ["m"])
            for what, legs in items
        )


@pytest.mark.parametrize("family", KINDS)
def test_track_reaches_each_side_with_a_leg_and_no_other(family, render_items):
    """Look for track 1 mm inside the middle of each side."""
    for items in KINDS[family][::3]:
        parts = draw_links(
            parse_tile(line(items), HEX_PORTS), PLOT, 2, STYLES, no_art, FEATURES
        ).items
        pixels = render_items(parts, tuple(PLOT.box), 100)[..., 3] > 128
        for index, side in enumerate(SIDES):
            place = PLOT.side(side).middle + PLOT.side(side).inward
            is_inked = pixels[int(place.y / 25.4 * 100), int(place.x / 25.4 * 100)]
            assert is_inked == any(index in legs for _, legs in items), (line(items), side)


def test_city_stands_where_its_legs_meet():
    """Draw cities past which other track runs, so that there is more room elsewhere."""
    for items in KINDS["a city of three legs and track past it"]:
        drawn_links = draw_links(
            parse_tile(line(items), HEX_PORTS), PLOT, 2, STYLES, no_art, FEATURES
        )
        (city,) = drawn_links.features
        assert (city.place - PLOT.centre).length() < 0.01, line(items)
