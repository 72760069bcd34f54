"""The tables that check a pack's names, and the JSON Schemas of its files."""

import json
from collections.abc import Mapping

from pydantic import BaseModel

from generator.base.paper import Orientation, papers
from generator.draw.layers import LAYERS
from generator.draw.links.areas import AREA_PATTERNS
from generator.draw.links.caps import CAPS
from generator.draw.links.patterns import PATTERNS
from generator.impose.duplex import DUPLEX_MODES
from generator.impose.marks import MARK_STYLES
from generator.pack.load import Vocabulary
from generator.pack.schema import game_schema, layout_schema
from generator.pipeline.printing import MAKES

BOARD_KEYS = frozenset({"matching", "scoring", "removing", "moving", "routing", "board"})
"""The fields of `game.yaml` about boards, named here so that a pack without them does not import `board`."""


def vocabulary() -> Vocabulary:
    """Return the tables that check a pack's names, each with the values that its names stand for."""
    tables: Mapping[str, Mapping[str, object]] = {
        "pattern": PATTERNS,
        "area pattern": AREA_PATTERNS,
        "cap": CAPS,
        "paper": {paper.name: paper for paper in papers()},
        "duplex": DUPLEX_MODES,
        "marks": MARK_STYLES,
        "orientation": {item.value: item for item in Orientation},
        "make": MAKES,
    }
    return Vocabulary(LAYERS, tables, _board_section, BOARD_KEYS)


def _board_section() -> type[BaseModel]:
    # Imported when a pack has boards: the package costs 0.06 s, a tenth of building a small pack.
    from generator.board.rules import BoardSection

    return BoardSection


def schemas() -> dict[str, str]:
    """Return the JSON Schemas of a pack's files by file name: `game.json` and `layout.json`."""
    words = vocabulary()
    schemas_by_file = {
        "game.json": game_schema(words.board() if words.board else None),
        "layout.json": layout_schema(words.layers),
    }
    return {
        name: json.dumps(schema, indent=2, ensure_ascii=False)
        for name, schema in schemas_by_file.items()
    }
