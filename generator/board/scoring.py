"""The points that a pack gives for counts on a board, in total or for an owner of tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from generator.base.errors import InvalidValueError
from generator.board.analysis import Scene
from generator.board.counting import (
    FORMS,
    GROUPINGS,
    Filter,
    Thing,
    TileGroup,
    filter_group,
    find_counted,
    find_group_tokens,
    sum_values,
)
from generator.board.lattice import Place
from generator.board.spec import (
    WORDS_SCHEMA,
    BoardSpec,
    NumberRangeField,
    Weights,
    Words,
    as_tuple,
    choice_from,
)
from generator.pack import fields

NO_FILTER = Filter()


def compute_score(
    name: str, scores: Mapping[str, ScoreSpec], scene: Scene, owner: str = ""
) -> float:
    """Return the points of a score on a board, in total or for an owner of tokens.

    Raise `InvalidValueError` for an owner if the score has no majority.
    """
    score = scores[name]
    if score.total:
        return sum(compute_score(part, scores, scene, owner) for part in score.total)
    groups = find_scored_groups(scene, score)
    if owner:
        if not score.majority:
            raise InvalidValueError(
                f"the points of {name!r} belong to no owner",
                f"majority: {', '.join(MAJORITIES)} in scoring.{name}, or no owner",
            )
        groups = tuple(
            group
            for group in groups
            if MAJORITIES[score.majority](count_tokens_by_owner(scene, group, score.by), owner)
        )
    return TAKES[score.take](scene, score, groups)


def count_by_tile(name: str, scores: Mapping[str, ScoreSpec], scene: Scene) -> dict[Place, float]:
    """Return the tiles that a score counts, each with its own part of the points.

    A total counts the tiles of its parts. Things that belong to no single tile are left out.
    """
    score = scores[name]
    if score.total:
        tiles: dict[Place, float] = {}
        for part in score.total:
            for place, points in count_by_tile(part, scores, scene).items():
                tiles[place] = tiles.get(place, 0.0) + points
        return tiles
    groups = find_scored_groups(scene, score)
    if score.take in CHOOSING and groups:
        choose = CHOOSING[score.take]
        groups = (choose(groups, key=lambda group: compute_points(scene, group, score)),)
    points_by_thing: dict[tuple[str, Thing], float] = {}
    for group in groups:
        part_of_group = filter_group(scene, group, score.filter)
        for word, factor in score.count.items():
            for thing in find_counted(scene, part_of_group, word):
                points_by_thing[word, thing] = score.worth * factor * thing.value
    by_tile: dict[Place, float] = {}
    for (_, thing), points in points_by_thing.items():
        if thing.place is not None:
            by_tile[thing.place] = by_tile.get(thing.place, 0.0) + points
    return by_tile


def count_tokens_by_owner(
    scene: Scene, group: TileGroup, by: tuple[str, ...]
) -> Mapping[str, float]:
    """Return the number of tokens of each owner in a group, of the designs `by`, or of all designs if it is empty."""
    numbers: dict[str, float] = {}
    for _, _, token in find_group_tokens(scene, group):
        if token.owner and (not by or token.design in by):
            numbers[token.owner] = numbers.get(token.owner, 0.0) + token.number
    return numbers


def _has_most(numbers: Mapping[str, float], owner: str) -> bool:
    return owner in numbers and numbers[owner] >= max(numbers.values())


def _leads_alone(numbers: Mapping[str, float], owner: str) -> bool:
    return _has_most(numbers, owner) and list(numbers.values()).count(numbers[owner]) == 1


Majority = Callable[[Mapping[str, float], str], bool]

MAJORITIES: Mapping[str, Majority] = {
    "shared": _has_most,
    "alone": _leads_alone,
    "any": lambda numbers, owner: owner in numbers,
}
"""The owners who score a group: all with the most tokens, only a single leader, or all with any token."""


def find_scored_groups(scene: Scene, score: ScoreSpec) -> tuple[TileGroup, ...]:
    """Return the groups of the board that a score counts."""
    groups = GROUPINGS[score.each](scene, score.filter.of, score.root)
    return tuple(group for group in groups if _is_scored(scene, group, score))


def _is_scored(scene: Scene, group: TileGroup, score: ScoreSpec) -> bool:
    if score.closed is not None and group.is_closed is not score.closed:
        return False
    return all(
        span.contains(sum_values(find_counted(scene, group, name)))
        for name, span in score.where.items()
    )


def count_group(scene: Scene, group: TileGroup, weights: Mapping[str, float], by: Filter) -> float:
    """Return the weighted count of a group."""
    part = filter_group(scene, group, by)
    return sum(
        factor * sum_values(find_counted(scene, part, name)) for name, factor in weights.items()
    )


def compute_points(scene: Scene, group: TileGroup, score: ScoreSpec) -> float:
    """Return the points of a group."""
    amount = count_group(scene, group, score.count, score.filter)
    if not amount:
        return 0.0
    rate = score.worth
    if score.less:
        rate = max(0.0, rate - count_group(scene, group, score.less, NO_FILTER))
    return score.base + rate * max(0.0, amount - score.beyond)


def _count_distinct(scene: Scene, score: ScoreSpec, groups: tuple[TileGroup, ...]) -> float:
    parts = [filter_group(scene, group, score.filter) for group in groups]
    total = 0.0
    for name, factor in score.count.items():
        things = {thing for part in parts for thing in find_counted(scene, part, name)}
        total += factor * sum_values(things)
    return score.worth * total


def _points(scene: Scene, score: ScoreSpec, groups: tuple[TileGroup, ...]) -> list[float]:
    return [compute_points(scene, group, score) for group in groups]


Take = Callable[[Scene, "ScoreSpec", tuple[TileGroup, ...]], float]

CHOOSING: Mapping[str, Callable[..., TileGroup]] = {"most": max, "least": min}
"""The values of `take:` that score one of the groups."""

TAKES: Mapping[str, Take] = {
    "sum": lambda *args: sum(_points(*args)),
    "most": lambda *args: max(_points(*args), default=0.0),
    "least": lambda *args: min(_points(*args), default=0.0),
    "groups": lambda _, score, groups: score.worth * len(groups),
    "distinct": _count_distinct,
}
"""The values of `take:`: the sum, the highest or the lowest of the groups' points, the number of groups, or the
number of distinct things in all groups (a tile in two networks counts once).
"""


Forms = Annotated[
    tuple[Annotated[str, choice_from("form", FORMS)], ...],
    BeforeValidator(as_tuple),
    WithJsonSchema(WORDS_SCHEMA),
]


class ScoreSpec(BoardSpec):
    """An entry of `scoring:`."""

    # Group the board, keep the groups that meet `where`, count them, and combine the points. A
    # group gets `base` points, plus `worth` for each thing counted after the first `beyond`; each
    # thing of `less` lowers `worth` by its weight, at most to zero. A group that counts nothing
    # gets none. A `total` adds up other scores. `needs` are the points to reach by number of
    # players, with 0 for any number. With a `majority`, an owner scores only groups in which tokens
    # `by` these designs, or all tokens, are theirs.

    title: fields.Text | None = None
    each: Annotated[str, choice_from("grouping", GROUPINGS)] = "board"
    root: fields.Text | None = None
    of: Words = ()
    having: Words = ()
    without: Words = ()
    forms: Forms = ()
    closed: fields.Bool | None = None
    where: dict[str, NumberRangeField] = Field({})
    count: Weights = Field({"tiles": 1.0})
    worth: fields.Real = 1.0
    base: fields.Real = 0.0
    beyond: fields.Real = 0.0
    less: Weights = Field({})
    take: Annotated[str, choice_from("way to take", TAKES)] = "sum"
    majority: Annotated[str, choice_from("majority", MAJORITIES)] | None = None
    by: Words = ()
    total: Words = ()
    needs: (
        Annotated[
            dict[fields.Count, NumberRangeField],
            BeforeValidator(lambda value: value if isinstance(value, dict) else {"0": value}),
            WithJsonSchema({"type": ["object", "string", "number"]}),
        ]
        | None
    ) = None

    @property
    def filter(self) -> Filter:
        """The conditions for counting parts of a group."""
        return Filter(self.of, self.having, self.without, self.forms)

    @model_validator(mode="after")
    def _check_root(self) -> Self:
        """Raise `InvalidValueError` if limbs are scored and no root is named."""
        if self.each == "limb" and self.root is None:
            raise InvalidValueError(
                "each: limb needs a root", "root: body, the name or a word of a design"
            )
        return self
