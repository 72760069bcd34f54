"""Compare the language of expressions with a model, written from the guide without the code.

The model generates each expression with its value: fractions, texts, lists and truth values.
"""

from fractions import Fraction
from math import ceil, floor
from operator import attrgetter
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from generator.pack.scope import Scope
from tests.tools.examples import try_times

ROW = {
    "cost": "3",
    "price": "2.5",
    "stars": "2",
    "none": "",
    "title": "fox",
    "Card name": "red fox",
    "types": "fire, ice",
    "one": "fire",
    "sold": "no",
    "done": "0",
    "off": "FALSE",
    "kept": "yes",
    "text": ":sword: or :shield: and :sword:",
}
SCOPE = Scope(ROW, {})
WORDS = ["fox", "owl", "fire", "ice", "a b", ""]

# Precedence, from low to high. Only the usual one goes without brackets: products before sums,
# sums before comparisons, comparisons before `not`, `not` before `and`, `and` before `or`.
LOOSE, OR, AND, NOT, COMPARED, SUM, PRODUCT, ATOM = range(8)


def bracketed(part, least):
    """Return the text of an expression, in brackets if its precedence is too low."""
    text, level, _ = part
    return text if level >= least else f"({text})"


def number_text(value):
    """Return a number as it is written in a text: 3, -0.25."""
    return str(int(value)) if value == int(value) else str(float(value))


def at_right(part, least):
    """Return the text of an operand at the right of a comparison, where a bare word stands for itself."""
    text = bracketed(part, least)
    minus, name = ("-", text[1:]) if text.startswith("-") else ("", text)
    return f"{minus}${name}" if name in ROW else text


# A rule takes hypothesis's `draw` and a strategy for each kind. It returns an expression, its
# precedence, and its value.


def sums(draw, of):
    a = draw(of.numbers)
    b = draw(of.numbers)
    if draw(st.booleans()):
        return f"{bracketed(a, SUM)} + {bracketed(b, PRODUCT)}", SUM, a[2] + b[2]
    return f"{bracketed(a, SUM)} - {bracketed(b, PRODUCT)}", SUM, a[2] - b[2]


def products(draw, of):
    a = draw(of.numbers)
    b = draw(of.numbers)
    return f"{bracketed(a, PRODUCT)} * {bracketed(b, ATOM)}", PRODUCT, a[2] * b[2]


def quotients(draw, of):
    a = draw(of.numbers)
    by = draw(st.sampled_from([2, 4]))
    return f"{bracketed(a, PRODUCT)} / {by}", PRODUCT, a[2] / by


def negatives(draw, of):
    a = draw(of.numbers)
    return f"-{bracketed(a, ATOM)}", PRODUCT, -a[2]


def half_up(value):
    return Fraction(floor(abs(value) + Fraction(1, 2))) * (1 if value >= 0 else -1)


ROUNDED = {"round": half_up, "floor": floor, "ceil": ceil, "abs": abs}


def rounded(draw, of):
    name = draw(st.sampled_from(list(ROUNDED)))
    a = draw(of.numbers)
    return f"{name}({a[0]})", ATOM, Fraction(ROUNDED[name](a[2]))


def extremes(draw, of):
    a = draw(of.numbers)
    b = draw(of.numbers)
    name, pick = draw(st.sampled_from([("min", min), ("max", max)]))
    return f"{name}({a[0]}, {b[0]})", ATOM, pick(a[2], b[2])


def totals(draw, of):
    a = draw(of.numbers)
    b = draw(of.numbers)
    return f"sum(list({a[0]}, {b[0]}, {a[0]}))", ATOM, a[2] + b[2] + a[2]


def sizes(draw, of):
    a = draw(of.texts)
    items = draw(of.lists)
    if draw(st.booleans()):
        return f"length({a[0]})", ATOM, Fraction(len(a[2]))
    return f"count({items[0]})", ATOM, Fraction(len(items[2]))


def counted_icons(draw, of):
    name, count = draw(st.sampled_from([("sword", 2), ("shield", 1), ("bow", 0)]))
    return f"icons(text, '{name}')", ATOM, Fraction(count)


