"""The web page in a real browser: Chromium, without a window.

Needs Chromium on the path (`apt-get install chromium`, or set CHROMIUM to its program).
"""

import json
import os
import re
import shutil
import subprocess
from html import unescape
from html.parser import HTMLParser

import pytest
from stand_ins import GAMES

QUIET = (  # noqa: SIM905
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars"
).split()
MEASURE = """<script>document.fonts.ready.then(() => {
  const wide = [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 0.5
    && !e.closest("svg.sprite") && !e.closest("symbol"));
  const empty = [...document.querySelectorAll("svg.face, svg.icon")].filter(e => e.getBoundingClientRect().width < 4);
  const fonts = [...document.fonts].filter(f => f.status === "error").map(f => f.family);
  document.title = JSON.stringify({inner: innerWidth, scroll: document.documentElement.scrollWidth,
    wide: wide.map(e => e.outerHTML.slice(0, 80)), empty: empty.length, fonts,
    text: parseFloat(getComputedStyle(document.querySelector("main p")).fontSize)});
})</script>"""


@pytest.fixture(scope="module")
def chromium():
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        pytest.fail("the web page is checked in Chromium, which is not here: apt-get install chromium", pytrace=False)
    return found


@pytest.fixture(scope="module", params=GAMES)
def page(request, published):
    return next(published(request.param).glob("*.html"))


def measure(program, text, width, folder):
    """What the page says of itself in a frame so wide, since a window of Chromium is at least 500 pixels."""
    text = re.sub(r"<meta http-equiv=[^>]*Content-Security-Policy[^>]*>", "", text)  # it lets no script of ours in
    (folder / "measured.html").write_text(text.replace("</body>", MEASURE + "</body>"), "utf-8")
    poll = 'const f = document.querySelector("iframe"); setInterval(() => document.title = f.contentDocument.title, 50)'
    frame = f'<iframe src="measured.html" style="width:{width}px;height:800px;border:0"></iframe>'
    (folder / "outer.html").write_text(f"<!doctype html><body>{frame}<script>{poll}</script></body>")
    flags = ["--allow-file-access-from-files", "--virtual-time-budget=8000", "--window-size=1300,900"]
    command = [program, *QUIET, *flags, f"--user-data-dir={folder / 'profile'}", "--dump-dom"]
    run = subprocess.run(
        [*command, (folder / "outer.html").as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    return json.loads(unescape(re.search(r"<title>(\{.*?\})</title>", run.stdout)[1]))


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1200])
def test_nothing_sticks_out_at_the_side(page, chromium, width, tmp_path):
    said = measure(chromium, page.read_text("utf-8"), width, tmp_path)
    assert said["inner"] == width
    assert said["scroll"] <= width, said["wide"]
    assert not said["wide"]
    assert said["empty"] == 0
    assert said["fonts"] == []
    assert said["text"] >= 16


@pytest.mark.browser
def test_the_measure_sees_what_sticks_out(page, chromium, tmp_path):
    text = page.read_text("utf-8").replace("</main>", '<p style="width:500px">x</p></main>')
    said = measure(chromium, text, 390, tmp_path)
    assert said["wide"]
    assert said["scroll"] > 390


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def tags(page):
    reader = Tags()
    reader.feed(page.read_text("utf-8"))
    return reader.tags


def test_it_needs_nothing_else(page, tags):
    text = page.read_text("utf-8")
    for tag, attributes in tags:
        assert tag not in {"script", "link", "img", "iframe"}
        for name in ("src", "href", "xlink:href"):
            held = ("data:image/svg+xml;base64,",) if tag == "image" else ()
            assert (attributes.get(name) or "#").startswith(("#", "https://", "mailto:", *held))
    assert not re.search(r"url\((?!data:font/ttf|[\"']?#)", text)


def test_every_picture_is_there_once_and_named(tags, page):
    symbols = [a["id"] for tag, a in tags if tag == "symbol" and a["id"].startswith("face-")]
    assert len(symbols) == len(set(symbols))
    used = {a["href"][1:] for tag, a in tags if tag == "use" and a.get("href", "").startswith("#face-")}
    assert used == set(symbols)
    game = "hydras" if "hydras" in page.name else "hoses-and-hydrants"
    labels = [a.get("aria-label") for tag, a in tags if tag == "svg"]
    assert {f"the figure {name}" for name in GAMES[game]} <= set(labels)
    assert all(a.get("aria-label") or a.get("aria-hidden") for tag, a in tags if tag == "svg")


def test_links_lead_to_headings(tags):
    ids = [a["id"] for _, a in tags if "id" in a]
    links = [a["href"][1:] for tag, a in tags if tag == "a" and a["href"].startswith("#")]
    assert links
    assert set(links) <= set(ids)


def test_it_says_its_language_and_fits_a_phone(tags):
    assert ("html", {"lang": "en"}) in tags
    assert any(tag == "meta" and "width=device-width" in (a.get("content") or "") for tag, a in tags)
