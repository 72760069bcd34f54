"""Build components: apply each component's layouts to every row of its table.

The loader calls `Builder.components`; the resulting `Component` values are frozen and complete.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from generator.base.errors import InvalidValueError, Reporter, Where, unknown
from generator.base.geometry import EPSILON
from generator.base.outline import Outline
from generator.base.values import shared_fields
from generator.pack.computed_columns import with_computed
from generator.pack.expression_functions import as_text
from generator.pack.fields import Names, boxes, parse_real
from generator.pack.game import Component, Design, FaceSpec, LayerKinds
from generator.pack.game_spec import ComponentSpec, GameSpec, SidesSpec
from generator.pack.layout import LayoutReader, RawLayout
from generator.pack.row_filler import DesignCache, RowFiller, parse_order
from generator.pack.scope import Scope
from generator.pack.sizes import ManyFaces, check_radius
from generator.pack.tables import NO_TABLE, DataRow, DataTable, read_table, with_formats
from generator.pack.tile import EMPTY_TILE, Tile, parse_tile
from generator.pack.yaml_nodes import Node, in_language

NO_BACK = "none"
MIRROR = "mirror"
FACE = "face"
"""The name under which a layout reads the word of the current face."""


def face_rows(row: DataRow, column: str, count: int, language: str) -> Iterator[DataRow]:
    """Yield the row once per face, with that face's word from `column` under the name `FACE`.

    Raises `InvalidValueError` if the column does not hold `count` words.
    """
    text = as_text(Scope(row.values, {}, language).value(column))
    words = (
        [word.strip() for word in text.split("|")]
        if "|" in text
        else text.replace(",", " ").split()
    )
    if len(words) != count:
        example = " ".join(str(n) for n in range(1, count + 1))
        raise InvalidValueError(
            f"{text!r} names {len(words)} faces",
            f"{count}, such as '{example}', or with | between them",
        )
    for word in words:
        yield replace(row, values={**row.values, FACE: word})


# A larger number is taken for a mistake.
MAX_PANELS_PER_SIDE = 8

CARD_THICKNESS_MM = 0.32
"""The thickness of a card without `stock`: between the stocks of 250 and 300 g/m² in `decks.toml`."""
MIN_BOX_DEPTH_MM = 1.0
"""The least depth of a box, for contents that are thinner."""


def check_faces(spec: ComponentSpec) -> Iterator[tuple[str, InvalidValueError]]:
    """Yield the faults of a component's faces, each with the key that it is about."""
    many_faces = spec.make.faces
    if spec.covers and spec.lies == "token":
        yield (
            "covers",
            InvalidValueError(
                "a token that covers places of its own", "no `covers`, or `lies: tile`"
            ),
        )
    if spec.folds is not None and (
        spec.make.name != "board" or not 1 < max(spec.folds) <= MAX_PANELS_PER_SIDE
    ):
        most = f"a board of at most {MAX_PANELS_PER_SIDE} panels each way"
        yield (
            "folds",
            InvalidValueError(
                f"a {spec.make} of {spec.folds[0]} x {spec.folds[1]} panels",
                f"{most}, such as 2 x 2",
            ),
        )
    if many_faces is None:
        if spec.depth is not None or spec.holds is not None:
            yield (
                "make",
                InvalidValueError(
                    f"a {spec.make} has no depth", "make: tuckbox, or no `depth` and `holds`"
                ),
            )
        if spec.faces is not None:
            yield (
                "faces",
                InvalidValueError(
                    f"a {spec.make} has a front and a back", "no `faces`, or something else to make"
                ),
            )
        return
    if spec.faces is None:
        yield (
            "make",
            InvalidValueError(
                f"no column names the {many_faces.count} faces of a {spec.make}",
                "`faces: ` and the name of a column",
            ),
        )
    if spec.back != NO_BACK:
        yield "back", InvalidValueError(f"a {spec.make} has no back", "none")
    yield from _check_shape(spec, many_faces)


def _check_shape(
    spec: ComponentSpec, many_faces: ManyFaces
) -> Iterator[tuple[str, InvalidValueError]]:
    """Yield the faults of a many-faced component's size and depth, each with its key."""
    w, h = spec.size.size
    box = spec.size.is_rectangle
    if many_faces.sizes is not None:
        if not box:
            yield (
                "size",
                InvalidValueError(
                    f"a {spec.make} holds only rectangular content",
                    "a width and a height, such as poker",
                ),
            )
        if (spec.depth is None) == (spec.holds is None):
            yield (
                "make",
                InvalidValueError(
                    f"a {spec.make} needs a depth",
                    "`depth: 18mm`, or `holds: ` and a component's name",
                ),
            )
    elif many_faces.shape == "rect" and (not box or abs(w - h) > EPSILON):
        yield (
            "size",
            InvalidValueError(
                f"the faces of a {spec.make} are squares", "one length, such as 16mm"
            ),
        )
    elif many_faces.shape not in {"rect", spec.size.kind}:
        yield (
            "size",
            InvalidValueError(
                f"the faces of a {spec.make} are {many_faces.shape}s",
                f"such as {many_faces.shape} 20mm",
            ),
        )


