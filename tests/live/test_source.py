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
    """A card in the live page, and the files of its pack."""

    def __init__(self, browser, live, card="cards:sun"):
        self.page = browser.open(live.server.address, f"#card/{card}")
        self.folder = live.folder
        self.page.locator(".layer-row").first.wait_for()
        caught_up(self.page, live)

    def at(self, x, y):
        """Return the place on the screen of a place on the card in mm."""
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
        """Wait for the message that editing is off, and clear it."""
        message = self.page.locator("#toast", has_text="editing is off")
        message.wait_for()
        self.page.evaluate("document.getElementById('toast').textContent = ''")

    def choose(self, kind, nth=0):
        self.page.locator(".layer-row", has_text=kind).nth(nth).click()
        self.page.locator(".layer.selected").wait_for(state="attached")
        self.page.locator(".about:not(:empty)").wait_for()


@pytest.fixture
def browser():
    with Chromium() as chromium:
        yield chromium
        assert not chromium.faults
        assert not chromium.foreign


def test_pointer_names_a_layer_and_a_click_shows_its_source_line(pack, browser):
    with live_page(pack) as live:
        card = Page(browser, live)
        card.page.mouse.move(*card.at(33, 8))
        until(
            card.page,
            lambda: card.page.locator(".tip").inner_text() == "text · title · layouts/front.yaml:7",
        )
        card.page.mouse.click(*card.at(33, 8))
        about = card.page.locator(".about")
        about.get_by_text("- text: $title").wait_for()
        assert about.locator("code").inner_text() == "layouts/front.yaml:7"
        assert about.locator(".columns button").all_inner_texts() == ["title"]
        assert (
            about.locator("a").get_attribute("href")
            == f"vscode://file{pack.resolve()}/layouts/front.yaml:7"
        )
        card.page.locator(".layer-row", has_text="shape").hover()
        lit = box_of(card.page.locator(".layer:not(.selected)"))
        assert (lit["x"], lit["y"]) == pytest.approx(card.at(16, 16), abs=3)


def test_text_typed_on_a_card_changes_the_cell_of_its_language(pack, browser):
    with live_page(pack) as live:
        card = Page(browser, live)
        card.page.mouse.dblclick(*card.at(8, 34))
        card.type('x, "y"')
        card.comes("cards.csv", 'sun,Sun,Zon,"x, ""y""",2\n')
        card.page.locator('select[aria-label="Language"]').select_option("nl")
        card.page.locator(".inspector h2", has_text="Zon").wait_for()
        caught_up(card.page, live)
        card.page.mouse.dblclick(*card.at(10, 6))
        until(card.page, lambda: card.page.locator(".typed").input_value() == "Zon")
        card.type("Zonnetje")
        card.comes("cards.csv", 'sun,Sun,Zonnetje,"x, ""y""",2\n')


def test_colour_of_the_palette_is_edited_and_undone(pack, browser):
    with live_page(pack) as live:
        card = Page(browser, live)
        before = card.text("game.yaml")
        field = card.page.locator('.colours input[aria-label="sand"]')
        field.fill("#cc00ff")
        field.fill("#ffcc00")
        card.comes("game.yaml", "#ffcc00")
        assert card.text("game.yaml") == before.replace("#f1e2bd", "#ffcc00")
        for _ in range(2):
            card.page.locator("body").press("u")
        until(card.page, lambda: card.text("game.yaml") == before)


