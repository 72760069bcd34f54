"""Test `random` and `pick`: their values look random and never change by themselves."""

import json
import re
from collections import Counter

import pytest
from click.testing import CliRunner

from generator.base.errors import InvalidValueError
from generator.cli import main
from generator.pack.scope import Scope
from tests.tools.make_pack import loaded, make

LAYOUT = """\
- {text: "${random(1, 6)} ${random(1, 6)}", box: trim, style: body}
- {text: "${random(1, 6)}", box: trim, style: body}
- {text: $omen, box: trim, style: body}
- each: n in 1 to 3
  step: [5mm, 0]
  group:
    - {text: "${pick(list('ox', 'fox', 'wren'))}", box: trim, style: body}
"""
COLUMNS = 'columns: {omen: "random(1, 1000)"}\n'
IDS = [f"card-{index}" for index in range(40)]


def texts_of(folder, ids, more=""):
    """Return the texts of each card by id, in the order of its layers."""
    table = "id\n" + "\n".join(ids) + "\n"
    game = loaded(make(folder, LAYOUT, table, more, COLUMNS))
    return {
        design.id: tuple(placed.layer.text for placed in design.front.layers)
        for design in game.components[0].designs
    }


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    return texts_of(tmp_path_factory.mktemp("random"), IDS)


def test_random_numbers_cover_their_range_evenly():
    scopes = [Scope({}, {}).at(str(index)) for index in range(6000)]
    counts = Counter(scope.evaluate("random(1, 6)") for scope in scopes)
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert min(counts.values()) > 850
    assert max(counts.values()) < 1150


def test_random_ranges_include_both_ends_and_negative_numbers():
    values = {Scope({}, {}).at(str(index)).evaluate("random(-1, 1)") for index in range(60)}
    assert values == {-1, 0, 1}
    assert Scope({}, {}).evaluate("random(4, 4)") == 4


def test_pick_takes_every_item_of_a_list():
    scopes = [Scope({"types": "fire, ice"}, {}).at(str(index)) for index in range(60)]
    assert {scope.evaluate("pick(types)") for scope in scopes} == {"fire", "ice"}


def test_each_place_on_a_card_has_its_own_random_numbers(texts):
    pairs = [text.split() for text, *_ in texts.values()]
    assert any(first != second for first, second in pairs)
    assert any(values[0].split()[0] != values[1] for values in texts.values())
    assert any(len(set(values[3:])) > 1 for values in texts.values())
    assert len({values[2] for values in texts.values()}) > 30


@pytest.mark.parametrize(
    "change",
    [
        lambda ids: [*ids[:5], "new", *ids[5:]],
        lambda ids: ids[3:],
        lambda ids: sorted(ids, reverse=True),
    ],
    ids=["inserted", "deleted", "sorted"],
)
def test_inserted_deleted_or_sorted_rows_change_no_other_card(tmp_path, texts, change):
    changed = texts_of(tmp_path, change(IDS))
    assert len(changed) >= 37
    assert {name: text for name, text in changed.items() if name != "new"} == {
        name: text for name, text in texts.items() if name in changed
    }


def test_another_seed_changes_all_random_values(tmp_path, texts):
    changed = texts_of(tmp_path, IDS, "seed: second printing\n")
    assert sum(changed[name] == texts[name] for name in IDS) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("random(6, 1)", "random(6, 1): no number lies between these"),
        ("random(1, 2.5)", "2.5 is not allowed here"),
        ("random(1, 9999999)", "9999999 is not allowed here"),
        ("pick('')", "pick() from an empty list"),
        ("7 % 0", "7 % 0"),
    ],
)
def test_impossible_random_call_is_refused(text, message):
    with pytest.raises(InvalidValueError, match=re.escape(message)):
        Scope({}, {}).evaluate(text)


@pytest.mark.parametrize(
    ("text", "value"), [("7 % 3", 1), ("-1 % 3", 2), ("2.5 % 1", 0.5), ("10 - 7 % 4 * 2", 4)]
)
def test_remainders_agree_with_spreadsheets(text, value):
    assert Scope({}, {}).evaluate(text) == value


def test_patch_over_an_inserted_row_prints_one_card(tmp_path):
    game = make(
        tmp_path / "game",
        '- {text: "${random(1, 1000)}", box: trim, style: body}\n',
        "id\nowl\nfox\n",
    )
    run = CliRunner().invoke
    assert run(main, ["release", str(game)]).exit_code == 0
    (game / "cards.csv").write_text("id\nowl\nwren\nfox\n")
    settings = game / "game.yaml"
    settings.write_text(re.sub(r"version: .*", 'version: "2"', settings.read_text()))
    result = run(main, ["diff", str(game), "--from", "1", "--json"])
    assert result.exit_code == 0, result.output
    assert [change["id"] for change in json.loads(result.output)["changes"]] == ["wren"]
