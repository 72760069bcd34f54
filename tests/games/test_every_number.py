"""Test the numbers of the five shipped games, counted in the files that a player prints.

The numbers are written here, and taken neither from the packs nor from the program.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.tools.read_pdf import clean_save, fonts, read, render

INCH = 25.4
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}


@dataclass(frozen=True)
class Known:
    """Facts about a game: pieces of each component, sizes in mm, and phrases of its rules.

    A die is a piece of six pictures, so two of them are twelve.
    """

    version: str
    pieces: dict[str, int]
    sizes: dict[str, tuple[float, float]] = field(default_factory=dict)
    says: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()

    def file(self, game, tail):
        return f"{game}-{self.version}-{tail}"


GAMES = {
    "hoses-and-hydrants": Known(
        version="2",
        pieces={"tiles": 56},
        says=(
            "Two double-sided sheets make 56 tiles",
            "3 points for the first and the last",
            "2 for the tile between",
            "worth 5",
        ),
    ),
    "greenways": Known(
        version="2",
        pieces={"tiles": 72},
        says=(
            "at least 8 rows high and 8 columns wide",
            "5 points: five tiles on a street with an intersection",
            "0 points: four tiles, and no intersection",
            "3 points: the park and two more tiles",
            "0 points: three tiles, and no park",
            "Each park is worth 2 points",
            "A 14 street tiles connected to an intersection 14",
            "B 20 greenway tiles connected to a park 20",
            "C 5 parks 10",
            "D 18 tiles along the longest greenway 18",
            "E 22 tiles left in the draw pile 22",
            "Total 84",
        ),
    ),
    "hydras": Known(
        version="2",
        pieces={"necks": 60, "bodies": 4, "labours": 12, "aids": 4},
        sizes=dict.fromkeys(("necks", "bodies", "labours", "aids"), (2.5 * INCH, 2.5 * INCH)),
        says=("60 × Play cards", "4 × Bodies", "12 × Labours", "4 × Player aids"),
    ),
    "urban-insanity-fire-engines": Known(
        version="2",
        pieces={"stations": 6, "hydrants": 6, "actions": 9, "tokens": 10, "dice": 12},
        says=(
            "6 × Fire Station tiles",
            "6 × Fire Hydrant tiles",
            "9 × Action cards",
            "10 × Blaze Tokens",
            "1 × Fire Truck",
            "2 × Dice",
            "rolls a 6 and a 1: six movement points",
        ),
    ),
    "buizen-wir-war": Known(
        version="1",
        pieces={"colours": 4, "pumps": 10, "covers": 4, "pits": 4, "roads": 10},
        says=(
            "4 × Colour tiles",
            "10 × Pump and meter rooms",
            "4 × Roads with a manhole cover",
            "4 × Roads with an open pit",
            "10 × Roads",
            "PE is worth 2 points here, fire 1 point",
            "PP is worth 1 point here",
            "PP is worth 2 points here, fire 2 points",
            "PE is worth 1 point here, PP 1 point",
            "1 + 2 + 3 + 1 + 3 + 2 = 12 points",
        ),
    ),
}


@pytest.fixture(params=GAMES)
def game(request):
    return request.param


@pytest.fixture(params=PAPERS)
def paper(request):
    return request.param


def sheets(printed, game, paper):
    return read(printed(game) / GAMES[game].file(game, f"sheets-{paper}.pdf"))


def fronts(pages):
    return [form for page in pages if page.label.endswith("front") for form in page.forms]


def backs(pages):
    return [form for page in pages if page.label.endswith("back") for form in page.forms]


def rules(printed, game, tail="rules.pdf"):
    return read(printed(game) / GAMES[game].file(game, tail))


def joined_text(pages):
    """Return the text of pages; pdfium writes U+0002 for a hyphen at the end of a line."""
    return re.sub(r"\s+", " ", " ".join(page.text for page in pages)).replace("\x02", "")


def unhyphened(text):
    """Return text without hyphens, since pdfium does not tell which belong to words."""
    return text.replace("-", "")


def test_sheets_hold_pieces_of_each_component(printed, pieces_by_picture, game, paper):
    counts = Counter(
        pieces_by_picture(game)[form.name][0] for form in fronts(sheets(printed, game, paper))
    )
    assert {name: counts[name] for name in GAMES[game].pieces} == GAMES[game].pieces


def test_both_papers_hold_the_same_pieces(printed, game):
    a4, letter = (
        Counter(form.name for form in fronts(sheets(printed, game, paper))) for paper in PAPERS
    )
    assert a4 == letter
    for paper, size in PAPERS.items():
        assert {
            (round(page.width, 1), round(page.height, 1)) for page in sheets(printed, game, paper)
        } == {size}


def test_rules_contain_key_sentences(printed, game):
    text = joined_text(rules(printed, game))
    assert [words for words in GAMES[game].says if unhyphened(words) not in unhyphened(text)] == []


def test_booklet_has_two_sides_per_sheet_and_contains_key_sentences(printed, game, paper):
    folded = rules(printed, game, f"rules-booklet-{paper}.pdf")
    assert len(folded) % 2 == 0
    text = unhyphened(joined_text(folded))
    assert [words for words in GAMES[game].says if unhyphened(words) not in text] == []


def test_files_embed_all_fonts_and_are_valid_pdf(printed, game):
    paths = list(printed(game).glob("*.pdf"))
    assert len(paths) == 5, "sheets and a booklet for each of two papers, and the rules to read"
    for path in paths:
        clean_save(path)
        embedded = fonts(path)
        assert embedded, path.name
        assert all(embedded.values()), path.name


class TestHosesAndHydrants:
    GAME = "hoses-and-hydrants"

    def test_two_double_sided_sheets_hold_28_tiles_each(self, printed, paper):
        pages = sheets(printed, self.GAME, paper)
        assert [len(page.forms) for page in pages] == [28, 28, 28, 28]
        assert [page.label.split()[1] for page in pages] == ["front", "back", "front", "back"]

    def test_every_back_is_the_mirror_image_of_its_front(self, printed, paper):
        path = printed(self.GAME) / GAMES[self.GAME].file(self.GAME, f"sheets-{paper}.pdf")
        width = PAPERS[paper][0]
        for number in (0, 2):
            front, back = (render(path, number + side, 60) for side in (0, 1))
            mirrored_back = back[:, ::-1]
            for form in read(path)[number].forms:
                here = [round((middle - form.w / 2 + 3) / INCH * 60) for middle in (form.x, form.y)]
                size = round((form.w - 6) / INCH * 60)
                window = np.s_[here[1] : here[1] + size, here[0] : here[0] + size]
                assert np.abs(front[window] - mirrored_back[window]).max(axis=-1).mean() < 12, (
                    width,
                    form,
                )


class TestGreenways:
    GAME = "greenways"

    def test_rules_show_a_yes_and_a_no_board_for_each_of_seven_rules(self, printed):
        text = joined_text(rules(printed, self.GAME))
        assert all(re.search(rf"\b{number}\. [A-Z]", text) for number in range(1, 8))
        page = (printed(self.GAME) / GAMES[self.GAME].file(self.GAME, "rules.html")).read_text(
            "utf-8"
        )
        assert (page.count('class="verdict yes"'), page.count('class="verdict no"')) == (7, 7)

    def test_total_of_example_is_sum_of_its_scores(self):
        assert 14 + 20 + 10 + 18 + 22 == 84

    def test_example_city_is_eight_by_eight_with_50_tiles(self, printed):
        text = joined_text(rules(printed, self.GAME))
        assert "eight rows, eight columns" in text
        assert re.search(r"A finished city of 50 tiles", text), "72 tiles, less the 22 of score E"


class TestHydras:
    GAME = "hydras"

    def test_three_by_four_cards_fill_letter_inside_half_inch_margins(self, printed):
        half = 1.25 * INCH
        for page in sheets(printed, self.GAME, "letter"):
            for form in page.forms:
                edges = (
                    form.x - half,
                    page.width - form.x - half,
                    form.y - half,
                    page.height - form.y - half,
                )
                assert min(edges) >= INCH / 2 - 0.01
        full = sheets(printed, self.GAME, "letter")[0]
        assert len({round(form.x, 2) for form in full.forms}) == 3
        assert len({round(form.y, 2) for form in full.forms}) == 4
        assert min(form.x for form in full.forms) - 1.25 * INCH == pytest.approx(INCH / 2, abs=0.01)
        assert min(form.y for form in full.forms) - 1.25 * INCH == pytest.approx(INCH / 2, abs=0.01)

    def test_twelve_labours_are_worth_one_to_three_points(self, printed, pieces_by_picture):
        names = {
            "Unburned", "Decapitator", "Burninator", "Veteran", "Defended", "The Long Path",
            "Split Tree", "Long Skinny Neck", "Hole in the Middle", "The Biggest", "Loops", "Complete",
        }  # fmt: skip
        page = next(
            page
            for page in sheets(printed, self.GAME, "letter")
            if {pieces_by_picture(self.GAME)[form.name][0] for form in page.forms} == {"labours"}
        )
        assert len(page.forms) == len({form.name for form in page.forms}) == 12
        text = joined_text([page])
        assert all(name in text for name in names)
        values = re.findall(r"\b(I{1,3})\b", text)
        assert set(values) == {"I", "II", "III"}
        assert len(values) == 12

    def test_necks_have_no_head_to_three_heads(self, printed, pieces_by_picture):
        pages = [
            page
            for page in sheets(printed, self.GAME, "letter")
            if {pieces_by_picture(self.GAME)[form.name][0] for form in page.forms} == {"necks"}
        ]
        marks = re.findall(r"\b(I{1,3})\b", joined_text(pages))
        assert set(marks) == {"I", "II", "III"}
        assert len(marks) < 60, "some cards have no number"

    def test_patch_of_eight_pages_takes_out_three_cards(self, patch, paper):
        pages = read(patch(self.GAME, paper))
        assert len(pages) == 8
        text = joined_text(pages[:1])
        assert all(str(number) in text for number in (60, 4, 12))
        assert len(pages[0].forms) == 3, "pictures of the cards to take out"
        assert [len(page.forms) for page in pages[-3:]] == [12, 12, 12], "all slots used"

    def test_patch_turns_old_deck_into_the_new_one(self, printed, patch):
        """Compare the pieces of the patch with those of the new deck."""
        pages = read(patch(self.GAME, "letter"))
        printed_now = Counter(form.name for page in pages[-3:] for form in page.forms)
        deck = Counter(form.name for form in fronts(sheets(printed, self.GAME, "letter")))
        assert all(deck[name] >= many for name, many in printed_now.items())
        assert sum(printed_now.values()) == 36
        assert sum(deck.values()) == 60 + 4 + 12 + 4, "with player aids, which no patch prints"


class TestFireEngines:
    GAME = "urban-insanity-fire-engines"

    def test_each_action_card_is_printed_three_times(self, printed, pieces_by_picture, paper):
        counts = Counter(
            pieces_by_picture(self.GAME)[form.name]
            for form in fronts(sheets(printed, self.GAME, paper))
        )
        assert sorted(
            many for (component, _), many in counts.items() if component == "actions"
        ) == [
            3,
            3,
            3,
        ]
        text = re.sub(r"\s", "", joined_text(sheets(printed, self.GAME, paper)))
        assert [text.count(name) for name in ("FIREBUG", "ARSONIST", "FIREALARM")] == [3, 3, 3]

    def test_two_sides_of_the_truck_stand_head_to_head(self, printed, pieces_by_picture, paper):
        truck = [
            form
            for form in fronts(sheets(printed, self.GAME, paper))
            if pieces_by_picture(self.GAME)[form.name][0] == "truck"
        ]
        one, other = truck
        assert round(one.turn - other.turn) % 360 == 180
        distance = sorted((round(abs(one.x - other.x), 1), round(abs(one.y - other.y), 1)))
        assert distance == [0, 24], "head to head, whichever way they lie on the sheet"

    def test_example_drive_has_five_numbered_steps(self, printed):
        pages = rules(printed, self.GAME)
        steps = next(page for page in pages if "rolls a 6 and a 1" in joined_text([page]))
        numbers = [int(number) for number in re.findall(r"(?m)^([1-9]) [A-Z]", steps.text)]
        assert numbers == [1, 2, 3, 4, 5]

    def test_last_page_names_six_expansion_sets(self, printed):
        """Read the last page before the back cover."""
        names = ("Fire Engines", "Mobsters", "Franchises", "Skyscrapers")
        last = joined_text(rules(printed, self.GAME)[-2:-1])
        assert "6 expansion" in last
        assert all(name in last for name in names)

    def test_booklet_is_saddle_stitched(self, printed, paper):
        """Read the labels of the sides and count their pages, two on each side."""
        pages = rules(printed, self.GAME, f"rules-booklet-{paper}.pdf")
        assert [page.label for page in pages] == [
            f"{sheet} {side}"
            for sheet in range(1, len(pages) // 2 + 1)
            for side in ("outside", "inside")
        ]
        assert sum(len(page.forms) for page in pages) <= 2 * len(pages)


class TestBuizenWirWar:
    GAME = "buizen-wir-war"

    def test_four_secret_colours_have_the_same_front(self, printed, pieces_by_picture, paper):
        pages = sheets(printed, self.GAME, paper)
        width = PAPERS[paper][0]
        front_and_back_names = set()
        for front, back in zip(pages[0::2], pages[1::2], strict=True):
            for form in front.forms:
                if pieces_by_picture(self.GAME)[form.name][0] == "colours":
                    behind = min(
                        back.forms,
                        key=lambda other: np.hypot(width - other.x - form.x, other.y - form.y),
                    )
                    front_and_back_names.add((form.name, behind.name))
        assert len({front for front, _ in front_and_back_names}) == 1
        assert len({back for _, back in front_and_back_names}) == 4

    def test_every_tile_has_a_front_and_a_back(self, printed, paper):
        pages = sheets(printed, self.GAME, paper)
        assert len(fronts(pages)) == len(backs(pages)) == 32 + 64

    def test_twelve_points_of_example_add_up(self):
        assert sum((1, 2, 3, 1, 3, 2)) == 12


def test_sheets_are_numbered_without_a_gap(printed, game, paper):
    numbers = [int(page.label.split()[0]) for page in sheets(printed, game, paper)]
    assert numbers[0] == 1
    assert all(0 <= after - before <= 1 for before, after in pairwise(numbers))
    assert Path(printed(game)).name == game
