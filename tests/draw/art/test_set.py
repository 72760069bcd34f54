"""Test `set:`, which changes texts, colours, places and pictures of a drawing by id."""

import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from generator.base.errors import InvalidValueError, Kind
from generator.draw.art.changes import ArtChange, read_change
from generator.draw.art.library import ArtShelf
from generator.pack.folder import Asset
from tests.tools.make_face import art_svg

DATA = Path(__file__).parents[2] / "data" / "art"
TEMPLATE = DATA / "template.svg"
ART = DATA / "features"


def asset(name: str) -> Asset:
    return Asset(name, ART / name)


@pytest.fixture
def changed_face(face_of):
    """Return a function that gives the face of the template with some changes."""

    def make(**changes: object):
        return face_of(
            TEMPLATE, set={key: read_change(value, asset) for key, value in changes.items()}
        )

    return make


def texts(svg: str) -> list[str]:
    return re.findall(r">([^<>]+)<", re.sub(r">\s+<", "><", svg))


def test_set_text_replaces_drawn_text_with_its_style(changed_face):
    svg = unescape(art_svg(changed_face(title="Dragon")))
    assert "Dragon" in texts(svg)
    assert not {"Two lines", "of text"} & set(texts(svg))
    tspan = re.search(r"<tspan([^>]*)>Dragon<", svg)[1]
    assert 'x="40"' in tspan
    assert "font-family:'Alegreya';font-weight:700" in tspan


def test_set_tspan_leaves_rest_of_its_line(changed_face):
    assert texts(art_svg(changed_face(hp="12")))[-3:] == ["HP ", "12", "!"]


def test_empty_text_removes_drawn_text(changed_face):
    assert "Ann" in texts(art_svg(changed_face()))
    assert "Ann" not in texts(art_svg(changed_face(name="")))


def test_markup_in_set_text_is_escaped(changed_face):
    assert "a &lt; b &amp; c" in art_svg(changed_face(title="a < b & c"))


def test_set_colours_fill_and_stroke_a_whole_group(changed_face, rendered_pixels):
    before = rendered_pixels(changed_face())
    after = rendered_pixels(
        changed_face(ground={"fill": "navy"}, gem={"fill": "red", "stroke": "#0a0"})
    )
    assert tuple(before[5, 5]) == (238, 238, 238)
    assert tuple(after[5, 5]) == (0, 0, 128)
    assert tuple(after[520, 100]) == (255, 0, 0), "every fill of the group"
    assert tuple(after[450, 100]) == (0, 170, 0), "every stroke of the group"


def test_part_is_found_by_its_inkscape_label(changed_face):
    assert "fill:#ff0000" in art_svg(changed_face(jewel={"fill": "red"}))


def test_part_with_display_none_is_not_rendered(changed_face, rendered_pixels):
    assert tuple(rendered_pixels(changed_face())[560, 620]) == (255, 204, 0)
    assert tuple(rendered_pixels(changed_face(crown={"display": "none"}))[560, 620]) == (
        238,
        238,
        238,
    )


def test_empty_value_leaves_part_unchanged(changed_face, rendered_pixels):
    assert np.array_equal(
        rendered_pixels(changed_face(crown={"fill": "", "display": ""})),
        rendered_pixels(changed_face()),
    )


def test_set_transform_and_size_move_parts(changed_face, rendered_pixels):
    assert tuple(
        rendered_pixels(changed_face(crown={"transform": "translate(-55 0)"}))[560, 70]
    ) == (
        255,
        204,
        0,
    )
    narrow = rendered_pixels(changed_face(ground={"width": "40", "y": "3"}))
    assert [tuple(narrow[at]) for at in ((40, 100), (20, 100), (40, 500))] == [
        (238,) * 3,
        (255,) * 3,
        (255,) * 3,
    ]


def test_set_picture_replaces_drawn_picture(changed_face, rendered_pixels):
    jpeg = rendered_pixels(changed_face(portrait={"href": "image-jpeg.svg"}))
    assert not np.array_equal(jpeg, rendered_pixels(changed_face()))
    assert "e0" not in texts(art_svg(changed_face(portrait={"href": "image-svg.svg"})))


