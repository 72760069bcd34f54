"""`pnp check` says which overlays of a figure hide what counts: features and borders, under discs, arrows and words."""

import re

import pytest

from generator.app.project import Order, Project

MILL, PLAIN = "mill", "straight"
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
def hidden(starter):
    """What is said of a figure of one tile of the starter with an overlay."""
    pack = starter("tiles")
    table = pack / "tiles.csv"
    with table.open("a", encoding="utf-8") as file:
        file.write("milled,Milled,1,w-e:river@mill\nedged,Edged,1,w-s:road n=hedge\n")

    def told(design, overlay, scale=0.3):
        (pack / "figures.yaml").write_text(
            f"one:\n  board: {design}\n  scale: {scale}\n  overlays: [{overlay}]\n", "utf-8"
        )
        (pack / "rules.md").write_text("# Rules\n\n::: figure one\n:::\n", "utf-8")
        text = re.sub(r"\n(rules|matching): .*", "", (pack / "game.yaml").read_text("utf-8"))
        (pack / "game.yaml").write_text(text + "rules: {}\n", "utf-8")
        return Project(Order(str(pack))).figures["one"].hidden

    return told


@pytest.mark.parametrize("kind", OVER)
def test_what_lies_over_a_feature_is_told(hidden, kind):
    (said,) = hidden("milled", OVER[kind])
    assert re.fullmatch(rf"a {kind} hides \d+ % of the mill on A1", said)


@pytest.mark.parametrize("overlay", FREE)
def test_what_lies_beside_it_is_not(hidden, overlay):
    assert hidden("milled", overlay) == ()


def test_a_border_is_something_that_counts(hidden):
    (said,) = hidden("edged", "{cross: A1.n, size: 7mm}")
    assert said.endswith("of the border to hedge on A1")
    assert hidden("edged", "{cross: A1.s}") == ()


def test_check_names_the_figure_and_what_to_do(hidden, pnp):
    hidden("milled", OVER["tick"])
    result = pnp("check", "pack")
    assert "warning: figure one: a tick hides" in result.output
    assert "the overlay beside it, with a shift such as `B2 0.3 -0.3`" in result.output


def test_nothing_is_hidden_in_the_five_games():
    for game in ("hoses-and-hydrants", "greenways", "urban-insanity-fire-engines", "buizen-wir-war", "hydras"):
        found = {name: figure.hidden for name, figure in Project(Order(game)).figures.items() if figure.hidden}
        assert not found, game
