"""Test the theme of a booklet: strips, bands, numbers on art, cover and back cover."""

from functools import cache
from io import BytesIO
from typing import get_args

import numpy as np
import pypdfium2
import pytest

from generator.export.rules import require_rules, set_rules
from generator.pack.game_spec import ThemeSpec
from generator.pipeline.project import BuildRequest, Project
from generator.rules.booklet.make import TO_READ
from generator.rules.html import render_html

SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}"><rect width="{w}" '
    'height="{h}" fill="{fill}"/></svg>'
)
ART = {
    "strip": (20, 10, "#ff0000"),
    "banner": (176, 20, "#00ff00"),
    "disc": (10, 10, "#0000ff"),
    "cover": (100, 100, "#ff00ff"),
}
YELLOW = (255, 255, 0)
RED = (255, 0, 0)
GREEN = (0, 255, 0)
BLUE = (0, 0, 255)
PINK = (255, 0, 255)
BAND = (0, 128, 128)
GAME = """name: T
version: "1"
components: {cards: {title: Cards, size: poker, data: [{id: a}], front: card.yaml}}
rules:
  cover: art/cover.svg
  theme: {title: "#000000", head: art/strip.svg, first: art/banner.svg, band: "#008080", numeral: art/disc.svg}
"""
RULES = """# A title

Some words to begin with.

## First

1. Do this.
2. Do that.

::: page-break :::

## Then

Do something else.

::: back-cover :::

## In short

Do this, do that.
"""
PER_MM = 4


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Return the pages of a small booklet as pictures, at `PER_MM` pixels per mm."""
    return render_booklet(tmp_path_factory.mktemp("theme"), GAME)


def render_booklet(folder, game, rules=RULES):
    (folder / "art").mkdir(exist_ok=True)
    for name, (w, h, fill) in ART.items():
        (folder / "art" / f"{name}.svg").write_text(SQUARE.format(w=w, h=h, fill=fill), "utf-8")
    (folder / "game.yaml").write_text(game, "utf-8")
    (folder / "card.yaml").write_text('layers: [{fill: "#ffffff"}]', "utf-8")
    (folder / "rules.md").write_text(rules, "utf-8")
    project = Project(BuildRequest(folder))
    written, _ = set_rules(project, require_rules(project), TO_READ)
    with pypdfium2.PdfDocument(BytesIO(written.pdf)) as document:
        return [
            np.array(page.render(scale=PER_MM * 25.4 / 72).to_pil().convert("RGB"))
            for page in document
        ]


def find_colour(page, colour):
    """Return the box of a colour: left, top, right, bottom in mm."""
    rows, columns = np.nonzero((abs(page.astype(int) - colour) < 12).all(axis=2))
    return [
        round(float(value) / PER_MM)
        for value in (columns.min(), rows.min(), columns.max(), rows.max())
    ]


def test_cover_art_lies_under_the_title_and_fills_the_page(pages):
    left, top, right, bottom = find_colour(pages[0], PINK)
    assert (left, right) == (9, 201)
    assert top == 14
    assert bottom > 250


def test_strip_runs_along_the_head_of_every_page(pages):
    for page in pages[1:]:
        left, top, right, bottom = find_colour(page, RED)
        assert (left, right) == (17, 193)
        assert (top, bottom) == (6, 10)


def test_banner_heads_the_first_page_and_stands_at_the_foot_of_the_last(pages):
    """The banner keeps its proportions above the first text and below the last."""
    assert find_colour(pages[1], GREEN) == [17, 14, 193, 34]
    assert find_colour(pages[2], GREEN) == [17, 242, 193, 262]


def test_headings_lie_on_a_band_as_wide_as_their_column(pages):
    left, _, right, _ = find_colour(pages[1], BAND)
    assert right - left in {84, 85}


def test_numbers_of_steps_stand_on_art(pages):
    left, top, right, bottom = find_colour(pages[1], BLUE)
    assert 5 <= right - left <= 7
    assert bottom - top > 7


def test_empty_part_of_the_back_cover_shows_the_cover_art(pages):
    left, top, right, bottom = find_colour(pages[-1], PINK)
    assert (left, right) == (17, 193)
    assert top < 60
    assert bottom == 262


def test_back_art_surrounds_the_text_of_the_back_cover_and_keeps_its_foot(tmp_path):
    """The art is as large as the cover, and the text has a background in the page's colour."""
    foot = '<rect y="399" width="100" height="1" fill="#00ff00"/></svg>'
    game = GAME.replace("theme: {", "theme: {back: art/with-foot.svg, ")
    (tmp_path / "art").mkdir()
    tall = SQUARE.format(w=100, h=400, fill="#ffff00").replace("</svg>", foot)
    (tmp_path / "art/with-foot.svg").write_text(tall, "utf-8")
    page = render_booklet(tmp_path, game)[-1]
    assert find_colour(page, YELLOW)[:3] == [9, 14, 201]
    assert find_colour(page, GREEN) == [9, 257, 201, 259]
    assert (page[24 * PER_MM, 150 * PER_MM] == (255, 255, 255)).all()
    assert (page[200 * PER_MM, 60 * PER_MM] == YELLOW).all()


