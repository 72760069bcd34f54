"""Test the texts for players: each language has all of them, on sheets, in patches and under pictures."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from generator.base.ui_strings import has_words, languages, without_words, words_for
from generator.impose.duplex import DUPLEX_MODES
from tests.tools.read_pdf import read

ROOT = Path(__file__).parents[2]
FILES = ROOT / "generator" / "base" / "languages"


def flatten(table, path=()):
    for key, value in table.items():
        yield from (
            flatten(value, (*path, key)) if isinstance(value, dict) else [((*path, key), value)]
        )


def texts_by_key(code):
    return dict(flatten(tomllib.loads((FILES / f"{code}.toml").read_text("utf-8"))))


def placeholders(text):
    return sorted(re.findall(r"\{(\w*)\}", text))


@pytest.mark.parametrize("code", languages())
def test_every_language_has_all_texts_with_same_placeholders(code):
    """Compare the texts of each language with the English ones, and look for untranslated texts."""
    english = texts_by_key("en")
    other = texts_by_key(code)
    assert list(other) == list(english)
    assert {key: placeholders(text) for key, text in other.items()} == {
        key: placeholders(text) for key, text in english.items()
    }
    assert words_for(code)
    long = [key for key, text in english.items() if len(text) > 30 and text == other[key]]
    assert code == "en" or not long


@pytest.mark.parametrize("code", languages())
def test_language_names_every_duplex_mode(code):
    words = words_for(code).sheet
    assert {name.removesuffix("-back") for name in words.modes} == set(DUPLEX_MODES)
    assert all(
        words.how_to_print(mode) and words.how_to_print_behind(mode) for mode in DUPLEX_MODES
    )


def test_dialect_uses_texts_of_its_language():
    assert words_for("nl-BE") == words_for("nl_NL") == words_for("nl")
    assert words_for("nl") != words_for("en")
    assert has_words("nl-BE")
    assert has_words("DE_at")
    assert not has_words("pt_BR")


def test_language_without_texts_falls_back_to_english_with_note():
    assert words_for("xx") == words_for("en")
    assert without_words("nl") == ""
    assert without_words("xx") == (
        "pnp has no texts in 'xx', so its own texts, such as footers, are in English. "
        "It has texts in: de, en, es, fr, nl"
    )


@pytest.fixture
def dutch_pack(starter):
    """Return the starter of cards with Dutch titles, so that nothing on its sheets is English."""
    pack = starter("cards")
    game = (pack / "game.yaml").read_text("utf-8")
    game = game.replace("name: My Card Game\n", "name: My Card Game\nname@nl: Mijn kaartspel\n")
    (pack / "game.yaml").write_text(
        game.replace("title: Cards\n", "title: Cards\n    title@nl: Kaarten\n"), "utf-8"
    )
    return pack


def joined_text(page):
    return " ".join(page.text.split())


NOTES = {
    "long-edge": [
        "Mijn kaartspel 1 · Kaarten · vel 1 van 1 · voorkant · afdrukken op 100 %, omslaan over de lange zijde",
        "Mijn kaartspel 1 · Kaarten · vel 1 van 1 · achterkant · afdrukken op 100 %, omslaan over de lange zijde",
    ],
    "single": [
        "Mijn kaartspel 1 · Kaarten · vel 1 van 1 · voorkant · afdrukken op 100 %, enkelzijdig"
    ],
    "gutterfold": [
        "· vel 1 van 3 · voor- en achterkanten · afdrukken op 100 %, enkelzijdig; vouw langs de stippellijn"
    ],
    "glue": ["plak het hierachter, omtrek op omtrek", "plak het achter de voorkanten"],
}


@pytest.mark.parametrize("mode", NOTES)
def test_dutch_sheets_have_dutch_footers(mode, dutch_pack, pnp):
    result = pnp(
        *("build", dutch_pack, "--what", "sheets"),
        *("--lang", "nl", "--paper", "a4", "--duplex", mode),
    )
    assert result.exit_code == 0, result.output
    assert "no texts" not in result.stderr
    name = "pack-1-sheets-nl-a4.pdf" if mode == "long-edge" else f"pack-1-sheets-nl-a4-{mode}.pdf"
    pages = read(Path("output/pack") / name)
    for page, note in zip(pages, NOTES[mode], strict=False):
        assert note in joined_text(page)
    assert "4 inch" in joined_text(pages[0])
    assert pages[0].label == ("1 voor- en achterkanten" if mode == "gutterfold" else "1 voorkant")
    assert not [
        page for page in pages if re.search(r"\b(sheet|front|back|print|flip)\b", page.text)
    ]


def test_two_pass_footers_say_how_to_load_second_pass(dutch_pack, pnp):
    assert (
        pnp("build", dutch_pack, "--lang", "nl", "--paper", "a4", "--duplex", "two-pass").exit_code
        == 0
    )
    (front,) = read(Path("output/pack/pack-1-sheets-nl-a4-two-pass-1-fronts.pdf"))
    (back,) = read(Path("output/pack/pack-1-sheets-nl-a4-two-pass-2-backs.pdf"))
    assert (
        "eerste ronde: leg daarna alle vellen terug, dezelfde rand eerst, zodat de blanco kanten bedrukt worden"
        in joined_text(front)
    )
    assert (
        "tweede ronde: voer de vellen in, dezelfde rand eerst, zodat de blanco kanten bedrukt worden"
        in joined_text(back)
    )


@pytest.mark.parametrize("mode", DUPLEX_MODES)
@pytest.mark.parametrize("code", languages())
def test_footer_of_every_language_fits_in_margins(code, mode, starter, pnp):
    """Build the starter pack in every language and duplex mode."""
    pack = starter("cards")
    game = (pack / "game.yaml").read_text("utf-8")
    (pack / "game.yaml").write_text(f"language: {code}\n{game}", "utf-8")
    result = pnp("build", pack, "--what", "sheets", "--paper", "letter", "--duplex", mode)
    assert result.exit_code == 0, result.output
    assert "no room for the footer" not in result.stderr
    pages = [page for path in Path("output/pack").glob("*-sheets-*.pdf") for page in read(path)]
    assert pages
    assert all("Cards" in page.text for page in pages)
    sheet = words_for(code).sheet.sheet.partition(" ")[0]
    assert all(f"· {sheet} " in joined_text(page) for page in pages)


def test_footer_of_tiled_board_names_column_and_row_of_part(starter, pnp):
    pack = starter("cards")
    shutil.copytree(ROOT / "tests/data/packs/folding", pack, dirs_exist_ok=True)
    game = (pack / "game.yaml").read_text("utf-8")
    (pack / "game.yaml").write_text(game.replace("language: en\n", "") + "language: nl\n", "utf-8")
    assert pnp("build", pack, "--paper", "a4").exit_code == 0
    text = " ".join(joined_text(page) for page in read(Path("output/pack/pack-1-sheets-a4.pdf")))
    assert re.search(r", kolom 1 van \d, rij 1 van \d, overlap 8 mm · vel \d+ van", text)


def test_cut_plan_is_in_dutch(dutch_pack, pnp):
    assert (
        pnp(
            "build", dutch_pack, "--lang", "nl", "--paper", "a4", "--landscape", "--cut-plan"
        ).exit_code
        == 0
    )
    lines = Path("output/pack/pack-1-cuts-nl-a4-landscape.txt").read_text("utf-8").splitlines()
    assert lines[0] == "Mijn kaartspel 1 – snijplan voor A4 liggend, 297 x 210 mm"
    assert lines[5].startswith("Vel 1: Kaarten, ")
    assert any("rechterrand tegen de aanslag" in line for line in lines)
    assert not [line for line in lines if re.search(r"\b(sheet|edge|stop|strip|times)\b", line)]


def test_preview_page_is_in_dutch(dutch_pack, pnp):
    assert (
        pnp(
            "preview",
            dutch_pack,
            "--lang",
            "nl",
            "--paper",
            "a4",
            "--dpi",
            30,
            "--duplex",
            "two-pass",
        ).exit_code
        == 0
    )
    page = Path("output/pack/preview/nl/index.html").read_text("utf-8")
    assert "<h1>Mijn kaartspel 1</h1>" in page
    assert re.findall("<h2>(.*?)</h2>", page) == ["Kaarten", "Contactvellen", "A4"]
    for caption in (
        "The Fox, voorkant ×\N{NO-BREAK SPACE}3",
        "Kaarten, achterkanten (ontwerpen: 3, stuks: 9)",
        "voorkanten, bladzijde 1",
        "achterkanten, bladzijde 1",
    ):
        assert f"<figcaption>{caption}</figcaption>" in page


def test_contact_sheet_shows_titles_in_chosen_language(dutch_pack, pnp):
    """Compare the sheet with that of a pack whose own titles are Dutch."""
    table = dutch_pack / "cards.csv"
    rows = [line.split(",", 2) for line in table.read_text("utf-8").splitlines()]

    def contact_sheet(columns, lines, lang):
        table.write_text("\n".join(map(",".join, [columns, *lines])) + "\n", "utf-8")
        assert pnp("preview", dutch_pack, "--what", "contact", "--lang", lang).exit_code == 0
        return (
            Path("output/pack/preview") / lang.replace("en", "") / "contact-cards-front.png"
        ).read_bytes()

    dutch = [(name, title.replace("The", "De"), rest) for name, title, rest in rows[1:]]
    both = [(name, title, title.replace("The", "De"), rest) for name, title, rest in rows[1:]]
    own = contact_sheet(("id", "title", rows[0][2]), dutch, "en")
    assert contact_sheet(("id", "title", "title@nl", rows[0][2]), both, "nl") == own
    assert contact_sheet(("id", "title", "title@nl", rows[0][2]), both, "en") != own


def test_language_without_texts_is_noted_by_build_preview_and_check(starter, pnp):
    pack = starter("cards")
    game = (pack / "game.yaml").read_text("utf-8")
    (pack / "game.yaml").write_text(f"language: fi\n{game}", "utf-8")
    for command in (["build"], ["preview", "--what", "contact"]):
        result = pnp(command[0], pack, *command[1:])
        assert result.exit_code == 0
        assert (
            "note: pnp has no texts in 'fi', so its own texts, such as footers, are in English."
            in (result.stderr)
        )
    assert "note: pnp has no texts in 'fi'" in pnp("check", pack).stdout
