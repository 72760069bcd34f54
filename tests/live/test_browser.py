"""Test the live page in Chromium: every view, changes from the page, and mistakes."""

import io
import os
import re
import shutil
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from generator.cli import main
from generator.live.start import redirect_page
from tests.tools.live_browser import Chromium, box_of, caught_up, live_page, save, shot, until
from tests.tools.make_pack import make, svg

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>"
WRITTEN = EVIL.replace("<", "\\<")
"""The same text escaped for a cell; unescaped HTML is refused."""
MORE = """
links:
  road: {width: 9mm, fill: "#888888"}
matching:
  sides: equal
scoring:
  roads: {count: road}
rules: {file: rules.md}
"""
TABLE = f"""id,title,kind,count,road
bend,Bend,curve,2,n-e:road
line,Line,straight,3,n-s:road
evil,"{WRITTEN}",curve,1,n-s:road
"""
FRONT = """- fill: white   # the ground
- links: {}
- shape: {rect: [2, 2, 6, 6], fill: $red}  # a mark
- text: $title
  box: [9, 3, 28, 6]   # the name
  style: body
  fit: 1mm
"""
FILES = {"rules.md": f"# Play\n\nLay tiles. {EVIL}\n", "layouts/back.yaml": "- fill: $blue\n"}


@pytest.fixture
def pack(tmp_path):
    return make(
        tmp_path / "pack", FRONT, TABLE, MORE, "links: road\nback: layouts/back.yaml", files=FILES
    )


@pytest.fixture
def live(pack):
    with live_page(pack) as serving:
        yield serving


@pytest.fixture
def browser(live):
    with Chromium() as chromium:
        yield chromium
        assert not chromium.faults
        assert not chromium.foreign


def card(page, name):
    return page.locator(f'.card[data-name="cards:{name}"]')


def shoot_card(page, name):
    """Return the picture of a card on the screen."""
    place = card(page, name).locator(".cut img")
    until(page, lambda: place.evaluate("(image) => image.complete && image.naturalWidth > 0"))
    return shot(card(page, name).locator(".piece"))


