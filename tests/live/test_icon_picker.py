"""Test the picker that completes `:name:` where a cell is edited."""

import json

import pytest

from tests.live.test_server import ask
from tests.tools.live_browser import Chromium, live_page, until
from tests.tools.make_pack import make, svg

TABLE = "id,title\none,One\n"
LAYOUT = "- text: $title\n  box: [2, 2, 36, 30]\n  style: body\n"
COIN = svg('<circle cx="5" cy="5" r="4"/>')


@pytest.fixture
def live(tmp_path):
    files = {"art/icons/copper-coin.svg": COIN}
    pack = make(tmp_path / "pack", LAYOUT, TABLE, files=files)
    with live_page(pack, editor="true {file}") as serving:
        yield serving


def test_icons_of_the_pack_come_before_the_symbols(live):
    names = json.loads(ask(live, "/icons")[1])
    assert names[0] == "copper-coin"
    assert {"heart", "arrow-left"} <= set(names[1:])
    assert len(names) == len(set(names))


def test_pictures_of_icons_are_served_and_run_nothing(live):
    for name in ("copper-coin", "heart"):
        answer, data = ask(live, f"/icon/{name}")
        assert answer.headers["Content-Type"] == "image/svg+xml"
        assert "sandbox" in answer.headers["Content-Security-Policy"]
        assert b"<svg" in data
    for path in ("/icon/none", "/icon/../game.yaml", "/icon/art/icons/copper-coin.svg", "/icon/"):
        assert ask(live, path)[0].status == 404, path
    assert ask(live, "/icon/heart", Cookie="")[0].status == 403


@pytest.mark.browser
def test_name_of_an_icon_is_completed_in_a_cell(live):
    with Chromium() as chromium:
        page = chromium.open(live.server.address, "#card/cards:one")
        field = page.locator('textarea[data-column="title"]')
        with page.expect_response("**/row/**"):
            field.click()
        field.press("End")
        field.press_sequentially(" :coin")
        page.get_by_role("option", name="copper-coin").wait_for()
        field.press("Escape")
        assert page.locator(".icons").count() == 0
        field.press_sequentially(" :hear")
        page.get_by_role("option", name="heart", exact=True).wait_for()
        field.press("ArrowDown")
        field.press("ArrowUp")
        field.press("Enter")
        assert field.input_value() == "One :coin :heart:"
        assert page.locator(".icons").count() == 0
        field.fill("Pay ")
        field.press_sequentially(":cop")
        page.get_by_role("option", name="copper-coin").click()
        assert field.input_value() == "Pay :copper-coin:"
        field.press("Enter")
        until(page, lambda: "Pay :copper-coin:" in (live.folder / "cards.csv").read_text("utf-8"))
        assert not chromium.faults


@pytest.mark.browser
def test_icons_are_offered_only_after_a_colon_of_their_own(live):
    with Chromium() as chromium:
        page = chromium.open(live.server.address, "#card/cards:one")
        field = page.locator('textarea[data-column="title"]')
        field.click()
        with page.expect_response("**/icons"):
            field.press_sequentially(" :h")
        page.locator(".icons").wait_for()
        field.press("Escape")
        field.fill("Note")
        field.press_sequentially(":h")
        assert page.locator(".icons").count() == 0
