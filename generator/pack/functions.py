"""What expressions can do: one table of functions and operators, with the kinds of values that they take and give."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from generator.core.problems import Wrong

Value = str | float | bool | tuple[str, ...]
"""A text, a number, the truth, or a list. A cell is a text, which is read as a number where one is wanted."""

LONGEST_TEXT = 10_000
LONGEST_LIST = 1_000

TRUE = frozenset(["true", "yes", "on", "wahr", "waar", "vrai", "verdadero", "vero", "verdadeiro"])
FALSE = frozenset(["false", "no", "off", "0", "falsch", "onwaar", "faux", "falso"])
"""How spreadsheets write truth, in the languages that they are used in most."""

_NUMBER = re.compile(r"[-+\u2212]?(?:\d+(?:\.\d*)?|\.\d+)")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ICON = re.compile(r":(\w[\w./-]*):")
_PARTS = re.compile(r"\s*[,;|\n]\s*")


class ValueKind(StrEnum):
    """The kinds of values, as messages name them; a cell of a table may be read as any other kind."""

    CELL = "a cell"
    TEXT = "a text"
    NUMBER = "a number"
    TRUTH = "true or false"
    LIST = "a list"


def as_text(value: Value) -> str:
    """A value as it is printed: 3 and not 3.0, a list with commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, float):
        text = f"{value:.6f}".rstrip("0").rstrip(".")
        return "0" if text == "-0" else text
    return value


def number_in(text: str) -> float | None:
    """The number that a text is, if it is one."""
    found = _NUMBER.fullmatch(text.strip())
    return float(found[0].replace("\u2212", "-")) if found and len(text) <= 40 else None


def as_number(value: Value) -> float:
    """A number, or `Wrong`: an empty cell is none."""
    if isinstance(value, float):
        return value
    found = number_in(value) if isinstance(value, str) else None
    if found is not None:
        return found
    if value == "":
        raise Wrong("this is empty, and a number is wanted", "a number", "`(name | 0)` reads what is empty as 0")
    text = str(value)
    meant = text.replace(",", "") if _THOUSANDS.fullmatch(text.strip()) else text.replace(",", ".")
    hint = f"did you mean {meant!r}?" if number_in(meant) is not None else ""
    raise Wrong(f"{as_text(value)!r} is no number", "a number such as 3 or 2.5", hint)


def as_truth(value: Value) -> bool:
    """Whether a value counts as true: what is empty, 0, no or FALSE does not."""
    if isinstance(value, str):
        return bool(value.strip()) and value.strip().lower() not in FALSE and number_in(value) != 0
    return bool(value)


def as_list(value: Value) -> tuple[str, ...]:
    """A list; a text is parted at commas, semicolons, bars and new lines, or where it has none of them at blanks."""
    if isinstance(value, tuple):
        return value
    text = as_text(value).strip()
    parts = _PARTS.split(text) if _PARTS.search(text) else text.split()
    return _short_list(tuple(part for part in parts if part))


