"""The designs of a component: its two layouts and its columns, row by row."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from generator.core.problems import Problem, Where, Wrong, unknown
from generator.pack.data import Row, Table
from generator.pack.faces import each_face
from generator.pack.fields import Names, real
from generator.pack.game import Design, FaceSpec
from generator.pack.layer import LayerAt
from generator.pack.layout import RawLayout
from generator.pack.links import NO_LINKS, Tile, parse_tile
from generator.pack.maker import Maker
from generator.pack.spec import ComponentSpec, GameSpec, SidesSpec
from generator.pack.tongues import in_language

NO_BACK, MIRROR = "none", "mirror"


@dataclass(frozen=True)
class Sides:
    """Makes the two sides of a component's designs; what is wrong goes into `problems`."""

    names: Names
    spec: ComponentSpec
    game: GameSpec
    front: RawLayout
    back: RawLayout
    values: Mapping[str, str]
    without: frozenset[str]
    language: str
    faces: int
    problems: list[Problem]

    def check_columns(self, table: Table, where: Where) -> None:
        """The columns that the component names must be in its table."""
        for key, column in self._columns():
            if table.columns and column not in table.columns:
                wrong = Wrong(f"there is no column {column!r}", f"one of: {', '.join(table.columns)}")
                self.problems.append(wrong.at(where, key))

    def _columns(self) -> Iterator[tuple[str, str]]:
        for key, sides in (("links", self.spec.links), ("marks", self.spec.marks)):
            named = f"{_column(sides, 'front') or ''} {_column(sides, 'back') or ''}"
            yield from ((key, column) for column in named.split())
        if self.spec.faces:
            yield "faces", self.spec.faces
        yield from (("numbers", column) for column in self.spec.numbers)

    def design(self, row: Row) -> Design:
        """One row, made concrete."""
        title = in_language(row.values, "title", self.language) or row.id
        front, *more = [self._side(self.front, face, "front") for face in self._rows(row)]
        return Design(
            row.id, title, row.count, row.where, front, self._behind(front, row), self._numbers(row), tuple(more)
        )

    def _rows(self, row: Row) -> list[Row]:
        """The row for each face of what has many: the front is drawn for every one of their words."""
        if not self.faces or self.spec.faces is None:
            return [row]
        try:
            return list(each_face(row, self.spec.faces, self.faces, self.language))
        except Wrong as wrong:
            self.problems.append(wrong.at(row.where, self.spec.faces))
            return [row]

    def _behind(self, front: FaceSpec, row: Row) -> FaceSpec | None:
        if self.spec.back == NO_BACK:
            return None
        if self.spec.back == MIRROR:
            return replace(front, tile=front.tile.mirrored(), mirrored=True)
        return self._side(self.back, row, "back")

    def _side(self, layout: RawLayout, row: Row, side: str) -> FaceSpec:
        columns = (_column(self.spec.marks, side) or "").split()
        marks = " ".join(row.values.get(column, "") for column in columns).replace(",", " ").split()
        tile = self._tile(row, _column(self.spec.links, side))
        return FaceSpec(self._layers(layout, row), tile, marks=frozenset(marks))

    def _layers(self, layout: RawLayout, row: Row) -> tuple[LayerAt, ...]:
        names = replace(self.names, boxes={**self.names.boxes, **layout.boxes})
        maker = Maker(names, self.values, self.without, self.language)
        return maker.layers(layout.layers, row, self.problems)

    def _numbers(self, row: Row) -> dict[str, float]:
        found = {}
        for column in self.spec.numbers:
            try:
                found[column] = real(row.values.get(column, "").strip() or "0")
            except Wrong as wrong:
                self.problems.append(wrong.at(row.where, column))
        return found

    def _tile(self, row: Row, column: str | None) -> Tile:
        if not column:
            return NO_LINKS
        try:
            tile = parse_tile(row.values.get(column, ""), self.spec.shape.ports)
            self._check(tile)
        except Wrong as wrong:
            self.problems.append(wrong.at(row.where, column))
            return NO_LINKS
        return tile

    def _check(self, tile: Tile) -> None:
        for link in tile.links:
            if link.kind not in self.game.links:
                raise unknown("link", link.kind, self.game.links)
            if link.feature is not None and link.feature not in self.game.features:
                raise unknown("feature", link.feature, self.game.features)


def _column(sides: str | SidesSpec | None, side: str) -> str | None:
    """The column that holds something of a side; a single column is the front's."""
    if isinstance(sides, SidesSpec):
        return sides.front if side == "front" else sides.back
    return sides if side == "front" else None
