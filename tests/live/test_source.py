"""Test editing in Chromium, from the picture to the file and back: point, type, move, colour, drag."""

import csv
import random
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from generator.live.yaml_spans import find_change
from generator.pack.yaml_nodes import parse_yaml
from tests.tools.live_browser import Chromium, box_of, caught_up, live_page, until
from tests.tools.make_pack import make

pytestmark = pytest.mark.browser
LAYOUT = """# by hand
boxes:
  name: [4, 3,   32, 6]   # above
layers:
- fill: $sand
- frame: {inset: 1mm, stroke: 0.3mm $ink}
- text: $title
  box: name
  style: body
- shape: {circle: [20, 20], r: 4mm, fill: $red}   # the sun
- text: $note
  box: [4, 28, 32, 8]
  style: body
  fit: 1mm
"""
TABLE = 'id,title,title@nl,note,count\nsun,Sun,Zon,,2\nmoon,"Moon, full",Maan,"a ""pale"" one",1\n'
MORE = 'variants:\n  dark: {palette: {sand: "#333333"}}'


@pytest.fixture
def pack(tmp_path):
    folder = make(tmp_path / "pack", LAYOUT, TABLE, MORE)
    game = (folder / "game.yaml").read_text("utf-8")
    (folder / "game.yaml").write_text(
        game.replace("palette: {", 'palette: {sand: "#f1e2bd", ', 1), "utf-8"
    )
    return folder


class Page:
    """A card of a pack that is shown, and its file."""

    def __init__(self, browser, live, card="cards:sun"):
        self.page = browser.open(live.server.address, f"#card/{card}")
        self.folder = live.folder
        self.page.locator(".layer-row").first.wait_for()
        caught_up(self.page, live)

    def at(self, x, y):
        """A place of the card in mm, on the screen."""
        box = box_of(self.page.locator(".turner .piece"))
        return box["x"] + x * box["width"] / 40, box["y"] + y * box["width"] / 40

    def text(self, name):
        return (self.folder / name).read_text("utf-8")

    def comes(self, name, what):
        until(self.page, lambda: what in self.text(name))

    def type(self, text):
        until(self.page, lambda: self.page.evaluate("document.activeElement.className") == "typed")
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def refused(self):
        """Wait until the page says that editing is off, and let that be said anew."""
        said = self.page.locator("#toast", has_text="editing is off")
        said.wait_for()
        self.page.evaluate("document.getElementById('toast').textContent = ''")

    def choose(self, kind, nth=0):
        self.page.locator(".layer-row", has_text=kind).nth(nth).click()
        self.page.locator(".layer.chosen").wait_for(state="attached")
        self.page.locator(".about:not(:empty)").wait_for()


@pytest.fixture
def browser():
    with Chromium() as chromium:
        yield chromium
        assert not chromium.faults
        assert not chromium.foreign


def test_the_pointer_names_a_layer_and_a_click_shows_where_it_is_written(pack, browser):
    with live_page(pack) as live:
        shown = Page(browser, live)
        shown.page.mouse.move(*shown.at(33, 8))
        until(
            shown.page,
            lambda: shown.page.locator(".tip").inner_text() == "text · layouts/front.yaml:7",
        )
        shown.page.mouse.click(*shown.at(33, 8))
        about = shown.page.locator(".about")
        about.get_by_text("- text: $title").wait_for()
        assert about.locator("code").inner_text() == "layouts/front.yaml:7"
        assert about.locator(".columns button").all_inner_texts() == ["title"]
        assert (
            about.locator("a").get_attribute("href")
            == f"vscode://file{pack.resolve()}/layouts/front.yaml:7"
        )
        shown.page.locator(".layer-row", has_text="shape").hover()
        lit = box_of(shown.page.locator(".layer:not(.chosen)"))
        assert (lit["x"], lit["y"]) == pytest.approx(shown.at(16, 16), abs=3)


