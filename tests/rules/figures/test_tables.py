"""Test figures of tables: the things on them, their places and sizes, counts of pieces, and mistakes."""

import re
from itertools import pairwise

import pytest

from generator.base.geometry import Point
from generator.picture.face import Face
from generator.picture.items import PlacedPicture, Shape, TextRun, walk
from generator.pipeline.project import BuildRequest, Project

TABLE = """
one:
  scale: 0.25
  table:
    - - {player: Far, turn: 180, things: [{hand: cards, count: 3}]}
    - - {pile: cards, label: deck, name: deck}
      - {space: cards, label: discards, name: discards}
    - - {player: Near, things: [{hand: [fox, oak, brook], fan: false}]}
  overlays: [{arrow: ["@deck", "@discards"], colour: "#112233"}]
"""
FRONTS = "fox front", "oak front", "brook front"
CARD_MM = 63.5 * 0.25, 88.9 * 0.25

ROAD = """
one:
  scale: 0.4
  board: |
    mill      .
    straight  .
    bend      straight>
  table:
    - - {player: You, things: [board]}
      - {scores: [roads, total]}
    - - {bag: tiles, shows: [~river, bend>], label: bag}
      - {pieces: crossroads, count: 2, across: 1}
  overlays: [{tally: roads, at: 0.3 0.3}]
  claims: ["score roads: 4"]
"""
SCORING = """
rules: {}
scoring:
  roads: {title: Roads, of: road, worth: 1}
  longest: {of: road, count: longest, worth: 2}
  total: {title: All, total: [roads, longest]}
  ends: {each: network, count: tiles, base: 5}
"""


def figure_of(folder, text):
    (folder / "figures.yaml").write_text(text, "utf-8")
    return Project(BuildRequest(str(folder))).figures["one"]


@pytest.fixture
def cards(starter):
    return figure_of(starter("cards"), TABLE)


def with_scoring(folder):
    (folder / "rules.md").write_text("# Rules\n\n::: figure one\n:::\n", "utf-8")
    with (folder / "game.yaml").open("a", encoding="utf-8") as file:
        file.write(SCORING)
    return folder


@pytest.fixture
def road(starter):
    return figure_of(with_scoring(starter("tiles")), ROAD)


def pieces(figure, part=""):
    """Return the middles (mm) and turns of the pieces whose label contains a text."""
    places = []
    for item in figure.face.items:
        if isinstance(item, PlacedPicture) and isinstance(item.picture, Face):
            size = item.picture.size
            if part in item.picture.label:
                middle = item.at.apply(Point(size.w / 2, size.h / 2))
                places.append((middle, round(item.at.turn) % 360))
    return places


def words(figure):
    """Return the left ends of the words on a figure in mm, by word."""
    return {
        item.text: at.apply(Point(item.x, item.y))
        for item, at in walk(figure.face.items)
        if isinstance(item, TextRun)
    }


def test_every_named_thing_is_on_the_table(cards):
    assert {"Far", "Near", "deck", "discards"} <= set(words(cards))
    assert [len(pieces(cards, name)) for name in FRONTS] == [1, 1, 1]
    # Three hidden cards in the far hand, and the one on top of the deck.
    assert len(pieces(cards, "back")) == 4
    dashed = [
        item
        for item, _ in walk(cards.face.items)
        if isinstance(item, Shape) and item.stroke and item.stroke.dash
    ]
    assert len(dashed) == 1


def test_rows_lie_below_each_other_and_an_open_hand_side_by_side(cards):
    far, _, near = (words(cards)[name].y for name in ("Far", "deck", "Near"))
    assert far < words(cards)["deck"].y < near
    middles = [pieces(cards, name)[0][0] for name in FRONTS]
    assert middles[0].y == middles[1].y == middles[2].y
    steps = [right.x - left.x for left, right in pairwise(middles)]
    assert all(CARD_MM[0] < step < 1.3 * CARD_MM[0] for step in steps)
    assert words(cards)["Near"].y > middles[0].y + CARD_MM[1] / 2


def test_hand_at_the_far_side_is_turned_and_its_name_is_upright(cards):
    turns = sorted(turn for _, turn in pieces(cards, "back"))
    assert turns == [0, 171, 180, 189]
    (at,) = {round(at.turn) for item, at in walk(cards.face.items) if isinstance(item, TextRun)}
    assert at == 0


def test_pile_without_count_holds_all_other_pieces_and_shows_their_number(cards):
    assert "×3" in words(cards), "9 cards, less 3 in each hand"
    assert cards.says.numbers == {"3"}


def test_arrow_leads_from_thing_to_thing(cards):
    ends = [
        (at.apply(Point(x, y)))
        for item, at in walk(cards.face.items)
        if isinstance(item, Shape) and item.stroke and item.stroke.colour == "#112233"
        for x, y in re.findall(r"M([-\d.]+) ([-\d.]+)", item.geometry.d)
        for x, y in [(float(x), float(y))]
    ]
    deck = next(middle for middle, turn in pieces(cards, "back") if turn == 0)
    assert min((end - deck).length() for end in ends) < 2


