"""Test the gallery of a build: the live page without a server, opened from disk in Chromium."""

import io
import json
import os
import re
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageStat

from generator.base.ui_strings import words_for
from generator.export import gallery
from generator.export.gallery import join_modules
from generator.impose.duplex import DUPLEX_MODES
from generator.live.page_files import read_page_file
from tests.tools.live_browser import Chromium, shot, until
from tests.tools.make_pack import make, svg

PAGE = Path(__file__).parents[2] / "generator/live/page"

REPORTS = {
    "{0} on {1}, both sides",
    "{0} on {1}, one side",
    "{0} to print on both sides and fold",
    "how to make the game",
    "the rules as a web page",
}
"""What pnp reports of sheets and files; the page looks these sentences up as they come."""

EVIL = '</script></noscript><img src=x onerror="alert(1)"><script>alert(2)</script>'
WRITTEN = EVIL.replace("<", "\\<")
"""The same text escaped for a cell; unescaped HTML is refused."""
QUOTED = WRITTEN.replace('"', '""')
TABLE = f'id,title,kind,secret\nbend,Bend,curve,cut it?\nline,Line,straight,\nevil,"{QUOTED}",curve,hidden words\n'
LAYOUT = (
    "- fill: red\n- text: $title\n  when: kind\n  box: [9, 18, 26, 9]\n  style: body\n  fit: 1mm\n"
)
TOKENS = """
  tokens:
    title: Tokens
    size: circle 20mm
    data: [{id: sun, title: Sun, count: 4}]
    front: layouts/token.yaml
"""
FILES = {"layouts/back.yaml": "- fill: $blue\n", "layouts/token.yaml": "- fill: blue\n"}


@pytest.fixture
def pack(tmp_path):
    component = "back: layouts/back.yaml\n"
    folder = make(tmp_path / "pack", LAYOUT, TABLE, "", component, "hex 40mm", FILES)
    with (folder / "game.yaml").open("a", encoding="utf-8") as file:
        file.write(TOKENS)
    return folder


def build_gallery(pnp, pack, out, *options):
    assert pnp("build", pack, "-o", out, "--what", "gallery", *options).exit_code == 0
    return next(path for path in sorted(out.rglob("*.html")) if "gallery" in str(path))


def read_page_data(page):
    text = page.read_text("utf-8")
    return json.loads(
        re.search(r'<script type="application/json" id="state">(.*?)</script>', text, re.DOTALL)[1]
    )


def test_gallery_has_only_printed_columns_and_no_paths(pack, pnp, tmp_path):
    page = build_gallery(pnp, pack, tmp_path / "out")
    state = read_page_data(page)
    assert [card["title"] for card in state["cards"]] == ["Bend", "Line", WRITTEN, "Sun"]
    assert {name for card in state["cards"] for name in card["row"]} == {
        "id",
        "title",
        "kind",
        "count",
    }
    text = page.read_text("utf-8")
    assert str(tmp_path) not in text
    assert "hidden words" not in text
    back = {
        side["key"] for card in state["cards"] for side in card["sides"] if side["name"] == "back"
    }
    assert back == {"cards-bend-back"}, "one picture for all backs"
    asked = [side["key"] for card in state["cards"] for side in card["sides"]]
    assert sorted(set(asked)) == sorted(re.findall(r'<symbol id="face-([^"]+)"', text)), "each once"


def test_single_gallery_is_one_file_with_every_face(pack, pnp, tmp_path):
    page = build_gallery(pnp, pack, tmp_path / "out", "--single")
    assert [path.name for path in page.parent.iterdir()] == [page.name]
    assert len(re.findall('<symbol id="face-', page.read_text("utf-8"))) == 5


BLURRED = svg(
    '<filter id="f"><feGaussianBlur stdDeviation="1"/></filter><path d="M1 1h8v8z" filter="url(#f)"/>'
)


