"""What names and `${…}` mean in a pack's texts: read from the row, its tables, then the pack. `$$` is a dollar.

A name may be a text of its own (`${Card name}`), or what stands between the braces is an expression.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from generator.core.problems import Wrong, unknown
from generator.pack.evaluation import WrongCell, kind_of, named_in, value_of
from generator.pack.expression import Expression, parse, parse_list
from generator.pack.functions import Value, ValueKind, as_list, as_text, as_truth
from generator.pack.source import in_language

_NAME = re.compile(r"\$(?:(?P<dollar>\$)|(?P<bare>[A-Za-z_]\w*)|\{(?P<braced>[^{}]*)\}|(?P<stray>))")


@dataclass(frozen=True)
class Lookup:
    """A table in which a row looks things up: `${kind.colour}` is the colour of what stands in its column `source`.

    With `many`, several of its rows belong to one; `each:` goes through them.
    """

    name: str
    source: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[Mapping[str, str], ...]]
    many: bool = False

    def row_of(self, key: str) -> Mapping[str, str]:
        """The row of a value; without a value there is none, and everything in it is empty."""
        if self.many:
            raise Wrong(f"several rows of {self.name!r} belong to one", f"`each: item in {self.name}`, and ${{item.…}}")
        if not key:
            return dict.fromkeys(self.columns, "")
        if key not in self.rows:
            wrong = unknown("value", key, self.rows, f"the table {self.name!r}")
            parts = as_list(key)
            several = len(parts) > 1 and all(part in self.rows for part in parts)
            hint = f"for several of them: `each: {self.name} in {self.source}`" if several else wrong.hint
            raise WrongCell(self.source, wrong.found, wrong.expected, hint)
        return self.rows[key][0]


@dataclass(frozen=True)
class Scope:
    """What names mean: a row of data, what is computed of it or given to a part of a layout, tables, and the pack.

    `inner` goes before all; in `kinds` are the kinds of its values, where they are known.
    """

    row: Mapping[str, str]
    pack: Mapping[str, str]
    language: str = ""
    lookups: Mapping[str, Lookup] = field(default_factory=dict)
    inner: Mapping[str, Value] = field(default_factory=dict)
    kinds: Mapping[str, ValueKind] = field(default_factory=dict)
    checked: set[tuple[str, tuple[str, ...]]] = field(default_factory=set, compare=False)
    """Which expressions were found to fit together, with which inner names: for all rows of a table at once."""

    def of(self, row: Mapping[str, str], computed: Mapping[str, Value]) -> "Scope":
        """The same for a row, and what is computed of it."""
        return replace(self, row=row, inner={**self.inner, **computed})

    def with_names(self, names: Mapping[str, Value], kinds: Mapping[str, ValueKind] | None = None) -> "Scope":
        """The same with more names, which go before all others."""
        return replace(self, inner={**self.inner, **names}, kinds={**self.kinds, **(kinds or {})})

    def value(self, name: str) -> Value:
        """What a name stands for; a column `name@nl` goes before `name` when Dutch is asked for."""
        if name in self.inner:
            return self.inner[name]
        found = in_language(self.row, name, self.language)
        if found is not None:
            return found
        head, dot, column = name.partition(".")
        if dot and head in self.lookups:
            return self._looked_up(self.lookups[head], column)
        if name in self.pack:
            return self.pack[name]
        raise self._unknown(name)

    def _looked_up(self, lookup: Lookup, column: str) -> str:
        if column not in lookup.columns:
            raise unknown("column", column, (c for c in lookup.columns if "@" not in c), f"the table {lookup.name!r}")
        source = lookup.name if lookup.name in self.inner else lookup.source
        row = lookup.row_of(as_text(self.value(source)).strip())
        return in_language(row, column, self.language) or ""

    def _unknown(self, name: str) -> Wrong:
        tables = (f"{table}.{column}" for table, lookup in self.lookups.items() for column in lookup.columns)
        every = {**self.row, **self.pack, **self.inner, **dict.fromkeys(tables)}
        wrong = unknown("name", f"${name}", (_written(key) for key in every if "@" not in key))
        longer = [key for key in self.row if key.lower().startswith(f"{name} ".lower())]
        if longer:
            return Wrong(wrong.found, wrong.expected, f"did you mean '${{{longer[0]}}}'?")
        parts = name.split("-")
        if len(parts) > 1 and all(part in every or part.isdigit() for part in parts):
            return Wrong(wrong.found, wrong.expected, f"a minus has blanks round it: {' - '.join(parts)}")
        return wrong

    def knows(self, name: str) -> bool:
        """Whether a name is one of the row's, of what is given inside, or of the pack."""
        return name in self.inner or name in self.row or name in self.pack

    def kind(self, name: str) -> ValueKind | None:
        """The kind of a column or of what is given inside; nothing where a name is neither."""
        if name in self.inner:
            return self.kinds.get(name, ValueKind.CELL)
        return ValueKind.CELL if name in self.row else None

    def work_out(self, text: str) -> Value:
        """The value of an expression, whose kinds are checked before it is worked out for the first time."""
        return self._worth(text, parse(text))

    def work_out_list(self, text: str) -> Value:
        """The same of what `each:` goes through: words between brackets stand for themselves."""
        return self._worth(f"each {text}", parse_list(text))

    def _worth(self, text: str, expression: Expression) -> Value:
        self.check(text, expression)
        return value_of(expression, self.value)

    def check(self, text: str, expression: Expression) -> ValueKind | None:
        """Raise for names that there are none of, and for kinds that do not fit; once for a text."""
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
        except Wrong as wrong:
            several = f"`kind in (fire, {name})`" if " or " in text else "a word to the right of ="
            hint = f"a name is read here; a word stands in quotes, '{name}', or as {several}"
            hint = "" if wrong.hint and text == name else hint
            hint = f"there is no table {head!r} under `lookups:`" if column and lookup is None else hint
            raise Wrong(wrong.found, wrong.expected, "\n  ".join(filter(None, (wrong.hint, hint)))) from None

    def fill(self, text: str) -> str:
        """The text with every name replaced by its value, and every expression by what comes of it."""
        if "$" not in text:
            return text
        return "".join(part if isinstance(part, str) else self._filled(part) for part in _parts(text))

    def _filled(self, part: "_Hole") -> str:
        value = self.value(part.text) if part.bare or self.knows(part.text) else self.work_out(part.text)
        return value if isinstance(value, str) else as_text(value)

    def holds(self, condition: str) -> bool:
        """Whether a condition of `when:` is true."""
        return as_truth(self._worth(condition, _condition(condition)))


