"""Test the web page of rules in a real browser: Chromium, without a window.

Needs Chromium on the path (`apt-get install chromium`, or set CHROMIUM to its program).
"""

import re
from base64 import b64decode
from html.parser import HTMLParser

import pytest
import uharfbuzz as hb

from tests.tools.live_browser import Chromium
from tests.tools.placeholder_figures import GAMES

MEASURE = """async () => {
  await document.fonts.ready;
  const wide = [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 0.5
    && !e.closest("svg.sprite") && !e.closest("symbol"));
  const empty = [...document.querySelectorAll("svg.face, svg.icon")].filter(e => !e.closest("dialog")
    && e.getBoundingClientRect().width < 4);
  return {inner: innerWidth, scroll: document.documentElement.scrollWidth,
    wide: wide.map(e => e.outerHTML.slice(0, 80)), empty: empty.length,
    fonts: [...document.fonts].filter(f => f.status !== "loaded" && f.status !== "unloaded").map(f => f.family),
    text: parseFloat(getComputedStyle(document.querySelector("main p")).fontSize)};
}"""


@pytest.fixture(scope="module")
def chromium():
    with Chromium() as browser:
        yield browser


@pytest.fixture(scope="module", params=GAMES)
def page(request, printed):
    return next(printed(request.param).glob("*-rules.html"))


def measure(browser, path, width):
    """Return the measurements of a page in a window of a width, after its fonts have loaded."""
    browser.look["viewport"] = {"width": width, "height": 800}
    page = browser.open(path.as_uri())
    measures = page.evaluate(MEASURE)
    page.context.close()
    assert not browser.faults
    return measures


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1200])
def test_page_of_rules_fits_the_width_of_the_window(page, chromium, width):
    measures = measure(chromium, page, width)
    assert measures["inner"] == width
    assert measures["scroll"] <= width, measures["wide"]
    assert not measures["wide"]
    assert measures["empty"] == 0
    assert measures["fonts"] == []
    assert measures["text"] >= 16


@pytest.mark.browser
def test_measurement_reports_elements_wider_than_the_window(page, chromium, tmp_path):
    text = page.read_text("utf-8").replace("</main>", '<p style="width:500px">x</p></main>')
    (tmp_path / "wide.html").write_text(text, "utf-8")
    measures = measure(chromium, tmp_path / "wide.html", 390)
    assert measures["wide"]
    assert measures["scroll"] > 390


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


def test_page_of_rules_loads_no_other_file(page, tags):
    text = page.read_text("utf-8")
    for tag, attributes in tags:
        assert tag not in {"script", "link", "img", "iframe"}
        for name in ("src", "href", "xlink:href"):
            data_urls = ("data:image/svg+xml;base64,",) if tag == "image" else ()
            assert (attributes.get(name) or "#").startswith(
                ("#", "https://", "mailto:", *data_urls)
            )
    assert not re.search(r"url\((?!data:(?:font/ttf|image/svg\+xml);|[\"']?#)", text)


def test_page_defines_each_picture_once_and_names_it(tags, page):
    symbols = [a["id"] for tag, a in tags if tag == "symbol" and a["id"].startswith("face-")]
    assert len(symbols) == len(set(symbols))
    used = {
        a["href"][1:] for tag, a in tags if tag == "use" and a.get("href", "").startswith("#face-")
    }
    assert used == set(symbols)
    game = "hydras" if "hydras" in page.name else "hoses-and-hydrants"
    first_pictures = [
        next(a["href"] for tag, a in tags[index:] if tag == "use")
        for index, (tag, _) in enumerate(tags)
        if tag == "figure"
    ]
    assert len(first_pictures) == len(set(first_pictures)) == len(GAMES[game])
    assert all(a.get("aria-label") or a.get("aria-hidden") for tag, a in tags if tag == "svg")


def test_links_of_the_page_lead_to_its_headings(tags):
    ids = [a["id"] for _, a in tags if "id" in a]
    links = [a["href"][1:] for tag, a in tags if tag == "a" and a["href"].startswith("#")]
    assert links
    assert set(links) <= set(ids)


def test_page_declares_its_language_and_the_width_of_phones(tags):
    assert ("html", {"lang": "en"}) in tags
    assert any(
        tag == "meta" and "width=device-width" in (a.get("content") or "") for tag, a in tags
    )


def test_numbers_in_the_text_are_lining_figures(page):
    """Alegreya's own figures are old-style: the page's font must hold the others."""
    text = page.read_text("utf-8")
    assert "font-variant-numeric: lining-nums" in text
    data = re.search(
        r"font-family:'Alegreya';font-weight:400;font-style:normal;[^}]*base64,([^)]+)\)", text
    )[1]
    font = hb.Font(hb.Face(b64decode(data)))
    assert shape_text(font, "37", lnum=True) != shape_text(font, "37", lnum=False)


def shape_text(font, text, **features):
    """Return the glyphs of a text."""
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(font, buffer, features)
    return [info.codepoint for info in buffer.glyph_infos]
