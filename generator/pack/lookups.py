"""Read the lookup tables of a pack (`lookups:`): rows that cells name by a key, as `kind.colour` does."""

from collections.abc import Mapping

from pydantic import ValidationError

from generator.base.errors import InvalidValueError, Reporter
from generator.pack.folder import PackFolder
from generator.pack.game_spec import LookupSpec
from generator.pack.scope import Lookup
from generator.pack.tables import DataTable, in_place, read_rows_of
from generator.pack.validation import problems_of
from generator.pack.yaml_nodes import Node

ID = "id"


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
    # `data` is read as a table below; the model only checks the other keys.
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