@lru_cache(maxsize=4096)
def _condition(text: str) -> Expression:
    """The tree of a condition; raises `Wrong` with examples where it is none."""
    try:
        found = parse(text)
    except Wrong as wrong:
        examples = "a column, or `not sold`, `kind = fire and cost > 2`, `kind in (fire, ice)`, `text is empty`"
        raise Wrong(f"{text!r} is no condition: {wrong.found}", wrong.expected or examples, wrong.hint) from None
    if not any(named_in(found)) and text not in {"true", "false"}:
        reads = f"{text!r} reads nothing, and is the same for every row"
        raise Wrong(reads, "a column, such as `kind = fire`, with quotes round a word alone")
    return found


@dataclass(frozen=True)
class _Hole:
    """What is filled in: a bare name, or what stands between braces."""

    text: str
    bare: bool


@lru_cache(maxsize=8192)
def _parts(text: str) -> tuple[str | _Hole, ...]:
    """A text taken apart into what stays and what is filled in."""
    return tuple(_taken_apart(text))


def _taken_apart(text: str) -> Iterator[str | _Hole]:
    at = 0
    for match in _NAME.finditer(text):
        if match.start() > at:
            yield text[at : match.start()]
        yield "$" if match["dollar"] else _Hole(_name(match), bool(match["bare"]))
        at = match.end()
    yield text[at:]


def names_in(text: str) -> tuple[str, ...]:
    """The names that a text reads: those that stand for themselves, and those in its expressions."""
    found: list[str] = []
    for match in _NAME.finditer(text):
        name = match["bare"] or (match["braced"] or "").strip()
        try:
            inside = named_in(parse(name)) if name and not match["bare"] else ()
        except Wrong:
            inside = ()
        found += dict.fromkeys((*([name] if name else []), *inside))
    return tuple(found)


def _written(name: str) -> str:
    """How a name is written in a pack: with braces where it is more than a word."""
    return f"${name}" if _NAME.fullmatch(f"${name}") else f"${{{name}}}"


def _name(match: re.Match[str]) -> str:
    name = match["bare"] or (match["braced"] or "").strip()
    if not name:
        rest = match.string[match.end() :]
        closing = rest.find({"(": ")", "{": "}"}.get(rest[:1], " "))
        meant = rest[1 : closing if closing > 0 else None].split(" ")[0]
        hint = f"did you mean '${{{meant}}}'?" if rest[:1] in {"(", "{"} and meant.isidentifier() else ""
        raise Wrong("a lone $", "a name after it, or $$ for a dollar sign", hint)
    return name