def test_gallery_links_to_the_files_that_are_built_with_it(pack, pnp, tmp_path):
    game = pack / "game.yaml"
    game.write_text(game.read_text("utf-8") + "rules: {file: rules.md}\n", "utf-8")
    (pack / "rules.md").write_text("# Small\n\nPlay a card.\n", "utf-8")
    page = build_gallery(pnp, pack, tmp_path / "out", "--what", "rules", "--what", "sheets")
    links = dict(re.findall(r'href="(\.\./[^"]+)">([^<]+)<', page.read_text("utf-8")))
    assert all((page.parent / address).is_file() for address in links)
    assert list(links.values()) == [
        "Rules",
        "Sheets, A4",
        "Sheets, Letter",
        "Rules to read",
        "Booklet to fold, A4",
        "Booklet to fold, Letter",
    ]
    single = build_gallery(pnp, pack, tmp_path / "single", "--single", "--what", "rules")
    assert "../" not in single.read_text("utf-8"), "a single file links to no other file"


def pack_with_pictures(folder):
    """Return a pack with a photograph on each card, a shared banner, and a blurred art on one card."""
    layout = (
        "- image: $pic\n  box: [0, 0, 40, 20]\n- image: banner.png\n  box: [0, 20, 20, 10]\n"
        "- svg: blurred.svg\n  box: [24, 22, 9, 9]\n  when: blurred\n"
        "- text: $title\n  box: [2, 32, 36, 6]\n  style: body\n"
    )
    table = "id,title,pic,blurred\na,Apple,a.jpg,\nb,Beech,b.jpg,\nc,Cedar,a.jpg,yes\n"
    files = {
        "blurred.svg": BLURRED,
        "banner.png": noise_file("PNG", "navy"),
        "a.jpg": noise_file("JPEG", "red"),
    }
    return make(folder, layout, table, files={**files, "b.jpg": noise_file("JPEG", "green")})


def noise_file(kind, colour):
    """Return an image file with far more pixels than a screen shows."""
    image = Image.effect_noise((1600, 800), 60).convert("RGB")
    buffer = io.BytesIO()
    image.paste(colour, (0, 0, 800, 800))
    image.save(buffer, kind)
    return buffer.getvalue()


def test_gallery_stores_each_picture_once_at_screen_resolution(tmp_path, pnp):
    page = build_gallery(pnp, pack_with_pictures(tmp_path / "pack"), tmp_path / "out")
    text = page.read_text("utf-8")
    files = [path for path in page.parent.iterdir() if path != page]
    assert sorted(path.suffix for path in files) == [".jpg", ".jpg", ".png", ".png"], (
        "two photographs, a banner, and a face that is stored as pixels"
    )
    assert all(text.count(f'href="{path.name}"') for path in files)
    for path in files:
        with Image.open(path) as image:
            assert 94 <= image.width <= 2 * 189, (
                "at least 120 dpi for 20 mm, and at most twice that for 40 mm"
            )
    assert sum(path.stat().st_size for path in files) < 200_000


def test_equal_faces_of_different_outlines_keep_their_own_shapes(tmp_path, pnp):
    squares = TOKENS.replace("tokens:", "squares:").replace("circle 20mm", "20mm")
    pack = make(tmp_path / "pack", files=FILES)
    with (pack / "game.yaml").open("a", encoding="utf-8") as file:
        file.write(TOKENS + squares)
    page = build_gallery(pnp, pack, tmp_path / "out").read_text("utf-8")
    outlines = {
        name: path.count("L")
        for name, path in re.findall(
            r'<symbol id="face-(\w+)-[^>]*><path class="paper" d="([^"]*)"', page
        )
    }
    assert outlines["squares"] == 3
    assert outlines["tokens"] > 20


@pytest.mark.parametrize("bound", ["MAX_FACE_CHARS", "MAX_PAGE_CHARS"])
def test_face_too_long_for_the_page_is_a_picture_beside_it(bound, pack, pnp, tmp_path, monkeypatch):
    monkeypatch.setattr(gallery, bound, 1000 if bound == "MAX_PAGE_CHARS" else 200)
    page = build_gallery(pnp, pack, tmp_path / "out")
    beside = {path.name for path in page.parent.iterdir() if path != page}
    assert "cards-evil-front.png" in beside
    assert beside == set(re.findall(r'<image href="([^"]+)"', page.read_text("utf-8")))


