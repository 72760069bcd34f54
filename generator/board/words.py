"""The words in a pack's rules, each looked up in the pack: a slip is found when the pack is read, not on some board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from generator.board.counts import COUNTS
from generator.board.kit import Kit
from generator.board.rules import BoardSpecs
from generator.board.spec import MatchingSpec, MovementSpec, RemovalSpec, RouteSpec, ScoreSpec
from generator.core.problems import Wrong, unknown

KeyPath = tuple[str, ...]
Found = tuple[KeyPath, str, str]
"""Where a word stands, the table that it must be in, and the word."""


def unknown_words(kit: Kit, specs: BoardSpecs) -> Iterator[tuple[KeyPath, Wrong]]:
    """Every word that the pack does not know, with the keys under which it stands in `game.yaml`."""
    tables: Mapping[str, Iterable[str]] = {
        "kind of link": kit.kinds,
        "label": kit.labels,
        "design": kit.designs,
        "word": kit.words,
        "count": {*COUNTS, *kit.words},
        "score": specs.scoring,
    }
    for path, table, word in _all(specs):
        if word not in tables[table]:
            yield path, unknown(table, word, tables[table])
        elif table == "score" and specs.scoring[word].total:
            yield path, Wrong(f"{word!r} is a total itself", "scores that are no totals")


def _all(specs: BoardSpecs) -> Iterator[Found]:
    yield from ((("matching", key), table, word) for key, table, word in _matching(specs.matching))
    for name, score in specs.scoring.items():
        yield from ((("scoring", name, key), table, word) for key, table, word in _score(score))
    for name, removal in specs.removing.items():
        yield from ((("removing", name, key), "word", word) for key, word in _removal(removal))
    for name, route in specs.routing.items():
        yield from ((("routing", name, key), table, word) for key, table, word in _route(route))
    for name, word in (specs.board.printed if specs.board else {}).items():
        yield ("board", "printed", name), "design", word
    for name, move in specs.moving.items():
        yield from ((("moving", name, key), table, word) for key, table, word in _move(move))


def _matching(spec: MatchingSpec) -> Iterator[tuple[str, str, str]]:
    lists = (
        ("joins", "kind of link", _flat(spec.joins)),
        ("fits", "label", _flat(spec.fits)),
        ("closed-at", "label", spec.closed_at),
        ("reopened-by", "label", spec.reopened_by),
        ("dead-ends", "kind of link", spec.dead_ends),
        ("cut-off", "kind of link", spec.cut_off),
        ("start", "word", spec.start),
        ("open-space", "word", spec.open_space),
        ("never-touch", "word", _flat(spec.never_touch or ())),
        ("never-join", "word", _flat(spec.never_join or ())),
        ("must-join", "kind of link", spec.must_join or ()),
        ("complete-needs", "kind of link", spec.complete_needs or ()),
        ("complete-needs", "word", _flat((spec.complete_needs or {}).values())),
        ("over", "word", _flat(spec.over)),
        ("keeps", "kind of link", spec.keeps or ()),
        ("fills", "label", spec.fills or ()),
        ("fills", "design", (spec.fills or {}).values()),
    )
    return ((key, table, word) for key, table, words in lists for word in words)


def _score(spec: ScoreSpec) -> Iterator[tuple[str, str, str]]:
    lists: tuple[tuple[str, str, Iterable[str]], ...] = (
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
    return ((key, table, word) for key, table, words in lists for word in words)


def _removal(spec: RemovalSpec) -> Iterator[tuple[str, str]]:
    yield "root", spec.root
    yield from (("never", word) for word in spec.never)


def _route(spec: RouteSpec) -> Iterator[tuple[str, str, str]]:
    yield from (("along", "kind of link", word) for word in spec.along)
    yield from (("stops", "word", word) for word in spec.stops)
    yield from (("worth", "word", word) for word in ([spec.worth] if spec.worth else []))


def _move(spec: MovementSpec) -> Iterator[tuple[str, str, str]]:
    lists: tuple[tuple[str, str, Iterable[str]], ...] = (
        ("along", "kind of link", spec.along),
        ("stops", "word", spec.stops),
        ("express", "kind of link", spec.express),
        ("changes", "word", _flat(spec.changes)),
        ("starts", "word", spec.starts),
        ("never-from", "word", _flat(spec.never_from)),
        ("never-through", "word", _flat(spec.never_through)),
        ("never-onto", "word", _flat(spec.never_onto)),
    )
    return ((key, table, word) for key, table, words in lists for word in words)


def _flat(groups: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(word for group in groups for word in group)
