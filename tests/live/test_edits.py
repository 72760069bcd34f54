"""Test edits from the live page: only the edited characters change, and the file stays valid."""

import csv
import io
from hashlib import sha256
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError, Where
from generator.live.file_editor import (
    PackEditor,
    find_place,
    set_colour,
    set_row_cell,
    shift_length,
)
from generator.live.yaml_spans import find_change, replace_cell, replace_scalars
from generator.pack.folder import PackFolder
from generator.pack.yaml_nodes import parse_yaml
from tests.tools.examples import try_times

words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12).map(str.strip)
cells = st.one_of(
    words,
    st.sampled_from(
        ['a "b"', "a,b", "two\nlines", "", "x;y", "'", "#", "- a", "${b}", "=1+1", "é日本🂡"]
    ),
)


def table_text(rows, delimiter, ending, quote):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator=ending, quoting=quote).writerows(rows)
    return out.getvalue()


@try_times(0.6)
@given(
    rows=st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=5),
    at=st.integers(0, 4),
    column=st.sampled_from(["title", "text", "note"]),
    value=cells,
    delimiter=st.sampled_from([",", ";", "\t"]),
    ending=st.sampled_from(["\n", "\r\n"]),
    quote=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    last=st.booleans(),
)
def test_edit_of_a_cell_changes_only_that_cell(
    rows, at, column, value, delimiter, ending, quote, last
):
    head = ["id", "title", "text", "note"]
    table = [head, *([f"r{n}", *row] for n, row in enumerate(rows))]
    before = table_text(table, delimiter, ending, quote)
    before = before if last else before.removesuffix(ending)
    at %= len(rows)
    line = 1 + sum(
        table_text([row], delimiter, ending, quote).count("\n") for row in table[: at + 1]
    )
    after = replace_cell(before, line, column, value)
    read = list(csv.reader(io.StringIO(after, newline=""), delimiter=delimiter, strict=True))
    expected = [list(row) for row in table]
    expected[at + 1][head.index(column)] = value
    assert read == expected
    change = find_change(before, after)
    row = table_text([table[at + 1]], delimiter, ending, quote).removesuffix(ending)
    start = before.index(row)
    assert after == before or start <= change.start <= change.end <= start + len(row)


YAML = """# the layout, by hand
boxes:
    title: [5, 6,   53.5, 9]      # beside the icon
layers:
- fill: $paper   # all of it
- text: "$title"
  box: title
- {{icon: star, at: [{x}, {y}], size: 10mm}}   # flow
- text: >
    folded
    text
  box: {z} 7mm 20 9
- shape: {{rect: [1, 1, 4, 4], fill: '$ink'}}
"""
lengths = st.tuples(
    st.integers(-400, 900), st.sampled_from(["", "mm", " mm", "cm", "in", "pt"])
).map(lambda pair: f"{pair[0] / 10:g}{pair[1]}")
steps = st.integers(-40, 40).map(lambda n: n / 2)


@try_times(0.4)
@given(
    x=lengths,
    y=lengths,
    z=lengths.filter(lambda text: " " not in text),
    dx=steps,
    dy=steps,
    line=st.sampled_from([6, 8, 9, 13]),
)
def test_move_of_a_layer_changes_only_its_place(x, y, z, dx, dy, line):
    before = YAML.format(x=x, y=y, z=z)
    kind = {6: "text", 8: "icon", 9: "text", 13: "shape"}[line]
    place = find_place(before, line, kind)
    expected = place.move(dx, dy)
    after = replace_scalars(before, expected)
    old = parse_yaml(before, "f")
    new = parse_yaml(after, "f")
    for path, value in expected.items():
        assert new.find(*path).value == value
    undone = replace_scalars(after, dict(zip(place.paths, place.texts, strict=True)))
    assert parse_yaml(undone, "f").plain() == old.plain()
    touched = [
        n
        for n, (a, b) in enumerate(zip(before.splitlines(), after.splitlines(), strict=True), 1)
        if a != b
    ]
    assert set(touched) <= {{6: 3, 8: 8, 9: 12, 13: 13}[line]}
    assert before.count("#") == after.count("#")


@pytest.mark.parametrize(
    ("text", "by", "expected"),
    [
        ("5", 0.5, "5.5"),
        ("5.2", 0.5, "5.5"),
        ("5mm", -0.5, "4.5mm"),
        ("1cm", 0.5, "1.05cm"),
        ("-3 mm", 4, "1 mm"),
        ("1in", 0, "1in"),
        ("1in", 0.1, "1.004in"),
    ],
)
def test_moved_lengths_keep_their_unit_and_snap_to_half_millimetres(text, by, expected):
    assert shift_length(text, by) == expected


def test_moved_polygon_keeps_its_shape():
    before = "- fill: red\n- shape: {polygon: [[1, 2], [3.3, 2], [1cm, 5mm]], fill: red}  # mine\n"
    place = find_place(before, 2, "shape")
    after = replace_scalars(before, place.move(1, -0.5))
    assert after == before.replace(
        "[[1, 2], [3.3, 2], [1cm, 5mm]]", "[[2, 1.5], [4.3, 1.5], [1.1cm, 4.5mm]]"
    )
    assert replace_scalars(before, find_place(before, 2, "shape").move(0.5, 0)).count("5mm") == 1


