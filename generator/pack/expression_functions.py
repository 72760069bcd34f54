"""The functions and operators of expressions: `FUNCTIONS` has a row for each, with the kinds of its values."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from generator.base.errors import InvalidValueError
from generator.base.units import fine

Value = str | float | bool | tuple[str, ...]
"""A text, a number, a truth value or a list.

A cell is a text, which is converted where a number is needed.
"""

# Limits on every result, so that nested calls such as repeat(repeat(…)) cannot fill memory.
MAX_TEXT_CHARACTERS = 10_000
MAX_LIST_ITEMS = 1_000

# A draw has 53 random bits: in a range of this size, the chances of two numbers differ by less than
# one part in a thousand million.
MAX_RANDOM = 1_000_000

TRUE = frozenset(["true", "yes", "on", "wahr", "waar", "vrai", "verdadero", "vero", "verdadeiro"])
FALSE = frozenset(["false", "no", "off", "0", "falsch", "onwaar", "faux", "falso"])
"""The words for true and false in English, German, Dutch, French, Spanish, Italian and Portuguese spreadsheets."""

_NUMBER = re.compile(r"[-+\u2212]?(?:\d+(?:\.\d*)?|\.\d+)")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ICON = re.compile(r":(\w[\w./-]*):")
_PARTS = re.compile(r"\s*[,;|\n]\s*")


class ValueKind(StrEnum):
    """The kinds of values, named as in messages; a cell can be read as any other kind."""

    CELL = "a cell"
    TEXT = "a text"
    NUMBER = "a number"
    TRUTH = "true or false"
    LIST = "a list"


def as_text(value: Value) -> str:
    """Return a value as it is printed: `3` rather than `3.0`, a list joined by commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, float):
        return fine(value)
    return value


def number_in(text: str) -> float | None:
    """Return the number that a text consists of; None if it is not a number."""
    match = _NUMBER.fullmatch(text.strip())
    return float(match[0].replace("\u2212", "-")) if match and len(text) <= 40 else None


def as_number(value: Value) -> float:
    """Convert a value to a number; raise `InvalidValueError` if it is empty or not a number."""
    if isinstance(value, float):
        return value
    value_number = number_in(value) if isinstance(value, str) else None
    if value_number is not None:
        return value_number
    if value == "":
        raise InvalidValueError(
            "this is empty but must be a number",
            "a number",
            "`(name | 0)` is 0 if the cell is empty",
        )
    text = str(value)
    plain = text.replace(",", "") if _THOUSANDS.fullmatch(text.strip()) else text.replace(",", ".")
    hint = f"did you mean {plain!r}?" if number_in(plain) is not None else ""
    raise InvalidValueError(
        f"{as_text(value)!r} is not a number", "a number such as 3 or 2.5", hint
    )


def as_truth(value: Value) -> bool:
    """Convert a value to a truth value; empty text, 0 and the words in `FALSE` are false."""
    if isinstance(value, str):
        return bool(value.strip()) and value.strip().lower() not in FALSE and number_in(value) != 0
    return bool(value)


def as_list(value: Value) -> tuple[str, ...]:
    """Convert a value to a list, splitting text at commas, semicolons, bars and newlines.

    Text without any of these is split at blanks. Raises `InvalidValueError` for more than
    `MAX_LIST_ITEMS` items.
    """
    if isinstance(value, tuple):
        return value
    text = as_text(value).strip()
    parts = _PARTS.split(text) if _PARTS.search(text) else text.split()
    return _checked_list(tuple(part for part in parts if part))


def _checked_text(text: str) -> str:
    if len(text) > MAX_TEXT_CHARACTERS:
        raise InvalidValueError(
            f"a text of {len(text)} characters", f"at most {MAX_TEXT_CHARACTERS}"
        )
    return text


def _checked_list(items: tuple[str, ...]) -> tuple[str, ...]:
    if len(items) > MAX_LIST_ITEMS:
        raise InvalidValueError(f"a list of {len(items)}", f"at most {MAX_LIST_ITEMS}")
    return items


