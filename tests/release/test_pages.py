"""Test the pages of patches, read back from their files."""

import csv
import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from generator.impose.duplex import DUPLEX_MODES
from generator.pdf.finish import count_pages
from tests.tools.make_pack import make
from tests.tools.read_pdf import clean_save, fonts, read, render

TEMPLATES = Path(__file__).parents[2] / "templates"
LETTER = (215.9, 279.4)


def words_of(page):
    return " ".join(page.text.split())


def table_rows(name):
    return list(csv.DictReader((TEMPLATES / "hydras" / name).read_text("utf-8").splitlines()))


RULES = "# Forest\n\n## Set up\n\nDeal three cards to each player.\n"


@pytest.fixture
def forest(tmp_path, pnp):
    """Return a released pack of twelve cards and rules whose fronts have a new colour."""
    pack = red_deck(tmp_path / "forest", 12, back="layouts/back.yaml", gutter="2mm")
    return release_and_recolour(pack, pnp)


def red_deck(folder, count, size="poker", **settings):
    """Return a deck with rules whose cards share their picture, so that it is compared once."""
    component = "\n".join(f"{key}: {value}" for key, value in settings.items())
    return make(
        folder,
        "- fill: red\n",
        "id\n" + "".join(f"c{number}\n" for number in range(count)),
        component=component,
        size=size,
        more="rules: {}\n",
        files={"rules.md": RULES, "layouts/back.yaml": "- fill: blue\n"},
    )


def release_and_recolour(pack, pnp):
    """Release a red deck as version 1 and return it as version 2 with green fronts."""
    assert pnp("release", pack).exit_code == 0
    replace_text(pack / "game.yaml", 'version: "1"', 'version: "2"')
    replace_text(pack / "layouts/front.yaml", "red", "green")
    return pack


