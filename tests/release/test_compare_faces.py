"""Test the comparison of faces: small differences of rendering count as equal, visible ones do not."""

from dataclasses import replace

import pytest

from generator.base.fonts import font_set
from generator.base.geometry import Affine, Point, Size
from generator.picture.face import Face
from generator.picture.items import Circle, Group, Path, Shape, Stroke
from generator.picture.raster import Rasteriser
from generator.release.compare_faces import FaceComparer
from generator.release.record import RecordedFont
from tests.tools.make_face import rect, text_run

WORDS = "Take the fox, then play."


@pytest.fixture(scope="module")
def comparer():
    raster = Rasteriser(font_set())
    return FaceComparer(raster, raster)


def face(*inside, bleed=2.0):
    return Face((rect(-bleed, -bleed, 60, 50, "#f6e8cb"), *inside), Size(40, 30), bleed)


def text(words, x=5.0, y=10.0, size=2.47, colour="#27313a", weight=400, family="Alegreya"):
    return text_run(words, x, y, size, colour=colour, weight=weight, family=family)


def line(x=5.0, width=0.1, colour="#27313a"):
    return Shape(Path(f"M{x} 5 v20"), stroke=Stroke(width, colour))


def level(y=5.0, width=0.1, colour="#27313a"):
    return Shape(Path(f"M5 {y} h20"), stroke=Stroke(width, colour))


def box(x=5.0, colour="#5d7f4e", side=10):
    return rect(x, 5, side, side, colour)


BLACK_LINE = Stroke(0.3, "#000000")


def ball(r=6.0):
    return Shape(Circle(Point(15, 15), r), "#5d7f4e", BLACK_LINE)


@pytest.mark.parametrize("shift", [0.001, 0.01, 0.03, 0.05, 0.1])
@pytest.mark.parametrize("make_item", [line, box, lambda x: text("i.,:", x)])
def test_shift_of_at_most_0_1_mm_looks_the_same(comparer, make_item, shift):
    assert comparer.look_same(face(make_item(5)), face(make_item(5 + shift)))


@pytest.mark.parametrize("colour", ["#27313a", "#a3301f", "#c9b98f"])
@pytest.mark.parametrize("glyph", [*".,:'i", "W"])
def test_glyph_moved_by_0_3_mm_looks_different(comparer, glyph, colour):
    before = face(text(glyph, colour=colour))
    assert comparer.look_same(before, face(text(glyph, 5.01, colour=colour)))
    assert not comparer.look_same(before, face(text(glyph, 5.3, colour=colour)))


@pytest.mark.parametrize("width", [0.05, 0.1, 0.3])
def test_line_moved_by_0_3_mm_looks_different(comparer, width):
    assert comparer.look_same(face(line(5, width)), face(line(5.01, width)))
    assert not comparer.look_same(face(line(5, width)), face(line(5.3, width)))


@pytest.mark.parametrize("make_item", [line, level])
@pytest.mark.parametrize("shift", [0.15, 0.2])
def test_lines_moved_down_or_sideways_look_equally_different(comparer, shift, make_item):
    assert not comparer.look_same(face(make_item(5, 0.3)), face(make_item(5 + shift, 0.3)))


def test_removed_or_moved_comma_looks_different(comparer):
    before = face(text(WORDS))
    assert comparer.look_same(before, face(text(WORDS)))
    assert not comparer.look_same(before, face(text(WORDS.replace(",", ""))))
    assert not comparer.look_same(before, face(text(WORDS.replace("fox,", "fox ,"))))
    assert not comparer.look_same(before, face(text(WORDS.replace(",", "."))))


def test_text_in_another_weight_looks_different(comparer):
    bold = face(text(WORDS, weight=700))
    assert comparer.look_same(bold, face(text(WORDS, weight=700)))
    assert not comparer.look_same(face(text(WORDS)), bold)


def test_equal_shapes_from_other_items_look_the_same(comparer):
    """Another version of the program might draw other items, numbers and groups."""
    as_path = Shape(Path("M5 5 h10 v10 h-10 z"), "#5d7f4e")
    curve = Shape(Path("M21 15 A6 6 0 1 1 9 15 A6 6 0 1 1 21 15 Z"), "#5d7f4e", BLACK_LINE)
    assert comparer.look_same(face(box()), face(as_path))
    assert comparer.look_same(face(ball()), face(curve))
    grouped = Group((text(WORDS, 4),), Affine(e=1.004))
    assert comparer.look_same(face(text(WORDS)), face(grouped))
    assert comparer.look_same(face(line()), face(rect(4.95, 5, 0.1, 20, "#27313a")))


@pytest.mark.parametrize(
    ("colour", "same"), [("#5f8150", True), ("#688a59", False), ("#5d7f62", False)]
)
def test_only_invisible_differences_of_colour_look_the_same(comparer, colour, same):
    assert comparer.look_same(face(box()), face(box(colour=colour))) is same


def test_pale_shape_on_pale_background_looks_different(comparer):
    assert not comparer.look_same(face(), face(box(colour="#ede0c4", side=2)))


def test_changes_in_the_bleed_look_the_same(comparer):
    assert comparer.look_same(face(), face(rect(-2, -2, 1.8, 34, "#ff0000")))
    assert comparer.look_same(face(box()), face(box(), bleed=3.0))
    assert not comparer.are_identical(face(box()), face(box(), bleed=3.0))


def test_faces_of_another_size_or_missing_sides_look_different(comparer):
    one = face(box())
    assert not comparer.look_same(one, replace(one, size=Size(41, 30)))
    assert not comparer.look_same(one, None)
    assert comparer.look_same(None, None)


def test_equal_faces_are_compared_without_rendering():
    def never(*_):
        raise AssertionError("nothing is to be rendered")

    blind = FaceComparer(type("Blind", (), {"face": never})(), type("Blind", (), {"face": never})())
    assert blind.look_same(face(text(WORDS)), face(text(WORDS)))


def test_changed_font_file_is_compared_by_rendering(comparer):
    """Text in another font of the same name looks different.

    In the same font under another digest it does not.
    """
    fonts = font_set()
    serif = fonts.find("Alegreya").path.read_bytes()
    sans = fonts.find("Alegreya Sans").path.read_bytes()

    def recorded_fonts(digest, data):
        return (RecordedFont("Alegreya", 400, False, digest, data),)

    same = FaceComparer(
        comparer.old, comparer.new, recorded_fonts("1", serif), recorded_fonts("2", serif)
    )
    assert not same.are_identical(face(text(WORDS)), face(text(WORDS)))
    assert same.look_same(face(text(WORDS)), face(text(WORDS)))
    assert sans != serif
    assert not same.look_same(face(text(WORDS)), face(text(WORDS, family="Alegreya Sans")))


def test_difference_mask_covers_only_the_changed_area(comparer):
    mask = comparer.difference_mask(face(text(WORDS), box(20)), face(text(WORDS), box(21)))
    left, top, right, bottom = (edge / 20 for edge in mask.getbbox())
    assert left >= 19.8
    assert right <= 31.2
    assert top >= 4.8
    assert bottom <= 15.2
    assert comparer.difference_mask(face(text(WORDS)), face(text(WORDS, 5.02))).getbbox() is None
    thin = comparer.difference_mask(face(line(5)), face(line(8)))
    assert [edge / 20 for edge in thin.getbbox()] == pytest.approx([4.95, 5, 8.05, 25], abs=0.15)
