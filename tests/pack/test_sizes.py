"""Test sizes beyond rectangles: named shapes, corners, and outlines from files."""

import pytest

from generator.base.errors import InvalidValueError
from generator.base.shapes import SHAPES, back_outline
from generator.impose.plotter import split_at_bridges
from generator.pack.folder import PackFolder
from generator.pack.sizes import check_radius, parse_size, read_size

NOTCHED = '<path d="M0 0h40v30h-15a5 5 0 0 0 -10 0h-15z"/>'
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="50mm" height="40mm" viewBox="0 0 100 80">{}</svg>'


@pytest.fixture
def read_outline(tmp_path):
    def make(inside, **more):
        (tmp_path / "it.svg").write_text(
            inside if inside.startswith("<?") else SVG.format(inside), "utf-8"
        )
        return read_size({"outline": "it.svg", **more}, PackFolder(tmp_path))

    return make


def test_size_of_each_named_shape_is_its_box():
    sizes = {
        name: tuple(round(side, 2) for side in parse_size(f"{name} 40mm").size) for name in SHAPES
    }
    assert sizes == {
        "rect": (40, 40),
        "circle": (40, 40),
        "hex": (46.19, 40),
        "hex pointed": (40, 46.19),
        "triangle": (40, 34.64),
        "triangle down": (40, 34.64),
        "pentagon": (40, 38.04),
        "octagon": (40, 40),
    }
    assert parse_size("hex 40mm pointed") == parse_size("hex pointed 40mm")
    assert parse_size("octagon 1.5in").size.w == pytest.approx(38.1)


def test_outline_has_the_size_of_its_file(read_outline):
    outline = read_outline(
        f'<g transform="translate(7 3)"><g transform="scale(2)">{NOTCHED}</g></g>'
    )
    assert tuple(outline.size) == pytest.approx((40, 30), abs=0.01)
    assert outline.area == pytest.approx(1200 - 12.5 * 3.1416, abs=0.05)
    assert not outline.is_convex
    assert tuple(read_outline(NOTCHED, width="80mm").size) == pytest.approx((80, 60), abs=0.02)
    mirror = back_outline(outline)
    assert mirror.size == pytest.approx(outline.size)
    assert read_outline('<polygon points="0,0 60,0 60,60"/>').size == pytest.approx((30, 30))


@pytest.mark.parametrize("corners", ["0 0, 40 0, 40 30, 0 0", "0 0, 40 0, 40 0, 40 30"])
def test_repeated_corners_of_a_polygon_count_once(tmp_path, corners):
    """The bleed around an edge without length reached for kilometres."""
    outline = read_size({"polygon": corners}, PackFolder(tmp_path))
    assert outline == read_size({"polygon": "0 0, 40 0, 40 30"}, PackFolder(tmp_path))
    assert max(outline.grown(3).size) < 60


@pytest.mark.parametrize("flags", ["0 01 0 40", "0 010 40", "0,0,1,0,40", "0 0 10 40"])
def test_flags_of_an_arc_may_stand_before_its_end_without_blanks(read_outline, flags):
    """Programs that shorten files, such as SVGO, leave the blanks out."""
    plain = read_outline('<path d="M0 0h40a20 20 0 0 1 0 40h-40z"/>')
    assert read_outline(f'<path d="M0 0h40a20 20 {flags}h-40z"/>') == plain


def test_curve_of_an_outline_may_have_a_part_without_length(read_outline):
    outline = read_outline('<path d="M0 0C0 0 0 0 0 0H40C40 20 40 20 40 40Z"/>')
    assert len(list(split_at_bridges(outline, 0.5))) > 1


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ("", "has 0 closed lines"),
        (NOTCHED * 2, "has 2 closed lines"),
        ('<rect width="9" height="9"/>', "has a rect"),
        ('<path d="M0 0L40 40L40 0L0 30z"/>', "crosses itself"),
        ('<path d="M0 0L40 0"/>', "encloses nothing"),
        ('<path d="M0 0L40"/>', "numbers too many"),
        ('<path d="M0 0url(x)"/>', "is not path data"),
        ('<?xml version="1.0"?><!DOCTYPE svg><svg/>', "document type"),
        ("<path", "not well-formed"),
        ('<path d="M0 0' + "l1 2 1 -2" * 2000 + 'z"/>', "takes 4001 straight lines"),
    ],
)
def test_malformed_outline_is_refused(read_outline, inside, message):
    with pytest.raises(InvalidValueError, match=message):
        read_outline(inside)


@pytest.mark.parametrize(
    "value",
    [
        {"polygon": [["0", "0"], ["40", "0"]]},
        {"polygon": "0 0, 40 40, 40 0, 0 40"},
        {"polygon": [["0", "0"], ["40", "0"], ["20"]]},
        {"outline": "it.svg", "polygon": "0 0, 1 0, 1 1"},
        {"hex": "40mm"},
        ["40mm"],
        {"polygon": "0 0, 4000 0, 0 40"},
    ],
)
def test_impossible_size_is_refused(tmp_path, value):
    with pytest.raises(InvalidValueError):
        read_size(value, PackFolder(tmp_path))


def test_radius_of_corners_is_limited_by_the_sides(tmp_path):
    bay = read_size({"polygon": "0 0, 40 0, 20 10, 0 40"}, PackFolder(tmp_path))
    for outline, most in (
        (parse_size("30 x 20 mm"), 10),
        (parse_size("triangle 40mm"), 40 / 12**0.5),
    ):
        check_radius(outline, most - 0.01)
        with pytest.raises(InvalidValueError, match="cannot be"):
            check_radius(outline, most + 0.01)
    for outline in (bay, parse_size("circle 22mm")):
        with pytest.raises(InvalidValueError, match="cannot be rounded"):
            check_radius(outline, 1)