def _checked_number(value: float) -> float:
    # Above 2**53 (about 9e15) floats skip whole numbers; 1e15 keeps all whole results exact.
    if not math.isfinite(value) or abs(value) > 1e15:
        raise InvalidValueError("the number becomes too large", "at most 1 000 000 000 000 000")
    return value


def _divide(a: float, b: float) -> float:
    if b == 0:
        raise InvalidValueError(f"{as_text(a)} is divided by 0", "another number than 0")
    return _checked_number(a / b)


def _modulo(a: float, b: float) -> float:
    """Return the remainder, which has the sign of the divisor as in spreadsheets: -1 % 3 is 2."""
    if b == 0:
        raise InvalidValueError(f"{as_text(a)} % 0", "another number than 0")
    return a % b


def _round(value: float, digits: float = 0.0) -> float:
    """Round halves away from 0, as spreadsheets do."""
    scale = 10.0 ** _whole_number(digits, 0, 6)
    # 1e-9 corrects binary fractions just below a half: 1.005 * 100 is 100.49999999999999.
    return math.copysign(math.floor(abs(value) * scale + 0.5 + 1e-9), value) / scale


def _whole_number(value: float, least: int, most: int) -> int:
    if value != int(value) or not least <= value <= most:
        raise InvalidValueError(
            f"{as_text(value)} is not allowed here",
            f"a whole number from {least} to {most}",
        )
    return int(value)


def _is_equal(a: Value, b: Value) -> bool:
    """Return True if two values are equal as numbers, as truth values or as texts."""
    if isinstance(a, tuple) or isinstance(b, tuple):
        return as_list(a) == as_list(b)
    if isinstance(a, bool) or isinstance(b, bool):
        return _spelled_truth(a) is not None and _spelled_truth(a) == _spelled_truth(b)
    x = as_text(a).strip()
    y = as_text(b).strip()
    if x == y:
        return True
    first = number_in(x)
    second = number_in(y)
    return first is not None and first == second


def _spelled_truth(value: Value) -> bool | None:
    """Return the truth value that a text spells out, such as `yes`; None for any other text."""
    if isinstance(value, bool):
        return value
    word = as_text(value).strip().lower()
    return True if word in TRUE else False if word in FALSE else None


def _is_less(a: Value, b: Value) -> bool | None:
    """Return True if `a` is less than `b`; None if either is empty."""
    if a == "" or b == "":
        return None
    return as_number(a) < as_number(b)


def _is_in(value: Value, items: tuple[str, ...]) -> bool:
    """Return True if a list contains a value.

    Compares like `_is_equal`, but text that is not a number is compared as text only, which avoids
    parsing every item.
    """
    if isinstance(value, bool | tuple):
        return any(_is_equal(value, item) for item in items)
    text = as_text(value).strip()
    number = number_in(text)
    if number is None:
        return any(text == item.strip() for item in items)
    return any(number == number_in(item) for item in items)


def _contains(container: Value, part: Value) -> bool:
    if isinstance(container, tuple):
        return _is_in(part, container)
    return as_text(part).lower() in as_text(container).lower()


def _count_icons(text: str, name: str = "") -> float:
    names = _ICON.findall(text)
    return float(names.count(name) if name else len(names))


def _split(text: str, sign: str | None = None) -> tuple[str, ...]:
    if sign is None:
        return as_list(text)
    if not sign:
        return _checked_list(tuple("".join(text.split())))
    return _checked_list(tuple(part.strip() for part in text.split(sign) if part.strip()))


def _item(items: tuple[str, ...], number: float) -> str:
    at = _whole_number(number, 1, MAX_LIST_ITEMS)
    return items[at - 1] if at <= len(items) else ""


def _repeat(text: str, times: float, between: str = "") -> str:
    count = _whole_number(times, 0, MAX_LIST_ITEMS)
    if count * (len(text) + len(between)) > MAX_TEXT_CHARACTERS:
        raise InvalidValueError(
            f"a text of {count} times {len(text)} characters",
            f"at most {MAX_TEXT_CHARACTERS} in all",
        )
    return between.join([text] * count)


