"""`matching:`, `scoring:`, `removing:` and `moving:` in `game.yaml`: what may stand there, as it is written."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetJsonSchemaHandler, WithJsonSchema

from generator.board.groups import FORMS, GROUPINGS, NumberRange, parse_span
from generator.board.lattice import LATTICES
from generator.board.moving import DICE
from generator.board.scoring import MAJORITIES, TAKES
from generator.core.problems import Wrong, unknown
from generator.pack import fields

_WORDS = {"type": ["string", "array"], "items": {"type": "string"}}


class BoardSpec(BaseModel):
    """A part of `game.yaml` about boards. Keys are written with hyphens; unknown keys are errors."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        alias_generator=lambda name: name.replace("_", "-"),
    )


def _many(value: object) -> object:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _pair(value: object) -> object:
    items = _many(value)
    if not isinstance(items, tuple) or len(items) != 2:
        raise Wrong(f"{value!r} is no pair", "two words, such as [park, park]")
    return items


def _two_or_three(value: object) -> object:
    items = _many(value)
    if not isinstance(items, tuple) or len(items) not in {2, 3}:
        raise Wrong(f"{value!r} is no pair", "two words, such as [park, park], and perhaps a kind of link")
    return items


def _weights(value: object) -> object:
    return value if isinstance(value, dict) else dict.fromkeys(_many(value), "1")  # type: ignore[call-overload]


def _span(value: object) -> object:
    if isinstance(value, NumberRange):
        return value
    if not isinstance(value, str):
        raise Wrong("a list or a mapping stands here", "a number, at least 1, at most 2, or 2 to 4")
    return parse_span(value)


def _needs(value: object) -> object:
    return value if isinstance(value, dict) else {"0": value}


def _one_of(what: str, known: tuple[str, ...]) -> BeforeValidator:
    def check(value: object) -> object:
        if value not in known:
            raise unknown(what, str(value), known)
        return value

    return BeforeValidator(check)


Words = Annotated[tuple[fields.Text, ...], BeforeValidator(_many), WithJsonSchema(_WORDS)]
Pair = Annotated[tuple[fields.Text, fields.Text], BeforeValidator(_pair)]
Weights = Annotated[
    dict[str, fields.Real],
    BeforeValidator(_weights),
    WithJsonSchema({"anyOf": [_WORDS, {"type": "object", "additionalProperties": {"type": ["string", "number"]}}]}),
]
SpanField = Annotated[NumberRange, BeforeValidator(_span), WithJsonSchema({"type": ["string", "number"]})]
Forms = Annotated[
    tuple[Annotated[str, _one_of("form", tuple(FORMS))], ...], BeforeValidator(_many), WithJsonSchema(_WORDS)
]


class WithinSpec(BoardSpec):
    """How far a board may spread."""

    columns: fields.Count = Field(examples=["8"])
    rows: fields.Count = Field(examples=["8"])


class MatchingSpec(BoardSpec):
    """`matching:` — how sides join, and what makes a board legal."""

    joins: tuple[Pair, ...] = ()
    fits: tuple[Pair, ...] = ()
    closed_at: Words = ()
    reopened_by: Words = ()
    dead_ends: Words = ()
    start: Words = ()
    open_space: Words = ()
    sides: Literal["equal", "same-kind"] | None = None
    never_touch: tuple[Pair, ...] | None = None
    never_join: tuple[Annotated[Words, BeforeValidator(_two_or_three)], ...] | None = None
    must_join: Words | None = None
    complete_needs: dict[str, Words] | None = None
    together: Literal["touching", "joined"] | None = None
    within: WithinSpec | None = None
    gaps: Literal["none"] | None = None
    over: tuple[Pair, ...] = ()
    keeps: Words | None = None
    fills: dict[str, fields.Text] | None = None


class ScoreSpec(BoardSpec):
    """One entry of `scoring:`."""

    title: fields.Text | None = None
    each: Annotated[str, _one_of("grouping", tuple(GROUPINGS))] = "board"
    root: fields.Text | None = None
    of: Words = ()
    having: Words = ()
    without: Words = ()
    forms: Forms = ()
    closed: fields.Bool | None = None
    where: dict[str, SpanField] = {}
    count: Weights = {"tiles": 1.0}
    worth: fields.Real = 1.0
    base: fields.Real = 0.0
    beyond: fields.Real = 0.0
    less: Weights = {}
    take: Annotated[str, _one_of("way to take", tuple(TAKES))] = "sum"
    majority: Annotated[str, _one_of("majority", tuple(MAJORITIES))] | None = None
    by: Words = ()
    total: Words = ()
    needs: (
        Annotated[
            dict[fields.Count, SpanField],
            BeforeValidator(_needs),
            WithJsonSchema({"type": ["object", "string", "number"]}),
        ]
        | None
    ) = None


class RemovalSpec(BoardSpec):
    """One entry of `removing:`."""

    root: fields.Text = Field(examples=["body"])
    never: Words = ()
    neighbours: SpanField = NumberRange()


class MovementSpec(BoardSpec):
    """One entry of `moving:`."""

    along: Words = Field(examples=["road"])
    stops: Words = Field(examples=["stop"])
    express: Words = ()
    changes: tuple[tuple[fields.Text, fields.Text, fields.Text], ...] = ()
    starts: Words = ()
    never_from: tuple[Words, ...] = ()
    never_through: tuple[Words, ...] = ()
    never_onto: tuple[Words, ...] = ()
    dice: Annotated[str, _one_of("way to read dice", tuple(DICE))] = "highest"
    again: fields.Bool = False
    counts_start: fields.Bool = False


class RouteSpec(BoardSpec):
    """One entry of `routing:`: a train, or whatever runs from stop to stop on its links."""

    along: Words = Field(examples=["rail"])
    stops: Words = Field(examples=["city"])
    most: fields.Count | None = None
    least: fields.Count = 2
    worth: fields.Text | None = None


class OrWord:
    """What may also be one word in a file; a schema says so."""

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """A word, or what it is in full."""
        return {"anyOf": [{"type": "string"}, handler(core)]}


class BoardShapeSpec(BoardSpec):
    """`board:` — how tiles lie, which places there are, which of them nothing may be laid on, what is printed there."""

    tiling: Annotated[str, _one_of("shape of board", (*LATTICES, "hex"))] = "square"
    cells: tuple[fields.Text, ...] = ()
    blocked: Words = ()
    printed: dict[str, fields.Text] = {}