@pytest.mark.parametrize("banner", ["first: art/banner.svg, ", ""])
def test_fillers_take_turns_at_the_feet_of_pages(banner, tmp_path):
    """Three short pages show the first filler, the second, and the first again, as wide as the text."""
    game = GAME.replace("first: art/banner.svg, ", banner).replace(
        "theme: {", "theme: {fillers: [art/yellow.svg, art/blue.svg], "
    )
    game = game.replace(", numeral: art/disc.svg", "")
    (tmp_path / "art").mkdir()
    for name, fill in (("yellow", "#ffff00"), ("blue", "#0000ff")):
        (tmp_path / f"art/{name}.svg").write_text(SQUARE.format(w=200, h=120, fill=fill), "utf-8")
    short = RULES.replace("## Then", "## Next\n\nWait.\n\n::: page-break :::\n\n## Then")
    pages = render_booklet(tmp_path, game, short)[1:4]
    for page, shown, other in zip(pages, (YELLOW, BLUE, YELLOW), (BLUE, YELLOW, BLUE), strict=True):
        left, top, right, bottom = find_colour(page, shown)
        assert (left, right, bottom) == (17, 193, 262)
        assert bottom - top == pytest.approx(279.4 / 3, abs=1)
        assert not (abs(page.astype(int) - other) < 12).all(axis=2).any()


def test_lettered_cover_hides_the_printed_title_but_keeps_the_heading(tmp_path):
    """The picture shows the title, so the page shows none; the file and the web page still name it."""
    page = render_booklet(tmp_path, GAME.replace('title: "#000000"', "lettered: true"))[0]
    assert find_colour(page, PINK)[:3] == [9, 14, 201]
    assert (page[16 * PER_MM : 250 * PER_MM, 10 * PER_MM : 200 * PER_MM] == PINK).all()
    project = Project(BuildRequest(tmp_path))
    written, _ = set_rules(project, require_rules(project), TO_READ)
    with pypdfium2.PdfDocument(BytesIO(written.pdf)) as document:
        assert "A title" in document[0].get_textpage().get_text_bounded()
        assert next(mark.get_title() for mark in document.get_toc()) == "A title"
    rules = require_rules(project)
    assert '<h1 class="hidden">A title</h1>' in render_html(rules, project.game.fonts)


HEADINGS = """name: T
version: "1"
components: {cards: {title: Cards, size: poker, data: [{id: a}], front: card.yaml}}
rules: {theme: {headings: %s, band: "#008080", box: "#ffff00", rule: art/strip.svg, mark: art/disc.svg}}
"""


@pytest.fixture(scope="module")
def heading_of(tmp_path_factory):
    """Return a function that gives a first page, which has one heading, in a style."""

    @cache
    def render(style):
        return render_booklet(tmp_path_factory.mktemp(style), HEADINGS % style)[0]

    return render


STYLES_OF_HEADINGS = get_args(get_args(ThemeSpec.model_fields["headings"].annotation)[0])


@pytest.mark.parametrize("style", sorted({*STYLES_OF_HEADINGS} - {"ribbon"}))
def test_every_other_style_of_headings_is_lighter_than_a_ribbon(heading_of, style):
    """Count the pixels in the colour of headings."""
    filled, ribbon = (
        np.count_nonzero((abs(heading_of(name).astype(int) - BAND) < 12).all(axis=2))
        for name in (style, "ribbon")
    )
    assert filled < ribbon / 4


def test_rule_runs_under_the_words_and_line_after_them(heading_of):
    """The strip is as wide as its column under the words, and begins after them beside them."""
    rule = find_colour(heading_of("rule"), RED)
    line = find_colour(heading_of("line"), RED)
    mark = find_colour(heading_of("line"), BLUE)
    assert rule[2] - rule[0] == pytest.approx(84, abs=1)
    assert line[2] == rule[2]
    assert line[0] > rule[0] + 20
    assert mark[1] < (line[1] + line[3]) / 2 < mark[3]


def test_plate_frames_the_words_in_the_colour_of_boxes(heading_of):
    page = heading_of("plate")
    edge = find_colour(page, BAND)
    background = find_colour(page, YELLOW)
    assert edge[2] - edge[0] == pytest.approx(84, abs=1)
    assert edge[0] <= background[0] <= background[2] <= edge[2]


def test_sprig_puts_the_mark_at_the_end_of_the_line(heading_of):
    page = heading_of("sprig")
    line = find_colour(page, BAND)
    mark = find_colour(page, BLUE)
    assert mark[2] == pytest.approx(line[2], abs=1)
    assert mark[3] == pytest.approx(line[1], abs=1)


def test_stripes_stand_at_the_end_of_the_line(heading_of):
    """Three bars are crossed by a row above the line, all in the last quarter of the column."""
    page = (abs(heading_of("stripes").astype(int) - BAND) < 12).all(axis=2)
    line = find_colour(heading_of("stripes"), BAND)
    row = page[round((line[3] - 3.5) * PER_MM)]
    starts = np.flatnonzero(np.diff(row.astype(int)) == 1) / PER_MM
    assert len(starts) == 3
    assert starts[0] > line[0] + 0.75 * 84


@pytest.mark.parametrize("language", ["en", "ar"])
def test_mark_stands_where_reading_begins(tmp_path, language):
    game = HEADINGS.replace('version: "1"', f'version: "1"\nlanguage: {language}') % "rule"
    page = render_booklet(tmp_path, game)[0]
    mark = find_colour(page, BLUE)
    strip = find_colour(page, RED)
    assert (abs(mark[0] - strip[0]) < 2) == (language == "en")
