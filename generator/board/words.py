"""Look up every word of a pack's board rules when the pack is loaded.

A misspelled word is reported once, with its line in `game.yaml`, instead of failing later on a single board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from generator.board.counts import COUNTS
from generator.board.kit import Kit
from generator.board.rules import BoardSpecs
from generator.board.spec import MatchingSpec, MovementSpec, RemovalSpec, RouteSpec, ScoreSpec
from generator.core.problems import Wrong, unknown

KeyPath = tuple[str, ...]
WordUse = tuple[KeyPath, str, str]
"""The key path of a word, the table that must contain it, and the word."""


def find_unknown_words(kit: Kit, specs: BoardSpecs) -> Iterator[tuple[KeyPath, Wrong]]:
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
            yield path, Wrong(f"{word!r} is a total", "scores that are not totals")


def _list_words(specs: BoardSpecs) -> Iterator[WordUse]:
    """Yield every word of the rules with its key path and table."""
    yield from ((("matching", key), table, word) for key, table, word in _matching_words(specs.matching))
    for name, score in specs.scoring.items():
        yield from ((("scoring", name, key), table, word) for key, table, word in _score_words(score))
    for name, removal in specs.removing.items():
        yield from ((("removing", name, key), "word", word) for key, word in _removal_words(removal))
    for name, route in specs.routing.items():
        yield from ((("routing", name, key), table, word) for key, table, word in _route_words(route))
    for name, word in (specs.board.printed if specs.board else {}).items():
        yield ("board", "printed", name), "design", word
    for name, move in specs.moving.items():
        yield from ((("moving", name, key), table, word) for key, table, word in _movement_words(move))


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
