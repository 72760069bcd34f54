"""Test the pages of the booklet on the live page: pictures on demand, which follow the rules."""

import io
import json

import pytest
from PIL import Image

from tests.live.test_server import ask
from tests.tools.live_browser import Chromium, caught_up, live_page, save, until
from tests.tools.make_pack import make

RULES_OF_SEVERAL_PAGES = "# Play\n\n" + "".join(
    f"## Part {n}\n\n{'Lay a card. ' * 60}\n\n" for n in range(9)
)


@pytest.fixture
def live(tmp_path):
    files = {"rules.md": "# Play\n\nLay a card.\n"}
    with live_page(make(tmp_path / "pack", more="rules: {file: rules.md}", files=files)) as serving:
        yield serving


def count_pages(live):
    return json.loads(ask(live, "/booklet")[1])["pages"]


def test_booklet_comes_as_pictures_of_its_pages(live):
    assert count_pages(live) == 1
    answer, png = ask(live, "/booklet/1.png")
    assert answer.headers["Content-Type"] == "image/png"
    page = Image.open(io.BytesIO(png)).convert("L")
    assert 0 < sum(page.histogram()[:128]) < page.width * page.height / 4, "text on white paper"
    assert page.height > page.width
    for path in ("/booklet/0.png", "/booklet/2.png", "/booklet/-1.png", "/booklet/rules.md"):
        assert ask(live, path)[0].status == 404, path


def test_booklet_pages_change_with_the_rules(live):
    queue = live.session.subscribe()
    save(live.folder / "rules.md", RULES_OF_SEVERAL_PAGES)
    queue.get(timeout=60)
    assert count_pages(live) > 2


def test_booklet_pages_of_a_game_without_rules_are_refused(tmp_path):
    with live_page(make(tmp_path / "pack")) as live:
        assert "this game has no rules" in json.loads(ask(live, "/booklet")[1])["error"]


@pytest.mark.browser
@pytest.mark.parametrize("look", [{}, {"viewport": {"width": 360, "height": 740}}])
def test_booklet_pages_appear_beside_the_rules_on_request(live, look):
    with Chromium(**look) as chromium:
        page = chromium.open(live.server.address, "#rules")
        page.frame_locator("iframe").get_by_text("Lay a card.").wait_for()
        assert not page.locator(".book").is_visible()
        page.get_by_role("button", name="Booklet pages").click()
        first = page.get_by_role("img", name="Page 1")
        first.wait_for()
        web = page.locator("iframe").bounding_box()
        book = page.locator(".book").bounding_box()
        if look:
            assert web["y"] + web["height"] <= book["y"] + 1, "on a phone the pages lie below"
        else:
            assert web["x"] + web["width"] <= book["x"] + 1
            assert web["y"] == pytest.approx(book["y"], abs=1)
        address = first.get_attribute("src")
        game = (live.folder / "game.yaml").read_text("utf-8")
        save(live.folder / "game.yaml", game.replace("rules.md}", 'rules.md, columns: "1"}'))
        until(page, lambda: first.get_attribute("src") != address)
        save(live.folder / "rules.md", RULES_OF_SEVERAL_PAGES)
        caught_up(page, live)
        page.get_by_role("img", name="Page 2").wait_for()
        until(page, lambda: page.locator(".book img").count() > 2)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert not chromium.faults
