"""Fill layers with the values of a row: resolve names, check fields, evaluate conditions.

`layout.py` reads the layers as written (`RawLayer`, `RawGroup`); a `RowFiller` turns them into
`LayerAt` values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from generator.base.errors import InvalidValueError, PnpError, Problem, Reporter, Where, unknown
from generator.base.geometry import IDENTITY, Affine, Point
from generator.base.units import number
from generator.pack import fields
from generator.pack.expression_functions import Value, ValueKind
from generator.pack.expressions import InvalidCellError
from generator.pack.fields import Names
from generator.pack.game import Design, Layer, LayerAt, OrderedPiece, Spec
from generator.pack.layout import (
    EACH,
    GIVEN,
    WHEN,
    Raw,
    RawGroup,
    RawLayer,
    SpreadSpec,
    items_of,
    with_numbers,
)
from generator.pack.scope import Scope, names_in
from generator.pack.tables import DataRow, DataTable
from generator.pack.validation import Path, is_unknown_key, problems_of
from generator.pack.yaml_nodes import Node, Plain

if TYPE_CHECKING:
    from generator.pack.game_spec import ComponentSpec

# Nested `each:` groups multiply, so these limits stop a small file from filling memory. No honest
# pack comes near.
MAX_GROUPS_PER_SIDE = 20_000
"""Largest number of repetitions of all groups on one side, nested groups included."""

MAX_GROUPS_PER_COMPONENT = 200_000
"""Largest number of repetitions of all groups on all designs of a component."""


@dataclass
class DesignCache:
    """Cached designs of one component, by the cells of their row.

    They are valid while everything else that a design depends on is unchanged; `dependencies` is the part
    of it from tables.
    """

    designs: dict[tuple[tuple[str, str], ...], Design] = field(default_factory=dict)
    dependencies: object = None

    def designs_for(
        self,
        table: DataTable,
        dependencies: object,
        make: Callable[[DataRow], Design],
        report: Reporter,
    ) -> tuple[Design, ...]:
        """Return the designs of all rows; designs with problems are not cached."""
        cached = self.designs if dependencies == self.dependencies else {}
        self.designs = {}
        self.dependencies = dependencies
        designs_of_rows = []
        for row in table.rows:
            key = tuple(row.values.items())
            before = len(report.problems)
            design = cached.get(key) or make(row)
            if len(report.problems) == before and not row.failed:
                self.designs[key] = design
            designs_of_rows.append(
                design if design.where == row.where else replace(design, where=row.where)
            )
        return tuple(designs_of_rows)


# The signs of boards. `bend>` lies a quarter to the right, `bend/180` upside down.
_TURNS = {"": 0, "^": 0, ">": 90, "/90": 90, "/180": 180, "<": 270, "/270": 270}
_ORDERED = re.compile(r"(?P<design>.*?)(?P<turn>[\^<>]|/90|/180|/270)?")


def parse_order(
    texts: Sequence[str],
    designs: Sequence[Design],
    spec: ComponentSpec,
    where: Where,
    report: Reporter,
) -> tuple[OrderedPiece, ...]:
    """Return the pieces of `order:`.

    Report an order that does not name every design as often as it is printed, and a turned piece
    whose cut line would change.
    """
    if not texts:
        return ()
    matches = [_ORDERED.fullmatch(text.strip()) for text in texts]
    order = tuple(
        OrderedPiece(match["design"], _TURNS[match["turn"] or ""]) for match in matches if match
    )
    with report.at(where, "order"):
        _check_counts([piece.design for piece in order], designs)
        for piece in order:
            _check_turn(piece, spec)
    return order


def _check_turn(piece: OrderedPiece, spec: ComponentSpec) -> None:
    """Raise `InvalidValueError` if the turned piece would not fill its own cut line."""
    if not piece.turn:
        return
    width, height = spec.size.size
    if spec.make.name != "piece" or not spec.size.is_box:
        raise InvalidValueError(
            f"{piece.design!r} is turned", "turns only of rectangles that are cut out and no more"
        )
    if piece.turn != 180 and width != height:
        raise InvalidValueError(
            f"{piece.design!r} is turned by {piece.turn} degrees",
            f"/180, since the piece is not square: {number(width)} x {number(height)} mm",
        )


def _check_counts(order: Sequence[str], designs: Sequence[Design]) -> None:
    counts = {design.id: design.count for design in designs}
    for name, times in Counter(order).items():
        if name not in counts:
            raise unknown("design", name, counts)
        if times != counts[name]:
            times_text = "once" if times == 1 else f"{times} times"
            raise InvalidValueError(
                f"{name!r} is listed {times_text}", f"as often as it is printed: {counts[name]}"
            )
    if lacking := [name for name, count in counts.items() if count and name not in order]:
        raise InvalidValueError(
            f"{lacking[0]!r} is not named", "every design, as often as it is printed"
        )


Model = TypeVar("Model", bound=BaseModel)


class GroupMoveSpec(Spec):
    """The keys that move a group: `at` is the new place of its origin, `turn` a rotation about it."""

    at: fields.Place = Point(0, 0)
    turn: fields.Real = 0.0


@dataclass(frozen=True)
class RowFiller:
    """Fills the layers of one side of one design; `scope` is that of the design's row."""

    names: Names
    scope: Scope
    row: DataRow
    without: frozenset[str]
    report: Reporter
    repeated_on_all: Iterator[int]
    """Counts the repetitions of groups on all designs of the component, from 1."""
    repeated: Iterator[int] = field(default_factory=lambda: count(1))
    """Counts the repetitions of groups on this side, nested groups included."""

    def fill_layers(self, raw: tuple[Raw, ...], transform: Affine = IDENTITY) -> Iterator[LayerAt]:
        """Yield the filled layers; `transform` is that of the groups around them."""
        for index, item in enumerate(raw):
            if item.tag in self.without:
                continue
            filler = self.at_place(index)
            if isinstance(item, RawGroup) and item.each:
                yield from filler.repeat_group(item, transform)
            elif not filler.is_wanted(item):
                continue
            elif isinstance(item, RawGroup):
                yield from filler.enter_group(item).fill_layers(
                    item.layers, transform @ filler.transform_of_group(item)
                )
            elif (layer := filler.fill_layer(item)) is not None:
                yield LayerAt(layer, item.place, transform)

    def at_place(self, index: int) -> RowFiller:
        """Return the state for one of several layers or repetitions, which has random numbers of its own."""
        return replace(self, scope=self.scope.at(str(index)))

    def enter_group(self, group: RawGroup) -> RowFiller:
        """Return the state for a group's layers, with the boxes and names that the group adds."""
        filler = self
        if group.given:
            with self.report.at(group.node.where, GIVEN), self._at(group.node.where):
                definitions = {name: self.scope.fill(text) for name, text in group.given.items()}
                filler = replace(self, scope=self.scope.with_names(definitions))
        if not group.boxes:
            return filler
        boxes = {**self.names.boxes, **group.boxes}
        return replace(filler, names=replace(self.names, boxes=boxes))

    def repeat_group(self, group: RawGroup, transform: Affine) -> Iterator[LayerAt]:
        """Yield the layers of an `each:` group once per item, each at its place."""
        where = group.node.where
        with self.report.at(where, EACH), self._at(where):
            every = [
                self.at_place(index).with_names(names)
                for index, names in enumerate(items_of(group.each, self.scope))
            ]
            scopes = [filler.scope.inner for filler in every if filler.is_wanted(group)]
            spread = self._read_group_keys(SpreadSpec, group)
            if spread is None:
                return
            inside = transform @ self.transform_of_group(group)
            repetitions = zip(with_numbers(scopes), spread.places(len(scopes)), strict=True)
            for index, (names, (to_place, place)) in enumerate(repetitions):
                self._count_repetition()
                filler = self.at_place(index).with_names({**place, **names})
                yield from filler.enter_group(group).fill_layers(group.layers, inside @ to_place)

    def _count_repetition(self) -> None:
        if next(self.repeated) > MAX_GROUPS_PER_SIDE:
            raise InvalidValueError(
                f"groups are drawn more than {MAX_GROUPS_PER_SIDE} times",
                f"at most {MAX_GROUPS_PER_SIDE} on a side",
            )
        if next(self.repeated_on_all) > MAX_GROUPS_PER_COMPONENT:
            found = f"groups are drawn more than {MAX_GROUPS_PER_COMPONENT} times on all designs together"
            raise InvalidValueError(
                found,
                "fewer designs, or fewer groups on each",
                "combine layers that never change into one picture: svg:",
            )

    def with_names(self, names: Mapping[str, Value]) -> RowFiller:
        """Return the state for one repetition of a group, with the names that it defines."""
        kinds = {
            key: ValueKind.NUMBER if isinstance(value, float) else ValueKind.CELL
            for key, value in names.items()
        }
        return replace(self, scope=self.scope.with_names(names, kinds))

    @contextmanager
    def _at(self, where: Where) -> Iterator[None]:
        """Report an error in a cell at its row, with the place that uses the cell.

        The cell of a failed computed column is empty; that has been reported, so what follows from
        it is not.
        """
        try:
            yield
        except InvalidCellError as wrong:
            if wrong.column in self.row.failed:
                raise PnpError([]) from wrong
            hint = wrong.hint or self._where_used(wrong.column, where)
            raise PnpError(
                [
                    InvalidValueError(wrong.found, wrong.expected, hint).at(
                        self.row.where, wrong.column
                    )
                ]
            ) from wrong

    def is_wanted(self, item: Raw) -> bool:
        """Return True if all conditions of a layer or group hold; report those that cannot be read."""
        with self.report.at(item.node.where, "when"), self._at(item.node.where):
            return all(self.scope.holds(condition) for condition in item.when)
        return False

    def transform_of_group(self, group: RawGroup) -> Affine:
        """Return the transform of a group; the identity if the group is not moved, or wrongly."""
        if not any(key in group.node.keys for key in GroupMoveSpec.model_fields):
            return IDENTITY
        built = self._read_group_keys(GroupMoveSpec, group)
        return Affine.moving(Point(0, 0), built.at, built.turn) if built else IDENTITY

    def _read_group_keys(self, model: type[Model], group: RawGroup) -> Model | None:
        """Validate those keys of a group that a model has; None if they are wrong."""
        written = group.node.value if isinstance(group.node.value, dict) else {}
        inner = {key: value for key, value in written.items() if key in model.model_fields}
        built = self._validate(model, Node(inner, group.node.where, group.node.keys))
        return built if isinstance(built, model) else None

    def fill_layer(self, raw: RawLayer) -> Layer | None:
        """Return the layer for this row; rows with equal values share one layer object."""
        first = len(self.report.problems)
        with self.report.at(raw.node.where), self._at(raw.node.where):
            filled = map(self.scope.fill, raw.filled)
            conditions = map(self.scope.holds, raw.item_conditions)
            key: tuple[str | bool, ...] = (*filled, *conditions)
            if key not in raw.cache:
                built = self._validate(raw.kind, raw.node)
                if isinstance(built, Layer):
                    raw.cache[key] = built
            if key in raw.cache:
                return raw.cache[key]
        self.report.name_layer(first, raw.place)
        return None

    def _validate(self, model: type[BaseModel], node: Node) -> BaseModel | None:
        try:
            with self.report.at(node.where), self._at(node.where):
                return model.model_validate(
                    _fill_value(node.plain(), self.scope), context=self.names
                )
        except ValidationError as error:
            for path, problem in problems_of(error, node, model):
                self.report.add(
                    *(problem,)
                    if is_unknown_key(path, model)
                    else self._place_at_cause(problem, path, node)
                )
        return None

    def _where_used(self, column: str, where: Where | None) -> str:
        """Return where a column's value is used, and where the column is computed, if it is."""
        used = f"it is used in {where}"
        place = self.row.computed_at.get(column)
        return f"{used}; the column {column!r} is computed in {place}" if place else used

    def _place_at_cause(self, problem: Problem, path: Path, node: Node) -> Iterator[Problem]:
        """Yield a problem of a layer at the place that causes it.

        A value from the table is wrong in the table, not in the layout. A value that reads a failed
        computed column is a consequence of that failure, which has been reported.
        """
        at = node.find(*path)
        is_value = (
            at is not None
            and not isinstance(at.value, dict)
            and not any(
                isinstance(item.value, dict)
                for item in (at.value if isinstance(at.value, list) else ())
            )
        )
        names = [
            name for text in (at.scalars() if at and is_value else ()) for name in names_in(text)
        ]
        columns = [name for name in names if name in self.row.values]
        tables = [name for name in names if name.partition(".")[0] in self.scope.lookups]
        if tables:
            origin = f"it is ${{{tables[0]}}} of {self.row.id!r} ({self.row.where})"
            yield replace(problem, hint=f"{problem.hint}\n  {origin}" if problem.hint else origin)
        elif not columns:
            written = at.value if at is not None and isinstance(at.value, str) else ""
            intended = (
                f"did you mean ${written}, the value of the column?"
                if written in self.row.values
                else ""
            )
            yield replace(problem, hint=problem.hint or intended)
        elif self.row.failed.isdisjoint(columns):
            _, _, found = problem.found.partition(": ")
            hint = problem.hint or self._where_used(columns[0], problem.where)
            yield Problem(
                self.row.where, f"{columns[0]}: {found}", problem.expected, hint, problem.kind
            )


def _is_wanted(item: Plain, scope: Scope) -> bool:
    """Return True if a list item has no condition, or one that holds."""
    condition = item.get(WHEN) if isinstance(item, dict) else None
    return scope.holds(condition) if isinstance(condition, str) and condition.strip() else True


def _fill_value(value: Plain, scope: Scope) -> Any:
    if isinstance(value, str):
        return scope.fill(value)
    if isinstance(value, list):
        return [_fill_value(item, scope) for item in value if _is_wanted(item, scope)]
    if isinstance(value, dict):
        return {key: _fill_value(item, scope) for key, item in value.items()}
    return value
