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
from generator.board.lattice import SQUARE, Lattice, Place, find_lattice, parse_place
from generator.board.matching_rules import MatchingRule, MatchingVerdict, OnBoard, Over, make_rules
from generator.board.moving import KindChange, Movement, Removal, Train
from generator.board.scoring import Score, compute_score
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
        find_lattice(stated.tiling) if stated else lattice,
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
    places = spec.places
    blocked = {place for place, sign in places.items() if sign == BLOCKED_SIGN} | {
        parse_place(text) for text in spec.blocked
    }
    if places or blocked:
        yield OnBoard(frozenset(places) if places else None, frozenset(blocked))


def make_train(spec: RouteSpec) -> Train:
    """Build a train from an entry of `routing:`."""
    return Train(
        along=spec.along,
        stops=spec.stops,
        max_stops=spec.most,
        min_stops=spec.least,
        worth=spec.worth,
    )


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
        each=spec.each,
        root=spec.root,
        closed=spec.closed,
        where=MappingProxyType(spec.where),
        filter=Filter(spec.of, spec.having, spec.without, spec.forms),
        count=MappingProxyType(spec.count),
        worth=spec.worth,
        base=spec.base,
        beyond=spec.beyond,
        less=MappingProxyType(spec.less),
        take=spec.take,
        parts=spec.total,
        needs=MappingProxyType(spec.needs or {}),
        majority=spec.majority or "",
        by=spec.by,
    )


def make_removal(spec: RemovalSpec) -> Removal:
    """Build a removal from an entry of `removing:`."""
    return Removal(spec.root, spec.never, spec.neighbours)


def make_movement(spec: MovementSpec) -> Movement:
    """Build a movement from an entry of `moving:`."""
    return Movement(
        along=spec.along,
        stops=spec.stops,
        express=spec.express,
        changes=tuple(KindChange(*change) for change in spec.changes),
        starts=spec.starts,
        never_from=spec.never_from,
        never_through=spec.never_through,
        never_onto=spec.never_onto,
        dice=spec.dice,
        can_reenter=spec.again,
        counts_start=spec.counts_start,
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
