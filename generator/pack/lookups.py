"""Lookup tables (`lookups:`), and columns of a component that expressions compute (`columns:`)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic import ValidationError

from generator.base.errors import InvalidValueError, Reporter, Where
from generator.pack.expression_functions import Value, ValueKind, as_text
from generator.pack.expressions import InvalidCellError, named_in, parse_expression
from generator.pack.folder import PackFolder
from generator.pack.game_spec import LookupSpec
from generator.pack.scope import Lookup, Scope
from generator.pack.tables import DataRow, DataTable, in_place, read_rows_of
from generator.pack.validation import problems_of
from generator.pack.yaml_nodes import Node

ID = "id"
EMPTY_EXPRESSION = '""'
"""The expression of a column whose own expression is wrong, so that only one error is reported."""


def read_lookups(folder: PackFolder, node: Node | None, report: Reporter) -> dict[str, Lookup]:
    """Read the tables under `lookups:` by name; report those that cannot be read."""
    entries = node.value.items() if node and isinstance(node.value, dict) else ()
    by_name = {}
    for name, entry in entries:
        with report.at(entry.where, f"lookups.{name}"):
            by_name[name] = _read_lookup(folder, name, entry, report)
    return by_name


def _read_lookup(folder: PackFolder, name: str, entry: Node, report: Reporter) -> Lookup:
    data = entry.find("data")
    if isinstance(entry.value, dict) and data is None:
        return _index_rows(name, _keyed_table(entry), LookupSpec(data=""), report)
    table_node = entry if data else Node({"data": entry}, entry.where)
    try:
        spec = LookupSpec.model_validate({**_plain(table_node), "data": ""})
    except ValidationError as error:
        report.add(*(problem for _, problem in problems_of(error, table_node, LookupSpec)))
        spec = LookupSpec(data="")
    source = data or entry
    if isinstance(source.value, list) and not all(
        isinstance(item.value, dict) for item in source.value
    ):
        raise InvalidValueError(
            "the table has no rows", "a row for each value: `fire: {colour: red, word: Fire}`"
        )
    table = (
        _keyed_table(source)
        if isinstance(source.value, dict)
        else read_rows_of(folder, source, report)
    )
    return _index_rows(name, table, spec, report)


def _plain(node: Node) -> dict[str, object]:
    plain = node.plain()
    return dict(plain) if isinstance(plain, dict) else {}


def _keyed_table(node: Node) -> DataTable:
    """Return the table of rows that are written under their key: `fire: {colour: red}`."""
    values = node.value if isinstance(node.value, dict) else {}
    rows = []
    for key, item in values.items():
        if not isinstance(item.value, dict):
            raise InvalidValueError(
                f"{key}: no row is given", f"such as `{key}: {{colour: red, word: Fire}}`"
            )
        rows.append(Node({ID: Node(key, item.where), **item.value}, item.where, item.keys))
    return in_place(Node(list(rows), node.where))


def _index_rows(name: str, table: DataTable, spec: LookupSpec, report: Reporter) -> Lookup:
    """Index a table by its key column; report keys that stand twice unless `many` is set."""
    if table.columns and spec.by not in table.columns:
        raise InvalidValueError(
            f"there is no column {spec.by!r}",
            f"one of: {', '.join(table.columns)}, named with `by:`",
        )
    rows: dict[str, tuple[Mapping[str, str], ...]] = {}
    for row in table.rows:
        key = row.values.get(spec.by, "").strip()
        if key in rows and not spec.many:
            hint = "`many: true` where several rows belong to one"
            report.add_problem(
                row.where, f"{spec.by}: {key!r} occurs twice", "each value once", hint
            )
        rows[key] = (*rows.get(key, ()), row.values)
    return Lookup(name, spec.source or (ID if spec.many else name), table.columns, rows, spec.many)


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
