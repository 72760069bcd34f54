"""Test SVG art from a pack: rendered as drawn, isolated from other art, and harmless."""

import pytest

from generator.draw.draw import draw_game
from tests.tools.make_face import art_svg
from tests.tools.make_pack import loaded, make, problems, render_design, svg

RED = "#ff0000"
BLUE = "#0000ff"
GREEN = "#008000"


def make_pack_of_art(folder, body, view="0 0 10 10", **more):
    """Make a pack with one picture that covers the trim."""
    art = body if "xmlns=" in body else svg(body, view)
    return make(folder, "- svg: art/a.svg\n  box: trim\n", files={"art/a.svg": art}, **more)


MARKUP_WITH_RED_SQUARE = {
    "a style sheet": "<style>.a{fill:red}</style><rect class='a' width='10' height='10'/>",
    "one in CDATA": "<style><![CDATA[ .a { fill: red } ]]></style><rect class='a' width='10' height='10'/>",
    "one with a charset": "<style>@charset 'utf-8'; .a{fill:red}</style><rect class='a' width='10' height='10'/>",
    "one with remarks": "<style>/* a{fill:blue} */ .a{fill:red}</style><rect class='a' width='10' height='10'/>",
    "an id in a style sheet": "<style>#a{fill:red}</style><rect id='a' width='10' height='10'/>",
    "several selectors": "<style>.b, .a{fill:red}</style><rect class='a' width='10' height='10'/>",
    "a style": "<rect style='fill:red' width='10' height='10'/>",
    "a gradient": "<linearGradient id='g'><stop stop-color='red'/></linearGradient>"
    "<rect fill='url(#g)' width='10' height='10'/>",
    "a gradient that is named later": "<rect fill='url(#g)' width='10' height='10'/>"
    "<linearGradient id='h'><stop stop-color='red'/></linearGradient><linearGradient id='g' xlink:href='#h'/>",
    "a pattern": "<pattern id='p' width='1' height='1'><rect width='10' height='10' fill='red'/></pattern>"
    "<rect fill='url(#p)' width='10' height='10'/>",
    "use": "<defs><rect id='r' fill='red' width='10' height='10'/></defs><use href='#r'/>",
    "use as it was": "<defs><rect id='r' fill='red' width='10' height='10'/></defs><use xlink:href='#r'/>",
    "a clip": "<clipPath id='c'><rect width='10' height='10'/></clipPath>"
    "<rect clip-path='url(#c)' fill='red' width='20' height='20'/>",
    "a mask": "<mask id='m'><rect width='10' height='10' fill='white'/></mask>"
    "<rect mask=\"url('#m')\" fill='red' width='20' height='20'/>",
    "percent": "<rect fill='red' width='100%' height='100%'/>",
    "a picture within": "<svg viewBox='0 0 1 1'><rect fill='red' width='1' height='1'/></svg>",
    "an editor's own matter": "<metadata>x</metadata><title>y</title><rect fill='red' width='10' height='10'/>",
}  # fmt: skip


@pytest.mark.parametrize("markup", MARKUP_WITH_RED_SQUARE)
def test_markup_renders_its_colours_to_the_trim(markup, tmp_path):
    picture = render_design(make_pack_of_art(tmp_path, MARKUP_WITH_RED_SQUARE[markup]))
    assert picture.box() == (0, 0, 40, 40)
    assert [picture.at(x, y) for x in (1, 39) for y in (1, 39)] == [RED] * 4


@pytest.mark.parametrize("view", ["0 0 10 10", "0 0 1000 1000", "-5 -5 10 10", "0,0,10,10"])
def test_art_of_any_viewbox_covers_the_trim(view, tmp_path):
    x, y, w, h = view.replace(",", " ").split()
    picture = render_design(
        make_pack_of_art(
            tmp_path, f"<rect x='{x}' y='{y}' width='{w}' height='{h}' fill='red'/>", view
        )
    )
    assert picture.box() == (0, 0, 40, 40)


