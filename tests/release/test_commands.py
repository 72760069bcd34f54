"""Test the commands `pnp release`, `pnp diff` and `pnp patch`."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import generator
from generator.base.geometry import Affine
from generator.draw.canvas import Canvas
from generator.picture.items import Box, Group, PlacedArt, Shape, TextRun
from generator.picture.items import Path as PathData
from tests.tools.read_pdf import fonts, read


def edit(path, pattern, text):
    edited, times = re.subn(pattern, text, path.read_text("utf-8"))
    assert times, pattern
    path.write_text(edited, "utf-8")


@pytest.fixture(scope="module")
def first_release(tmp_path_factory, pnp):
    """Return the release file of the starter of cards."""
    pack = tmp_path_factory.mktemp("released") / "pack"
    shutil.copytree(Path(generator.__file__).parent / "starters/cards", pack)
    result = pnp("release", pack)
    assert result.exit_code == 0, result.output
    return pack / "releases/1.pnprelease"


@pytest.fixture
def cards(starter, first_release):
    """Return a pack of cards that was released as version 1 and is version 2 now."""
    pack = starter("cards")
    (pack / "releases").mkdir()
    shutil.copy(first_release, pack / "releases")
    edit(pack / "game.yaml", 'version: "1"', 'version: "2"')
    return pack


@pytest.fixture
def fox(starter, pnp):
    """Return a pack of one card, released as version 1 and now at version 2.

    Comparing its pictures takes a third of the time of three cards with one layout.
    """
    pack = starter("cards")
    head, first, *_ = rows(pack)
    (pack / "cards.csv").write_text(f"{head}\n{first}\n", "utf-8")
    result = pnp("release", pack)
    assert result.exit_code == 0, result.output
    edit(pack / "game.yaml", 'version: "1"', 'version: "2"')
    return pack


def rows(pack):
    return (pack / "cards.csv").read_text("utf-8").splitlines()


def run_patch(pnp, pack, *more):
    """Return the output of `pnp patch` on A4, and its files."""
    shutil.rmtree("output", ignore_errors=True)
    result = pnp("patch", pack, "--from", "1", "--paper", "a4", *more)
    assert result.exit_code == 0, result.output
    return result.output, list(Path("output").rglob("*.pdf"))


def pages_of_patch(pnp, pack, *more):
    _, (file,) = run_patch(pnp, pack, *more)
    return read(file)


def output_without_patch(pnp, pack, *more):
    """Return the output of `pnp patch`, which must write no file."""
    output, files = run_patch(pnp, pack, *more)
    assert not files
    return output


def test_release_is_one_file_with_the_same_bytes_each_time(starter, pnp):
    pack = starter("cards")
    output = pnp("release", pack).output
    assert output.startswith("pack/releases/1.pnprelease  9 pieces, ")
    first = (pack / "releases/1.pnprelease").read_bytes()
    (pack / "releases/1.pnprelease").unlink()
    assert pnp("release", pack).exit_code == 0
    assert (pack / "releases/1.pnprelease").read_bytes() == first
    assert (
        pnp("release", pack).output
        == "pack/releases/1.pnprelease exists and is up to date; it was not changed\n"
    )


def test_existing_release_is_not_overwritten_by_a_changed_pack(cards, pnp):
    edit(cards / "game.yaml", 'version: "2"', 'version: "1"')
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    before = (cards / "releases/1.pnprelease").read_bytes()
    result = pnp("release", cards)
    assert result.exit_code == 3
    assert (
        "pack/releases/1.pnprelease: release 1 exists already and differs from the pack:"
        in result.output
    )
    assert re.search(
        r"changed, renamed +cards:\w+ +The Vixen +front \(rules\); was “The Fox”", result.output
    )
    assert "give the pack a new version" in result.output
    assert (cards / "releases/1.pnprelease").read_bytes() == before


def test_release_lists_changes_since_the_last_release(cards, pnp):
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    lines = pnp("release", cards).output.splitlines()
    assert lines[0].startswith("pack/releases/2.pnprelease")
    assert lines[1] == "My Card Game 1 → 2"
    assert lines[-1] == "1 of 3 designs differ: 1 changed, 1 renamed"


def test_release_in_another_folder_can_be_compared(cards, pnp, tmp_path):
    assert pnp("release", cards, "-o", "kept").exit_code == 0
    assert (tmp_path / "kept/2.pnprelease").is_file()
    assert pnp("diff", cards, "--from", "kept/2.pnprelease").output.endswith("nothing differs\n")


def test_diff_as_json_lists_a_removed_design(cards, pnp):
    head, *others = rows(cards)
    (cards / "cards.csv").write_text("\n".join([head, *others[1:]]) + "\n", "utf-8")
    difference = json.loads(pnp("diff", cards, "--from", "1", "--json").output)
    assert (difference["from"], difference["to"]) == ("1", "2")
    (change,) = difference["changes"]
    assert change["kinds"] == ["removed"]
    assert change["new"] is None
    assert change["severity"] == "rules"


def test_diff_as_html_shows_before_after_and_difference(cards, pnp, tmp_path):
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    result = pnp("diff", cards, "--from", "1", "--html", "page/diff.html")
    assert result.exit_code == 0
    page = (tmp_path / "page/diff.html").read_text("utf-8")
    assert [
        text
        for text in ("front, before", "front, after", "front, what changed")
        if text not in page
    ] == []
    assert page.count("<img") == 3, "the unchanged backs are not shown"
    assert 'src="http' not in page


def test_patch_without_changes_writes_no_file(cards, pnp, tmp_path):
    result = pnp("patch", cards, "--from", "1", "-o", "output")
    assert result.exit_code == 0
    assert result.output == "My Card Game: nothing to print and nothing to take out from 1 to 2\n"
    assert not (tmp_path / "output").exists()


def test_patch_is_written_for_a4_and_letter(cards, pnp, tmp_path):
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    result = pnp("patch", cards, "--from", "1")
    assert result.exit_code == 0
    names = {path.name for path in (tmp_path / "output/pack").iterdir()}
    assert names == {"pack-1-to-2-patch-a4.pdf", "pack-1-to-2-patch-letter.pdf"}
    assert result.output.startswith("My Card Game 1 → 2: take out 3, add 3; 9 − 3 + 3 = 9 pieces\n")


def test_patch_between_two_releases_ignores_the_current_pack(cards, pnp):
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    assert pnp("release", cards).exit_code == 0
    edit(cards / "cards.csv", "The Vixen", "The Wolf")
    edit(cards / "game.yaml", 'version: "2"', 'version: "3"')
    result = pnp("patch", cards, "--from", "1", "--to", "2")
    assert result.exit_code == 0, result.output
    pages = read(Path("output/pack/pack-1-to-2-patch-a4.pdf"))
    assert "patch from 1 to 2" in pages[0].text.lower()
    assert "pack-1-to-3-patch-a4.pdf" in pnp("patch", cards, "--from", "1").output


@pytest.mark.parametrize("command", ["diff", "patch"])
def test_unknown_release_is_refused_with_the_nearest_name(cards, pnp, command):
    result = pnp(command, cards, "--from", "11")
    assert result.exit_code == 2
    assert (
        result.output
        == "unknown release '11'\n  expected one of releases/: 1\n  did you mean '1'?\n"
    )


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-40], lambda data: b"?" + data, lambda data: data + b"\n"]
)
@pytest.mark.parametrize("command", ["diff", "patch"])
def test_damaged_release_is_refused_and_nothing_is_written(cards, pnp, tmp_path, command, damage):
    path = cards / "releases/1.pnprelease"
    path.write_bytes(damage(path.read_bytes()))
    result = pnp(command, cards, "--from", "1")
    assert result.exit_code == 3
    assert result.output.startswith("pack/releases/1.pnprelease: ")
    assert not (tmp_path / "output").exists()


def test_damaged_release_of_the_same_version_is_refused_and_kept(cards, pnp):
    edit(cards / "game.yaml", 'version: "2"', 'version: "1"')
    path = cards / "releases/1.pnprelease"
    path.write_bytes(path.read_bytes()[:100])
    result = pnp("release", cards)
    assert result.exit_code == 3
    assert len(path.read_bytes()) == 100


def test_patch_to_a_deck_of_one_card_counts_one_piece(cards, pnp):
    table = "id,title,count,value,icon,text\nfox,The Fox,1,2,star,Draw two cards.\n"
    (cards / "cards.csv").write_text(table, encoding="utf-8")
    assert "9 − 9 + 1 = 1 piece\n" in pnp("patch", cards, "--from", "1").output


def test_diff_distinguishes_changed_added_and_removed_designs(cards, pnp):
    table = "id,title,count,value,icon,text\nfox,The Fox,5,2,star,Draw a card.\nelm,The Elm,1,2,leaf,Keep this card.\n"
    (cards / "cards.csv").write_text(table, encoding="utf-8")
    difference = json.loads(pnp("diff", cards, "--from", "1", "--json").output)
    kinds = {change["id"]: change["kinds"] for change in difference["changes"]}
    assert kinds == {
        "fox": ["changed", "recounted"],
        "elm": ["added"],
        "oak": ["removed"],
        "brook": ["removed"],
    }
    result = pnp("patch", cards, "--from", "1")
    assert result.exit_code == 0
    assert "take out 9, add 6; 9 − 9 + 6 = 6 pieces" in result.output


def redraw_faces(monkeypatch, change):
    """Draw every face with `change` applied to its items, as another version of pnp might."""
    render_face = Canvas.face

    def face(self, *arguments, mirrored):
        rendered = render_face(self, *arguments, mirrored=mirrored)
        return replace(rendered, items=change(rendered.items))

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
def test_patch_prints_nothing_if_redrawn_faces_look_the_same(fox, pnp, monkeypatch, change):
    redraw_faces(monkeypatch, change)
    assert "nothing to print" in output_without_patch(pnp, fox)


def test_redrawn_faces_are_listed_and_printed_if_asked_for(fox, pnp, monkeypatch):
    redraw_faces(monkeypatch, shifted(0.02, 0))
    assert "1 redrawn" in pnp("diff", fox, "--from", "1").output
    assert len(pages_of_patch(pnp, fox, "--min-severity", "any")) > 1


def test_patch_prints_faces_with_a_glyph_moved_by_0_3_mm(fox, pnp, monkeypatch):
    redraw_faces(monkeypatch, shifted(0.3, 1))
    pages = pages_of_patch(pnp, fox)
    assert "3 × The Fox" in pages[0].text
    assert "1 changed" in pnp("diff", fox, "--from", "1").output


def test_changes_of_appearance_can_be_left_out_of_a_patch(fox, pnp):
    edit(fox / "game.yaml", 'accent: "#b4532a"', 'accent: "#2a5cb4"')
    assert "nothing to print" in output_without_patch(pnp, fox, "--min-severity", "rules")
    assert "front and back (look)" in pnp("diff", fox, "--from", "1").output
    assert len(pages_of_patch(pnp, fox)) > 1


def test_patch_explains_pieces_with_a_changed_back(cards, pnp):
    edit(cards / "layouts/back.yaml", "icon: star", "icon: leaf")
    pages = pages_of_patch(pnp, cards)
    text = " ".join(pages[0].text.split())
    assert "9 Cards (with a new back: 9)." in text
    assert "You also print pieces of which only the back has changed" in text


def test_patch_of_a_larger_count_prints_only_the_extra_copies(cards, pnp):
    edit(cards / "cards.csv", "(fox,The Fox,)3", r"\g<1>5")
    pages = pages_of_patch(pnp, cards)
    assert "Take nothing out" in pages[0].text
    assert len(pages[2].forms) == 2


def test_only_option_limits_a_patch_to_the_named_designs(cards, pnp):
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    assert "nothing to print" in output_without_patch(pnp, cards, "--only", "cards:oak,brook")
    assert len(pages_of_patch(pnp, cards, "--only", "cards:fox")) > 1
    assert pnp("patch", cards, "--from", "1", "--only", "cards:wombat").exit_code == 2
    assert pnp("patch", cards, "--from", "1", "--copies", "2").exit_code == 2


def test_patch_has_the_same_bytes_each_time_and_embeds_its_fonts(cards, pnp, tmp_path):
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    path = tmp_path / "output/pack/pack-1-to-2-patch-a4.pdf"
    assert pnp("patch", cards, "--from", "1").exit_code == 0
    first = path.read_bytes()
    assert pnp("patch", cards, "--from", "1").exit_code == 0
    assert path.read_bytes() == first
    assert fonts(path)
    assert all(fonts(path).values())


@pytest.fixture
def pack_with_rules(starter, pnp):
    """Return a released pack that is version 2 now, with another sentence in its rules."""
    pack = starter("cards")
    (pack / "rules.md").write_text("# My Card Game\n\n## Play\n\nDraw a card.\n", "utf-8")
    edit(pack / "game.yaml", r"\Z", "rules: {file: rules.md}\n")
    assert pnp("release", pack).exit_code == 0
    edit(pack / "game.yaml", 'version: "1"', 'version: "2"')
    edit(pack / "rules.md", "Draw a card", "Draw two cards")
    return pack


def test_patch_prints_changed_rules_without_any_piece(pack_with_rules, pnp):
    pages = pages_of_patch(pnp, pack_with_rules)
    assert len(pages) == 2
    text = " ".join(pages[0].text.split())
    assert "Page 2: the rules, on plain paper." in text
    assert "Take nothing out" in text
    assert "Draw two cards." in pages[1].text
    assert (
        "rules (en): lines added: 1, removed: 1"
        in pnp("diff", pack_with_rules, "--from", "1").output
    )
    assert (
        "nothing to print and nothing to take out from 1 to 2; the rules differ"
        in output_without_patch(pnp, pack_with_rules, "--rules", "never")
    )


def test_existing_release_with_other_rules_is_not_overwritten(pack_with_rules, pnp):
    edit(pack_with_rules / "game.yaml", 'version: "2"', 'version: "1"')
    result = pnp("release", pack_with_rules)
    assert result.exit_code == 3
    assert "rules (en): lines added: 1, removed: 1" in result.output


def test_rules_of_an_old_release_cannot_be_printed_after_a_change(pack_with_rules, pnp):
    assert pnp("release", pack_with_rules).exit_code == 0
    edit(pack_with_rules / "rules.md", "two cards", "three cards")
    result = pnp("patch", pack_with_rules, "--from", "1", "--to", "2")
    assert result.exit_code == 3
    assert (
        "the rules of release 2 cannot be printed: the pack's rules have changed" in result.output
    )
    assert (
        pnp("patch", pack_with_rules, "--from", "1", "--to", "2", "--rules", "never").exit_code == 0
    )


AIDS = """  aids:
    title: Player aids
    optional: {optional}
    size: poker
    bleed: 3mm
    data: [{{id: aid, title: Player aid, count: 4}}]
    front: layouts/back.yaml
