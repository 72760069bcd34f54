"""Input models for the keys of `game.yaml` about boards.

The keys are `matching`, `scoring`, `removing`, `moving`, `routing` and `board`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self

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
from generator.board.counting import FORMS, GROUPINGS, NumberRange, parse_number_range
from generator.board.lattice import LATTICES, Place, parse_place
from generator.board.scoring import MAJORITIES, TAKES
from generator.pack import fields

_WORDS_SCHEMA = {"type": ["string", "array"], "items": {"type": "string"}}

WAYS_TO_READ_DICE: Mapping[str, Callable[[Iterable[int]], int]] = MappingProxyType(
    {"highest": max, "lowest": min, "sum": sum}
)
"""The number of steps that a roll allows, by the values of `dice:`."""


class BoardSpec(BaseModel):
    """The base of all input models in this module.

    Keys are written with hyphens in `game.yaml`; unknown keys are errors.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        alias_generator=lambda name: name.replace("_", "-"),
    )


def _as_tuple(value: object) -> object:
    """Wrap a single value in a tuple; turn a list into a tuple."""
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _check_pair(value: object) -> object:
    """Return the value as a tuple of two items; raise `InvalidValueError` for any other number."""
    items = _as_tuple(value)
    if not isinstance(items, tuple) or len(items) != 2:
        raise InvalidValueError(f"{value!r} is not a pair", "two words, such as [park, park]")
    return items


def _check_pair_with_kind(value: object) -> object:
    """Return the value as a tuple of two or three items.

    Raise `InvalidValueError` for any other number.
    """
    items = _as_tuple(value)
    if not isinstance(items, tuple) or len(items) not in {2, 3}:
        raise InvalidValueError(
            f"{value!r} is not a pair",
            "two words, such as [park, park], and optionally a kind of link",
        )
    return items


def _as_weights(value: object) -> object:
    """Return the value as a mapping of names to weights; names without a weight get 1."""
    return value if isinstance(value, dict) else dict.fromkeys(_as_tuple(value), "1")  # type: ignore[call-overload]


def _read_number_range(value: object) -> object:
    """Read a range of numbers from its text; raise `InvalidValueError` for a list or a mapping."""
    if isinstance(value, NumberRange):
        return value
    if not isinstance(value, str):
        raise InvalidValueError(
            "found a list or a mapping", "a number, at least 1, at most 2, or 2 to 4"
        )
    return parse_number_range(value)


def _as_needs(value: object) -> object:
    """Return the value as a mapping by number of players; "0" stands for any number."""
    return value if isinstance(value, dict) else {"0": value}


def _choice_from(noun: str, choices: tuple[str, ...]) -> BeforeValidator:
    """Return a validator that accepts only the words in `choices`."""

    def check(value: object) -> object:
        if value not in choices:
            raise unknown(noun, str(value), choices)
        return value

    return BeforeValidator(check)


Words = Annotated[
    tuple[fields.Text, ...], BeforeValidator(_as_tuple), WithJsonSchema(_WORDS_SCHEMA)
]
Pair = Annotated[tuple[fields.Text, fields.Text], BeforeValidator(_check_pair)]
Weights = Annotated[
    dict[str, fields.Real],
    BeforeValidator(_as_weights),
    WithJsonSchema(
        {
            "anyOf": [
                _WORDS_SCHEMA,
                {"type": "object", "additionalProperties": {"type": ["string", "number"]}},
            ]
        }
    ),
]
NumberRangeField = Annotated[
    NumberRange, BeforeValidator(_read_number_range), WithJsonSchema({"type": ["string", "number"]})
]
Forms = Annotated[
    tuple[Annotated[str, _choice_from("form", tuple(FORMS))], ...],
    BeforeValidator(_as_tuple),
    WithJsonSchema(_WORDS_SCHEMA),
]


class WithinSpec(BoardSpec):
    """`within:`, the largest number of columns and rows of a board."""

    columns: fields.Count = Field(examples=["8"])
    rows: fields.Count = Field(examples=["8"])


class MatchingSpec(BoardSpec):
    """`matching:`, the rules for joining sides and for legal boards."""

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
    never_join: tuple[Annotated[Words, BeforeValidator(_check_pair_with_kind)], ...] | None = None
    must_join: Words | None = None
    complete_needs: dict[str, Words] | None = None
    together: Literal["touching", "joined"] | None = None
    within: WithinSpec | None = None
    gaps: Literal["none"] | None = None
    over: tuple[Pair, ...] = ()
    keeps: Words | None = None
    fills: dict[str, fields.Text] | None = None


class ScoreSpec(BoardSpec):
    """An entry of `scoring:`."""

    title: fields.Text | None = None
    each: Annotated[str, _choice_from("grouping", tuple(GROUPINGS))] = "board"
    root: fields.Text | None = None
    of: Words = ()
    having: Words = ()
    without: Words = ()
    forms: Forms = ()
    closed: fields.Bool | None = None
    where: dict[str, NumberRangeField] = {}
    count: Weights = {"tiles": 1.0}
    worth: fields.Real = 1.0
    base: fields.Real = 0.0
    beyond: fields.Real = 0.0
    less: Weights = {}
    take: Annotated[str, _choice_from("way to take", tuple(TAKES))] = "sum"
    majority: Annotated[str, _choice_from("majority", tuple(MAJORITIES))] | None = None
    by: Words = ()
    total: Words = ()
    needs: (
        Annotated[
            dict[fields.Count, NumberRangeField],
            BeforeValidator(_as_needs),
            WithJsonSchema({"type": ["object", "string", "number"]}),
        ]
        | None
    ) = None

    @model_validator(mode="after")
    def _check_root(self) -> Self:
        """Raise `InvalidValueError` if limbs are scored and no root is named."""
        if self.each == "limb" and self.root is None:
            raise InvalidValueError(
                "each: limb needs a root", "root: body, the name or a word of a design"
            )
        return self


class RemovalSpec(BoardSpec):
    """An entry of `removing:`."""

    root: fields.Text = Field(examples=["body"])
    never: Words = ()
    neighbours: NumberRangeField = NumberRange()


class MovementSpec(BoardSpec):
    """An entry of `moving:`."""

    along: Words = Field(examples=["road"])
    stops: Words = Field(examples=["stop"])
    express: Words = ()
    changes: tuple[tuple[fields.Text, fields.Text, fields.Text], ...] = ()
    starts: Words = ()
    never_from: tuple[Words, ...] = ()
    never_through: tuple[Words, ...] = ()
    never_onto: tuple[Words, ...] = ()
    dice: Annotated[str, _choice_from("way to read dice", tuple(WAYS_TO_READ_DICE))] = "highest"
    again: fields.Bool = False
    counts_start: fields.Bool = False


class RouteSpec(BoardSpec):
    """An entry of `routing:`, a train that runs along links from stop to stop."""

    along: Words = Field(examples=["rail"])
    stops: Words = Field(examples=["city"])
    most: fields.Count | None = None
    least: fields.Count = 2
    worth: fields.Text | None = None

    @model_validator(mode="after")
    def _check_stops(self) -> Self:
        """Raise `InvalidValueError` if the train may have fewer stops than it must have."""
        if self.most is not None and self.most < max(self.least, 1):
            found = f"a train of at most {self.most} stops and of at least {self.least}"
            raise InvalidValueError(found, "a larger `most`, or a smaller `least`")
        return self


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

    tiling: Annotated[str, _choice_from("shape of board", (*LATTICES, "hex"))] = "square"
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
