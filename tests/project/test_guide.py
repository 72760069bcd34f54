"""Test that the guide for pack authors works as written and names every key."""

import re
import shlex
from pathlib import Path

import pytest

from generator.board.claims import CLAIMS
from generator.board.counting import COUNTS
from generator.board.rules import BoardSection
from generator.board.scoring import ScoreSpec
from generator.board.spec import MatchingSpec
from generator.draw.layers import LAYERS
from generator.pack.expression_functions import FUNCTIONS
from generator.pack.game_spec import ComponentSpec, GameSpec, LinkSpec, StyleSpec
from generator.pack.layout import ArcSpec, GridSpec, HexSpec, PathSpec, SpreadSpec
from generator.rules.figures.overlays import OVERLAYS
from generator.rules.figures.spec import FigureSpec

GUIDE = (Path(__file__).parents[2] / "templates" / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def test_commands_of_the_guide_build_its_deck(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    output = ""
    for kind, name, body in BLOCKS:
        if kind == "sh":
            for line in body.splitlines():
                result = pnp(*shlex.split(line)[1:])
                assert result.exit_code == 0, result.output
                output = result.output
        elif name:
            Path(name).write_text(body, "utf-8")
    assert "9 pieces on 1 sheet" in output
    assert (tmp_path / "output/potions/preview/cards-luck-front.png").is_file()


def test_deck_of_the_guide_has_no_warnings(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    pnp("new", "potions")
    for _, name, body in BLOCKS:
        if name:
            Path(name).write_text(body, "utf-8")
    assert "\n0 warnings\n" in pnp("check", "potions").output


def test_error_shown_in_the_guide_is_the_message_of_the_build(tmp_path, monkeypatch, pnp):
    monkeypatch.chdir(tmp_path)
    pnp("new", "potions")
    for _, name, body in BLOCKS:
        if name:
            Path(name).write_text(body.replace(",leaf,", ",leef,"), "utf-8")
    assert pnp("build", "potions").stderr in GUIDE


OF_EVERY_LAYER = next(
    line for line in GUIDE.splitlines() if line.startswith("Every layer may have")
)


@pytest.mark.parametrize("kind", LAYERS)
def test_guide_names_every_key_of_a_layer(kind):
    row = next(line for line in GUIDE.splitlines() if line.startswith(f"| `{kind}` |"))
    assert [
        key for key in LAYERS[kind].model_fields if f"`{key}`" not in row + OF_EVERY_LAYER
    ] == []


@pytest.mark.parametrize("model", [GameSpec, ComponentSpec, StyleSpec, LinkSpec])
def test_guide_names_every_key_of_game_yaml(model):
    assert [key for key in model.model_fields if f"`{key}`" not in GUIDE] == []


BOARDS = (Path(__file__).parents[2] / "docs" / "boards.md").read_text("utf-8")


def test_page_on_boards_names_every_key_claim_and_overlay():
    keys = {
        field.alias or name
        for name, field in (*MatchingSpec.model_fields.items(), *ScoreSpec.model_fields.items())
    }
    words = {
        *keys,
        *BoardSection.model_fields,
        *FigureSpec.model_fields,
        *OVERLAYS,
        *CLAIMS,
        *COUNTS,
    } - {"title"}
    assert sorted(word for word in words if not re.search(rf"`{word}(?:`|:)", BOARDS)) == []


LAYOUTS = (Path(__file__).parents[2] / "docs" / "layouts.md").read_text("utf-8")


def test_page_on_layouts_names_every_function_and_repetition():
    names = [name for name in FUNCTIONS if name.isidentifier()]
    assert [name for name in names if not re.search(rf"\b{name}\b", LAYOUTS)] == []
    parts = (SpreadSpec, GridSpec, HexSpec, ArcSpec, PathSpec)
    keys = {key for part in parts for key in part.model_json_schema()["properties"]}
    assert [key for key in keys if not re.search(rf"\b{key}\b", LAYOUTS)] == []
