"""Test odd tile notations: each is drawn as intended, or gets a message with the right notation."""

import pytest

from generator.base.errors import InvalidValueError
from generator.base.ports import HEX_PORTS, SQUARE_PORTS
from generator.pack.lint import find_slips
from generator.pack.tile import parse_tile
from tests.tools.make_pack import loaded, make, problems, svg


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("N-E:road", "'N-E:road' is not a link", "did you mean 'n-e:road'?"),
        ("n-e road", "'n-e' names no kind of link", "no blanks within a link"),
        ("n - e:road", "'n' names no kind of link", "no blanks within a link"),
        ("n-e:road;s-w:road", "is not a link", "blanks between links"),
        ("north-south:road", "unknown side 'north'", "did you mean 'n'?"),
        ("left-n:road", "unknown side 'left'", "did you mean 'w'?"),
        ("n= wall", "'n=' is not a link", "no blank before or after the sign ="),
        ("n:road@city(2, 3)", "'2, 3' gives its slots twice", "each once"),
        ("n:road@city(value 1, value 2)", "gives its value twice", "each once"),
        ("n:road@city(size -9mm)", "a size of -9mm", "above 0"),
        (
            "n-s:road(sharp gentle)",
            "a link that is sharp and gentle",
            "one of gentle, sharp, straight",
        ),
        (
            "n-s:road(over under)",
            "a link that is over and under",
            "one of later, over, under, apart, joins",
        ),
        ("n-s:road(through 150 50)", "through 150 50 is not on the tile", "hundredths"),
        ("m(50,50) m:road", "'m:road' leads nowhere", "or a feature"),
    ],
)
def test_odd_notation_is_refused_with_the_right_notation(text, message, hint):
    with pytest.raises(InvalidValueError) as caught:
        parse_tile(text, SQUARE_PORTS)
    assert message in caught.value.found
    assert hint in f"{caught.value.expected} {caught.value.hint}"


@pytest.mark.parametrize("text", ["area 0: farm", "n=wall"])
def test_sides_of_a_circle_are_refused(text):
    with pytest.raises(InvalidValueError, match="a circle has no sides"):
        parse_tile(text, ())


DOT = {"art/dot.svg": svg('<circle cx="5" cy="5" r="5"/>')}
MORE = (
    'links: {road: {width: 4mm, fill: "#ff0000"}}\nfeatures: {dot: {svg: art/dot.svg, size: 6mm}}'
)


def pack_of_tile(folder, written, size="40mm"):
    return make(folder, "- links:\n", f'id,t\na,"{written}"\n', MORE, "links: t", size, DOT)


def test_link_longer_than_the_tile_is_refused(tmp_path):
    assert (
        "a link of 80 mm leaves the tile\n  expected at most 20 mm, the distance to the centre"
        in problems(pack_of_tile(tmp_path, "n:road(length 80mm)"))
    )


def test_feature_may_stand_at_a_point_without_links(tmp_path):
    pack = pack_of_tile(tmp_path, "m(30,60) m:road@dot(2)")
    assert problems(pack) == ""
    (link,) = loaded(pack).components[0].designs[0].front.tile.links
    assert (link.ports, link.feature, link.stand.slots) == (("m",), "dot", 2)


def test_point_with_a_feature_is_kept_in_notation_and_mirror():
    read = parse_tile("m(30,60) m:road@dot(2) n-m:rail", HEX_PORTS)
    assert parse_tile(read.notation, HEX_PORTS) == read
    assert read.mirrored().notation == "m(70,60) m:road@dot(2) n-m:rail"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("board: {cells: ['..', '.x']}", "board.cells: 'x' is not a place"),
        ("board: {cells: ['##']}", "this board has no free place"),
        ("board: {cells: ['.'], blocked: [C3]}", "blocked: the board has no place C3"),
        ("board: {cells: ['.'], printed: {A9: a}}", "printed: the board has no place A9"),
        (
            "routing: {t: {along: road, stops: [dot], most: 1}}",
            "a train of at most 1 stops and of at least 2",
        ),
        ("scoring: {s: {each: limb, count: road}}", "each: limb needs a root"),
    ],
)
def test_impossible_board_setting_is_refused(tmp_path, more, message):
    assert message in problems(make(tmp_path, more=more))


@pytest.mark.parametrize(
    ("covers", "message"),
    [(".-.", "1 of the 2 places of this piece touch no other part"), ("..", "")],
)
def test_piece_of_several_places_must_be_connected(tmp_path, covers, message):
    output = problems(
        make(
            tmp_path,
            component=f"covers: ['{covers}', '--.']" if message == "" else f"covers: ['{covers}']",
        )
    )
    assert message in output
    assert bool(message) == bool(output)


@pytest.mark.parametrize(
    ("size", "written", "message"),
    [
        (
            "hex 40mm",
            "e-w:road",
            "Cards: links end in corners (e-w of a); the sides are n, ne, se, s, sw, nw",
        ),
        ("hex pointed 40mm", "n-s:road", "the sides are ne, e, se, sw, w, nw"),
        ("triangle 40mm", "n-s:road", "links end in corners (n-s of a)"),
        ("hex 40mm", "n-ssw:road ne-s:road", ""),
        ("40mm", "ne-s:road", ""),
    ],
)
def test_links_that_end_in_corners_are_noted(tmp_path, pnp, size, written, message):
    pack = pack_of_tile(tmp_path / "pack", written, size)
    assert message in "".join(map(str, find_slips(loaded(pack))))
    assert ("links end in corners" in pnp("check", pack).output) == bool(message)
