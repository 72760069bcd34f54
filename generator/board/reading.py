"""From what a pack writes about boards to `Rules`, and the words in it that mean nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from generator.board.counting.group import Filter
from generator.board.counting.score import Points, Score
from generator.board.joining import Joining, pair
from generator.board.kit import Kit
from generator.board.lattice import Lattice
from generator.board.matching.table import rules_from
from generator.board.moves import Change, Move
from generator.board.removal import Removal
from generator.board.rules import Rules
from generator.board.scene import Settings
from generator.board.spec import MatchingSpec, MoveSpec, RemovalSpec, ScoreSpec


@dataclass(frozen=True)
class BoardSpecs:
    """The four parts of `game.yaml` that are about boards."""

    matching: MatchingSpec = field(default_factory=MatchingSpec)
    scoring: Mapping[str, ScoreSpec] = field(default_factory=lambda: MappingProxyType({}))
    removing: Mapping[str, RemovalSpec] = field(default_factory=lambda: MappingProxyType({}))
    moving: Mapping[str, MoveSpec] = field(default_factory=lambda: MappingProxyType({}))


def rules_of(kit: Kit, lattice: Lattice, specs: BoardSpecs) -> Rules:
    """The rules of a pack; `unknown_words` says whether all their words mean something."""
    return Rules(
        kit,
        lattice,
        settings_of(specs.matching),
        rules_from(specs.matching),
        MappingProxyType({name: score_of(spec) for name, spec in specs.scoring.items()}),
        MappingProxyType({name: removal_of(spec) for name, spec in specs.removing.items()}),
        MappingProxyType({name: move_of(spec) for name, spec in specs.moving.items()}),
    )


def settings_of(spec: MatchingSpec) -> Settings:
    """What `matching:` says of the board as a whole."""
    joining = Joining(
        _pairs(spec.joins),
        _pairs(spec.fits),
        frozenset(spec.closed_at),
        frozenset(spec.reopened_by),
        frozenset(spec.dead_ends),
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
    )


def removal_of(spec: RemovalSpec) -> Removal:
    """One entry of `removing:`."""
    return Removal(spec.root, spec.never, spec.neighbours)


def move_of(spec: MoveSpec) -> Move:
    """One entry of `moving:`."""
    changes = tuple(Change(*change) for change in spec.changes)
    barred = (spec.never_from, spec.never_through, spec.never_onto)
    return Move(spec.along, spec.stops, spec.express, changes, spec.starts, *barred, dice=spec.dice)
