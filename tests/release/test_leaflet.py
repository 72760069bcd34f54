"""Test the leaflet of a patch: pieces to take out, pieces to add, and the counts of the new deck."""

from generator.base.ui_strings import words_for
from generator.release.compare_releases import compare
from generator.release.leaflet import Contents, Leaflet, PageSpan
from generator.release.plan import plan_patch
from generator.rules.model import Heading, Listing, Paragraph, Table, Thumbnails, plain
from tests.tools.make_release import ByName, design, release

OLD = release(
    "1",
    ("cards", [design("bee", 2), design("fox", 3), design("elm", 1, "red")]),
    ("tiles", [design("hill", 4)]),
)
NEW = release(
    "2",
    ("cards", [design("fox", 1), design("elm", 1, "blue"), design("ash", 5)]),
    ("tiles", [design("hill", 4)]),
)
SEVERAL = Contents(
    PageSpan(1, 1), PageSpan(2, 3), ((PageSpan(5, 6), "flip on the long edge"),), blank=4
)
CUTTING = (
    "Cut along the marks. A guillotine works best, or a rotary cutter with a steel ruler. "
    "You can use scissors, but the pieces will not fit together as neatly."
)


def leaflet_of(old, new, contents=SEVERAL):
    return Leaflet(
        plan_patch(compare(old, new, ByName()), ByName()), contents, "Game", words_for("en").patch
    )


def texts_of(blocks):
    """Return the words of all paragraphs, headings, list items, captions and table rows, in reading order."""
    for block in blocks:
        match block:
            case Heading(_, line, _) | Paragraph(line):
                yield plain(line)
            case Listing(_, items):
                yield from (plain(item.line) for entry in items for item in entry)
            case Thumbnails(items):
                yield [plain(item.caption) for item in items]
            case Table(head, rows):
                yield from (" ".join(map(plain, row)).strip() for row in (head, *rows))


def test_leaflet_lists_pages_to_print_pieces_to_remove_and_pieces_to_add():
    leaflet = leaflet_of(OLD, NEW)
    assert leaflet.title == "Game: patch from 1 to 2"
    assert list(texts_of(leaflet.blocks))[1:] == [
        "Print",
        "Print at 100 % (“actual size”) and never shrink to fit: the new pieces would not match the ones you have.",
        "Page 1: this leaflet.",
        "Pages 2–3: the rules, on plain paper.",
        "Page 4 is left blank, so that each sheet has its own front and back.",
        "Pages 5–6: new pieces, on card stock of 200–300 g/m² (110 lb index); flip on the long edge.",
        CUTTING,
        "Take out these 5 pieces",
        ["2 × Bee"],
        "The game now has fewer of these. Take out as many copies as shown and keep the others:",
        ["2 × Fox"],
        "New pieces replace these:",
        ["1 × Elm"],
        "Add the 6 new pieces on pages 5–6",
        "6 Cards (new: 5, changed: 1).",
        "What you should have afterwards",
        "7 Cards and 4 Tiles: 11 pieces in all.",
        "in 1 take out add in 2",
        "Cards 6 5 6 7",
        "Tiles 4 0 0 4",
        "total 10 5 6 11",
    ]


def test_leaflet_shows_the_old_picture_of_removed_pieces():
    thumbnails = [block for block in leaflet_of(OLD, NEW).blocks if isinstance(block, Thumbnails)]
    old = {entry.id: entry.front for _, entry in OLD.designs}
    assert [item.face for block in thumbnails for item in block.items] == [
        old["bee"],
        old["fox"],
        old["elm"],
    ]


def test_leaflet_of_one_component_has_no_total_row():
    old = release("1", ("cards", [design("fox", 3)]))
    new = release("2", ("cards", [design("fox", 4)]))
    one_page = Contents(PageSpan(1, 1), None, ((PageSpan(2, 2), "single-sided"),))
    lines = list(texts_of(leaflet_of(old, new, one_page).blocks))
    assert "Take nothing out" in lines
    assert "Add the new piece on page 2" in lines
    assert lines[-3:] == ["4 Cards.", "in 1 take out add in 2", "Cards 3 0 1 4"]
