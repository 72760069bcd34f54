"""Style sheets, worked out on the elements that they mean."""

import re

import pytest

from generator.core.problems import Wrong
from generator.draw.art.read import read_art

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">'


def styles(css: str, body: str) -> dict[str, str]:
    art = read_art(f"{HEAD}<style>{css}</style>{body}</svg>".encode(), "a.svg")
    return {one.get("id"): one.get("style", "") for one in art.root.iter() if one.get("id")}


@pytest.mark.parametrize(
    ("selector", "meant"),
    [
        ("rect", "abc"),
        ("*", "abcg"),
        ("#a", "a"),
        (".x", "ab"),
        (".x.y", "b"),
        ("g rect", "bc"),
        ("g > rect", "bc"),
        ("svg > rect", "a"),
        ("rect + rect", "c"),
        ("rect ~ rect", "c"),
        ("rect[width='2']", "b"),
        ("[class~=y]", "b"),
        ("[id^=c]", "c"),
        ("g rect:first-child", "b"),
        ("g :last-child", "c"),
        ("rect:nth-child(2n)", "ac"),  # the style sheet is the first
        ("rect:nth-child(odd)", "b"),
        ("rect:hover", ""),
        ("rect::selection", ""),
        ("g .x, #c", "bc"),
        (":root rect", "abc"),
        ("rect:not(.x)", "c"),
        ("g:has(.y) > rect", "bc"),
        ("rect:is(.x, #c):not(:last-child)", "ab"),
    ],
)
def test_selectors(selector, meant):
    body = '<rect id="a" class="x"/><g id="g"><rect id="b" class="x y" width="2"/><rect id="c" width="3"/></g>'
    found = styles(f"{selector} {{ fill: red }}", body)
    assert "".join(sorted(name for name, style in found.items() if style)) == meant


def test_what_is_more_special_wins_then_what_comes_later():
    css = "#a{fill:blue} .x{fill:green} rect{fill:red} .y{stroke:red} .x{stroke:blue}"
    assert styles(css, '<rect id="a" class="x y"/>')["a"] == "stroke:blue;fill:blue"


def test_important_beats_the_elements_own_style():
    assert (
        styles("rect{fill:red !important}", '<rect id="a" style="fill:blue;stroke:blue"/>')["a"]
        == "stroke:blue;fill:red"
    )


def test_a_data_address_is_one_value():
    found = styles(
        "",
        '<rect id="a" style="mask:url(data:image/png;base64,AA) ;fill:red"/>'.replace(
            "data:image/png;base64,AA", "#m;n"
        ),
    )
    assert found["a"] == "mask:url(#m;n);fill:red"


@pytest.mark.parametrize("selector", ["rect:near(g)", "svg|rect", "> rect", "rect >"])
def test_a_selector_that_is_not_understood_is_an_error(selector):
    with pytest.raises(Wrong, match=re.escape(f"has the selector {selector!r}")):
        styles(f"{selector} {{ fill: red }}", '<rect id="a"/>')


def test_a_variable_without_a_value_is_an_error():
    with pytest.raises(Wrong, match="the variable --x has no value"):
        styles("rect{fill:var(--x)}", '<rect id="a"/>')


def test_a_variable_that_is_itself_is_an_error():
    with pytest.raises(Wrong, match="leads back to itself"):
        styles("rect{--x:var(--x);fill:var(--x)}", '<rect id="a"/>')


def test_no_style_reaches_another_picture(face_of, tmp_path):
    path = tmp_path / "a.svg"
    path.write_text(f'{HEAD}<style>rect{{fill:red}}</style><rect id="r" width="5" height="5"/></svg>')
    assert "<style" not in face_of(path).told