def _short(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise Wrong(f"a text of {len(text)} characters", f"at most {LONGEST_TEXT}")
    return text


def _short_list(items: tuple[str, ...]) -> tuple[str, ...]:
    if len(items) > LONGEST_LIST:
        raise Wrong(f"a list of {len(items)}", f"at most {LONGEST_LIST}")
    return items


def _near(value: float) -> float:
    if not math.isfinite(value) or abs(value) > 1e15:
        raise Wrong("the number becomes too large", "at most 1 000 000 000 000 000")
    return value


def _divided(a: float, b: float) -> float:
    if b == 0:
        raise Wrong(f"{as_text(a)} is divided by 0", "another number than 0")
    return _near(a / b)


def _rounded(value: float, digits: float = 0.0) -> float:
    """Halves away from 0, as people and spreadsheets round."""
    scale = 10.0 ** _whole(digits, 0, 6)
    return math.copysign(math.floor(abs(value) * scale + 0.5 + 1e-9), value) / scale


def _whole(value: float, least: int, most: int) -> int:
    if value != int(value) or not least <= value <= most:
        raise Wrong(f"{as_text(value)} cannot be here", f"a whole number from {least} to {most}")
    return int(value)


def _same(a: Value, b: Value) -> bool:
    """Equal as numbers, as truth or as texts."""
    if isinstance(a, tuple) or isinstance(b, tuple):
        return as_list(a) == as_list(b)
    if isinstance(a, bool) or isinstance(b, bool):
        return _told(a) is not None and _told(a) == _told(b)
    x, y = as_text(a).strip(), as_text(b).strip()
    if x == y:
        return True
    first, second = number_in(x), number_in(y)
    return first is not None and first == second


def _told(value: Value) -> bool | None:
    """What a value says of the truth in so many words."""
    if isinstance(value, bool):
        return value
    word = as_text(value).strip().lower()
    return True if word in TRUE else False if word in FALSE else None


def _before(a: Value, b: Value) -> bool | None:
    """Whether a number is less than another; nothing where one of them is empty."""
    if a == "" or b == "":
        return None
    return as_number(a) < as_number(b)


def _among(value: Value, items: tuple[str, ...]) -> bool:
    """Whether one of a list equals a value, as `_same` says; what is no number is compared as a text alone."""
    if isinstance(value, bool | tuple):
        return any(_same(value, item) for item in items)
    text = as_text(value).strip()
    number = number_in(text)
    if number is None:
        return any(text == item.strip() for item in items)
    return any(number == number_in(item) for item in items)


def _contains(whole: Value, part: Value) -> bool:
    if isinstance(whole, tuple):
        return _among(part, whole)
    return as_text(part).lower() in as_text(whole).lower()


def _icons(text: str, name: str = "") -> float:
    found = _ICON.findall(text)
    return float(found.count(name) if name else len(found))


def _split(text: str, sign: str = "") -> tuple[str, ...]:
    if not sign:
        return as_list(text)
    return _short_list(tuple(part.strip() for part in text.split(sign) if part.strip()))


def _item(items: tuple[str, ...], number: float) -> str:
    at = _whole(number, 1, LONGEST_LIST)
    return items[at - 1] if at <= len(items) else ""


def _repeated(text: str, times: float, between: str = "") -> str:
    count = _whole(times, 0, LONGEST_LIST)
    if count * (len(text) + len(between)) > LONGEST_TEXT:
        raise Wrong(f"a text of {count} times {len(text)} characters", f"at most {LONGEST_TEXT} in all")
    return between.join([text] * count)


def _replaced(text: str, old: str, new: str) -> str:
    if not old:
        raise Wrong("nothing is to be replaced", "a text to look for")
    if len(text) + text.count(old) * len(new) > LONGEST_TEXT:
        raise Wrong("the text becomes too long", f"at most {LONGEST_TEXT} characters")
    return text.replace(old, new)


def _letter(number: float) -> str:
    """1 is A, 26 is Z, 27 is AA."""
    left, letters = _whole(number, 1, 10_000), ""
    while left:
        left, place = divmod(left - 1, 26)
        letters = chr(ord("A") + place) + letters
    return letters


CELL, TEXT, NUMBER, TRUTH, LIST = ValueKind


@dataclass(frozen=True)
class Function:
    """What is done with values of some kinds, and the kind that comes of it; a cell means any kind.

    The first `least` values are needed; with `rest` the last kind holds for any number of them. `says` is an example.
    """

    takes: tuple[ValueKind, ...]
    gives: ValueKind
    apply: Callable[..., Value]
    says: str = ""
    least: int = -1
    rest: bool = False

    def kind_at(self, place: int) -> ValueKind:
        """What kind of value stands at a place, from 0."""
        return self.takes[min(place, len(self.takes) - 1)]

    def check_number(self, name: str, given: int) -> None:
        """Raise when it is given too few values, or too many."""
        least = self.least if self.least >= 0 else len(self.takes)
        most = 50 if self.rest else len(self.takes)
        if not least <= given <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            raise Wrong(f"{name}() with {given} values in its brackets", f"{wanted}: {self.says}")


FUNCTIONS: Mapping[str, Function] = {
    "or": Function((TRUTH, TRUTH), TRUTH, lambda a, b: a or b),
    "and": Function((TRUTH, TRUTH), TRUTH, lambda a, b: a and b),
    "not": Function((TRUTH,), TRUTH, lambda a: not a),
    "empty": Function((CELL,), TRUTH, lambda a: as_text(a).strip() == ""),
    "=": Function((CELL, CELL), TRUTH, _same),
    "!=": Function((CELL, CELL), TRUTH, lambda a, b: not _same(a, b)),
    "<": Function((NUMBER, NUMBER), TRUTH, lambda a, b: _before(a, b) is True),
    ">": Function((NUMBER, NUMBER), TRUTH, lambda a, b: _before(b, a) is True),
    "<=": Function((NUMBER, NUMBER), TRUTH, lambda a, b: _before(b, a) is False),
    ">=": Function((NUMBER, NUMBER), TRUTH, lambda a, b: _before(a, b) is False),
    "in": Function((CELL, LIST), TRUTH, _among),
    "contains": Function((CELL, CELL), TRUTH, _contains),
    "|": Function((CELL, CELL), CELL, lambda a, b: b if as_text(a).strip() == "" else a),
    "&": Function((TEXT, TEXT), TEXT, lambda a, b: _short(a + b)),
    "+": Function((NUMBER, NUMBER), NUMBER, lambda a, b: _near(a + b)),
    "-": Function((NUMBER, NUMBER), NUMBER, lambda a, b: _near(a - b)),
    "*": Function((NUMBER, NUMBER), NUMBER, lambda a, b: _near(a * b)),
    "/": Function((NUMBER, NUMBER), NUMBER, _divided),
    "if": Function((TRUTH, CELL, CELL), CELL, lambda a, b, c: b if a else c, "if(cost > 3, 'dear', 'cheap')"),
    "round": Function((NUMBER, NUMBER), NUMBER, _rounded, "round(2.5), round(2.345, 2)", least=1),
    "floor": Function((NUMBER,), NUMBER, lambda a: float(math.floor(a)), "floor(2.9) is 2"),
    "ceil": Function((NUMBER,), NUMBER, lambda a: float(math.ceil(a)), "ceil(2.1) is 3"),
    "abs": Function((NUMBER,), NUMBER, abs, "abs(-2) is 2"),
    "min": Function((NUMBER,), NUMBER, lambda *a: min(a), "min(attack, 5)", least=1, rest=True),
    "max": Function((NUMBER,), NUMBER, lambda *a: max(a), "max(attack, defence)", least=1, rest=True),
    "upper": Function((TEXT,), TEXT, lambda a: _short(a.upper()), "upper(title)"),
    "lower": Function((TEXT,), TEXT, lambda a: _short(a.lower()), "lower(title)"),
    "length": Function((TEXT,), NUMBER, lambda a: float(len(a)), "length(title): its characters"),
    "replace": Function((TEXT, TEXT, TEXT), TEXT, _replaced, 'replace(text, "(t)", ":tap:")'),
    "repeat": Function((TEXT, NUMBER, TEXT), TEXT, _repeated, 'repeat(":star:", stars, " ")', least=2),
    "pad": Function((TEXT, NUMBER), TEXT, lambda a, n: a.rjust(_whole(n, 0, 20), "0"), "pad(column, 2) is 07"),
    "letter": Function((NUMBER,), TEXT, _letter, "letter(3) is C"),
    "icons": Function((TEXT, TEXT), NUMBER, _icons, 'icons(text), icons(text, "sword"): how many', least=1),
    "split": Function((TEXT, TEXT), LIST, _split, 'split(types), split(names, "/")', least=1),
    "join": Function((LIST, TEXT), TEXT, lambda a, b=", ": _short(b.join(a)), 'join(types, " – ")', least=1),
    "count": Function((LIST,), NUMBER, lambda a: float(len(a)), "count(types): how many there are"),
    "item": Function((LIST, NUMBER), TEXT, _item, "item(types, 1) is the first"),
    "sum": Function((LIST,), NUMBER, lambda a: _near(sum(map(as_number, a))), "sum(prices)"),
    "list": Function((TEXT,), LIST, lambda *a: a, "list(north, east)", least=0, rest=True),
}
"""By name; the signs and the words of the grammar first. Their values are worked out one by one, the first of `and`,
`or`, `if` and `|` alone where that decides."""
