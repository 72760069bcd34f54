"""Columns of a component that expressions compute (`columns:`)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from generator.base.errors import InvalidValueError, Reporter, Where
from generator.pack.expression_functions import Value, ValueKind, as_text
from generator.pack.expressions import InvalidCellError, named_in, parse_expression
from generator.pack.scope import Scope
from generator.pack.tables import DataRow, DataTable
from generator.pack.yaml_nodes import Node

EMPTY_EXPRESSION = '""'
"""The expression of a column whose own expression is wrong, so that only one error is reported."""


def with_computed(table: DataTable, node: Node | None, scope: Scope, report: Reporter) -> DataTable:
    """Return the table with the columns under `columns:`, each computed from those before it."""
    written = node.value if node and isinstance(node.value, dict) else {}
    names = {name: item for name, item in written.items() if _is_new(name, item, table, report)}
    if not names or not table.columns:
        return table
    kinds: dict[str, ValueKind] = {}
    expressions: dict[str, str] = {}
    failed: set[str] = set()
    sample = replace(scope, row=dict.fromkeys(table.columns, ""))
    for name, item in names.items():
        with report.at(item.where, f"columns.{name}"):
            text = str(item.value)
            later = [
                read
                for read in named_in(parse_expression(text))
                if read in names and read not in kinds
            ]
            if later:
                raise InvalidValueError(
                    f"the column {later[0]!r} is not computed yet",
                    "each column after those that it reads",
                )
            kinds[name] = sample.check(text, parse_expression(text)) or ValueKind.CELL
            expressions[name] = text
        if name not in expressions:
            failed.add(name)
            expressions[name] = EMPTY_EXPRESSION
        kinds.setdefault(name, ValueKind.CELL)
        sample = sample.with_names({name: ""}, kinds)
    columns = _ComputedColumns(
        expressions, {name: names[name].where for name in expressions}, frozenset(failed)
    )
    rows = tuple(
        _compute_row(row, columns, replace(scope, kinds=kinds), report) for row in table.rows
    )
    return DataTable((*table.columns, *expressions), rows, kinds)


def _is_new(name: str, item: Node, table: DataTable, report: Reporter) -> bool:
    if name in table.columns:
        report.add_problem(item.where, f"columns.{name}: the table has this column", "another name")
    elif not isinstance(item.value, str):
        report.add_problem(
            item.where, f"columns.{name}: no expression is given", "such as `attack + defence`"
        )
    else:
        return True
    return False


@dataclass(frozen=True)
class _ComputedColumns:
    """Computed columns: their expressions and lines in game.yaml by name, and those that fail for every row."""

    texts: Mapping[str, str]
    places: Mapping[str, Where]
    failed: frozenset[str]


def _compute_row(
    row: DataRow, columns: _ComputedColumns, scope: Scope, report: Reporter
) -> DataRow:
    """Return a row with its computed columns.

    A column that reads a failed one fails without another report.
    """
    values: dict[str, Value] = {}
    failed = set(columns.failed)
    for name, text in columns.texts.items():
        values[name] = ""
        place = f"the column {name!r} is computed in {columns.places[name]}"
        try:
            if failed.isdisjoint(named_in(parse_expression(text))):
                values[name] = (
                    scope.for_row(row.values, values).at(row.id, "column", name).evaluate(text)
                )
            else:
                failed.add(name)
        except InvalidCellError as wrong:
            failed.add(name)
            report.add(
                InvalidValueError(wrong.found, wrong.expected, _add_place(wrong, place)).at(
                    row.where, wrong.column
                )
            )
        except InvalidValueError as wrong:
            failed.add(name)
            problem = InvalidValueError(wrong.found, wrong.expected, _add_place(wrong, place))
            report.add(problem.at(row.where, f"columns.{name}"))
    texts = {name: as_text(value) for name, value in values.items()}
    return replace(
        row,
        values={**row.values, **texts},
        computed=values,
        computed_at=columns.places,
        failed=frozenset(failed),
    )


def _add_place(wrong: InvalidValueError, place: str) -> str:
    return f"{wrong.hint}\n  {place}" if wrong.hint else place
