"""Where a problem is said to be: at the value that is wrong, and all problems at once."""

import pytest
from making import make, problems, svg

TEXT = "- text: $text\n  box: [5, 5, 30, 10]\n  style: $style\n"


def test_what_came_from_the_table_is_wrong_in_the_table(tmp_path):
    table = 'id,text,style\none,"a\nb",body\ntwo,x,bdy\n'
    assert problems(make(tmp_path, TEXT, table)) == (
        "cards.csv:4: style: unknown style 'bdy'\n  expected one of: body\n  did you mean 'body'?"
    )


def test_what_stands_in_the_layout_is_wrong_in_the_layout(tmp_path):
    said = problems(make(tmp_path, "- fill: red\n\n- fill: rde\n", "id\none\ntwo\n"))
    assert said.startswith("layouts/front.yaml:3: fill: unknown colour 'rde'")
    assert said.count("rde") == 1, "once, however many rows"


def test_one_row_of_many(tmp_path):
    table = "id,size\n" + "".join(f"d{n},{n if n != 7 else '7px'}\n" for n in range(1, 20))
    said = problems(make(tmp_path, "- shape: {circle: center, r: $size, fill: red}\n", table))
    assert said.startswith("cards.csv:8: size: '7px' is no length")


def test_everything_at_once(tmp_path):
    pack = make(
        tmp_path,
        "- fill: rde\n- icon: $icon\n  at: center\n  size: 5mm\n",
        "id,icon,count\none,sword,x\ntwo,swrd,1\ntwo,sword,1\n",
        more="colour: red",
        component="bled: 3mm",
        files={"art/icons/sword.svg": svg("")},
    )
    said = problems(pack)
    for part in (
        "game.yaml:6: unknown key 'colour'",
        "game.yaml:13: unknown key 'bled'",
        "layouts/front.yaml:1: fill: unknown colour 'rde'",
        "cards.csv:2: count: 'x' is no whole number",
        "cards.csv:3: icon: unknown icon 'swrd'",
        "cards.csv:4: id: 'two' stands twice",
    ):
        assert part in said


@pytest.mark.parametrize("front", ["    front: [{fill: red}]\n", ""])
def test_a_front_that_is_no_name_is_told_once(front, tmp_path):
    """Nothing is said of the example that stands in its place while the rest is read."""
    path = make(tmp_path) / "game.yaml"
    path.write_text(path.read_text().replace("    front: layouts/front.yaml\n", front))
    (tmp_path / "layouts" / "front.yaml").unlink()
    said = problems(tmp_path)
    assert "components.cards.front: " in said
    assert said.count("game.yaml:") == 1


def test_a_drawing_that_fails_in_every_design_is_told_once(tmp_path):
    rows = "id\n" + "".join(f"d{n}\n" for n in range(40))
    said = problems(make(tmp_path, "- svg: art/a.svg\n", rows, files={"art/a.svg": "<svg"}))
    assert said.count("is not well-formed") == 1
    assert "layouts/front.yaml:1: cards:d0 (cards.csv:2), and 39 more: art/a.svg is not well-formed XML" in said


def test_links_are_blamed_on_their_column(tmp_path):
    table = "id,paths\none,n-e:road\ntwo,n-x:road\nthree,n-e:raod\n"
    pack = make(
        tmp_path, "- links: {}\n", table, more="links: {road: {width: 5mm, fill: red}}", component="links: paths"
    )
    said = problems(pack)
    assert "cards.csv:3: paths: unknown side 'x'" in said
    assert "cards.csv:4: paths: unknown link 'raod'" in said


def test_a_column_of_links_that_is_not_there(tmp_path):
    pack = make(tmp_path, more="links: {road: {width: 5mm, fill: red}}", component="links: path")
    assert "links: there is no column 'path'" in problems(pack)


def test_links_of_each_side(tmp_path):
    from making import drawn

    pack = make(
        tmp_path,
        "- links: {}\n",
        "id,above,below\none,n-s:road,e-w:road\n",
        more="links: {road: {width: 5mm, fill: '#ff0000'}}",
        component="links: {front: above, back: below}\nback: layouts/front.yaml",
    )
    front, back = drawn(pack), drawn(pack, "back")
    assert (front.at(20, 1), front.at(1, 20)) == ("#ff0000", "")
    assert (back.at(20, 1), back.at(1, 20)) == ("", "#ff0000")
