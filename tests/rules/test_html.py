"""Test the HTML of rules: pictures, icons, escaped text, galleries."""

import re
from dataclasses import replace

import pytest

from generator.base.fonts import font_set
from generator.base.geometry import Rect, Size
from generator.picture.face import Face
from generator.picture.items import Art, PlacedArt
from generator.rules.html import render_html
from generator.rules.model import Figure, Span, Thumbnail, Thumbnails
from tests.tools.make_face import rect
from tests.tools.make_pack import svg
from tests.tools.placeholder_figures import picture


def html_of(read, text, **changes):
    return render_html(read(f"# T\n\n{text}", **changes), font_set())


def figure_on_page(read, face):
    """Return the view box of a figure on the page, the content of its symbol, and the page."""
    page = html_of(read, "::: figure x :::\n", figures={"x": Figure("x", face, "an x")})
    view_box, name = re.search(
        r'<svg class="face" [^>]*viewBox="([^"]+)"[^>]*><use href="#(face-\w+)"', page
    ).groups()
    return view_box, re.search(rf'<symbol id="{name}"[^>]*>(.*?)</symbol>', page)[1], page


@pytest.mark.parametrize("bleed", [0, 3])
def test_figure_shows_a_face_without_its_bleed(read, bleed):
    items = (
        rect(-bleed, -bleed, 60 + 2 * bleed, 40 + 2 * bleed, "#ff0000"),
        rect(1, 2, 3, 4, "#0000ff"),
    )
    view_box, symbol, _ = figure_on_page(read, Face(items, Size(60, 40), bleed, "x"))
    assert view_box == "0 0 60 40"
    boxes = [
        {key: float(value) for key, value in re.findall(r' (x|y|width|height)="([^"]+)"', part)}
        for part in re.findall("<rect[^>]*>", symbol)
    ]
    assert "transform" not in symbol
    assert boxes == [
        {"x": -bleed, "y": -bleed, "width": 60 + 2 * bleed, "height": 40 + 2 * bleed},
        {"x": 1, "y": 2, "width": 3, "height": 4},
    ]


def test_art_with_an_offset_view_box_fills_its_box(read):
    art = Art("a.svg", svg("<g/>", "10 20 600 400"), Rect(10, 20, 600, 400))
    placed = PlacedArt(art, Rect(5, 5, 30, 20))
    _, symbol, page = figure_on_page(read, Face((placed,), Size(60, 40), 0, "x"))
    name = re.search(
        r'<use href="#([^"]+)" x="5" y="5" width="30" height="20"', with_sorted_attributes(symbol)
    )[1]
    assert re.search(
        rf'<symbol id="{name}"[^>]* viewBox="10 20 600 400"', with_sorted_attributes(page)
    )


def test_thumbnail_stands_above_its_caption(read):
    face = Face((rect(0, 0, 60, 40, "#ff0000"),), Size(60, 40), 0, "x")
    thumbnails = Thumbnails((Thumbnail(face, (Span("1 ×", bold=True), Span(" Fox"))),))
    page = render_html(replace(read("# T\n\nx"), blocks=(thumbnails,)), font_set())
    figure = re.search(r"<figure>(.*?)</figure>", page, re.DOTALL)[1]
    assert '<svg class="face"' in figure
    assert figure.endswith("<figcaption><strong>1 ×</strong> Fox</figcaption>")


def with_sorted_attributes(page):
    """Return a page whose elements have their attributes in one order: id, href, place, size, others."""
    order = ["id", "href", "x", "y", "width", "height"]

    def sort(match):
        pairs = re.findall(r' ([\w:-]+)="([^"]*)"', match[2])
        pairs.sort(key=lambda pair: order.index(pair[0]) if pair[0] in order else len(order))
        return f"<{match[1]}" + "".join(f' {key}="{value}"' for key, value in pairs) + match[3]

    return re.sub(r"<(use|symbol)((?: [\w:-]+=\"[^\"]*\")*)( ?/?>)", sort, page)


def test_line_never_breaks_between_an_icon_and_its_comma(read):
    page = html_of(read, "A sword :sword:, and :shield: then.\n")
    assert re.search(
        r'<span class="tight"><svg class="icon".*?</svg>,</span> and <svg class="icon"', page
    )


def test_markup_in_the_text_of_rules_is_escaped(read):
    evil = "<script>alert(1)</script> <b>&amp; x"
    page = html_of(
        read,
        f"{evil} **{evil}**\n\n- {evil}\n\n| {evil} |\n|--|\n| {evil} |\n\n::: note {evil}\n{evil}\n:::\n",
    )
    body = page.partition('<div class="game">')[2].partition("<footer>")[0]
    assert "script&gt;alert" in body
    assert "<script" not in body
    assert "<b>" not in body


def test_gallery_shows_a_picture_with_its_title_and_text(read):
    page = html_of(
        read,
        "::: gallery\n- a.svg: A knight — Rides.\n:::\n",
        picture=lambda name: picture(name, 60, 30),
    )
    assert re.search(
        r'<div class="shown"><button [^>]*><svg class="face".*<p class="title">A knight</p><p>Rides.</p>',
        page,
        re.DOTALL,
    )
