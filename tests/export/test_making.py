"""Test the instructions for making a game, the first pages of its sheets."""

import re
from itertools import combinations, pairwise, takewhile
from math import cos, dist, radians, sin
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest

from generator.base.fonts import font_set
from generator.base.geometry import Point, Rect, Size
from generator.base.outline import Outline
from generator.base.ui_strings import languages, words_for
from generator.impose.nets.dice_and_boxes import BOXES, DICE, find_net_plan
from generator.impose.nets.standee import plan_standee
from generator.impose.sheet import Bed
from generator.picture.items import Circle, Shape, TextRun
from generator.rules.how_to_make import format_numbers
from generator.rules.making_pictures import FoldedView, SheetPicture, _with_tabs, number_lines
from tests.tools.make_pack import make
from tests.tools.read_pdf import clean_save, fonts, read, read_all


@pytest.fixture
def making_text(pnp, tmp_path):
    """Return a function that builds the how-to-make pages of a game and returns their text."""

    def write_guide(game, *args, paper="a4"):
        result = pnp("build", game, "--what", "making", "--paper", paper, "-o", tmp_path, *args)
        assert result.exit_code == 0, result.output
        (path,) = tmp_path.rglob(f"*-making*-{paper}*.pdf")
        embedded_fonts = fonts(path)
        assert embedded_fonts
        assert all(embedded_fonts.values()), embedded_fonts
        clean_save(path)
        return " ".join(" ".join(item.text for item in read_all(path)).split())

    return write_guide


def text_and_sheets(folder, paper="a4"):
    """Return the text before the sheets of a game, the sheets, and the pages before them."""
    file = next(folder.glob(f"*-sheets*-{paper}.pdf"))
    before = [entry for entry in read_all(file) if re.fullmatch("[ivx]+", entry.label)]
    return " ".join(" ".join(item.text for item in before).split()), read(file), len(before)


def test_guide_names_materials_cuts_folds_and_pages_of_game_with_dice(printed):
    text, sheets, before = text_and_sheets(printed("urban-insanity-fire-engines"))
    assert "URBAN INSANITY: FIRE ENGINES: HOW TO MAKE IT 1. PRINT" in text.upper()
    assert "The basic game, Urban Insanity" in text
    assert "Glue, for the pieces that you fold" in text
    assert "Print at 100 % (“actual size”), never “fit to page”; flip on the long edge." in text
    assert "Fire Truck, Dice: cut along the outline and fold as the pictures below show." in text
    assert (
        "At dotted marks, fold back, away from the print; at dashed marks, fold forwards, towards the print."
        in text
    )
    assert "from dotted mark to dotted mark. Fold back, away from the print" in text, (
        "all folds of dice are folded back"
    )
    assert "10 × Blaze Tokens Pages" in text
    assert "Ø 18 mm" in text
    assert "57 × 82 mm" in text
    assert "cut from mark to mark with the knife, and stop where another kind begins" in text
    assert re.search(r"Blaze Tokens[^.]*: cut out the circle with scissors or a punch", text)
    assert "Where there is no line, cut from mark to mark (the colour runs past the cut)" in text
    # The title of the column beside it may be read in between.
    assert re.search(
        r"except for (Dice )?the feet\. Bend the feet outwards, towards the print", text
    )
    first, last = map(int, re.search(r"Action cards Pages (\d+)–(\d+)", text).groups())
    card_pages = [
        before + number for number, sheet in enumerate(sheets, 1) if "Action cards" in sheet.text
    ]
    assert card_pages == list(range(first, last + 1))
    assert f"{len(sheets) // 2} × A4, 200–300 g/m² (110 lb index)" in text
    assert "Plain paper for this guide: pages 1–2" in text
    for step in ("1. Cut along", "2. Score", "3. Fold it at the top", "3. Glue each flap"):
        assert step in text


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_lines_of_the_guide_do_not_overlap(printed, paper):
    """Compare the boxes of all texts of a game with dice, whose pictures shrink to fit the page."""
    file = next(printed("urban-insanity-fire-engines").glob(f"*-sheets-{paper}.pdf"))
    with pypdfium2.PdfDocument(file) as document:
        for number in range(2):
            texts = document[number].get_textpage()
            boxes = [texts.get_rect(at) for at in range(texts.count_rects())]
            clashes = [pair for pair in combinations(boxes, 2) if overlap(*pair)]
            assert not clashes, f"page {number + 1}: {len(clashes)} of {len(boxes)} texts"


