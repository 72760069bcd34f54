"""What a pack says of boards, ready to be used: its pieces, how sides join, what is legal, and what counts."""

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
from generator.board.lattice import lattice as lattice_named
from generator.board.matching import Fills, rules_from
from generator.board.moving import KindChange, Movement, Removal
from generator.board.routes import Train
from generator.board.scene import DEFAULTS, Scene, Settings, look
from generator.board.scoring import Points, Score, points_of
from generator.board.spec import (
    BLOCKED,
    BoardShapeSpec,
    BoardSpec,
    MatchingSpec,
    MovementSpec,
    OrWord,
    RemovalSpec,
    RouteSpec,
    ScoreSpec,
)
from generator.board.tiles import Joining, laid, pair
from generator.core.problems import unknown

UNSTATED = Over()

PRINTED = -1
"""The level of what is printed on a board: below all that is laid on it."""


@dataclass(frozen=True)
class BoardRules:
    """All that a claim can be about, beside the board itself."""

    kit: Kit
    lattice: Lattice = SQUARE
    settings: Settings = DEFAULTS
    matching: tuple[MatchingRule, ...] = ()
    scores: Mapping[str, Score] = field(default_factory=lambda: MappingProxyType({}))
    removals: Mapping[str, Removal] = field(default_factory=lambda: MappingProxyType({}))
    moves: Mapping[str, Movement] = field(default_factory=lambda: MappingProxyType({}))
    trains: Mapping[str, Train] = field(default_factory=lambda: MappingProxyType({}))
    printed: Mapping[Place, str] = field(default_factory=lambda: MappingProxyType({}))

    def set_out(self, board: Board) -> Board:
        """The board with what is printed on it, wherever no tile covers that."""
        covered = laid(board, self.kit)
        bare = (place for place in self.printed if place not in covered)
        return board.with_pieces(Placement(self.printed[at], at.column, at.row, level=PRINTED) for at in bare)

    def look(self, board: Board) -> Scene:
        """The board under these rules."""
        return look(board, self.kit, self.settings)

    @property
    def stated(self) -> bool:
        """Whether the pack says at all what is legal: that no tile lies over another holds in every one."""
        return any(rule != UNSTATED for rule in self.matching)

    def verdicts(self, scene: Scene) -> tuple[MatchingVerdict, ...]:
        """Everything on the board that is not legal."""
        return tuple(verdict for rule in self.matching for verdict in rule.check(scene))

    def score(self, name: str, scene: Scene, owner: str = "") -> float:
        """What the board scores under a name, all told or for an owner of tokens."""
        if name not in self.scores:
            raise unknown("score", name, self.scores)
        return points_of(name, self.scores, scene, owner)

    def filled(self, board: Board) -> Board:
        """The board with the tiles that its labelled sides call for."""
        scene = self.look(board)
        found = [one for rule in self.matching if isinstance(rule, Fills) for one in rule.filling(scene)]
        return board.with_pieces(found)


@dataclass(frozen=True)
class BoardSpecs:
    """The parts of `game.yaml` that are about boards."""

    matching: MatchingSpec = field(default_factory=MatchingSpec)
    scoring: Mapping[str, ScoreSpec] = field(default_factory=lambda: MappingProxyType({}))
    removing: Mapping[str, RemovalSpec] = field(default_factory=lambda: MappingProxyType({}))
    moving: Mapping[str, MovementSpec] = field(default_factory=lambda: MappingProxyType({}))
    routing: Mapping[str, RouteSpec] = field(default_factory=lambda: MappingProxyType({}))
    board: BoardShapeSpec | None = None


def rules_of(kit: Kit, lattice: Lattice, specs: BoardSpecs) -> BoardRules:
    """The rules of a pack; `unknown_words` says whether all their words mean something.

    How tiles lie is what the pack says, or else `lattice`.
    """
    stated = specs.board
    return BoardRules(
        kit,
        lattice_named(stated.tiling) if stated else lattice,
        settings_of(specs.matching),
        (*rules_from(specs.matching), *(_ground_of(stated) if stated else ())),
        MappingProxyType({name: score_of(spec) for name, spec in specs.scoring.items()}),
        MappingProxyType({name: removal_of(spec) for name, spec in specs.removing.items()}),
        MappingProxyType({name: move_of(spec) for name, spec in specs.moving.items()}),
        MappingProxyType({name: train_of(spec) for name, spec in specs.routing.items()}),
        MappingProxyType(
            {parse_place(at): kit.design(name).id for at, name in (stated.printed if stated else {}).items()}
        ),
    )


def _ground_of(spec: BoardShapeSpec) -> Iterator[MatchingRule]:
    """The rule that tiles lie where the board has places, if it says which."""
    there = spec.places
    blocked = {place for place, sign in there.items() if sign == BLOCKED} | {parse_place(text) for text in spec.blocked}
    if there or blocked:
        yield OnBoard(frozenset(there) if there else None, frozenset(blocked))


def train_of(spec: RouteSpec) -> Train:
    """One entry of `routing:`."""
    return Train(spec.along, spec.stops, spec.most, spec.least, spec.worth)


def settings_of(spec: MatchingSpec) -> Settings:
    """What `matching:` says of the board as a whole."""
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
    return frozenset(pair(one, other) for one, other in pairs)


def score_of(spec: ScoreSpec) -> Score:
    """One entry of `scoring:`."""
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


def removal_of(spec: RemovalSpec) -> Removal:
    """One entry of `removing:`."""
    return Removal(spec.root, spec.never, spec.neighbours)


def move_of(spec: MovementSpec) -> Movement:
    """One entry of `moving:`."""
    changes = tuple(KindChange(*change) for change in spec.changes)
    barred = (spec.never_from, spec.never_through, spec.never_onto)
    return Movement(
        spec.along, spec.stops, spec.express, changes, spec.starts, *barred, spec.dice, spec.again, spec.counts_start
    )


def _shape_said(value: object) -> object:
    return {"tiling": value} if isinstance(value, str) else value


class BoardSection(BoardSpec):
    """How tiles match, what counts, how things are removed and moved. Each field is a key of `game.yaml`."""

    matching: MatchingSpec = MatchingSpec()
    scoring: dict[str, ScoreSpec] = Field(default_factory=dict)
    removing: dict[str, RemovalSpec] = Field(default_factory=dict)
    moving: dict[str, MovementSpec] = Field(default_factory=dict)
    routing: dict[str, RouteSpec] = Field(default_factory=dict)
    board: Annotated[BoardShapeSpec, BeforeValidator(_shape_said), OrWord()] | None = None

    @property
    def specs(self) -> BoardSpecs:
        """The same as plain values."""
        return BoardSpecs(self.matching, self.scoring, self.removing, self.moving, self.routing, self.board)
