"""Test releases and patches of the variants and languages of a game."""

import csv
import io
import re
import shutil
from pathlib import Path

import pytest

from tests.tools.read_pdf import read, render

VARIANT = "variants: {outline: {title: Outline, title@nl: Omtrek, palette: {accent: '#dddddd'}}}\n"


def edit(path, pattern, text):
    edited, times = re.subn(pattern, text, path.read_text("utf-8"))
    assert times, pattern
    path.write_text(edited, "utf-8")


def change_fox(pack, **cells):
    """Change cells in the row of the fox."""
    rows = list(csv.DictReader((pack / "cards.csv").read_text("utf-8").splitlines()))
    rows[0].update({key.replace("_", "@"): value for key, value in cells.items()})
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    (pack / "cards.csv").write_text(out.getvalue(), "utf-8")


@pytest.fixture
def dutch_pack(starter):
    """Return the starter of cards with Dutch texts and a variant, not released yet."""
    pack = starter("cards")
    edit(pack / "game.yaml", "title: Cards\n", "title: Cards\n    title@nl: Kaarten\n")
    edit(
        pack / "game.yaml", "name: My Card Game\n", "name: My Card Game\nname@nl: Mijn kaartspel\n"
    )
    (pack / "game.yaml").write_text((pack / "game.yaml").read_text("utf-8") + VARIANT, "utf-8")
    rows = [line.split(",", 2) for line in (pack / "cards.csv").read_text("utf-8").splitlines()]
    texts = ["text@nl", "Trek een kaart.", "Houd deze kaart.", "Ruil twee kaarten."]
    titles = ["title@nl", "De vos", "De oude eik", "De beek"]
    lines = [
        ",".join((a, b, title, text, rest))
        for (a, b, rest), title, text in zip(rows, titles, texts, strict=True)
    ]
    (pack / "cards.csv").write_text("\n".join(lines) + "\n", "utf-8")
    return pack


@pytest.fixture
def cards(dutch_pack, pnp):
    """Return the pack after its release in all forms, now at version 2."""
    result = pnp("release", dutch_pack)
    assert result.exit_code == 0, result.output
    assert re.fullmatch(
        r"pack/releases/1\.pnprelease  9 pieces, \d+ kB; also outline, nl, outline in nl\n",
        result.output,
    ), result.output
    edit(dutch_pack / "game.yaml", 'version: "1"', 'version: "2"')
    return dutch_pack


def patch_from(pnp, pack, *more, old="1"):
    shutil.rmtree("output", ignore_errors=True)
    result = pnp("patch", pack, "--from", old, "--paper", "a4", *more)
    assert result.exit_code == 0, result.output
    files = sorted(Path("output").rglob("*.pdf"))
    return (files[0] if files else None), result


def words_of(page):
    return " ".join(page.text.split())


def test_dutch_patch_has_no_english_words(cards, pnp):
    change_fox(cards, text_nl="Trek twee kaarten.", text="Draw two cards.")
    path, result = patch_from(pnp, cards, "--lang", "nl")
    assert path.name == "pack-1-to-2-patch-nl-a4.pdf"
    assert result.stderr == ""
    pages = read(path)
    first_page = words_of(pages[0])
    footer = "Mijn kaartspel · 1 naar 2 1"
    assert first_page.lower().startswith(f"{footer} Mijn kaartspel: update van 1 naar 2".lower())
    for text in (
        "Dit bestand is een update, geen compleet spel.",
        "Bladzijde 1: deze toelichting.",
        "Bladzijden 3–4: nieuwe stukken, op karton van 200–300 g/m² (110 lb index); omslaan over de lange zijde.",
        "Haal deze 3 stukken uit het spel Nieuwe stukken vervangen deze:",
        "3 × De vos",
        "Voeg de 3 nieuwe stukken van bladzijden 3–4 toe 3 Kaarten (veranderd: 3).",
        "Wat je daarna moet hebben 9 Kaarten. in 1 eruit erbij in 2 Kaarten 9 3 3 9",
    ):
        assert text in first_page, text
    assert "Deze bladzijde blijft leeg." in words_of(pages[1])
    assert "Mijn kaartspel 1 naar 2 · Kaarten · vel 1 van 1 · voorkant" in words_of(pages[2])
    assert "Trek twee kaarten." in words_of(pages[2])
    english = {"page", "patch", "print", "pieces", "sheet", "front", "back", "take", "new", "cards"}
    assert not english & set(re.findall(r"\w+", " ".join(page.text for page in pages).lower()))