def rewrite(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    save(path, text.replace(old, new, 1))


def test_page_shows_saved_changes_of_layouts_tables_and_game_yaml(live, browser, pack):
    page = browser.open(live.server.address)
    caught_up(page, live)
    until(page, lambda: shoot_card(page, "bend").getpixel((6, 80)) == (255, 255, 255))
    rewrite(pack / "layouts/front.yaml", "white", "yellow")
    until(page, lambda: shoot_card(page, "bend").getpixel((6, 80)) == (255, 255, 0))
    rewrite(pack / "cards.csv", "Line,straight", "Long line,straight")
    page.get_by_text("Long line").wait_for()
    rewrite(pack / "game.yaml", "title: Cards", "title: Roads")
    page.get_by_role("heading", name="Roads").wait_for()


def test_page_opens_only_by_the_address_with_the_key(live, browser, tmp_path):
    """A local file may lead to the address; afterwards the page reloads without the key."""
    entrance = tmp_path / "entrance.html"
    entrance.write_text(redirect_page(live.server.address), "utf-8")
    page = browser.open(live.server.origin, entrance=entrance.as_uri())
    assert "key" not in page.url
    for _ in range(2):
        card(page, "bend").wait_for()
        page.reload()
    (cookie,) = page.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    stranger = page.context.browser.new_context().new_page()
    assert stranger.goto(live.server.origin).status == 403
    assert "open the address that pnp live printed" in stranger.inner_text("body")


def test_rules_view_reports_a_lost_connection(live):
    with Chromium() as browser:
        page = browser.open(live.server.address)
        caught_up(page, live)
        page.context.set_offline(True)
        page.locator("#tabs a", has_text="Rules").click()
        page.locator(".message pre").wait_for()
        assert not page.locator(".busy").count()


def test_markup_in_texts_of_a_pack_is_escaped_in_every_view(live, browser, pack):
    page = browser.open(live.server.address)
    alerts = []
    page.on("dialog", lambda each: alerts.append(each.message))
    assert card(page, "evil").locator(".name").inner_text() == WRITTEN
    card(page, "evil").click()
    page.get_by_role("heading", name=WRITTEN).wait_for()
    page.goto(live.server.origin + "#rules")
    page.frame_locator("iframe").get_by_text("Lay tiles.").wait_for()
    page.goto(live.server.origin + "#table")
    page.locator(".pile").first.wait_for()
    page.locator("body").press("d")
    page.goto(live.server.origin + "#cards")
    (pack / "art").mkdir()
    save(
        pack / "art/x.svg",
        svg('<script>alert(3)</script><rect width="5" height="5" onclick="alert(4)"/>'),
    )
    save(pack / "layouts/front.yaml", FRONT + "- svg: art/x.svg\n  box: [20, 20, 9, 9]\n")
    card(page, "bend").locator(".mistake", has_text="<script> is not allowed in art").wait_for()
    save(pack / "layouts/front.yaml", FRONT)
    save(pack / "cards.csv", TABLE + f'"{EVIL}",New,{EVIL},1,\n')
    page.locator("#mistakes", has_text=EVIL).wait_for()
    save(pack / "cards.csv", TABLE.replace(",curve,", f",{EVIL},"))
    page.locator("#mistakes").wait_for(state="hidden")
    caught_up(page, live)
    page.locator("summary", has_text="kind").click()
    page.get_by_role("button", name=EVIL).wait_for()
    assert page.evaluate("document.querySelectorAll('img[src=x], body script').length") == 0
    assert not alerts


def test_cards_are_found_by_search_filters_and_keys(live, browser):
    page = browser.open(live.server.address)
    card(page, "line").wait_for()
    page.locator("body").press("/")
    page.keyboard.type("stra")
    until(page, lambda: page.locator(".card").count() == 1)
    page.locator("#search").fill("")
    page.locator("summary", has_text="kind").click()
    page.get_by_role("button", name="curve").click()
    until(page, lambda: page.locator(".card").count() == 2)
    page.get_by_role("button", name="Show all").click()
    card(page, "bend").focus()
    page.keyboard.press("ArrowRight")
    until(page, lambda: page.evaluate("document.activeElement.dataset.name") == "cards:line")
    until(page, lambda: shoot_card(page, "line").getpixel((20, 20)) == (255, 255, 255))
    page.keyboard.press("f")
    until(page, lambda: shoot_card(page, "line").getpixel((20, 20)) == (0, 0, 255))
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Line").wait_for()
    page.keyboard.press("Escape")
    card(page, "line").wait_for()


def test_mistake_is_shown_on_its_card_until_it_is_corrected(live, browser, pack):
    page = browser.open(live.server.address)
    shoot_card(page, "line")
    rewrite(pack / "cards.csv", "straight,3", "straight,three")
    mistake = card(page, "line").locator(".mistake")
    mistake.wait_for()
    assert "cards.csv:3: count: 'three' is not a whole number" in mistake.inner_text()
    assert card(page, "line").locator(".cut img").evaluate("image => image.naturalWidth") > 0
    assert not card(page, "bend").locator(".mistake").is_visible()
    rewrite(pack / "cards.csv", "Bend,curve", "Bent,curve")
    page.get_by_text("Bent").wait_for()
    rewrite(pack / "cards.csv", "straight,three", "straight,3")
    mistake.wait_for(state="hidden")


def test_mistake_of_the_pack_covers_the_page_until_it_is_corrected(live, browser, pack):
    page = browser.open(live.server.address)
    shoot_card(page, "line")
    rewrite(pack / "layouts/front.yaml", "- links", "- lnks")
    over = page.locator("#mistakes")
    over.wait_for()
    assert re.search(r"front\.yaml:2: unknown layer 'lnks'", over.inner_text())
    assert page.locator(".card").count() == 3
    rewrite(pack / "layouts/front.yaml", "- lnks", "- links")
    over.wait_for(state="hidden")


def test_broken_pack_shows_its_mistake_and_its_cards_after_correction(tmp_path):
    folder = make(tmp_path / "pack", "- fil: red\n")
    with live_page(folder) as live, Chromium() as chromium:
        page = chromium.open(live.server.address, "#sheets")
        over = page.locator("#mistakes")
        over.wait_for()
        message = over.inner_text()
        assert "layouts/front.yaml:1: unknown layer 'fil'" in message
        assert "did you mean 'fill'?" in message
        assert not page.locator("#main").is_visible(), "the message replaces the view"
        assert not page.get_by_role("button", name="Dismiss").is_visible()
        save(folder / "layouts/front.yaml", "- fill: red\n")
        over.wait_for(state="hidden")
        page.locator(".slot img").first.wait_for()
        page.get_by_role("link", name="Cards").click()
        card(page, "one").wait_for()
        assert not chromium.faults


@pytest.mark.parametrize("zoom", [20, 60, 300])
def test_message_is_fully_visible_on_cards_of_any_size(live, browser, pack, zoom):
    page = browser.open(live.server.address)
    shoot_card(page, "line")
    page.locator("#zoom").fill(str(zoom))
    rewrite(pack / "cards.csv", "straight,3", "straight,three or even four, or many more")
    mistake = card(page, "line").locator(".mistake")
    mistake.wait_for()
    caught_up(page, live)
    box = box_of(mistake)
    assert mistake.evaluate("it => it.scrollHeight - it.clientHeight") <= 0
    assert box["width"] > 120, "the message is wide enough for words"
    assert "cards.csv:3: count" in mistake.inner_text()
    assert box["y"] + box["height"] <= box_of(card(page, "line").locator(".caption"))["y"]
    others = [box_of(item) for item in page.locator(".card:not(.wrong)").all()]
    below = [item for item in others if item["y"] > box["y"]]
    assert all(item["y"] > box["y"] + box["height"] for item in below), "no message lies on a card"


def test_text_that_does_not_fit_is_shown_in_red(live, browser, pack):
    page = browser.open(live.server.address)
    shoot_card(page, "line")
    rewrite(pack / "layouts/front.yaml", "  fit: 1mm\n", "")
    rewrite(
        pack / "cards.csv",
        "Line,straight",
        "A line that is long and wide and does not fit there at all,straight",
    )
    caught_up(page, live)
    assert "box" in card(page, "line").locator(".mistake").inner_text()
    key = live.session.state.cards["cards:line"].sides[0].key
    assert key in card(page, "line").locator("img").get_attribute("src")
    colours = (
        Image.open(io.BytesIO(live.session.render_png(key, 16) or b""))
        .convert("RGB")
        .getcolors(1 << 20)
    )
    assert any(red > 200 and green < 40 and blue < 40 for _, (red, green, blue) in colours)


def test_layer_is_dragged_moved_by_keys_and_undone(live, browser, pack):
    before = (pack / "layouts/front.yaml").read_text("utf-8")
    page = browser.open(live.server.address, "#card/cards:bend")
    page.locator(".layer-row", has_text="shape").click()
    page.get_by_text("This layer is on all 3 cards").wait_for()
    page.get_by_text("Drag the layer or use the arrow keys").wait_for()
    box = box_of(page.locator(".layer.selected"))
    dots = box_of(page.locator(".turner .piece"))["width"] / 40
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 20 + 3.1 * dots, box["y"] + 20 + 1.4 * dots, steps=4)
    page.mouse.up()
    page.get_by_text("Moved on 3 cards, in layouts/front.yaml:3").wait_for()
    assert (pack / "layouts/front.yaml").read_text("utf-8") == before.replace(
        "[2, 2, 6, 6]", "[5, 3.5, 6, 6]"
    )
    for _ in range(3):
        page.locator("body").press("ArrowDown")
    until(page, lambda: "[5, 5, 6, 6]" in (pack / "layouts/front.yaml").read_text("utf-8"))
    for _ in range(4):
        page.locator("body").press("u")
    until(page, lambda: (pack / "layouts/front.yaml").read_text("utf-8") == before)