def chosen(kind):
    def rule(draw, of):
        truth = draw(of.truths)
        a = draw(kind(of))
        b = draw(kind(of))
        return f"if({truth[0]}, {a[0]}, {b[0]})", ATOM, (a if truth[2] else b)[2]

    return rule


def instead(draw, of):
    a = draw(of.numbers)
    return f"(none | {at_right(a, ATOM)})", ATOM, a[2]


def first_that_is_not_empty(draw, of):
    a = draw(of.texts)
    b = draw(of.texts)
    return f"({bracketed(a, ATOM)} | {at_right(b, ATOM)})", ATOM, a[2] or b[2]


def joined(draw, of):
    a = draw(of.texts)
    b = draw(of.texts)
    n = draw(of.numbers)
    if draw(st.booleans()):
        return f"({bracketed(a, ATOM)} & {bracketed(b, ATOM)})", ATOM, a[2] + b[2]
    return f"({bracketed(n, ATOM)} & {bracketed(a, ATOM)})", ATOM, number_text(n[2]) + a[2]


def in_other_letters(draw, of):
    a = draw(of.texts)
    return (
        (f"upper({a[0]})", ATOM, a[2].upper())
        if draw(st.booleans())
        else (f"lower({a[0]})", ATOM, a[2].lower())
    )


def replaced(draw, of):
    a = draw(of.texts)
    b = draw(of.texts)
    old = draw(st.sampled_from(["o", "fi", "x"]))
    return f"replace({a[0]}, '{old}', {b[0]})", ATOM, a[2].replace(old, b[2])


def repeated(draw, of):
    a = draw(of.texts)
    times = draw(st.integers(0, 4))
    return f"repeat({a[0]}, {times}, '-')", ATOM, "-".join([a[2]] * times)


def padded(draw, of):
    n = draw(st.integers(0, 200))
    digits = draw(st.integers(1, 4))
    return f"pad({n}, {digits})", ATOM, f"{n:0{digits}}"


def lettered(draw, of):
    n = draw(st.integers(1, 702))
    first, last = divmod(n - 1, 26)
    return f"letter({n})", ATOM, (chr(64 + first) if first else "") + chr(65 + last)


def of_a_list(draw, of):
    items = draw(of.lists)
    at = draw(st.integers(1, 4))
    if draw(st.booleans()):
        return f"join({items[0]}, ' – ')", ATOM, " – ".join(items[2])
    return f"item({items[0]}, {at})", ATOM, items[2][at - 1] if at <= len(items[2]) else ""


def lists(draw, of):
    words = draw(st.lists(st.sampled_from(["fire", "ice", "owl"]), min_size=1, max_size=4))
    if draw(st.booleans()):
        quoted = ", ".join(f"'{word}'" for word in words)
        return f"list({quoted})", ATOM, tuple(words)
    sign = draw(st.sampled_from(["/", ";", ", "]))
    separator = ", '/'" if sign == "/" else ""
    return f"split('{sign.join(words)}'{separator})", ATOM, tuple(words)


COMPARE = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def compared_numbers(draw, of):
    a = draw(of.numbers)
    b = draw(of.numbers)
    sign = draw(st.sampled_from(list(COMPARE)))
    return f"{bracketed(a, SUM)} {sign} {at_right(b, SUM)}", COMPARED, COMPARE[sign](a[2], b[2])


def compared_texts(draw, of):
    """Numbers are compared as numbers: 0 equals 00."""
    a = draw(of.texts)
    b = draw(of.texts)
    sign = draw(st.sampled_from(["=", "!="]))
    x, y = (Fraction(part[2]) if part[2].isdecimal() else part[2] for part in (a, b))
    return f"{bracketed(a, ATOM)} {sign} {at_right(b, ATOM)}", COMPARED, COMPARE[sign](x, y)


