"""Parse YAML with line numbers, and choose translations (`title@nl` beside `title`).

Every scalar stays text as written; the field that reads it decides its type.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from generator.base.errors import PnpError, Problem, Reporter, Where, fail, nearest

# Limits against files that are small but expensive to read.
MAX_DEPTH = 60
MAX_PARTS = 100_000
Plain = str | list["Plain"] | dict[str, "Plain"] | None


@dataclass(frozen=True)
class Node:
    """A value of a YAML file with its place; `keys` holds the places of a mapping's keys."""

    value: "str | list[Node] | dict[str, Node] | None"
    where: Where
    keys: dict[str, Where] = field(default_factory=dict)

    def plain(self) -> Plain:
        """Return the value without positions."""
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        if isinstance(self.value, dict):
            return {key: item.plain() for key, item in self.value.items()}
        return self.value

    def find(self, *path: str | int) -> "Node | None":
        """Return the node at a path of keys and indices; None if there is none."""
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
        """Return the place of a path, or of the nearest enclosing node.

        For a wrong key, the key's own line.
        """
        node = self
        for step in path:
            child = node.find(step)
            if child is None:
                return node.keys.get(step, node.where) if isinstance(step, str) else node.where
            node = child
        return node.where

    def texts(self) -> "Iterator[Node]":
        """Yield all nodes inside this one that hold a text."""
        if isinstance(self.value, str):
            yield self
        elif self.value is not None:
            for item in self.value.values() if isinstance(self.value, dict) else self.value:
                yield from item.texts()

    def scalars(self) -> Iterator[str]:
        """Yield all texts inside this node."""
        yield from (str(node.value) for node in self.texts())


_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(text: str, file: str) -> Node:
    """Parse a YAML file; `file` is its name in messages.

    Raises `PnpError` if the text is not YAML.
    """
    try:
        _check_structure(text, file)
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        raise PnpError([_explain_error(error, text.splitlines(), file)]) from error
    except yaml.YAMLError as error:
        raise PnpError([Problem(Where(file), f"this is not YAML: {error}")]) from error
    if root is None:
        fail(Where(file), "the file is empty", hint="`pnp new` makes files to start from")
    report = Reporter()
    node = _convert(root, file, report)
    report.raise_any()
    return node


def _check_structure(text: str, file: str) -> None:
    """Raise `PnpError` for anchors, deep nesting and too many values, which could exhaust memory."""
    depth = 0
    texts: list[tuple[int, int]] = []
    for parts, event in enumerate(yaml.parse(text, Loader=_Loader)):
        where = _place_of(event.start_mark, file) if event.start_mark else Where(file)
        if parts > MAX_PARTS:
            fail(
                where,
                f"more than {MAX_PARTS} values and keys",
                "fewer in one file",
                "rows belong in a table",
            )
        if isinstance(event, yaml.ScalarEvent) and event.start_mark and event.end_mark:
            texts.append((event.start_mark.index, event.end_mark.index))
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            expected = "the value written out, or `include:` in a layout"
            fail(where, "YAML anchors and aliases are not supported", expected)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            fail(where, "nested too deeply", f"at most {MAX_DEPTH} levels")
    _check_colour_quotes(text, file, texts)


_COLOUR = re.compile(
    r"^[^\S\n]*[^#\s][^\n]*?[ \t](#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8}))(?![\w-])",
    re.MULTILINE,
)


def _check_colour_quotes(text: str, file: str, texts: list[tuple[int, int]]) -> None:
    """Raise `PnpError` for a colour without quotes: YAML reads ` #` as the start of a comment."""
    report = Reporter()
    for match in _COLOUR.finditer(text):
        at = match.start(1)
        if not any(start <= at < end for start, end in texts):
            line = text.count("\n", 0, at) + 1
            column = at - text.rfind("\n", 0, at)
            report.add(_unquoted_colour_problem(match[1], Where(file, line, column)))
    report.raise_any()


def _unquoted_colour_problem(colour: str, where: Where) -> Problem:
    found = f"{colour} has no quotes, so YAML reads it as a comment"
    return Problem(where, found, f'"{colour}", or the whole value in quotes')


NO_BLANK = re.compile(r"\s*(?:- )?([\w$-]+):[^\s:/]")


def _explain_error(error: Any, lines: list[str], file: str) -> Problem:
    """Return the parser's error in plain words, at the line of its cause."""
    mark = error.problem_mark or error.context_mark
    message = f"{error.context} {error.problem}"
    at = mark.line if mark else 0
    place = _place_of(mark, file) if mark else Where(file, 1)
    context_line = error.context_mark.line if error.context_mark else at
    for line in range(context_line, min(at + 1, len(lines))):
        colour_match = _COLOUR.match(lines[line])
        if (
            colour_match
            and not lines[line][: colour_match.start(1)].count('"') % 2
            and not lines[line].count("'") % 2
        ):
            return _unquoted_colour_problem(
                colour_match[1], Where(file, line + 1, colour_match.start(1) + 1)
            )
    for line in dict.fromkeys((context_line, at, at - 1)):
        match = (
            NO_BLANK.match(lines[line])
            if 0 <= line < len(lines) and "quoted" not in message
            else None
        )
        if match:
            return Problem(
                Where(file, line + 1, match.start(1) + 1),
                f"there is no space after the colon of {match[1]!r}",
                f"{match[1]}: …",
            )
    if "cannot start" in message and at < len(lines) and "\t" not in lines[at]:
        found = f"this is not YAML: {lines[at].strip()[:40]!r} cannot be read"
        return Problem(place, found, "quotes round a text that begins with @, % or `")
    if "flow mapping" in message and any("${" in line for line in lines[context_line : at + 1]):
        found = "this is not YAML: a `${…}` between braces has no quotes"
        return Problem(
            Where(file, context_line + 1), found, 'quotes round it: {fill: "${kind.colour}"}'
        )
    for sign, is_begun, found, expected in _YAML_SLIPS:
        if sign in message:
            begun = _place_of(error.context_mark, file) if error.context_mark else place
            return Problem(begun if is_begun else place, f"this is not YAML: {found}", expected)
    return Problem(place, f"this is not YAML: {error.problem}")


