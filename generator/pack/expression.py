"""The small language of `when:`, `columns:`, `each:` and `${…}`: its grammar, read into a tree.

    a | b    a or b    a and b    not a    a & b    a + b    a * b    -a    f(a, b)
    a = b    a < b     a in (b, c)    a contains b    a is empty

A bare word is a column; on the right of a comparison it is the word itself, and `$word` the column there. Nothing of
this is Python's: a short text becomes a small tree, which is worked out once through.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

from generator.core.problems import Wrong, nearest
from generator.pack import elsewhere
from generator.pack.functions import FUNCTIONS

LONGEST = 1000
"""Characters, signs and brackets in brackets that an expression may have: so reading and working it out stay short."""
MOST = 120
DEEPEST = 40

KEYWORDS = ("and", "or", "not", "in", "contains", "is", "true", "false")

_BLANK = re.compile(r"\s*")
_TOKEN = re.compile(
    r"""(?P<text>"[^"]*"|'[^']*')
    |(?P<number>(?>\d+(?:\.\d+)?)(?!\w))
    |(?P<name>\$(?:\w+(?:[-.]\w+)*|\{[^{}]*\}))
    |(?P<word>\w+(?:[-.]\w+)*)
    |(?P<sign>==|!=|<>|<=|>=|[-=<>&+*/(),|])""",
    re.VERBOSE,
)
_PLAIN = re.compile(
    r"(?!not\s|true\b|false\b|-\s*[\d(])[^\s\"'$(),|](?:[^(),|]*?[^\s(),|])??(?=\s*(?:$|[),|])|\s+(?:and|or)\s)"
)
_WORKED_OUT = re.compile(r"\s(?:[-&+*/<>]|[=!<>]?=|in|contains|is)\s")
"""What makes the right side of a comparison more than a word."""

_SIGNS = {"==": "=", "<>": "!="}
OPERATORS = "an operator between two values: = != < <= > >= + - * / & | and or in contains"
_COMPARED = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Constant:
    """A number, a text, or the truth; `bare` where it is a word without quotes, which must not be a column's name."""

    value: str | float | bool
    bare: bool = False


@dataclass(frozen=True)
class Named:
    """A column, a value of a table that a column looks up (`kind.colour`), or a name of the pack."""

    name: str


@dataclass(frozen=True)
class Applied:
    """A function or an operator of `FUNCTIONS` with what it is given."""

    function: str
    given: "tuple[Expression, ...]"


Expression = Constant | Named | Applied


@lru_cache(maxsize=4096)
def parse(text: str) -> Expression:
    """The tree of an expression; raises `Wrong` with what is allowed where it is none."""
    if len(text) > LONGEST:
        raise Wrong(f"an expression of {len(text)} characters", f"at most {LONGEST}", "part it into several columns")
    return _Parser(text).whole()


@lru_cache(maxsize=1024)
def parse_list(text: str) -> Expression:
    """The same of what `each:` goes through, which may be words between brackets: `(fire, ice)`."""
    return _Parser(text).several_alone() if text.startswith("(") and len(text) <= LONGEST else parse(text)


@dataclass(frozen=True)
class _Token:
    """A word of an expression, and where it begins."""

    kind: str
    text: str
    start: int