def test_change_in_one_language_is_printed_only_in_that_language(cards, pnp):
    change_fox(cards, text_nl="Trek twee kaarten.")
    assert patch_from(pnp, cards)[0] is None
    assert patch_from(pnp, cards, "--variant", "outline")[0] is None
    path, _ = patch_from(pnp, cards, "--lang", "nl", "--variant", "outline")
    assert path.name == "pack-1-to-2-outline-patch-nl-a4.pdf"
    assert "3 × De vos" in words_of(read(path)[0])
    assert "Mijn kaartspel 1 naar 2 (Omtrek) · Kaarten" in words_of(read(path)[2])


def test_variant_is_compared_with_the_same_variant_of_the_release(cards, pnp):
    """A new colour of the variant gives cards to print in its patch alone."""
    edit(cards / "game.yaml", "#dddddd", "#3333dd")
    assert patch_from(pnp, cards)[0] is None
    path, _ = patch_from(pnp, cards, "--variant", "outline")
    pages = read(path)
    footer = "My Card Game · 1 to 2 (Outline) 1"
    assert (
        words_of(pages[0])
        .lower()
        .startswith(f"{footer} My Card Game (Outline): patch from 1 to 2".lower())
    )
    assert "9 Cards (changed: 9)." in words_of(pages[0])
    form = pages[2].forms[0]
    inside = 4.5 / (form.h / 2)
    places = ((form.tip[0], form.x), (form.tip[1], form.y))
    x, y = (round((edge + inside * (middle - edge)) / 25.4 * 100) for edge, middle in places)
    assert tuple(render(path, 2, 100)[y, x]) == pytest.approx((0x33, 0x33, 0xDD), abs=6)


def test_diff_in_a_language_lists_changes_of_that_language(cards, pnp):
    change_fox(cards, text_nl="Trek twee kaarten.")
    assert pnp("diff", cards, "--from", "1").output.endswith("nothing differs\n")
    text = pnp("diff", cards, "--from", "1", "--lang", "nl").output
    assert re.search(r"changed +cards:fox +De vos +front \(rules\)", text)


@pytest.fixture
def plain_pack(dutch_pack, pnp):
    """Return a pack that was released before it had a variant and a second language."""
    game = (dutch_pack / "game.yaml").read_text("utf-8")
    table = (dutch_pack / "cards.csv").read_text("utf-8")
    (dutch_pack / "game.yaml").write_text(re.sub(r"variants.*\n|.*@nl.*\n", "", game), "utf-8")
    rows = [line.split(",") for line in table.splitlines()]
    (dutch_pack / "cards.csv").write_text(
        "\n".join(",".join((*r[:2], *r[4:])) for r in rows) + "\n", "utf-8"
    )
    result = pnp("release", dutch_pack)
    assert re.fullmatch(r"pack/releases/1\.pnprelease  9 pieces, \d+ kB\n", result.output), (
        result.output
    )
    (dutch_pack / "game.yaml").write_text(game.replace('version: "1"', 'version: "2"'), "utf-8")
    (dutch_pack / "cards.csv").write_text(table, "utf-8")
    return dutch_pack


NOTE = (
    "note: release 1 does not include {form}: changes were found by comparing its pictures in 'en'; "
    "changes in {form} alone are not listed\n"
)