def test_single_gallery_embeds_each_picture_once(tmp_path, pnp):
    page = build_gallery(pnp, pack_with_pictures(tmp_path / "pack"), tmp_path / "out", "--single")
    pictures = re.findall(r'href="(data:image/(?:png|jpeg);base64,[^"]+)"', page.read_text("utf-8"))
    assert len(pictures) == len(set(pictures)) == 4


@pytest.mark.browser
@pytest.mark.parametrize("options", [(), ("--single",)])
def test_gallery_shows_faces_as_they_are_printed(tmp_path, pnp, options):
    """Compare each face in the browser with its preview."""
    pack = pack_with_pictures(tmp_path / "pack")
    address = build_gallery(pnp, pack, tmp_path / "out", *options).as_uri()
    assert (
        pnp("preview", pack, "-o", tmp_path / "shown", "--what", "faces", "--dpi", "96").exit_code
        == 0
    )
    with Chromium() as browser:
        page = browser.open(f"{address}#cards")
        page.locator("#actual-size").click()  # one millimetre is one CSS millimetre
        for name in "abc":
            piece = page.locator(f'.card[data-name="cards:{name}"] .piece')
            with Image.open(next((tmp_path / "shown").rglob(f"cards-{name}-front.png"))) as preview:
                printed = on_page_colour(preview)
            until(page, lambda: mean_difference(shot(piece), printed) < 6)  # noqa: B023 - it is asked at once
        assert not browser.faults


DIFFERENT_IN_BROWSERS = {
    "moved": '<rect width="4" height="3" style="transform:rotate(40deg) translate(4px, 1px)"/>',
    "shadow": '<rect x="1" y="1" width="5" height="5" fill="#06c" filter="drop-shadow(3 3 1 #c00)"/>',
    "no-filter": '<rect width="9" height="9" fill="#06c" filter="url(#none)"/>',
    "clipped": '<g stroke-miterlimit="1.25"><path d="M1 10L5 6L9 10" fill="none" stroke="#026" stroke-width="7" '
    'stroke-linejoin="miter-clip"/></g>',
    "measured": '<path d="M0 5H10" pathLength="4" stroke="#246" stroke-width="6" stroke-dasharray="1 1"/>',
    "unscaled": '<path d="M1 1L2 2" transform="scale(5)" stroke-width="2" stroke="red" '
    'vector-effect="non-scaling-stroke"/>',
    "light": '<linearGradient id="g" color-interpolation="linearRGB"><stop stop-color="red"/><stop offset="1" '
    'stop-color="blue"/></linearGradient><path d="M0 0H10V10H0z" fill="url(#g)"/>',
    "sums": '<rect style="width:calc(4px + 5px);height:9px" fill="red"/>',
    "colour": '<rect width="9" height="9" style="fill:hsl(200deg 50% 50%)"/>',
    "about": '<rect x="1" y="5" width="7" height="2" style="transform-box:stroke-box;transform-origin:0 0" '
    'transform="rotate(45)"/>',
    "unset": '<g fill="red"><rect width="9" height="9" style="fill:unset"/></g>',
    "units": '<rect width=".5rem" height="9" fill="red"/>',
    "symbol": '<symbol id="s" viewBox="0 0 10 10" transform="rotate(20)"><path d="M4 1h6v4H4z"/></symbol>'
    '<use href="#s" width="10" height="10"/>',
}
"""Art that Chromium renders differently from the print, or once did."""


