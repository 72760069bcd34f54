"""Releases and patches in other forms of the game: its variants and its languages."""

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


def change(pack, **cells):
    """Change cells of the fox."""
    rows = list(csv.DictReader((pack / "cards.csv").read_text("utf-8").splitlines()))
    rows[0].update({key.replace("_", "@"): value for key, value in cells.items()})
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    (pack / "cards.csv").write_text(out.getvalue(), "utf-8")


@pytest.fixture
def spoken(starter):
    """The starter of cards in Dutch as well, with a variant; nothing is released yet."""
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
def cards(spoken, pnp):
    """Return the pack, released in all its forms, and now at version 2."""
    done = pnp("release", spoken)
    assert done.exit_code == 0, done.output
    assert re.fullmatch(
        r"pack/releases/1\.pnprelease  9 pieces, \d+ kB; also outline, nl, outline in nl\n",
        done.output,
    ), done.output
    edit(spoken / "game.yaml", 'version: "1"', 'version: "2"')
    return spoken


def patched(pnp, pack, *more, old="1"):
    shutil.rmtree("output", ignore_errors=True)
    done = pnp("patch", pack, "--from", old, "--paper", "a4", *more)
    assert done.exit_code == 0, done.output
    files = sorted(Path("output").rglob("*.pdf"))
    return (files[0] if files else None), done


def words(page):
    return " ".join(page.text.split())


def test_a_dutch_patch_is_dutch_from_the_first_word_to_the_last(cards, pnp):
    change(cards, text_nl="Trek twee kaarten.", text="Draw two cards.")
    path, done = patched(pnp, cards, "--lang", "nl")
    assert path.name == "pack-1-to-2-patch-nl-a4.pdf"
    assert done.stderr == ""
    pages = read(path)
    said = words(pages[0])
    footer = "Mijn kaartspel · 1 naar 2 1"
    assert said.lower().startswith(f"{footer} Mijn kaartspel: update van 1 naar 2".lower())
    for text in (
        "Dit bestand is een update, geen compleet spel.",
        "Bladzijde 1: deze toelichting.",
        "Bladzijden 3–4: nieuwe stukken, op karton (220 g/m² of zwaarder); omslaan over de lange zijde.",
        "Haal deze 3 stukken uit het spel Nieuwe stukken vervangen deze:",
        "3 × De vos",
        "Voeg de 3 nieuwe stukken van bladzijden 3–4 toe 3 Kaarten (veranderd: 3).",
        "Wat je daarna moet hebben 9 Kaarten. in 1 eruit erbij in 2 Kaarten 9 3 3 9",
    ):
        assert text in said, text
    assert "Deze bladzijde blijft leeg." in words(pages[1])
    assert "Mijn kaartspel 1 naar 2 · Kaarten · vel 1 van 1 · voorkant" in words(pages[2])
    assert "Trek twee kaarten." in words(pages[2])
    english = {"page", "patch", "print", "pieces", "sheet", "front", "back", "take", "new", "cards"}
    assert not english & set(re.findall(r"\w+", " ".join(page.text for page in pages).lower()))


def test_what_changed_in_one_language_is_printed_in_that_language_only(cards, pnp):
    change(cards, text_nl="Trek twee kaarten.")
    assert patched(pnp, cards)[0] is None
    assert patched(pnp, cards, "--variant", "outline")[0] is None
    path, _ = patched(pnp, cards, "--lang", "nl", "--variant", "outline")
    assert path.name == "pack-1-to-2-outline-patch-nl-a4.pdf"
    assert "3 × De vos" in words(read(path)[0])
    assert "Mijn kaartspel 1 naar 2 (Omtrek) · Kaarten" in words(read(path)[2])


def test_a_variant_is_compared_with_itself(cards, pnp):
    """Only the variant's colour changed, so only its patch prints cards, in their new colour."""
    edit(cards / "game.yaml", "#dddddd", "#3333dd")
    assert patched(pnp, cards)[0] is None
    path, _ = patched(pnp, cards, "--variant", "outline")
    pages = read(path)
    footer = "My Card Game · 1 to 2 (Outline) 1"
    assert (
        words(pages[0])
        .lower()
        .startswith(f"{footer} My Card Game (Outline): patch from 1 to 2".lower())
    )
    assert "9 Cards (changed: 9)." in words(pages[0])
    form = pages[2].forms[0]
    inside = 4.5 / (form.h / 2)
    places = ((form.tip[0], form.x), (form.tip[1], form.y))
    x, y = (round((edge + inside * (middle - edge)) / 25.4 * 100) for edge, middle in places)
    assert tuple(render(path, 2, 100)[y, x]) == pytest.approx((0x33, 0x33, 0xDD), abs=6)