def test_a_cell_is_typed_on_the_card_in_the_language_that_is_shown(pack, browser):
    with live_page(pack) as live:
        shown = Page(browser, live)
        shown.page.mouse.dblclick(*shown.at(8, 34))
        shown.type('x, "y"')
        shown.comes("cards.csv", 'sun,Sun,Zon,"x, ""y""",2\n')
        shown.page.locator('select[aria-label="Language"]').select_option("nl")
        shown.page.locator(".inspector h2", has_text="Zon").wait_for()
        caught_up(shown.page, live)
        shown.page.mouse.dblclick(*shown.at(10, 6))
        until(shown.page, lambda: shown.page.locator(".typed").input_value() == "Zon")
        shown.type("Zonnetje")
        shown.comes("cards.csv", 'sun,Sun,Zonnetje,"x, ""y""",2\n')


def test_a_colour_of_the_palette_is_chosen(pack, browser):
    with live_page(pack) as live:
        shown = Page(browser, live)
        before = shown.text("game.yaml")
        field = shown.page.locator('.colours input[aria-label="sand"]')
        field.fill("#cc00ff")
        field.fill("#ffcc00")
        shown.comes("game.yaml", "#ffcc00")
        assert shown.text("game.yaml") == before.replace("#f1e2bd", "#ffcc00")
        for _ in range(2):
            shown.page.locator("body").press("u")
        until(shown.page, lambda: shown.text("game.yaml") == before)


def test_edits_at_random_change_their_own_characters_and_read_as_what_was_typed(pack, browser):
    """Of cells and places, one after the other, as the page sends them.

    Then all of them are undone.
    """
    chance = random.Random(5)  # noqa: S311 - no secret
    words = ["a,b", 'say "no"', "", "two  blanks", "é日本🂡", "=1+1", "x;y", "'", "# no", "plain"]
    with live_page(pack) as live:
        shown = Page(browser, live, "cards:moon")
        first = {name: shown.text(name) for name in ("cards.csv", "layouts/front.yaml")}
        done = 0
        for _ in range(10):
            column = chance.choice(["title", "title@nl", "note"])
            value = chance.choice(words)
            before = shown.text("cards.csv")
            wanted = list(csv.DictReader(before.splitlines()))
            field = shown.page.locator(f'textarea[data-column="{column}"]')
            if wanted[1][column] != value:
                done += 1
                wanted[1][column] = value
                field.fill(value)
                field.press("Enter")
                until(shown.page, lambda before=before: shown.text("cards.csv") != before)
                after = shown.text("cards.csv")
                assert list(csv.DictReader(after.splitlines())) == wanted
                assert find_change(before, after).start >= before.index("moon,")
                caught_up(shown.page, live)
        for kind, index, path in (
            ("text", 1, ("boxes", "name")),
            ("shape", 0, ("layers", 3, "shape", "circle")),
        ):
            shown.choose(kind, index)
            for _ in range(3):
                key, way = chance.choice(
                    [("ArrowRight", (0.5, 0)), ("ArrowUp", (0, -0.5)), ("Shift+ArrowLeft", (-5, 0))]
                )
                before = shown.text("layouts/front.yaml")
                place = parse_yaml(before, "f").find(*path).plain()
                shown.page.keyboard.press(key)
                until(shown.page, lambda before=before: shown.text("layouts/front.yaml") != before)
                done += 1
                after = shown.text("layouts/front.yaml")
                now = parse_yaml(after, "f").find(*path).plain()
                assert [
                    float(a) - float(b) for a, b in zip(now[:2], place[:2], strict=True)
                ] == list(way)
                assert now[2:] == place[2:]
                change = find_change(before, after)
                assert change.text.strip("-.0123456789") == ""
        for _ in range(done):
            shown.page.locator("body").press("u")
        until(shown.page, lambda: {name: shown.text(name) for name in first} == first)


def test_read_only_shows_and_changes_nothing(pack, browser):
    with live_page(pack, read_only=True) as live:
        shown = Page(browser, live)
        shown.choose("shape")
        shown.page.get_by_text("editing is off").wait_for()
        shown.page.keyboard.press("ArrowRight")
        shown.refused()
        field = shown.page.locator('textarea[data-column="title"]')
        field.click()
        until(shown.page, lambda: not field.is_editable())
        until(
            shown.page,
            lambda: shown.page.locator('.colours input[aria-label="sand"]').is_disabled(),
        )
        shown.page.mouse.dblclick(*shown.at(10, 6))
        shown.refused()
        assert shown.page.locator(".typed").count() == 0
        assert (shown.text("cards.csv"), shown.text("layouts/front.yaml")) == (TABLE, LAYOUT)


