"""Layouts: a file of layers, read once, and made concrete for each row of data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from generator.errors import Problem, Where, Wrong, unknown
from generator.pack.data import Row
from generator.pack.fields import Names
from generator.pack.layer import Layer, LayerAt, LayerKinds
from generator.pack.problems import problems_of
from generator.pack.source import Node, Plain
from generator.pack.template import Scope, names_in

COMMON = ("when", "tag")
"""Keys that every layer may have; the loader itself acts on them."""


@dataclass(frozen=True)
class RawLayer:
    """A layer as written: its kind's model, its keys, and what they read."""

    kind: type[Layer]
    node: Node
    when: str = ""
    tag: str = ""
    reads: tuple[str, ...] = ()
    made: dict[tuple[str, ...], Layer] = field(default_factory=dict, compare=False)


def read_layers(root: Node, kinds: LayerKinds, problems: list[Problem]) -> tuple[RawLayer, ...]:
    """The layers of a layout file, bottom first."""
    if not isinstance(root.value, list):
        problems.append(
            Problem(root.where, "a layout is a list of layers", "lines that begin with `- fill:`, `- text:`, …")
        )
        return ()
    return tuple(layer for node in root.value if (layer := _raw(node, kinds, problems)))


def _raw(node: Node, kinds: LayerKinds, problems: list[Problem]) -> RawLayer | None:
    if not isinstance(node.value, dict):
        problems.append(Problem(node.where, "a layer is a mapping", f"one of: {', '.join(sorted(kinds))}"))
        return None
    named = [key for key in node.value if key in kinds]
    if len(named) != 1:
        problems.append(_kindless(node, named, kinds))
        return None
    name = named[0]
    merged = _merge(node, name, kinds[name], problems)
    when, tag = (_word(node, key, problems) for key in COMMON)
    reads = {ref for text in merged.scalars() for ref in names_in(text)}
    return RawLayer(kinds[name], merged, when, tag, tuple(sorted(reads)))


def _kindless(node: Node, named: list[str], kinds: LayerKinds) -> Problem:
    if named:
        return Problem(
            node.where,
            f"one layer of two kinds: {' and '.join(named)}",
            "one kind a layer",
            "begin each with its own dash",
        )
    key = next(iter(node.value), "") if isinstance(node.value, dict) else ""
    place = node.keys.get(key, node.where)
    return unknown("layer", key, kinds).at(place)


def _merge(node: Node, name: str, kind: type[Layer], problems: list[Problem]) -> Node:
    """`text: $title` with its siblings, or `frame: {…}`, as one mapping of the model's fields."""
    values = dict(node.value) if isinstance(node.value, dict) else {}
    keys = dict(node.keys)
    head = values.pop(name)
    for key in COMMON:
        values.pop(key, None)
    if isinstance(head.value, dict):
        for key, value in head.value.items():
            if key in values:
                problems.append(Problem(head.keys[key], f"{key}: this key stands twice", "each key once"))
            values[key], keys[key] = value, head.keys[key]
    elif kind.main is not None:
        values[kind.main] = head
    elif head.value is not None:
        problems.append(Problem(head.where, f"{name}: a single value", f"keys of the layer, such as {name}: {{…}}"))
    return Node(values, node.where, keys)


def _word(node: Node, key: str, problems: list[Problem]) -> str:
    found = node.find(key)
    if found is None:
        return ""
    if not isinstance(found.value, str):
        problems.append(Problem(found.where, f"{key}: a single word belongs here"))
        return ""
    return found.value


@dataclass(frozen=True)
class Maker:
    """Makes layers concrete for the rows of one component."""

    names: Names
    pack: Mapping[str, str]
    without: frozenset[str]
    language: str

    def layers(self, raw: tuple[RawLayer, ...], row: Row, problems: list[Problem]) -> tuple[LayerAt, ...]:
        """The layers of one side of one design."""
        return tuple(self._each(raw, row, problems))

    def _each(self, raw: tuple[RawLayer, ...], row: Row, problems: list[Problem]) -> Iterator[LayerAt]:
        scope = Scope(row.values, self.pack, self.language)
        for layer in raw:
            if layer.tag in self.without:
                continue
            try:
                if layer.when and not scope.holds(layer.when):
                    continue
                key = tuple(scope.value(name) for name in layer.reads)
            except Wrong as wrong:
                problems.append(wrong.at(layer.node.where))
                continue
            if key not in layer.made:
                made = self._make(layer, scope, row, problems)
                if made is None:
                    continue
                layer.made[key] = made
            yield LayerAt(layer.made[key], layer.node.where)

    def _make(self, layer: RawLayer, scope: Scope, row: Row, problems: list[Problem]) -> Layer | None:
        try:
            filled = _fill(layer.node.plain(), scope)
            return layer.kind.model_validate(filled, context=self.names)
        except Wrong as wrong:
            problems.append(wrong.at(layer.node.where))
        except ValidationError as error:
            problems.extend(
                _blame(problem, path, layer, row) for path, problem in problems_of(error, layer.node, layer.kind)
            )
        return None


def _fill(value: Plain, scope: Scope) -> Any:
    if isinstance(value, str):
        return scope.fill(value)
    if isinstance(value, list):
        return [_fill(item, scope) for item in value]
    if isinstance(value, dict):
        return {key: _fill(item, scope) for key, item in value.items()}
    return value


def _blame(problem: Problem, path: tuple[str | int, ...], layer: RawLayer, row: Row) -> Problem:
    """A value that came out of the table is wrong in the table, not in the layout."""
    node = layer.node.find(*path)
    columns = [name for text in (node.scalars() if node else ()) for name in names_in(text) if name in row.values]
    if not columns:
        return problem
    _, _, found = problem.found.partition(": ")
    used = f"it is used in {problem.where}"
    return Problem(row.where, f"{columns[0]}: {found}", problem.expected, problem.hint or used, problem.kind)
