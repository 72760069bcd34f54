"""Test expressions in conditions and computed columns: their values, and the errors for wrong ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.pack.expression_functions import FUNCTIONS, ValueKind
from generator.pack.expressions import (
    MAX_STEPS_PER_ROW,
    Evaluation,
    InvalidCellError,
    evaluate,
    kind_of,
    parse_expression,
)
from generator.pack.scope import Lookup, Scope
from tests.tools.examples import try_times

KINDS = Lookup(
    "kind",
    "kind",
    ("id", "colour", "word", "word@nl"),
    {
        "fire": ({"id": "fire", "colour": "#b4532a", "word": "Fire", "word@nl": "Vuur"},),
        "ice": ({"id": "ice", "colour": "#5d9ccc", "word": "Ice", "word@nl": ""},),
    },
)
ROW = {
    "title": "Fox",
    "kind": "fire",
    "types": "fire, ice",
    "cost": "3",
    "price": "2.50",
    "none": "",
    "sold": "FALSE",
    "text": ":sword: hits 2 :sword: or :shield:",
    "Card name": "Red Fox",
    "sub-type": "beast",
}
SCOPE = Scope(ROW, {"version": "2", "ice": "#5d9ccc"}, lookups={"kind": KINDS})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("cost", "3"),
        ("cost + 1", 4.0),
        ("0 - price = -$price", True),
        ("cost + price * 2", 8.0),
        ("(cost + price) * 2", 11.0),
        ("-cost - -1", -2.0),
        ("cost / 2", 1.5),
        ("round(cost / 2)", 2.0),
        ("round(-2.5)", -3.0),
        ("round(price / 3, 2)", 0.83),
        ("floor(price) & ceil(price)", "23"),
        ("min(cost, price, 7) + max(1, cost)", 5.5),
        ("upper(title) & ' – ' & lower(title)", "FOX – fox"),
        ("length(title)", 3.0),
        ("icons(text)", 3.0),
        ('icons(text, "sword")', 2.0),
        ("split(types)", ("fire", "ice")),
        ("count(types)", 2.0),
        ('join(split(types), "/")', "fire/ice"),
        ("item(types, 2)", "ice"),
        ("item(types, 9)", ""),
        ('split("a/b /", "/")', ("a", "b")),
        ('split("2F F", "")', ("2", "F", "F")),
        ('repeat(":star:", cost)', ":star::star::star:"),
        ('repeat("x", 3, "+")', "x+x+x"),
        ("pad(cost, 3) & letter(1) & letter(27)", "003AAA"),
        ('replace(text, ":sword:", "S")', "S hits 2 S or :shield:"),
        ("sum(list(cost, price, 1))", 6.5),
        ("none | ∞", "∞"),
        ("none | -", "-"),
        ("none | two words", "two words"),
        ("none | $cost", "3"),
        ("(none | 0) + 1", 1.0),
        ("cost | 0", "3"),
        ("if(cost > 2, 'dear', 'cheap')", "dear"),
        ("kind.colour", "#b4532a"),
        ("$sub-type", "beast"),
        ("sub-type", "beast"),
        ("version", "2"),
        ("cost > 2", True),
        ("cost >= 3 and price <= 2.5", True),
        ("cost < 3 or kind = ice", False),
        ("cost == 3", True),
        ("price = 2.5", True),
        ("cost != 3", False),
        ("not kind = ice", True),
        ("kind in (ice, fire)", True),
        ("kind not in (ice, water)", True),
        ("kind in types", True),
        ("'ice' in split(types)", True),
        ("split(types) contains ice", True),
        ("text contains HITS", True),
        ("text not contains hits", False),
        ("none is empty", True),
        ("cost is not empty", True),
        ("none > 2", False),
        ("none <= 2", False),
        ("sold", "FALSE"),
        ("not sold", True),
        ("sold = false", True),
        ("sold = true", False),
        ("cost = $price", False),
        ("${Card name} = Red Fox", True),
        ("cost and 6 / cost = 2", True),
        ("none and 6 / none = 2", False),
    ],
)
def test_expression_gives_its_value_with_the_right_kind(text, value):
    value_found = SCOPE.evaluate(text)
    assert (value_found, type(value_found)) == (
        pytest.approx(value) if isinstance(value, float) else value,
        type(value),
    )


@pytest.mark.parametrize(
    ("text", "message", "expected", "hint"),
    [
        ("cots + 1", "unknown name '$cots'", "$cost", "did you mean '$cost'?"),
        ("cost-1", "unknown name '$cost-1'", "", "a minus has blanks round it: cost - 1"),
        ("title + 1", "'Fox' is not a number", "a number", ""),
        ("none + 1", "this is empty", "a number", "`(none | 0)` is 0 if the cell is empty"),
        ("cost / 0", "3 is divided by 0", "another number", ""),
        ("upper(cost > 2)", "'upper' is given true or false", "a text", ""),
        ("split(types) & 1", "'&' is given a list", "a text", "join(list, sign)"),
        ("'a' + 1", "'+' is given a text", "a number", ""),
        ("cost = -price", "'-price' is a column, but here it is read as a word", "-$price", ""),
        ("kind = title", "'title' is a column, but here it is read as a word", "$title", ""),
        ("rund(cost)", "unknown function 'rund'", "one of: abs,", "did you mean 'round'?"),
        ("round()", "round() with 0 values", "1 to 2", ""),
        ("cost +", "'cost +' ends too early", "a name, a number", ""),
        ("(cost", "'(cost' ends too early", "')'", ""),
        ("cost cost", "'cost' in 'cost cost' is not allowed here", "an operator", "in quotes"),
        ("cost AND sold", "'AND' in", "an operator", "did you mean 'and'?"),
        ('"open', "'\"' in", "names", "close the quotes"),
        ("cost ! 3", "'!' in", "names", "quotes"),
        ("kind.size", "unknown column 'size'", "colour, id, word", ""),
        ("repeat(title, 9999)", "9999 is not allowed here", "a whole number from 0 to 1000", ""),
        ("1" * 1001, "an expression of 1001 characters", "at most 1000", "several columns"),
        ("+".join("1" * 300), "has too many parts", "at most 120", "several columns"),
        ("(" * 60 + "1" + ")" * 60, "is nested too deeply", "at most 40", ""),
    ],
)
def test_wrong_expression_is_refused_with_expectation_and_hint(text, message, expected, hint):
    with pytest.raises(InvalidValueError) as caught:
        SCOPE.evaluate(text)
    assert message in caught.value.found
    assert expected in caught.value.expected
    assert hint in caught.value.hint


def test_expression_names_the_column_of_a_wrong_cell():
    with pytest.raises(InvalidCellError) as caught:
        SCOPE.evaluate("title + 1")
    assert caught.value.column == "title"


def test_unknown_lookup_value_is_reported_with_the_nearest_or_a_hint_on_each():
    with pytest.raises(InvalidValueError, match="unknown value 'fier'") as caught:
        Scope({"kind": "fier"}, {}, lookups={"kind": KINDS}).evaluate("kind.colour")
    assert caught.value.hint == "did you mean 'fire'?"
    with pytest.raises(InvalidValueError) as caught:
        Scope({"kind": "fire, ice"}, {}, lookups={"kind": KINDS}).evaluate("kind.colour")
    assert caught.value.hint == "for several of them: `each: kind in kind`"


def test_lookups_give_words_in_the_language_of_the_build():
    dutch = Scope(ROW, {}, "nl", lookups={"kind": KINDS})
    assert dutch.fill("${kind.word}") == "Vuur"
    assert (
        Scope({**ROW, "kind": "ice"}, {}, "nl", lookups={"kind": KINDS}).fill("${kind.word}")
        == "Ice"
    )
    assert (
        Scope({**ROW, "kind": ""}, {}, lookups={"kind": KINDS}).fill("${kind.word | none at all}")
        == "none at all"
    )


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("${none | ∞} / ${cost + 1}", "∞ / 4"),
        ("${Card name}", "Red Fox"),
        ("${split(types)}", "fire, ice"),
        ("${cost > 2}", "true"),
        ("${kind.word}: ${if(sold, 'gone', 'here')}", "Fire: here"),
    ],
)
def test_expressions_in_a_text_are_replaced_by_their_values(text, filled):
    assert SCOPE.fill(text) == filled


@pytest.mark.parametrize(
    "cell", ["", "no", "No", "FALSE", "false", "0", "0.0", "off", "FALSCH", "ONWAAR", " "]
)
def test_false_values_of_spreadsheets_are_false(cell):
    assert not Scope({"done": cell}, {}).holds("done")
    assert Scope({"done": cell}, {}).holds("not done")


@pytest.mark.parametrize("cell", ["x", "yes", "TRUE", "1", "-1", "nothing", "WAAR", "0 mm"])
def test_cell_with_any_other_value_is_true(cell):
    assert Scope({"done": cell}, {}).holds("done")


PYTHON = {
    ValueKind.TEXT: str,
    ValueKind.NUMBER: float,
    ValueKind.TRUTH: bool,
    ValueKind.LIST: tuple,
}
words = st.sampled_from(
    [*ROW, "kind.colour", "ice", "'a b'", '""', "2", "0", "1.5", "999", "nobody", "$cost", "∞"]
)
signs = st.sampled_from(
    ["+", "-", "*", "/", "%", "&", "=", "!=", "<", ">=", "and", "or", "|", "in", "contains"]
)
calls = st.sampled_from([name for name in FUNCTIONS if name.isidentifier()])


def combinations_of(inner):
    return st.one_of(
        st.tuples(inner, signs, inner).map(" ".join),
        inner.map("({})".format),
        inner.map("not {}".format),
        inner.map("{} is empty".format),
        st.tuples(calls, st.lists(inner, max_size=3)).map(
            lambda pair: f"{pair[0]}({', '.join(pair[1])})"
        ),
    )


@try_times(2)
@given(st.recursive(words, combinations_of, max_leaves=12))
def test_any_expression_gives_a_value_of_its_kind_or_an_error(text):
    try:
        kind = SCOPE.check(text, parse_expression(text))
        value = SCOPE.evaluate(text)
    except InvalidValueError as wrong:
        assert wrong.found  # noqa: PT017 - either outcome is right
        return
    finally:
        SCOPE.checked.clear()
    assert isinstance(value, PYTHON.get(kind, (str, float, bool, tuple)))
    if isinstance(value, str):
        assert len(value) <= 10_000


LONG_ROW = {"t": "word, " * 900, "x": "a" * 9_000, "n": "7"}
heavy = st.sampled_from(
    ["t", "x", "n", "split(t)", "repeat(x, 1)", "'word'", "join(t)", "upper(x)", "length(x)"]
)


@try_times(2)
@given(st.recursive(heavy, combinations_of, max_leaves=30))
def test_evaluation_stays_within_the_limit_of_steps(text):
    """Count the steps: each takes less than a microsecond, so the time for a row is limited."""
    work = Evaluation(LONG_ROW.__getitem__)
    try:
        expression = parse_expression(text)
        kind_of(expression, lambda _: ValueKind.CELL)
        work.value(expression)
    except (InvalidValueError, KeyError):
        return
    assert work.steps <= MAX_STEPS_PER_ROW


def test_expression_that_searches_a_long_list_too_often_is_refused():
    text = " or ".join(f"'{n}' in t" for n in range(20))
    with pytest.raises(InvalidValueError, match="takes too long"):
        evaluate(parse_expression(text), LONG_ROW.__getitem__)
    assert (
        evaluate(parse_expression("'word' in split(t)"), {"t": "word, " * 300}.__getitem__) is True
    )


@try_times(2)
@given(st.text(st.sampled_from("ab1.2 $'\"(){},|&=<>!+-*/:#éאनोt\n\\"), max_size=30))
def test_any_text_is_evaluated_or_refused_with_an_error(text):
    for way in (SCOPE.evaluate, SCOPE.fill, SCOPE.holds):
        try:
            way(text)
        except InvalidValueError as wrong:
            assert wrong.found  # noqa: PT017