def test_form_missing_from_a_release_is_compared_in_the_main_language(plain_pack, pnp):
    """Expect English pictures on the leaflet, and the changed fox in Dutch."""
    change_fox(plain_pack, text="Draw two cards.")
    edit(plain_pack / "cards.csv", "(oak,.*),2,5,leaf", r"\1,1,5,leaf")
    path, result = patch_from(pnp, plain_pack, "--lang", "nl")
    assert result.stderr == NOTE.format(form="nl")
    assert "take out 4, add 3; 9 − 4 + 3 = 8 pieces" in result.stdout
    pages = read(path)
    text = words_of(pages[0])
    assert "Uitgave 1 bevat geen afbeeldingen van het spel in deze taal of uitvoering." in text
    assert "1 × De oude eik" in text
    assert "3 × De vos" in text
    assert "8 Kaarten." in text
    assert len(pages[2].forms) == 3
    assert "Trek een kaart." in words_of(pages[2])
    document = words_of(read(patch_from(pnp, plain_pack)[0])[0])
    assert "Release 1 holds no pictures" not in document


def test_patch_of_a_missing_form_without_known_changes_is_empty(plain_pack, pnp):
    path, result = patch_from(pnp, plain_pack, "--variant", "outline")
    assert path is None
    assert result.stderr == NOTE.format(form="outline")
    assert "nothing to print" in result.stdout


def test_removed_piece_keeps_its_old_title_in_another_language(plain_pack, pnp):
    edit(plain_pack / "cards.csv", "(?m)^brook,.*\n", "")
    text = words_of(read(patch_from(pnp, plain_pack, "--lang", "nl")[0])[0])
    assert "4 × The Brook" in text


def test_patch_between_releases_refuses_a_form_that_is_not_stored(plain_pack, pnp):
    edit(plain_pack / "game.yaml", 'version: "2"', 'version: "3"')
    shutil.copy(
        plain_pack / "releases/1.pnprelease",
        plain_pack / "releases/2.pnprelease",
    )
    result = pnp("patch", plain_pack, "--from", "1", "--to", "2", "--lang", "nl")
    assert result.exit_code == 2
    assert result.stderr == (
        "release 1 does not include nl\n  expected no --variant and no --lang\n"
        "  without --to, pnp uses the current pack\n"
    )


def test_patch_between_releases_is_printed_in_a_stored_form(cards, pnp):
    change_fox(cards, text_nl="Trek twee kaarten.")
    assert pnp("release", cards).exit_code == 0
    change_fox(cards, text_nl="Trek drie kaarten.")
    edit(cards / "game.yaml", 'version: "2"', 'version: "3"')
    path, _ = patch_from(pnp, cards, "--to", "2", "--lang", "nl")
    assert "Trek twee kaarten." in words_of(read(path)[2])
    result = pnp("patch", cards, "--from", "1", "--to", "2", "--lang", "nl", "--variant", "outlin")
    assert "did you mean 'outline'?" in result.stderr


def test_existing_release_with_another_dutch_text_is_not_overwritten(cards, pnp):
    edit(cards / "game.yaml", 'version: "2"', 'version: "1"')
    assert "exists and is up to date" in pnp("release", cards).output
    change_fox(cards, text_nl="Trek twee kaarten.")
    result = pnp("release", cards)
    assert result.exit_code == 3
    assert "release 1 exists already and differs from the pack in nl:" in result.output
    assert "De vos" in result.output


def test_release_names_the_forms_that_its_file_lacks(plain_pack, pnp):
    edit(plain_pack / "game.yaml", 'version: "2"', 'version: "1"')
    result = pnp("release", plain_pack)
    assert result.exit_code == 0
    assert result.stderr == (
        "note: that release does not contain outline, nl, outline in nl; "
        "delete the file and release again, if nobody has printed it\n"
    )


def test_form_that_cannot_be_rendered_stops_the_release(dutch_pack, pnp):
    change_fox(dutch_pack, title_nl="Vossen " * 20)
    result = pnp("release", dutch_pack)
    assert result.exit_code == 4
    assert "front.yaml:13: as nl: cards:fox (pack/cards.csv:2): the text is " in result.stderr
    assert not (dutch_pack / "releases/1.pnprelease").exists()


