"""Test the rules for our own SVG: each break is listed, and the program's pictures have none."""

from pathlib import Path

import pytest

from generator.base.fonts import font_set
from generator.base.geometry import Affine, Rect, Size
from generator.picture.items import Art, Group, Picture, PlacedArt, PlacedPicture
from generator.pipeline.project import BuildRequest, Project
from tests.tools.make_face import rect, text_run
from tests.tools.picture_contract import faults, svg_faults

PACKS = sorted(
    path.parent for path in (Path(__file__).parents[1] / "data" / "packs").glob("*/game.yaml")
)
ROOT = '<svg xmlns="http://www.w3.org/2000/svg" width="9mm" height="9mm" viewBox="0 0 9 9">'
FULL = Rect(0, 0, 9, 9)
FAMILIES = font_set().families


def count_faults(project):
    """Return the faults of a pack's faces and figures, and the number of pictures."""
    faces = [face for component in project.components for face in component.faces]
    figures = [figure.face for figure in project.figures.values()]
    return faults([*faces, *figures], project.game.fonts.families), len(faces) + len(figures)


@pytest.mark.parametrize("pack", PACKS, ids=lambda path: path.name)
def test_every_picture_of_a_pack_keeps_it(pack):
    found, count = count_faults(Project(BuildRequest(str(pack))))
    assert count >= 3
    assert found == ()


@pytest.mark.parametrize("kind", ["cards", "tiles"])
def test_every_picture_of_a_starter_keeps_it(kind, starter):
    found, count = count_faults(Project(BuildRequest(str(starter(kind)))))
    assert count >= 3
    assert found == ()


BROKEN = {
    "<script>x()</script>": "<script>",
    '<rect onclick="x()"/>': "<rect onclick>",
    '<rect class="a"/>': "<rect class>",
    '<rect width="nan"/>': "<rect width='nan'> is not a finite number",
    '<rect width="1e999"/>': "<rect width='1e999'> is not a finite number",
    '<rect width="-1"/>': "<rect width='-1'> is negative",
    '<path d="M0 0Lnan 3"/>': "<path d='M0 0Lnan 3'> is not a list of finite numbers",
    '<g transform="scale(1e999)"/>': "<g transform='scale(1e999)'> is not a list of finite numbers",
    '<use href="#a"/>': "<use> refers to #a, which is not there",
    '<rect clip-path="url(#b)"/>': "<rect clip-path> refers to #b, which is not there",
    '<image href="a.png"/>': "<image> refers to 'a.png'",
    '<rect fill="url(https://example.org)"/>': "<rect fill='url(https://example.org)'> does more than draw",
    '<g id="a"/><g id="a"/>': "the id 'a' occurs 2 times",
    '<g id="a"><use href="#a"/></g>': "#a shows itself",
    '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>': "#a shows itself",
    '<text font-family="Nowhere">hello</text>': "'Nowhere' is not among the fonts, for 'hello'",
    "<text>hello</text>": "'hello' has no font",
}


@pytest.mark.parametrize("body", BROKEN)
def test_what_breaks_it_is_said(body):
    assert BROKEN[body] in svg_faults(f"{ROOT}{body}</svg>", FULL, FAMILIES)


def test_all_of_it_is_said_and_not_the_first():
    whole = ROOT + "".join(body for body in BROKEN if 'id="' not in body) + "</svg>"
    wanted = {said for body, said in BROKEN.items() if 'id="' not in body}
    assert wanted <= set(svg_faults(whole, FULL, FAMILIES))


def test_what_keeps_it_is_left_alone():
    body = (
        '<defs><clipPath id="c"><path d="M0 0L9 0 9 9Z"/></clipPath></defs><g clip-path="url(#c)" '
        'transform="rotate(-3)">'
        '<text x="1" y="2" font-family="\'Alegreya\'" font-size="3" xml:space="preserve">a</text>'
        '<rect width="50%" height="3" rx="1" fill="#ffffff" fill-opacity="0.5"/></g>'
    )
    assert svg_faults(f"{ROOT}{body}</svg>", FULL, FAMILIES) == ()


@pytest.mark.parametrize(
    ("root", "said"),
    [
        (ROOT.replace('viewBox="0 0 9 9"', 'viewBox="0 0 9"'), "its viewBox is '0 0 9'"),
        (ROOT.replace("9mm", "9"), "its width is '9' for 9 mm"),
        (ROOT.replace('height="9mm"', 'height="8mm"'), "its height is '8mm' for 9 mm"),
        ("<!DOCTYPE svg>" + ROOT, "it contains a declaration, a comment or an instruction"),
        (ROOT + "<g>", "it is not well-formed: "),
    ],
)
def test_a_root_is_as_large_as_its_picture(root, said):
    assert [
        found for found in svg_faults(f"{root}</svg>", FULL, FAMILIES) if found.startswith(said)
    ]


def test_items_keep_it_too():
    """A group that is pressed flat, art that is none, text without a font: each is reported, also in a picture."""
    inner = Picture(
        (
            Group((rect(0, 0, 3, 3, "#000000"),), Affine(0, 0, 0, 1, 0, 0)),
            PlacedArt(Art("a.svg", "GIF89a", FULL), Rect(0, 0, 3, 3)),
            PlacedArt(Art("flat.svg", f"{ROOT}</svg>", FULL), Rect(0, 0, 3, 0)),
            PlacedArt(Art("far.svg", f"{ROOT}</svg>", FULL), Rect(float("nan"), 0, 3, 3)),
            text_run("a", 1.0, 2.0, family="Alegreya"),
        ),
        Size(9, 9),
    )
    outer = Picture((PlacedPicture(inner, Affine(1, 0, 2, 0, 0, 0)),), Size(20, 20), -1.0)
    found = faults([outer], ["Alegreya SC"])
    assert "an item is moved by (1, 0, 2, 0, 0, 0), which cannot be undone" in found
    assert "an item is moved by (0, 0, 0, 1, 0, 0), which cannot be undone" in found
    assert "a.svg is not an SVG" in found
    assert {"flat.svg fills a box of 3 x 0 mm", "far.svg fills a box of 3 x 3 mm"} <= set(found)
    assert "'Alegreya' is not among the fonts" in found
    assert "a picture of 20 x 20 mm with a bleed of -1.0 mm" in found


def test_what_is_no_text_needs_no_font():
    assert not [
        said
        for said in svg_faults(f"{ROOT}<title>hello</title></svg>", FULL, FAMILIES)
        if "font" in said
    ]


@pytest.mark.parametrize(
    ("key", "said"), [("d", "not a list of finite numbers"), ("fill", "does more than draw")]
)
def test_of_a_long_value_the_beginning_is_said(key, said):
    value = f"url({'x' * 60})"
    assert f"<path {key}={value[:40]!r}> {said}" in " ".join(
        svg_faults(f'{ROOT}<path {key}="{value}"/></svg>', FULL, FAMILIES)
    ).replace("> is ", "> ")
