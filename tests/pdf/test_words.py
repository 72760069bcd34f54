"""Test text on faces: it prints as text, in its place and its order among the other items."""

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from generator.base.fonts import font_set
from generator.base.geometry import Size, read_transform
from generator.pdf.faces import compile_faces
from generator.picture.face import Face
from generator.picture.items import Group, Path, Shape
from tests.tools.make_face import rect, text_run

DPI = 300
FONTS = font_set()
W, H = 66, 14
GROUND = rect(-2, -2, W, H, "#f4e8d0")


def run(text, family="Alegreya", x=1.0, y=7.5, size=5.0, colour="#203040", **more):
    return text_run(text, x, y, size, family=family, colour=colour, **more)


def face(*items):
    return Face(items, Size(W - 4, H - 4), 2.0)


def printed(*faces):
    (pages,) = compile_faces(faces, FONTS)
    return pypdfium2.PdfDocument(pages.pdf)


def render_grey(document):
    return np.asarray(document[0].render(scale=DPI / 72).to_pil().convert("L")).astype(int)


def apart(one, other):
    """The share of pixels in which two prints differ by more than how an edge is smoothed."""
    return (abs(render_grey(printed(one)) - render_grey(printed(other))) > 64).mean()


def as_picture(*items):
    """Return the face with its text in a clipped group, which typst draws as a picture."""
    return face(Group(items, clip=f"M-99 -99H{2 * W}V{2 * H}H-99Z"))


def objects(page, kind):
    return sum(1 for item in page.get_objects(max_depth=4) if item.type == kind)


WORDS = {
    "ligatures and kerning": run("Office fjord AVATAR To. fluffy Wa"),
    "signs that typst knows": run('#hash $d$ *s* _u_ `t` @at <l> & ~ \\ " // --', size=4.0),
    "blanks": run("  two  before,   three  "),
    "quotes and dashes": run("“a” ‘b’ — c – d … don't 1/2"),
    "accents": run("Ġħàéîõü ßẞ Ærøskøbing ŁÓDŹ", family="Alegreya Sans", weight=700),
    "italic": run("Where is the river?", italic=True, colour="#a02030"),
    "small capitals": run("Drawn in small letters", small_caps=True),
    "a condensed family": run("Fira Sans Condensed", family="Fira Sans Condensed", weight=700),
    "Greek": run("Ελληνικά άέ γράμματα"),
    "Cyrillic": run("Привет, Ђурђевак"),
    "two scripts": run("Omega is Ω, Ж is Zhe"),
    "letter spacing": run("Wide and fine", spacing=0.7),
    "underlined": run("Look here", underline=True),
    "past the edge": run("More words than there is room for on such a face as this one", x=-4.0),
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_words_stand_where_they_are_drawn(words):
    assert apart(face(GROUND, words), as_picture(GROUND, words)) < 2e-4


HIDING = {
    "turned": {"at": read_transform("rotate(4 20 5)")},
    "mirrored": {"at": read_transform("matrix(-1 0 0 1 60 0)")},
    "faded": {"opacity": 0.4},
    "cut": {"clip": "M0 0h20v20h-20z"},
}


@pytest.mark.parametrize("group", HIDING.values(), ids=HIDING)
def test_what_moves_or_hides_words_does_so_in_print(group):
    moved = face(Group((run("Hamburgefonts"),), **group))
    assert apart(moved, face(run("Hamburgefonts"))) > 0.01
    assert apart(moved, as_picture(Group((run("Hamburgefonts"),), **group))) < 2e-4


def test_words_stay_between_what_is_drawn_before_and_after_them():
    """A star below the first line and above the second."""

    def star(x):
        return Shape(Path(f"M{x + 4.5} 0l4.5 9h-9z"), "#40a060")

    mixed = [star(2), run("Below and above"), star(14), run("third", x=40.0), star(48)]
    assert apart(face(*mixed), as_picture(*mixed)) < 2e-4
    first = [*mixed[1:], mixed[0]]
    last = [mixed[4], *mixed[:4]]
    assert min(apart(face(*mixed), face(*other)) for other in (first, last)) > 5e-4


def test_a_line_is_one_object_and_not_one_for_each_letter():
    lines = [
        run(f"Draw {number} cards and keep one", y=2.0 + 3 * number, size=3.0)
        for number in range(3)
    ]
    page = printed(face(*lines))[0]
    assert objects(page, pdfium.FPDF_PAGEOBJ_TEXT) == 3
    assert page.get_textpage().get_text_range().split("\r\n") == [
        f"Draw {index} cards and keep one" for index in range(3)
    ]


def test_what_many_faces_have_alike_is_read_once(monkeypatch):
    """A ground and a frame of a hundred cards are one picture for typst."""
    given = []
    typeset = compile_faces.__globals__["Sandbox"].typeset
    monkeypatch.setattr(
        "generator.pdf.typst.Sandbox.typeset",
        lambda sandbox, files, **how: given.append(files) or typeset(sandbox, files, **how),
    )
    document = printed(*(face(GROUND, run(f"Card {index}")) for index in range(9)))
    assert len(document) == 9
    assert [len(files) for files in given] == [2]
