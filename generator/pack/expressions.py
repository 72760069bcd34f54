"""Expressions, such as `cost > 2 and kind = fire`: parsed, checked for kinds, and evaluated for a row.

`expression_functions.py` has the functions and operators, `scope.py` the meaning of names.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from generator.base.errors import InvalidValueError, nearest
from generator.pack import foreign_notations
from generator.pack.expression_functions import (
    FUNCTIONS,
    Value,
    ValueKind,
    as_list,
    as_number,
    as_text,
    as_truth,
)

# Limits that keep parsing and evaluation fast and the recursion far from Python's limit of 1,000
# frames.
MAX_CHARACTERS = 1000
MAX_TOKENS = 120
MAX_DEPTH = 40

KEYWORDS = ("and", "or", "not", "in", "contains", "is", "true", "false")

_BLANK = re.compile(r"\s*")
_TOKEN = re.compile(
    r"""(?P<text>"[^"]*"|'[^']*')
    |(?P<number>(?>\d+(?:\.\d+)?)(?!\w))
    |(?P<name>\$(?:\w+(?:[-.]\w+)*|\{[^{}]*\}))
    |(?P<word>\w+(?:[-.]\w+)*)
    |(?P<sign>==|!=|<>|<=|>=|[-=<>&+*/%(),|])""",
    re.VERBOSE,
)
# Unquoted words up to a bracket, comma, bar, `and` or `or`. `*?` and `??` are lazy, so that the
# words end at the first place that the lookahead accepts.
_UNQUOTED = re.compile(
    r"(?!not\s|true\b|false\b|-\s*[\d($])[^\s\"'$(),|](?:[^(),|]*?[^\s(),|])??(?=\s*(?:$|[),|])|\s+(?:and|or)\s)"
)
_OPERATOR_WITHIN = re.compile(r"\s(?:[-&+*/%<>]|[=!<>]?=|in|contains|is)\s")
"""Operators that make the right side of a comparison an expression instead of a literal."""

_SIGNS = {"==": "=", "<>": "!="}
OPERATORS = "an operator between two values: = != < <= > >= + - * / % & | and or in contains"
_COMPARED = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Constant:
    """A number, a text or a truth value.

    `is_unquoted` marks an unquoted word, which must not be a column's name.
    """

    value: str | float | bool
    is_unquoted: bool = False


@dataclass(frozen=True)
class Named:
    """A reference to a column, to a lookup of a column (`kind.colour`), or to a name of the pack."""

    name: str


@dataclass(frozen=True)
class Applied:
    """A function or an operator of `FUNCTIONS`, and its arguments."""

    function: str
    arguments: "tuple[Expression, ...]"


Expression = Constant | Named | Applied


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> Expression:
    """Parse an expression.

    Raise `InvalidValueError` with the expected notation if it is malformed.
    """
    if len(text) > MAX_CHARACTERS:
        raise InvalidValueError(
            f"an expression of {len(text)} characters",
            f"at most {MAX_CHARACTERS}",
            "split it into several columns",
        )
    return _Parser(text).expression_to_end()


@lru_cache(maxsize=1024)
def parse_list(text: str) -> Expression:
    """Parse the list of `each:`, which may also be bare words in brackets: `(fire, ice)`."""
    return (
        _Parser(text).list_or_expression()
        if text.startswith("(") and len(text) <= MAX_CHARACTERS
        else parse_expression(text)
    )


@dataclass(frozen=True)
class _Token:
    """A token of an expression, and the index at which it begins."""

    kind: str
    text: str
    start: int


class _Parser:
    """A recursive-descent parser; each method parses the grammar rule that it is named after."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.token_count = 0

    def expression_to_end(self) -> Expression:
        expression = self.default()
        token = self.peek()
        if token.kind != "end":
            self.fail(token, OPERATORS)
        return expression

    def peek(self) -> _Token:
        blank = _BLANK.match(self.text, self.at)
        start = blank.end() if blank else self.at
        if start == len(self.text):
            return _Token("end", "", start)
        match = _TOKEN.match(self.text, start)
        if match is None:
            sign = self.text[start]
            what = foreign_notations.SIGNS.get(sign, "put a text in quotes")
            raise InvalidValueError(
                f"{sign!r} in {self.text!r} cannot be read",
                "names, numbers, words and operators",
                what,
            )
        return _Token(str(match.lastgroup), match[0], start)

    def take(self) -> _Token:
        token = self.peek()
        self.at = token.start + len(token.text)
        self.token_count += 1
        if self.token_count > MAX_TOKENS:
            raise InvalidValueError(
                f"{self.text[:40]!r}… has too many parts",
                f"at most {MAX_TOKENS}",
                "split it into several columns",
            )
        return token

    @contextmanager
    def deeper(self) -> Iterator[None]:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise InvalidValueError(
                f"{self.text[:40]!r}… is nested too deeply", f"at most {MAX_DEPTH} levels", ""
            )
        yield
        self.depth -= 1

    def accept(self, *words: str) -> str:
        """Consume and return the next token if it is one of these signs or keywords.

        Otherwise return "".
        """
        token = self.peek()
        found = _SIGNS.get(token.text, token.text)
        if token.kind in {"sign", "word"} and found in words:
            self.take()
            return found
        return ""

    def expect(self, sign: str) -> None:
        if not self.accept(sign):
            self.fail(self.peek(), f"{sign!r}")

    def fail(self, token: _Token, expected: str) -> None:
        place = (
            f"{token.text!r} in {self.text!r}" if token.text else f"{self.text!r} ends too early"
        )
        is_keyword = token.text.lower() in KEYWORDS and token.text not in KEYWORDS
        hint = (
            nearest(token.text, KEYWORDS)
            if is_keyword
            else foreign_notations.hint_of(self.text, token.text, token.start)
        )
        raise InvalidValueError(
            f"{place} is not allowed here" if token.text else place, expected, hint
        )

    def default(self) -> Expression:
        expression = self.disjunction()
        while self.accept("|"):
            expression = Applied("|", (expression, self.unquoted() or self.disjunction()))
        return expression

    def disjunction(self) -> Expression:
        expression = self.conjunction()
        while self.accept("or"):
            expression = Applied("or", (expression, self.conjunction()))
        return expression

    def conjunction(self) -> Expression:
        expression = self.inversion()
        while self.accept("and"):
            expression = Applied("and", (expression, self.inversion()))
        return expression

    def inversion(self) -> Expression:
        if self.accept("not"):
            with self.deeper():
                return Applied("not", (self.inversion(),))
        return self.comparison()

    def comparison(self) -> Expression:
        left = self.concatenation()
        if sign := self.accept(*_COMPARED):
            return Applied(
                sign,
                (left, (self.unquoted() if sign in {"=", "!="} else None) or self.concatenation()),
            )
        if self.accept("is"):
            return self._is(left)
        start = self.at
        is_negated = bool(self.accept("not"))
        if self.accept("in"):
            expression = Applied("in", (left, self.list_operand()))
        elif self.accept("contains"):
            expression = Applied("contains", (left, self.unquoted() or self.concatenation()))
        else:
            self.at = start
            return left
        return Applied("not", (expression,)) if is_negated else expression

    def _is(self, left: Expression) -> Expression:
        is_negated = bool(self.accept("not"))
        if not self.accept("empty"):
            self.fail(self.peek(), "`is empty` or `is not empty`; `=` compares with a value")
        expression = Applied("empty", (left,))
        return Applied("not", (expression,)) if is_negated else expression

    def list_or_expression(self) -> Expression:
        """Parse a whole text that is a bracketed list; any other text as an ordinary expression."""
        operand = self.list_operand()
        is_list = (
            self.peek().kind == "end"
            and isinstance(operand, Applied)
            and len(operand.arguments) > 1
        )
        return operand if is_list else parse_expression(self.text)

    def list_operand(self) -> Expression:
        """Parse the operand of `in`: words in brackets, or an expression that gives a list."""
        if not self.accept("("):
            return self.concatenation()
        items = [self.unquoted() or self.default()]
        while self.accept(","):
            items.append(self.unquoted() or self.default())
        self.expect(")")
        return Applied("list", tuple(items))

    def unquoted(self) -> Expression | None:
        """Parse one or more unquoted words that stand for themselves.

        None if an expression follows.
        """
        blank = _BLANK.match(self.text, self.at)
        start = blank.end() if blank else self.at
        match = _UNQUOTED.match(self.text, start)
        if match and "&&" in match[0]:
            raise InvalidValueError(
                f"'&&' in {self.text!r} is not allowed here", "`and` between two conditions"
            )
        if match and match[0][0] in "=<>":
            raise InvalidValueError(
                f"{match[0][0]!r} in {self.text!r} occurs twice",
                "one sign between two values: `kind = fire`",
            )
        if match is None or _OPERATOR_WITHIN.search(match[0]):
            return None
        self.at = match.end()
        return Constant(match[0], is_unquoted=True)

    def concatenation(self) -> Expression:
        expression = self.sum()
        while self.accept("&"):
            expression = Applied("&", (expression, self.sum()))
        return expression

    def sum(self) -> Expression:
        expression = self.product()
        while sign := self.accept("+", "-"):
            expression = Applied(sign, (expression, self.product()))
        return expression

    def product(self) -> Expression:
        expression = self.negation()
        while sign := self.accept("*", "/", "%"):
            expression = Applied(sign, (expression, self.negation()))
        return expression

    def negation(self) -> Expression:
        if self.accept("-"):
            with self.deeper():
                return Applied("-", (Constant(0.0), self.negation()))
        return self.atom()

    def atom(self) -> Expression:
        token = self.take()
        if token.kind == "number":
            return Constant(float(token.text))
        if token.kind == "text":
            return Constant(token.text[1:-1])
        if token.kind == "name":
            return Named(token.text.strip("${} "))
        if token.text == "(":
            with self.deeper():
                expression = self.default()
                self.expect(")")
                return expression
        if token.kind == "word" and token.text not in KEYWORDS:
            return self._call(token) if self.peek().text == "(" else Named(token.text)
        if token.text in {"true", "false"}:
            return Constant(token.text == "true")
        self.at = token.start
        self.fail(token, "a name, a number, a text in quotes, or a bracket")
        raise AssertionError("fail raises")

    def _call(self, token: _Token) -> Expression:
        if token.text not in FUNCTIONS or not token.text.isidentifier():
            names = sorted(
                name for name in FUNCTIONS if name.isidentifier() and name not in KEYWORDS
            )
            hint = foreign_notations.nearest_or(token.text, names, foreign_notations.FUNCTIONS)
            raise InvalidValueError(
                f"unknown function {token.text!r}", f"one of: {', '.join(names)}", hint
            )
        self.expect("(")
        arguments: list[Expression] = []
        with self.deeper():
            while not self.accept(")"):
                if arguments:
                    self.expect(",")
                arguments.append(self.default())
        FUNCTIONS[token.text].check_number(token.text, len(arguments))
        return Applied(token.text, tuple(arguments))


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

