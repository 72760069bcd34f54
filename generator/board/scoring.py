"""The points that a pack gives for what is counted on a board, all told or for the owner of tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.board.counts import find
from generator.board.groups import GROUPINGS, Filter, NumberRange, TileGroup, held, narrowed, weight
from generator.board.scene import Scene
from generator.core.problems import Wrong

ALL = Filter()


@dataclass(frozen=True)
class Points:
    """What a group's count is worth: `base`, and `worth` for each thing after the first `beyond`.

    Each thing of `less` lowers the worth by its weight, down to nothing. A group that counts nothing is worth nothing.
    """

    worth: float
    base: float
    beyond: float
    less: Mapping[str, float]


@dataclass(frozen=True)
class Score:
    """Group the board, keep the groups that meet `where`, count in each what passes the filter, and put it together."""

    each: str
    root: str | None
    closed: bool | None
    where: Mapping[str, NumberRange]
    filter: Filter
    count: Mapping[str, float]
    points: Points
    take: str
    parts: tuple[str, ...]
    needs: Mapping[int, NumberRange]
    majority: str
    by: tuple[str, ...]


def points_of(name: str, scores: Mapping[str, Score], scene: Scene, owner: str = "") -> float:
    """What a board scores under a name, all told or for the owner of some tokens."""
    score = scores[name]
    if score.parts:
        return sum(points_of(part, scores, scene, owner) for part in score.parts)
    groups = groups_of(scene, score)
    if owner:
        if not score.majority:
            raise Wrong(
                f"{name!r} is nobody's own", f"majority: {', '.join(MAJORITIES)} in scoring.{name}, or no owner"
            )
        groups = tuple(group for group in groups if MAJORITIES[score.majority](holders(scene, group, score.by), owner))
    return TAKES[score.take](scene, score, groups)


def holders(scene: Scene, group: TileGroup, by: tuple[str, ...]) -> Mapping[str, float]:
    """How many tokens each owner has in a group; only those of the designs `by`, where it names some."""
    found: dict[str, float] = {}
    for _, _, token in held(scene, group):
        if token.owner and (not by or token.design in by):
            found[token.owner] = found.get(token.owner, 0.0) + token.number
    return found


def _most_of(held: Mapping[str, float], owner: str) -> bool:
    return owner in held and held[owner] >= max(held.values())


def _alone(held: Mapping[str, float], owner: str) -> bool:
    return _most_of(held, owner) and list(held.values()).count(held[owner]) == 1


def _any(held: Mapping[str, float], owner: str) -> bool:
    return owner in held


Majority = Callable[[Mapping[str, float], str], bool]

MAJORITIES: Mapping[str, Majority] = MappingProxyType({"shared": _most_of, "alone": _alone, "any": _any})
"""Who scores a group: all who have the most tokens in it, the one who has more than all others, or all who have any."""


def groups_of(scene: Scene, score: Score) -> tuple[TileGroup, ...]:
    """The parts of the board that a score counts."""
    groups = GROUPINGS[score.each](scene, score.filter.of, score.root)
    return tuple(group for group in groups if _meets(scene, group, score))


def _meets(scene: Scene, group: TileGroup, score: Score) -> bool:
    if score.closed is not None and group.closed is not score.closed:
        return False
    return all(span.holds(weight(find(scene, group, name))) for name, span in score.where.items())


def counted(scene: Scene, group: TileGroup, weights: Mapping[str, float], by: Filter) -> float:
    """How much a group counts."""
    part = narrowed(scene, group, by)
    return sum(factor * weight(find(scene, part, name)) for name, factor in weights.items())


def worth(scene: Scene, group: TileGroup, score: Score) -> float:
    """The points of one group."""
    amount = counted(scene, group, score.count, score.filter)
    if not amount:
        return 0.0
    rate = score.points.worth
    if score.points.less:
        rate = max(0.0, rate - counted(scene, group, score.points.less, ALL))
    return score.points.base + rate * max(0.0, amount - score.points.beyond)


def _sum(scene: Scene, score: Score, groups: tuple[TileGroup, ...]) -> float:
    return sum(worth(scene, group, score) for group in groups)


def _most(scene: Scene, score: Score, groups: tuple[TileGroup, ...]) -> float:
    return max((worth(scene, group, score) for group in groups), default=0.0)


def _least(scene: Scene, score: Score, groups: tuple[TileGroup, ...]) -> float:
    return min((worth(scene, group, score) for group in groups), default=0.0)


def _groups(_: Scene, score: Score, groups: tuple[TileGroup, ...]) -> float:
    return score.points.worth * len(groups)


def _distinct(scene: Scene, score: Score, groups: tuple[TileGroup, ...]) -> float:
    parts = [narrowed(scene, group, score.filter) for group in groups]
    total = 0.0
    for name, factor in score.count.items():
        found = {thing for part in parts for thing in find(scene, part, name)}
        total += factor * weight(frozenset(found))
    return score.points.worth * total


Take = Callable[[Scene, Score, tuple[TileGroup, ...]], float]

TAKES: Mapping[str, Take] = MappingProxyType(
    {"sum": _sum, "most": _most, "least": _least, "groups": _groups, "distinct": _distinct}
)
"""What `take:` may say: the groups' points added, the most, the least, how many groups there are, or the things of all
groups together, each counted once (a tile in two networks is one tile)."""
