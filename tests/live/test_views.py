"""Test each view of the live page in Chromium: sizes, lines, colour blindness, sheets, the table, changes."""

import pytest
from click.testing import CliRunner

from generator.cli import main
from tests.tools.live_browser import Chromium, box_of, live_page, save, shot, until
from tests.tools.make_pack import make

pytestmark = pytest.mark.browser
LAYOUT = "- fill: $ground\n- text: $title\n  box: [5, 30, 30, 6]\n  style: body\n"
TABLE = "id,title,count\none,One,2\ntwo,Two,3\n"
BACK = "- fill: $blue\n- shape: {rect: [20, 0, 20, 40], fill: $ground}\n"
GROUND = (255, 0, 0)
BLUE = (0, 0, 255)


@pytest.fixture
def pack(tmp_path):
    folder = make(
        tmp_path / "pack",
        LAYOUT,
        TABLE,
        "",
        "back: layouts/back.yaml",
        files={"layouts/back.yaml": BACK},
    )
    game = (folder / "game.yaml").read_text("utf-8")
    (folder / "game.yaml").write_text(
        game.replace("palette: {", 'palette: {ground: "#ff0000", '), "utf-8"
    )
    return folder


@pytest.fixture
def browser():
    with Chromium() as chromium:
        yield chromium
        assert not chromium.faults
        assert not chromium.foreign


@pytest.fixture
def show(pack, browser):
    """Return a function that opens a view of the pack."""
    with live_page(pack) as live:
        yield lambda place: browser.open(live.server.address, place)


def colour_at(place, x, y):
    """Return the colour at a place given in shares of the width and the height."""
    image = shot(place)
    return image.getpixel((int(image.width * x), int(image.height * y)))


def test_real_size_follows_the_measured_pixels_of_the_screen(show):
    page = show("#card/cards:one")
    piece = page.locator(".turner .piece")
    until(page, lambda: piece.bounding_box()["width"] > 400)
    page.keyboard.press("a")
    until(page, lambda: piece.bounding_box()["width"] == pytest.approx(40 * 96 / 25.4, abs=0.1))
    page.keyboard.press("r")
    page.locator('input[aria-label="Pixels per millimetre"]').fill("5")
    until(
        page,
        lambda: (
            page.locator(".bankcard").bounding_box()["width"] == pytest.approx(85.6 * 5, abs=0.1)
        ),
    )
    page.keyboard.press("Escape")
    until(page, lambda: piece.bounding_box()["width"] == 200)
    page.keyboard.press("a")
    until(page, lambda: 140 < piece.bounding_box()["width"] < 145)
    page.goto(page.url.partition("#")[0] + "#cards")
    page.keyboard.press("0")
    until(page, lambda: page.locator(".card .piece").first.bounding_box()["width"] == 200)


def test_keys_show_bleed_cut_lines_and_colour_vision(show):
    page = show("#card/cards:one")
    piece = page.locator(".turner .piece")
    until(page, lambda: colour_at(piece, 0.5, 0.2) == GROUND)
    before = box_of(piece)["width"]
    page.keyboard.press("b")
    until(page, lambda: piece.bounding_box()["width"] == pytest.approx(before * 46 / 40, abs=0.5))
    page.keyboard.press("t")
    page.keyboard.press("s")
    until(
        page,
        lambda: [page.locator(f".lines .{name}").count() for name in ("trim", "safe")] == [1, 1],
    )
    for key in "bts":
        page.keyboard.press(key)
    until(page, lambda: colour_at(piece, 0.5, 0.2) == GROUND)
    eyes = [GROUND]
    while len(eyes) < 5:
        page.keyboard.press("e")
        until(
            page, lambda: (now := colour_at(piece, 0.5, 0.2)) not in eyes and not eyes.append(now)
        )
    grey = eyes[1]
    assert max(grey) - min(grey) <= 1
    red_blind = eyes[2]
    assert red_blind[0] < 160, "red is dark in red blindness"
    page.keyboard.press("e")
    until(page, lambda: colour_at(piece, 0.5, 0.2) == GROUND)


def test_sheet_is_turned_over_and_held_to_the_light(show):
    page = show("#sheets/a4")
    slot = page.locator(".paper .front .slot").first
    slot.wait_for()
    box = box_of(slot)
    clip = {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}

    def colours():
        image = shot(page, clip=clip)
        return [image.getpixel((int(image.width * x), image.height // 4)) for x in (0.25, 0.75)]

    until(page, lambda: colours() == [GROUND, GROUND])
    page.keyboard.press("l")
    until(page, lambda: colours()[1][0] < 200)  # blue on the back darkens the front
    assert colours()[0] == GROUND, "red on the back shows as red through the paper, mirrored"
    page.keyboard.press("f")
    page.keyboard.press("l")
    page.locator(".paper .front").first.wait_for(state="hidden")
    page.locator(".paper .back .slot").first.wait_for()


def test_old_and_new_face_meet_at_the_movable_line(pack, browser):
    assert CliRunner().invoke(main, ["release", str(pack)]).exit_code == 0
    game = (pack / "game.yaml").read_text("utf-8")
    (pack / "game.yaml").write_text(
        game.replace("#ff0000", "#00ff00").replace('"1"', '"2"'), "utf-8"
    )
    with live_page(pack) as live:
        page = browser.open(live.server.address, "#changes/1")
        both = page.locator(".both").first
        both.wait_for()
        for share in (50, 20):
            both.locator("input").fill(str(share))
            sides = [share / 100 - 0.05, share / 100 + 0.05]
            until(
                page,
                lambda sides=sides: (
                    [colour_at(both, x, 0.1) for x in sides] == [GROUND, (0, 255, 0)]
                ),
            )
        game = (pack / "game.yaml").read_text("utf-8")
        save(pack / "game.yaml", game.replace("#00ff00", "#00fe00"))
        until(page, lambda: colour_at(both, 0.9, 0.1) == (0, 254, 0))
        assert both.locator("input").input_value() == "20", "the line keeps its place"


def test_cards_are_dealt_played_turned_returned_and_gathered(show):
    page = show("#table")
    pile = page.locator(".pile")
    played = page.locator(".placed")
    pile.first.wait_for()
    page.get_by_label("Players").select_option("2")
    page.get_by_label("Cards per player").fill("2")
    page.get_by_label("Cards per player").press("Enter")
    page.get_by_role("button", name="Deal", exact=True).click()
    page.get_by_role("button", name="Hand 2 (2)").click()
    until(page, lambda: pile.first.locator(".number").inner_text() == "1")
    page.locator(".hand button").first.click()
    page.get_by_role("button", name="Hand 2 (1)").wait_for()
    played.first.focus()
    page.get_by_role("button", name="Rotate", exact=True).click()
    until(page, lambda: "rotated by 90 degrees" in played.first.get_attribute("aria-label"))
    page.get_by_role("button", name="Turn over").click()
    until(page, lambda: colour_at(played.first, 0.5, 0.25) == BLUE)
    page.get_by_role("button", name="Return to pile").click()
    until(page, lambda: pile.first.locator(".number").inner_text() == "2")
    until(page, lambda: played.count() == 0)
    page.keyboard.press("d")
    page.get_by_role("button", name="Hand 2 (2)").wait_for()
    page.get_by_role("button", name="Deal", exact=True).click()
    page.get_by_text("1 card dealt; no more are left").wait_for()
    page.get_by_role("button", name="Gather all").click()
    until(page, lambda: pile.first.locator(".number").inner_text() == "5")