def test_an_editor_of_ones_own_opens_the_line(pack, browser, tmp_path):
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/opened\n')
    editor.chmod(0o755)
    with live_page(pack, editor=f"{editor} +{{line}} {{file}}") as live:
        shown = Page(browser, live)
        shown.choose("shape")
        shown.page.locator(".about").get_by_role("button", name="open").click()
        until(
            shown.page, lambda: (tmp_path / "opened").exists() and (tmp_path / "opened").read_text()
        )
        assert (tmp_path / "opened").read_text() == f"+10 {pack.resolve()}/layouts/front.yaml\n"


def test_two_browsers_see_each_other_and_neither_writes_over_the_other(pack, browser):
    with live_page(pack) as live:
        one = Page(browser, live)
        two = Page(browser, live)
        mine, theirs = (item.page.locator('textarea[data-column="title"]') for item in (one, two))
        with two.page.expect_response("**/row/**"):
            theirs.click()
        two.page.keyboard.type("!")
        mine.fill("Star")
        mine.press("Enter")
        two.page.locator(".inspector h2", has_text="Star").wait_for()
        theirs.press("Enter")
        two.page.get_by_text("has changed since; nothing was written").wait_for()
        assert one.text("cards.csv") == TABLE.replace("sun,Sun", "sun,Star")


class Sheet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def test_what_is_pulled_is_shown_as_new_changed_and_gone(pack, browser, tmp_path):
    (tmp_path / "sheet").mkdir()
    sheet = tmp_path / "sheet/x.csv"
    sheet.write_text(TABLE.replace("Sun,Zon", "Noon,Zon").replace("moon,", "star,"), "utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Sheet, directory=tmp_path / "sheet"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    game = (pack / "game.yaml").read_text("utf-8")
    source = f"    data: cards.csv\n    source: http://127.0.0.1:{server.server_port}/x.csv\n"
    (pack / "game.yaml").write_text(game.replace("    data: cards.csv\n", source), "utf-8")
    try:
        with live_page(pack, pull_seconds=5, allow_local_network=True) as live:
            page = browser.open(live.server.address)
            page.locator('.card[data-name="cards:star"][data-came="new"]').wait_for()
            page.locator('.card[data-name="cards:sun"][data-came="changed"]').wait_for()
            assert page.locator(".pulled").inner_text().split() == [
                "new",
                "star",
                "changed",
                "sun",
                "gone",
                "moon",
            ]
    finally:
        server.shutdown()
        server.server_close()


def test_all_of_it_is_done_with_the_keyboard_alone(pack, browser):
    with live_page(pack) as live:
        page = browser.open(live.server.address)
        page.locator(".card").first.wait_for()

        def tab_to(where, wanted):
            """Press Tab until an element has the focus, and assert that it has a ring."""
            page.keyboard.press("Tab")
            for _ in range(60):
                here = page.evaluate(f"document.activeElement.closest('{where}')?.innerText ?? ''")
                if wanted in here:
                    ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                    assert ring != "none" or where == ".cells label"
                    return
                page.keyboard.press("Tab")
            raise AssertionError(f"Tab never came to {wanted}")

        tab_to(".card", "Sun")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Moon, full").wait_for()
        tab_to(".cells label", "note")
        page.keyboard.press("Control+a")
        page.keyboard.type("typed")
        page.keyboard.press("Enter")
        until(page, lambda: "typed" in (pack / "cards.csv").read_text("utf-8"))
        tab_to(".layer-row", "shape")
        page.keyboard.press("Enter")
        page.get_by_text("Drag the layer or use the arrow keys").wait_for()
        page.keyboard.press("ArrowDown")
        until(
            page, lambda: "circle: [20, 20.5]" in (pack / "layouts/front.yaml").read_text("utf-8")
        )
        page.keyboard.press("Control+z")
        until(page, lambda: (pack / "layouts/front.yaml").read_text("utf-8") == LAYOUT)
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.locator(".card").first.wait_for()
        page.keyboard.press("3")
        page.get_by_text("this game has no rules").wait_for()
        page.keyboard.press("4")
        page.keyboard.press("d")
        until(page, lambda: page.locator(".hand button").count() == 1)
        page.keyboard.press("?")
        page.get_by_role("dialog").get_by_text("draw a card into your hand").wait_for()