@pytest.mark.browser
def test_art_that_browsers_render_differently_looks_as_printed(tmp_path, pnp):
    arts = {name: svg(body) for name, body in DIFFERENT_IN_BROWSERS.items()}
    arts["small"] = svg('<rect width=".2" height=".3" fill="navy"/>', "0 0 .4 .4")
    files = {f"{name}.svg": art for name, art in arts.items()}
    layout = "- svg: $id.svg\n  box: [5, 5, 30, 30]\n"
    pack = make(tmp_path / "pack", layout, "\n".join(("id", *arts)) + "\n", files=files)
    address = build_gallery(pnp, pack, tmp_path / "out").as_uri()
    assert (
        pnp("preview", pack, "-o", tmp_path / "shown", "--what", "faces", "--dpi", "96").exit_code
        == 0
    )
    with Chromium() as browser:
        page = browser.open(f"{address}#cards")
        page.locator("#actual-size").click()
        for name in arts:
            piece = page.locator(f'.card[data-name="cards:{name}"] .piece')
            with Image.open(next((tmp_path / "shown").rglob(f"cards-{name}-front.png"))) as preview:
                printed = on_page_colour(preview)
            until(page, lambda: mean_difference(shot(piece), printed) < 6)  # noqa: B023 - it is asked at once
        assert not browser.faults


def on_page_colour(image):
    """Return a picture on the paper colour of the page."""
    paper = Image.new("RGBA", image.size, "#fffefb")
    return Image.alpha_composite(paper, image.convert("RGBA")).convert("RGB")


def mean_difference(one, other):
    """Return the mean difference of two pictures, of 255.

    Both are smoothed first, because renderers draw edges differently.
    """
    smooth = [item.convert("RGB").resize((37, 37), Image.Resampling.BOX) for item in (one, other)]
    return max(ImageStat.Stat(ImageChops.difference(*smooth)).mean)


def test_single_option_without_the_gallery_is_refused(pack, pnp, tmp_path):
    result = pnp("build", pack, "-o", tmp_path / "out", "--what", "sheets", "--single")
    assert result.exit_code == 2
    assert "--single applies to the gallery: add --what gallery" in result.stderr


def test_script_of_a_gallery_contains_every_module_once():
    alone = "enter"  # reads the key of the server, which a gallery on disk does not need
    modules = [path.stem for path in PAGE.glob("*.js") if path.stem != alone]
    script = join_modules()
    assert f"const {alone}Js" not in script
    assert all(script.count(f"const {name}Js = (") == 1 for name in modules)
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert "</script" not in script
    assert "</style" not in read_page_file("style.css")


