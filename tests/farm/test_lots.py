"""Test lots: counts, limits, weights, and the same draw for the same seed."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.farm.editions import EditionOptions, read_orders
from generator.pack.load import load
from generator.pack.orders import draw_lot, draw_lots
from generator.pipeline.vocabulary import vocabulary
from tests.tools.make_pack import make

ROWS = [*(f"c{n},1,common" for n in range(12)), *(f"r{n},1,rare" for n in range(4))]
TABLE = "\n".join(["id,count,rarity", *ROWS, ""])
LIMITS = "weights: {common: 3, rare: 1}, least: {rare: 1}, most: {rare: 2}"
LOT = "lots: {booster: {of: cards, take: 5, by: rarity, " + LIMITS + "%s}}\n"


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    pack = make(tmp_path_factory.mktemp("lots") / "deck", table=TABLE, more=LOT % ", unique: true")
    return load(pack, vocabulary())


@given(seed=st.text(max_size=8))
def test_lot_stays_within_its_limits_and_repeats_for_its_seed(game, seed):
    (lot,) = game.lots
    (part,) = game.components
    pieces = draw_lot(lot, part, seed)
    assert pieces == draw_lot(lot, part, seed)
    assert pieces.total() == 5
    assert max(pieces.values()) == 1, "no design is drawn more often than its count"
    assert 1 <= sum(count for name, count in pieces.items() if name[0] == "r") <= 2


def test_no_two_copies_get_the_same_lot(game):
    (lot,) = game.lots
    (part,) = game.components
    copies = [str(n) for n in range(300)]
    lots = list(draw_lots(lot, part, "seed", copies))
    assert len(set(lots)) == 300
    assert lots == list(draw_lots(lot, part, "seed", copies))
    assert lots != list(draw_lots(lot, part, "another", copies))


def test_kinds_are_drawn_by_their_weights(tmp_path):
    more = "lots: {one: {of: cards, take: 1, by: rarity, weights: {common: 3, rare: 1}}}\n"
    game = load(make(tmp_path / "deck", table=TABLE, more=more), vocabulary())
    (lot,) = game.lots
    (part,) = game.components
    kinds = Counter(name[0] for n in range(2000) for name in draw_lot(lot, part, str(n)))
    assert 0.21 < kinds["r"] / 2000 < 0.29, (
        "a quarter; 0.21 and 0.29 are four standard deviations away"
    )
    ids = Counter(name for n in range(2000) for name in draw_lot(lot, part, str(n)))
    assert len(ids) == 16, "every design is drawn in some lot"


def test_lots_of_one_component_are_added_up(tmp_path):
    more = "lots: {first: {of: cards, take: 2, by: rarity, most: {rare: 0}}, second: {of: cards, take: 3}}\n"
    pack = make(tmp_path / "deck", table=TABLE, more=more)
    table = tmp_path / "orders.csv"
    table.write_text("id\n" + "".join(f"n{n}\n" for n in range(20)))
    game = load(pack, vocabulary())
    copies = read_orders(game, EditionOptions(table, "any"))
    assert all(sum(count for _, count in entry.copy.counts) == 5 for entry in copies)
    assert all(
        sum(count for name, count in item.copy.counts if name[6] == "c") >= 2 for item in copies
    )
    counts = Counter(count for copy in copies for _, count in copy.copy.counts)
    assert counts[2], "the counts of designs that both lots drew are added up"


def test_too_few_different_lots_for_all_copies_are_refused(tmp_path, pnp):
    more = "lots: {two: {of: cards, take: 15, unique: true}}\n"
    pack = make(tmp_path / "deck", table=TABLE, more=more)
    orders = tmp_path / "orders.csv"
    orders.write_text("id\n" + "".join(f"n{n}\n" for n in range(17)))
    result = pnp("edition", pack, "--orders", orders, "--seed", "s", "-o", tmp_path / "out")
    assert result.exit_code == 3
    assert "but other copies have all" in result.output


def test_edition_with_lots_needs_a_seed(tmp_path, pnp):
    pack = make(tmp_path / "deck", table=TABLE, more=LOT % "")
    (tmp_path / "orders.csv").write_text("id\na\n")
    result = pnp("edition", pack, "--orders", tmp_path / "orders.csv", "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "booster is drawn by lot and needs a seed" in result.output


@pytest.mark.parametrize(
    ("lot", "message"),
    [
        ("{of: crads, take: 1}", "unknown component 'crads'"),
        ("{of: cards, take: 99}", "99 pieces of cards cannot be drawn"),
        ("{of: cards, take: 3, by: rareness}", "unknown column 'rareness'"),
        ("{of: cards, take: 3, by: rarity, weights: {epic: 1}}", "unknown rarity 'epic'"),
        ("{of: cards, take: 3, by: rarity, least: {rare: 4}}", "add up to more than `take`"),
        (
            "{of: cards, take: 3, by: rarity, least: {rare: 3}, most: {rare: 2}}",
            "not enough of 'rare'",
        ),
    ],
)
def test_invalid_lots_are_refused(lot, message, tmp_path, pnp):
    pack = make(tmp_path / "deck", table=TABLE, more=f"lots: {{one: {lot}}}\n")
    (tmp_path / "orders.csv").write_text("id\na\n")
    result = pnp(
        "edition", pack, "--orders", tmp_path / "orders.csv", "--seed", "s", "-o", tmp_path / "out"
    )
    assert result.exit_code == 3
    assert message in result.output
    assert "game.yaml" in result.output