def test_table_is_described_in_the_words_of_the_game(cards):
    assert cards.alt == (
        "Far: 3 × Cards; deck: 3 × Cards; discards; Near: The Fox, The Old Oak, The Brook"
    )


def test_board_lies_in_the_place_of_its_player(road):
    """Expect the board's tiles at the distances of a board, all around the same place."""
    mill, _ = pieces(road, "mill")[0]
    corner, _ = pieces(road, "bend front")[0]
    tile = 45 * 0.4
    straights = [middle for middle, _ in pieces(road, "straight")]
    assert {(round((at - mill).x / tile), round((at - mill).y / tile)) for at in straights} == {
        (0, 1),
        (1, 2),
    }
    assert words(road)["You"].y > max(at.y for at in straights) + tile / 2
    assert corner.x > 0


def test_tally_marks_tiles_that_count_and_pad_has_the_points(road):
    said = [item.text for item, _ in walk(road.face.items) if isinstance(item, TextRun)]
    assert said.count("1") == 4, "a badge on each of the four tiles with a road"
    lines = words(road)
    assert lines["Roads"].y == pytest.approx(lines["All"].y - 5.4, abs=1)
    assert "12" in lines, "4 tiles, and twice the 4 tiles of the longest road"


def test_bag_holds_the_rest_and_pieces_look_out_of_it(road):
    assert "×10" in words(road), "16 tiles, less 4 on the board and 2 crossroads"
    assert len(pieces(road, "crossroads")) == 2
    assert len(pieces(road, "river back")) == 1


def test_letters_of_several_scores_stand_side_by_side(starter):
    text = ROAD.replace("tally: roads, at: 0.3 0.3", "tally: [roads, longest], size: 3mm")
    figure = figure_of(with_scoring(starter("tiles")), text)
    said = [item.text for item, _ in walk(figure.face.items) if isinstance(item, TextRun)]
    assert (said.count("roads"), said.count("longest")) == (4, 4)


MISTAKES = {
    "a pile larger than the game": ("pile: cards,", "pile: cards, count: 40,", 6, "a pile of 40"),
    "a pile of what is left over": (
        "hand: cards, count: 3",
        "hand: cards, count: 6",
        6,
        "a pile of 0, but 0 pieces of 'cards' are left",
    ),
    "more copies of a design": (
        "[fox, oak, brook]",
        "[oak, oak, oak]",
        8,
        "this figure shows 3 'oak'",
    ),
    "more hidden pieces than the game": (
        "hand: cards, count: 3",
        "hand: cards, count: 10",
        5,
        "this figure shows 10 pieces of 'cards'",
    ),
    "an unknown design": ("[fox, oak, brook]", "[fox, ork, brook]", 8, "unknown design 'ork'"),
    "an unknown component": ("space: cards", "space: card", 7, "unknown component 'card'"),
    "an unknown kind of thing": ("pile: cards", "heap: cards", 6, "unknown thing on the table"),
    "an unknown key of a thing": ("label: deck", "lable: deck", 6, "unknown key 'lable'"),
    "a word that is no thing": (
        "- {space: cards, label: discards, name: discards}",
        "- discards",
        7,
        "'discards' is not a thing on the table",
    ),
    "an eighth of a turn": ("turn: 180", "turn: 45", 5, "a turn of 45"),
    "an unknown thing in an overlay": ("@deck", "@dock", 3, "unknown thing 'dock'"),
    "a board that is not there": (
        "- {space: cards, label: discards, name: discards}",
        "- board",
        3,
        "a figure without a board",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_on_a_table_is_reported_with_its_line(starter, pnp, name):
    right, wrong, line, message = MISTAKES[name]
    assert TABLE.count(right) == 1
    pack = starter("cards")
    (pack / "figures.yaml").write_text(TABLE.lstrip("\n").replace(right, wrong), "utf-8")
    (pack / "rules.md").write_text("# Rules\n\n::: figure one\n:::\n", "utf-8")
    with (pack / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("rules: {}\n")
    result = pnp("check", pack)
    assert result.exit_code == 3
    assert re.search(rf"figures\.yaml:{line - 1}: .*{re.escape(message)}", result.stderr)


def test_tally_of_points_that_belong_to_no_tile_is_an_error(starter, pnp):
    pack = with_scoring(starter("tiles"))
    (pack / "figures.yaml").write_text(ROAD.replace("tally: roads", "tally: ends"), "utf-8")
    (pack / "rules.md").write_text("# Rules\n\n::: figure one\n:::\n", "utf-8")
    result = pnp("check", pack)
    assert result.exit_code == 3
    assert "points of 'ends' are not a sum over single tiles" in result.stderr