def found_in_lists(draw, of):
    is_not = draw(st.booleans())
    no = "not " if is_not else ""
    items = draw(of.lists)
    word = draw(st.sampled_from(["fire", "ice", "owl"]))
    words = draw(st.lists(st.sampled_from(["fire", "ice", "owl"]), min_size=1, max_size=3))
    return draw(
        st.sampled_from(
            [
                (f"one {no}in {items[0]}", COMPARED, ("fire" in items[2]) is not is_not),
                (f"one {no}in ({', '.join(words)})", COMPARED, ("fire" in words) is not is_not),
                (f"{items[0]} {no}contains {word}", COMPARED, (word in items[2]) is not is_not),
            ]
        )
    )


def emptiness(draw, of):
    a = draw(of.texts)
    is_not = draw(st.booleans())
    return (
        f"{bracketed(a, ATOM)} is {'not ' if is_not else ''}empty",
        COMPARED,
        (a[2] == "") is not is_not,
    )


def combined(draw, of):
    a = draw(of.truths)
    b = draw(of.truths)
    return draw(
        st.sampled_from(
            [
                (f"not {bracketed(a, COMPARED)}", NOT, not a[2]),
                (f"{bracketed(a, AND)} and {bracketed(b, NOT)}", AND, a[2] and b[2]),
                (f"{bracketed(a, OR)} or {bracketed(b, AND)}", OR, a[2] or b[2]),
            ]
        )
    )


class Of(NamedTuple):
    """Strategies for expressions of each kind."""

    numbers: st.SearchStrategy
    texts: st.SearchStrategy
    lists: st.SearchStrategy
    truths: st.SearchStrategy


NUMBER = attrgetter("numbers")
TEXT = attrgetter("texts")
RULES = Of(
    (
        sums,
        products,
        quotients,
        negatives,
        rounded,
        extremes,
        totals,
        sizes,
        counted_icons,
        chosen(NUMBER),
        instead,
    ),
    (
        *(
            first_that_is_not_empty,
            joined,
            in_other_letters,
            replaced,
            repeated,
            padded,
            lettered,
            of_a_list,
        ),
        chosen(TEXT),
    ),
    (lists,),
    (compared_numbers, compared_texts, found_in_lists, emptiness, combined),
)


LEAVES = Of(
    st.sampled_from(
        [
            *((str(n), ATOM, Fraction(n)) for n in range(7)),
            ("2.5", ATOM, Fraction(5, 2)),
            ("cost", ATOM, Fraction(3)),
            ("price", ATOM, Fraction(5, 2)),
            ("$stars", ATOM, Fraction(2)),
        ]
    ),
    st.sampled_from(
        [
            *((f"'{word}'", ATOM, word) for word in WORDS),
            *((f'"{word}"', ATOM, word) for word in WORDS),
            ("title", ATOM, "fox"),
            ("${Card name}", ATOM, "red fox"),
        ]
    ),
    st.just(("split(types)", ATOM, ("fire", "ice"))),
    st.sampled_from(
        [
            ("kept", ATOM, True),
            ("sold", ATOM, False),
            ("done", ATOM, False),
            ("off", ATOM, False),
            ("none", ATOM, False),
            ("true", ATOM, True),
            ("none < 3", COMPARED, False),
            ("none > 3", COMPARED, False),
            ("$kept = yes", COMPARED, True),
            ("types contains ice", COMPARED, True),
            ("one in types", COMPARED, True),
        ]
    ),
)


@st.composite
def applied(draw, rules, of):
    return draw(st.sampled_from(rules))(draw, of)


def deeper(of):
    """Return strategies for expressions that may have others inside."""
    return Of(*(st.one_of(old, applied(rules, of)) for old, rules in zip(of, RULES, strict=True)))


NESTED = deeper(deeper(deeper(LEAVES)))


@try_times(3)
@given(st.one_of(*NESTED))
def test_expression_has_the_value_of_the_model(case):
    text, _, value = case
    if isinstance(value, bool):
        assert SCOPE.evaluate(f"if({text}, 'yes', 'no')") == ("yes" if value else "no"), text
        return
    result = SCOPE.evaluate(text)
    assert (Fraction(result) if isinstance(value, Fraction) else result) == value, text
    if isinstance(value, str) and "{" not in text:  # within ${…}, the first } ends the expression
        assert SCOPE.fill(f"<${{{text}}}>") == f"<{value}>"