@dataclass(frozen=True)
class DesignMaker:
    """A component's inputs, from which designs are made row by row."""

    names: Names
    spec: ComponentSpec
    game: GameSpec
    front: RawLayout
    back: RawLayout
    scope: Scope
    without: frozenset[str]
    report: Reporter
    panels: tuple[Outline, ...] = ()
    repeated: Iterator[int] = field(default_factory=lambda: count(1))
    """Counts the repetitions of groups on all designs."""

    def check_columns(self, table: DataTable, where: Where) -> None:
        """Report columns that the component names and its table lacks."""
        for key, column in self._named_columns():
            if table.columns and column not in table.columns:
                self.report.add_problem(
                    where,
                    f"{key}: there is no column {column!r}",
                    f"one of: {', '.join(table.columns)}",
                )

    def _named_columns(self) -> Iterator[tuple[str, str]]:
        for key, sides in (("links", self.spec.links), ("marks", self.spec.marks)):
            named = f"{_column_for(sides, 'front') or ''} {_column_for(sides, 'back') or ''}"
            yield from ((key, column) for column in named.split())
        if self.spec.faces:
            yield "faces", self.spec.faces
        yield from (("numbers", column) for column in self.spec.numbers)

    def designs(self, table: DataTable, cache: DesignCache) -> tuple[Design, ...]:
        """Make the designs of all rows; reuse those whose row and surroundings are unchanged."""
        return cache.designs_for(
            table, (self.scope.lookups, table.kinds, self.panels), self.design, self.report
        )

    def design(self, row: DataRow) -> Design:
        """Make the design of one row: its faces, back and numbers."""
        title = in_language(row.values, "title", self.scope.language) or row.id
        front, *more = [
            self._make_panel(index, face) for index, face in enumerate(self._face_rows(row))
        ]
        behind = self._make_back(front, row)
        numbers = self._read_numbers(row)
        return Design(
            row.id, title, row.count, row.where, front, behind, numbers, tuple(more), row.values
        )

    def _make_panel(self, index: int, row: DataRow) -> FaceSpec:
        """Make a face; each face of a box gets boxes (trim, safe, bleed) of its own size."""
        if not self.panels:
            return self._make_side(self.front, row, "front", str(index))
        panel_boxes = boxes(self.panels[index].size, self.spec.bleed, self.spec.safe)
        front = replace(self.front, boxes={**panel_boxes, **self.front.boxes})
        return self._make_side(front, row, "front", str(index))

    def _face_rows(self, row: DataRow) -> list[DataRow]:
        """Return the row once per face; if the faces cannot be read, once with an empty word."""
        faces = self.spec.make.faces
        column = self.spec.faces
        if faces is None or column is None:
            return [row]
        if column not in row.failed:
            with self.report.at(row.where, column):
                return list(face_rows(row, column, faces.count, self.scope.language))
        return [replace(row, values={**row.values, FACE: ""})]

    def _make_back(self, front: FaceSpec, row: DataRow) -> FaceSpec | None:
        if self.spec.back == NO_BACK:
            return None
        if self.spec.back == MIRROR:
            return replace(front, tile=front.tile.mirrored(), mirrored=True)
        return self._make_side(self.back, row, "back")

    def _make_side(self, layout: RawLayout, row: DataRow, side: str, panel: str = "") -> FaceSpec:
        columns = (_column_for(self.spec.marks, side) or "").split()
        marks = " ".join(row.values.get(column, "") for column in columns).replace(",", " ").split()
        tile = self._parse_tile(row, _column_for(self.spec.links, side))
        names = replace(self.names, boxes={**self.names.boxes, **layout.boxes})
        scope = self.scope.for_row(row.values, row.computed).at(row.id, side + panel)
        filler = RowFiller(names, scope, row, self.without, self.report, self.repeated)
        layers = tuple(filler.fill_layers(layout.layers))
        return FaceSpec(layers, tile, marks=frozenset(marks))

    def _read_numbers(self, row: DataRow) -> dict[str, float]:
        numbers = {}
        for column in self.spec.numbers:
            with self.report.at(row.where, column):
                numbers[column] = parse_real(row.values.get(column, "").strip() or "0")
        return numbers

    def _parse_tile(self, row: DataRow, column: str | None) -> Tile:
        if not column:
            return EMPTY_TILE
        with self.report.at(row.where, column):
            tile = parse_tile(row.values.get(column, ""), self.spec.size.names)
            self._check_tile(tile)
            return tile
        return EMPTY_TILE

    def _check_tile(self, tile: Tile) -> None:
        for link in tile.links:
            if link.kind not in self.game.links:
                raise unknown("link", link.kind, self.game.links)
        for area in tile.areas:
            if area.kind not in self.game.areas:
                raise unknown("area", area.kind, self.game.areas)
        for feature, _ in tile.carried:
            if feature is not None and feature not in self.game.features:
                raise unknown("feature", feature, self.game.features)


