"""Test style sheets of art, which are applied to the elements that they select."""

import re

import pytest

from generator.base.errors import InvalidValueError
from generator.draw.art import css
from generator.draw.art.drawn import drawn_elements, thinnest_line
from generator.draw.art.read import read_art
from generator.draw.art.tree import fix_widths, walk, weight
from tests.tools.make_face import art_svg

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">'


def styles(sheet: str, body: str) -> dict[str, str]:
    art = read_art(f"{HEAD}<style>{sheet}</style>{body}</svg>".encode(), "a.svg")
    return {
        element.get("id"): element.get("style", "")
        for element in art.root.iter()
        if element.get("id")
    }


@pytest.mark.parametrize(
    ("selector", "expected"),
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
        ("rect:nth-child(2n)", "ac"),  # the style sheet is the first child
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
def test_selector_selects_its_elements(selector, expected):
    body = '<rect id="a" class="x"/><g id="g"><rect id="b" class="x y" width="2"/><rect id="c" width="3"/></g>'
    styles_by_id = styles(f"{selector} {{ fill: red }}", body)
    assert "".join(sorted(name for name, style in styles_by_id.items() if style)) == expected


def test_more_specific_rule_wins_and_then_the_later():
    css = "#a{fill:blue} .x{fill:green} rect{fill:red} .y{stroke:red} .x{stroke:blue}"
    assert styles(css, '<rect id="a" class="x y"/>')["a"] == "stroke:blue;fill:blue"


def test_important_rule_beats_style_attribute():
    assert (
        styles("rect{fill:red !important}", '<rect id="a" style="fill:blue;stroke:blue"/>')["a"]
        == "stroke:blue;fill:red"
    )


def test_semicolon_inside_url_does_not_end_its_value():
    styles_by_id = styles(
        "",
        '<rect id="a" style="mask:url(data:image/png;base64,AA) ;fill:red"/>'.replace(
            "data:image/png;base64,AA", "#m;n"
        ),
    )
    assert styles_by_id["a"] == "mask:url(#m;n);fill:red"


@pytest.mark.parametrize("selector", ["rect:near(g)", "svg|rect", "> rect", "rect >"])
def test_unknown_selector_is_refused(selector):
    with pytest.raises(InvalidValueError, match=re.escape(f"has the selector {selector!r}")):
        styles(f"{selector} {{ fill: red }}", '<rect id="a"/>')


def test_variable_without_a_value_is_refused():
    with pytest.raises(InvalidValueError, match="the variable --x has no value"):
        styles("rect{fill:var(--x)}", '<rect id="a"/>')


def test_circular_variable_is_refused():
    with pytest.raises(InvalidValueError, match="leads back to itself"):
        styles("rect{--x:var(--x);fill:var(--x)}", '<rect id="a"/>')


def test_style_sheet_of_art_is_applied_and_removed(face_of, tmp_path):
    path = tmp_path / "a.svg"
    path.write_text(
        f'{HEAD}<style>rect{{fill:red}}</style><rect id="r" width="5" height="5"/></svg>'
    )
    placed_svg = art_svg(face_of(path))
    assert "<style" not in placed_svg
    assert "fill:red" in placed_svg


@pytest.mark.parametrize(
    ("media", "is_applied"),
    [
        ("print", True),
        ("ALL", True),
        ("only print", True),
        ("screen, print", True),
        ("", True),
        ("screen", False),
        ("not print", False),
        ("print and (color)", False),
    ],
)
def test_only_rules_for_print_count(media, is_applied):
    styles_by_id = styles(f"@media {media} {{ rect {{ fill: red }} }}", '<rect id="a"/>')
    assert bool(styles_by_id["a"]) is is_applied
    sheet = f'<style media="{media}">rect{{fill:red}}</style><rect id="a"/>'
    assert bool(styles("", sheet)["a"]) is is_applied


@pytest.mark.parametrize(
    ("kind", "is_applied"), [("text/css", True), (" ", True), ("text/less", False)]
)
def test_only_style_sheets_of_type_css_count(kind, is_applied):
    assert (
        bool(styles("", f'<style type="{kind}">rect{{fill:red}}</style><rect id="a"/>')["a"])
        is is_applied
    )


def test_nested_media_rules_beyond_limit_are_refused():
    def nested(deep: int) -> str:
        return "@media print{" * deep + "rect{fill:red}" + "}" * deep

    assert styles(nested(8), '<rect id="a"/>')["a"] == "fill:red"
    assert styles(f"@media screen{{{nested(9)}}}", '<rect id="a"/>')["a"] == ""
    with pytest.raises(
        InvalidValueError, match=r"^a\.svg: its style sheets have @media in @media more than 8 deep"
    ) as caught:
        styles(nested(9), '<rect id="a"/>')
    assert caught.value.expected == "at most 8"


def test_selector_list_beyond_limit_is_refused(monkeypatch):
    monkeypatch.setattr(css, "MAX_SELECTOR_CHARS", 90)
    longest = "rect," * 17 + "#abcd"
    assert styles(f"{longest}{{fill:red}}", '<rect id="a"/>')["a"] == "fill:red"
    with pytest.raises(InvalidValueError, match=re.escape(f"has the selector '{longest[:77]}…'")):
        styles(f"{longest}e{{fill:red}}", '<rect id="a"/>')


def test_style_sheet_that_needs_too_many_steps_is_refused(monkeypatch):
    """Count no step for a tag that is absent, and many for a chain of ancestors."""
    monkeypatch.setattr(css, "MAX_MATCHING_STEPS", 300)
    body = '<g id="a">' * 9 + "</g>" * 9
    assert styles("rect rect rect{fill:red} g{fill:red}", body)["a"] == "fill:red"
    with pytest.raises(InvalidValueError, match="matching its style sheets takes about"):
        styles("g g g{fill:red}", body)
    for costly in (
        "g{fill:red}" * 40,
        "g g{fill:red}" * 2,
        "g:is(g g g){fill:red}",
        "g:has(g){fill:red}",
    ):
        with pytest.raises(InvalidValueError, match="takes about"):
            styles(costly, body)
    assert styles("g:not(.x){fill:red}", body)["a"] == "fill:red"


def test_earlier_colour_counts_if_later_one_is_of_a_newer_kind():
    styles_by_id = styles(
        "rect{fill:red;fill:oklch(0.5 0.1 20);stroke:rgb(1,2,3)}",
        '<rect id="a" style="color:lab(1 2 3)"/>',
    )
    assert styles_by_id["a"] == "fill:red;stroke:rgb(1,2,3)"


def test_variables_are_inherited_and_can_be_redefined():
    body = '<g id="g"><rect id="a" fill="var(--x)" style="stroke:var(--none, var(--x))"/></g><rect id="b"/>'
    art = f"{HEAD}<style>svg{{--x:red}} g{{--x:blue}} #b{{fill:var(--x)}}</style>{body}</svg>"
    elements = {
        element.get("id"): element for element in read_art(art.encode(), "a.svg").root.iter()
    }
    assert elements["a"].get("fill", elements["a"].get("style")) == "blue"
    assert "stroke:blue" in elements["a"].get("style")
    assert elements["b"].get("style") == "fill:red"
    assert "--" not in elements["g"].get("style", "")


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("fill:rgb(10 120 200 / 50%)", "fill:rgba(10, 120, 200, 0.5)"),
        ("fill:rgb(10 120 200 / .5)", "fill:rgba(10, 120, 200, 0.5)"),
        (
            "font:italic condensed 12px/1.2 A, B",
            (
                "font-style:italic;font-variant:normal;font-weight:normal;font-stretch:condensed;"
                "font-size:12px;font-family:A, B"
            ),
        ),
    ],
)
def test_modern_css_is_rewritten_in_older_syntax(style, expected):
    assert styles("", f'<rect id="a" style="{style}"/>')["a"] == expected


