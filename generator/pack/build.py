"""Components: their tables and their layouts become designs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from generator.errors import Problem, Where, Wrong, unknown
from generator.pack.data import Row, Table, read_table
from generator.pack.fields import Names, boxes
from generator.pack.game import Component, Design, FaceSpec
from generator.pack.layer import LayerAt, LayerKinds
from generator.pack.layout import LayoutReader, RawLayout
from generator.pack.links import NO_LINKS, Tile, parse_tile
from generator.pack.maker import Maker
from generator.pack.source import Node
from generator.pack.spec import ComponentSpec, GameSpec, SidesSpec

NO_BACK, MIRROR = "none", "mirror"


@dataclass(frozen=True)
class Builder:
    """Builds the components of one game; what is wrong goes into `problems`."""

    names: Names
    kinds: LayerKinds
    values: Mapping[str, str]
    without: frozenset[str]
    language: str
    root: Node
    problems: list[Problem]

    def components(self, spec: GameSpec) -> tuple[Component, ...]:
        """All components, in the order of `game.yaml`."""
        return tuple(self._component(name, part, spec) for name, part in spec.components.items())

    def _component(self, name: str, spec: ComponentSpec, game: GameSpec) -> Component:
        self._check_lengths(name, spec)
        node = self.root.find("components", name) or self.root
        table = read_table(self.names.folder, node.find("data") or node, self.problems)
        names = replace(self.names, boxes=boxes(spec.shape.size, spec.bleed, spec.safe))
        sides = _Sides(replace(self, names=names), name, spec, game, table)
        return Component(
            id=name,
            title=spec.title,
            shape=spec.shape,
            bleed=spec.bleed,
            safe=spec.safe,
            designs=tuple(sides.design(row) for row in table.rows),
            gutter=spec.gutter,
            grid=spec.grid,
            radius=spec.radius,
        )

    def _check_lengths(self, name: str, spec: ComponentSpec) -> None:
        for key, most in (("bleed", 10.0), ("safe", min(spec.shape.size) / 2), ("gutter", 50.0), ("radius", min(spec.shape.size) / 2)):
            value = getattr(spec, key)
            if value is not None and not 0 <= value <= most:
                where = self.root.place(("components", name, key))
                self.problems.append(Problem(where, f"{key}: {value:g} mm cannot be", f"0 mm to {most:g} mm"))

    def layout(self, name: str, component: str, key: str) -> RawLayout:
        """The layers of a layout file, and the boxes that it names."""
        asker = self.root.find("components", component, key) or self.root
        return LayoutReader(self.names.folder, self.kinds, self.problems).read(name, asker, key)

    def place(self, component: str, key: str) -> Where:
        """Where a component's key stands in `game.yaml`."""
        return self.root.place(("components", component, key))


class _Sides:
    """Makes the two sides of a component's designs from its layouts."""

    def __init__(self, builder: Builder, name: str, spec: ComponentSpec, game: GameSpec, table: Table) -> None:
        self._builder = builder
        self._spec = spec
        self._kinds = game
        self._where = builder.place(name, "links")
        self._front = builder.layout(spec.front, name, "front")
        drawn = spec.back not in {NO_BACK, MIRROR}
        self._back = builder.layout(spec.back, name, "back") if drawn else RawLayout()
        links = spec.links if isinstance(spec.links, SidesSpec) else SidesSpec(front=spec.links) if spec.links else None
        self._columns = links
        for column in (links.front, links.back) if links else ():
            if column is not None and table.columns and column not in table.columns:
                wrong = Wrong(f"there is no column {column!r}", f"one of: {', '.join(table.columns)}")
                builder.problems.append(wrong.at(self._where, "links"))

    def design(self, row: Row) -> Design:
        """One row, made concrete."""
        front = FaceSpec(
            self._layers(self._front, row),
            self._tile(row, self._columns.front if self._columns else None),
        )
        return Design(
            row.id, row.values.get("title", "") or row.id, row.count, row.where, front, self._other(front, row)
        )

    def _layers(self, layout: RawLayout, row: Row) -> tuple[LayerAt, ...]:
        builder = self._builder
        names = replace(builder.names, boxes={**builder.names.boxes, **layout.boxes})
        maker = Maker(names, builder.values, builder.without, builder.language)
        return maker.layers(layout.layers, row, builder.problems)

    def _other(self, front: FaceSpec, row: Row) -> FaceSpec | None:
        if self._spec.back == NO_BACK:
            return None
        if self._spec.back == MIRROR:
            return FaceSpec(front.layers, front.tile.mirrored(), mirrored=True)
        tile = self._tile(row, self._columns.back if self._columns else None)
        return FaceSpec(self._layers(self._back, row), tile)

    def _tile(self, row: Row, column: str | None) -> Tile:
        if not column:
            return NO_LINKS
        try:
            tile = parse_tile(row.values.get(column, ""), self._spec.shape.ports)
            self._check(tile)
        except Wrong as wrong:
            self._builder.problems.append(wrong.at(row.where, column))
            return NO_LINKS
        return tile

    def _check(self, tile: Tile) -> None:
        for link in tile.links:
            if link.kind not in self._kinds.links:
                raise unknown("link", link.kind, self._kinds.links)
            if link.feature is not None and link.feature not in self._kinds.features:
                raise unknown("feature", link.feature, self._kinds.features)
