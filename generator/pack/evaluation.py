"""Evaluate expressions: infer the kind of a value, and compute the value for a row."""

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

_CONVERTERS: dict[ValueKind, Callable[[Value], Value]] = {
    CELL: lambda value: value,
    TEXT: as_text,
    NUMBER: as_number,
    TRUTH: as_truth,
    LIST: as_list,
}
_ACCEPTED_KINDS = {
    CELL: {CELL, TEXT, NUMBER, TRUTH, LIST},
    TEXT: {CELL, TEXT, NUMBER},
    NUMBER: {CELL, NUMBER},
    TRUTH: {CELL, TEXT, NUMBER, TRUTH, LIST},
    LIST: {CELL, TEXT, LIST},
}
"""The kinds of values that are accepted where a kind is required."""

_EMPTY_OR_NUMBERS = {"<", ">", "<=", ">="}
"""Comparisons that accept an empty cell; the result is then false."""


class WrongCell(Wrong):
    """An error that is caused by a column of the table rather than by the place that uses the column."""

    def __init__(self, column: str, found: str, expected: str = "", hint: str = "") -> None:
        super().__init__(found, expected, hint)
        self.column = column


KindOf = Callable[[str], ValueKind | None]
"""Returns the kind of a column, or None for a name that is not a column."""


def kind_of(expression: Expression, names: KindOf) -> ValueKind:
    """Return the kind of an expression's value.

    Raises `Wrong` if a function is given a kind that it does not accept, or if an unquoted word is also a column.
    """
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
        if kind not in _ACCEPTED_KINDS[wanted]:
            hint = "join(list, sign) makes a text of a list" if kind is LIST else ""
            raise Wrong(f"{expression.function!r} is given {kind}", str(wanted), hint)
    if expression.function in {"|", "if"}:
        return kinds[-1] if kinds[-1] == kinds[-2] else CELL
    return function.gives


def named_in(expression: Expression) -> Iterator[str]:
    """Yield the names that an expression reads."""
    if isinstance(expression, Named):
        yield expression.name
    elif isinstance(expression, Applied):
        for part in expression.given:
            yield from named_in(part)


# 2,000 steps take well below a millisecond, so a table of thousands of rows still loads in seconds.
MAX_STEPS_PER_ROW = 2_000
CHARACTERS_PER_STEP = 100
"""Number of characters of a text that cost one step, like one item of a list."""


def value_of(expression: Expression, names: Callable[[str], Value]) -> Value:
    """Return the value of an expression, with `names` giving the value of each name."""
    return Evaluation(names).value(expression)


@dataclass
class Evaluation:
    """The evaluation of one expression for one row, which counts its steps to stay bounded."""

    names: Callable[[str], Value]
    steps: int = 0

    def value(self, expression: Expression) -> Value:
        """Return the value of an expression or of a part of one."""
        if isinstance(expression, Constant):
            return expression.value
        if isinstance(expression, Named):
            return self.names(expression.name)
        if (early := self._value_if_lazy(expression)) is not None:
            return early
        name = expression.function
        given = expression.given
        function = FUNCTIONS[name]
        values = [self.value(part) for part in given]
        passed = {""} if name in _EMPTY_OR_NUMBERS else set()
        values = [
            value if value in passed else _convert(value, function.kind_at(at), given[at], name)
            for at, value in enumerate(values)
        ]
        self._count_steps(values)
        return function.apply(*values)

    def _count_steps(self, values: Iterable[Value]) -> None:
        self.steps += 1 + sum(map(_cost, values))
        if self.steps > MAX_STEPS_PER_ROW:
            found = "evaluating this takes too long"
            raise Wrong(
                found,
                f"at most {MAX_STEPS_PER_ROW} steps, of which each item of a list is one",
                "split it into columns",
            )

    def _value_if_lazy(self, expression: Applied) -> Value | None:
        """Return the value of `and`, `or`, `if` and `|`, which evaluate only the operands that they need.

        None for every other function. So `cost and 6 / cost` never divides by 0.
        """
        name = expression.function
        given = expression.given
        if name in {"and", "or"}:
            first = as_truth(self.value(given[0]))
            return as_truth(self.value(given[1])) if first is (name == "and") else first
        if name == "if":
            return self.value(given[1] if as_truth(self.value(given[0])) else given[2])
        if name == "|":
            value = self.value(given[0])
            return self.value(given[1]) if as_text(value).strip() == "" else value
        return None


def _cost(value: Value) -> int:
    """Return the steps that a value costs."""
    return (
        len(value) // CHARACTERS_PER_STEP if isinstance(value, str) else len(value) if isinstance(value, tuple) else 0
    )


def _convert(value: Value, kind: ValueKind, part: Expression, function: str) -> Value:
    """Convert a value to a kind; raise `WrongCell` with the column if the value comes straight from one."""
    try:
        return _CONVERTERS[kind](value)
    except Wrong as wrong:
        if isinstance(part, Named):
            joined = "`&` joins two texts" if function == "+" and value else ""
            hint = wrong.hint.replace("(name |", f"({part.name} |") or joined
            raise WrongCell(part.name, wrong.found, wrong.expected, hint) from None
        raise
