"""Test the live page on a phone of 320 pixels: nothing lies beyond its edges, and toolbars wrap."""

import pytest

from tests.tools.live_browser import Chromium, live_page, save, until
from tests.tools.make_pack import make, svg

pytestmark = pytest.mark.browser
PHONE = {
    "viewport": {"width": 320, "height": 690},
    "is_mobile": True,
    "has_touch": True,
    "locale": "de-DE",  # the language with the longest words
}
OUTSIDE = """() => [...document.querySelectorAll("body *")].filter((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  return width > 1 && (left < -1 || right > innerWidth + 1);
}).map((each) => `${each.tagName} ${each.className} ${each.textContent.slice(0, 30)}`)"""
TOOLBARS = ".bar, .choice, .strip"
CROWDED = """(bars) => {
  const inBars = [...document.querySelectorAll(bars)].flatMap((bar) =>
    [...bar.querySelectorAll("a, button, select, input")]);
  const controls = [...new Set(inBars)].filter((each) => each.offsetParent);
  const name = (each) => each.textContent.trim() || each.id || each.type;
  const box = (each) => each.getBoundingClientRect();
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  return [
    ...controls.flatMap((one, index) => controls.slice(index + 1).filter((other) =>
      meet(box(one), box(other))).map((other) => `${name(one)} lies on ${name(other)}`)),
    ...controls.filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth)
      .map((each) => `${name(each)} is cut off`),
    ...controls.filter((each) => box(each).height > 40).map((each) => `${name(each)} is broken`),
  ];
}"""
"""Finds controls of toolbars that lie on each other, are cut off, or are broken into lines."""
MAX_BAR_SHARE = 0.27
"""The share of the screen that the bar at the top may take: four lines of controls."""
TABLE = "id,title,road\nbend,Bend,n-e:road\nline,Line,n-s:road\n"
LINKS = """
links:
  road: {width: 9mm, fill: "#888888"}
print:
  paper: [a4, letter, a3]
rules: {file: rules.md}
"""


@pytest.fixture
def live(tmp_path):
    files = {"layouts/back.yaml": "- fill: $blue\n", "rules.md": "# Play\n\nLay a tile.\n"}
    component = "links: road\nback: layouts/back.yaml"
    pack = make(
        tmp_path / "pack", "- fill: red\n- links: {}\n", TABLE, LINKS, component, files=files
    )
    with live_page(pack) as serving:
        yield serving


@pytest.mark.parametrize(
    ("view", "content"),
    [
        ("cards", ".card img"),
        ("card/cards:bend", ".layer-row"),
        ("sheets", ".slot img"),
        ("table", ".pile img"),
        ("changes", ".choice label"),
    ],
)
def test_every_view_fits_the_screen_of_a_phone(live, view, content):
    with Chromium(**PHONE) as chromium:
        page = chromium.open(live.server.address, f"#{view}")
        page.locator(content).first.wait_for()
        page.locator("#build").wait_for()
        until(page, lambda: page.evaluate(OUTSIDE) == [])
        assert page.evaluate(CROWDED, TOOLBARS) == []
        bar = page.locator(".bar").bounding_box()
        tabs = page.locator("nav").bounding_box()
        assert tabs["width"] > 0.9 * bar["width"], "the tabs have a line of their own"
        assert bar["height"] <= MAX_BAR_SHARE * PHONE["viewport"]["height"]
        assert not chromium.faults


def test_message_about_the_pack_fits_a_phone(live):
    with Chromium(**PHONE) as chromium:
        page = chromium.open(live.server.address)
        save(live.folder / "layouts/front.yaml", f"- {'a_long_name_' * 9}: red\n")
        page.locator("#mistakes").wait_for()
        until(page, lambda: page.evaluate(OUTSIDE) == [])


def test_long_names_of_layers_stay_within_the_inspector_of_a_screen(tmp_path):
    name = "layouts/a-rather-long-name-of-a-layout.yaml"
    layout = "- fill: red\n- svg: art/a-rather-long-name-of-a-picture.svg\n  box: trim\n"
    files = {name: layout, "art/a-rather-long-name-of-a-picture.svg": svg("<path d='M0 0h9v9z'/>")}
    pack = make(tmp_path / "pack", files=files)
    game = (pack / "game.yaml").read_text("utf-8")
    (pack / "game.yaml").write_text(game.replace("layouts/front.yaml", name), "utf-8")
    with live_page(pack) as serving, Chromium() as chromium:
        page = chromium.open(serving.server.address, "#card/cards:one")
        page.locator(".layer-row").first.wait_for()
        until(page, lambda: page.evaluate(OUTSIDE) == [])
