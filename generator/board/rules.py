"""A pack's rules for boards: its pieces, its tiling, and the sections of `game.yaml` about boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from pydantic import BeforeValidator, Field

from generator.base.errors import InvalidValueError, find_row, unknown
from generator.board.analysis import Scene, analyse
from generator.board.board import Board, Kit, Placement
from generator.board.counting import COUNTS
from generator.board.lattice import SQUARE, Lattice, Place, find_lattice, parse_place
from generator.board.matching_rules import (
    Breach,
    check_on_board,
    find_breaches,
    stated_rules,
)
from generator.board.moving import MovementSpec, RemovalSpec, RouteSpec
from generator.board.scoring import ScoreSpec, compute_score
from generator.board.spec import BoardShapeSpec, BoardSpec, MatchingSpec, WordOrMapping
from generator.board.tiles import place_tiles

# Printed tiles lie below everything that players place, and players' pieces start at level 0.
PRINTED_LEVEL = -1


def _expand_tiling(value: object) -> object:
    """Turn the name of a tiling into the mapping that `board:` also accepts."""
    return {"tiling": value} if isinstance(value, str) else value


class BoardSection(BoardSpec):
    """The keys of `game.yaml` about boards; each field is a key."""

    matching: MatchingSpec = MatchingSpec()
    scoring: dict[str, ScoreSpec] = Field(default_factory=dict)
    removing: dict[str, RemovalSpec] = Field(default_factory=dict)
    moving: dict[str, MovementSpec] = Field(default_factory=dict)
    routing: dict[str, RouteSpec] = Field(default_factory=dict)
    board: Annotated[BoardShapeSpec, BeforeValidator(_expand_tiling), WordOrMapping()] | None = None


@dataclass(frozen=True)
class BoardRules:
    """Everything a claim is checked against, apart from the board itself.

    The tiling is that of the pieces; one that the pack states replaces it. Unknown words are
    reported by `find_unknown_words`, not here.
    """

    kit: Kit
    lattice: Lattice = SQUARE
    specs: BoardSection = field(default_factory=BoardSection)

    @cached_property
    def shape(self) -> BoardShapeSpec:
        """The existing and the blocked places, and the printed tiles; all are empty if the pack states none."""
        return self.specs.board or BoardShapeSpec()

    def add_printed_tiles(self, board: Board) -> Board:
        """Return the board with its printed tiles added where no other tile covers them."""
        placed = place_tiles(board, self.kit)
        printed = {parse_place(at): name for at, name in self.shape.printed.items()}
        return board.with_pieces(
            Placement(self.kit.design(name).id, place.column, place.row, level=PRINTED_LEVEL)
            for place, name in printed.items()
            if place not in placed
        )

    def analyse(self, board: Board) -> Scene:
        """Return the board analysed under these rules."""
        return analyse(board, self.kit, self.specs.matching)

    @cached_property
    def _places(self) -> tuple[frozenset[Place], frozenset[Place]]:
        """The existing places of the board, none if the pack lists none, and those that are blocked."""
        return frozenset(self.shape.places), self.shape.blocked_places

    @property
    def has_matching_rules(self) -> bool:
        """Return True if the pack states any rule of legality besides the default ban on stacking."""
        return bool(stated_rules(self.specs.matching)) or any(self._places)

    def breaches(self, scene: Scene) -> tuple[Breach, ...]:
        """Return the breaches of all rules about legal boards."""
        return (*find_breaches(scene), *check_on_board(scene, *self._places))

    def score(self, name: str, scene: Scene, owner: str = "") -> float:
        """Return the points of a score, in total or for an owner of tokens.

        Raise `InvalidValueError` for unknown names.
        """
        find_row("score", name, self.specs.scoring)
        return compute_score(name, self.specs.scoring, scene, owner)


def build_rules(kit: Kit, lattice: Lattice, specs: BoardSection) -> BoardRules:
    """Return the rules of a pack; `lattice` is used unless the pack states a tiling."""
    return BoardRules(kit, find_lattice(specs.board.tiling) if specs.board else lattice, specs)


KeyPath = tuple[str, ...]
WordUse = tuple[KeyPath, str, str]
"""The key path of a word, the table that must contain it, and the word."""


def find_unknown_words(
    kit: Kit, specs: BoardSection
) -> Iterator[tuple[KeyPath, InvalidValueError]]:
    """Yield the key path and the error of every word that the pack does not define."""
    tables: Mapping[str, Iterable[str]] = {
        "kind of link": kit.kinds,
        "label": kit.labels,
        "design": kit.designs,
        "word": kit.words,
        "count": {*COUNTS, *kit.words},
        "score": specs.scoring,
    }
    for path, table, word in _list_words(specs):
        if word not in tables[table]:
            yield path, unknown(table, word, tables[table])
        elif table == "score" and specs.scoring[word].total:
            yield path, InvalidValueError(f"{word!r} is a total", "scores that are not totals")


def _list_words(section: BoardSection) -> Iterator[WordUse]:
    """Yield every word of the rules with its key path and table."""
    yield from _words_of(section.matching, ("matching",))
    for key in ("scoring", "removing", "routing"):
        for name, spec in getattr(section, key).items():
            yield from _words_of(spec, (key, name))
    for name, word in (section.board.printed if section.board else {}).items():
        yield ("board", "printed", name), "design", word
    for name, move in section.moving.items():
        yield from _words_of(move, ("moving", name))


# The table that must contain the words of each field. Of a mapping these are its keys; a second
# table is for its values.
WORD_TABLES: Mapping[type[BoardSpec], Mapping[str, tuple[str, ...]]] = {
    MatchingSpec: {
        "joins": ("kind of link",),
        "fits": ("label",),
        "closed_at": ("label",),
        "reopened_by": ("label",),
        "dead_ends": ("kind of link",),
        "cut_off": ("kind of link",),
        "start": ("word",),
        "open_space": ("word",),
        "never_touch": ("word",),
        "never_join": ("word",),
        "must_join": ("kind of link",),
        "complete_needs": ("kind of link", "word"),
        "over": ("word",),
        "keeps": ("kind of link",),
        "fills": ("label", "design"),
    },
    ScoreSpec: {
        "root": ("word",),
        "of": ("kind of link",),
        "having": ("word",),
        "without": ("word",),
        "where": ("count",),
        "count": ("count",),
        "less": ("count",),
        "total": ("score",),
        "by": ("design",),
    },
    RemovalSpec: {"root": ("word",), "never": ("word",)},
    RouteSpec: {"along": ("kind of link",), "stops": ("word",), "worth": ("word",)},
    MovementSpec: {
        "along": ("kind of link",),
        "stops": ("word",),
        "express": ("kind of link",),
        "changes": ("word",),
        "starts": ("word",),
        "never_from": ("word",),
        "never_through": ("word",),
        "never_onto": ("word",),
    },
}


def _words_of(spec: BoardSpec, path: KeyPath) -> Iterator[WordUse]:
    """Yield the words of a spec with their key paths and tables."""
    for name, tables in WORD_TABLES[type(spec)].items():
        value = getattr(spec, name)
        parts = (value, value.values()) if isinstance(value, Mapping) else (value,)
        for table, words in zip(tables, parts, strict=False):
            for word in _flatten(words):
                yield (*path, name.replace("_", "-")), table, word


def _flatten(value: object) -> Iterator[str]:
    """Yield the words of a text, of None, or of a collection of these at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Iterable):
        for item in value:
            yield from _flatten(item)
