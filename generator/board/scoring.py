"""The points that a pack gives for counts on a board, in total or for an owner of tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.base.errors import InvalidValueError
from generator.board.analysis import Scene
from generator.board.counting import (
    GROUPINGS,
    Filter,
    NumberRange,
    Thing,
    TileGroup,
    filter_group,
    find_counted,
    find_group_tokens,
    sum_values,
)
from generator.board.lattice import Place

NO_FILTER = Filter()


@dataclass(frozen=True)
class Score:
    """A rule for points: group the board, keep the groups that meet `where`, count them, and combine the points.

    A group gets `base` points, plus `worth` for each thing counted after the first `beyond`; each
    thing of `less` lowers `worth` by its weight, at most to zero. A group that counts nothing gets
    none. `parts` are the scores that a total adds up, `needs` the points to reach by number of
    players. With a `majority`, an owner scores only groups in which tokens `by` these designs, or
    all tokens, are theirs.
    """

    each: str
    root: str | None
    closed: bool | None
    where: Mapping[str, NumberRange]
    filter: Filter
    count: Mapping[str, float]
    worth: float
    base: float
    beyond: float
    less: Mapping[str, float]
    take: str
    parts: tuple[str, ...]
    needs: Mapping[int, NumberRange]
    majority: str
    by: tuple[str, ...]


def compute_score(name: str, scores: Mapping[str, Score], scene: Scene, owner: str = "") -> float:
    """Return the points of a score on a board, in total or for an owner of tokens.

    Raise `InvalidValueError` for an owner if the score has no majority.
    """
    score = scores[name]
    if score.parts:
        return sum(compute_score(part, scores, scene, owner) for part in score.parts)
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


def count_by_tile(name: str, scores: Mapping[str, Score], scene: Scene) -> dict[Place, float]:
    """Return the tiles that a score counts, each with its own part of the points.

    A total counts the tiles of its parts. Things that belong to no single tile are left out.
    """
    score = scores[name]
    if score.parts:
        tiles: dict[Place, float] = {}
        for part in score.parts:
            for place, points in count_by_tile(part, scores, scene).items():
                tiles[place] = tiles.get(place, 0.0) + points
        return tiles
    groups = find_scored_groups(scene, score)
    if score.take in CHOOSING and groups:
        choose = CHOOSING[score.take]
        groups = (choose(groups, key=lambda group: compute_points(scene, group, score)),)
    found: dict[tuple[str, Thing], float] = {}
    for group in groups:
        part_of_group = filter_group(scene, group, score.filter)
        for word, factor in score.count.items():
            for thing in find_counted(scene, part_of_group, word):
                found[word, thing] = score.worth * factor * thing.value
    by_tile: dict[Place, float] = {}
    for (_, thing), points in found.items():
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


def _has_any(numbers: Mapping[str, float], owner: str) -> bool:
    return owner in numbers


Majority = Callable[[Mapping[str, float], str], bool]

MAJORITIES: Mapping[str, Majority] = MappingProxyType(
    {"shared": _has_most, "alone": _leads_alone, "any": _has_any}
)
"""The owners who score a group: all with the most tokens, only a single leader, or all with any token."""


def find_scored_groups(scene: Scene, score: Score) -> tuple[TileGroup, ...]:
    """Return the groups of the board that a score counts."""
    groups = GROUPINGS[score.each](scene, score.filter.of, score.root)
    return tuple(group for group in groups if _is_scored(scene, group, score))


def _is_scored(scene: Scene, group: TileGroup, score: Score) -> bool:
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


def compute_points(scene: Scene, group: TileGroup, score: Score) -> float:
    """Return the points of a group."""
    amount = count_group(scene, group, score.count, score.filter)
    if not amount:
        return 0.0
    rate = score.worth
    if score.less:
        rate = max(0.0, rate - count_group(scene, group, score.less, NO_FILTER))
    return score.base + rate * max(0.0, amount - score.beyond)


def _sum_points(scene: Scene, score: Score, groups: tuple[TileGroup, ...]) -> float:
    return sum(compute_points(scene, group, score) for group in groups)


def _max_points(scene: Scene, score: Score, groups: tuple[TileGroup, ...]) -> float:
    return max((compute_points(scene, group, score) for group in groups), default=0.0)


def _min_points(scene: Scene, score: Score, groups: tuple[TileGroup, ...]) -> float:
    return min((compute_points(scene, group, score) for group in groups), default=0.0)


def _count_groups(_: Scene, score: Score, groups: tuple[TileGroup, ...]) -> float:
    return score.worth * len(groups)


def _count_distinct(scene: Scene, score: Score, groups: tuple[TileGroup, ...]) -> float:
    parts = [filter_group(scene, group, score.filter) for group in groups]
    total = 0.0
    for name, factor in score.count.items():
        things = {thing for part in parts for thing in find_counted(scene, part, name)}
        total += factor * sum_values(frozenset(things))
    return score.worth * total


Take = Callable[[Scene, Score, tuple[TileGroup, ...]], float]

CHOOSING: Mapping[str, Callable[..., TileGroup]] = MappingProxyType({"most": max, "least": min})
"""The values of `take:` that score one of the groups."""

TAKES: Mapping[str, Take] = MappingProxyType(
    {
        "sum": _sum_points,
        "most": _max_points,
        "least": _min_points,
        "groups": _count_groups,
        "distinct": _count_distinct,
    }
)
"""The values of `take:`: the sum, the highest or the lowest of the groups' points, the number of groups, or the
number of distinct things in all groups (a tile in two networks counts once).
"""