@pytest.mark.parametrize(
    ("layout", "line", "kind", "message"),
    [
        ("- text: a\n  box: safe\n  style: s\n", 1, "text", "box: 'safe' is not a number"),
        ("- icon: a\n  at: ['$x', 5]\n  size: 4mm\n", 1, "icon", "at: '$x' is not a number"),
        ("- fill: red\n", 1, "fill", "this fill has no place"),
        ("- fill: red\n", 2, "fill", "line 2 has no layers"),
    ],
)
def test_layer_without_a_numeric_place_is_not_moved(layout, line, kind, message):
    with pytest.raises(InvalidValueError, match=message.replace("$", r"\$")):
        find_place(layout, line, kind)


ROWS = """name: A  # mine
data:
  - {{id: a, title: {style}, b: 1}}
  - id: b
    title: {style} # here
    b: 2
"""


@try_times(0.4)
@given(value=cells, style=st.sampled_from(["red", '"red"', "'red'"]), nth=st.integers(0, 1))
def test_edit_of_a_row_in_yaml_changes_only_its_value(value, style, nth):
    before = ROWS.format(style=style)
    after = set_row_cell(before, Where("game.yaml", 3 + nth), "game.yaml", "title", value)
    expected = parse_yaml(before, "f").plain()
    expected["data"][nth]["title"] = value
    assert parse_yaml(after, "f").plain() == expected
    own = 3 if nth == 0 else 5
    assert after.splitlines()[: own - 1] == before.splitlines()[: own - 1]
    assert after.endswith(before.split("\n", own)[-1])


def test_edit_of_a_palette_colour_changes_only_the_colour():
    before = 'palette:\n  ink: "#102030"   # dark\n  paper: white\nname: A\n'
    after = set_colour(before, "ink", "#ABCDEF")
    assert after == before.replace("#102030", "#abcdef")
    assert set_colour(before, "paper", "#fff") == before.replace("white", '"#ffffff"')


def editor_of(folder: Path, **files: str) -> PackEditor:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_bytes(text.encode())
    return PackEditor(PackFolder(folder))


def test_file_changed_meanwhile_is_not_overwritten(tmp_path):
    own = editor_of(tmp_path, game_yaml="palette: {a: red}\n")
    digest = own.read("game.yaml").digest
    (tmp_path / "game.yaml").write_text("palette: {a: green}\n")
    with pytest.raises(InvalidValueError, match="has changed in the meantime; pnp wrote nothing"):
        own.edit("game.yaml", digest, lambda text: set_colour(text, "a", "#000000"))
    assert (tmp_path / "game.yaml").read_text() == "palette: {a: green}\n"


def test_undo_restores_every_byte_unless_the_file_changed_since(tmp_path):
    text = "\ufeffid,title\r\na,Eins\r\n"
    own = editor_of(tmp_path, cards_csv=text)
    for value in ("Zwei", "Drei, vier"):
        own.edit(
            "cards.csv",
            own.read("cards.csv").digest,
            lambda old, value=value: set_row_cell(
                old, Where("cards.csv", 2), "cards.csv", "title", value
            ),
        )
    assert (tmp_path / "cards.csv").read_bytes().decode() == text.replace("Eins", '"Drei, vier"')
    own.undo()
    own.undo()
    assert (tmp_path / "cards.csv").read_bytes().decode() == text
    with pytest.raises(InvalidValueError, match="nothing to undo"):
        own.undo()
    own.edit("cards.csv", own.read("cards.csv").digest, lambda old: old.replace("Eins", "Acht"))
    (tmp_path / "cards.csv").write_text("id\nz\n")
    with pytest.raises(InvalidValueError, match="changed in the meantime"):
        own.undo()
    assert not list(tmp_path.glob(".pnp-*"))


def test_table_in_another_encoding_is_not_edited_but_its_encoding_is_named(tmp_path):
    (tmp_path / "cards.csv").write_bytes("id,title\na,Füchse\n".encode("cp1252"))
    with pytest.raises(InvalidValueError, match="is not UTF-8 text"):
        editor_of(tmp_path).edit("cards.csv", "", str.upper)


def test_file_is_edited_however_its_accents_are_stored(tmp_path):
    stored = tmp_path / normalize("NFD", "Füchse.csv")
    stored.write_text("id\nrot\n", "utf-8")
    own = editor_of(tmp_path)
    own.edit("Füchse.csv", own.read("Füchse.csv").digest, lambda old: old.replace("rot", "blau"))
    assert stored.read_text("utf-8") == "id\nblau\n"
    assert list(tmp_path.iterdir()) == [stored]


@pytest.mark.parametrize("name", ["../secret.csv", "/etc/passwd", "link.csv"])
def test_files_outside_the_pack_cannot_be_edited(tmp_path, name):
    secret = b"id\n1\n"
    (tmp_path / "secret.csv").write_bytes(secret)
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "link.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(InvalidValueError, match=r"is not a file of the pack|leads out of the pack"):
        editor_of(tmp_path / "pack").edit(name, sha256(secret).hexdigest(), lambda text: text)