class _Parser:
    """Reads one text from left to right; every method reads what its name says and moves on."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.taken = 0

    def whole(self) -> Expression:
        found = self.default()
        token = self.look()
        if token.kind != "end":
            self.fail(token, OPERATORS)
        return found

    def look(self) -> _Token:
        blank = _BLANK.match(self.text, self.at)
        start = blank.end() if blank else self.at
        if start == len(self.text):
            return _Token("end", "", start)
        match = _TOKEN.match(self.text, start)
        if match is None:
            sign = self.text[start]
            what = elsewhere.SIGNS.get(sign, "put a text in quotes")
            raise Wrong(f"{sign!r} in {self.text!r} cannot be read", "names, numbers, words and operators", what)
        return _Token(str(match.lastgroup), match[0], start)

    def take(self) -> _Token:
        token = self.look()
        self.at = token.start + len(token.text)
        self.taken += 1
        if self.taken > MOST:
            raise Wrong(f"{self.text[:40]!r}… has too many parts", f"at most {MOST}", "part it into several columns")
        return token

    @contextmanager
    def deeper(self) -> Iterator[None]:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Wrong(f"{self.text[:40]!r}… is nested too deeply", f"at most {DEEPEST} levels", "")
        yield
        self.depth -= 1

    def took(self, *words: str) -> str:
        """The next token where it is one of some signs or keywords, and then it is read; or nothing."""
        token = self.look()
        found = _SIGNS.get(token.text, token.text)
        if token.kind in {"sign", "word"} and found in words:
            self.take()
            return found
        return ""

    def need(self, sign: str) -> None:
        if not self.took(sign):
            self.fail(self.look(), f"{sign!r}")

    def fail(self, token: _Token, expected: str) -> None:
        there = f"{token.text!r} in {self.text!r}" if token.text else f"{self.text!r} ends too early"
        known = token.text.lower() in KEYWORDS and token.text not in KEYWORDS
        hint = nearest(token.text, KEYWORDS) if known else elsewhere.hint_of(self.text, token.text, token.start)
        raise Wrong(f"{there} cannot stand here" if token.text else there, expected, hint)

    def default(self) -> Expression:
        found = self.either()
        while self.took("|"):
            found = Applied("|", (found, self.plain() or self.either()))
        return found

    def either(self) -> Expression:
        found = self.both()
        while self.took("or"):
            found = Applied("or", (found, self.both()))
        return found

    def both(self) -> Expression:
        found = self.negated()
        while self.took("and"):
            found = Applied("and", (found, self.negated()))
        return found

    def negated(self) -> Expression:
        if self.took("not"):
            with self.deeper():
                return Applied("not", (self.negated(),))
        return self.compared()

    def compared(self) -> Expression:
        left = self.joined()
        if sign := self.took(*_COMPARED):
            return Applied(sign, (left, (self.plain() if sign in {"=", "!="} else None) or self.joined()))
        if self.took("is"):
            return self._is(left)
        mark = self.at
        refused = bool(self.took("not"))
        if self.took("in"):
            found = Applied("in", (left, self.several()))
        elif self.took("contains"):
            found = Applied("contains", (left, self.plain() or self.joined()))
        else:
            self.at = mark
            return left
        return Applied("not", (found,)) if refused else found

    def _is(self, left: Expression) -> Expression:
        refused = bool(self.took("not"))
        if not self.took("empty"):
            self.fail(self.look(), "`is empty` or `is not empty`; what equals has `=` between")
        found = Applied("empty", (left,))
        return Applied("not", (found,)) if refused else found

    def several_alone(self) -> Expression:
        """Words between brackets and nothing after them, or else whatever stands there."""
        found = self.several()
        is_list = self.look().kind == "end" and isinstance(found, Applied) and len(found.given) > 1
        return found if is_list else parse(self.text)

    def several(self) -> Expression:
        """What follows `in`: words between brackets, or a list."""
        if not self.took("("):
            return self.joined()
        items = [self.plain() or self.default()]
        while self.took(","):
            items.append(self.plain() or self.default())
        self.need(")")
        return Applied("list", tuple(items))

    def plain(self) -> Expression | None:
        """A word, or several, that stand for themselves on the right of a comparison."""
        blank = _BLANK.match(self.text, self.at)
        start = blank.end() if blank else self.at
        match = _PLAIN.match(self.text, start)
        if match and "&&" in match[0]:
            raise Wrong(f"'&&' in {self.text!r} cannot stand here", "`and` between two conditions")
        if match and match[0][0] in "=<>":
            raise Wrong(f"{match[0][0]!r} in {self.text!r} stands twice", "one sign between two values: `kind = fire`")
        if match is None or _WORKED_OUT.search(match[0]):
            return None
        self.at = match.end()
        return Constant(match[0], bare=True)

    def joined(self) -> Expression:
        found = self.sum()
        while self.took("&"):
            found = Applied("&", (found, self.sum()))
        return found

    def sum(self) -> Expression:
        found = self.product()
        while sign := self.took("+", "-"):
            found = Applied(sign, (found, self.product()))
        return found

    def product(self) -> Expression:
        found = self.signed()
        while sign := self.took("*", "/"):
            found = Applied(sign, (found, self.signed()))
        return found

    def signed(self) -> Expression:
        if self.took("-"):
            with self.deeper():
                return Applied("-", (Constant(0.0), self.signed()))
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
                found = self.default()
                self.need(")")
                return found
        if token.kind == "word" and token.text not in KEYWORDS:
            return self._call(token) if self.look().text == "(" else Named(token.text)
        if token.text in {"true", "false"}:
            return Constant(token.text == "true")
        self.at = token.start
        self.fail(token, "a name, a number, a text in quotes, or a bracket")
        raise AssertionError("fail raises")

    def _call(self, token: _Token) -> Expression:
        if token.text not in FUNCTIONS or not token.text.isidentifier():
            known = sorted(name for name in FUNCTIONS if name.isidentifier() and name not in KEYWORDS)
            hint = elsewhere.nearest_or(token.text, known, elsewhere.FUNCTIONS)
            raise Wrong(f"unknown function {token.text!r}", f"one of: {', '.join(known)}", hint)
        self.need("(")
        given: list[Expression] = []
        with self.deeper():
            while not self.took(")"):
                if given:
                    self.need(",")
                given.append(self.default())
        FUNCTIONS[token.text].check_number(token.text, len(given))
        return Applied(token.text, tuple(given))
