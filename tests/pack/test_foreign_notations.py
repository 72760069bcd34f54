"""Test notations of other programs: each gets a message with the notation of pnp."""

import pytest

from generator.pack import foreign_notations
from generator.pack.expression_functions import FUNCTIONS
from generator.pack.lint import find_gaps, find_slips
from tests.tools.make_pack import loaded, make, problems, svg

TABLE = "id,kind,cost,text\na,fire,3,Hi\n"
TEXT = "- text: {0}\n  box: trim\n  style: body\n"
ICONS = {"art/icons/star.svg": svg("<path d='M1 1h8v8z'/>")}


def problems_of(folder, layout, table=TABLE, **rest):
    return problems(make(folder, layout, table, files={**ICONS, **rest.pop("files", {})}, **rest))


@pytest.mark.parametrize(
    ("cell", "hint"),
    [
        ("gain [star]", "'[star]' is an icon in other programs\n  expected :star:"),
        ("gain :star now", "':star' begins an icon name that has no end\n  expected :star:"),
        ("gain ::star::", "'::star::' has two colons on each side\n  expected :star:"),
        ("_so_", "'_so_': underscores do not make words italic\n  expected *italic*"),
        ("~~gone~~", "'~~gone~~': pnp does not strike out text"),
        ("[b]x[/b]", "'[/b]': a mark ends with [/]"),
        ("[color=red]x[/color]", "'[/color]': a mark ends with [/]"),
        ("<color=#f00>x", "'<color=#f00>' is HTML"),
        ("<sprite name=star>", "'<sprite name=star>' is HTML"),
        ("</x>", "'</x>' is HTML"),
        ("[120 %]x[/]", "[120 %]: a blank before '%'\n  expected [120%]"),
        ("[red 12 pt]x[/]", "expected [red 12pt]"),
        ("[ff0000]x[/]", "did you mean [#ff0000]?"),
        ("costs ${cost}", "'${cost}': a cell is printed as written"),
        ("costs $cost here", "cards.csv:2: text: '$cost' in a cell is printed as written"),
        (
            "Caf\u00c3\u00a9",
            "cards.csv:2: text: 'Caf\u00c3\u00a9' was read in a wrong encoding\n  expected 'Café'",
        ),
        ("it\u00e2\u20ac\u2122s", "expected 'it’s'"),
    ],
)
def test_foreign_notation_in_a_cell_gets_a_hint(tmp_path, cell, hint):
    assert hint in problems_of(tmp_path, TEXT.format("$text"), f'id,cost,text\na,3,"{cell}"\n')


@pytest.mark.parametrize(
    "cell",
    [
        "[x] [1] [done]",
        "a :b c: d",
        "$5, $kind, \\$cost",
        "x_1 _ y_2",
        "~5",
        "a < b = c > d",
        "1:2:3",
        "Âge, ÂME",
        "_",
        ":star::star::star:",
    ],
)
def test_ordinary_text_that_resembles_markup_is_accepted(tmp_path, cell):
    assert problems_of(tmp_path, TEXT.format("$text"), f'id,cost,text\na,3,"{cell}"\n') == ""


@pytest.mark.parametrize(
    ("when", "hint"),
    [
        ("kind === fire", "'=' in 'kind === fire' occurs twice"),
        ("text has Hi", "`text contains star`"),
        ("text like 'H%'", "`text contains star`"),
        ("cost between 1 and 3", "`cost >= 1 and cost <= 3`"),
        (
            "1 < cost < 3",
            "'<' in '1 < cost < 3' is not allowed here\n  expected an operator between two values: = !=",
        ),
        ("kind in fire, ice", "put several values in brackets: `kind in (fire, ice)`"),
        ("kind in [fire, ice]", "round brackets: `kind in (fire, ice)`"),
        ("kind = fire or ice", "put a word in quotes, 'ice', or as `kind in (fire, ice)`"),
        ("fire = kind", "put a word in quotes, 'fire', or as a word to the right of ="),
        ("kind > 3", "cards.csv:2: kind: 'fire' is not a number"),
        ("'{{kind}} = fire'", "write names without braces"),
        ("\"'kind = fire'\"", "reads no column, so it is the same for every row"),
        ("''", "front.yaml:2: when: no condition is given"),
        ("cost ≥ 3", "`cost >= 3`"),
        ("knd.colour = red", "there is no table 'knd' under `lookups:`"),
    ],
)
def test_foreign_notation_in_a_condition_gets_a_hint(tmp_path, when, hint):
    assert hint in problems_of(tmp_path, f"- fill: red\n  when: {when}\n")