@pytest.mark.parametrize(
    ("changes", "message", "hint"),
    [
        ({"titel": "x"}, "template.svg: unknown id 'titel'", "did you mean 'title'?"),
        ({"crown": "x"}, "'crown' is a <path>, which holds no text", ""),
        ({"crown": {"href": "image-png.svg"}}, "'crown' is a <path>, which shows no picture", ""),
        ({"crown": {"fill": "url(#gme)"}}, "unknown id 'gme'", "did you mean 'gem'?"),
    ],
)
def test_change_that_part_cannot_take_is_refused_with_hint(changes, message, hint, changed_face):
    with pytest.raises(InvalidValueError) as caught:
        changed_face(**changes)
    assert message in caught.value.found
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"fil": "red"}, "unknown property 'fil'"),
        ({"fill": "rde"}, "fill: unknown colour 'rde'"),
        ({"opacity": "2"}, "opacity: '2' is not an opacity"),
        ({"x": "3mm"}, "x: '3mm' is not a number"),
        ({"display": "no"}, "display: unknown value 'no'"),
        ({"transform": "turn(3)"}, "transform: 'turn(3)' is not a transformation"),
        ({"font-family": "a;fill:url(x)"}, "is not allowed here"),
        ({"fill": ["red"]}, "fill: this is a list"),
        (["x"], "this is a list"),
        ("two\nlines", "several lines"),
    ],
)
def test_invalid_change_is_refused_with_expectation(value, message):
    with pytest.raises(InvalidValueError) as caught:
        read_change(value, asset)
    assert message in caught.value.found
    assert caught.value.expected


def test_text_that_leaves_the_picture_is_refused(changed_face):
    changed_face(title="A middling title")
    with pytest.raises(InvalidValueError, match="sticks out of the picture by") as caught:
        changed_face(title="A title that is much too long for it")
    assert caught.value.kind is Kind.FIT


def test_text_that_leaves_its_box_is_refused(changed_face):
    changed_face(name="Annabel")
    with pytest.raises(
        InvalidValueError, match="'Annabel the Great' in 'name' sticks out of 'name-box' by"
    ):
        changed_face(name="Annabel the Great")


def test_line_is_measured_with_its_set_part(changed_face):
    with pytest.raises(InvalidValueError, match="'HP 999999!'"):
        changed_face(hp="999999")


def test_equal_changes_give_equal_faces(changed_face):
    assert changed_face(title="x").name == changed_face(title="x").name
    assert changed_face(title="x").name != changed_face(title="y").name


def test_longest_text_that_fits_ends_where_the_picture_ends(changed_face, rendered_pixels):
    """Lengthen a title until the next letter is refused, and find its ink."""
    widest = "i"
    while True:
        try:
            changed_face(title=widest + "i")
        except InvalidValueError:
            break
        widest += "i"
    ink = np.where(
        (
            rendered_pixels(changed_face(title=widest, ground={"display": "none"}))[:200].min(
                axis=(0, 2)
            )
        )
        < 250
    )[0]
    assert ink.min() < 40
    assert ink.max() > 760


@pytest.mark.parametrize("title", ["jAg", "– Vf"])
def test_text_box_in_face_matches_ink_of_its_letters(title, changed_face, rendered_pixels):
    """Measure in mm from the trim: the picture lies at 6, 5 with 20 pixels per mm."""
    face = changed_face(title=title)
    (ink,) = (keep.box for keep in face.keep_inside if keep.label == "text")
    is_inked = np.any(rendered_pixels(face) != rendered_pixels(changed_face(title="")), axis=2)
    ys, xs = np.where(is_inked)
    inked_box = [
        xs.min() / 20 + 6,
        ys.min() / 20 + 5,
        (xs.max() + 1) / 20 + 6,
        (ys.max() + 1) / 20 + 5,
    ]
    assert [ink.x, ink.y, ink.right, ink.bottom] == pytest.approx(inked_box, abs=0.15)


def test_art_without_current_colour_is_same_face_in_all_colours(face_of, tmp_path):
    for colour, is_same in (("#0a0", True), ("currentColor", False)):
        art = tmp_path / f"{is_same}.svg"
        art.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9V9Z" fill="{colour}"/></svg>'
        )
        assert (face_of(art, colour="#f00").name == face_of(art, colour="#00f").name) is is_same


def test_pixel_picture_is_read_once(tmp_path):
    path = tmp_path / "a.png"
    shelf = ArtShelf()
    Image.new("RGB", (4, 3), "red").save(path)
    first = shelf.pixels(Asset("a.png", path))
    path.unlink()
    assert shelf.pixels(Asset("a.png", path)) is first


def test_empty_change_sets_nothing():
    assert read_change(None, asset) == ArtChange(text="")
    assert read_change({}, asset) == ArtChange()
