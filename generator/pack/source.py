"""YAML with positions, and `title@nl` beside `title`: the one notation for texts in other languages.

Every scalar stays the text that was written: its field decides what it means.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from generator.core.problems import PackError, Problem, Reporter, Where, fail, nearest

MAX_DEPTH = 60
Plain = str | list["Plain"] | dict[str, "Plain"] | None


@dataclass(frozen=True)
class Node:
    """A value of a YAML file and the place where it stands; `keys` are the places of a mapping's keys."""

    value: "str | list[Node] | dict[str, Node] | None"
    where: Where
    keys: dict[str, Where] = field(default_factory=dict)

    def plain(self) -> Plain:
        """The value without positions."""
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        if isinstance(self.value, dict):
            return {key: item.plain() for key, item in self.value.items()}
        return self.value

    def find(self, *path: str | int) -> "Node | None":
        """The node at a path of keys and indices."""
        node: Node | None = self
        for step in path:
            if node is None:
                return None
            if isinstance(node.value, dict) and isinstance(step, str):
                node = node.value.get(step)
            elif isinstance(node.value, list) and isinstance(step, int):
                node = node.value[step] if step < len(node.value) else None
            else:
                return None
        return node

    def place(self, path: tuple[str | int, ...]) -> Where:
        """Where the value at a path stands, or the nearest thing round it; a key's own line for a wrong key."""
        node = self
        for step in path:
            found = node.find(step)
            if found is None:
                return node.keys.get(step, node.where) if isinstance(step, str) else node.where
            node = found
        return node.where

    def scalars(self) -> Iterator[str]:
        """All texts in it."""
        if isinstance(self.value, str):
            yield self.value
        elif self.value is not None:
            for item in self.value.values() if isinstance(self.value, dict) else self.value:
                yield from item.scalars()


_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse(text: str, file: str) -> Node:
    """The nodes of a YAML file; `file` is its name in messages. Raises a `PackError` for what is no YAML at all."""
    try:
        _guard(text, file)
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = Where(file, mark.line + 1 if mark else 0)
        found = f"this is not YAML: {error.problem or error}"
        raise PackError([Problem(where, found, hint=_advice(str(error.problem)))]) from error
    except yaml.YAMLError as error:
        raise PackError([Problem(Where(file), f"this is not YAML: {error}")]) from error
    if root is None:
        fail(Where(file), "the file is empty")
    report = Reporter()
    node = _convert(root, file, report)
    report.raise_any()
    return node


def _guard(text: str, file: str) -> None:
    """Refuse what a pack has no use for and a stranger could do harm with: anchors, and nesting without end."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        where = Where(file, event.start_mark.line + 1 if event.start_mark else 0)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            expected = "the value written out, or `include:` in a layout"
            fail(where, "YAML anchors and aliases are not supported", expected)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            fail(where, "nested too deeply", f"at most {MAX_DEPTH} levels")


def _advice(problem: str) -> str:
    if "cannot start any token" in problem:
        return "indent with spaces, not tabs; put quotes round a text that begins with @, % or `"
    if "mapping values are not allowed" in problem:
        return "put quotes round a text that contains a colon"
    return ""


def _convert(node: Any, file: str, report: Reporter) -> Node:
    where = Where(file, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, where, report)
    if isinstance(node, yaml.SequenceNode):
        return Node([_convert(item, file, report) for item in node.value], where)
    empty = node.value == "" and not node.style  # the C loader gives "" for a plain scalar, the other None
    return Node(None if empty else node.value, where)


def _mapping(node: Any, where: Where, report: Reporter) -> Node:
    values: dict[str, Node] = {}
    keys: dict[str, Where] = {}
    for key, value in node.value:
        place = Where(where.file, key.start_mark.line + 1)
        if not isinstance(key, yaml.ScalarNode):
            report.tell(place, "a key must be a single word")
            continue
        if key.value in values:
            first = f"the first is in line {keys[key.value].line}"
            report.tell(place, f"{key.value}: this key stands twice", "each key once", first)
        values[key.value] = _convert(value, where.file, report)
        keys[key.value] = place
    return Node(values, where, keys)


TRANSLATED = ("cover", "credits", "name", "title")
"""What of `game.yaml` may stand there in several languages."""

DATA = frozenset({"data", "lookups"})
"""Tables are left alone: their columns are asked for by row."""

CODE = "[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*"
"""A language such as `nl` or `pt-BR`."""


def in_language(values: Mapping[str, str], name: str, language: str) -> str | None:
    """A column of a row, in the language where that has it."""
    return (values.get(f"{name}@{language}") if language else None) or values.get(name)


def translated(node: Node, language: str, keep: Collection[str] = ()) -> Node:
    """The node with `key@nl` in the place of `key` when Dutch is asked for, and without any other translation.

    What stands under the keys of `keep` stays as it is.
    """
    if isinstance(node.value, list):
        return Node([translated(item, language, keep) for item in node.value], node.where)
    if not isinstance(node.value, dict):
        return node
    chosen = {key.partition("@")[0]: key for key in node.value if "@" not in key}
    chosen |= {
        name: key
        for key, value in node.value.items()
        for name, _, tongue in [key.partition("@")]
        if tongue and tongue == language and value.value is not None and value.value != ""
    }
    values = {
        name: node.value[key] if name in keep else translated(node.value[key], language, keep)
        for name, key in chosen.items()
    }
    return Node(values, node.where, {name: node.keys[key] for name, key in chosen.items() if key in node.keys})


def misplaced(node: Node, allowed: Collection[str] | None = None, keep: Collection[str] = ()) -> Iterator[Problem]:
    """Translations of nothing, into no language, or of what has none; anything in `keep` is passed over."""
    if isinstance(node.value, list):
        for item in node.value:
            yield from misplaced(item, allowed, keep)
    for key, value in node.value.items() if isinstance(node.value, dict) else ():
        if "@" in key:
            yield from _misplaced(key, node, allowed)
        if key not in keep:
            yield from misplaced(value, allowed, keep)


def _misplaced(key: str, node: Node, allowed: Collection[str] | None) -> Iterator[Problem]:
    name, _, tongue = key.partition("@")
    where = node.keys.get(key, node.where)
    if not re.fullmatch(CODE, tongue):
        yield Problem(where, f"{key}: {tongue!r} is no language", "a code after the @, such as nl or pt-BR")
    elif allowed is not None and name not in allowed:
        found = f"{key}: {name!r} is not translated"
        yield Problem(where, found, f"one of: {', '.join(sorted(allowed))}", nearest(name, allowed))
    elif node.find(name) is None:
        others = [other for other in node.keys if "@" not in other]
        yield Problem(
            where, f"{key}: there is no {name!r} that it translates", f"{name} beside it", nearest(name, others)
        )
