"""Style sheets, worked out on the elements that they mean."""

import re

import pytest

from generator.base.errors import InvalidValueError
from generator.draw.art import css
from generator.draw.art.read import read_art
from generator.draw.art.tree import fix_widths, thinnest_line, walk, weight
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
    with pytest.raises(InvalidValueError, match=re.escape(f"has the selector {selector!r}")):
        styles(f"{selector} {{ fill: red }}", '<rect id="a"/>')


def test_a_variable_without_a_value_is_an_error():
    with pytest.raises(InvalidValueError, match="the variable --x has no value"):
        styles("rect{fill:var(--x)}", '<rect id="a"/>')


def test_a_variable_that_is_itself_is_an_error():
    with pytest.raises(InvalidValueError, match="leads back to itself"):
        styles("rect{--x:var(--x);fill:var(--x)}", '<rect id="a"/>')


def test_no_style_reaches_another_picture(face_of, tmp_path):
    path = tmp_path / "a.svg"
    path.write_text(
        f'{HEAD}<style>rect{{fill:red}}</style><rect id="r" width="5" height="5"/></svg>'
    )
    drawn = art_svg(face_of(path))
    assert "<style" not in drawn
    assert "fill:red" in drawn


@pytest.mark.parametrize(
    ("media", "counts"),
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
def test_only_what_is_meant_for_print_counts(media, counts):
    grouped = styles(f"@media {media} {{ rect {{ fill: red }} }}", '<rect id="a"/>')
    assert bool(grouped["a"]) is counts
    sheet = f'<style media="{media}">rect{{fill:red}}</style><rect id="a"/>'
    assert bool(styles("", sheet)["a"]) is counts


@pytest.mark.parametrize(
    ("kind", "counts"), [("text/css", True), (" ", True), ("text/less", False)]
)
def test_only_sheets_of_css_count(kind, counts):
    assert (
        bool(styles("", f'<style type="{kind}">rect{{fill:red}}</style><rect id="a"/>')["a"])
        is counts
    )


def test_groups_in_groups_are_read_so_deep():
    def nested(deep: int) -> str:
        return "@media print{" * deep + "rect{fill:red}" + "}" * deep

    assert styles(nested(8), '<rect id="a"/>')["a"] == "fill:red"
    assert styles(f"@media screen{{{nested(9)}}}", '<rect id="a"/>')["a"] == ""
    with pytest.raises(
        InvalidValueError, match=r"^a\.svg: its style sheets have @media in @media more than 8 deep"
    ) as caught:
        styles(nested(9), '<rect id="a"/>')
    assert caught.value.expected == "at most 8"


def test_a_list_of_selectors_may_be_so_long(monkeypatch):
    monkeypatch.setattr(css, "MAX_SELECTOR_CHARS", 90)
    most = "rect," * 17 + "#abcd"
    assert styles(f"{most}{{fill:red}}", '<rect id="a"/>')["a"] == "fill:red"
    with pytest.raises(InvalidValueError, match=re.escape(f"has the selector '{most[:77]}…'")):
        styles(f"{most}e{{fill:red}}", '<rect id="a"/>')


def test_a_sheet_that_takes_too_many_steps_is_refused(monkeypatch):
    """A tag that is nowhere costs nothing; a chain of ancestors is tried at each depth."""
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


def test_an_earlier_colour_counts_where_the_later_is_of_a_newer_kind():
    found = styles(
        "rect{fill:red;fill:oklch(0.5 0.1 20);stroke:rgb(1,2,3)}",
        '<rect id="a" style="color:lab(1 2 3)"/>',
    )
    assert found["a"] == "fill:red;stroke:rgb(1,2,3)"


def test_variables_are_inherited_and_may_be_told_anew():
    body = '<g id="g"><rect id="a" fill="var(--x)" style="stroke:var(--none, var(--x))"/></g><rect id="b"/>'
    art = f"{HEAD}<style>svg{{--x:red}} g{{--x:blue}} #b{{fill:var(--x)}}</style>{body}</svg>"
    found = {element.get("id"): element for element in read_art(art.encode(), "a.svg").root.iter()}
    assert found["a"].get("fill", found["a"].get("style")) == "blue"
    assert "stroke:blue" in found["a"].get("style")
    assert found["b"].get("style") == "fill:red"
    assert "--" not in found["g"].get("style", "")


@pytest.mark.parametrize(
    ("written", "meant"),
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
def test_newer_ways_to_write_are_the_older_ones(written, meant):
    assert styles("", f'<rect id="a" style="{written}"/>')["a"] == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("rotate(100grad)", "rotate(90)"),
        ("rotate(0.25turn) translateX(3px)", "rotate(90) translate(3, 0)"),
        ("none", ""),
    ],
)
def test_what_css_moves_is_moved_as_svg_writes_it(written, meant):
    """In a style browsers would ask for units, which the engines that print do not know."""
    body = f'<rect id="a" transform="scale(3)" style="transform:{written}"/>'
    art = read_art(f"{HEAD}{body}</svg>".encode(), "a.svg")
    found = next(element for element in art.root.iter() if element.get("id") == "a")
    assert found.attrib == {"id": "a", "transform": meant, "style": ""}


def test_what_is_done_to_a_picture_within_is_done_to_a_group_round_it():
    body = '<svg width="5" height="5" opacity=".5" overflow="visible" transform="scale(2)"><rect id="a"/></svg>'
    (group,) = read_art(f"{HEAD}{body}</svg>".encode(), "a.svg").root
    (inner,) = group
    assert (group.tag, group.attrib) == ("g", {"opacity": ".5", "transform": "scale(2)"})
    assert (inner.tag, inner.attrib) == (
        "svg",
        {"width": "5", "height": "5", "overflow": "visible"},
    )
    assert [item.get("id") for item in inner] == ["a"]


def test_a_width_of_auto_leaves_the_one_that_is_there():
    art = read_art(f'{HEAD}<rect width="5" style="width:auto;height:3px"/></svg>'.encode(), "a.svg")
    assert art.root[0].attrib["width"] == "5"
    assert art.root[0].attrib["height"] == "3px"


@pytest.mark.parametrize(
    ("word", "inherited", "meant"),
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
    ],
)
def test_how_heavy_letters_are(word, inherited, meant):
    """As CSS Fonts 4, 2.2.1 has it."""
    assert weight(word, inherited) == meant


def test_sizes_by_a_word():
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
    ],
)
def test_the_thinnest_line(body, thinnest):
    assert thinnest_line(read_art(f"{HEAD}{body}</svg>".encode(), "a.svg").root) == thinnest


def test_a_line_of_fixed_width_is_one_unit_wide_where_nothing_is_said():
    line = '<path id="p" stroke="red" stroke-dasharray="5, 3" d="M0 0H3" vector-effect="non-scaling-stroke"/>'
    art = read_art(f'{HEAD}<g transform="scale(4)">{line}</g></svg>'.encode(), "a.svg")
    fix_widths(art)
    assert thinnest_line(art.root) == 1
    assert "stroke-dasharray:1.25 0.75" in art.root.find(".//path").get("style")
