"""Test `pnp new --from` with random tables: the pack can be drawn, and no row is lost silently."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.pack.folder import PackFolder
from generator.pack.new import installed_fonts
from generator.pack.new.import_notes import Notes
from generator.pack.new.raw_table import guess_delimiter, read_raw_table
from generator.pack.new.table import tidy_table
from generator.pipeline.new_pack import new_from_table
from tests.tools.examples import try_times

PARTS = (
    *("fire", "[b]x[/b]", "[big]y[/]", "[/]", "**", "*", "***a***", "_it_", "__b__", "~~s~~"),
    *("<b>", "</b>", "<br>", "<tag a=1>", "<!-- x -->", "&amp;", "&nbsp;", "${Cost}"),
    *("$Name", "$5", "{fire}", "{{x}}", "%y%", ":fire:", ":fire", "::leaf::", ":a:b:"),
    *("10:30", "🔥", "⚔️", "👨\u200d👩\u200d👧", "🇩🇪", "1️⃣", "★", "✓", "→", "日本", "שלום"),
    *("नमस्ते", "é", "CafÃ©", "\u200b", "\xad", "\\", "\\n", "\\*", "C:\\new", '"', "'", "’"),
    *("“q”", "#REF!", "#N/A", "#", "=SUM(A1)", "1,5", "1,000", "50%", "-3", "2x", "×3", "x"),
    *("yes", "no", "TRUE", "/", "[x]", "[1]", "[fire]", "http://a.b", "[l](http://a.b)"),
    *("null", "~", "- a", ": ", "a: b", "@nl", "{", "}", "[", "]", "<", "\x07", "½", "①"),
    *("🂡", "fox.png", "fox.svg", ""),
)
NAMES = (
    *("Name", "Card\nName", "Qty", "Cost", "Type", "Text", 'Rules "text"', "Icons"),
    *("Image", "Notes", "id", "ID", "title", "count", "name@nl", "$x"),
    *("{y}", "Type", "x", "Flying?", "a.b", "No.", "cost > 2", "3", "language"),
    *("face", "Title: sub", "[z]", "*star*", "_u_", "#", "&co", "<b>"),
    *("back\\slash", "a:b:", "emoji 🔥", "日本", "flavor", ""),
)

cells = st.lists(st.sampled_from(PARTS), max_size=4).map(" ".join)


@st.composite
def tables(draw):
    """Generate a table with a row of names, perhaps below a title, and rows of any cells."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=8))
    row = st.lists(cells, min_size=len(names), max_size=len(names))
    title_rows = draw(st.sampled_from([[], [["A title"]], [["A title"], []]]))
    card = ["Fox" for _ in names]
    return [*title_rows, names, *draw(st.lists(row, min_size=2, max_size=4)), card]


def csv_address(rows, delimiter=","):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return out.getvalue()


@given(tables())
@try_times(0.4)
def test_new_pack_from_any_table_can_be_rendered(rows):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(installed_fonts, "FONT_FOLDERS", ())
        folder = PackFolder(Path("nowhere"), {"t.csv": csv_address(rows).encode()})
        new_pack = new_from_table(folder, "t.csv", "mine")
        assert not [note for note in new_pack.notes if "correct this before" in note]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_separator_is_guessed_despite_a_title_and_texts_with_commas(delimiter):
    rows = [["Cards, of the game; all"], ["Name", "Text"], *[["Fox", "One, two; three."]] * 4]
    assert guess_delimiter(csv_address(rows, delimiter)) == delimiter


def test_each_row_of_a_table_becomes_a_card_or_is_noted_as_skipped():
    rows = [
        ["Deck"],
        [],
        ["Name", "Cost"],
        ["Fox", "1"],
        [],
        ["Name", "Cost"],
        ["Elk", "2"],
        ["Heroes"],
    ]
    notes = Notes()
    folder = PackFolder(Path("nowhere"), {"t.csv": csv_address(rows).encode()})
    table = tidy_table(read_raw_table(folder, "t.csv", notes), notes)
    assert table.lines == (4, 7, 8)
    named = "\n".join(notes)
    assert all(f"{rows}: skipped" in named for rows in ("row 1", "rows 2, 5", "row 6"))


def test_neighbouring_rows_are_listed_as_ranges():
    notes = Notes()
    for line in (2, 3, 4, 9):
        notes.add("left out", f"row {line} ('Text')")
    notes.add("left out", "row 5 ('Name')")
    assert list(notes) == ["rows 2–4, 9 ('Text'), row 5 ('Name'): left out"]
