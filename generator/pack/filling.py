"""Layers as written become layers of one design: names filled in, fields checked, conditions decided."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from generator.core.geometry import Point
from generator.core.problems import PackError, Problem, Reporter, Where, Wrong, error_of, unknown
from generator.pack import fields
from generator.pack.evaluation import WrongCell
from generator.pack.fields import Names
from generator.pack.functions import Value, ValueKind
from generator.pack.game import Design, GroupMove, Layer, LayerAt
from generator.pack.layout import EACH, GIVEN, WHEN, Raw, RawGroup, RawLayer
from generator.pack.source import Node, Plain
from generator.pack.tables import DataRow, DataTable
from generator.pack.template import Scope, names_in
from generator.pack.validation import Path, is_unknown_key, problems_of

MOST_IN_ALL = 20_000
"""Times that all groups of a side may be drawn together, also those in groups that are repeated."""

MOST_EVER = 200_000
"""The same on all designs of a component."""


@dataclass
class MadeRows:
    """They hold as long as all that a row is made with is as it was: `known` is what of that comes out of tables."""

    designs: dict[tuple[tuple[str, str], ...], Design] = field(default_factory=dict)
    known: object = None

    def all_of(
        self, table: DataTable, known: object, make: Callable[[DataRow], Design], report: Reporter
    ) -> tuple[Design, ...]:
        """The designs of all rows; one with anything wrong is not kept."""
        kept = self.designs if known == self.known else {}
        self.designs, self.known, found = {}, known, []
        for row in table.rows:
            key, before = tuple(row.values.items()), len(report.problems)
            design = kept.get(key) or make(row)
            if len(report.problems) == before and not row.failed:
                self.designs[key] = design
            found.append(design if design.where == row.where else replace(design, where=row.where))
        return tuple(found)


def check_order(order: Sequence[str], designs: Sequence[Design], where: Where, report: Reporter) -> None:
    """Tells of an order that does not name every design as often as it is printed."""
    if order:
        with report.at(where, "order"):
            _check(order, designs)


def _check(order: Sequence[str], designs: Sequence[Design]) -> None:
    counts = {design.id: design.count for design in designs}
    for name, times in Counter(order).items():
        if name not in counts:
            raise unknown("design", name, counts)
        if times != counts[name]:
            stands = "once" if times == 1 else f"{times} times"
            raise Wrong(f"{name!r} stands {stands}", f"as often as it is printed: {counts[name]}")
    if lacking := [name for name, count in counts.items() if count and name not in order]:
        raise Wrong(f"{lacking[0]!r} is not named", "every design, as often as it is printed")


Model = TypeVar("Model", bound=BaseModel)


class GroupMoveSpec(BaseModel):
    """Where a group's layers go: `at` takes the place of their origin, and they are turned about it."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)
    at: fields.Place = Point(0, 0)
    turn: fields.Real = 0.0


def tally() -> Iterator[int]:
    """Counts what is done, from 1 on."""
    return count(1)


@dataclass(frozen=True)
class Maker:
    """Makes layers concrete for the rows of one component."""

    names: Names
    scope: Scope
    without: frozenset[str]
    repeated: Iterator[int]
    """How often groups were drawn so far, on all designs of the component."""

    def layers(self, raw: tuple[Raw, ...], row: DataRow, report: Reporter) -> tuple[LayerAt, ...]:
        """The layers of one side of one design."""
        scope = self.scope.of(row.values, row.computed)
        return tuple(_Making(self, scope, row, report).each(raw, ()))