def test_equal_faces_of_two_forms_are_stored_once(dutch_pack, pnp):
    """A variant with equal faces hardly enlarges the file."""
    assert pnp("release", dutch_pack).exit_code == 0
    both = (dutch_pack / "releases/1.pnprelease").stat().st_size
    edit(dutch_pack / "game.yaml", "variants.*\n", "")
    (dutch_pack / "releases/1.pnprelease").unlink()
    assert pnp("release", dutch_pack).exit_code == 0
    assert both < 1.03 * (dutch_pack / "releases/1.pnprelease").stat().st_size


def test_patch_has_cut_files_with_the_outlines_of_its_pieces(cards, pnp):
    change_fox(cards, text="Draw two cards.", text_nl="Trek twee kaarten.")
    path, _ = patch_from(pnp, cards, "--lang", "nl", "--cutter", "silhouette", "--cut-plan")
    names = sorted(file.name for file in path.parent.iterdir())
    assert names == [
        "pack-1-to-2-patch-nl-a4.pdf",
        "pack-1-to-2-patch-nl-cuts-a4-sheet-1.dxf",
        "pack-1-to-2-patch-nl-cuts-a4-sheet-1.svg",
        "pack-1-to-2-patch-nl-cuts-a4.pdf",
        "pack-1-to-2-patch-nl-cuts-a4.txt",
    ]
    outlines = re.findall(r'<path d="([^"]+)"', (path.parent / names[2]).read_text("utf-8"))
    numbers = [[float(number) for number in re.findall(r"[\d.]+", outline)] for outline in outlines]
    middles = sorted(tuple(sum(item[axis::2]) / 4 for axis in (0, 1)) for item in numbers)
    assert len(middles) == 3
    for middle, form in zip(
        middles, sorted((form.x, form.y) for form in read(path)[2].forms), strict=True
    ):
        assert middle == pytest.approx(form, abs=0.01)
    assert "Vel 1: Kaarten, 3 per vel" in (path.parent / names[4]).read_text("utf-8")


def test_build_succeeds_if_another_language_cannot_be_rendered(dutch_pack, pnp):
    """The release stores the languages that can be rendered; the build names the others."""
    change_fox(dutch_pack, title_nl="Vossen " * 20)
    result = pnp("build", dutch_pack, "--paper", "a4", "--what", "release")
    assert result.exit_code == 0, result.output
    assert (
        "note: the release lacks a variant or language: pack/layouts/front.yaml:13: as nl: cards:fox"
        in result.stderr
    )
    edit(dutch_pack / "game.yaml", 'version: "1"', 'version: "2"')
    file, result = patch_from(
        pnp, dutch_pack, "--variant", "outline", old=move_release("output/pack/pack-1.pnprelease")
    )
    assert file is None
    assert "nothing to print" in result.output
    assert "does not include" not in result.stderr, "the release has the variant"


def move_release(name):
    return shutil.move(name, "kept.pnprelease")


def test_changed_rules_are_printed_only_in_their_language(dutch_pack, pnp):
    for tail, text in (
        ("", "# Play\n\n## Turn\n\nDraw a card.\n"),
        (".nl", "# Spel\n\n## Beurt\n\nTrek een kaart.\n"),
    ):
        (dutch_pack / f"rules{tail}.md").write_text(text, "utf-8")
    edit(dutch_pack / "game.yaml", r"\Z", "rules: {file: rules.md}\n")
    assert pnp("release", dutch_pack).exit_code == 0
    edit(dutch_pack / "game.yaml", 'version: "1"', 'version: "2"')
    edit(dutch_pack / "rules.nl.md", "een kaart", "twee kaarten")
    assert patch_from(pnp, dutch_pack)[0] is None
    pages = read(patch_from(pnp, dutch_pack, "--lang", "nl", "--variant", "outline")[0])
    assert "Bladzijde 2: de spelregels, op gewoon papier." in words_of(pages[0])
    assert "Haal niets uit het spel" in words_of(pages[0])
    assert "Trek twee kaarten." in words_of(pages[1])
