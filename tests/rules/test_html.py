"""The page's source: pictures whose own coordinates begin elsewhere, icons before a comma."""

import re

import pytest
from stand_ins import picture

from generator.core.fonts import font_set
from generator.core.geometry import Size
from generator.core.held import Drawing
from generator.draw.face import Face
from generator.rules.html import html
from generator.rules.model import Figure


def written(read, text, **changes):
    return html(read(f"# T\n\n{text}", **changes), font_set())


def shown(read, size, bleed, view, corner):
    """Where a corner of a picture's trim, in the picture's own units, comes to lie on the page's picture, in mm."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}"><g/></svg>'
    face = Face((Drawing(svg),), size, bleed, "x")
    page = written(read, "::: figure x :::\n", figures={"x": Figure("x", face, "an x")})
    seen, name = re.search(r'<svg class="face" [^>]*viewBox="([^"]+)"[^>]*><use href="#(face-\w+)"', page).groups()
    assert seen == f"0 0 {size.w:g} {size.h:g}"
    symbol = re.search(rf'<symbol id="{name}"[^>]*>(?:<g transform="matrix\(([^)]+)\)">)?', page)
    a, b, c, d, e, f = (float(value) for value in (symbol[1] or "1 0 0 1 0 0").split())
    x, y = corner
    return a * x + c * y + e, b * x + d * y + f


def test_a_picture_is_cut_to_its_trim_wherever_its_coordinates_begin(read):
    assert shown(read, Size(60, 40), 0, "-12.5 -7 60 40", (-12.5, -7)) == pytest.approx((0, 0))
    assert shown(read, Size(60, 40), 0, "-12.5 -7 60 40", (47.5, 33)) == pytest.approx((60, 40))
    assert shown(read, Size(60, 40), 3, "-3 -3 66 46", (0, 0)) == pytest.approx((0, 0))
    assert shown(read, Size(60, 40), 0, "10 20 600 400", (10, 20)) == pytest.approx((0, 0))
    assert shown(read, Size(60, 40), 0, "10 20 600 400", (610, 420)) == pytest.approx((60, 40))


def test_an_icon_keeps_its_comma(read):
    page = written(read, "A sword :sword:, and :shield: then.\n")
    assert re.search(r'<span class="tight"><svg class="icon".*?</svg>,</span> and <svg class="icon"', page)


def test_nothing_that_is_written_becomes_a_part_of_the_page(read):
    evil = "<script>alert(1)</script> <b>&amp; x"
    page = written(
        read, f"{evil} **{evil}**\n\n- {evil}\n\n| {evil} |\n|--|\n| {evil} |\n\n::: note {evil}\n{evil}\n:::\n"
    )
    body = page.partition("<main>")[2].partition("</main>")[0]
    assert "script&gt;alert" in body
    assert "<script" not in body
    assert "<b>" not in body


def test_a_gallery_stands_beside_its_words(read):
    page = written(read, "::: gallery\n- a.svg: A knight — Rides.\n:::\n", picture=lambda name: picture(name, 60, 30))
    assert re.search(r'<div class="shown"><svg class="face".*?<p class="title">A knight</p><p>Rides.</p>', page)