@dataclass(frozen=True)
class _Making:
    """One row's layers in the making."""

    maker: Maker
    scope: Scope
    row: DataRow
    report: Reporter
    repeated: Iterator[int] = field(default_factory=tally)
    """How often a group of this side was drawn so far, wherever it lies."""

    def each(self, raw: tuple[Raw, ...], moves: tuple[GroupMove, ...]) -> Iterator[LayerAt]:
        for item in raw:
            if item.tag in self.maker.without:
                continue
            if isinstance(item, RawGroup) and item.each:
                yield from self._repeated(item, moves)
            elif not self.wanted(item):
                continue
            elif isinstance(item, RawGroup):
                yield from self.inside(item).each(item.layers, (*moves, *self._move(item)))
            elif (layer := self._layer(item)) is not None:
                yield LayerAt(layer, item.node.where, moves)

    def inside(self, group: RawGroup) -> "_Making":
        """The same within a group, which may bring boxes and names of its own."""
        making = self
        if group.given:
            with self.report.at(group.node.where, GIVEN), self._at(group.node.where):
                given = {name: self.scope.fill(text) for name, text in group.given.items()}
                making = replace(self, scope=self.scope.with_names(given))
        if not group.boxes:
            return making
        names = self.maker.names
        inner = replace(names, boxes={**names.boxes, **group.boxes})
        return replace(making, maker=replace(self.maker, names=inner))

    def _repeated(self, group: RawGroup, moves: tuple[GroupMove, ...]) -> Iterator[LayerAt]:
        """A group for every item of its list, each at its place."""
        from generator.pack.repetition import SpreadSpec, counted, items_of

        where = group.node.where
        with self.report.at(where, EACH), self._at(where):
            every = [self._with(names) for names in items_of(group.each, self.scope)]
            kept = [making.scope.inner for making in every if making.wanted(group)]
            spread = self._written(SpreadSpec, group)
            if spread is None:
                return
            moves = (*moves, *self._move(group))
            for names, (move, place) in zip(counted(kept), spread.places(len(kept)), strict=True):
                self._check_times()
                making = self._with({**place, **names})
                yield from making.inside(group).each(group.layers, (*moves, move))

    def _check_times(self) -> None:
        if next(self.repeated) > MOST_IN_ALL:
            raise Wrong(f"groups are drawn more than {MOST_IN_ALL} times", f"at most {MOST_IN_ALL} on a side")
        if next(self.maker.repeated) > MOST_EVER:
            found = f"groups are drawn more than {MOST_EVER} times on all designs together"
            raise Wrong(found, "fewer designs, or fewer groups on each", "what never changes is one picture: svg:")

    def _with(self, names: Mapping[str, Value]) -> "_Making":
        kinds = {key: ValueKind.NUMBER if isinstance(value, float) else ValueKind.CELL for key, value in names.items()}
        return replace(self, scope=self.scope.with_names(names, kinds))

    @contextmanager
    def _at(self, where: Where) -> Iterator[None]:
        """Report an error in a cell at its row, with the place that uses the cell.

        The cell of a failed computed column is empty; that has been reported, so what follows from it is not.
        """
        try:
            yield
        except WrongCell as wrong:
            if wrong.column in self.row.failed:
                raise PackError([]) from wrong
            hint = wrong.hint or self._use(wrong.column, where)
            raise error_of([Wrong(wrong.found, wrong.expected, hint).at(self.row.where, wrong.column)]) from wrong

    def wanted(self, item: Raw) -> bool:
        with self.report.at(item.node.where, "when"), self._at(item.node.where):
            return all(self.scope.holds(condition) for condition in item.when)
        return False

    def _move(self, group: RawGroup) -> tuple[GroupMove, ...]:
        if not any(key in group.node.keys for key in GroupMoveSpec.model_fields):
            return ()
        made = self._written(GroupMoveSpec, group)
        return (GroupMove(made.at, made.turn),) if made else ()

    def _written(self, model: type[Model], group: RawGroup) -> Model | None:
        """What a model reads of a group's keys."""
        written = group.node.value if isinstance(group.node.value, dict) else {}
        inner = {key: value for key, value in written.items() if key in model.model_fields}
        made = self._made(model, Node(inner, group.node.where, group.node.keys))
        return made if isinstance(made, model) else None

    def _layer(self, raw: RawLayer) -> Layer | None:
        """The layer for this row; rows that give it the same values share it."""
        with self.report.at(raw.node.where), self._at(raw.node.where):
            filled, asked = map(self.scope.fill, raw.filled), map(self.scope.holds, raw.asked)
            key: tuple[str | bool, ...] = (*filled, *asked)
            if key not in raw.made:
                made = self._made(raw.kind, raw.node)
                if not isinstance(made, Layer):
                    return None
                raw.made[key] = made
            return raw.made[key]
        return None

    def _made(self, model: type[BaseModel], node: Node) -> BaseModel | None:
        try:
            with self.report.at(node.where), self._at(node.where):
                return model.model_validate(_filled(node.plain(), self.scope), context=self.maker.names)
        except ValidationError as error:
            for path, problem in problems_of(error, node, model):
                self.report.add(*(problem,) if is_unknown_key(path, model) else self._blame(problem, path, node))
        return None

    def _use(self, column: str, where: Where | None) -> str:
        """Return where a column's value is used, and where the column is computed, if it is."""
        used = f"it is used in {where}"
        place = self.row.computed_at.get(column)
        return f"{used}; the column {column!r} is computed in {place}" if place else used

    def _blame(self, problem: Problem, path: Path, node: Node) -> Iterator[Problem]:
        """Yield a problem of a layer at the place that causes it.

        A value from the table is wrong in the table, not in the layout. A value that reads a failed computed column is
        a consequence of that failure, which has been reported.
        """
        at = node.find(*path)
        is_value = (
            at is not None
            and not isinstance(at.value, dict)
            and not any(isinstance(item.value, dict) for item in (at.value if isinstance(at.value, list) else ()))
        )
        names = [name for text in (at.scalars() if at and is_value else ()) for name in names_in(text)]
        columns = [name for name in names if name in self.row.values]
        tables = [name for name in names if name.partition(".")[0] in self.scope.lookups]
        if tables:
            origin = f"it is ${{{tables[0]}}} of {self.row.id!r} ({self.row.where})"
            yield replace(problem, hint=f"{problem.hint}\n  {origin}" if problem.hint else origin)
        elif not columns:
            written = at.value if at is not None and isinstance(at.value, str) else ""
            meant = f"did you mean ${written}, what stands in the column?" if written in self.row.values else ""
            yield replace(problem, hint=problem.hint or meant)
        elif self.row.failed.isdisjoint(columns):
            _, _, found = problem.found.partition(": ")
            hint = problem.hint or self._use(columns[0], problem.where)
            yield Problem(self.row.where, f"{columns[0]}: {found}", problem.expected, hint, problem.kind)


def _is_wanted(item: Plain, scope: Scope) -> bool:
    """Whether the condition of an item in a list holds, where it has one."""
    asked = item.get(WHEN) if isinstance(item, dict) else None
    return scope.holds(asked) if isinstance(asked, str) and asked.strip() else True


def _filled(value: Plain, scope: Scope) -> Any:
    if isinstance(value, str):
        return scope.fill(value)
    if isinstance(value, list):
        return [_filled(item, scope) for item in value if _is_wanted(item, scope)]
    if isinstance(value, dict):
        return {key: _filled(item, scope) for key, item in value.items()}
    return value