@pytest.mark.parametrize(
    ("transform", "expected"),
    [
        ("rotate(100grad)", "rotate(90)"),
        ("rotate(0.25turn) translateX(3px)", "rotate(90) translate(3, 0)"),
        ("none", ""),
    ],
)
def test_css_transform_becomes_an_svg_attribute(transform, expected):
    """Write attributes without units, since the engines that print know no units in styles."""
    body = f'<rect id="a" transform="scale(3)" style="transform:{transform}"/>'
    art = read_art(f"{HEAD}{body}</svg>".encode(), "a.svg")
    rect = next(element for element in art.root.iter() if element.get("id") == "a")
    assert rect.attrib == {"id": "a", "transform": expected, "style": ""}


def test_style_of_nested_svg_moves_to_a_group_round_it():
    body = '<svg width="5" height="5" opacity=".5" overflow="visible" transform="scale(2)"><rect id="a"/></svg>'
    (group,) = read_art(f"{HEAD}{body}</svg>".encode(), "a.svg").root
    (inner,) = group
    assert (group.tag, group.attrib) == ("g", {"opacity": ".5", "transform": "scale(2)"})
    assert (inner.tag, inner.attrib) == (
        "svg",
        {"width": "5", "height": "5", "overflow": "visible"},
    )
    assert [item.get("id") for item in inner] == ["a"]