@pytest.mark.parametrize(
    ("hole", "hint"),
    [
        ("${cost ^ 2}", "there are no powers"),
        ("${concat(kind, text)}", "`a & b` joins two texts"),
        ("${len(kind)}", "did you mean 'length'?"),
        ("${mod(cost, 2)}", "`n % 2`"),
        ("${random(6)}", "random(1, 6), a whole number"),
        ("${rand()}", "did you mean 'random'?"),
        ("${choice(kind)}", "`pick(types)`"),
        ("${split(text)[0]}", "`item(split(types), 1)`"),
        ("'a ${cost'", "did you mean '${cost}'?"),
        ("$(cost)", "did you mean '${cost}'?"),
    ],
)
def test_foreign_notation_in_an_expression_gets_a_hint(tmp_path, hole, hint):
    assert hint in problems_of(tmp_path, TEXT.format(hole))


def test_functions_suggested_by_hints_exist():
    for hint in foreign_notations.FUNCTIONS.values():
        if hint.startswith("did you mean"):
            assert hint.split("'")[1] in FUNCTIONS


@pytest.mark.parametrize(
    ("layout", "hint"),
    [
        ("- rectangle: [1, 1, 5, 5]\n", "`- shape: {rect: [5, 5, 20, 10], fill: $ink}`"),
        ("- circle: [5, 5]\n", "`- shape: {circle: [10, 10], r: 5mm, fill: $ink}`"),
        (TEXT.format("a") + "  bold: true\n", "`weight: bold`"),
        (TEXT.format("a") + "  if: cost\n", "`when: cost > 2`"),
        (TEXT.format("a") + "  rotate: 90\n", "`turn: 90`, in degrees clockwise"),
        (TEXT.format("a") + "  width: 9\n", "`box: [x, y, width, height]`"),
        (TEXT.format("a") + "  align: middle\n", "horizontally, that is `center`"),
        (TEXT.format("a") + "  valign: center\n", "did you mean 'middle'?"),
        (
            "- icon: kind\n  at: center\n  size: 5mm\n",
            "did you mean $kind, the value of the column?",
        ),
        ("- fill: ff0000\n", 'did you mean "#ff0000", with a # and in quotes?'),
        ("- fill: 0xFF0000\n", 'did you mean "#ff0000", with a # and in quotes?'),
        ("- fill: lab(50% 40 60)\n", "the same colour as #rrggbb"),
        ("- fill: red-blue\n", "`red to blue`"),
        (
            "- shape: {rect: trim, stroke: red 1mm}\n",
            "'red 1mm' is not a line\n  expected a width and then a colour",
        ),
        (
            "- each: 5 to 1\n  step: [1, 1]\n  group: [{fill: red}]\n",
            "`n in 1 to 5`, and ${5 + 1 - n}",
        ),
        ("- table: ['a|b', '--|--', 'c|d']\n  box: trim\n  style: body\n", "a row of dashes"),
        (
            "- include: layouts/b.yaml\n  with: {label: x, other: y}\n",
            "with: layouts/b.yaml reads no $other",
        ),
    ],
)
def test_foreign_notation_in_a_layout_gets_a_hint(tmp_path, layout, hint):
    assert hint in problems_of(tmp_path, layout, files={"layouts/b.yaml": TEXT.format("$label")})


@pytest.mark.parametrize(
    ("written", "instead", "hint"),
    [
        (
            "data: cards.csv",
            "data: https://docs.google.com/spreadsheets/d/x",
            "into which `pnp pull` downloads it",
        ),
        ("    size:", "    back: Mirror\n    size:", "'Mirror' is not a back"),
        (
            "    size:",
            "    columns: {x: y + 1, y: cost}\n    size:",
            "the column 'y' is not computed yet",
        ),
        ("    size:", "    columns: {x: =cost+1}\n    size:", "remove the = before it"),
        (
            "components:",
            "lookups: {kind: [fire, ice]}\ncomponents:",
            "lookups.kind: the table has no rows",
        ),
    ],
)
def test_foreign_notation_in_game_yaml_gets_a_hint(tmp_path, written, instead, hint):
    pack = make(tmp_path, table=TABLE)
    game = pack / "game.yaml"
    game.write_text(game.read_text().replace(written, instead, 1))
    assert hint in problems(pack)


def test_foreign_notation_in_a_table_gets_a_hint(tmp_path):
    assert "call the column 'ID' `id`" in problems_of(tmp_path, "- fill: red\n", "ID,text\na,b\n")
    assert "did you mean '1000'?" in problems_of(
        tmp_path, TEXT.format("${cost + 1}"), 'id,cost\na,"1,000"\n'
    )
    assert "'2000000' is too many" in problems_of(
        tmp_path, "- fill: red\n", "id,count\na,2000000\n"
    )


LAYOUT = """\
- fill: red
- fill: blue
  when: kind = Fire
- fill: blue
  when: kind = ice
  tag: later
- group:
    - fill: blue
  when: $language = nl
- text: ${kind} $cost
  box: safe
  style: body
"""