_YAML_SLIPS = (
    ("tab character", False, "there is a tab here", "blanks: indent with spaces, not tabs"),
    (
        "quoted scalar",
        True,
        "a quote that is opened here is not closed",
        "the same quote at the end of the text",
    ),
    ("cannot start", False, "there is a tab here", "blanks: indent with spaces, not tabs"),
    (
        "flow sequence",
        True,
        "a bracket that is opened here is not closed",
        "`]`, and commas between the items",
    ),
    (
        "flow mapping",
        True,
        "a brace that is opened here is not closed",
        "`}`, and commas between the keys",
    ),
    (
        "mapping values",
        False,
        "there are two colons in this line",
        "quotes round a text that contains a colon",
    ),
    ("alphabetic or numeric", False, "a text cannot begin with `*` or `&`", "quotes round it"),
    ("undefined alias", False, "a text cannot begin with `*`", "quotes round it"),
    (
        "block mapping",
        False,
        "this line is not indented as those above it",
        "keys of one part in one column",
    ),
    (
        "block collection",
        False,
        "this line is not indented as those above it",
        "dashes of one list in one column",
    ),
    ("expected ':'", True, "a key without a colon", "`key: value`"),
)
"""Rows of: a part of the parser's message.

True to report the line where the construct begins; found; expected.
"""


def _place_of(mark: Any, file: str) -> Where:
    return Where(file, mark.line + 1, mark.column + 1)


def _convert(node: Any, file: str, report: Reporter) -> Node:
    where = _place_of(node.start_mark, file)
    if isinstance(node, yaml.MappingNode):
        return _convert_mapping(node, where, report)
    if isinstance(node, yaml.SequenceNode):
        return Node([_convert(item, file, report) for item in node.value], where)
    # For an empty plain scalar, PyYAML's C loader gives "" and its Python loader None.
    empty = node.value == "" and not node.style
    return Node(None if empty else node.value, where)


def _convert_mapping(node: Any, where: Where, report: Reporter) -> Node:
    values: dict[str, Node] = {}
    keys: dict[str, Where] = {}
    for key, value in node.value:
        place = _place_of(key.start_mark, where.file)
        if not isinstance(key, yaml.ScalarNode):
            report.add_problem(place, "a key must be a single word")
            continue
        if key.value in values:
            first = f"the first is in line {keys[key.value].line}"
            report.add_problem(
                place, f"{key.value}: this key is given twice", "each key once", first
            )
        values[key.value] = _convert(value, where.file, report)
        keys[key.value] = place
    return Node(values, where, keys)


TRANSLATED = ("cover", "credits", "name", "needs", "title")
"""The keys of `game.yaml` that may be translated."""

DATA = frozenset({"data", "lookups"})
"""Keys that hold tables, whose translated columns are chosen row by row."""

CODE = "[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*"
"""A language such as `nl` or `pt-BR`."""


def in_language(values: Mapping[str, str], name: str, language: str) -> str | None:
    """Return a row's column, in the given language if the row has a translation."""
    return (values.get(f"{name}@{language}") if language else None) or values.get(name)


def translate(node: Node, language: str, keep: Collection[str] = ()) -> Node:
    """Return the node with `key@nl` in place of `key` for language `nl`, and without other translations.

    The values of keys in `keep` stay unchanged.
    """
    if isinstance(node.value, list):
        return Node([translate(item, language, keep) for item in node.value], node.where)
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
        name: node.value[key] if name in keep else translate(node.value[key], language, keep)
        for name, key in chosen.items()
    }
    return Node(
        values,
        node.where,
        {name: node.keys[key] for name, key in chosen.items() if key in node.keys},
    )


def find_misplaced_keys(
    node: Node, allowed: Collection[str] | None = None, keep: Collection[str] = ()
) -> Iterator[Problem]:
    """Yield a problem for each translation with an invalid language, no original, or a key without translations.

    The values of keys in `keep` are not searched.
    """
    if isinstance(node.value, list):
        for item in node.value:
            yield from find_misplaced_keys(item, allowed, keep)
    for key, value in node.value.items() if isinstance(node.value, dict) else ():
        if "@" in key:
            yield from _check_translated_key(key, node, allowed)
        if key not in keep:
            yield from find_misplaced_keys(value, allowed, keep)


def _check_translated_key(
    key: str, node: Node, allowed: Collection[str] | None
) -> Iterator[Problem]:
    name, _, tongue = key.partition("@")
    where = node.keys.get(key, node.where)
    if not re.fullmatch(CODE, tongue):
        yield Problem(
            where, f"{key}: {tongue!r} is not a language", "a code after the @, such as nl or pt-BR"
        )
    elif allowed is not None and name not in allowed:
        found = f"{key}: {name!r} is not translated"
        yield Problem(where, found, f"one of: {', '.join(sorted(allowed))}", nearest(name, allowed))
    elif node.find(name) is None:
        others = [other for other in node.keys if "@" not in other]
        yield Problem(
            where,
            f"{key}: there is no {name!r} that it translates",
            f"{name} next to it",
            nearest(name, others),
        )