def test_cell_is_edited_unless_its_file_changed_meanwhile(live, browser, pack):
    page = browser.open(live.server.address, "#card/cards:bend")
    other = browser.open(live.server.address, "#card/cards:bend")
    field = page.locator('textarea[data-column="title"]')
    field.fill('A "bend", wide')
    field.press("Enter")
    other.get_by_role("heading", name='A "bend", wide').wait_for()
    assert (pack / "cards.csv").read_text("utf-8") == TABLE.replace(
        "bend,Bend", 'bend,"A ""bend"", wide"'
    )
    caught_up(page, live)
    with page.expect_response("**/row/**"):
        field.blur()
        field.focus()
    field.press_sequentially(" indeed")
    rewrite(pack / "cards.csv", "Line,straight", "Lane,straight")
    caught_up(page, live)
    field.press("Enter")
    page.get_by_text("has changed in the meantime; pnp wrote nothing").wait_for()
    assert "indeed" not in (pack / "cards.csv").read_text("utf-8")
    assert "Lane" in (pack / "cards.csv").read_text("utf-8")


def test_dragged_tile_snaps_to_a_legal_place_or_returns_with_the_reason(live, browser):
    page = browser.open(live.server.address, "#table")
    page.get_by_role("button", name="Board: tiles snap").click()
    page.get_by_role("button", name="lay out").click()

    def drag(nth, x, y):
        box = box_of(page.locator(".placed").nth(nth))
        page.mouse.move(box["x"] + 30, box["y"] + 30)
        page.mouse.down()
        page.mouse.move(x, y, steps=4)
        page.mouse.up()
        until(page, lambda: page.locator(".placed.dragged").count() == 0)

    def boxes():
        return [
            entry
            for entry in (item.bounding_box() for item in page.locator(".placed").all())
            if entry
        ]

    size = box_of(page.locator(".placed").first)["width"]
    drag(0, 500, 400)
    until(page, lambda: boxes()[-1]["y"] > 300)
    lain = boxes()[-1]
    home = boxes()[0]
    drag(0, lain["x"] + 30 + size, lain["y"] + 30)
    page.locator("#toast", has_text="meets").wait_for()
    until(page, lambda: home in boxes())
    drag(2, lain["x"] + 30, lain["y"] + 33 - size)
    until(page, lambda: boxes()[-1] == pytest.approx({**lain, "y": lain["y"] - size}, abs=1))
    page.locator(".score", has_text="roads").wait_for()


