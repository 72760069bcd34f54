"""`pnp release`, `pnp diff` and `pnp patch` as they are used."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from generator.base.geometry import Affine
from generator.draw.canvas import Canvas
from generator.picture.items import Box, Group, PlacedArt, Shape, TextRun
from generator.picture.items import Path as PathData
from tests.tools.read_pdf import fonts, read


def edit(path, pattern, text):
    edited, times = re.subn(pattern, text, path.read_text("utf-8"))
    assert times, pattern
    path.write_text(edited, "utf-8")


@pytest.fixture
def cards(starter, pnp):
    """A pack of cards that was released and printed, and is version 2 now."""
    pack = starter("cards")
    done = pnp("release", pack)
    assert done.exit_code == 0, done.output
    edit(pack / "game.yaml", 'version: "1"', 'version: "2"')
    return pack


def rows(pack):
    return (pack / "cards.csv").read_text("utf-8").splitlines()


def patched(pnp, pack, *more):
    """Return the pages of the patch on A4, or the output if there is no patch."""
    shutil.rmtree("output", ignore_errors=True)
    done = pnp("patch", pack, "--from", "1", "--paper", "a4", *more)
    assert done.exit_code == 0, done.output
    files = list(Path("output").rglob("*.pdf"))
    return read(files[0]) if files else done.output


def test_a_release_is_one_file_and_the_same_again(starter, pnp):
    pack = starter("cards")
    said = pnp("release", pack).output
    assert said.startswith("pack/releases/1.pnprelease  9 pieces, ")
    first = (pack / "releases/1.pnprelease").read_bytes()
    (pack / "releases/1.pnprelease").unlink()
    assert pnp("release", pack).exit_code == 0
    assert (pack / "releases/1.pnprelease").read_bytes() == first
    assert (
        pnp("release", pack).output
        == "pack/releases/1.pnprelease exists and is up to date; it was not changed\n"
    )


def test_a_release_that_differs_is_not_written_over(cards, pnp):
    edit(cards / "game.yaml", 'version: "2"', 'version: "1"')
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    before = (cards / "releases/1.pnprelease").read_bytes()
    done = pnp("release", cards)
    assert done.exit_code == 3
    assert (
        "pack/releases/1.pnprelease: release 1 exists already and differs from the pack:"
        in done.output
    )
    assert re.search(
        r"changed, renamed +cards:\w+ +The Vixen +front \(rules\); was “The Fox”", done.output
    )
    assert "give the pack a new version" in done.output
    assert (cards / "releases/1.pnprelease").read_bytes() == before


def test_a_release_lists_what_changed_since_the_last(cards, pnp):
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    said = pnp("release", cards).output.splitlines()
    assert said[0].startswith("pack/releases/2.pnprelease")
    assert said[1] == "My Card Game 1 → 2"
    assert said[-1] == "1 of 3 designs differ: 1 changed, 1 renamed"


def test_releases_elsewhere(cards, pnp, tmp_path):
    assert pnp("release", cards, "-o", "kept").exit_code == 0
    assert (tmp_path / "kept/2.pnprelease").is_file()
    assert pnp("diff", cards, "--from", "kept/2.pnprelease").output.endswith("nothing differs\n")


def test_a_difference_as_data(cards, pnp):
    head, *others = rows(cards)
    (cards / "cards.csv").write_text("\n".join([head, *others[1:]]) + "\n", "utf-8")
    said = json.loads(pnp("diff", cards, "--from", "1", "--json").output)
    assert (said["from"], said["to"]) == ("1", "2")
    (change,) = said["changes"]
    assert change["kinds"] == ["removed"]
    assert change["new"] is None
    assert change["severity"] == "rules"


def test_a_difference_as_a_page(cards, pnp, tmp_path):
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    done = pnp("diff", cards, "--from", "1", "--html", "page/diff.html")
    assert done.exit_code == 0
    page = (tmp_path / "page/diff.html").read_text("utf-8")
    assert [
        text
        for text in ("front, before", "front, after", "front, what changed")
        if text not in page
    ] == []
    assert page.count("<img") == 3, "backs are as they were"
    assert 'src="http' not in page


def test_nothing_changed_writes_nothing(cards, pnp, tmp_path):
    done = pnp("patch", cards, "--from", "1", "-o", "output")
    assert done.exit_code == 0
    assert done.output == "My Card Game: nothing to print and nothing to take out from 1 to 2\n"
    assert not (tmp_path / "output").exists()


def test_both_papers_by_their_names(cards, pnp, tmp_path):
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    done = pnp("patch", cards, "--from", "1")
    assert done.exit_code == 0
    names = {path.name for path in (tmp_path / "output/pack").iterdir()}
    assert names == {"pack-1-to-2-patch-a4.pdf", "pack-1-to-2-patch-letter.pdf"}
    assert done.output.startswith("My Card Game 1 → 2: take out 3, add 3; 9 − 3 + 3 = 9 pieces\n")


def test_between_two_releases_without_the_pack_as_it_is(cards, pnp):
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    assert pnp("release", cards).exit_code == 0
    edit(cards / "cards.csv", "The Vixen", "The Wolf")
    edit(cards / "game.yaml", 'version: "2"', 'version: "3"')
    done = pnp("patch", cards, "--from", "1", "--to", "2")
    assert done.exit_code == 0, done.output
    pages = read(Path("output/pack/pack-1-to-2-patch-a4.pdf"))
    assert "patch from 1 to 2" in pages[0].text.lower()
    assert "pack-1-to-3-patch-a4.pdf" in pnp("patch", cards, "--from", "1").output


@pytest.mark.parametrize("command", ["diff", "patch"])
def test_a_release_that_is_not_there(cards, pnp, command):
    done = pnp(command, cards, "--from", "11")
    assert done.exit_code == 5
    assert (
        done.output == "unknown release '11'\n  expected one of releases/: 1\n  did you mean '1'?\n"
    )


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-40], lambda data: b"?" + data, lambda data: data + b"\n"]
)
@pytest.mark.parametrize("command", ["diff", "patch"])
def test_a_damaged_release_stops_before_anything_is_written(cards, pnp, tmp_path, command, damage):
    path = cards / "releases/1.pnprelease"
    path.write_bytes(damage(path.read_bytes()))
    done = pnp(command, cards, "--from", "1")
    assert done.exit_code == 3
    assert done.output.startswith("pack/releases/1.pnprelease: ")
    assert not (tmp_path / "output").exists()


def test_a_damaged_release_is_not_taken_for_the_same(cards, pnp):
    edit(cards / "game.yaml", 'version: "2"', 'version: "1"')
    path = cards / "releases/1.pnprelease"
    path.write_bytes(path.read_bytes()[:100])
    done = pnp("release", cards)
    assert done.exit_code == 3
    assert len(path.read_bytes()) == 100


def test_designs_that_changed_came_and_went_are_told_apart(cards, pnp):
    table = "id,title,count,value,icon,text\nfox,The Fox,5,2,star,Draw a card.\nelm,The Elm,1,2,leaf,Keep this card.\n"
    (cards / "cards.csv").write_text(table, encoding="utf-8")
    said = json.loads(pnp("diff", cards, "--from", "1", "--json").output)
    kinds = {change["id"]: change["kinds"] for change in said["changes"]}
    assert kinds == {
        "fox": ["changed", "recounted"],
        "elm": ["added"],
        "oak": ["removed"],
        "brook": ["removed"],
    }
    done = pnp("patch", cards, "--from", "1")
    assert done.exit_code == 0
    assert "take out 9, add 6; 9 − 9 + 6 = 6 pieces" in done.output


def redrawn(monkeypatch, change):
    """Have every face drawn as another version of the program might: `change` gets its items and gives new ones."""
    drawn = Canvas.face

    def face(self, *said, mirrored):
        made = drawn(self, *said, mirrored=mirrored)
        return replace(made, items=change(made.items))

    monkeypatch.setattr(Canvas, "face", face)
    monkeypatch.setenv("PNP_CACHE", "cache-of-another-version")


def changed_items(items, change):
    """Return the items with `change` applied to each, also inside groups."""
    return tuple(
        replace(item, items=changed_items(item.items, change))
        if isinstance(item, Group)
        else change(item)
        for item in items
    )


def in_another_group(items):
    return (Group(items, Affine(e=1e-6)),)


def with_coarser_numbers(items):
    def coarse(item):
        if isinstance(item, TextRun):
            return replace(item, x=round(item.x, 1) + 0.05, y=round(item.y, 1) + 0.05)
        if isinstance(item, PlacedArt):
            place = {"x": round(item.box.x, 1) + 0.05, "y": round(item.box.y, 1) + 0.05}
            return replace(item, box=item.box._replace(**place))
        return item

    return changed_items(items, coarse)


def with_boxes_as_paths(items):
    def as_path(item):
        if isinstance(item, Shape) and isinstance(item.geometry, Box) and not item.geometry.radius:
            box = item.geometry.rect
            return replace(
                item, geometry=PathData(f"M{box.x} {box.y} h{box.w} v{box.h} h{-box.w} z")
            )
        return item

    return changed_items(items, as_path)


def shifted(mm, times):
    """Shift the first `times` text runs of each face; 0 shifts all."""

    def change(items):
        left = times or 1000

        def shift(item):
            nonlocal left
            if isinstance(item, TextRun) and left:
                left -= 1
                return replace(item, x=item.x + mm)
            return item

        return changed_items(items, shift)

    return change


@pytest.mark.parametrize(
    "change",
    [in_another_group, with_coarser_numbers, with_boxes_as_paths, shifted(0.02, 0)],
    ids=["other groups", "coarser numbers", "other shapes", "by two hundredths"],
)
def test_a_new_drawing_code_that_shifts_no_visible_pixel_prints_nothing(
    cards, pnp, monkeypatch, change
):
    redrawn(monkeypatch, change)
    assert "nothing to print" in patched(pnp, cards)
    assert "3 redrawn" in pnp("diff", cards, "--from", "1").output
    assert len(patched(pnp, cards, "--min-severity", "any")) > 1, "unless it is asked for"


def test_a_glyph_that_moves_by_three_tenths_is_printed(cards, pnp, monkeypatch):
    redrawn(monkeypatch, shifted(0.3, 1))
    pages = patched(pnp, cards)
    assert "3 × The Fox" in pages[0].text
    assert "3 changed" in pnp("diff", cards, "--from", "1").output


def test_what_only_looks_different_is_left_out_on_request(cards, pnp):
    edit(cards / "game.yaml", 'accent: "#b4532a"', 'accent: "#2a5cb4"')
    assert "nothing to print" in patched(pnp, cards, "--min-severity", "rules")
    assert "front and back (look)" in pnp("diff", cards, "--from", "1").output
    assert len(patched(pnp, cards)) > 1


def test_a_changed_back_says_why(cards, pnp):
    edit(cards / "layouts/back.yaml", "icon: star", "icon: leaf")
    pages = patched(pnp, cards)
    said = " ".join(pages[0].text.split())
    assert "9 Cards (with a new back: 9)." in said
    assert "You also print pieces of which only the back has changed" in said


def test_further_copies_only(cards, pnp):
    edit(cards / "cards.csv", "(fox,The Fox,)3", r"\g<1>5")
    pages = patched(pnp, cards)
    assert "Take nothing out" in pages[0].text
    assert len(pages[2].forms) == 2


def test_one_component_only(cards, pnp):
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    assert "nothing to print" in patched(pnp, cards, "--only", "cards:oak,brook")
    assert len(patched(pnp, cards, "--only", "cards:fox")) > 1
    assert pnp("patch", cards, "--from", "1", "--only", "cards:wombat").exit_code == 2
    assert pnp("patch", cards, "--from", "1", "--copies", "2").exit_code == 2


def test_the_file_is_the_same_again_and_its_fonts_are_inside(cards, pnp, tmp_path):
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    path = tmp_path / "output/pack/pack-1-to-2-patch-a4.pdf"
    assert pnp("patch", cards, "--from", "1").exit_code == 0
    first = path.read_bytes()
    assert pnp("patch", cards, "--from", "1").exit_code == 0
    assert path.read_bytes() == first
    assert fonts(path)
    assert all(fonts(path).values())


@pytest.fixture
def ruled(starter, pnp):
    """A pack with rules that was released, and is version 2 with another sentence in them."""
    pack = starter("cards")
    (pack / "rules.md").write_text("# My Card Game\n\n## Play\n\nDraw a card.\n", "utf-8")
    edit(pack / "game.yaml", r"\Z", "rules: {file: rules.md}\n")
    assert pnp("release", pack).exit_code == 0
    edit(pack / "game.yaml", 'version: "1"', 'version: "2"')
    edit(pack / "rules.md", "Draw a card", "Draw two cards")
    return pack


def test_rules_that_changed_are_printed_though_no_piece_is(ruled, pnp):
    pages = patched(pnp, ruled)
    assert len(pages) == 2
    said = " ".join(pages[0].text.split())
    assert "Page 2: the rules, on plain paper." in said
    assert "Take nothing out" in said
    assert "Draw two cards." in pages[1].text
    assert "rules (en): lines added: 1, removed: 1" in pnp("diff", ruled, "--from", "1").output
    assert "nothing to print and nothing to take out from 1 to 2; the rules differ" in patched(
        pnp, ruled, "--rules", "never"
    )


def test_rules_that_differ_make_another_release(ruled, pnp):
    edit(ruled / "game.yaml", 'version: "2"', 'version: "1"')
    done = pnp("release", ruled)
    assert done.exit_code == 3
    assert "rules (en): lines added: 1, removed: 1" in done.output


def test_rules_of_a_release_that_the_pack_has_left_behind(ruled, pnp):
    assert pnp("release", ruled).exit_code == 0
    edit(ruled / "rules.md", "two cards", "three cards")
    done = pnp("patch", ruled, "--from", "1", "--to", "2")
    assert done.exit_code == 3
    assert "the rules of release 2 cannot be printed: the pack's rules have changed" in done.output
    assert pnp("patch", ruled, "--from", "1", "--to", "2", "--rules", "never").exit_code == 0


def test_a_part_of_a_game_is_not_counted_as_the_whole(cards, pnp):
    """`--only` leaves the rest out of the sums, and the first page says so."""
    edit(cards / "cards.csv", "(fox,The Fox,)3", r"\g<1>5")
    said = " ".join(patched(pnp, cards, "--only", "cards:fox")[0].text.split())
    assert "This patch covers only part of the game: cards:fox." in said
    assert "What you should have of these afterwards 5 Cards." in said
    assert "a part of the game" not in patched(pnp, cards)[0].text


def test_a_component_by_another_id_is_not_printed_again(cards, pnp):
    edit(cards / "game.yaml", "(?m)^  cards:", "  deck:")
    assert "nothing to print" in patched(pnp, cards)
    edit(cards / "cards.csv", "(fox,The Fox,)3", r"\g<1>5")
    assert len(patched(pnp, cards, "--only", "deck:fox")[2].forms) == 2


def test_nothing_is_said_of_printing_at_its_size_where_nothing_is_to_cut(cards, pnp):
    edit(cards / "cards.csv", "(fox,The Fox,)3", r"\g<1>1")
    assert "never shrink to fit" not in patched(pnp, cards)[0].text
    edit(cards / "cards.csv", "(fox,The Fox,)1", r"\g<1>5")
    assert "never shrink to fit" in " ".join(patched(pnp, cards)[0].text.split())


def test_rules_change_with_what_is_seen_of_them(cards, pnp):
    """Claims and comments are for the author of the pack; the board of a figure is for players."""
    (cards / "releases/1.pnprelease").unlink()
    (cards / "rules.md").write_text("# Rules\n\n::: figure one :::\n", "utf-8")
    figures = "one:\n  board: fox oak\n  caption: Two cards.\n  caption@nl: Twee kaarten.\n"
    (cards / "figures.yaml").write_text(figures, "utf-8")
    edit(cards / "game.yaml", 'version: "2"', 'rules: {}\nversion: "1"')
    assert pnp("release", cards).exit_code == 0
    edit(cards / "game.yaml", 'version: "1"', 'version: "2"')
    (cards / "figures.yaml").write_text(f'# Boards\n{figures}  claims: ["tiles: 2"]\n', "utf-8")
    assert "nothing differs" in pnp("diff", cards, "--from", "1").output
    edit(cards / "figures.yaml", "Twee", "2")
    assert "nothing differs" in pnp("diff", cards, "--from", "1").output
    edit(cards / "figures.yaml", "fox oak", "oak fox")
    assert (
        "rules (en): the figures differ, the text does not"
        in pnp("diff", cards, "--from", "1").output
    )
    (cards / "figures.yaml").write_text("one: [", "utf-8")
    done = pnp("diff", cards, "--from", "1")
    assert done.exit_code == 3
    assert re.match(r"pack/figures.yaml:\d: this is not YAML", done.stderr)


def test_a_page_without_a_name_is_answered(pnp):
    result = pnp("diff", "hydras", "--from", "1", "--html", "--lang", "nl")
    assert result.exit_code == 2
    assert (
        "'--lang' is not a file name; expected a name for the page, such as diff.html"
        in result.stderr
    )
