"""A pack's rules for boards, built from its specs: pieces, tiling, matching rules, scores, moves and trains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated

from pydantic import BeforeValidator, Field

from generator.board.beside import MatchingRule, MatchingVerdict, OnBoard, Over
from generator.board.groups import Filter
from generator.board.kit import Board, Kit, Placement
from generator.board.lattice import SQUARE, Lattice, Place, parse_place
from generator.board.lattice import find_lattice as lattice_named
from generator.board.matching import make_rules
from generator.board.moving import KindChange, Movement, Removal
from generator.board.routes import Train
from generator.board.scene import DEFAULT_SETTINGS, Scene, Settings, analyse
from generator.board.scoring import Points, Score, compute_score
from generator.board.spec import (
    BLOCKED_SIGN,
    BoardShapeSpec,
    BoardSpec,
    MatchingSpec,
    MovementSpec,
    RemovalSpec,
    RouteSpec,
    ScoreSpec,
    WordOrMapping,
)
from generator.board.tiles import Joining, place_tiles, unordered_pair
from generator.core.problems import unknown

NO_STACKING = Over()

# Printed tiles lie below everything that players place, and players' pieces start at level 0.
PRINTED_LEVEL = -1


@dataclass(frozen=True)
class BoardRules:
    """Everything a claim is checked against, apart from the board itself."""

    kit: Kit
    lattice: Lattice = SQUARE
    settings: Settings = DEFAULT_SETTINGS
    matching: tuple[MatchingRule, ...] = ()
    scores: Mapping[str, Score] = field(default_factory=lambda: MappingProxyType({}))
    removals: Mapping[str, Removal] = field(default_factory=lambda: MappingProxyType({}))
    moves: Mapping[str, Movement] = field(default_factory=lambda: MappingProxyType({}))
    trains: Mapping[str, Train] = field(default_factory=lambda: MappingProxyType({}))
    printed: Mapping[Place, str] = field(default_factory=lambda: MappingProxyType({}))

    def add_printed_tiles(self, board: Board) -> Board:
        """Return the board with the printed tiles added wherever no tile covers them."""
        placed = place_tiles(board, self.kit)
        uncovered = (place for place in self.printed if place not in placed)
        return board.with_pieces(
            Placement(self.printed[place], place.column, place.row, level=PRINTED_LEVEL) for place in uncovered
        )

    def analyse(self, board: Board) -> Scene:
        """Return the board analysed under these rules."""
        return analyse(board, self.kit, self.settings)

    @property
    def has_matching_rules(self) -> bool:
        """Return True if the pack states any rule of legality besides the default ban on stacking."""
        return any(rule != NO_STACKING for rule in self.matching)

    def verdicts(self, scene: Scene) -> tuple[MatchingVerdict, ...]:
        """Return a verdict for each breach of a rule."""
        return tuple(verdict for rule in self.matching for verdict in rule.check(scene))

    def score(self, name: str, scene: Scene, owner: str = "") -> float:
        """Return the points of a score, in total or for an owner of tokens; raise `Wrong` for unknown names."""
        if name not in self.scores:
            raise unknown("score", name, self.scores)
        return compute_score(name, self.scores, scene, owner)


@dataclass(frozen=True)
class BoardSpecs:
    """The parts of `game.yaml` about boards, as plain values."""

    matching: MatchingSpec = field(default_factory=MatchingSpec)
    scoring: Mapping[str, ScoreSpec] = field(default_factory=lambda: MappingProxyType({}))
    removing: Mapping[str, RemovalSpec] = field(default_factory=lambda: MappingProxyType({}))
    moving: Mapping[str, MovementSpec] = field(default_factory=lambda: MappingProxyType({}))
    routing: Mapping[str, RouteSpec] = field(default_factory=lambda: MappingProxyType({}))
    board: BoardShapeSpec | None = None


def build_rules(kit: Kit, lattice: Lattice, specs: BoardSpecs) -> BoardRules:
    """Build the rules of a pack; `lattice` is used unless the pack states a tiling.

    Unknown words are reported by `find_unknown_words`, not here.
    """
    stated = specs.board
    return BoardRules(
        kit,
        lattice_named(stated.tiling) if stated else lattice,
        make_settings(specs.matching),
        (*make_rules(specs.matching), *(_make_board_shape_rules(stated) if stated else ())),
        MappingProxyType({name: make_score(spec) for name, spec in specs.scoring.items()}),
        MappingProxyType({name: make_removal(spec) for name, spec in specs.removing.items()}),
        MappingProxyType({name: make_movement(spec) for name, spec in specs.moving.items()}),
        MappingProxyType({name: make_train(spec) for name, spec in specs.routing.items()}),
        MappingProxyType(
            {parse_place(at): kit.design(name).id for at, name in (stated.printed if stated else {}).items()}
        ),
    )


def _make_board_shape_rules(spec: BoardShapeSpec) -> Iterator[MatchingRule]:
    """Yield the rule that keeps tiles on the board's places, if the pack lists places."""
    there = spec.places
    blocked = {place for place, sign in there.items() if sign == BLOCKED_SIGN} | {
        parse_place(text) for text in spec.blocked
    }
    if there or blocked:
        yield OnBoard(frozenset(there) if there else None, frozenset(blocked))


def make_train(spec: RouteSpec) -> Train:
    """Build a train from an entry of `routing:`."""
    return Train(spec.along, spec.stops, spec.most, spec.least, spec.worth)


def make_settings(spec: MatchingSpec) -> Settings:
    """Build the settings of a board from `matching:`."""
    joining = Joining(
        _pairs(spec.joins),
        _pairs(spec.fits),
        frozenset(spec.closed_at),
        frozenset(spec.reopened_by),
        frozenset(spec.dead_ends),
        frozenset(spec.cut_off),
    )
    return Settings(joining, frozenset(spec.start), frozenset(spec.open_space))


def _pairs(pairs: Iterable[tuple[str, str]]) -> frozenset[frozenset[str]]:
    return frozenset(unordered_pair(first, second) for first, second in pairs)


def make_score(spec: ScoreSpec) -> Score:
    """Build a score from an entry of `scoring:`."""
    return Score(
        spec.each,
        spec.root,
        spec.closed,
        MappingProxyType(spec.where),
        Filter(spec.of, spec.having, spec.without, spec.forms),
        MappingProxyType(spec.count),
        Points(spec.worth, spec.base, spec.beyond, MappingProxyType(spec.less)),
        spec.take,
        spec.total,
        MappingProxyType(spec.needs or {}),
        spec.majority or "",
        spec.by,
    )


def make_removal(spec: RemovalSpec) -> Removal:
    """Build a removal from an entry of `removing:`."""
    return Removal(spec.root, spec.never, spec.neighbours)


def make_movement(spec: MovementSpec) -> Movement:
    """Build a movement from an entry of `moving:`."""
    changes = tuple(KindChange(*change) for change in spec.changes)
    barred = (spec.never_from, spec.never_through, spec.never_onto)
    return Movement(
        spec.along, spec.stops, spec.express, changes, spec.starts, *barred, spec.dice, spec.again, spec.counts_start
    )


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

    @property
    def specs(self) -> BoardSpecs:
        """Return the section as plain values."""
        return BoardSpecs(self.matching, self.scoring, self.removing, self.moving, self.routing, self.board)
