"""Test the warnings about overlays that hide features, icons, letters or borders."""

import re
from pathlib import Path

import pytest

from generator.pipeline.project import BuildRequest, Project

MILL = "mill"
STRAIGHT = "straight"
FREE = (
    "{cross: A1 0.3 0.3}",
    "{number: 1, at: A1 -0.3 0.3}",
    "{label: a mill, at: A1 0 0.8, to: A1}",
    "{ring: A1, size: 20mm}",
)
OVER = {
    "cross": "{cross: A1 0.05 0}",
    "tick": "{tick: A1}",
    "number": "{number: 1, at: A1, }",
    "arrow": "{arrow: [A1 -0.5 0, A1 0.1 0], width: 4mm}",
    "label": "{label: a mill that turns, at: A1}",
}


@pytest.fixture
def hidden_by(starter):
    """Return the warnings about a figure of one starter tile with an overlay."""
    pack = starter("tiles")
    table = pack / "tiles.csv"
    with table.open("a", encoding="utf-8") as file:
        file.write("milled,Milled,1,w-e:river@mill\nedged,Edged,1,w-s:road n=hedge\n")

    def read_notes(design, overlay, scale=0.3):
        (pack / "figures.yaml").write_text(
            f"one:\n  board: {design}\n  scale: {scale}\n  overlays: [{overlay}]\n", "utf-8"
        )
        (pack / "rules.md").write_text("# Rules\n\n::: figure one\n:::\n", "utf-8")
        text = re.sub(r"\n(rules|matching): .*", "", (pack / "game.yaml").read_text("utf-8"))
        (pack / "game.yaml").write_text(text + "rules: {}\n", "utf-8")
        return Project(BuildRequest(str(pack))).figures["one"].hidden

    return read_notes


@pytest.mark.parametrize("kind", OVER)
def test_overlay_over_a_feature_is_reported_with_the_hidden_share(hidden_by, kind):
    (warning,) = hidden_by("milled", OVER[kind])
    article = "an" if kind == "arrow" else "a"
    assert re.fullmatch(rf"{article} {kind} hides \d+ % of the mill on A1", warning)


@pytest.mark.parametrize("overlay", FREE)
def test_overlay_beside_a_feature_is_not_reported(hidden_by, overlay):
    assert hidden_by("milled", overlay) == ()


def test_overlay_over_a_border_is_reported(hidden_by):
    (warning,) = hidden_by("edged", "{cross: A1.n, size: 7mm}")
    assert warning.endswith("of the border to hedge on A1")
    assert hidden_by("edged", "{cross: A1.s}") == ()


GATE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><g transform="translate(4 4)">'
    '<text id="word" x="16" y="19" font-size="10" text-anchor="middle">{}</text></g></svg>'
)
"""A picture with a word in its middle, 20 mm wide, on a tile of 40 mm."""

READ = {
    "a letter of the text 'GATE'": ("- svg: art/gate.svg", GATE.format("GATE")),
    "a letter of the text": ("- svg: art/gate.svg\n  set: {word: GATE}", GATE.format("IN")),
    "a letter of the text ": (
        "- text: GATE\n  box: [7, 6, 31, 31]\n  style: word",
        GATE.format(""),
    ),
    "the icon 'gate'": ("- icon: gate\n  at: [35, 21]\n  size: 8mm", GATE.format("")),
}


@pytest.fixture
def hidden_in(hidden_by):
    """Return the warnings about a figure of one tile with only one layer."""
    with Path("pack/game.yaml").open("a", encoding="utf-8") as file:
        file.write("styles:\n  word: {font: Alegreya, size: 12mm, align: center, valign: middle}\n")

    def read_notes(layer, art, overlay, board="edged"):
        pack = Path("pack")
        for folder in ("art", "art/icons"):
            (pack / folder).mkdir(exist_ok=True)
            (pack / folder / "gate.svg").write_text(art, "utf-8")
        (pack / "layouts" / "tile.yaml").write_text(layer + "\n", "utf-8")
        return hidden_by(board, overlay, 0.5)

    return read_notes


@pytest.mark.parametrize("content", READ)
def test_overlay_over_a_letter_or_an_icon_is_reported(hidden_in, content):
    """A hidden last letter counts, although it is at most a quarter of the word."""
    (warning,) = hidden_in(*READ[content], "{arrow: [A1 0.23 -0.02, A1 0.6 -0.02], width: 2mm}")
    assert re.fullmatch(rf"an arrow hides \d+ % of {re.escape(content.strip())} on A1", warning)
    assert hidden_in(*READ[content], "{arrow: [A1 0.23 0.3, A1 0.6 0.3], width: 2mm}") == ()


def test_letters_turn_with_their_tile(hidden_in):
    """The word runs downwards on a tile that is turned by 90 degrees."""
    over = "{arrow: [A1 0 0.23, A1 0 0.6], width: 2mm}"
    beside = "{arrow: [A1 0 -0.6, A1 0 -0.37], width: 2mm}"
    (warning,) = hidden_in(*READ["a letter of the text 'GATE'"], over, "edged>")
    assert warning.startswith("an arrow hides")
    assert hidden_in(*READ["a letter of the text 'GATE'"], beside, "edged>") == ()


def test_check_names_the_figure_with_a_hidden_feature_and_the_remedy(hidden_by, pnp):
    hidden_by("milled", OVER["tick"])
    result = pnp("check", "pack")
    assert "warning: figure one: a tick hides" in result.output
    assert "the overlay next to it, with a shift such as `B2 0.3 -0.3`" in result.output


def test_no_overlay_hides_a_feature_in_the_five_games():
    for game in (
        "hoses-and-hydrants",
        "greenways",
        "urban-insanity-fire-engines",
        "buizen-wir-war",
        "hydras",
    ):
        figures = Project(BuildRequest(game)).figures
        assert len(figures) > 5
        assert {name: figure.hidden for name, figure in figures.items() if figure.hidden} == {}, (
            game
        )
