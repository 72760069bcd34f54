"""Expressions worked out: which kind of value comes of one, and which value for a row."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import ValidationError

from generator.core.problems import Reporter, Where, Wrong, unknown
from generator.pack.expression import Applied, Constant, Expression, Named, parse
from generator.pack.folder import PackFolder
from generator.pack.functions import (
    FUNCTIONS,
    Value,
    ValueKind,
    as_list,
    as_number,
    as_text,
    as_truth,
)
from generator.pack.source import Node
from generator.pack.spec import LookupSpec
from generator.pack.tables import DataRow, DataTable, in_place, read_rows_of
from generator.pack.template import Lookup, Scope
from generator.pack.validation import problems_of

CELL, TEXT, NUMBER, TRUTH, LIST = ValueKind

_READ_AS: dict[ValueKind, Callable[[Value], Value]] = {
    CELL: lambda value: value,
    TEXT: as_text,
    NUMBER: as_number,
    TRUTH: as_truth,
    LIST: as_list,
}
_TAKEN_FOR = {
    CELL: {CELL, TEXT, NUMBER, TRUTH, LIST},
    TEXT: {CELL, TEXT, NUMBER},
    NUMBER: {CELL, NUMBER},
    TRUTH: {CELL, TEXT, NUMBER, TRUTH, LIST},
    LIST: {CELL, TEXT, LIST},
}
"""Which kinds of values may stand where one kind is wanted."""

_COMPARED_AS_THEY_ARE = {"<", ">", "<=", ">="}
"""What is empty is neither more nor less than a number, and no error."""


class WrongCell(Wrong):
    """What is wrong stands in a column of the table, and not where it is used."""

    def __init__(self, column: str, found: str, expected: str = "", hint: str = "") -> None:
        super().__init__(found, expected, hint)
        self.column = column


KindOf = Callable[[str], ValueKind | None]
"""The kind of a name, or nothing where it is no column's."""


def kind_of(expression: Expression, names: KindOf) -> ValueKind:
    """The kind of an expression's value; raises `Wrong` where kinds do not fit, or a word could be a column too."""
    if isinstance(expression, Named):
        return names(expression.name) or CELL
    if isinstance(expression, Constant):
        if expression.bare and isinstance(expression.value, str) and names(expression.value):
            word = expression.value
            raise Wrong(
                f"{word!r} is a column, and here it would be a word",
                f"${word} for what stands in the column, or '{word}' for the word",
            )
        return {str: TEXT, float: NUMBER, bool: TRUTH}[type(expression.value)]
    function = FUNCTIONS[expression.function]
    kinds = [kind_of(part, names) for part in expression.given]
    for place, kind in enumerate(kinds):
        wanted = function.kind_at(place)
        if kind not in _TAKEN_FOR[wanted]:
            hint = "join(list, sign) makes a text of a list" if kind is LIST else ""
            raise Wrong(f"{expression.function!r} is given {kind}", str(wanted), hint)
    if expression.function in {"|", "if"}:
        return kinds[-1] if kinds[-1] == kinds[-2] else CELL
    return function.gives


def named_in(expression: Expression) -> Iterator[str]:
    """The names that an expression reads."""
    if isinstance(expression, Named):
        yield expression.name
    elif isinstance(expression, Applied):
        for part in expression.given:
            yield from named_in(part)


MOST_STEPS = 2_000
"""Of an expression for one row: that is well below a millisecond."""
CHARACTERS = 100
"""Of a text count as much as one item of a list."""


def value_of(expression: Expression, names: Callable[[str], Value]) -> Value:
    """The value for the row that `names` reads."""
    return Evaluation(names).value(expression)


@dataclass
class Evaluation:
    """An expression at work; it takes a step for each operation and for all that is looked through."""

    names: Callable[[str], Value]
    steps: int = 0

    def value(self, expression: Expression) -> Value:
        """What comes of an expression, or of a part of one."""
        if isinstance(expression, Constant):
            return expression.value
        if isinstance(expression, Named):
            return self.names(expression.name)
        if (early := self._decided(expression)) is not None:
            return early
        name, given = expression.function, expression.given
        function = FUNCTIONS[name]
        values = [self.value(part) for part in given]
        if name not in _COMPARED_AS_THEY_ARE:
            values = [_read(value, function.kind_at(at), given[at], name) for at, value in enumerate(values)]
        self._step(values)
        return function.apply(*values)

    def _step(self, values: Iterable[Value]) -> None:
        self.steps += 1 + sum(map(_size, values))
        if self.steps > MOST_STEPS:
            found = "working this out takes too long"
            raise Wrong(
                found, f"at most {MOST_STEPS} steps, of which each item of a list is one", "part it into columns"
            )

    def _decided(self, expression: Applied) -> Value | None:
        """What comes of `and`, `or`, `if` and `|` where the first decides; so `cost and 6 / cost` divides by no 0."""
        name, given = expression.function, expression.given
        if name in {"and", "or"}:
            first = as_truth(self.value(given[0]))
            return as_truth(self.value(given[1])) if first is (name == "and") else first
        if name == "if":
            return self.value(given[1] if as_truth(self.value(given[0])) else given[2])
        if name == "|":
            value = self.value(given[0])
            return self.value(given[1]) if as_text(value).strip() == "" else value
        return None


def _size(value: Value) -> int:
    return len(value) // CHARACTERS if isinstance(value, str) else len(value) if isinstance(value, tuple) else 0


def _read(value: Value, kind: ValueKind, part: Expression, function: str) -> Value:
    """The value as a kind; what is wrong with it is said with the column that it came from."""
    try:
        return _READ_AS[kind](value)
    except Wrong as wrong:
        if isinstance(part, Named):
            joined = "`&` puts two texts together" if function == "+" and value else ""
            hint = wrong.hint.replace("(name |", f"({part.name} |") or joined
            raise WrongCell(part.name, wrong.found, wrong.expected, hint) from None
        raise