@pytest.mark.browser
@pytest.mark.parametrize("options", [(), ("--single",)])
def test_gallery_works_when_opened_from_disk(pack, pnp, tmp_path, options):
    address = build_gallery(pnp, pack, tmp_path / "out", *options).as_uri()
    folder = address.rpartition("/")[0]
    with Chromium() as browser:
        page = browser.open(address, "#cards")
        page.locator('.card[data-name="cards:bend"] .piece svg').wait_for()
        until(page, lambda: page.locator(".card").count() == 4)
        assert page.locator("#tabs a").all_inner_texts() == ["Cards", "Table"]
        assert page.locator('.card[data-name="cards:evil"] .name').inner_text() == WRITTEN

        piece = page.locator('.card[data-name="cards:bend"] .piece')

        def at_the_top():
            hexagon = shot(piece)
            return hexagon.getpixel((hexagon.width // 2, 8))

        until(page, lambda: at_the_top() == (255, 0, 0))
        assert shot(piece).getpixel((2, 2)) not in {(255, 0, 0), (255, 255, 255)}, (
            "the face is clipped to its outline"
        )
        page.locator('.card[data-name="cards:bend"]').focus()
        page.keyboard.press("f")
        until(page, lambda: at_the_top() == (0, 0, 255))  # the back of the same card
        page.locator("summary", has_text="kind").click()
        page.get_by_role("button", name="curve").click()
        page.locator('.card[data-name="cards:line"]').wait_for(state="detached")
        page.get_by_role("button", name="Show all").click()
        page.locator("#search").fill("sun")
        page.locator('.card[data-name="cards:bend"]').wait_for(state="detached")
        assert page.get_by_role("img").count() == 0, (
            "cards in the list have names, so their pictures have no role"
        )
        page.locator('.card[data-name="tokens:sun"]').click()
        page.get_by_role("heading", name="Sun").wait_for()
        page.get_by_role("img", name="Sun, front").wait_for()
        page.goto(f"{address}#table")
        page.locator(".pile .lift").first.click()
        page.get_by_role("button", name="Hand 1 (1)").wait_for()
        assert not browser.faults
        assert all(asked.startswith(folder) for asked in browser.foreign)


def test_every_text_of_the_page_has_an_entry_for_translation():
    scripts = "".join(path.read_text("utf-8") for path in PAGE.glob("*.js"))
    texts = set(re.findall(r'\btranslate\("([^"]+)"', scripts))
    counted = set(re.findall(r'\bformatCount\([^"\n]+"(\w+)"\)', scripts))
    texts |= counted | {f"{word}s" for word in counted}
    for tag, text in re.findall(
        r"(<[^>]*\bdata-translate=[^>]*>)([^<]*)", read_page_file("index.html")
    ):
        names = re.search(r'data-translate="([^"]+)"', tag)[1].split()
        texts |= {
            text if name == "text" else re.search(rf'\b{name}="([^"]+)"', tag)[1] for name in names
        }
    counted_in_reports = {"sheet", "sheets", "page", "pages"}
    entries = words_for("en").page
    assert texts | REPORTS | counted_in_reports | DUPLEX_MODES.keys() == entries.keys()
    named = {text: entries[text] for text in entries.keys() - DUPLEX_MODES.keys()}
    assert all(english == text for english, text in named.items())


@pytest.mark.browser
def test_gallery_is_in_the_language_of_its_game(pack, pnp, tmp_path):
    game = pack / "game.yaml"
    game.write_text(f"language: nl-BE\n{game.read_text('utf-8')}", "utf-8")
    with Chromium(locale="nl") as browser:
        page = browser.open(build_gallery(pnp, pack, tmp_path / "out").as_uri())
        page.locator(".game .switch", has_text="Gegevens").click()
        page.locator('.card[data-name="cards:bend"]').wait_for()
        assert page.locator("#edition").inner_text() == "versie 1 · Nederlands (België)"
        assert page.locator("html").get_attribute("lang") == "nl-BE"
        assert page.locator("#tabs a").all_inner_texts() == ["Kaarten", "Tafel"]
        assert page.locator("#search").get_attribute("placeholder") == "Zoeken  ( / )"
        assert "1 ontwerp · 4 stukken · " in page.locator(".head", has_text="Tokens").inner_text()
        page.locator('.card[data-name="cards:bend"]').click()
        page.get_by_role("button", name="achterkant").wait_for()
        page.keyboard.press("?")
        page.get_by_role("heading", name="Sneltoetsen").wait_for()
        page.get_by_role("button", name="Sluiten").click()
        page.locator("#tabs a", has_text="Tafel").click()
        page.get_by_role("button", name="Uitdelen").click()
        page.get_by_text("kaarten uitgedeeld; meer zijn er niet").wait_for()
        page.locator("#tabs a", has_text="Kaarten").click()
        page.locator("#search").fill("zzz")
        none = "getComputedStyle(document.querySelector('.empty .space'), '::after').content"
        until(page, lambda: page.evaluate(none) == '"Geen kaarten gevonden."')
        assert not browser.faults


@pytest.mark.browser
def test_gallery_without_scripts_shows_its_faces_and_no_tools(pack, pnp, tmp_path):
    address = build_gallery(pnp, pack, tmp_path / "out").as_uri()
    with Chromium(java_script_enabled=False) as browser:
        page = browser.open(address)
        faces = page.locator(".designs figure > :not(dialog) svg")
        until(page, lambda: faces.count() == 5)
        assert faces.first.get_attribute("aria-label") == "Back of all", (
            "the common back is shown once"
        )
        faces.last.scroll_into_view_if_needed()
        assert shot(faces.last).getpixel((40, 40)) == (0, 0, 255)
        assert page.locator("h1").inner_text() == "Small"
        for tool in (".tools", "#side", ".switch"):
            assert not page.locator(tool).first.is_visible()
        page.locator(".designs .enlarge").last.click()
        page.locator(".large:popover-open").wait_for()


@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False])
def test_printed_gallery_shows_faces_in_real_size_without_tools(tmp_path, pnp, scripts):
    table = "id\n" + "".join(f"c{number}\n" for number in range(40))
    layout = "- fill: red\n- text: $id\n  box: [2, 2, 9, 5]\n  style: body\n"
    pack = make(tmp_path / "pack", layout, table)
    with Chromium(java_script_enabled=scripts) as browser:
        address = build_gallery(pnp, pack, tmp_path / "out").as_uri()
        page = browser.open(address, "#cards" if scripts else "")
        if scripts:
            page.locator("#search").fill("c3")
        with pypdfium2.PdfDocument(page.pdf()) as document:
            text = " ".join(item.get_textpage().get_text_bounded() for item in document)
            image = document[0].render(scale=4 * 25.4 / 72).to_pil().convert("RGB")
        printed_names = {word for word in text.split() if re.fullmatch(r"c\d+", word)}
        assert printed_names == {
            f"c{number}" for number in range(40) if not scripts or str(number).startswith("3")
        }
        assert "Keys" not in text
        red = np.asarray(image) == (255, 0, 0)
        (reds,) = red.all(axis=2)[red.all(axis=2).any(axis=1).argmax() + 20].nonzero()
        run = next(index for index, x in enumerate(reds) if index and x != reds[index - 1] + 1)
        assert run == pytest.approx(160, abs=2), "40 mm"
        if scripts:
            assert page.locator(".printed").count() == 0
            page.locator('.card[data-name="cards:c3"]').wait_for()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("place", "face", "forced", "page_colour"),
    [
        ("#cards", ".piece svg", "active", range(40)),
        ("#cards", ".piece svg", "none", range(40)),
        ("", ".designs .enlarge svg", "none", range(235, 256)),
    ],
)
def test_faces_lie_on_light_paper_in_a_dark_browser(
    tmp_path, pnp, place, face, forced, page_colour
):
    """Unprinted parts show paper, so that dark letters are readable on a dark page."""
    pack = make(
        tmp_path / "pack", "- text: $id\n  box: [2, 2, 36, 20]\n  style: body\n  size: 9mm\n"
    )
    with Chromium(color_scheme="dark", forced_colors=forced) as browser:
        page = browser.open(build_gallery(pnp, pack, tmp_path / "out").as_uri(), place)
        picture = page.locator(face)
        picture.wait_for()
        picture.scroll_into_view_if_needed()
        darkest, lightest = shot(picture).convert("L").getextrema()
        assert darkest < 60
        assert lightest > 235
        with Image.open(io.BytesIO(page.screenshot())) as whole:
            assert max(whole.convert("RGB").getpixel((5, 850))) in page_colour, "the page"


@pytest.mark.browser
def test_mistyped_address_of_a_card_says_that_it_does_not_exist(pack, pnp, tmp_path):
    with Chromium() as browser:
        page = browser.open(build_gallery(pnp, pack, tmp_path / "out").as_uri(), "#card/%")
        page.get_by_text("This card no longer exists").wait_for()
        page.locator("body").press("f")
        assert not browser.faults


@pytest.mark.browser
def test_bundled_game_has_a_gallery(pnp, tmp_path):
    page_of = build_gallery(pnp, "urban-insanity-fire-engines", tmp_path)
    with Chromium(viewport={"width": 1100, "height": 760}) as browser:
        page = browser.open(page_of.as_uri())
        page.locator(".designs svg").first.wait_for()
        page.evaluate("scrollBy(0, 380)")
        until(page, lambda: page.evaluate("document.fonts.status === 'loaded'"))
        screenshot = shot(page)
        assert len(screenshot.getcolors(1 << 22)) > 50
        if folder := os.environ.get("PNP_PICTURES"):
            screenshot.quantize(160).save(Path(folder) / "live-gallery.png", optimize=True)
        assert not browser.faults