print:"""


@pytest.mark.parametrize(("optional", "added"), [("true", 0), ("false", 4)])
def test_patch_leaves_out_new_optional_pieces_unless_they_are_named(cards, pnp, optional, added):
    edit(cards / "game.yaml", r"(?m)^print:", AIDS.format(optional=optional))
    edit(cards / "cards.csv", "The Fox", "The Vixen")
    result = pnp("patch", cards, "--from", "1", "--paper", "a4")
    assert f"add {3 + added}; 9 − 3 + {3 + added} = {9 + added} pieces" in result.output, (
        "three foxes"
    )
    named = pnp("patch", cards, "--from", "1", "--paper", "a4", "--only", "aids")
    assert "add 4" in named.output
    assert "Player aid" in pnp("diff", cards, "--from", "1").output, (
        "`pnp diff` lists optional pieces, too"
    )


def test_patch_of_part_of_a_game_names_the_part_and_counts_only_it(cards, pnp):
    """`--only` leaves other designs out of the sums, as the first page explains."""
    edit(cards / "cards.csv", "(fox,The Fox,)3", r"\g<1>5")
    text = " ".join(pages_of_patch(pnp, cards, "--only", "cards:fox")[0].text.split())
    assert "This patch covers only part of the game: cards:fox." in text
    assert "What you should have of these afterwards 5 Cards." in text
    assert "a part of the game" not in pages_of_patch(pnp, cards)[0].text


def test_component_with_a_new_id_is_not_printed_again(cards, pnp):
    edit(cards / "game.yaml", "(?m)^  cards:", "  deck:")
    assert "nothing to print" in output_without_patch(pnp, cards)
    edit(cards / "cards.csv", "(fox,The Fox,)3", r"\g<1>5")
    assert len(pages_of_patch(pnp, cards, "--only", "deck:fox")[2].forms) == 2


def test_leaflet_mentions_actual_size_only_if_pieces_are_printed(cards, pnp):
    edit(cards / "cards.csv", "(fox,The Fox,)3", r"\g<1>1")
    assert "never shrink to fit" not in pages_of_patch(pnp, cards)[0].text
    edit(cards / "cards.csv", "(fox,The Fox,)1", r"\g<1>5")
    assert "never shrink to fit" in " ".join(pages_of_patch(pnp, cards)[0].text.split())


def test_rules_differ_only_by_changes_that_players_see(cards, pnp):
    """Players see the board of a figure, but neither claims nor comments."""
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
    result = pnp("diff", cards, "--from", "1")
    assert result.exit_code == 3
    assert re.match(r"pack/figures.yaml:\d: this is not YAML", result.stderr)


def test_html_option_without_a_file_name_is_refused(pnp):
    result = pnp("diff", "hydras", "--from", "1", "--html", "--lang", "nl")
    assert result.exit_code == 2
    assert (
        "'--lang' is not a file name; expected a name for the page, such as diff.html"
        in result.stderr
    )