def _column_for(sides: str | SidesSpec | None, side: str) -> str | None:
    """Return the column for a side; a single column belongs to the front."""
    if isinstance(sides, SidesSpec):
        return sides.front if side == "front" else sides.back
    return sides if side == "front" else None


@dataclass(frozen=True)
class Builder:
    """The inputs from which one game's components are built."""

    names: Names
    kinds: LayerKinds
    scope: Scope
    without: frozenset[str]
    root: Node
    report: Reporter
    design_caches: dict[str, DesignCache] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)

    def components(self, spec: GameSpec) -> tuple[Component, ...]:
        """Build all components, in the order of `game.yaml`."""
        built = {
            name: self._build_component(name, part, spec)
            for name, part in spec.components.items()
            if not part.holds
        }
        for name, part in spec.components.items():
            if part.holds:
                built[name] = self._build_component(
                    name, part, spec, self._held_thickness(name, part, built)
                )
        return tuple(built[name] for name in spec.components)

    def _held_thickness(
        self, name: str, spec: ComponentSpec, others: Mapping[str, Component]
    ) -> float:
        """Return the thickness in mm of the stack of pieces that a box holds.

        Reports an unknown component, and pieces that are larger than the box.
        """
        contents = others.get(spec.holds or "")
        if contents is None:
            self.report.add(
                unknown("component", spec.holds or "", others).at(
                    self.place(name, "holds"), "holds"
                )
            )
            return MIN_BOX_DEPTH_MM
        if (
            contents.outline.size.w > spec.size.size.w + EPSILON
            or contents.outline.size.h > spec.size.size.h + EPSILON
        ):
            found = f"{contents.title} are {contents.outline}, and this holds {spec.size}"
            self.report.add_problem(self.place(name, "size"), found, "the size of its contents")
        return max(contents.count * (spec.stock or CARD_THICKNESS_MM), MIN_BOX_DEPTH_MM)

    def _build_component(
        self, name: str, spec: ComponentSpec, game: GameSpec, thick: float = 0.0
    ) -> Component:
        self._check_lengths(name, spec)
        for key, wrong in check_faces(spec):
            self.report.add(wrong.at(self.place(name, key), key))
        node = self.root.find("components", name) or self.root
        data = node.find("data")
        table = (
            read_table(self.names.folder, data, self.report)
            if data and not isinstance(data.value, dict)
            else NO_TABLE
        )
        if spec.formatted and data:
            place = self.place(name, "formatted")
            table = with_formats(self.names.folder, data, table, spec.formatted, place, self.report)
        if columns := node.find("columns"):
            table = with_computed(table, columns, self.scope.at(name), self.report)
        names = replace(self.names, boxes=boxes(spec.size.size, spec.bleed, spec.safe))
        faces = spec.make.faces
        depth = spec.depth or thick
        panels: tuple[Outline, ...] = ()
        with self.report.at(self.place(name, "depth"), "depth"):
            panels = faces.sizes(spec.size.size, depth) if faces and faces.sizes else ()
        has_back_layout = spec.back not in {NO_BACK, MIRROR}
        maker = DesignMaker(
            names=names,
            spec=spec,
            game=game,
            front=self.layout(spec.front, name, "front"),
            back=self.layout(spec.back, name, "back") if has_back_layout else RawLayout(),
            scope=replace(self.scope.at(name), kinds=table.kinds, checked=set()),
            without=self.without,
            report=self.report,
            panels=panels,
        )
        maker.check_columns(table, self.place(name, "data"))
        designs = maker.designs(table, self.design_caches.setdefault(name, DesignCache()))
        order = parse_order(spec.order, designs, spec, self.place(name, "order"), self.report)
        built_fields = {
            "id": name,
            "designs": designs,
            "depth": depth,
            "panels": panels,
            "order": order,
        }
        return Component(**{**shared_fields(spec, Component), **built_fields})

    def _check_lengths(self, name: str, spec: ComponentSpec) -> None:
        for key, most in (
            ("bleed", 10.0),
            ("safe", min(spec.size.size) / 2),
            ("gutter", 50.0),
            ("bridge", min(10.0, min(spec.size.size) / 2)),
        ):
            value = getattr(spec, key)
            if value is not None and not 0 <= value <= most:
                self.report.add_problem(
                    self.place(name, key),
                    f"{key}: this cannot be {value:g} mm",
                    f"0 mm to {most:g} mm",
                )
        with self.report.at(self.place(name, "radius"), "radius"):
            check_radius(spec.size, spec.radius)

    def layout(self, name: str, component: str, key: str) -> RawLayout:
        """Read the layout named under `key`; an empty layout if the key holds no name."""
        asker = self.root.find("components", component, key)
        if asker is None or not isinstance(asker.value, str):
            return RawLayout()  # validation has reported that no name stands there
        reader = LayoutReader(
            self.names.folder, self.kinds, self.scope.language, self.report, self.tags
        )
        return reader.read(name, asker, key)

    def place(self, component: str, key: str) -> Where:
        """Return the place of a component's key in `game.yaml`."""
        return self.root.place(("components", component, key))
