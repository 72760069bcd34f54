"""Test the places that problems name: the wrong value, and all problems at once."""

import pytest

from tests.tools.make_pack import make, problems, svg

TEXT = "- text: $text\n  box: [5, 5, 30, 10]\n  style: $style\n"


def test_wrong_value_from_a_table_is_reported_at_its_cell(tmp_path):
    table = 'id,text,style\none,"a\nb",body\ntwo,x,bdy\n'
    assert problems(make(tmp_path, TEXT, table)) == (
        "cards.csv:4: style: unknown style 'bdy'\n  expected one of: body\n  did you mean 'body'?"
    )


def test_wrong_value_in_a_layout_is_reported_once_at_its_line(tmp_path):
    messages = problems(make(tmp_path, "- fill: red\n\n- fill: rde\n", "id\none\ntwo\n"))
    assert messages.startswith("layouts/front.yaml:3: fill: unknown colour 'rde'")
    assert messages.count("rde") == 1, "once, however many rows"


def test_wrong_value_in_one_row_of_many_is_reported_at_the_row(tmp_path):
    table = "id,size\n" + "".join(f"d{n},{n if n != 7 else '7px'}\n" for n in range(1, 20))
    messages = problems(make(tmp_path, "- shape: {circle: center, r: $size, fill: red}\n", table))
    assert messages.startswith("cards.csv:8: size: '7px' is not a length")


ROWS = "id,title\n" + "".join(f"d{n},Card {n}\n" for n in range(120))


@pytest.mark.parametrize("value", ["$title", "Card"])
def test_unknown_key_of_a_layer_is_reported_once_in_the_layout(tmp_path, value):
    layout = f"- text: $title\n  box: [3, 3, 30, 10]\n  style: body\n  titel: {value}\n"
    messages = problems(make(tmp_path, layout, ROWS))
    assert messages.startswith(
        "layouts/front.yaml:4: unknown key 'titel'\n  expected one of: align, arc, "
    )
    assert messages.count("unknown key") == 1, "once, however many rows"
    assert "cards.csv" not in messages


def test_unknown_key_inside_a_shape_is_reported_in_the_layout(tmp_path):
    messages = problems(make(tmp_path, "- shape: {circle: center, r: 3mm, fil: $title}\n", ROWS))
    assert messages.startswith("layouts/front.yaml:1: unknown key 'fil'")
    assert messages.count("\n  did you mean 'fill'?") == 1
    assert "cards.csv" not in messages


def test_text_with_a_place_is_refused_with_a_hint_on_its_box(tmp_path):
    messages = problems(make(tmp_path, "- text: $title\n  at: [3, 3]\n  style: body\n", ROWS))
    assert messages.startswith(
        "layouts/front.yaml:2: unknown key 'at': a text needs a box\n  expected `box: [5, 8, 50, 12]`"
    )


def test_unknown_icon_in_a_pack_without_icons_names_the_folder_for_icons(tmp_path):
    messages = problems(make(tmp_path, "- icon: unicorn\n  at: center\n  size: 5mm\n"))
    assert messages == (
        "layouts/front.yaml:1: icon: unknown icon 'unicorn'; this pack defines no icons\n"
        "  add art/icons/unicorn.svg to the pack, or take one of pnp's symbols: pnp icons"
    )
    text = "- text: 'A :unicorn:'\n  box: [3, 3, 30, 10]\n  style: body\n"
    assert "add art/icons/unicorn.svg to the pack" in problems(make(tmp_path, text))


