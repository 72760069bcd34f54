"""A pack's rules for boards, built from its specs: pieces, tiling, matching rules, scores, moves and trains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated

from pydantic import BeforeValidator, Field

from generator.base.errors import InvalidValueError, unknown
from generator.board.analysis import DEFAULT_SETTINGS, Scene, Settings, analyse
from generator.board.board import Board, Kit, Placement
from generator.board.counting import COUNTS, Filter
from generator.board.lattice import SQUARE, Lattice, Place, parse_place
from generator.board.lattice import find_lattice as lattice_named
from generator.board.matching_rules import MatchingRule, MatchingVerdict, OnBoard, Over, make_rules
from generator.board.moving import KindChange, Movement, Removal
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
from generator.board.trains import Train

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
        """Return the board with its printed tiles added where no other tile covers them."""
        placed = place_tiles(board, self.kit)
        uncovered = (place for place in self.printed if place not in placed)
        return board.with_pieces(
            Placement(self.printed[place], place.column, place.row, level=PRINTED_LEVEL)
            for place in uncovered
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
        """Return the points of a score, in total or for an owner of tokens.

        Raise `InvalidValueError` for unknown names.
        """
        if name not in self.scores:
            raise unknown("score", name, self.scores)
        return compute_score(name, self.scores, scene, owner)


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


def build_rules(kit: Kit, lattice: Lattice, specs: BoardSection) -> BoardRules:
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
            {
                parse_place(at): kit.design(name).id
                for at, name in (stated.printed if stated else {}).items()
            }
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
        spec.along,
        spec.stops,
        spec.express,
        changes,
        spec.starts,
        *barred,
        spec.dice,
        spec.again,
        spec.counts_start,
    )


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


def _list_words(specs: BoardSection) -> Iterator[WordUse]:
    """Yield every word of the rules with its key path and table."""
    yield from (
        (("matching", key), table, word) for key, table, word in _matching_words(specs.matching)
    )
    for name, score in specs.scoring.items():
        yield from (
            (("scoring", name, key), table, word) for key, table, word in _score_words(score)
        )
    for name, removal in specs.removing.items():
        yield from (
            (("removing", name, key), "word", word) for key, word in _removal_words(removal)
        )
    for name, route in specs.routing.items():
        yield from (
            (("routing", name, key), table, word) for key, table, word in _route_words(route)
        )
    for name, word in (specs.board.printed if specs.board else {}).items():
        yield ("board", "printed", name), "design", word
    for name, move in specs.moving.items():
        yield from (
            (("moving", name, key), table, word) for key, table, word in _movement_words(move)
        )


def _matching_words(spec: MatchingSpec) -> Iterator[tuple[str, str, str]]:
    """Return the words of `matching:` as (key, table, word)."""
    words_by_key = (
        ("joins", "kind of link", _flatten(spec.joins)),
        ("fits", "label", _flatten(spec.fits)),
        ("closed-at", "label", spec.closed_at),
        ("reopened-by", "label", spec.reopened_by),
        ("dead-ends", "kind of link", spec.dead_ends),
        ("cut-off", "kind of link", spec.cut_off),
        ("start", "word", spec.start),
        ("open-space", "word", spec.open_space),
        ("never-touch", "word", _flatten(spec.never_touch or ())),
        ("never-join", "word", _flatten(spec.never_join or ())),
        ("must-join", "kind of link", spec.must_join or ()),
        ("complete-needs", "kind of link", spec.complete_needs or ()),
        ("complete-needs", "word", _flatten((spec.complete_needs or {}).values())),
        ("over", "word", _flatten(spec.over)),
        ("keeps", "kind of link", spec.keeps or ()),
        ("fills", "label", spec.fills or ()),
        ("fills", "design", (spec.fills or {}).values()),
    )
    return ((key, table, word) for key, table, words in words_by_key for word in words)


def _score_words(spec: ScoreSpec) -> Iterator[tuple[str, str, str]]:
    """Return the words of one score as (key, table, word)."""
    words_by_key: tuple[tuple[str, str, Iterable[str]], ...] = (
        ("root", "word", [spec.root] if spec.root else []),
        ("of", "kind of link", spec.of),
        ("having", "word", spec.having),
        ("without", "word", spec.without),
        ("where", "count", spec.where),
        ("count", "count", spec.count),
        ("less", "count", spec.less),
        ("total", "score", spec.total),
        ("by", "design", spec.by),
    )
    return ((key, table, word) for key, table, words in words_by_key for word in words)


def _removal_words(spec: RemovalSpec) -> Iterator[tuple[str, str]]:
    """Yield the words of one removal as (key, word)."""
    yield "root", spec.root
    yield from (("never", word) for word in spec.never)


def _route_words(spec: RouteSpec) -> Iterator[tuple[str, str, str]]:
    """Yield the words of one train as (key, table, word)."""
    yield from (("along", "kind of link", word) for word in spec.along)
    yield from (("stops", "word", word) for word in spec.stops)
    yield from (("worth", "word", word) for word in ([spec.worth] if spec.worth else []))


def _movement_words(spec: MovementSpec) -> Iterator[tuple[str, str, str]]:
    """Return the words of one kind of movement as (key, table, word)."""
    words_by_key: tuple[tuple[str, str, Iterable[str]], ...] = (
        ("along", "kind of link", spec.along),
        ("stops", "word", spec.stops),
        ("express", "kind of link", spec.express),
        ("changes", "word", _flatten(spec.changes)),
        ("starts", "word", spec.starts),
        ("never-from", "word", _flatten(spec.never_from)),
        ("never-through", "word", _flatten(spec.never_through)),
        ("never-onto", "word", _flatten(spec.never_onto)),
    )
    return ((key, table, word) for key, table, words in words_by_key for word in words)


def _flatten(groups: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Return the words of all groups in order."""
    return tuple(word for group in groups for word in group)