def _replace(text: str, old: str, new: str) -> str:
    if not old:
        raise InvalidValueError("the text to look for is empty", "a text to look for")
    if len(text) + text.count(old) * len(new) > MAX_TEXT_CHARACTERS:
        raise InvalidValueError(
            "the text becomes too long", f"at most {MAX_TEXT_CHARACTERS} characters"
        )
    return text.replace(old, new)


def _random(draw: float, first: float, last: float) -> float:
    """Return a whole number from `first` to `last`, both included, for a draw in [0, 1)."""
    low = _whole_number(first, -MAX_RANDOM, MAX_RANDOM)
    high = _whole_number(last, -MAX_RANDOM, MAX_RANDOM)
    if low > high:
        raise InvalidValueError(
            f"random({low}, {high}): no number lies between these", "the smaller number first"
        )
    return float(low + math.floor(draw * (high - low + 1)))


def _pick(draw: float, items: tuple[str, ...]) -> str:
    """Return an item of a list for a draw in [0, 1)."""
    if not items:
        raise InvalidValueError("pick() from an empty list", "a list with at least one item")
    return items[math.floor(draw * len(items))]


def column_letters(number: int) -> str:
    """Return the letters of a spreadsheet's column: 1 is A, 26 is Z, 27 is AA."""
    letters = ""
    while number:
        number, place = divmod(number - 1, 26)
        letters = chr(ord("A") + place) + letters
    return letters


CELL, TEXT, NUMBER, TRUTH, LIST = ValueKind

# Arguments of functions that take any number: more than any card needs, and few enough to evaluate.
MAX_ARGUMENTS = 50


@dataclass(frozen=True)
class Function:
    """A function or operator: the kinds of its arguments and its result, and its implementation.

    The first `min_arguments` arguments are required; all of them if it is negative. With
    `is_variadic`, up to `MAX_ARGUMENTS` arguments of the last kind may follow. `example` is a call
    for messages. The kind `CELL` accepts any kind. With `is_random`, the implementation gets a
    number in [0, 1) before its arguments.
    """

    argument_kinds: tuple[ValueKind, ...]
    result_kind: ValueKind
    apply: Callable[..., Value]
    example: str = ""
    min_arguments: int = -1
    is_variadic: bool = False
    is_random: bool = False

    def kind_at(self, place: int) -> ValueKind:
        """Return the kind of the argument at an index, from 0."""
        return self.argument_kinds[min(place, len(self.argument_kinds) - 1)]

    def check_number(self, name: str, count: int) -> None:
        """Raise `InvalidValueError` if the number of arguments is too small or too large."""
        minimum = self.min_arguments if self.min_arguments >= 0 else len(self.argument_kinds)
        maximum = MAX_ARGUMENTS if self.is_variadic else len(self.argument_kinds)
        if not minimum <= count <= maximum:
            expected = str(minimum) if minimum == maximum else f"{minimum} to {maximum}"
            raise InvalidValueError(
                f"{name}() with {count} values in its brackets", f"{expected}: {self.example}"
            )


