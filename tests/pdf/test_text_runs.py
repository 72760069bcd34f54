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
W = 66
H = 14
GROUND = rect(-2, -2, W, H, "#f4e8d0")


def run_of(text, family="Alegreya", x=1.0, y=7.5, size=5.0, colour="#203040", **more):
    return text_run(text, x, y, size, family=family, colour=colour, **more)


def face(*items):
    return Face(items, Size(W - 4, H - 4), 2.0)


def print_faces(*faces):
    (pages,) = compile_faces(faces, FONTS)
    return pypdfium2.PdfDocument(pages.pdf)


def render_grey(document):
    return np.asarray(document[0].render(scale=DPI / 72).to_pil().convert("L")).astype(int)


def differing_share(one, other):
    """Return the share of pixels that differ by more than the smoothing of edges."""
    return (abs(render_grey(print_faces(one)) - render_grey(print_faces(other))) > 64).mean()


def as_picture(*items):
    """Return the face with its text in a clipped group, which typst draws as a picture."""
    return face(Group(items, clip=f"M-99 -99H{2 * W}V{2 * H}H-99Z"))


def count_objects(page, kind):
    return sum(1 for item in page.get_objects(max_depth=4) if item.type == kind)


WORDS = {
    "ligatures and kerning": run_of("Office fjord AVATAR To. fluffy Wa"),
    "signs that typst knows": run_of('#hash $d$ *s* _u_ `t` @at <l> & ~ \\ " // --', size=4.0),
    "blanks": run_of("  two  before,   three  "),
    "quotes and dashes": run_of("“a” ‘b’ — c – d … don't 1/2"),
    "accents": run_of("Ġħàéîõü ßẞ Ærøskøbing ŁÓDŹ", family="Alegreya Sans", weight=700),
    "italic": run_of("Where is the river?", italic=True, colour="#a02030"),
    "small capitals": run_of("Drawn in small letters", small_caps=True),
    "a condensed family": run_of("Fira Sans Condensed", family="Fira Sans Condensed", weight=700),
    "Greek": run_of("Ελληνικά άέ γράμματα"),
    "Cyrillic": run_of("Привет, Ђурђевак"),
    "two scripts": run_of("Omega is Ω, Ж is Zhe"),
    "letter spacing": run_of("Wide and fine", spacing=0.7),
    "underlined": run_of("Look here", underline=True),
    "past the edge": run_of("More words than there is room for on such a face as this one", x=-4.0),
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_printed_text_looks_like_rendered_text(words):
    assert differing_share(face(GROUND, words), as_picture(GROUND, words)) < 2e-4


HIDING = {
    "turned": {"at": read_transform("rotate(4 20 5)")},
    "mirrored": {"at": read_transform("matrix(-1 0 0 1 60 0)")},
    "faded": {"opacity": 0.4},
    "cut": {"clip": "M0 0h20v20h-20z"},
}


@pytest.mark.parametrize("group", HIDING.values(), ids=HIDING)
def test_groups_turn_mirror_fade_and_clip_printed_text(group):
    moved = face(Group((run_of("Hamburgefonts"),), **group))
    assert differing_share(moved, face(run_of("Hamburgefonts"))) > 0.01
    assert differing_share(moved, as_picture(Group((run_of("Hamburgefonts"),), **group))) < 2e-4


def test_printed_text_keeps_its_order_among_other_items():
    """A star lies below the first text, and another above the second."""

    def star(x):
        return Shape(Path(f"M{x + 4.5} 0l4.5 9h-9z"), "#40a060")

    mixed = [star(2), run_of("Below and above"), star(14), run_of("third", x=40.0), star(48)]
    assert differing_share(face(*mixed), as_picture(*mixed)) < 2e-4
    first = [*mixed[1:], mixed[0]]
    last = [mixed[4], *mixed[:4]]
    assert min(differing_share(face(*mixed), face(*other)) for other in (first, last)) > 5e-4


def test_line_of_text_is_one_object_of_the_pdf():
    lines = [
        run_of(f"Draw {number} cards and keep one", y=2.0 + 3 * number, size=3.0)
        for number in range(3)
    ]
    page = print_faces(face(*lines))[0]
    assert count_objects(page, pdfium.FPDF_PAGEOBJ_TEXT) == 3
    assert page.get_textpage().get_text_range().split("\r\n") == [
        f"Draw {index} cards and keep one" for index in range(3)
    ]


def test_ground_shared_by_faces_is_given_to_typst_once(monkeypatch):
    """Equal items of many faces become one picture for typst."""
    given = []
    typeset = compile_faces.__globals__["Sandbox"].typeset
    monkeypatch.setattr(
        "generator.pdf.typst.Sandbox.typeset",
        lambda sandbox, files, **how: given.append(files) or typeset(sandbox, files, **how),
    )
    document = print_faces(*(face(GROUND, run_of(f"Card {index}")) for index in range(9)))
    assert len(document) == 9
    assert [len(files) for files in given] == [2]
