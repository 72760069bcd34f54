"""Test that overlays on a figure's board leave the features of tiles visible."""

import re
from math import hypot
from pathlib import Path

import pytest
import yaml

from generator.board.board import parse_grid
from generator.pack.load import PackForm, load
from generator.pipeline.packs import find_pack
from generator.pipeline.rulebook import board_rules
from generator.pipeline.vocabulary import vocabulary

TEMPLATES = Path(__file__).parents[2] / "templates"
SIDES = {"n": (0.0, -0.5), "e": (0.5, 0.0), "s": (0.0, 0.5), "w": (-0.5, 0.0)}
DISCS = {"tick": 9.0, "cross": 9.0, "ring": 12.0, "number": 4.6}
"""Default diameters of overlays in mm."""
TILES = {"hoses-and-hydrants": 33.0, "greenways": 38.0, "urban-insanity-fire-engines": 40.0}
"""Sides of tiles in mm, in the games whose tiles have features."""
CLEAR = 1.0
"""Radius in mm around the centre of a tile that overlays leave free."""


def clearances(game):
    """Yield the distance in mm of each overlay from the centre of each tile with a feature."""
    rules = board_rules(load(find_pack(game), vocabulary(), PackForm()))
    figures = yaml.safe_load((TEMPLATES / game / "figures.yaml").read_text("utf-8"))
    for name, figure in figures.items():
        if "board" not in figure:
            continue
        text = figure["board"]
        text = figures[text.removeprefix("like ")]["board"] if text.startswith("like ") else text
        board = parse_grid(text, rules.kit, rules.lattice)
        scene = rules.analyse(board)
        standing = [
            (place.column, place.row)
            for place, tile in scene.tiles.items()
            if any(link.feature for _, face in tile.stack for link in face.tile.links)
        ]
        for overlay in figure.get("overlays", ()):
            kind = next((kind for kind in DISCS if kind in overlay), None)
            if kind is None:
                continue
            if "@" in str(overlay):
                continue  # between things on the table
            x, y = spot(overlay["at"] if kind == "number" else overlay[kind])
            radius = float(str(overlay.get("size", DISCS[kind])).removesuffix("mm")) / 2
            tile = TILES[game] * float(figure.get("scale", 0.5))
            for column, row in standing:
                free = hypot(x - column, y - row) * tile - radius
                yield (
                    free,
                    f"{name}: {kind} at {overlay.get('at', overlay.get(kind))} leaves {free:.1f} mm",
                )


def spot(text):
    """Return columns and rows from the centre of A1."""
    column, row, side, dx, dy = re.fullmatch(
        r"([A-Z])(\d)(?:\.([nesw]))?(?: ([-.\d]+) ([-.\d]+))?", text
    ).groups()
    step = SIDES.get(side, (0.0, 0.0))
    return ord(column) - ord("A") + step[0] + float(dx or 0), int(row) - 1 + step[1] + float(
        dy or 0
    )


@pytest.mark.parametrize("game", TILES)
def test_overlays_leave_features_of_tiles_visible(game):
    distances = list(clearances(game))
    assert distances
    assert [text for free, text in distances if free < CLEAR] == []