def test_width_auto_leaves_width_attribute():
    art = read_art(f'{HEAD}<rect width="5" style="width:auto;height:3px"/></svg>'.encode(), "a.svg")
    assert art.root[0].attrib["width"] == "5"
    assert art.root[0].attrib["height"] == "3px"


@pytest.mark.parametrize(
    ("word", "inherited", "expected"),
    [
        ("bolder", "349", 400),
        ("bolder", "350", 700),
        ("bolder", "549", 700),
        ("bolder", "550", 900),
        ("lighter", "549", 100),
        ("lighter", "550", 400),
        ("lighter", "749", 400),
        ("lighter", "750", 700),
        ("bolder", "normal", 700),
        ("bold", "100", 700),
        ("normal", "900", 400),
        ("612.6", "400", 613),
        ("1001", "400", 400),
        ("0", "400", 400),
        (400 * "9", "400", 400),
        ("bolder", "²", 700),
    ],
)
def test_relative_font_weights_follow_css_fonts_4(word, inherited, expected):
    """Compare weights with CSS Fonts 4, 2.2.1."""
    assert weight(word, inherited) == expected


def test_font_size_keywords_have_their_sizes():
    words = (
        "xx-small",
        "x-small",
        "small",
        "medium",
        "large",
        "x-large",
        "xx-large",
        "larger",
        "smaller",
    )
    body = "".join(f'<text font-size="{word}">a</text>' for word in words)
    art = read_art(f'{HEAD}<g font-size="24">{body}</g></svg>'.encode(), "a.svg")
    sizes = [at.size for at in walk(art.root) if at.element.tag == "text"]
    assert sizes == pytest.approx([9, 10, 13, 16, 18, 24, 32, 28.8, 20])


LINE = '<path d="M0 0H9" stroke="red"/>'


@pytest.mark.parametrize(
    ("body", "thinnest"),
    [
        ('<rect width="9" height="9"/><g stroke="red"/><text stroke="red">a</text>', None),
        ('<g stroke="red"><path d="M0 0H9" stroke="none"/></g>', None),
        ('<path d="M0 0H9" stroke="red" stroke-width="0"/>', None),
        (
            '<g stroke="red" transform="scale(2 3)"><path d="M0 0H9"/><path d="M0 0H9" stroke-width="7"/></g>',
            2,
        ),
        ('<defs><mask id="m"><path d="M0 0H9" stroke="red"/></mask></defs>', None),
        (
            f'<symbol id="s" viewBox="0 0 10 10">{LINE}</symbol><use href="#s" width="5" height="5"/>',
            0.5,
        ),
    ],
)
def test_thinnest_line_counts_visible_strokes_and_their_scale(body, thinnest):
    assert (
        thinnest_line(drawn_elements(read_art(f"{HEAD}{body}</svg>".encode(), "a.svg"))) == thinnest
    )


def test_non_scaling_stroke_is_one_unit_wide_by_default():
    line = '<path id="p" stroke="red" stroke-dasharray="5, 3" d="M0 0H3" vector-effect="non-scaling-stroke"/>'
    art = read_art(f'{HEAD}<g transform="scale(4)">{line}</g></svg>'.encode(), "a.svg")
    fix_widths(art)
    assert thinnest_line(drawn_elements(art)) == 1
    assert "stroke-dasharray:1.25 0.75" in art.root.find(".//path").get("style")
