"""Test the notation of links on a tile."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.base.ports import HEX_PORTS, SQUARE_PORTS
from generator.pack.tile import Border, Link, Tile, parse_tile

WORDS = st.text("abcxyz0_-", min_size=1, max_size=5)


@st.composite
def tiles(draw):
    ports = draw(st.sampled_from([SQUARE_PORTS, HEX_PORTS]))
    sides = st.lists(st.sampled_from(ports), min_size=1, unique=True).map(tuple)
    once = {"unique_by": lambda link: (frozenset(link.ports), link.kind)}
    links = draw(st.lists(st.builds(Link, sides, WORDS, st.none() | WORDS), max_size=4, **once))
    borders = draw(
        st.lists(
            st.builds(Border, st.sampled_from(ports), WORDS), max_size=3, unique_by=lambda b: b.port
        )
    )
    return ports, Tile(tuple(links), tuple(borders))


def notation_of(tile: Tile) -> str:
    links = [
        f"{'-'.join(link.ports)}:{link.kind}{f'@{link.feature}' if link.feature else ''}"
        for link in tile.links
    ]
    return " ".join([*links, *(f"{border.port}={border.label}" for border in tile.borders)])


@given(tiles())
def test_notation_of_a_tile_is_read_back(case):
    ports, tile = case
    assert parse_tile(notation_of(tile), ports) == tile
    assert parse_tile(notation_of(tile).replace(" ", ",  "), ports) == tile


@given(tiles())
def test_tile_mirrored_twice_is_the_same(case):
    ports, tile = case
    assert tile.mirrored().mirrored() == tile
    assert {port for link in tile.mirrored().links for port in link.ports} <= set(ports)


@given(tiles())
def test_mirrored_tile_swaps_only_east_and_west(case):
    _, tile = case
    swap = str.maketrans("ew", "we")
    assert tile.mirrored() == Tile(
        tuple(
            Link(tuple(port.translate(swap) for port in x.ports), x.kind, x.feature)
            for x in tile.links
        ),
        tuple(Border(x.port.translate(swap), x.label) for x in tile.borders),
    )


SLIPS = {
    "n-e": "names no kind of link",
    "n-n:road": "names a side twice",
    "n-q:road": "unknown side 'q'",
    "nne:road": "unknown side 'nne'",
    "n3:road": "unknown side 'n3'",
    "n-e:": "is not a link",
    "n--e:road": "is not a link",
    "n-e:road@": "is not a link",
    "N-E:road": "is not a link",
    "n=": "is not a link",
    "q=road": "unknown side 'q'",
}


@pytest.mark.parametrize("text", SLIPS)
def test_malformed_link_is_refused(text):
    with pytest.raises(InvalidValueError, match=SLIPS[text]):
        parse_tile(text, SQUARE_PORTS)


@given(st.text())
def test_any_text_is_read_as_a_tile_or_refused(text):
    with suppress(InvalidValueError):
        assert isinstance(parse_tile(text, HEX_PORTS), Tile)


ANY = {
    "n1-e2:road": ("n1", "e2"),
    "n2/3-s:road": ("n", "s"),
    "n2/6-s:road": ("n1", "s"),
    "ne-w:road": ("ne", "w"),
    "m(30,60) n-m:road": ("n", "m"),
    "n,e,s:road@city(2)": ("n", "e", "s"),
}


@pytest.mark.parametrize("text", ANY)
def test_ports_may_lie_at_parts_of_sides_corners_and_points(text):
    (link,) = parse_tile(text, SQUARE_PORTS).links
    assert link.ports == ANY[text]


@pytest.mark.parametrize(
    "text",
    [
        "n,e,s:road@city(2, value 30, at 40%)",
        "n-e:road(sharp under) s:road(length 40%) w:rail(length 12mm)",
        "m(30,60) n-m:road e-m:rail area n1 w2: farm area n2 e s w1: city@shield w=wall",
        "n-s:road(through 20 50)@stop(turn 45, size 9mm)",
    ],
)
def test_full_notation_of_a_tile_survives_a_round_trip(text):
    tile = parse_tile(text, SQUARE_PORTS)
    assert parse_tile(tile.notation, SQUARE_PORTS) == tile
    assert tile.mirrored().mirrored() == tile


def test_commas_separate_links_or_join_the_legs_of_a_hub():
    assert parse_tile("n-e:red,s:blue", SQUARE_PORTS) == parse_tile("n-e:red s:blue", SQUARE_PORTS)
    one, other = parse_tile("n,e:red,s,w:blue", SQUARE_PORTS).links
    assert (one.ports, one.course.hub, other.ports) == (("n", "e"), True, ("s", "w"))


TWICE = [
    "n-s:road n-s:road",
    "n-s:road s-n:road",
    "n=a n=b",
    "area n: city area n1: farm",
    "m(1,2) m(3,4)",
]


@pytest.mark.parametrize("text", TWICE)
def test_duplicate_link_border_area_or_point_is_refused(text):
    with pytest.raises(InvalidValueError, match=r"occurs twice|one part of the tile's edge"):
        parse_tile(text, SQUARE_PORTS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("n-s:road(lengthy)", "unknown option of a link 'lengthy'"),
        ("n-s:road(length 40%)", "2 ports and a length"),
        ("n:road@f(99)", "'99' slots"),
        ("n:road@f(at x)", "is not a share"),
        ("n4/3:road", "unknown side 'n4/3'"),
        ("e(10,10) n-e:road", "is a side or a corner"),
        ("m(110,10) n-m:road", "does not lie inside"),
        ("area : city", "is not an area"),
        ("n:road@f(2", "a bracket too many"),
    ],
)
def test_malformed_detail_of_a_link_is_refused(text, message):
    with pytest.raises(InvalidValueError, match=message):
        parse_tile(text, SQUARE_PORTS)
