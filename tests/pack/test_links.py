"""The notation of what runs across a tile."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.core.problems import Wrong
from generator.pack.links import HEX_PORTS, SQUARE_PORTS, Border, Link, Tile, parse_tile

WORDS = st.text("abcxyz0_-", min_size=1, max_size=5)


@st.composite
def tiles(draw):
    ports = draw(st.sampled_from([SQUARE_PORTS, HEX_PORTS]))
    sides = st.lists(st.sampled_from(ports), min_size=1, unique=True).map(tuple)
    once = {"unique_by": lambda link: (frozenset(link.ports), link.kind)}
    links = draw(st.lists(st.builds(Link, sides, WORDS, st.none() | WORDS), max_size=4, **once))
    borders = draw(st.lists(st.builds(Border, st.sampled_from(ports), WORDS), max_size=3, unique_by=lambda b: b.port))
    return ports, Tile(tuple(links), tuple(borders))


def written(tile: Tile) -> str:
    links = [f"{'-'.join(link.ports)}:{link.kind}{f'@{link.feature}' if link.feature else ''}" for link in tile.links]
    return " ".join([*links, *(f"{border.port}={border.label}" for border in tile.borders)])


@given(tiles())
def test_what_is_written_is_read(made):
    ports, tile = made
    assert parse_tile(written(tile), ports) == tile
    assert parse_tile(written(tile).replace(" ", ",  "), ports) == tile


@given(tiles())
def test_mirrored_twice_is_the_same(made):
    ports, tile = made
    assert tile.mirrored().mirrored() == tile
    assert {port for link in tile.mirrored().links for port in link.ports} <= set(ports)


@given(tiles())
def test_a_mirror_swaps_left_and_right_only(made):
    _, tile = made
    swap = str.maketrans("ew", "we")
    assert tile.mirrored() == Tile(
        tuple(Link(tuple(port.translate(swap) for port in x.ports), x.kind, x.feature) for x in tile.links),
        tuple(Border(x.port.translate(swap), x.label) for x in tile.borders),
    )


SLIPS = {
    "n-e": "names no kind of link",
    "n-n:road": "names a side twice",
    "n-q:road": "unknown side 'q'",
    "nne:road": "unknown side 'nne'",
    "n3:road": "unknown side 'n3'",
    "n-e:": "is no link",
    "n--e:road": "is no link",
    "n-e:road@": "is no link",
    "N-E:road": "is no link",
    "n=": "is no link",
    "q=road": "unknown side 'q'",
}


@pytest.mark.parametrize("text", SLIPS)
def test_slips(text):
    with pytest.raises(Wrong, match=SLIPS[text]):
        parse_tile(text, SQUARE_PORTS)


@given(st.text())
def test_any_text_is_read_or_refused_in_words(text):
    with suppress(Wrong):
        assert isinstance(parse_tile(text, HEX_PORTS), Tile)