def test_unused_columns_and_conditions_that_never_hold_are_noted(tmp_path, pnp):
    """A name that is nearly right is not an error, so only `check` notes it."""
    pack = make(
        tmp_path / "pack",
        LAYOUT,
        "id,kind,cost,Number,text@nl,mark\na,fire,3,2,x,y\n",
        more="variants: {more: {with: [later]}}",
        component="marks: mark",
    )
    assert [str(slip).replace(f"{pack}/", "") for slip in find_slips(loaded(pack))] == [
        "cards.csv: nothing reads the columns Number, text",
    ]
    (gap,) = find_gaps(loaded(pack))
    assert str(gap).replace(f"{pack}/", "") == (
        "layouts/front.yaml:3: `when: kind = Fire` is true in no row\n"
        "  write its names and values as in the table, or delete the layer"
    )
    assert f"note: {next(find_slips(loaded(pack)))}" in pnp("check", pack).output


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("id,text\n", "Cards: the table has no rows, so no pieces are made"),
        ("id,count\na,0\nb,0\n", "Cards: the count of every row is 0, so no pieces are made"),
        ("id,count\na,0\nb,1\n", None),
    ],
)
def test_component_without_pieces_is_noted(table, message, tmp_path):
    gaps = list(find_gaps(loaded(make(tmp_path, table=table))))
    assert [gap.found for gap in gaps] == ([message] if message else [])


@pytest.mark.parametrize("command", ["build", "check", "preview"])
def test_table_without_rows_is_named_beside_components_with_pieces(command, starter, pnp):
    game = starter("cards") / "game.yaml"
    more = "  more:\n    title: More\n    size: poker\n    data: more.csv\n    front: layouts/front.yaml\n"
    game.write_text(game.read_text("utf-8").replace("print:\n", f"{more}print:\n"), "utf-8")
    header = (game.parent / "cards.csv").read_text("utf-8").splitlines()[0]
    (game.parent / "more.csv").write_text(f"{header}\n", "utf-8")
    result = pnp(command, "pack")
    assert result.exit_code == 0, result.output
    said = "pack/more.csv: More: the table has no rows, so no pieces are made\n  add a row for each design"
    assert said in result.output


def test_column_used_by_a_lookup_counts_as_read(tmp_path):
    more = (
        "lookups: {kind: {fire: {colour: red}}, other: {data: [{id: 3, colour: red}], from: cost}}"
    )
    assert (
        list(find_slips(loaded(make(tmp_path, table="id,kind,cost\na,fire,3\n", more=more)))) == []
    )


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (r"all [center]of this[/] line", "[center] aligns a part of a line"),
        (r"[center]all[/] of it", "[center] aligns a part of a line"),
        (r"above\n[center]all [red]of[/] it[/]\nbelow", ""),
        (r"[body right]**all** of it[/]", ""),
        (r"[body]a part[/] of it", ""),
    ],
)
def test_alignment_of_part_of_a_line_is_refused(tmp_path, text, hint):
    messages = problems_of(tmp_path, TEXT.format(f"'{text}'"))
    assert hint in messages
    assert bool(hint) == bool(messages)


@pytest.mark.parametrize(
    ("table", "hint"),
    [
        ("My deck,\nid,text\na,b\n", "cards.csv:2: these are the names of the columns"),
        ("# my cards\n\nid,text\na,b\n", "cards.csv:3: these are the names of the columns"),
        ("id|text\na|b\n", ""),
        ('id, text\na, "b, c"\n', "no blank before the quote that begins a text"),
    ],
)
def test_typed_table_is_read_or_refused_with_a_hint(tmp_path, table, hint):
    messages = problems_of(tmp_path, TEXT.format("$text"), table)
    assert hint in messages
    assert bool(hint) == bool(messages)


def test_wrong_computed_column_is_reported_once(tmp_path):
    layout = TEXT.format("$z") + "- fill: red\n  when: z > 3\n- fill: blue\n  when: y = 1\n"
    messages = problems_of(tmp_path, layout, component="columns: {z: cost +, y: z & 'a'}")
    assert messages.count("expected") == 1, messages
    assert "columns.z: 'cost +' ends too early" in messages


def test_unquoted_comma_between_braces_gets_a_hint(tmp_path):
    messages = problems_of(
        tmp_path, TEXT.format("$z"), component="columns: {z: if(cost > 2, 1, 2)}"
    )
    assert "put the whole value in quotes: between braces a comma separates values" in messages


def test_empty_count_of_a_repetition_is_reported_at_its_row(tmp_path):
    layout = "- each: n in 1 to cost\n  step: [1, 1]\n  group: [{fill: red}]\n"
    assert "cards.csv:2: cost: this is empty" in problems_of(tmp_path, layout, "id,cost\na,\n")
    assert "cards.csv:2: cost: 'x' is not a number" in problems_of(
        tmp_path, layout, "id,cost\na,x\n"
    )
    assert problems_of(tmp_path, layout.replace("cost", "(cost | 2)"), "id,cost\na,\n") == ""
