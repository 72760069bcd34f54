"""Test rules in other languages, the command, and missing translations."""

import shutil
from contextlib import closing
from pathlib import Path

import pypdfium2
import pytest

from generator.pack.translations import missing_translations
from tests.tools.make_face import with_art
from tests.tools.read_pdf import read

ENGLISH = "# How to play\n\nDraw a card; see [](#scoring).\n\n## Scoring\n\nA point a card.\n"
DUTCH = "# Zo speel je\n\nTrek een kaart; zie [](#scoring).\n\n## Punten {#scoring}\n\nEen punt per kaart.\n"


@pytest.fixture
def pack(starter):
    """Return the starter of cards with rules in English and in Dutch."""
    folder = starter("cards")
    game = folder / "game.yaml"
    game.write_text(game.read_text("utf-8") + "rules: {file: rules.md}\n", "utf-8")
    edited = game.read_text("utf-8").replace(
        "title: Cards\n", "title: Cards\n    title@nl: Kaarten\n"
    )
    game.write_text(edited, "utf-8")
    (folder / "rules.md").write_text(ENGLISH, "utf-8")
    (folder / "rules.nl.md").write_text(DUTCH, "utf-8")
    return folder


def test_rules_command_writes_only_the_files_of_rules(pack, pnp):
    result = pnp("rules", pack)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in Path("output/pack").iterdir()) == [
        "pack-1-rules-booklet-a4.pdf",
        "pack-1-rules-booklet-letter.pdf",
        "pack-1-rules.html",
        "pack-1-rules.pdf",
    ]
    assert "1 sheet to print on both sides and fold" in result.stdout


def test_build_writes_rules_and_sheets(pack, pnp):
    assert pnp("build", pack).exit_code == 0
    names = {path.name for path in Path("output/pack").iterdir()}
    assert {"pack-1-sheets-a4.pdf", "pack-1-rules.pdf", "pack-1-rules.html"} <= names


def test_rules_in_dutch_use_dutch_words_in_pdf_and_html(pack, pnp):
    result = pnp("rules", pack, "--lang", "nl")
    assert result.exit_code == 0, result.output
    (page,) = read(Path("output/pack/pack-1-rules-nl.pdf"))
    assert "zie bladzijde 1." in page.text.replace("\xa0", " ")
    assert "versie 1" in page.text
    text = Path("output/pack/pack-1-rules-nl.html").read_text("utf-8")
    assert '<html lang="nl">' in text
    assert '<a href="#scoring">Punten</a>' in text


def test_cover_shows_the_language_of_its_rules(pack, pnp):
    art = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90"><switch>'
        '<text systemLanguage="nl" y="40">De put</text><text y="40">The well</text></switch></svg>'
    )
    (pack / "art").mkdir(exist_ok=True)
    (pack / "art/cover.svg").write_text(art, "utf-8")
    game = pack / "game.yaml"
    game.write_text(
        game.read_text("utf-8").replace("file: rules.md", "file: rules.md, cover: art/cover.svg"),
        "utf-8",
    )
    for more, tail, cover_word in (([], "", "The well"), (["--lang", "nl"], "-nl", "De put")):
        assert pnp("rules", pack, *more).exit_code == 0
        text = with_art(Path(f"output/pack/pack-1-rules{tail}.html").read_text("utf-8"))
        assert [word for word in ("The well", "De put") if word in text] == [cover_word]


def test_unknown_language_is_refused_with_the_nearest_name(pack, pnp):
    result = pnp("rules", pack, "--lang", "nll")
    assert result.exit_code == 2
    assert result.stderr == (
        "pack/game.yaml:2: unknown language 'nll'\n  expected one of: en, nl\n  did you mean 'nl'?\n"
    )