@pytest.mark.parametrize(
    "size", ["width='10' height='10'", "width='10px' height='10px'", "width='10mm' height='10mm'"]
)
def test_art_without_viewbox_takes_its_width_and_height(size, tmp_path):
    unit = 96 / 25.4 if "mm" in size else 1
    half = f"<rect width='{5 * unit}' height='{10 * unit}' fill='red'/>"
    picture = render_design(
        make_pack_of_art(tmp_path, f"<svg xmlns='http://www.w3.org/2000/svg' {size}>{half}</svg>")
    )
    assert picture.box() == pytest.approx((0, 0, 20, 40), abs=0.11)


ROOTS = {
    "its id": ("id='Layer_1'", "#Layer_1 .a{fill:red}"),
    "its class": ("class='top'", ".top .a{fill:red}"),
    "its name": ("", "svg .a{fill:red}"),
    "as root": ("", ":root .a{fill:red}"),
    "its own paint": ("fill='red'", ""),
    "its own style": ("style='fill:red'", ""),
}


@pytest.mark.parametrize("case", ROOTS)
def test_attributes_and_styles_of_root_count(case, tmp_path):
    attributes, css = ROOTS[case]
    body = f"<style>{css}</style><g><rect class='a' width='10' height='10'/></g>"
    art = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 10' {attributes}>{body}</svg>"
    assert render_design(make_pack_of_art(tmp_path, art)).at(20, 20) == RED


@pytest.mark.parametrize(
    "text",
    [
        "<text {a}>MMM</text>",
        "<text {a}><title>x</title>MMM</text>",
        "<text {a}><tspan>MMM</tspan></text>",
    ],
)
@pytest.mark.parametrize(
    "font",
    [
        "font-family='Bungee'",
        "style='font-family: Bungee, Arial'",
        "style='font: normal 3px/1.2 Bungee'",
    ],
)
def test_text_in_art_is_rendered(text, font, tmp_path):
    place = f"x='0' y='9' font-size='9' {font} fill='red'"
    assert (
        render_design(make_pack_of_art(tmp_path, text.format(a=place))).image.getbbox() is not None
    )


ISOLATED = {
    "classes": ("<style>.a{{fill:{c}}}</style><rect class='a' width='10' height='10'/>"),
    "elements": ("<style>rect{{fill:{c}}}</style><rect width='10' height='10'/>"),
    "ids in style sheets": ("<style>#a{{fill:{c}}}</style><rect id='a' width='10' height='10'/>"),
    "gradients": (
        "<linearGradient id='g'><stop stop-color='{c}'/></linearGradient><rect fill='url(#g)' width='10' height='10'/>"
    ),
    "uses": "<defs><rect id='r' fill='{c}' width='10' height='10'/></defs><use href='#r'/>",
    "everything": "<style>*{{fill:{c}}}</style><path d='M0 0h10v10h-10z'/>",
}


@pytest.mark.parametrize("markup", ISOLATED)
@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_styles_and_ids_of_two_pictures_do_not_interfere(markup, order, tmp_path):
    boxes = {"a": "[0, 0, 20, 40]", "b": "[20, 0, 20, 40]"}
    files = {
        f"art/{n}.svg": svg(ISOLATED[markup].format(c=c)) for n, c in (("a", "red"), ("b", "blue"))
    }
    layout = "".join(f"- svg: art/{n}.svg\n  box: {boxes[n]}\n  fit: stretch\n" for n in order)
    picture = render_design(make(tmp_path, layout, files=files))
    assert (picture.at(10, 20), picture.at(30, 20)) == (RED, BLUE)


def test_style_sheet_of_art_does_not_reach_other_layers(tmp_path):
    layout = (
        "- shape: {rect: [0, 0, 20, 40], fill: '#008000'}\n- svg: art/a.svg\n  box: [20, 0, "
        "20, 40]\n  fit: stretch\n"
    )
    art = svg("<style>rect, * {fill: red !important}</style><rect width='10' height='10'/>")
    picture = render_design(make(tmp_path, layout, files={"art/a.svg": art}))
    assert (picture.at(10, 20), picture.at(30, 20)) == (GREEN, RED)


def test_same_art_is_rendered_in_two_colours(tmp_path):
    files = {"art/a.svg": svg("<rect width='10' height='10' fill='currentColor'/>")}
    layout = "- svg: art/a.svg\n  box: [0, 0, 20, 20]\n  colour: red\n"
    layout += "- svg: art/a.svg\n  box: [20, 20, 20, 20]\n  colour: blue\n"
    picture = render_design(make(tmp_path, layout, files=files))
    assert (picture.at(10, 10), picture.at(30, 30)) == (RED, BLUE)