def test_equal_problems_of_a_table_are_reported_once_with_their_rows(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    rows = "id,colour\n" + "".join(f"d{n},{'rde' if n != 7 else 'red'}\n" for n in range(12))
    make(tmp_path / "pack", "- fill: $colour\n", rows)
    result = pnp("build", "pack")
    assert result.exit_code == 3
    assert result.output.startswith(
        "pack/cards.csv:2: colour: unknown colour 'rde' (in rows 2–8, 10–13)\n"
    )
    assert result.output.count("rde") == 1
    assert "problems" not in result.output, "a single problem is not counted"


def test_long_list_of_rows_is_shortened_and_counted(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    make(
        tmp_path / "pack",
        "- fill: $colour\n",
        "id,colour\n" + "".join(f"a{n},rde\nb{n},red\n" for n in range(9)),
    )
    assert "'rde' (in rows 2, 4, 6, 8, 10, … (9 in all))\n" in pnp("build", "pack").output


@pytest.mark.parametrize("expression", ["titel", "title * 2"])
def test_problems_caused_by_a_failed_column_are_not_reported(tmp_path, expression):
    """Columns, layers and conditions that read the column give no message."""
    layout = "- shape: {circle: center, r: $twice, fill: red}\n- fill: red\n  when: more > 3\n- fill: $more\n"
    columns = f"columns:\n  twice: {expression}\n  more: twice + 1"
    messages = problems(make(tmp_path, layout, "id,title\none,x\ntwo,y\n", component=columns))
    lines = [line for line in messages.splitlines() if not line.startswith(" ")]
    if expression == "titel":
        assert lines == ["game.yaml:14: columns.twice: unknown name '$titel'"]
    else:
        assert lines == [
            "cards.csv:2: title: 'x' is not a number",
            "cards.csv:3: title: 'y' is not a number",
        ]
        assert messages.count("  the column 'twice' is computed in game.yaml:14") == 2


def test_wrong_computed_value_is_reported_with_the_line_of_its_column(tmp_path):
    columns = "columns:\n  twice: title & 'm'"
    layout = "- shape: {circle: center, r: $twice, fill: red}\n"
    messages = problems(make(tmp_path, layout, "id,title\none,x\n", component=columns))
    assert messages.startswith("cards.csv:2: twice: 'xm' is not a length")
    assert messages.endswith(
        "it is used in layouts/front.yaml:1; the column 'twice' is computed in game.yaml:14"
    )


def test_all_problems_of_a_pack_are_reported_at_once(tmp_path):
    pack = make(
        tmp_path,
        "- fill: rde\n- icon: $icon\n  at: center\n  size: 5mm\n",
        "id,icon,count\none,sword,x\ntwo,swrd,1\ntwo,sword,1\n",
        more="colour: red",
        component="bled: 3mm",
        files={"art/icons/sword.svg": svg("")},
    )
    messages = problems(pack)
    for part in (
        "game.yaml:6: unknown key 'colour'",
        "game.yaml:13: unknown key 'bled'",
        "layouts/front.yaml:1: fill: unknown colour 'rde'",
        "cards.csv:2: count: 'x' is not a whole number",
        "cards.csv:3: icon: unknown icon 'swrd'",
        "cards.csv:4: id: 'two' occurs twice",
    ):
        assert part in messages


@pytest.mark.parametrize("front", ["    front: [{fill: red}]\n", ""])
def test_missing_or_malformed_front_is_reported_once(front, tmp_path):
    """The layout that replaces the missing one gives no message."""
    path = make(tmp_path) / "game.yaml"
    path.write_text(path.read_text().replace("    front: layouts/front.yaml\n", front))
    (tmp_path / "layouts" / "front.yaml").unlink()
    messages = problems(tmp_path)
    assert "components.cards.front: " in messages
    assert messages.count("game.yaml:") == 1


def test_broken_art_of_every_design_is_reported_once(tmp_path):
    rows = "id\n" + "".join(f"d{n}\n" for n in range(40))
    messages = problems(make(tmp_path, "- svg: art/a.svg\n", rows, files={"art/a.svg": "<svg"}))
    assert messages.count("is not well-formed") == 1
    assert (
        "layouts/front.yaml:1: cards:d0 (cards.csv:2), and 39 more: art/a.svg is not well-formed XML"
        in messages
    )


def test_wrong_links_are_reported_at_their_cells(tmp_path):
    table = "id,paths\none,n-e:road\ntwo,n-x:road\nthree,n-e:raod\n"
    pack = make(
        tmp_path,
        "- links: {}\n",
        table,
        more="links: {road: {width: 5mm, fill: red}}",
        component="links: paths",
    )
    messages = problems(pack)
    assert "cards.csv:3: paths: unknown side 'x'" in messages
    assert "cards.csv:4: paths: unknown link 'raod'" in messages


def test_missing_column_of_links_is_reported(tmp_path):
    pack = make(tmp_path, more="links: {road: {width: 5mm, fill: red}}", component="links: path")
    assert "links: there is no column 'path'" in problems(pack)


def test_front_and_back_take_links_from_their_own_columns(tmp_path):
    from tests.tools.make_pack import render_design

    pack = make(
        tmp_path,
        "- links: {}\n",
        "id,above,below\none,n-s:road,e-w:road\n",
        more="links: {road: {width: 5mm, fill: '#ff0000'}}",
        component="links: {front: above, back: below}\nback: layouts/front.yaml",
    )
    front = render_design(pack)
    back = render_design(pack, "back")
    assert (front.at(20, 1), front.at(1, 20)) == ("#ff0000", "")
    assert (back.at(20, 1), back.at(1, 20)) == ("", "#ff0000")