_ACCEPT_EMPTY_CELLS = {"<", ">", "<=", ">="}
"""Comparisons that accept an empty cell; the result is then false."""


class InvalidCellError(InvalidValueError):
    """An error that is caused by a column of the table rather than by the place that uses the column."""

    def __init__(self, column: str, found: str, expected: str = "", hint: str = "") -> None:
        super().__init__(found, expected, hint)
        self.column = column


KindOf = Callable[[str], ValueKind | None]
"""Returns the kind of a column, or None for a name that is not a column."""


def _check_bare(word: str, names: KindOf) -> None:
    """Raise `InvalidValueError` if an unquoted word is also a column, perhaps with a minus before it."""
    name = word.removeprefix("-").strip()
    if names(name):
        column = f"{word.removesuffix(name)}${name}"
        raise InvalidValueError(
            f"{word!r} is a column, but here it is read as a word",
            f"{column} for the value of the column, or '{word}' for the word",
        )


def kind_of(expression: Expression, names: KindOf) -> ValueKind:
    """Return the kind of an expression's value.

    Raises `InvalidValueError` if a function is given a kind that it does not accept, or if an
    unquoted word is also a column.
    """
    if isinstance(expression, Named):
        return names(expression.name) or CELL
    if isinstance(expression, Constant):
        if expression.is_unquoted and isinstance(expression.value, str):
            _check_bare(expression.value, names)
        return {str: TEXT, float: NUMBER, bool: TRUTH}[type(expression.value)]
    function = FUNCTIONS[expression.function]
    kinds = [kind_of(part, names) for part in expression.arguments]
    for place, kind in enumerate(kinds):
        expected_kind = function.kind_at(place)
        if kind not in _ACCEPTED_KINDS[expected_kind]:
            hint = "join(list, sign) makes a text of a list" if kind is LIST else ""
            raise InvalidValueError(
                f"{expression.function!r} is given {kind}", str(expected_kind), hint
            )
    if expression.function in {"|", "if"}:
        return kinds[-1] if kinds[-1] == kinds[-2] else CELL
    return function.result_kind