BOMB = "<defs><g id='a0'><rect width='1' height='1'/></g>" + "".join(
    f"<g id='a{n + 1}'>" + f"<use href='#a{n}'/>" * 10 + "</g>" for n in range(9)
)  # fmt: skip
REFUSED_MARKUP = {
    "<script>alert(1)</script>": "<script>",
    "<foreignObject><p/></foreignObject>": "<foreignObject>",
    "<image href='http://example.com/x.png'/>": "'http://example.com/x.png'",
    "<image xlink:href='file:///etc/passwd'/>": "'file:///etc/passwd'",
    "<image href='other.png'/>": "'other.png'",
    "<use href='other.svg#a'/>": "'other.svg#a'",
    "<rect fill='url(http://example.com/x)'/>": "'http://example.com/x'",
    "<style>.a{fill:url(http://example.com/x)}</style>": "'http://example.com/x'",
    "<style>@import 'x.css';</style>": "@import",
    "<g>" * 300 + "</g>" * 300: "nested more than 200 deep",
    BOMB + "</defs><use href='#a9'/>": "draws more than",
    "<g id='a'><use href='#a'/></g>": "within itself",
    "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>": "within itself",
    "".join(f"<g id='a{n}'><use href='#a{n + 1}'/></g>" for n in range(3000)): "nested more than",
    "<text font-family='Comic Sans'>x</text>": "'Comic Sans', which is not in the font set",
    "<text style='font: bold 12px/1.2 \"Comic Sans\"'>x</text>": "'Comic Sans', which is not in the font set",
    "<style>text{font-family:Comic Sans}</style><text>x</text>": "'Comic Sans', which is not in the font set",
    "<text font-family=\"''\">x</text>": "sets text in '', which is not in the font set",
    "<g>": "is not well-formed XML",
}


@pytest.mark.parametrize("body", REFUSED_MARKUP, ids=[text[:40] for text in REFUSED_MARKUP])
def test_unsafe_or_endless_markup_is_refused_with_file_name(body, tmp_path):
    messages = problems(make_pack_of_art(tmp_path, body))
    assert "art/a.svg" in messages
    assert REFUSED_MARKUP[body] in messages


FILES = {
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>': "XML entities",
    '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"/>': "XML entities",
    "<svg/>": "has neither a viewBox nor a width and a height",
    "<html/>": "is not an SVG picture",
    "": "is not well-formed XML",
    '<svg xmlns="http://www.w3.org/2000/svg"/>': "neither a viewBox nor",
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 1"/>': "is empty",
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="a b c d"/>': "four numbers",
}


@pytest.mark.parametrize("art", FILES)
def test_invalid_svg_file_is_refused(art, tmp_path):
    pack = make(tmp_path, "- svg: art/a.svg\n", files={"art/a.svg": art})
    assert FILES[art] in problems(pack)


def test_art_of_more_than_8_mb_is_refused(tmp_path):
    assert "more than 8 MB" in problems(make_pack_of_art(tmp_path, f"<!-- {'x' * 8_000_000} -->"))


def test_doctype_of_drawing_programs_is_accepted(tmp_path):
    art = (
        '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" '
        '"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg xmlns="http://www.w3.org/2000/svg" '
        'viewBox="0 0 10 10"><rect width="10" height="10" fill="red"/></svg>'
    )
    assert render_design(make_pack_of_art(tmp_path, art)).at(20, 20) == RED


def test_scripts_and_event_handlers_are_removed_from_art(tmp_path):
    body = "<rect width='10' height='10' onclick='alert(1)' onload='alert(2)'><set attributeName='href' to='x'/></rect>"
    body += (
        "<a href='javascript:alert(3)'><rect width='1' height='1'/></a><style>"
        "@font-face{src:url(alert.ttf)}</style>"
    )
    face = draw_game(loaded(make_pack_of_art(tmp_path, body)))[0].designs[0].front
    assert "<rect" in art_svg(face)
    assert "alert" not in art_svg(face)
    assert "<set" not in art_svg(face)