IN_SIGHT = """[...document.querySelectorAll(".card")].some((card) => {
  const { top, bottom } = card.getBoundingClientRect();
  return bottom > 100 && top < innerHeight;
})"""


def test_page_contains_only_the_visible_cards_of_a_large_deck(tmp_path):
    rows = "".join(f"d{n},Card {n}\n" for n in range(6000))
    folder = make(tmp_path / "pack", "- fill: red\n", f"id,title\n{rows}")
    with live_page(folder) as serving, Chromium() as chromium:
        page = chromium.open(serving.server.address)
        card(page, "d0").wait_for()
        for place in (0.5, 1.0, 0.2):
            page.evaluate(
                f"() => {{ const s = document.querySelector('.scroll'); s.scrollTop = s.scrollHeight * {place}; }}"
            )
            until(page, lambda: page.evaluate(IN_SIGHT))
            assert page.locator(".card").count() < 200
        page.locator("#search").fill("Card 5999")
        card(page, "d5999").wait_for()
        assert not chromium.faults


VIEWS = {
    "cards": "#cards",
    "card": "#card/necks:h07",
    "sheets": "#sheets",
    "rules": "#rules",
    "table": "#table",
    "changes": "#changes/1.1",
}
LOOKS = {
    "": {},
    "-dark": {"color_scheme": "dark"},
    "-phone": {"viewport": {"width": 390, "height": 760}, "is_mobile": True, "has_touch": True},
}
NAMED = {
    "button",
    "link",
    "textbox",
    "searchbox",
    "slider",
    "combobox",
    "spinbutton",
    "ColorWell",
    "listitem",
    "Iframe",
}
"""Roles that need a name for screen readers."""


def check_picture(page, name):
    """Check that a picture of the page is not empty.

    Store pictures of the guide in the folder named by PNP_PICTURES.
    """
    image = shot(page)
    assert len(image.getcolors(1 << 22)) > 50, name
    folder = os.environ.get("PNP_PICTURES")
    if folder and f"live-{name}.png" in (ROOT / "docs/live.md").read_text("utf-8"):
        image.quantize(160).save(Path(folder) / f"live-{name}.png", optimize=True)


def unnamed_roles(page):
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    roles = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    ]
    return [role for role, name in roles if role in NAMED and not name.strip()]