def overlap(one, other):
    """Return True if boxes (left, bottom, right, top) share a third of a line's height."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width > 1 and height > min(one[3] - one[1], other[3] - other[1]) / 3


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game", ["hydras", "buizen-wir-war", "greenways", "hoses-and-hydrants"])
def test_first_front_starts_on_an_odd_page_after_the_guide(printed, game, paper):
    """Count the pages before the sheets, which a duplex printer prints in pairs."""
    text, sheets, before = text_and_sheets(printed(game), paper)
    assert "HOW TO MAKE IT" in text.upper()
    if any("back" in sheet.label for sheet in sheets):
        assert len(sheets) % 2 == 0
        assert before % 2 == 0
    assert sheets[0].label.startswith("1 front")
    with pikepdf.open(next(printed(game).glob(f"*-sheets-{paper}.pdf"))) as pdf:
        assert pdf.Root.MarkInfo.Marked
        kinds = {
            str(item.S)
            for item in pdf.objects
            if isinstance(item, pikepdf.Dictionary) and "/S" in item
        }
        assert {"/H1", "/H2", "/P", "/L"} <= kinds


def test_guide_is_dutch_in_a_dutch_game(printed):
    text, *_ = text_and_sheets(printed("buizen-wir-war", "--lang", "nl"), "letter")
    assert "Buizen Wir-War: zo maak je het 1. Afdrukken" in text
    assert "Een ondoorzichtige buidel voor de tegels" in text
    assert "omslaan over de lange zijde." in text
    assert re.search(r"Bladzijden\s3–", text)
    assert "Lijm" not in text, "no piece of the game is folded or glued"
    assert "pons de cirkel" not in text
    assert not re.search(r"\b(sheet|cut|print|page)\b", text)


def test_pieces_of_one_size_are_cut_without_regard_to_their_kind(printed):
    text, *_ = text_and_sheets(printed("hydras"))
    assert "cut" in text.lower()
    assert "where another kind begins" not in text


def test_guide_names_rounded_corners_and_single_sided_print(making_text, tmp_path):
    text = making_text(make(tmp_path / "pack", component="radius: 3mm"))
    assert "40 × 40 mm, with rounded corners (radius 3 mm)" in text
    assert re.search(r"never “fit to page”; sin\W*gle\W+sided", text)
    assert "1 × Cards Page 1" in text
    assert "backs" not in text


def test_optional_component_comes_last_and_is_labelled(making_text, tmp_path):
    more = ("title: More", "size: 30mm", "data: cards.csv", "front: layouts/front.yaml")
    pack = make(tmp_path / "pack", component="optional: true")
    game = pack / "game.yaml"
    game.write_text(f"{game.read_text('utf-8').rstrip()}\n  more: {{{', '.join(more)}}}\n", "utf-8")
    text = making_text(pack)
    assert "Cards (only if you have none) Page 2" in text
    assert "1 × More Page 1" in text


def test_pieces_of_very_many_components_are_listed_without_pictures(
    making_text, tmp_path, monkeypatch
):
    """Pictures of 150 components would take more pages than the guide may have."""
    more = "{title: More, size: 30mm, data: cards.csv, front: layouts/front.yaml}"
    game = make(tmp_path / "pack") / "game.yaml"
    game.write_text(f"{game.read_text('utf-8').rstrip()}\n  more: {more}\n", "utf-8")
    assert "1 × Cards, 1 × More" not in making_text(game.parent)
    monkeypatch.setattr("generator.rules.how_to_make.MAX_PICTURED_COMPONENTS", 1)
    assert "1 × Cards, 1 × More" in making_text(game.parent)


def test_guide_names_fitting_sleeves(making_text, tmp_path):
    text = making_text(make(tmp_path / "pack", size="poker"))
    assert "Sleeves for Cards, to make them last: 1 × Standard card game, poker cards" in text


def test_guide_names_both_files_of_two_pass_printing(making_text):
    text = making_text(Path(__file__).parents[1] / "data/packs/flip", "--duplex", "two-pass")
    assert "1-fronts: first pass" in text
    assert "2-backs: second pass" in text


def test_two_pass_printing_keeps_guide_out_of_the_stack(pnp, tmp_path):
    """Compare the pages of both passes, which a reader puts back into the tray."""
    pack = Path(__file__).parents[1] / "data/packs/flip"
    result = pnp("build", pack, "--paper", "a4", "--duplex", "two-pass", "-o", tmp_path)
    assert result.exit_code == 0, result.output
    assert list(tmp_path.rglob("*-making-a4-two-pass.pdf"))
    fronts, backs = sorted(tmp_path.rglob("*-sheets-a4-*.pdf"))
    assert len(read_all(fronts)) == len(read_all(backs))


@pytest.mark.parametrize("code", languages())
def test_guide_of_every_language_fits_its_pages(code, starter, making_text):
    """Find the four steps in order, and no command of pnp."""
    pack = starter("cards")
    game = (pack / "game.yaml").read_text("utf-8")
    (pack / "game.yaml").write_text(f"language: {code}\n{game}", "utf-8")
    text = making_text(pack)
    assert ("What you need" in text) is (code == "en")
    steps = [text.index(f"{step}. {title}") for step, title in enumerate(step_titles(code), 1)]
    assert len(steps) == 4
    assert steps == sorted(steps)
    assert "200–300 g/m² (110 lb index)" in text
    assert "pnp" not in text


def step_titles(code):
    return words_for(code).making.steps.values()


def test_guide_fills_both_sides_of_its_paper_with_steps_and_cuts(printed):
    """Read both pages of the guide of a game with backs."""
    file = next(printed("greenways").glob("*-sheets-a4.pdf"))
    first, second = (item.text for item in read_all(file) if re.fullmatch("[ivx]+", item.label))
    assert "What you need".upper() in first.upper()
    assert "CUTTING" in second.upper()
    assert "cut in this order, and only as far as the outer marks" in " ".join(second.split())


@pytest.mark.parametrize(
    ("game", "labels", "last"),
    [
        ("hoses-and-hydrants", "i ii", "Pages 3–8: cut in this order"),
        ("buizen-wir-war", "i ii", "Pages 3–12: cut in this order"),
    ],
)
def test_no_blank_page_follows_guide_on_small_paper(printed, game, labels, last):
    """The guide closes up to whole sheets of A5, or pictures of more cuts fill the last page."""
    folder = printed(game, "--what", "sheets", "--what", "making", "--paper", "a5")
    (file,) = folder.glob("*-sheets-a5.pdf")
    pages = list(takewhile(lambda item: item.label != "1 front", read_all(file)))
    assert " ".join(item.label for item in pages) == labels
    assert last in " ".join(pages[-1].text.split()).replace("\N{NO-BREAK SPACE}", " ")
    assert all(len(item.text) > 100 for item in pages)


@pytest.mark.parametrize(
    ("gutter", "own", "other"),
    [
        ("0mm", "share an edge", "throw the strip away"),
        ("4mm", "throw the strip away", "share an edge"),
    ],
)
def test_guide_shows_shared_cuts_or_gutters_as_the_game_has(
    gutter, own, other, making_text, tmp_path
):
    pack = make(tmp_path / "pack", table="id,count\nfox,6\n", component=f"gutter: {gutter}")
    text = making_text(pack)
    assert own in text
    assert other not in text


def test_picture_at_foot_of_guide_shows_people_with_their_heads(printed):
    """Measure the picture below the pieces of Greenways on Letter, where little height is left for it."""
    (file,) = printed("greenways").glob("*-sheets-letter.pdf")
    with pypdfium2.PdfDocument(file) as document:
        pixels = np.asarray(document[1].render(scale=2).to_pil().convert("L"))
    inked = pixels < 250
    centre = inked.shape[1] // 2
    middle = inked[:, centre - 100 : centre + 100].any(axis=1)
    end = int(np.flatnonzero(middle)[-1])
    begin = int(np.flatnonzero(~middle[:end])[-1])
    row = np.flatnonzero(inked[(begin + end) // 2])
    assert 1.5 < (row[-1] - row[0]) / (end - begin) < 1.95


def test_parts_of_the_estimated_time_add_up(printed):
    text, _, _ = text_and_sheets(printed("urban-insanity-fire-engines"))
    total, *parts = map(
        int,
        re.search(
            r"about (\d+) minutes; (\d+) to print and check, (\d+) to cut .*?, (\d+) to fold", text
        ).groups(),
    )
    assert total == sum(parts)
    assert parts[1] > parts[2] > 0


def test_title_of_guide_breaks_before_how_to_make_it(hoses):
    (path,) = hoses.glob("*-sheets-a4.pdf")
    lines = [line.replace("\N{NO-BREAK SPACE}", " ").strip() for line in text_lines(path)]
    assert "how to make it" in lines


def text_lines(path):
    with pypdfium2.PdfDocument(path) as document:
        return document[0].get_textpage().get_text_range().splitlines()


def bed_with_gap(gap, count=2):
    """Return a sheet with pieces of 40 mm in rows and columns."""
    starts = [20 + at * (40 + gap) for at in range(count)]
    boxes = [Rect(x, y, 40, 40) for y in starts for x in starts]
    outlines = tuple(map(Outline.of_box, boxes))
    return Bed(1, 1, "Cards", Rect(0, 0, 210, 297), outlines, parts=tuple(boxes))


@pytest.mark.parametrize(
    ("gap", "upright"), [(0, [20, 60, 100]), (4, [20, 60, 64, 104])], ids=["shared", "gutter"]
)
def test_cuts_are_numbered_first_upright_and_then_across(gap, upright):
    """Compare cuts with the edges of pieces; lines end at most 3 mm outside."""
    cuts = number_lines(bed_with_gap(gap))
    first = cuts[: len(upright)]
    then = cuts[len(upright) :]
    assert [line.a.x for line, *_ in first if line.a.x == line.b.x] == upright
    assert [line.a.y for line, *_ in then if line.a.y == line.b.y] == upright
    ends = [at for cut in cuts for line in cut for at in line]
    assert min(min(at) for at in ends) >= 17
    assert max(max(at) for at in ends) <= upright[-1] + 3


@pytest.mark.parametrize("gap", [0, 4])
def test_numbers_of_cuts_do_not_overlap(gap):
    bed = bed_with_gap(gap, count=4)
    font = font_set().find("Fira Sans Condensed", 700)
    drawn = SheetPicture(Size(74, 96), bed, (), {}, font, "#aa0000").draw()
    discs = [
        item.geometry
        for item in drawn.items
        if isinstance(item, Shape) and isinstance(item.geometry, Circle)
    ]
    numbers = [item.text for item in drawn.items if isinstance(item, TextRun)]
    assert numbers == [str(number) for number in range(1, len(number_lines(bed)) + 1)]
    assert len(discs) == len(numbers)
    assert all(
        dist(one.centre, other.centre) >= one.radius + other.radius - 1e-6
        for one, other in combinations(discs, 2)
    )
    box = Rect(0, 0, *drawn.size)
    assert all(box.holds(Rect(*disc.centre, 0, 0).grown(disc.radius)) for disc in discs)


def test_hexagons_have_no_numbered_cuts():
    corners = tuple(
        Point(50 + 20 * cos(radians(a)), 50 + 20 * sin(radians(a))) for a in range(0, 360, 60)
    )
    hexagon = Outline(corners)
    bed = Bed(1, 1, "Tiles", Rect(0, 0, 210, 297), (hexagon,), parts=(hexagon.box,))
    assert number_lines(bed) == ()


@pytest.mark.parametrize("paper", ["a5", "4x6", "roll 610mm"])
def test_guide_is_built_for_small_papers_and_rolls(pnp, tmp_path, paper):
    pack = make(tmp_path / "pack")
    result = pnp("build", pack, "--what", "making", "--paper", paper, "-o", tmp_path)
    assert result.exit_code == 0, result.output
    (path,) = tmp_path.rglob("*-making-*.pdf")
    assert "What you need" in " ".join(read_all(path)[0].text.split())


@pytest.mark.parametrize(
    ("paper", "is_separate"), [("4x6", True), ("a5", False), ("letter", False)]
)
def test_guide_precedes_sheets_unless_their_paper_is_too_small(pnp, tmp_path, paper, is_separate):
    both = ("--what", "sheets", "--what", "making")
    result = pnp("build", make(tmp_path / "pack"), *both, "--paper", paper, "-o", tmp_path)
    assert result.exit_code == 0, result.output
    (file,) = tmp_path.rglob(f"*-sheets-{paper}.pdf")
    assert len({(round(item.width), round(item.height)) for item in read_all(file)}) == 1
    assert bool(list(tmp_path.rglob(f"*-making-{paper}.pdf"))) is is_separate
    assert (read_all(file)[0].label == "i") is not is_separate


def test_rules_include_guide_at_its_directive(pnp, tmp_path):
    more = "rules: {file: rules.md}"
    pack = make(
        tmp_path / "pack",
        more=more,
        files={"rules.md": "# A\n\nPlay.\n\n## Make it\n\n::: making :::\n"},
    )
    result = pnp("rules", pack, "-o", tmp_path)
    assert result.exit_code == 0, result.output
    (path,) = tmp_path.rglob("*-rules.pdf")
    text = " ".join(" ".join(item.text for item in read_all(path)).split())
    assert "What you need" in text
    assert "Sheet 1 · 40 × 40 mm" in text.replace("\N{NO-BREAK SPACE}", " ")


def test_page_numbers_are_joined_to_runs():
    assert format_numbers([2, 3, 4, 7], "page", "pages") == "pages\N{NO-BREAK SPACE}2–4, 7"
    assert format_numbers([5], "page", "pages") == "page\N{NO-BREAK SPACE}5"


NETS = {
    **{name: find_net_plan(name, Size(20, 20), 0) for name in DICE},
    **{name: find_net_plan(name, Size(60, 40), 25) for name in BOXES},
}


@pytest.mark.parametrize("make", NETS)
def test_folding_a_net_keeps_panels_and_brings_glued_edges_together(make):
    """Fold nets by several shares; at the end, every edge of a die lies on another."""
    plan, panels = NETS[make]
    for share in (0.0, 0.55, 1.0):
        for panel, space in zip(plan.panels, FoldedView(plan, {}, share).space, strict=True):
            flat = [dist(a, b) for a, b in pairwise(panel.corners)]
            assert flat == pytest.approx([dist(a, b) for a, b in pairwise(space)])
    if make in DICE:
        ends = FoldedView(plan, {}, 1.0).space
        edges = [
            frozenset(tuple(np.round(at, 3) + 0.0) for at in pair)
            for panel in panels
            for pair in zip(ends[panel], ends[panel][1:] + ends[panel][:1], strict=True)
        ]
        assert all(edges.count(edge) == 2 for edge in edges)


@pytest.mark.parametrize("make", DICE)
def test_tab_lies_inside_its_face_after_folding(make):
    """Fold a die completely; each tab is flat against a face and wide enough for glue."""
    plan, _ = NETS[make]
    tabbed = _with_tabs(plan)
    space = FoldedView(tabbed, {}, 1.0).space
    faces = space[: len(plan.panels)]
    for tab in space[len(plan.panels) :]:
        assert any(is_flat_in(tab, face) for face in faces), make
        deep = max(dist(a, b) for a, b in pairwise(tab)) and min(
            dist(tab[0], tab[1]), dist(tab[2], tab[3])
        )
        assert deep > 3, "the tab has 3 mm for glue"


def is_flat_in(tab, face):
    origin = np.array(face[0])
    normal = np.cross(np.subtract(face[1], face[0]), np.subtract(face[2], face[0]))
    normal = normal / np.linalg.norm(normal)
    if any(abs(np.dot(np.subtract(at, origin), normal)) > 0.01 for at in tab):
        return False
    signs = [
        np.dot(np.cross(np.subtract(b, a), np.subtract(at, a)), normal)
        for at in tab
        for a, b in zip(face, face[1:] + face[:1], strict=True)
    ]
    return min(signs) > -0.01 or max(signs) < 0.01


def test_folded_standee_has_back_behind_front_and_two_feet():
    plan = plan_standee(Size(32, 24))
    front, back, foot, other = FoldedView(plan, {}, 1.0).space
    assert np.allclose(sorted(np.round(front, 3).tolist()), sorted(np.round(back, 3).tolist()))
    assert len({round(at[1], 3) for at in (*foot, *other)}) == 1, "both feet lie on the table"
    assert min(at[2] for at in foot) < -5
    assert max(at[2] for at in other) > 5
