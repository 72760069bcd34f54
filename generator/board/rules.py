"""What a pack says of boards, ready to be used: its pieces, how sides join, what is legal, and what counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from pydantic import Field

from generator.board.beside import MatchingRule, MatchingVerdict, Over
from generator.board.groups import Filter
from generator.board.joined import Fills
from generator.board.kit import Kit
from generator.board.lattice import SQUARE, Lattice
from generator.board.matching import rules_from
from generator.board.moving import KindChange, Movement, Removal
from generator.board.placement import Board
from generator.board.scene import DEFAULTS, Scene, Settings, look
from generator.board.scoring import Points, Score, points_of
from generator.board.spec import BoardSpec, MatchingSpec, MovementSpec, RemovalSpec, ScoreSpec
from generator.board.tiles import Joining, pair
from generator.core.problems import unknown

UNSTATED = Over()


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

    def score(self, name: str, scene: Scene) -> float:
        """What the board scores under a name."""
        if name not in self.scores:
            raise unknown("score", name, self.scores)
        return points_of(name, self.scores, scene)

    def filled(self, board: Board) -> Board:
        """The board with the tiles that its labelled sides call for."""
        scene = self.look(board)
        found = [one for rule in self.matching if isinstance(rule, Fills) for one in rule.filling(scene)]
        return board.with_pieces(found)


@dataclass(frozen=True)
class BoardSpecs:
    """The four parts of `game.yaml` that are about boards."""

    matching: MatchingSpec = field(default_factory=MatchingSpec)
    scoring: Mapping[str, ScoreSpec] = field(default_factory=lambda: MappingProxyType({}))
    removing: Mapping[str, RemovalSpec] = field(default_factory=lambda: MappingProxyType({}))
    moving: Mapping[str, MovementSpec] = field(default_factory=lambda: MappingProxyType({}))


def rules_of(kit: Kit, lattice: Lattice, specs: BoardSpecs) -> BoardRules:
    """The rules of a pack; `unknown_words` says whether all their words mean something."""
    return BoardRules(
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


def move_of(spec: MovementSpec) -> Movement:
    """One entry of `moving:`."""
    changes = tuple(KindChange(*change) for change in spec.changes)
    barred = (spec.never_from, spec.never_through, spec.never_onto)
    return Movement(spec.along, spec.stops, spec.express, changes, spec.starts, *barred, dice=spec.dice)


class BoardSection(BoardSpec):
    """How tiles match, what counts, how things are removed and moved. Each field is a key of `game.yaml`."""

    matching: MatchingSpec = MatchingSpec()
    scoring: dict[str, ScoreSpec] = Field(default_factory=dict)
    removing: dict[str, RemovalSpec] = Field(default_factory=dict)
    moving: dict[str, MovementSpec] = Field(default_factory=dict)

    @property
    def specs(self) -> BoardSpecs:
        """The same as plain values."""
        return BoardSpecs(self.matching, self.scoring, self.removing, self.moving)
