"""Test the live page on a phone of 360 pixels: nothing lies beyond its edges."""

import pytest

from tests.tools.live_browser import Chromium, live_page, save, until
from tests.tools.make_pack import make

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
OUTSIDE = """() => [...document.querySelectorAll("body *")].filter((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  return width > 1 && (left < -1 || right > innerWidth + 1);
}).map((each) => `${each.tagName} ${each.className} ${each.textContent.slice(0, 30)}`)"""
TABLE = "id,title,road\nbend,Bend,n-e:road\nline,Line,n-s:road\n"
LINKS = """
links:
  road: {width: 9mm, fill: "#888888"}
print:
  paper: [a4, letter, a3]
"""


@pytest.fixture
def live(tmp_path):
    files = {"layouts/back.yaml": "- fill: $blue\n"}
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
        assert not chromium.faults


def test_message_about_the_pack_fits_a_phone(live):
    with Chromium(**PHONE) as chromium:
        page = chromium.open(live.server.address)
        save(live.folder / "layouts/front.yaml", f"- {'a_long_name_' * 9}: red\n")
        page.locator("#over").wait_for()
        until(page, lambda: page.evaluate(OUTSIDE) == [])
