"""`pnp new --from table`: a pack of a spreadsheet that exists."""

from pathlib import Path

import pytest

CARDS = """Card Name;Qty;Cost;Type;Rules text
Fire Drake;2;5;Monster;"Flying. When it enters, it deals 3 damage to any one target of your choice."
River: Wall;1;0;;Defender. It holds whatever comes by water, and asks no price for it at all.
"""


@pytest.fixture
def begun(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    Path("my deck.csv").write_text(CARDS, "utf-8")
    return pnp("new", "mine", "--from", "my deck.csv")


def test_its_columns_are_found(begun):
    assert "title: Card Name; number: Cost; labels: Type; text: Rules text" in begun.output
    assert "pnp build mine" in begun.output
    assert "Guides: " in begun.output


def test_it_builds_and_nothing_is_wrong_with_it(begun, pnp):
    assert pnp("build", "mine", "--paper", "a4", "--what", "sheets").output.startswith(
        "output/mine/mine-1-sheets-a4.pdf  3 pieces on 1 sheet"
    )
    assert "\n0 warnings\n" in pnp("check", "mine").output


def test_every_choice_is_data(begun):
    layout = Path("mine/layouts/front.yaml").read_text("utf-8")
    assert "text: ${Card Name}" in layout
    assert "when: '${Type} is not empty'" in layout
    table = Path("mine/cards.csv").read_text("utf-8").splitlines()
    assert table[0] == "id,Card Name,count,Cost,Type,Rules text"
    assert table[1].startswith("c001,Fire Drake,2,5,Monster,")


def test_a_table_without_rows_begins_nothing(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    Path("empty.csv").write_text("id,title\n", "utf-8")
    done = pnp("new", "mine", "--from", "empty.csv")
    assert done.exit_code == 3
    assert "empty.csv has no rows" in done.stderr
    assert not Path("mine").exists()


def test_a_first_row_without_names_is_told(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    Path("cards.csv").write_text("Fox,3,red\nElk,2,blue\n", "utf-8")
    done = pnp("new", "mine", "--from", "cards.csv")
    assert done.exit_code == 3
    assert (
        "a column is called '3'\n  expected names of columns in the first row\n  is that row missing?"
        in done.stderr
    )
    assert not Path("mine").exists()


def test_names_of_columns_may_hold_any_sign(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    Path("cards.csv").write_text(
        'Card/Name,$cost,{x},x,"a ""b""",e-f,1st,über,$\nFox,3,q,w,e,r,t,u,v\n', "utf-8"
    )
    assert (
        "labels: x, x 2, a b, e-f, 1st, über, column"
        in pnp("new", "mine", "--from", "cards.csv").output
    )
    assert pnp("build", "mine", "--what", "sheets", "--paper", "a4").exit_code == 0
