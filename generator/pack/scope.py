"""Fill `$name` and `${…}` in a pack's texts from the row, its lookups and the pack.

The text between braces is a name (`${Card name}`) or an expression, which `expressions.py` parses
and evaluates. `$$` is a dollar sign.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from generator.base.errors import InvalidValueError, unknown
from generator.pack.expression_functions import Value, ValueKind, as_list, as_text, as_truth
from generator.pack.expressions import (
    Expression,
    InvalidCellError,
    evaluate,
    kind_of,
    named_in,
    parse_expression,
    parse_list,
)
from generator.pack.yaml_nodes import in_language

_NAME = re.compile(
    r"\$(?:(?P<dollar>\$)|(?P<bare>[A-Za-z_]\w*)|\{(?P<braced>[^{}]*)\}|(?P<stray>))"
)


@dataclass(frozen=True)
class Lookup:
    """A lookup table: `${kind.colour}` is the column `colour` of the row whose key is in the column `source`.

    With `many`, several rows share a key, and `each:` repeats a group for them.
    """

    name: str
    source: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Mapping[str, str], ...]]
    many: bool = False

    def row_of(self, key: str) -> Mapping[str, str]:
        """Return the row of a key; for an empty key, a row of empty cells.

        Raises `InvalidCellError` for an unknown key, and `InvalidValueError` if several rows share
        keys.
        """
        if self.many:
            raise InvalidValueError(
                f"several rows of {self.name!r} belong to one",
                f"`each: item in {self.name}`, and ${{item.…}}",
            )
        if not key:
            return dict.fromkeys(self.columns, "")
        if key not in self.rows:
            wrong = unknown("value", key, self.rows, f"the table {self.name!r}")
            parts = as_list(key)
            several = len(parts) > 1 and all(part in self.rows for part in parts)
            hint = (
                f"for several of them: `each: {self.name} in {self.source}`"
                if several
                else wrong.hint
            )
            raise InvalidCellError(self.source, wrong.found, wrong.expected, hint)
        return self.rows[key][0]


@dataclass(frozen=True)
class Scope:
    """The meaning of names: a row, values computed from it or passed to a layout, lookups, and the pack.

    `inner` takes precedence over all others; `kinds` holds the kinds of its values where known.
    """

    row: Mapping[str, str]
    pack: Mapping[str, str]
    language: str = ""
    lookups: Mapping[str, Lookup] = field(default_factory=dict)
    inner: Mapping[str, Value] = field(default_factory=dict)
    kinds: Mapping[str, ValueKind] = field(default_factory=dict)
    checked: set[tuple[str, tuple[str, ...]]] = field(default_factory=set, compare=False)
    """Expressions that passed `check`, with the inner names in scope.

    Shared by all rows of a table.
    """
    place: tuple[str, ...] = ()
    """The place in the pack whose random numbers are drawn: seed, component, design, column or layer."""

    def for_row(self, row: Mapping[str, str], computed: Mapping[str, Value]) -> "Scope":
        """Return this scope for a row and its computed values."""
        return replace(self, row=row, inner={**self.inner, **computed})

    def at(self, *words: str) -> "Scope":
        """Return this scope for a place within its own place."""
        return replace(self, place=(*self.place, *words))

    def with_names(
        self, names: Mapping[str, Value], kinds: Mapping[str, ValueKind] | None = None
    ) -> "Scope":
        """Return this scope with more names, which take precedence."""
        return replace(self, inner={**self.inner, **names}, kinds={**self.kinds, **(kinds or {})})

    def value(self, name: str) -> Value:
        """Return the value of a name.

        A column `name@nl` takes precedence if the language is `nl`.
        """
        if name in self.inner:
            return self.inner[name]
        cell = in_language(self.row, name, self.language)
        if cell is not None:
            return cell
        head, dot, column = name.partition(".")
        if dot and head in self.lookups:
            return self._look_up(self.lookups[head], column)
        if name in self.pack:
            return self.pack[name]
        raise self._unknown_name(name)

    def _look_up(self, lookup: Lookup, column: str) -> str:
        if column not in lookup.columns:
            raise unknown(
                "column",
                column,
                (c for c in lookup.columns if "@" not in c),
                f"the table {lookup.name!r}",
            )
        source = lookup.name if lookup.name in self.inner else lookup.source
        row = lookup.row_of(as_text(self.value(source)).strip())
        return in_language(row, column, self.language) or ""

    def _unknown_name(self, name: str) -> InvalidValueError:
        tables = (
            f"{table}.{column}"
            for table, lookup in self.lookups.items()
            for column in lookup.columns
        )
        every = {**self.row, **self.pack, **self.inner, **dict.fromkeys(tables)}
        wrong = unknown("name", f"${name}", (_with_dollar(key) for key in every if "@" not in key))
        longer = [key for key in self.row if key.lower().startswith(f"{name} ".lower())]
        if longer:
            return InvalidValueError(
                wrong.found, wrong.expected, f"did you mean '${{{longer[0]}}}'?"
            )
        parts = name.split("-")
        if len(parts) > 1 and all(part in every or part.isdigit() for part in parts):
            return InvalidValueError(
                wrong.found, wrong.expected, f"a minus has blanks round it: {' - '.join(parts)}"
            )
        return wrong

    def knows(self, name: str) -> bool:
        """Return True if a name is a column, an inner name or a name of the pack."""
        return name in self.inner or name in self.row or name in self.pack

    def kind(self, name: str) -> ValueKind | None:
        """Return the kind of a column or an inner name; None for other names."""
        if name in self.inner:
            return self.kinds.get(name, ValueKind.CELL)
        return ValueKind.CELL if name in self.row else None

    def evaluate(self, text: str, index: int = 0) -> Value:
        """Return the value of an expression, the one at an index within a text.

        Names and kinds are checked on first use.
        """
        return self._checked_value(text, parse_expression(text), index)

    def evaluate_list(self, text: str) -> Value:
        """Return the value of the list of `each:`, in which bracketed words stand for themselves."""
        return self._checked_value(f"each {text}", parse_list(text))

    def _checked_value(self, text: str, expression: Expression, index: int = 0) -> Value:
        self.check(text, expression)
        return evaluate(expression, self.value, (*self.place, text, str(index)))

    def check(self, text: str, expression: Expression) -> ValueKind | None:
        """Raise `InvalidValueError` for unknown names and for kinds that do not fit.

        Each text is checked once.
        """
        key = (text, tuple(self.inner))
        if key in self.checked:
            return None
        for name in named_in(expression):
            self._check_name(name, text)
        kind = kind_of(expression, self.kind)
        self.checked.add(key)
        return kind

    def _check_name(self, name: str, text: str) -> None:
        head, _, column = name.partition(".")
        lookup = self.lookups.get(head)
        if self.knows(name) or (lookup and column in lookup.columns):
            return
        try:
            self.value(name)
        except InvalidValueError as wrong:
            several = f"`kind in (fire, {name})`" if " or " in text else "a word to the right of ="
            hint = f"this is read as a name; put a word in quotes, '{name}', or as {several}"
            hint = "" if wrong.hint and text == name else hint
            hint = (
                f"there is no table {head!r} under `lookups:`"
                if column and lookup is None
                else hint
            )
            raise InvalidValueError(
                wrong.found, wrong.expected, "\n  ".join(filter(None, (wrong.hint, hint)))
            ) from None

    def fill(self, text: str) -> str:
        """Return the text with every name and expression replaced by its value."""
        if "$" not in text:
            return text
        return "".join(
            part if isinstance(part, str) else self._fill_hole(part, index)
            for index, part in enumerate(_split_text(text))
        )

    def _fill_hole(self, part: "_Hole", index: int) -> str:
        value = (
            self.value(part.text)
            if part.is_braceless or self.knows(part.text)
            else self.evaluate(part.text, index)
        )
        return value if isinstance(value, str) else as_text(value)

    def holds(self, condition: str) -> bool:
        """Return True if a condition of `when:` is true."""
        return as_truth(self._checked_value(condition, _parse_condition(condition)))


@lru_cache(maxsize=4096)
def _parse_condition(text: str) -> Expression:
    """Parse a condition.

    Raise `InvalidValueError` with examples if it is malformed or reads no name.
    """
    try:
        expression = parse_expression(text)
    except InvalidValueError as wrong:
        examples = "a column, or `not sold`, `kind = fire and cost > 2`, `kind in (fire, ice)`, `text is empty`"
        raise InvalidValueError(
            f"{text!r} is not a condition: {wrong.found}", wrong.expected or examples, wrong.hint
        ) from None
    if not any(named_in(expression)) and text not in {"true", "false"}:
        reads = f"{text!r} reads no column, so it is the same for every row"
        raise InvalidValueError(reads, "a condition that reads a column, such as `kind = fire`")
    return expression


@dataclass(frozen=True)
class _Hole:
    """A place to fill: a bare name, or the text between braces."""

    text: str
    is_braceless: bool


@lru_cache(maxsize=8192)
def _split_text(text: str) -> tuple[str | _Hole, ...]:
    """Split a text into literal parts and holes."""
    return tuple(_iterate_parts(text))


def _iterate_parts(text: str) -> Iterator[str | _Hole]:
    at = 0
    for match in _NAME.finditer(text):
        if match.start() > at:
            yield text[at : match.start()]
        yield "$" if match["dollar"] else _Hole(_hole_name(match), bool(match["bare"]))
        at = match.end()
    yield text[at:]


def names_in(text: str) -> tuple[str, ...]:
    """Return the names that a text reads, directly and in its expressions."""
    names: list[str] = []
    for match in _NAME.finditer(text):
        name = match["bare"] or (match["braced"] or "").strip()
        try:
            inner_names = named_in(parse_expression(name)) if name and not match["bare"] else ()
        except InvalidValueError:
            inner_names = ()
        names += dict.fromkeys((*([name] if name else []), *inner_names))
    return tuple(names)


def _with_dollar(name: str) -> str:
    """Return a name as a pack writes it, with braces if it is more than a word."""
    return f"${name}" if _NAME.fullmatch(f"${name}") else f"${{{name}}}"


def _hole_name(match: re.Match[str]) -> str:
    name = match["bare"] or (match["braced"] or "").strip()
    if not name:
        after = match.string[match.end() :]
        closing = after.find({"(": ")", "{": "}"}.get(after[:1], " "))
        intended = after[1 : closing if closing > 0 else None].split(" ")[0]
        hint = (
            f"did you mean '${{{intended}}}'?"
            if after[:1] in {"(", "{"} and intended.isidentifier()
            else ""
        )
        raise InvalidValueError("a lone $", "a name after it, or $$ for a dollar sign", hint)
    return name
