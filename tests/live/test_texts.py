"""Test the language of the live page: every text exists in all languages."""

import json
import re
from itertools import count

import pytest

from generator.base.ui_strings import languages, words_for
from generator.impose.duplex import DUPLEX_MODES
from generator.live.page_files import PAGE_FOLDER
from generator.live.server import preferred_language
from tests.live.test_server import ask
from tests.tools.live_browser import Chromium, live_page
from tests.tools.make_pack import make

SCRIPTS = sorted(path.name for path in PAGE_FOLDER.iterdir() if path.name.endswith(".js"))
# Literals that a script gives to the page, and all literals that look like sentences.
HANDED = re.compile(
    r"""(?:\b(?:text|title|alt):|"aria-label":|\b(?:toast|dialog|Error)\(|textContent\s=)\s*"""
    r"""(?:"([^"]*)"|`([^`]*)`)"""
)
SENTENCE = re.compile(r'(?<!translate\()"([A-Z][a-z]+ [^"]+)"')
NAMES = {"VS Code"}


def untranslated(script):
    """Return the texts of a script that do not go through `translate`."""
    code = re.sub(r"^\s*//.*$", "", script, flags=re.MULTILINE)
    handed = [first or second for first, second in HANDED.findall(code)]
    words = [re.sub(r"\$\{[^}]*\}", "", text) for text in handed]
    texts = {text for text in words if re.search("[A-Za-z]{3}", text)}
    return texts.union(SENTENCE.findall(code)) - NAMES


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_give_the_page_no_text_without_translation(name):
    assert untranslated((PAGE_FOLDER / name).read_text("utf-8")) == set()


@pytest.mark.parametrize(
    "script",
    [
        'make("button", { text: "Board: tiles snap" })',
        "toast(`Moved in ${place}`)",
        'toast(snaps ? "Tiles snap here" : "Tiles stay")',
        'make("a", { "aria-label": "Sheets" })',
    ],
)
def test_text_without_translation_is_found(script):
    assert untranslated(script)


@pytest.mark.parametrize("code", languages())
def test_every_language_has_all_texts_of_the_page_with_their_placeholders(code):
    page = words_for(code).page
    assert set(page) == set(words_for("en").page)
    for english, text in page.items():
        assert text.strip(), english
        assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", text)), english


def count_blanks(sentence):
    """Return a sentence with `{0}`, `{1}` … in place of its counts."""
    numbers = count()
    return re.sub(r"\d+ (?:piece|sheet|page)s?\b", lambda _: f"{{{next(numbers)}}}", sentence)


@pytest.mark.parametrize("duplex", ["long-edge", "single"])
def test_every_language_has_what_a_build_says_of_its_files(duplex, tmp_path, pnp):
    """Compare the sentences of a build with the texts in which the page writes its counts."""
    rules = {"rules.md": "# Play\n\nLay a card.\n"}
    pack = make(
        tmp_path / "pack",
        more="rules: {file: rules.md}",
        component="back: layouts/front.yaml",
        files=rules,
    )
    what = ("--what=sheets", "--what=making", "--what=rules", f"--duplex={duplex}")
    result = pnp("build", pack, "--json", *what, "-o", tmp_path)
    sentences = {count_blanks(file["about"]) for file in json.loads(result.stdout)["files"]}
    assert len(sentences) >= 3
    for code in languages():
        assert sentences - {"{0}"} <= words_for(code).page.keys()
        assert DUPLEX_MODES.keys() <= words_for(code).page.keys()


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de-AT"),
        ("ja,nl;q=0.5", "nl"),
        ("ja", "en"),
        ("", "en"),
        ("*", "en"),
        ('"><script>', "en"),
    ],
)
def test_page_takes_the_first_language_of_the_browser_that_has_texts(header, language):
    assert preferred_language(header) == language


def test_page_names_its_language(tmp_path):
    with live_page(make(tmp_path / "pack")) as live:
        page = ask(live, "/", Accept_Language="fr-CA")[1].decode()
    assert '<html lang="fr-CA">' in page
    assert "Plateau : les tuiles" in page


@pytest.mark.browser
@pytest.mark.parametrize(
    ("locale", "summary"),
    [
        ("en-GB", "1 piece on 1 sheet, both sides · flip on the long edge"),
        ("de-DE", "1 Teil auf 1 Bogen, beidseitig · über die lange Kante wenden"),
        ("nl-BE", "1 stuk op 1 vel, dubbelzijdig · omslaan over de lange zijde"),
    ],
)
def test_sheets_are_summed_up_in_the_language_of_the_browser(tmp_path, locale, summary):
    pack = make(tmp_path / "pack", component="back: layouts/front.yaml")
    with live_page(pack) as live, Chromium(locale=locale) as chromium:
        page = chromium.open(live.server.address, "#sheets")
        page.get_by_text(summary).wait_for()
        assert not chromium.faults


@pytest.mark.browser
@pytest.mark.parametrize(
    ("locale", "board", "pdfs"),
    [
        ("de-DE", "Spielplan: Plättchen rasten ein", "PDFs erstellen"),
        ("es-ES", "Tablero: las losetas encajan", "Crear los PDF"),
        ("fr-FR", "Plateau : les tuiles s’alignent", "Créer les PDF"),
        ("nl-BE", "Bord: tegels klikken vast", "PDF's maken"),
    ],
)
def test_live_page_speaks_the_language_of_the_browser(tmp_path, locale, board, pdfs):
    more = 'links:\n  road: {width: 9mm, fill: "#888888"}\n'
    pack = make(tmp_path / "pack", "- links: {}\n", "id,road\none,n-e:road\n", more, "links: road")
    with live_page(pack) as live, Chromium(locale=locale) as chromium:
        page = chromium.open(live.server.address, "#table")
        page.get_by_role("button", name=board).click()
        page.get_by_role("button", name=pdfs).wait_for()
        assert not chromium.faults
