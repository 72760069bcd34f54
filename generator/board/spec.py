"""Models of the keys of `game.yaml` about boards, and the types of their fields.

The keys `matching` and `board` are here; `scoring`, `removing`, `moving` and `routing` are beside the code that carries
them out. These models are frozen, and the rules of a pack: nothing is copied out of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations
from math import inf
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    WithJsonSchema,
    model_validator,
)

from generator.base.errors import InvalidValueError, unknown
from generator.base.units import number
from generator.board.lattice import LATTICES, Place, parse_place
from generator.pack import fields

WORDS_SCHEMA = {"type": ["string", "array"], "items": {"type": "string"}}

_NUMBER_RANGE = re.compile(
    r"(?:(?P<exact>-?\d+(?:\.\d+)?)|at least (?P<low>-?\d+)|at most (?P<high>-?\d+)|(?P<a>-?\d+) to (?P<b>-?\d+))"
)


@dataclass(frozen=True)
class NumberRange:
    """The numbers from `low` to `high`, both included."""

    low: float = -inf
    high: float = inf

    def contains(self, value: float) -> bool:
        """Return True if the range contains a number."""
        return self.low <= value <= self.high

    def __str__(self) -> str:
        if self.low == self.high:
            return number(self.low)
        if self.high == inf:
            return f"at least {number(self.low)}"
        if self.low == -inf:
            return f"at most {number(self.high)}"
        return f"{number(self.low)} to {number(self.high)}"


def parse_number_range(text: str) -> NumberRange:
    """Read a range: `3`, `at least 1`, `at most 2` or `2 to 4`.

    Raise `InvalidValueError` for any other text, and for a range without numbers.
    """
    match = _NUMBER_RANGE.fullmatch(text.strip())
    if match is None:
        raise InvalidValueError(
            f"{text!r} is not a number", "a number, at least 1, at most 2, or 2 to 4"
        )
    if match["exact"]:
        return NumberRange(float(match["exact"]), float(match["exact"]))
    low = float(match["low"] or match["a"] or -inf)
    high = float(match["high"] or match["b"] or inf)
    if low > high:
        raise InvalidValueError(
            f"{text!r} contains no number", f"the lower number first: {high:.0f} to {low:.0f}"
        )
    return NumberRange(low, high)


class BoardSpec(BaseModel):
    """The base of the input models of boards and figures.

    Keys are written with hyphens in `game.yaml`; unknown keys are errors.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        alias_generator=lambda name: name.replace("_", "-"),
    )


def as_tuple(value: object) -> tuple[object, ...]:
    """Wrap a single value in a tuple; turn a list into a tuple."""
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _items(*counts: int, expected: str) -> BeforeValidator:
    """Return a validator that accepts only some numbers of items, as a tuple."""

    def check(value: object) -> object:
        items = as_tuple(value)
        if len(items) not in counts:
            raise InvalidValueError(f"{value!r} is not a pair", expected)
        return items

    return BeforeValidator(check)


def _as_weights(value: object) -> object:
    """Return the value as a mapping of names to weights; names without a weight get 1."""
    return value if isinstance(value, dict) else dict.fromkeys(as_tuple(value), "1")


def _read_number_range(value: object) -> object:
    """Read a range of numbers from its text; raise `InvalidValueError` for a list or a mapping."""
    if isinstance(value, NumberRange):
        return value
    if not isinstance(value, str):
        raise InvalidValueError(
            "found a list or a mapping", "a number, at least 1, at most 2, or 2 to 4"
        )
    return parse_number_range(value)


def choice_from(noun: str, choices: Collection[str]) -> BeforeValidator:
    """Return a validator that accepts only the words in `choices`."""

    def check(value: object) -> object:
        if value not in choices:
            raise unknown(noun, str(value), choices)
        return value

    return BeforeValidator(check)


Words = Annotated[tuple[fields.Text, ...], BeforeValidator(as_tuple), WithJsonSchema(WORDS_SCHEMA)]
Pair = Annotated[
    tuple[fields.Text, fields.Text], _items(2, expected="two words, such as [park, park]")
]
PairWithKind = Annotated[
    Words,
    _items(2, 3, expected="two words, such as [park, park], and optionally a kind of link"),
]
Weights = Annotated[
    dict[str, fields.Real],
    BeforeValidator(_as_weights),
    WithJsonSchema(
        {
            "anyOf": [
                WORDS_SCHEMA,
                {"type": "object", "additionalProperties": {"type": ["string", "number"]}},
            ]
        }
    ),
]
NumberRangeField = Annotated[
    NumberRange, BeforeValidator(_read_number_range), WithJsonSchema({"type": ["string", "number"]})
]


Model = TypeVar("Model", bound=BoardSpec)


def find_kind(what: str, keys: Collection[str], kinds: Mapping[str, type[Model]]) -> type[Model]:
    """Return the model of the one kind that some keys name; raise `InvalidValueError` for none or several."""
    named = [key for key in keys if key in kinds]
    if len(named) != 1:
        raise unknown(what, str(next(iter(keys), "")), kinds)
    return kinds[named[0]]


class WithinSpec(BoardSpec):
    """`within:`, the largest number of columns and rows of a board."""

    columns: fields.Count = Field(examples=["8"])
    rows: fields.Count = Field(examples=["8"])


