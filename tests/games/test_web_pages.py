"""Test the web pages of the bundled games in a browser, as a player sees them on a desk and on a phone."""

import json
import re

import pytest

from tests.conftest import ROOT
from tests.tools.live_browser import Chromium, box_of, until

pytestmark = pytest.mark.browser
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
GAMES = sorted(path.parent.name for path in ROOT.glob("templates/*/game.yaml"))
OUTSIDE = """() => [...document.querySelectorAll("body *")].filter((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  return width > 1 && (left < -1 || right > innerWidth + 1) && each.checkVisibility()
    && !each.closest("svg, .hidden, .table");
}).map((each) => `${each.tagName} ${each.className} ${each.textContent.slice(0, 30)}`)"""


@pytest.fixture(scope="module")
def chromium():
    with Chromium() as browser:
        yield browser


@pytest.fixture(scope="module", params=GAMES)
def folder(request, shared, make_game):
    """The folder with the pages of a game."""
    game = request.param
    outputs = ("--what", "web", "--what", "gallery")
    return shared(f"web/{game}", lambda at: make_game("build", game, "-o", at, *outputs)) / game


@pytest.fixture(scope="module")
def rules(folder):
    (page,) = folder.glob("*-rules.html")
    return page.as_uri()


def open_page(browser, address, size, place=""):
    """Open a page in a window of a size, with its fonts; no request leaves its folder."""
    browser.look["viewport"] = size
    page = browser.open(address, place)
    until(page, lambda: page.evaluate("document.fonts.status === 'loaded'"))
    assert not browser.faults
    assert all(asked.startswith(address.rpartition("/")[0]) for asked in browser.foreign)
    return page


def shown_share(box, size):
    """Return the share of the first screen that a box takes."""
    across = min(box["x"] + box["width"], size["width"]) - max(box["x"], 0)
    down = min(box["y"] + box["height"], size["height"]) - max(box["y"], 0)
    return max(across, 0) * max(down, 0) / (size["width"] * size["height"])


@pytest.mark.parametrize(("size", "least"), [(DESK, 0.42), (PHONE, 0.6)])
def test_cover_fills_half_of_the_first_screen_of_the_rules(rules, chromium, size, least):
    page = open_page(chromium, rules, size)
    cover = box_of(page.locator(".hero .cover svg"))
    assert cover["y"] == 0
    assert cover["y"] + cover["height"] <= size["height"] + 1, "the full cover is visible"
    assert shown_share(cover, size) >= least
    title = box_of(page.locator("h1"))
    assert title["width"] <= 1, "the title is lettered on the cover"
    page.context.close()


def test_rules_fit_a_phone_with_and_without_a_picture_open(rules, chromium):
    page = open_page(chromium, rules, PHONE)
    assert page.evaluate(OUTSIDE) == []
    tables = page.locator(".table")
    assert tables.count() > 0
    assert not tables.evaluate_all("all => all.some(each => each.scrollWidth > each.clientWidth)")
    page.locator("figure .enlarge").first.click()
    close = box_of(page.locator(".large:popover-open .close"))
    assert close["x"] + close["width"] <= PHONE["width"]
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.context.close()


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_figure_opens_large_by_mouse_and_keys(rules, chromium, size):
    page = open_page(chromium, rules, size)
    button = page.locator("figure .enlarge").first
    small = box_of(button.locator("svg"))
    large = page.locator(".large:popover-open")
    button.click()
    assert box_of(large.locator("svg"))["width"] >= 1.2 * small["width"]
    page.keyboard.press("Escape")
    assert large.count() == 0
    button.focus()
    page.keyboard.press("Enter")
    large.locator(".close").click()
    assert large.count() == 0
    page.context.close()


def test_figures_and_text_share_a_column_of_readable_lines(rules, chromium):
    page = open_page(chromium, rules, DESK)
    column = box_of(page.locator("main > p").first)
    figure = box_of(page.locator("figure.column").first)
    assert figure["width"] == pytest.approx(column["width"], abs=1)
    # A letter of Alegreya is 0.43 em wide on average; lines of 45 to 90 letters are usual limits.
    letters = column["width"] / (
        page.evaluate("parseFloat(getComputedStyle(document.querySelector('main p')).fontSize)")
        * 0.43
    )
    assert 45 <= letters <= 90
    page.context.close()


@pytest.fixture(scope="module")
def gallery(folder):
    (page,) = folder.glob("*-gallery/index.html")
    return page.as_uri()


@pytest.mark.parametrize(("size", "least"), [(DESK, 0.42), (PHONE, 0.6)])
def test_gallery_begins_with_the_cover_and_large_faces(gallery, chromium, size, least):
    page = open_page(chromium, gallery, size)
    assert shown_share(box_of(page.locator(".hero .cover svg")), size) >= least
    # A tile of 36 mm is the smallest piece but for tokens and dice.
    wide = page.locator(".designs figure").evaluate_all(
        "all => all.filter(each => each.querySelector('svg').style.getPropertyValue('--w') >= 36)"
        ".map(each => each.querySelector('svg').getBoundingClientRect().width)"
    )
    assert min(wide) >= 150
    page.context.close()


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_gallery_shows_whole_names_and_every_side(gallery, chromium, size):
    page = open_page(chromium, gallery, size)
    cards = json.loads(page.locator("#state").text_content())["cards"]
    names = page.locator(".designs figure[data-name] figcaption .name")
    assert names.all_inner_texts() == [card["title"] for card in cards]
    cut = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible')"
    assert page.locator(".designs figcaption, .designs .name").evaluate_all(cut) == []
    seen = page.locator(".designs figure > :not(dialog) use").evaluate_all(
        "all => all.filter(e => e.checkVisibility()).map(e => e.getAttribute('href').slice(6))"
    )
    assert {side["key"] for card in cards for side in card["sides"]} == set(seen)
    page.context.close()


def test_gallery_fits_a_phone_with_a_card_open_and_with_its_data(gallery, chromium):
    page = open_page(chromium, gallery, PHONE)
    assert page.evaluate(OUTSIDE) == []
    page.locator(".designs .enlarge").first.click()
    page.locator(".large:popover-open").wait_for()
    assert page.evaluate(OUTSIDE) == []
    page.keyboard.press("Escape")
    page.locator(".game .switch").click()
    page.locator(".card").first.wait_for()
    until(page, lambda: page.evaluate(OUTSIDE) == [])
    page.context.close()


def test_switch_shows_the_data_of_the_gallery_and_the_address_keeps_it(gallery, chromium):
    page = open_page(chromium, gallery, DESK)
    data = page.locator("#side")
    assert not data.is_visible()
    assert not page.locator("#search").is_visible()
    switch = page.get_by_role("switch")
    assert switch.get_attribute("aria-checked") == "false"
    switch.focus()
    page.keyboard.press("Space")
    data.wait_for()
    assert not page.locator(".hero").is_visible()
    page.reload()
    data.wait_for()
    assert switch.get_attribute("aria-checked") == "true"
    switch.click()
    page.locator(".hero").wait_for()
    assert not data.is_visible()
    page.context.close()


def test_pages_hold_each_large_picture_once(folder):
    """A small ornament may be twice on a page: as a heading's mark and as an icon in the text."""
    for page in folder.rglob("*.html"):
        pictures = re.findall(
            r'"(data:image/[^"]{4000,})"|url\((data:image/[^)]{4000,})\)', page.read_text("utf-8")
        )
        assert len(pictures) == len(set(pictures)), page.name