def named_in(expression: Expression) -> Iterator[str]:
    """Yield the names that an expression reads."""
    if isinstance(expression, Named):
        yield expression.name
    elif isinstance(expression, Applied):
        for part in expression.arguments:
            yield from named_in(part)


# 2,000 steps take well below a millisecond, so a table of thousands of rows still loads in seconds.
MAX_STEPS_PER_ROW = 2_000
CHARACTERS_PER_STEP = 100
"""Number of characters of a text that cost one step, like one item of a list."""


def evaluate(
    expression: Expression, names: Callable[[str], Value], place: tuple[str, ...] = ()
) -> Value:
    """Return the value of an expression, with `names` giving the value of each name.

    Random functions depend on `place` alone, which tells the expression from all others of a pack.
    """
    return Evaluation(names, place).value(expression)


@dataclass
class Evaluation:
    """The evaluation of one expression for one row, which counts its steps to stay bounded."""

    names: Callable[[str], Value]
    place: tuple[str, ...] = ()
    steps: int = 0
    draws: int = 0

    def value(self, expression: Expression) -> Value:
        """Return the value of an expression or of a part of one."""
        if isinstance(expression, Constant):
            return expression.value
        if isinstance(expression, Named):
            return self.names(expression.name)
        if (early := self._value_if_lazy(expression)) is not None:
            return early
        name = expression.function
        arguments = expression.arguments
        function = FUNCTIONS[name]
        values = [self.value(part) for part in arguments]
        accepted_as_is = {""} if name in _ACCEPT_EMPTY_CELLS else set()
        values = [
            value
            if value in accepted_as_is
            else _convert(value, function.kind_at(at), arguments[at], name)
            for at, value in enumerate(values)
        ]
        self._count_steps(values)
        return (
            function.apply(*self._draw(), *values)
            if function.is_random
            else function.apply(*values)
        )

    def _draw(self) -> tuple[float]:
        """Return the next random number in [0, 1) of this place; equal places give equal numbers.

        A hash serves as the generator, so that the numbers are the same on every machine and in
        every version of Python.
        """
        self.draws += 1
        key = "\0".join((*self.place, str(self.draws)))
        bits = int.from_bytes(sha256(key.encode()).digest()[:8]) >> 11  # a float holds 53 bits
        return (bits / 2**53,)

    def _count_steps(self, values: Iterable[Value]) -> None:
        self.steps += 1 + sum(map(_cost, values))
        if self.steps > MAX_STEPS_PER_ROW:
            found = "evaluating this takes too long"
            raise InvalidValueError(
                found,
                f"at most {MAX_STEPS_PER_ROW} steps; each item of a list is a step",
                "split it into columns",
            )

    def _value_if_lazy(self, expression: Applied) -> Value | None:
        """Return the value of `and`, `or`, `if` and `|`, which evaluate only the operands that they need.

        None for every other function. So `cost and 6 / cost` never divides by 0.
        """
        name = expression.function
        arguments = expression.arguments
        if name in {"and", "or"}:
            first = as_truth(self.value(arguments[0]))
            return as_truth(self.value(arguments[1])) if first is (name == "and") else first
        if name == "if":
            return self.value(arguments[1] if as_truth(self.value(arguments[0])) else arguments[2])
        if name == "|":
            value = self.value(arguments[0])
            return self.value(arguments[1]) if as_text(value).strip() == "" else value
        return None


def _cost(value: Value) -> int:
    """Return the steps that a value costs."""
    return (
        len(value) // CHARACTERS_PER_STEP
        if isinstance(value, str)
        else len(value)
        if isinstance(value, tuple)
        else 0
    )


def _convert(value: Value, kind: ValueKind, part: Expression, function: str) -> Value:
    """Convert a value to a kind.

    Raise `InvalidCellError` with the column if the value comes straight from one.
    """
    try:
        return _CONVERTERS[kind](value)
    except InvalidValueError as wrong:
        if isinstance(part, Named):
            joined = "`&` joins two texts" if function == "+" and value else ""
            hint = wrong.hint.replace("(name |", f"({part.name} |") or joined
            raise InvalidCellError(part.name, wrong.found, wrong.expected, hint) from None
        raise
