"""`matching:`, `scoring:`, `removing:` and `moving:` in `game.yaml`: what may stand there, as it is written."""

from __future__ import annotations

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

from generator.board.groups import FORMS, GROUPINGS, NumberRange, parse_span
from generator.board.lattice import LATTICES, Place, parse_place
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
    cut_off: Words = ()
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

    @model_validator(mode="after")
    def _from_a_root(self) -> Self:
        if self.each == "limb" and self.root is None:
            raise Wrong("no root is named from which limbs grow", "`root: body`, a design or a word of one")
        return self


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

    @model_validator(mode="after")
    def _stops(self) -> Self:
        if self.most is not None and self.most < max(self.least, 1):
            found = f"a train of at most {self.most} stops and of at least {self.least}"
            raise Wrong(found, "more, or a smaller `least`")
        return self


class OrWord:
    """What may also be one word in a file; a schema says so."""

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """A word, or what it is in full."""
        return {"anyOf": [{"type": "string"}, handler(core)]}


BLOCKED, NOWHERE = "#", " -"
"""How a row of `cells:` writes a place on which nothing may be laid, and one that does not exist."""


def _cells(value: object) -> object:
    rows = str(value).splitlines() if isinstance(value, str) else value
    if not isinstance(rows, list | tuple):
        raise Wrong(f"{value!r} are no rows of places", "a text for each row, such as ['....', '..#.']")
    odd = sorted({sign for row in rows for sign in str(row)} - {".", BLOCKED, *NOWHERE})
    if odd:
        raise Wrong(f"{odd[0]!r} is no place", "a dot for each, # for a blocked one, a blank or - for none")
    if not any("." in str(row) for row in rows):
        raise Wrong("nothing can be laid on this board", "a dot for each place")
    return tuple(rows)


class BoardShapeSpec(BoardSpec):
    """`board:` — how tiles lie, which places there are, which of them nothing may be laid on, what is printed there."""

    tiling: Annotated[str, _one_of("shape of board", (*LATTICES, "hex"))] = "square"
    cells: Annotated[tuple[fields.Text, ...], BeforeValidator(_cells)] = ()
    blocked: Words = ()
    printed: dict[str, fields.Text] = {}

    @property
    def places(self) -> dict[Place, str]:
        """The places that `cells:` has, each with its sign."""
        marked = ((Place(x, y), sign) for y, line in enumerate(self.cells) for x, sign in enumerate(line))
        return {place: sign for place, sign in marked if sign not in NOWHERE}

    @model_validator(mode="after")
    def _on_the_board(self) -> Self:
        for key, named in (("blocked", self.blocked), ("printed", self.printed)):
            for text in named:
                if parse_place(text) not in self.places and self.cells:
                    raise Wrong(f"{key}: the board has no place {text}", "one that `cells:` has")
        return self