@pytest.fixture(scope="module")
def changed_game(tmp_path_factory):
    """Return a live page of a changed game with an earlier release."""
    folder = tmp_path_factory.mktemp("packs") / "hydras"
    shutil.copytree(ROOT / "templates/hydras", folder)
    # The pictures of the guide show the version that the game has.
    rewrite(folder / "game.yaml", 'version: "2"', 'version: "1.1"')
    assert CliRunner().invoke(main, ["release", str(folder)]).exit_code == 0
    rewrite(folder / "game.yaml", 'version: "1.1"', 'version: "2"')
    for old, new in (("Crusher", "Smasher"), ("Unburned", "Unburnt"), ("n-e:neck", "n-w:neck")):
        for table in ("labours.csv", "necks.csv"):
            text = (folder / table).read_text("utf-8")
            (folder / table).write_text(text.replace(old, new), "utf-8")
    with live_page(folder) as serving:
        while serving.session._unrendered:
            time.sleep(0.05)
        yield serving


HELD = {
    "cards": ".card img",
    "card": ".layer-row",
    "sheets": ".slot img",
    "rules": "iframe",
    "table": ".pile img",
    "changes": ".both img",
}
"""An element of each view that appears when the view has loaded."""
LOADED = "() => [...document.images].every((image) => image.complete || image.loading === 'lazy')"
# Pictures with `decoding: async` are white until they are decoded, although they are complete.
DECODED = """() => Promise.all([...document.images]
    .filter((image) => image.complete && image.naturalWidth)
    .map((image) => image.decode()))"""
AT_REST = "() => document.getAnimations().every((each) => each.playState !== 'running')"


def wait_until_ready(page, name):
    """Wait until a view has loaded."""
    page.locator(HELD[name]).first.wait_for(timeout=300_000)
    if name == "rules":
        page.frame_locator("iframe").locator("h1").first.wait_for(timeout=300_000)
    if name == "table":
        page.locator(".pile .small").first.click()
        page.locator(".pile .small").nth(2).click()
        for _ in range(6):
            page.locator("body").press("d")
        until(page, lambda: page.locator(".hand img").count() == 6)
    until(page, lambda: page.evaluate(LOADED) and page.evaluate(AT_REST))
    page.evaluate(DECODED)


@pytest.mark.parametrize("look", LOOKS)
def test_every_view_loads_with_its_width_and_named_controls(changed_game, look):
    with Chromium(**LOOKS[look]) as chromium:
        for name, place in VIEWS.items():
            page = chromium.open(changed_game.server.address, place)
            wait_until_ready(page, name)
            check_picture(page, f"{name}{look}")
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (
                f"{name} is too wide"
            )
            assert not unnamed_roles(page), name
            page.context.close()
        assert not chromium.faults
        assert not chromium.foreign


def test_filters_open_by_a_button_on_a_phone(live):
    with Chromium(**LOOKS["-phone"]) as chromium:
        page = chromium.open(live.server.address)
        card(page, "line").wait_for()
        assert not page.locator("#side").is_visible()
        page.get_by_role("button", name="Filter").tap()
        page.locator("summary", has_text="kind").tap()
        page.get_by_role("button", name="curve").tap()
        page.get_by_role("button", name="Filter").tap()
        card(page, "line").wait_for(state="detached")
        card(page, "bend").tap()
        page.get_by_role("heading", name="Bend").wait_for()
        assert not chromium.faults


def test_tiles_of_a_game_snap_to_the_board():
    with live_page(ROOT / "templates/hoses-and-hydrants") as live, Chromium() as chromium:
        page = chromium.open(live.server.address, "#table")
        page.get_by_role("button", name="Board: tiles snap").click()
        page.locator(".pile .small").first.click()
        caught_up(page, live)
        size = box_of(page.locator(".placed").first)["width"]
        spots = [
            (620, 380),
            *((620 + x * size, 380 + y * size) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))),
        ]
        for spot in spots:
            box = box_of(page.locator(".placed").first)
            page.mouse.move(box["x"] + 30, box["y"] + 30)
            page.mouse.down()
            page.mouse.move(*spot, steps=4)
            page.mouse.up()
            until(page, lambda: page.locator(".placed.dragged").count() == 0)
        tiles_placed = [box_of(entry) for entry in page.locator(".placed").all()]
        assert any(
            abs(item["x"] + 30 - 620) < size and abs(item["y"] + 30 - 380) < size
            for item in tiles_placed
        ), "the first tile lies where it was dropped"
        until(page, lambda: page.evaluate(LOADED) and page.evaluate(AT_REST))
        page.evaluate(DECODED)
        check_picture(page, "board")
        assert not chromium.faults
