"""The pieces that a board can be made of, as far as a board needs to know them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from generator.board.counts import COUNTS
from generator.board.lattice import HEX, POINTED, SQUARE, TRIANGULAR, Lattice, Place
from generator.board.placement import FaceUp
from generator.board.rules import BoardSpecs
from generator.board.spec import MatchingSpec, MovementSpec, RemovalSpec, RouteSpec, ScoreSpec
from generator.core.problems import Wrong, unknown
from generator.pack.game import Component, FaceSpec
from generator.pack.links import NO_LINKS, Tile

NO_NUMBERS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class StockFace:
    """One side of a piece: what runs across it, the words that it is marked with, and its numbers by name."""

    tile: Tile = NO_LINKS
    marks: frozenset[str] = frozenset()
    numbers: Mapping[str, float] = field(default_factory=lambda: NO_NUMBERS)

    def labels(self) -> frozenset[str]:
        """What its sides are labelled with."""
        return frozenset(border.label for border in self.tile.borders)

    def words(self) -> frozenset[str]:
        """Everything that a rule can call this side by, but its labels, which belong to single sides."""
        return self.marks | self.features() | self.kinds()

    def kinds(self) -> frozenset[str]:
        """The kinds of its links and of its areas."""
        return frozenset(link.kind for link in self.tile.links) | frozenset(area.kind for area in self.tile.areas)

    def features(self) -> frozenset[str]:
        """What stands on its links and in its areas."""
        return frozenset(name for name, _ in self.tile.carried if name)


@dataclass(frozen=True)
class Stock:
    """A design: how many there are, and its sides. A token rests on a tile and hides nothing of it.

    `covers` are the places that it lies on, from A1 on and row by row, where they are more than one.
    """

    id: str
    front: StockFace
    back: StockFace | None = None
    count: int = 1
    token: bool = False
    covers: tuple[Place, ...] = ()

    def face(self, side: FaceUp) -> StockFace:
        """The side that is up."""
        if side is FaceUp.FRONT:
            return self.front
        if self.back is None:
            raise Wrong(f"{self.id!r} has no back", "a design with two sides, or no ~ before its name")
        return self.back

    def faces(self) -> Iterator[StockFace]:
        """Its one or two sides."""
        yield self.front
        if self.back is not None:
            yield self.back


@dataclass(frozen=True)
class Kit:
    """All designs by name. A name that two components use is only known as `component:name`."""

    designs: Mapping[str, Stock]
    twice: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def design(self, name: str) -> Stock:
        """The design of that name."""
        if name in self.twice:
            raise Wrong(f"{name!r} is the name of {len(self.twice[name])} designs", f"{' or '.join(self.twice[name])}")
        if name not in self.designs:
            raise unknown("design", name, self.designs)
        return self.designs[name]

    def with_aliases(self, aliases: Mapping[str, str]) -> Kit:
        """The same kit with other names for some designs, such as the short ones of a figure."""
        return replace(self, designs={**self.designs, **{name: self.design(of) for name, of in aliases.items()}})

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of links and of areas."""
        return frozenset(kind for face in self._faces() for kind in face.kinds())

    @cached_property
    def features(self) -> frozenset[str]:
        """What stands on links and in areas."""
        return frozenset(name for face in self._faces() for name in face.features())

    @cached_property
    def labels(self) -> frozenset[str]:
        """The labels of sides."""
        return frozenset(label for face in self._faces() for label in face.labels())

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The names of numbers."""
        return frozenset(name for face in self._faces() for name in face.numbers)

    @cached_property
    def words(self) -> frozenset[str]:
        """What a rule can call tiles by: kinds of links, features, marks, numbers, and the designs' own names."""
        words = {word for face in self._faces() for word in face.words()}
        return frozenset(self.designs) | self.numbers | words

    def _faces(self) -> Iterator[StockFace]:
        return (face for stock in self.designs.values() for face in stock.faces())


def kit_of(components: Iterable[Component]) -> Kit:
    """The kit of a game.

    Where the pack does not say what lies as a token on tiles, a component without a single link, area or label does,
    unless it is cut to the size of those that have some; where nothing has any, all are tiles.
    """
    parts = tuple(components)
    tiled = tiles_of(parts)
    named: dict[str, list[Stock]] = {}
    for part in parts:
        for stock in _stocks(part, token=part not in tiled):
            named.setdefault(stock.id.partition(":")[2], []).append(stock)
    designs: dict[str, Stock] = {}
    for name, stocks in named.items():
        designs |= {stock.id: stock for stock in stocks} if len(stocks) > 1 else {name: replace(stocks[0], id=name)}
    twice = {name: tuple(stock.id for stock in stocks) for name, stocks in named.items() if len(stocks) > 1}
    return Kit(designs, MappingProxyType(twice))


def tiles_of(components: Iterable[Component]) -> tuple[Component, ...]:
    """The components that lie on a board as tiles."""
    parts = tuple(components)
    sizes = {part.outline for part in parts if _has_links(part)}
    guessed = {part.id for part in parts if not sizes or part.outline in sizes or part.covers}
    return tuple(part for part in parts if part.lies == "tile" or (part.lies is None and part.id in guessed))


def lattice_for(components: Iterable[Component]) -> Lattice:
    """How tiles lie where the pack does not say: as their shapes fit together, or as squares."""
    kinds = {part.outline.kind for part in tiles_of(components) if part.make == "piece" and not part.covers}
    return BY_SHAPE.get(kinds.pop(), SQUARE) if len(kinds) == 1 else SQUARE


BY_SHAPE: Mapping[str, Lattice] = MappingProxyType({"hex": HEX, "hex pointed": POINTED, "triangle": TRIANGULAR})
"""How tiles lie by the shape that they have."""


def _has_links(component: Component) -> bool:
    faces = (face for design in component.designs for face in (design.front, design.back) if face)
    return any(face.tile != NO_LINKS for face in faces)


def _stocks(component: Component, *, token: bool) -> Iterator[Stock]:
    for design in component.designs:
        back = _face(design.back, design.numbers) if design.back else None
        front = _face(design.front, design.numbers)
        covers = tuple(Place(*cell) for cell in component.covers)
        yield Stock(f"{component.id}:{design.id}", front, back, design.count, token, covers)


def _face(spec: FaceSpec, numbers: Mapping[str, float]) -> StockFace:
    return StockFace(spec.tile, spec.marks, numbers)


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
