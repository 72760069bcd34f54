"""Test `$name`, `${a.b}`, `$$` and conditions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import InvalidValueError
from generator.pack.scope import Scope, names_in
from tests.tools.make_pack import make, problems

SCOPE = Scope(
    {"title": "Fox", "a b": "spaced", "empty": "", "kind": "big beast"},
    {"title": "Pack", "palette.ink": "#123"},
)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("$title", "Fox"),
        ("the $title!", "the Fox!"),
        ("${title}es", "Foxes"),
        ("${ title }", "Fox"),
        ("${palette.ink}", "#123"),
        ("${a b}", "spaced"),
        ("$$title", "$title"),
        ("$$$title", "$Fox"),
        ("$empty", ""),
        ("$title.svg", "Fox.svg"),
        ("no names", "no names"),
    ],
)
def test_names_in_a_text_are_replaced_by_values(text, filled):
    assert SCOPE.fill(text) == filled


@pytest.mark.parametrize("text", ["$", "5 $", "${}", "${ }", "$ title", "$5", "${title"])
def test_lone_dollar_is_refused(text):
    with pytest.raises(InvalidValueError, match=r"a lone \$"):
        SCOPE.fill(text)


def test_unknown_name_is_reported_with_the_nearest_notation():
    with pytest.raises(InvalidValueError) as caught:
        SCOPE.fill("$palette_ink")
    assert "${palette.ink}" in caught.value.expected
    with pytest.raises(InvalidValueError) as caught:
        SCOPE.fill("$titel")
    assert caught.value.hint == "did you mean '$title'?"


def test_dollar_in_a_value_is_not_replaced_again():
    assert Scope({"a": "$b", "b": "x"}, {}).fill("$a") == "$b"


def test_translated_value_is_used_if_present():
    row = {"title": "Fox", "title@nl": "Vos", "text": "Run", "text@nl": ""}
    assert Scope(row, {}, "nl").fill("$title $text") == "Vos Run"
    assert Scope(row, {}, "de").fill("$title") == "Fox"


@given(st.text())
def test_doubled_dollars_print_any_text(text):
    assert Scope({}, {}).fill(text.replace("$", "$$")) == text
    assert names_in(text.replace("$", "$$")) == ()


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("title", True),
        ("empty", False),
        ("not empty", True),
        ("not title", False),
        ("title = Fox", True),
        ("title=Fox", True),
        ("title = 'Fox'", True),
        ("title = fox", False),
        ("kind = big beast", True),
        ("empty =", None),
        ("title != Fox", False),
        ("title!=Elk", True),
        ("title != 'Fox'", False),
        ("empty != Fox", True),
        ("empty !=", None),
        ("title ! Fox", None),
        ("title and empty", False),
        ("title or empty", True),
        ("title and", None),
    ],
)
def test_condition_compares_negates_and_combines_values_or_is_refused(condition, holds):
    if holds is None:
        with pytest.raises(InvalidValueError, match="is not a condition"):
            SCOPE.holds(condition)
    else:
        assert SCOPE.holds(condition) is holds


def test_condition_on_an_unknown_column_is_reported_with_the_nearest_name(tmp_path):
    message = problems(make(tmp_path, "- fill: red\n  when: titel\n", "id,title\none,Fox\n"))
    assert message.startswith("layouts/front.yaml:1: when: unknown name '$titel'")
    assert "did you mean '$title'?" in message
