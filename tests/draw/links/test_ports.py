"""Test that every link meets its sides in the middle and at a right angle."""

from itertools import permutations
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.base.geometry import Point, Size
from generator.base.ports import HEX_PORTS, SQUARE_PORTS
from generator.base.shapes import fill_box
from generator.draw.links import plot_of
from generator.draw.links.route import route
from generator.pack.game import LinkStyle
from generator.pack.tile import Link

STYLE = LinkStyle(3, "#fff")
sizes = st.floats(12, 120)


def outlines():
    squares = st.builds(lambda w, h: plot_of(fill_box("rect", Size(w, h))), sizes, sizes)
    hexagons = sizes.map(lambda w: plot_of(fill_box("hex", Size(w, w * sqrt(3) / 2))))
    return st.one_of(squares, hexagons)


@settings(deadline=None)
@given(outlines(), st.data(), st.floats(0, 5))
def test_link_meets_its_sides_in_the_middle_at_a_right_angle(outline, data, bleed):
    names = [side.port for side in outline.sides]
    ports = data.draw(
        st.lists(st.sampled_from(names), min_size=1, max_size=len(names), unique=True)
    )
    body = route(Link(tuple(ports), "a"), STYLE, outline, bleed, 0.8)
    ends = []
    for way in body.spine:
        start = way.frame(0)
        ends.append((start.place, start.along))
        assert (way.at(-bleed, 0) - start.place + start.along.scaled(bleed)).length() < 1e-6
        if len(way.ports) == 2:
            end = way.frame(way.length)
            ends.append((end.place, end.along.scaled(-1)))
    for port in ports:
        side = outline.side(port)
        assert any(
            (place - side.middle).length() < 1e-6 and (along - side.inward).length() < 1e-6
            for place, along in ends
        )


@settings(deadline=None)
@given(st.sampled_from(list(permutations(HEX_PORTS, 2))), sizes)
def test_bend_on_a_hexagon_is_an_arc(ports, width):
    outline = plot_of(fill_box("hex", Size(width, width * sqrt(3) / 2)))
    way = route(Link(ports, "a"), LinkStyle(1, "#fff"), outline, 0, 1).spine[0]
    steps = (HEX_PORTS.index(ports[1]) - HEX_PORTS.index(ports[0])) % 6
    side = width / 2
    expected = {
        1: side / 2 * 2 * 3.14159265 / 3,
        2: 1.5 * side * 3.14159265 / 3,
        3: side * sqrt(3),
    }[min(steps, 6 - steps)]
    assert way.length == pytest.approx(expected, rel=3e-3)


@settings(deadline=None)
@given(st.sampled_from(list(permutations(SQUARE_PORTS, 2))), st.floats(-4, 4), st.floats(0, 1))
def test_rim_of_a_link_keeps_its_distance_from_the_centre_line(ports, off, share):
    way = route(Link(ports, "a"), STYLE, plot_of(fill_box("rect", Size(33, 33))), 3, 1).spine[0]
    rim = way.whole(off)
    piece = rim[min(int(share * len(rim)), len(rim) - 1)]
    nearest = min((piece.at(0.5) - way.at(i * way.stop / 600, 0)).length() for i in range(-60, 601))
    assert nearest == pytest.approx(abs(off), abs=0.02)


def test_ports_of_square_and_hexagon_lie_in_the_middle_of_sides():
    square = plot_of(fill_box("rect", Size(30, 20)))
    hexagon = plot_of(fill_box("hex", Size(40, 34.641)))
    assert [side.middle for side in square.sides] == [
        Point(15, 0),
        Point(30, 10),
        Point(15, 20),
        Point(0, 10),
    ]
    assert tuple(side.port for side in hexagon.sides) == HEX_PORTS
    assert hexagon.side("n").middle == Point(20, 0)
    assert hexagon.side("se").inward.x == pytest.approx(-sqrt(3) / 2, abs=1e-4)
    assert all(
        side.depth(outline.centre) > 0 for outline in (square, hexagon) for side in outline.sides
    )


def test_unknown_shape_or_side_is_refused():
    with pytest.raises(InvalidValueError, match="unknown shape 'hexx'") as wrong:
        plot_of(fill_box("hexx", Size(1, 1)))
    assert wrong.value.hint == "did you mean 'hex'?"
    with pytest.raises(InvalidValueError, match="40 × 40 mm is not regular"):
        plot_of(fill_box("hex", Size(40, 40)))
    with pytest.raises(InvalidValueError, match="unknown side 'nne'"):
        plot_of(fill_box("rect", Size(30, 30))).side("nne")
