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
def test_pictures_of_a_pack_have_no_faults(pack):
    faults_of_pack, count = count_faults(Project(BuildRequest(str(pack))))
    assert count >= 3
    assert faults_of_pack == ()


@pytest.mark.parametrize("kind", ["cards", "tiles"])
def test_pictures_of_a_starter_have_no_faults(kind, starter):
    faults_of_pack, count = count_faults(Project(BuildRequest(str(starter(kind)))))
    assert count >= 3
    assert faults_of_pack == ()


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
def test_breach_of_the_contract_is_reported(body):
    assert BROKEN[body] in svg_faults(f"{ROOT}{body}</svg>", FULL, FAMILIES)


def test_all_breaches_of_a_picture_are_reported():
    svg_text = ROOT + "".join(body for body in BROKEN if 'id="' not in body) + "</svg>"
    expected = {message for body, message in BROKEN.items() if 'id="' not in body}
    assert expected <= set(svg_faults(svg_text, FULL, FAMILIES))


def test_svg_within_the_contract_has_no_faults():
    body = (
        '<defs><clipPath id="c"><path d="M0 0L9 0 9 9Z"/></clipPath></defs><g clip-path="url(#c)" '
        'transform="rotate(-3)">'
        '<text x="1" y="2" font-family="\'Alegreya\'" font-size="3" xml:space="preserve">a</text>'
        '<rect width="50%" height="3" rx="1" fill="#ffffff" fill-opacity="0.5"/></g>'
    )
    assert svg_faults(f"{ROOT}{body}</svg>", FULL, FAMILIES) == ()


@pytest.mark.parametrize(
    ("root", "message"),
    [
        (ROOT.replace('viewBox="0 0 9 9"', 'viewBox="0 0 9"'), "its viewBox is '0 0 9'"),
        (ROOT.replace("9mm", "9"), "its width is '9' for 9 mm"),
        (ROOT.replace('height="9mm"', 'height="8mm"'), "its height is '8mm' for 9 mm"),
        ("<!DOCTYPE svg>" + ROOT, "it contains a declaration, a comment or an instruction"),
        (ROOT + "<g>", "it is not well-formed: "),
    ],
)
def test_malformed_root_or_wrong_size_is_reported(root, message):
    assert [
        fault for fault in svg_faults(f"{root}</svg>", FULL, FAMILIES) if fault.startswith(message)
    ]


def test_faults_of_items_in_nested_pictures_are_reported():
    """Put a flattened group, art without SVG and text without a font into a picture."""
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
    messages = faults([outer], ["Alegreya SC"])
    assert "an item is moved by (1, 0, 2, 0, 0, 0), which cannot be undone" in messages
    assert "an item is moved by (0, 0, 0, 1, 0, 0), which cannot be undone" in messages
    assert "a.svg is not an SVG" in messages
    assert {"flat.svg fills a box of 3 x 0 mm", "far.svg fills a box of 3 x 3 mm"} <= set(messages)
    assert "'Alegreya' is not among the fonts" in messages
    assert "a picture of 20 x 20 mm with a bleed of -1.0 mm" in messages


def test_title_element_needs_no_font():
    assert not [
        message
        for message in svg_faults(f"{ROOT}<title>hello</title></svg>", FULL, FAMILIES)
        if "font" in message
    ]


@pytest.mark.parametrize(
    ("key", "message"), [("d", "not a list of finite numbers"), ("fill", "does more than draw")]
)
def test_message_shows_only_the_beginning_of_a_long_value(key, message):
    value = f"url({'x' * 60})"
    assert f"<path {key}={value[:40]!r}> {message}" in " ".join(
        svg_faults(f'{ROOT}<path {key}="{value}"/></svg>', FULL, FAMILIES)
    ).replace("> is ", "> ")