def test_random_edits_change_only_their_characters_and_can_be_undone(pack, browser):
    """Edit cells and places one after the other, then undo all edits."""
    chance = random.Random(5)  # noqa: S311 - no secret
    words = ["a,b", 'say "no"', "", "two  blanks", "é日本🂡", "=1+1", "x;y", "'", "# no", "plain"]
    with live_page(pack) as live:
        card = Page(browser, live, "cards:moon")
        first = {name: card.text(name) for name in ("cards.csv", "layouts/front.yaml")}
        edit_count = 0
        for _ in range(10):
            column = chance.choice(["title", "title@nl", "note"])
            value = chance.choice(words)
            before = card.text("cards.csv")
            expected = list(csv.DictReader(before.splitlines()))
            field = card.page.locator(f'textarea[data-column="{column}"]')
            if expected[1][column] != value:
                edit_count += 1
                expected[1][column] = value
                field.fill(value)
                field.press("Enter")
                until(card.page, lambda before=before: card.text("cards.csv") != before)
                after = card.text("cards.csv")
                assert list(csv.DictReader(after.splitlines())) == expected
                assert find_change(before, after).start >= before.index("moon,")
                caught_up(card.page, live)
        for kind, index, path in (
            ("text", 1, ("boxes", "name")),
            ("shape", 0, ("layers", 3, "shape", "circle")),
        ):
            card.choose(kind, index)
            for _ in range(3):
                key, way = chance.choice(
                    [("ArrowRight", (0.5, 0)), ("ArrowUp", (0, -0.5)), ("Shift+ArrowLeft", (-5, 0))]
                )
                before = card.text("layouts/front.yaml")
                place = parse_yaml(before, "f").find(*path).plain()
                card.page.keyboard.press(key)
                until(card.page, lambda before=before: card.text("layouts/front.yaml") != before)
                edit_count += 1
                after = card.text("layouts/front.yaml")
                now = parse_yaml(after, "f").find(*path).plain()
                assert [
                    float(a) - float(b) for a, b in zip(now[:2], place[:2], strict=True)
                ] == list(way)
                assert now[2:] == place[2:]
                change = find_change(before, after)
                assert change.text.strip("-.0123456789") == ""
        for _ in range(edit_count):
            card.page.locator("body").press("u")
        until(card.page, lambda: {name: card.text(name) for name in first} == first)


def test_read_only_page_shows_cards_and_changes_nothing(pack, browser):
    with live_page(pack, read_only=True) as live:
        card = Page(browser, live)
        card.choose("shape")
        card.page.get_by_text("editing is off").wait_for()
        card.page.keyboard.press("ArrowRight")
        card.refused()
        field = card.page.locator('textarea[data-column="title"]')
        field.click()
        until(card.page, lambda: not field.is_editable())
        until(
            card.page,
            lambda: card.page.locator('.colours input[aria-label="sand"]').is_disabled(),
        )
        card.page.mouse.dblclick(*card.at(10, 6))
        card.refused()
        assert card.page.locator(".typed").count() == 0
        assert (card.text("cards.csv"), card.text("layouts/front.yaml")) == (TABLE, LAYOUT)


def test_editor_option_opens_the_line_of_a_layer(pack, browser, tmp_path):
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/opened\n')
    editor.chmod(0o755)
    with live_page(pack, editor=f"{editor} +{{line}} {{file}}") as live:
        card = Page(browser, live)
        card.choose("shape")
        card.page.locator(".about").get_by_role("button", name="open").click()
        until(
            card.page, lambda: (tmp_path / "opened").exists() and (tmp_path / "opened").read_text()
        )
        assert (tmp_path / "opened").read_text() == f"+10 {pack.resolve()}/layouts/front.yaml\n"


def test_two_browsers_never_overwrite_each_others_edits(pack, browser):
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
        two.page.get_by_text("has changed in the meantime; pnp wrote nothing").wait_for()
        assert one.text("cards.csv") == TABLE.replace("sun,Sun", "sun,Star")


class Sheet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def test_pulled_rows_are_marked_as_new_changed_and_gone(pack, browser, tmp_path):
    (tmp_path / "sheet").mkdir()
    sheet = tmp_path / "sheet/x.csv"
    sheet.write_text(TABLE.replace("Sun,Zon", "Noon,Zon").replace("moon,", "star,"), "utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Sheet, directory=tmp_path / "sheet"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    game = (pack / "game.yaml").read_text("utf-8")
    source = f"    data: cards.csv\n    source: http://127.0.0.1:{server.server_port}/x.csv\n"
    (pack / "game.yaml").write_text(game.replace("    data: cards.csv\n", source), "utf-8")
    try:
        with live_page(pack, pull_seconds=5, near=True) as live:
            page = browser.open(live.server.address)
            page.locator('.card[data-name="cards:star"][data-download="new"]').wait_for()
            page.locator('.card[data-name="cards:sun"][data-download="changed"]').wait_for()
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


def test_every_view_and_edit_is_reachable_by_keyboard(pack, browser):
    with live_page(pack) as live:
        page = browser.open(live.server.address)
        page.locator(".card").first.wait_for()

        def tab_to(where, expected):
            """Press Tab until an element has the focus, and assert that it has a ring."""
            page.keyboard.press("Tab")
            for _ in range(60):
                here = page.evaluate(f"document.activeElement.closest('{where}')?.innerText ?? ''")
                if expected in here:
                    ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                    assert ring != "none" or where == ".cells label"
                    return
                page.keyboard.press("Tab")
            raise AssertionError(f"Tab never came to {expected}")

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