def test_a_difference_in_a_language(cards, pnp):
    change(cards, text_nl="Trek twee kaarten.")
    assert pnp("diff", cards, "--from", "1").output.endswith("nothing differs\n")
    said = pnp("diff", cards, "--from", "1", "--lang", "nl").output
    assert re.search(r"changed +cards:fox +De vos +front \(rules\)", said)


@pytest.fixture
def plain(spoken, pnp):
    """A pack that was released before it had other forms."""
    game = (spoken / "game.yaml").read_text("utf-8")
    table = (spoken / "cards.csv").read_text("utf-8")
    (spoken / "game.yaml").write_text(re.sub(r"variants.*\n|.*@nl.*\n", "", game), "utf-8")
    rows = [line.split(",") for line in table.splitlines()]
    (spoken / "cards.csv").write_text(
        "\n".join(",".join((*r[:2], *r[4:])) for r in rows) + "\n", "utf-8"
    )
    done = pnp("release", spoken)
    assert re.fullmatch(r"pack/releases/1\.pnprelease  9 pieces, \d+ kB\n", done.output), (
        done.output
    )
    (spoken / "game.yaml").write_text(game.replace('version: "1"', 'version: "2"'), "utf-8")
    (spoken / "cards.csv").write_text(table, "utf-8")
    return spoken


NOTE = (
    "note: release 1 does not include {form}: changes were found by comparing its pictures in 'en'; "
    "changes in {form} alone are not listed\n"
)


def test_what_a_release_did_not_keep_is_told_from_what_it_kept(plain, pnp):
    """The fox changed in English, the oak is one less: the new fox is printed in Dutch, and both are shown as kept."""
    change(plain, text="Draw two cards.")
    edit(plain / "cards.csv", "(oak,.*),2,5,leaf", r"\1,1,5,leaf")
    path, done = patched(pnp, plain, "--lang", "nl")
    assert done.stderr == NOTE.format(form="nl")
    assert "take out 4, add 3; 9 − 4 + 3 = 8 pieces" in done.stdout
    pages = read(path)
    said = words(pages[0])
    assert "Uitgave 1 bevat geen plaatjes van het spel in deze taal of uitvoering." in said
    assert "1 × De oude eik" in said
    assert "3 × De vos" in said
    assert "8 Kaarten." in said
    assert len(pages[2].forms) == 3
    assert "Trek een kaart." in words(pages[2])
    document = words(read(patched(pnp, plain)[0])[0])
    assert "Release 1 holds no pictures" not in document


def test_nothing_that_is_known_to_have_changed(plain, pnp):
    path, done = patched(pnp, plain, "--variant", "outline")
    assert path is None
    assert done.stderr == NOTE.format(form="outline")
    assert "nothing to print" in done.stdout


def test_a_piece_that_left_keeps_the_title_that_it_had(plain, pnp):
    edit(plain / "cards.csv", "(?m)^brook,.*\n", "")
    said = words(read(patched(pnp, plain, "--lang", "nl")[0])[0])
    assert "4 × The Brook" in said


def test_a_release_that_did_not_keep_a_form_is_not_printed_in_it(plain, pnp):
    edit(plain / "game.yaml", 'version: "2"', 'version: "3"')
    shutil.copy(plain / "releases/1.pnprelease", plain / "releases/2.pnprelease")
    done = pnp("patch", plain, "--from", "1", "--to", "2", "--lang", "nl")
    assert done.exit_code == 5
    assert done.stderr == (
        "release 1 does not include nl\n  expected no --variant and no --lang\n"
        "  without --to, pnp uses the current pack\n"
    )