FUNCTIONS: Mapping[str, Function] = {
    "or": Function((TRUTH, TRUTH), TRUTH, lambda a, b: a or b),
    "and": Function((TRUTH, TRUTH), TRUTH, lambda a, b: a and b),
    "not": Function((TRUTH,), TRUTH, lambda a: not a),
    "empty": Function((CELL,), TRUTH, lambda a: as_text(a).strip() == ""),
    "=": Function((CELL, CELL), TRUTH, _is_equal),
    "!=": Function((CELL, CELL), TRUTH, lambda a, b: not _is_equal(a, b)),
    "<": Function((NUMBER, NUMBER), TRUTH, lambda a, b: _is_less(a, b) is True),
    ">": Function((NUMBER, NUMBER), TRUTH, lambda a, b: _is_less(b, a) is True),
    "<=": Function((NUMBER, NUMBER), TRUTH, lambda a, b: _is_less(b, a) is False),
    ">=": Function((NUMBER, NUMBER), TRUTH, lambda a, b: _is_less(a, b) is False),
    "in": Function((CELL, LIST), TRUTH, _is_in),
    "contains": Function((CELL, CELL), TRUTH, _contains),
    "|": Function((CELL, CELL), CELL, lambda a, b: b if as_text(a).strip() == "" else a),
    "&": Function((TEXT, TEXT), TEXT, lambda a, b: _checked_text(a + b)),
    "+": Function((NUMBER, NUMBER), NUMBER, lambda a, b: _checked_number(a + b)),
    "-": Function((NUMBER, NUMBER), NUMBER, lambda a, b: _checked_number(a - b)),
    "*": Function((NUMBER, NUMBER), NUMBER, lambda a, b: _checked_number(a * b)),
    "/": Function((NUMBER, NUMBER), NUMBER, _divide),
    "%": Function((NUMBER, NUMBER), NUMBER, _modulo),
    "if": Function(
        (TRUTH, CELL, CELL), CELL, lambda a, b, c: b if a else c, "if(cost > 3, 'dear', 'cheap')"
    ),
    "round": Function(
        (NUMBER, NUMBER), NUMBER, _round, "round(2.5), round(2.345, 2)", min_arguments=1
    ),
    "floor": Function((NUMBER,), NUMBER, lambda a: float(math.floor(a)), "floor(2.9) is 2"),
    "ceil": Function((NUMBER,), NUMBER, lambda a: float(math.ceil(a)), "ceil(2.1) is 3"),
    "abs": Function((NUMBER,), NUMBER, abs, "abs(-2) is 2"),
    "min": Function(
        (NUMBER,), NUMBER, lambda *a: min(a), "min(attack, 5)", min_arguments=1, is_variadic=True
    ),
    "max": Function(
        (NUMBER,),
        NUMBER,
        lambda *a: max(a),
        "max(attack, defence)",
        min_arguments=1,
        is_variadic=True,
    ),
    "upper": Function((TEXT,), TEXT, lambda a: _checked_text(a.upper()), "upper(title)"),
    "lower": Function((TEXT,), TEXT, lambda a: _checked_text(a.lower()), "lower(title)"),
    "length": Function((TEXT,), NUMBER, lambda a: float(len(a)), "length(title): its characters"),
    "replace": Function((TEXT, TEXT, TEXT), TEXT, _replace, 'replace(text, "(t)", ":tap:")'),
    "repeat": Function(
        (TEXT, NUMBER, TEXT), TEXT, _repeat, 'repeat(":star:", stars, " ")', min_arguments=2
    ),
    "pad": Function(
        (TEXT, NUMBER),
        TEXT,
        lambda a, n: a.rjust(_whole_number(n, 0, 20), "0"),
        "pad(column, 2) is 07",
    ),
    "letter": Function(
        (NUMBER,), TEXT, lambda n: column_letters(_whole_number(n, 1, 10_000)), "letter(3) is C"
    ),
    "icons": Function(
        (TEXT, TEXT),
        NUMBER,
        _count_icons,
        'icons(text), icons(text, "sword"): how many',
        min_arguments=1,
    ),
    "split": Function(
        (TEXT, TEXT), LIST, _split, 'split(types), split(names, "/")', min_arguments=1
    ),
    "join": Function(
        (LIST, TEXT),
        TEXT,
        lambda a, b=", ": _checked_text(b.join(a)),
        'join(types, " – ")',
        min_arguments=1,
    ),
    "count": Function((LIST,), NUMBER, lambda a: float(len(a)), "count(types): how many there are"),
    "item": Function((LIST, NUMBER), TEXT, _item, "item(types, 1) is the first"),
    "sum": Function(
        (LIST,), NUMBER, lambda a: _checked_number(sum(map(as_number, a))), "sum(prices)"
    ),
    "random": Function(
        (NUMBER, NUMBER), NUMBER, _random, "random(1, 6), a whole number", is_random=True
    ),
    "pick": Function((LIST,), TEXT, _pick, 'pick(split("red, blue"))', is_random=True),
    "list": Function(
        (TEXT,), LIST, lambda *a: a, "list(north, east)", min_arguments=0, is_variadic=True
    ),
}
"""The functions by name, operators first.

An expression evaluates only those operands of `and`, `or`, `if` and `|` that it needs.
"""
