"""Expressions worked out: which kind of value comes of one, and which value for a row."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from generator.core.problems import Wrong
from generator.pack.expression import Applied, Constant, Expression, Named
from generator.pack.functions import (
    FUNCTIONS,
    Value,
    ValueKind,
    as_list,
    as_number,
    as_text,
    as_truth,
)

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

_EMPTY_OR_NUMBERS = {"<", ">", "<=", ">="}
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
        passed = {""} if name in _EMPTY_OR_NUMBERS else set()
        values = [
            value if value in passed else _read(value, function.kind_at(at), given[at], name)
            for at, value in enumerate(values)
        ]
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