def test_language_without_rules_is_refused(pack, pnp):
    game = pack / "game.yaml"
    game.write_text(
        game.read_text("utf-8").replace("title@nl: Kaarten", "title@de: Karten"), "utf-8"
    )
    result = pnp("rules", pack, "--lang", "de")
    assert result.exit_code == 5
    line = game.read_text("utf-8").partition("\nrules:")[0].count("\n") + 2
    assert result.stderr == (
        f"pack/game.yaml:{line}: rules: no rules in 'de'\n  expected rules.de.md; there are: the pack's own, nl\n"
    )


def test_sheets_and_previews_need_no_translated_rules(pack, pnp):
    game = pack / "game.yaml"
    translated = game.read_text("utf-8").replace("title@nl: Kaarten", "title@de: Karten")
    game.write_text(translated, "utf-8")
    result = pnp("build", pack, "--lang", "de", "--what", "sheets", "--paper", "a4")
    assert result.exit_code == 0, result.output
    assert "Karten" in read(Path("output/pack/pack-1-sheets-de-a4.pdf"))[0].text
    assert pnp("preview", pack, "--lang", "de").exit_code == 0
    assert pnp("build", pack, "--lang", "de").exit_code == 5


def test_language_of_the_pack_may_be_named(pack, pnp):
    assert pnp("rules", pack, "--lang", "en").exit_code == 0
    assert Path("output/pack/pack-1-rules.pdf").exists()


def test_rules_command_refuses_a_pack_without_rules(starter, pnp):
    result = pnp("rules", starter("tiles"))
    assert result.exit_code == 3
    assert "has no rules\n  expected `rules: {file: rules.md}` in its game.yaml" in result.stderr


def test_booklet_of_short_rules_is_one_sheet(pack, pnp):
    pnp("rules", pack)
    document = pypdfium2.PdfDocument(Path("output/pack/pack-1-rules-booklet-a4.pdf"))
    assert len(document) == 2
    document.close()


def test_complete_translation_has_no_missing_texts(pack):
    assert missing_translations(pack) == ()


def test_missing_translations_are_listed_with_file_and_line(pack):
    table = pack / "cards.csv"
    head, first, *rest = table.read_text("utf-8").splitlines()
    assert "title" in head.split(",")
    table.write_text(
        "\n".join([f"{head},title@nl,title@de", f"{first},Een,", *(f"{row},," for row in rest)]),
        "utf-8",
    )
    messages = [str(problem) for problem in missing_translations(pack)]
    dutch = [text for text in messages if "title@nl:" in text]
    german = [text for text in messages if "title@de:" in text]
    assert len(dutch) == len(rest)
    assert len(german) == len(rest) + 2, "the first card, and the title of the component"
    assert dutch[0].startswith(f"{pack}/cards.csv:3: title@nl: ")
    assert any("the rules are not translated: no rules.de.md" in text for text in messages)


def test_language_with_translated_columns_but_no_rules_is_listed(pack):
    shutil.move(pack / "rules.nl.md", pack / "rules.fr.md")
    messages = [str(problem) for problem in missing_translations(pack)]
    assert [text.partition(": ")[2].splitlines()[0] for text in messages] == [
        "title@fr: 'Cards' is not translated",
        "the rules are not translated: no rules.nl.md",
    ]


def test_rules_in_hebrew_begin_at_the_right(pack, pnp):
    (pack / "rules.md").write_text("# Kelb\n\nAb.\n", "utf-8")
    game = pack / "game.yaml"
    begins = []
    for language in ("en", "he"):
        game.write_text(
            game.read_text("utf-8") + f"language: {language}\n" * (language == "he"), "utf-8"
        )
        result = pnp("rules", pack)
        assert result.exit_code == 0, result.output
        with closing(pypdfium2.PdfDocument(Path("output/pack/pack-1-rules.pdf"))) as document:
            text = document[0].get_textpage()
            begins.append(text.get_charbox(text.get_text_range().index("Ab"))[0])
    assert begins[1] > begins[0] + 150
    assert '<html lang="he" dir="rtl">' in Path("output/pack/pack-1-rules.html").read_text("utf-8")