def replace_text(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def patch_of(pack, pnp, *options):
    """Return the pages of the patch from release 1 on A4."""
    out = pack.parent / "patch"
    result = pnp("patch", pack, "--from", "1", "--paper", "a4", "-o", out, *options)
    assert result.exit_code == 0, result.output
    (path,) = out.rglob("*.pdf")
    return read(path)


FOLDED = {
    "tuckbox": ("60 x 90 mm", "make: tuckbox\ndepth: 18mm\nfaces: face"),
    "tray": ("60 x 90 mm", "make: tray\ndepth: 18mm\nfaces: face"),
    "tent": ("60 x 40 mm", "make: tent\ndepth: 18mm\nfaces: face"),
    "board": ("400 x 250 mm", "make: board\nfolds: 2 x 2"),
}
PANELS = {
    "tuckbox": "front right back left top bottom",
    "tray": "bottom upper right lower left",
    "tent": "front back",
    "board": "board",
}


@pytest.mark.parametrize("what", FOLDED)
def test_patch_prints_boxes_and_boards_as_thick_and_folded_as_the_game(what, pnp, tmp_path):
    size, component = FOLDED[what]
    table = f"id,face\nbox,{PANELS[what]}\n"
    pack = make(tmp_path / "pack", "- fill: red\n", table, component=component, size=size)
    patched = patch_of(release_and_recolour(pack, pnp), pnp)
    sheets = ("--what", "sheets", "--paper", "a4")
    assert pnp("build", pack, *sheets, "-o", tmp_path).exit_code == 0
    built = read(tmp_path / "pack" / "pack-2-sheets-a4.pdf")
    assert sizes(patched[-len(built) :]) == sizes(built)


def sizes(pages):
    """Return the visible sizes of each page's faces in mm, and its number of lines."""
    return [(sorted(shown_size(form) for form in page.forms), len(page.strokes)) for page in pages]


def shown_size(form):
    """Return the sides of the box around a face's ink, the shorter one first."""
    sides = (max(at) - min(at) for at in (form.window[::2], form.window[1::2]))
    return sorted(round(side, 1) for side in sides)


@pytest.fixture(scope="module")
def hydras_patch(patch):
    """Return the patch of Hydras on Letter, with its rules."""
    return patch("hydras", "letter")


def test_patch_of_hydras_has_a_leaflet_four_pages_of_rules_and_three_sheets(hydras_patch):
    assert hydras_patch.name == "hydras-1-to-2-patch-letter.pdf"
    pages = read(hydras_patch)
    assert [(round(page.width, 1), round(page.height, 1)) for page in pages] == [LETTER] * 8
    text = words_of(pages[0])
    assert "This file is a patch, not a complete game." in text
    assert "never shrink to fit" in text
    assert "Pages 2–5: the rules, on plain paper." in text
    assert (
        "Pages 6–8: new pieces, on card stock of 200–300 g/m² (110 lb index); single-sided." in text
    )
    assert (
        "A guillotine works best, or a rotary cutter with a steel ruler. You can use scissors"
        in text
    )
    assert "Object of the game" in words_of(pages[1])
    rules = [words_of(page) for page in pages[1:5]]
    assert [re.search(r"Hydras · version 2 (\d)", text)[1] for text in rules] == list("2345")
    assert set(re.findall(r"\(page (\d)\)", " ".join(rules))) <= set("2345")
    assert "All rights in Hydras are reserved" in rules[-1]
    assert [len(page.forms) for page in pages[5:]] == [12, 12, 12], "all slots are used"
    assert [page.label for page in pages] == list("12345678")


def test_pages_of_a_patch_have_ink_and_text_keeps_off_the_edge(hydras_patch):
    """No page is empty, and no text comes within 8 mm of the edge."""
    for number in range(8):
        picture = render(hydras_patch, number, 50)
        inked = (picture < 128).any(axis=2)
        assert inked.mean() > 0.005
        if number < 5:
            edge = round(8 / 25.4 * 50)
            assert not inked[:edge].any()
            assert not inked[:, :edge].any()
            assert not inked[:, -edge:].any()


@pytest.mark.parametrize(
    ("option", "are_changed", "are_printed"),
    [
        ("changed", True, True),
        ("changed", False, False),
        ("always", False, True),
        ("never", True, False),
    ],
)
def test_rules_option_decides_if_a_patch_prints_the_rules(
    forest, pnp, option, are_changed, are_printed
):
    if are_changed:
        (forest / "rules.md").write_text(RULES.replace("three", "four"), "utf-8")
    pages = patch_of(forest, pnp, "--rules", option)
    first = words_of(pages[0])
    assert ("Page 2: the rules, on plain paper." in first) == are_printed
    assert ("Page 2 is left blank" in first) != are_printed
    assert ("Deal" in words_of(pages[1])) == are_printed
    unchanged = "The rules have not changed. Keep the ones you have."
    assert (unchanged in first) == (option == "changed" and not are_changed)
    assert "Pages 3–6: new pieces" in first
    assert [len(page.forms) for page in pages] == [12, 0, 8, 8, 4, 4]


def test_leaflet_of_a_game_without_rules_does_not_mention_rules(tmp_path, starter, pnp):
    pack = starter("cards")
    assert pnp("release", pack).exit_code == 0
    table = (pack / "cards.csv").read_text("utf-8")
    (pack / "cards.csv").write_text(table.replace("The Fox,3", "The Fox,4"), "utf-8")
    (pack / "game.yaml").write_text(
        (pack / "game.yaml").read_text("utf-8").replace('"1"', '"2"'), "utf-8"
    )
    result = pnp("patch", pack, "--from", "1", "--paper", "a4", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    (path,) = (tmp_path / "out").rglob("*.pdf")
    first = words_of(read(path)[0])
    assert "extra copies: 1" in first
    assert "rules" not in first


def test_leaflet_of_hydras_lists_three_cards_to_take_out(hydras_patch):
    removed = table_rows("releases/removed-in-2.csv")
    first = read(hydras_patch)[0]
    assert "Take out these 3 pieces" in words_of(first)
    assert len(first.forms) == len(removed) == 3
    for row in removed:
        assert f"{row['count']} × {row['title']}" in words_of(first)


def test_leaflet_of_hydras_counts_the_new_deck(hydras_patch):
    text = words_of(read(hydras_patch)[0])
    counts = [
        sum(int(row["count"]) for row in table_rows(f"{name}.csv"))
        for name in ("necks", "bodies", "labours")
    ]
    assert counts == [60, 4, 12]
    assert "60 Play cards, 4 Bodies and 12 Labours: 76 pieces in all." in text
    assert re.search(
        r"Play cards 39 3 24 60 Bodies 4 0 0 4 Labours 0 0 12 12 total 43 3 36 76", text
    )


def test_patch_of_hydras_has_each_new_card_once(hydras_patch):
    """The new cards are 24 play cards and 12 labours."""
    new = sum(int(row["count"]) for row in table_rows("necks.csv") if row["since"] == "2")
    pages = read(hydras_patch)[-3:]
    assert sum(len(page.forms) for page in pages) == new + 12 == 36
    for page in pages:
        for form in page.forms:
            assert form.w == pytest.approx(63.5 + 6, abs=0.01)
    assert "Unburned" in pages[2].text or "UNBURNED" in pages[2].text.upper()


def test_pieces_on_letter_keep_half_an_inch_from_the_edge(hydras_patch):
    for page in read(hydras_patch)[-3:]:
        for form in page.forms:
            assert form.x - 63.5 / 2 >= 12.7 - 0.01
            assert form.y - 63.5 / 2 >= 12.7 - 0.01


def test_patch_asks_viewers_for_actual_size_and_single_sided_printing(hydras_patch):
    with pikepdf.open(hydras_patch) as pdf:
        assert pdf.Root.ViewerPreferences.PrintScaling == "/None"
        assert pdf.Root.ViewerPreferences.Duplex == "/Simplex"
        assert str(pdf.docinfo["/Title"]) == "Hydras: patch from 1 to 2"
        assert all(page.TrimBox == page.MediaBox for page in pdf.pages)
    clean_save(hydras_patch)


@pytest.mark.parametrize(
    ("game", "paper", "options"),
    [
        ("hydras", "a4", ()),
        ("hydras", "letter", ()),
        ("hoses-and-hydrants", "a4", ("--rules", "never")),
    ],
)
def test_patch_embeds_all_its_fonts(patch, game, paper, options):
    embedded_fonts = fonts(patch(game, paper, *options))
    assert embedded_fonts
    assert all(embedded_fonts.values()), embedded_fonts


def test_patch_of_tiles_prints_fronts_and_mirrored_backs(patch):
    """Two crossings of hoses are swapped, and 24 tiles have new medallions."""
    pages = read(patch("hoses-and-hydrants", "a4", "--rules", "never"))
    text = words_of(pages[0])
    assert "Take out these 26 pieces New pieces replace these:" in text
    assert "1 × Red over green" in text
    assert "1 × Blue over yellow" in text
    assert (
        "Pages 3–4: new pieces, on card stock of 200–300 g/m² (110 lb index); flip on the long edge."
        in text
    )
    assert "Page 2 is left blank" in text
    assert "Add the 26 new pieces on pages 3–4 26 Tiles (changed: 26)." in text
    assert "56 Tiles." in text
    front = pages[2]
    back = pages[3]
    assert len(front.forms) == len(back.forms) == 26
    width = front.width
    behind = sorted((round(width - form.x, 2), round(form.y, 2)) for form in back.forms)
    assert behind == sorted((round(form.x, 2), round(form.y, 2)) for form in front.forms)


@pytest.mark.parametrize("mode", DUPLEX_MODES)
def test_leaflet_names_the_pages_of_pieces_in_every_duplex_mode(forest, pnp, mode):
    """Expect pieces on the named pages and on no others."""
    pages = patch_of(forest, pnp, "--duplex", mode, "--rules", "never")
    text = words_of(pages[0])
    spans = re.findall(r"Pages? (\d+)(?:–(\d+))?: new pieces", text)
    assert spans, text
    named = {
        number for first, last in spans for number in range(int(first), int(last or first) + 1)
    }
    assert named == {number for number, page in enumerate(pages, 1) if page.forms and number > 1}
    printed = 12 if mode == "single" else 24
    assert sum(len(pages[number - 1].forms) for number in named) == printed
    if mode in {"long-edge", "short-edge"}:
        assert min(named) % 2 == 1, "a front is on an odd page"


def test_long_leaflet_counts_its_pages_before_those_of_the_rules(tmp_path, pnp):
    """The pictures of eighty changed pieces take more than a page; the rules are numbered after them."""
    pack = red_deck(tmp_path / "forest", 80, size="20mm", bleed="0mm")
    pages = patch_of(release_and_recolour(pack, pnp), pnp, "--rules", "always")
    text = words_of(pages[0])
    last = int(re.search(r"Pages 1–(\d+): this leaflet", text)[1])
    assert last >= 2
    assert sum(len(page.forms) for page in pages[:last]) == 80
    rules = int(re.search(r"Page (\d+): the rules", text)[1])
    assert rules > last
    assert "Deal three cards" in words_of(pages[rules - 1])
    assert words_of(pages[rules - 1]).startswith(f"Small · version 2 {rules} Forest")
    sheet = int(re.search(r"Page (\d+): new pieces", text)[1])
    assert len(pages[sheet - 1].forms) == 80


def test_thumbnails_of_a_leaflet_show_the_old_tiles(patch):
    """The picture on the first page is the old card, not the new one."""
    path = patch("hoses-and-hydrants", "a4", "--rules", "never")
    document = pypdfium2.PdfDocument(path)
    picture = document[0].render(scale=300 / 72).to_pil().convert("RGB")
    document.close()
    # The leaflet lists tiles with two copies first: the ninth picture is that of red over green.
    form = sorted(read(path)[0].forms, key=lambda seen: (round(seen.y), seen.x))[8]
    x, y = (mm / 25.4 * 300 for mm in (form.x, form.y))
    middle = picture.getpixel((round(x), round(y)))
    assert middle[0] > 200, "red lies over green in release 1"
    assert count_pages(path.read_bytes()) == 4