class MatchingSpec(BoardSpec):
    """`matching:`, the rules for joining sides and for legal boards."""

    # Links of the same kind always join; `joins` adds pairs of kinds. A label meets its like,
    # unless `fits` names its partners. At a labelled side a link is closed if its own or the
    # opposite label is in `closed_at`, unless the opposite label is in `reopened_by`. A link with
    # one side and no feature ends inside its tile if its kind is in `dead_ends`. A link that meets
    # a tile without joining it is closed if its kind is in `cut_off`. `start` are the starting
    # tiles, and `open_space` the tiles that do not count as neighbours. The other keys are the
    # rules in `RULES` of `matching_rules.py`.

    joins: tuple[Pair, ...] = ()
    fits: tuple[Pair, ...] = ()
    closed_at: Words = ()
    reopened_by: Words = ()
    dead_ends: Words = ()
    cut_off: Words = ()
    start: Words = ()
    open_space: Words = ()
    sides: Literal["equal", "same-kind"] | None = None
    never_touch: tuple[Pair, ...] | None = None
    never_join: tuple[PairWithKind, ...] | None = None
    must_join: Words | None = None
    complete_needs: dict[str, Words] | None = None
    together: Literal["touching", "joined"] | None = None
    within: WithinSpec | None = None
    gaps: Literal["none"] | None = None
    over: tuple[Pair, ...] = ()
    keeps: Words | None = None
    fills: dict[str, fields.Text] | None = None

    def kinds_join(self, kind: str, other_kind: str) -> bool:
        """Return True if links of these kinds join where they meet."""
        return kind == other_kind or _is_listed(kind, other_kind, self.joins)

    def kinds_match(self, kinds: Iterable[str], other_kinds: Iterable[str]) -> bool:
        """Return True if the links of two sides can be joined one to one."""
        first = sorted(kinds)
        second = sorted(other_kinds)
        if first == second:
            return True
        return len(first) == len(second) and any(
            all(map(self.kinds_join, first, permutation)) for permutation in permutations(second)
        )

    def labels_fit(self, label: str | None, other_label: str | None) -> bool:
        """Return True if sides with these labels may touch."""
        if label is None or other_label is None:
            return label is other_label
        if any(label in fit or other_label in fit for fit in self.fits):
            return _is_listed(label, other_label, self.fits)
        return label == other_label

    def closes(self, label: str | None, faced_label: str | None) -> bool:
        """Return True if a side's own label or the opposite one closes the links that end there."""
        return faced_label not in self.reopened_by and (
            label in self.closed_at or faced_label in self.closed_at
        )


def _is_listed(name: str, other: str, pairs: tuple[tuple[str, str], ...]) -> bool:
    """Return True if a pair is listed, in either order."""
    return (name, other) in pairs or (other, name) in pairs


class WordOrMapping:
    """An annotation that lets the JSON schema accept a single word for a mapping."""

    def __get_pydantic_json_schema__(
        self, core: Any, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Return a schema for a string or for the full mapping."""
        return {"anyOf": [{"type": "string"}, handler(core)]}


BLOCKED_SIGN = "#"
NO_PLACE_SIGNS = " -"
"""How a row of `cells:` writes a place on which nothing may be laid, and one that does not exist."""


def _check_cells(value: object) -> object:
    """Check the rows of `cells:` and return them as a tuple.

    Raise `InvalidValueError` for unknown signs or no free place.
    """
    rows = str(value).splitlines() if isinstance(value, str) else value
    if not isinstance(rows, list | tuple):
        raise InvalidValueError(
            f"{value!r} is not a list of rows", "a text for each row, such as ['....', '..#.']"
        )
    unknown_signs = sorted(
        {sign for row in rows for sign in str(row)} - {".", BLOCKED_SIGN, *NO_PLACE_SIGNS}
    )
    if unknown_signs:
        raise InvalidValueError(
            f"{unknown_signs[0]!r} is not a place",
            "a dot for a place, # for a blocked place, a blank or - for no place",
        )
    if not any("." in str(row) for row in rows):
        raise InvalidValueError("this board has no free place", "a dot for each place")
    return tuple(rows)


class BoardShapeSpec(BoardSpec):
    """`board:`, the tiling, the existing and the blocked places, and the tiles printed on them."""

    tiling: Annotated[str, choice_from("shape of board", (*LATTICES, "hex"))] = "square"
    cells: Annotated[tuple[fields.Text, ...], BeforeValidator(_check_cells)] = ()
    blocked: Words = ()
    printed: dict[str, fields.Text] = {}

    @property
    def places(self) -> dict[Place, str]:
        """Return the places of `cells:` with the sign of each."""
        marked = (
            (Place(x, y), sign) for y, line in enumerate(self.cells) for x, sign in enumerate(line)
        )
        return {place: sign for place, sign in marked if sign not in NO_PLACE_SIGNS}

    @property
    def blocked_places(self) -> frozenset[Place]:
        """Return the places on which nothing may be laid."""
        signed = (place for place, sign in self.places.items() if sign == BLOCKED_SIGN)
        return frozenset((*signed, *map(parse_place, self.blocked)))

    @model_validator(mode="after")
    def _check_places(self) -> Self:
        """Raise `InvalidValueError` if a blocked or printed place is missing from `cells:`."""
        for key, named in (("blocked", self.blocked), ("printed", self.printed)):
            for text in named:
                if parse_place(text) not in self.places and self.cells:
                    raise InvalidValueError(
                        f"{key}: the board has no place {text}", "one that `cells:` has"
                    )
        return self