def test_two_releases_in_a_form_that_both_kept(cards, pnp):
    change(cards, text_nl="Trek twee kaarten.")
    assert pnp("release", cards).exit_code == 0
    change(cards, text_nl="Trek drie kaarten.")
    edit(cards / "game.yaml", 'version: "2"', 'version: "3"')
    path, _ = patched(pnp, cards, "--to", "2", "--lang", "nl")
    assert "Trek twee kaarten." in words(read(path)[2])
    done = pnp("patch", cards, "--from", "1", "--to", "2", "--lang", "nl", "--variant", "outlin")
    assert "did you mean 'outline'?" in done.stderr


def test_a_release_differs_when_one_of_its_forms_does(cards, pnp):
    edit(cards / "game.yaml", 'version: "2"', 'version: "1"')
    assert "exists and is up to date" in pnp("release", cards).output
    change(cards, text_nl="Trek twee kaarten.")
    done = pnp("release", cards)
    assert done.exit_code == 3
    assert "release 1 exists already and differs from the pack in nl:" in done.output
    assert "De vos" in done.output


def test_a_release_says_which_forms_it_does_not_keep(plain, pnp):
    edit(plain / "game.yaml", 'version: "2"', 'version: "1"')
    done = pnp("release", plain)
    assert done.exit_code == 0
    assert done.stderr == (
        "note: that release does not contain outline, nl, outline in nl; "
        "delete the file and release again, if nobody has printed it\n"
    )


def test_a_form_that_cannot_be_drawn_stops_the_release(spoken, pnp):
    change(spoken, title_nl="Vossen " * 20)
    done = pnp("release", spoken)
    assert done.exit_code == 4
    assert "front.yaml:13: as nl: cards:fox (pack/cards.csv:2): the text is " in done.stderr
    assert not (spoken / "releases/1.pnprelease").exists()


def test_faces_that_look_the_same_in_two_forms_are_kept_once(spoken, pnp):
    """The Dutch texts alone make it larger, and not by much."""
    assert pnp("release", spoken).exit_code == 0
    both = (spoken / "releases/1.pnprelease").stat().st_size
    edit(spoken / "game.yaml", "variants.*\n", "")
    (spoken / "releases/1.pnprelease").unlink()
    assert pnp("release", spoken).exit_code == 0
    assert both < 1.03 * (spoken / "releases/1.pnprelease").stat().st_size


def test_a_patch_has_cut_files_as_sheets_have(cards, pnp):
    change(cards, text="Draw two cards.", text_nl="Trek twee kaarten.")
    path, _ = patched(pnp, cards, "--lang", "nl", "--cutter", "silhouette", "--cut-plan")
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


def test_a_build_is_not_stopped_by_another_language(spoken, pnp):
    """The release with the sheets keeps the languages that can be drawn; the build names the others."""
    change(spoken, title_nl="Vossen " * 20)
    done = pnp("build", spoken, "--paper", "a4", "--what", "release")
    assert done.exit_code == 0, done.output
    assert (
        "note: the release lacks a variant or language: pack/layouts/front.yaml:13: as nl: cards:fox"
        in done.stderr
    )
    edit(spoken / "game.yaml", 'version: "1"', 'version: "2"')
    _, done = patched(
        pnp, spoken, "--variant", "outline", old=_moved("output/pack/pack-1.pnprelease")
    )
    assert "does not include" not in done.stderr


def _moved(name):
    return shutil.move(name, "kept.pnprelease")


def test_rules_that_changed_in_one_language(spoken, pnp):
    for tail, text in (
        ("", "# Play\n\n## Turn\n\nDraw a card.\n"),
        (".nl", "# Spel\n\n## Beurt\n\nTrek een kaart.\n"),
    ):
        (spoken / f"rules{tail}.md").write_text(text, "utf-8")
    edit(spoken / "game.yaml", r"\Z", "rules: {file: rules.md}\n")
    assert pnp("release", spoken).exit_code == 0
    edit(spoken / "game.yaml", 'version: "1"', 'version: "2"')
    edit(spoken / "rules.nl.md", "een kaart", "twee kaarten")
    assert patched(pnp, spoken)[0] is None
    pages = read(patched(pnp, spoken, "--lang", "nl", "--variant", "outline")[0])
    assert "Bladzijde 2: de spelregels, op gewoon papier." in words(pages[0])
    assert "Haal niets uit het spel" in words(pages[0])
    assert "Trek twee kaarten." in words(pages[1])
