"""Test that a stranger's picture, font or name runs no script in a web page and makes no request."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from fontTools.ttLib import TTFont

from generator.base.errors import InvalidValueError
from generator.base.files import bundled_folder
from generator.base.fonts import read_font
from generator.base.svg_table import to_web_text
from generator.draw.art.read import read_art
from generator.picture.web_parts import EMBEDDED_OR_BESIDE, css_text, policy
from tests.tools.hostile_files import DRAWN, FETCHING
from tests.tools.make_face import with_art
from tests.tools.make_pack import make, svg

RULES = "# Play\n\n::: components\n:::\n"
ART = "- svg: a.svg\n  box: [0, 0, 9, 9]\n"

DANGEROUS = {"script", "iframe", "embed", "object", "img", "link", "base", "form", "foreignobject"}


class Reader(HTMLParser):
    """A parser that collects every tag, address and event attribute, also in pictures."""

    def __init__(self, page):
        super().__init__()
        self.tags = []
        self.fetched = []
        self.on = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for key, value in attrs:
            self.on += [key] if key.startswith("on") or key == "srcdoc" else []
            address = key in {
                "href",
                "xlink:href",
                "src",
                "srcset",
                "poster",
                "data",
                "action",
                "background",
            }
            if address and not (value or "").startswith(("#", "data:image/")):
                self.fetched.append(value)


def check(page):
    """Assert that a page runs no code and requests no file."""
    read = Reader(page)
    assert not set(read.tags) & DANGEROUS
    assert read.tags.count("meta") == 3
    assert not read.on
    assert not read.fetched
    assert not re.search(
        r"(?i)url\((?!data:font/ttf;base64,|#)|@import|image-set|javascript:", page
    )
    assert page.index("Content-Security-Policy") < page.index("<title>")


@pytest.mark.parametrize("body", DRAWN)
def test_rules_page_shows_picture_without_its_scripts(body, tmp_path, pnp):
    pack = make(
        tmp_path / "pack",
        ART,
        more="rules: {file: rules.md}",
        files={"a.svg": svg(body + '<circle r="2"/>'), "rules.md": RULES},
    )
    result = pnp("rules", pack, "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    (page,) = (tmp_path / "out").rglob("*.html")
    text = page.read_text("utf-8")
    assert "<circle" in with_art(text)
    check(with_art(text))


@pytest.mark.parametrize("body", FETCHING)
def test_art_that_requests_another_address_is_refused(body):
    with pytest.raises(InvalidValueError, match=r"refers to|is not allowed"):
        read_art(svg(body).encode(), "a.svg")


@pytest.mark.parametrize("body", [*DRAWN, *FETCHING])
def test_web_picture_contains_allowed_elements_only(body):
    """Write art that was not checked; only elements of the table remain."""
    page = f"<!doctype html>{policy()}<meta charset=x><meta name=x><title>x</title>"
    check(f"{page}<svg>{to_web_text(ET.fromstring(svg(body)))}</svg>")


def test_web_picture_reads_as_the_same_picture():
    body = '<g id="a" fill="url(#b)"><text x="1" xml:space="preserve">1 &lt; 2 &amp; "3"</text><use href="#b"/></g>'
    root = read_art(svg(body).encode(), "a.svg").root
    again = ET.fromstring(to_web_text(root))
    assert [(item.tag, item.text) for item in again.iter()] == [
        (element.tag, element.text) for element in root.iter()
    ]
    assert again[0].attrib["fill"] == "url(#b)"


@pytest.mark.parametrize(
    "family", ["x</style><script>alert(1)</script>", "a'b", 'a"b', "a\x1b[2Jb", "a;b"]
)
def test_font_with_an_unsafe_family_name_is_refused(family, tmp_path):
    font = TTFont(bundled_folder("fonts") / "bungee" / "Bungee-Regular.ttf")
    for record in font["name"].names:
        if record.nameID in {1, 16}:
            record.string = family
    font.save(tmp_path / "own.ttf")
    with pytest.raises(InvalidValueError, match="calls its family"):
        read_font(tmp_path / "own.ttf")


def test_css_text_escapes_its_end():
    assert css_text("a'</style>\n") == "'a\\27 \\3c \\2f style\\3e \\a '"


def test_gallery_page_has_its_content_security_policy(tmp_path, pnp, starter):
    pack = starter("cards")
    assert pnp("build", pack, "-o", tmp_path / "out", "--what", "gallery").exit_code == 0
    pages = list((tmp_path / "out").rglob("*.html"))
    assert pages
    for page in pages:
        text = page.read_text("utf-8")
        assert text.index("Content-Security-Policy") < text.index("<title>")
        scripts = re.findall(r"<script([^>]*)>(.*?)</script>", text, re.DOTALL)
        own = [body for kind, body in scripts if not kind]
        assert [kind for kind, _ in scripts if kind] == [' type="application/json" id="state"'], (
            "the only other script element holds data"
        )
        assert policy(own, pictures=EMBEDDED_OR_BESIDE) in text, (
            "the policy allows only the script with this digest"
        )