ID = "id"


def read_lookups(folder: PackFolder, node: Node | None, report: Reporter) -> dict[str, Lookup]:
    """The tables under `lookups:`, each by its name."""
    entries = node.value.items() if node and isinstance(node.value, dict) else ()
    found = {}
    for name, entry in entries:
        with report.at(entry.where, f"lookups.{name}"):
            found[name] = _lookup(folder, name, entry, report)
    return found


def _lookup(folder: PackFolder, name: str, entry: Node, report: Reporter) -> Lookup:
    data = entry.find("data")
    if isinstance(entry.value, dict) and data is None:
        return _by_key(name, _keyed(entry), LookupSpec(data=""), report)
    whole = entry if data else Node({"data": entry}, entry.where)
    try:
        spec = LookupSpec.model_validate({**_plain(whole), "data": ""})
    except ValidationError as error:
        report.add(*(problem for _, problem in problems_of(error, whole, LookupSpec)))
        spec = LookupSpec(data="")
    source = data or entry
    table = _keyed(source) if isinstance(source.value, dict) else read_rows_of(folder, source, report)
    return _by_key(name, table, spec, report)


def _plain(node: Node) -> dict[str, object]:
    plain = node.plain()
    return dict(plain) if isinstance(plain, dict) else {}


def _keyed(node: Node) -> DataTable:
    """Rows in place, each under its value: `fire: {colour: red}`."""
    values = node.value if isinstance(node.value, dict) else {}
    rows = []
    for key, item in values.items():
        if not isinstance(item.value, dict):
            raise Wrong(f"{key}: no row stands here", f"such as `{key}: {{colour: red, word: Fire}}`")
        rows.append(Node({ID: Node(key, item.where), **item.value}, item.where, item.keys))
    return in_place(Node(list(rows), node.where))


def _by_key(name: str, table: DataTable, spec: LookupSpec, report: Reporter) -> Lookup:
    """The rows by what they are found by."""
    if table.columns and spec.by not in table.columns:
        raise Wrong(f"there is no column {spec.by!r}", f"one of: {', '.join(table.columns)}, named with `by:`")
    rows: dict[str, tuple[Mapping[str, str], ...]] = {}
    for row in table.rows:
        key = row.values.get(spec.by, "").strip()
        if key in rows and not spec.many:
            hint = "`many: true` where several rows belong to one"
            report.tell(row.where, f"{spec.by}: {key!r} stands twice", "each value once", hint)
        rows[key] = (*rows.get(key, ()), row.values)
    return Lookup(name, spec.source or (ID if spec.many else name), table.columns, rows, spec.many)


def with_formats(table: DataTable, columns: Sequence[str], where: Where, report: Reporter) -> DataTable:
    """The table with the look of whole cells as markup, in the columns that ask for it."""
    if not columns or not table.columns:
        return table
    if table.marked is None:
        report.tell(where, "formatted: this table has no looks", "a workbook, .ods or .xlsx; or markup in the cells")
        return table
    report.add(
        *(
            unknown("column", name, table.columns).at(where, "formatted")
            for name in columns
            if name not in table.columns
        )
    )
    cells = {(line, name): cell for (line, name), cell in table.marked.items() if name.partition("@")[0] in columns}
    rows = (
        replace(row, values={name: cells.get((row.where.line, name), cell) for name, cell in row.values.items()})
        for row in table.rows
    )
    return replace(table, rows=tuple(rows))


def with_computed(table: DataTable, node: Node | None, scope: Scope, report: Reporter) -> DataTable:
    """The table with the columns under a component's `columns:`, each computed of those before it."""
    written = node.value if node and isinstance(node.value, dict) else {}
    names = {name: item for name, item in written.items() if _is_new(name, item, table, report)}
    if not names or not table.columns:
        return table
    kinds: dict[str, ValueKind] = {}
    sample = replace(scope, row=dict.fromkeys(table.columns, ""))
    for name, item in names.items():
        with report.at(item.where, f"columns.{name}"):
            text = str(item.value)
            kinds[name] = sample.check(text, parse(text)) or ValueKind.CELL
            sample = sample.with_names({name: ""}, kinds)
    good = {name: str(names[name].value) for name in kinds}
    rows = tuple(_computed(row, good, replace(scope, kinds=kinds), report) for row in table.rows)
    return DataTable((*table.columns, *good), rows, kinds)


def _is_new(name: str, item: Node, table: DataTable, report: Reporter) -> bool:
    if name in table.columns:
        report.tell(item.where, f"columns.{name}: the table has this column", "another name")
    elif not isinstance(item.value, str):
        report.tell(item.where, f"columns.{name}: no expression stands here", "such as `attack + defence`")
    else:
        return True
    return False


def _computed(row: DataRow, columns: Mapping[str, str], scope: Scope, report: Reporter) -> DataRow:
    values: dict[str, Value] = {}
    for name, text in columns.items():
        try:
            values[name] = scope.of(row.values, values).work_out(text)
        except WrongCell as wrong:
            report.add(_used(wrong, name).at(row.where, wrong.column))
            values[name] = ""
        except Wrong as wrong:
            report.add(wrong.at(row.where, f"columns.{name}"))
            values[name] = ""
    texts = {name: as_text(value) for name, value in values.items()}
    return replace(row, values={**row.values, **texts}, computed=values)


def _used(wrong: WrongCell, name: str) -> Wrong:
    return Wrong(wrong.found, wrong.expected, wrong.hint or f"it is used in the column {name!r}, which is computed")
