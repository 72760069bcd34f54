"""Copies of a game that are each their own: what an order says, what it takes of each design, what is drawn by lot."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict

from generator.core.problems import Reporter, Wrong, unknown
from generator.pack import fields
from generator.pack.game import Component, Design
from generator.pack.source import Node

TRIES = 1000
"""How often a lot is drawn again where another copy has the same."""


class LotSpec(BaseModel):
    """What is drawn by lot for a copy: so many designs of a component, some kinds of them more often than others.

    `by` is a column; a kind is what stands there. A lot draws a kind by its weight, then any design of that kind, each
    at most as often as its count says.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    of: fields.Text
    take: int
    by: fields.Text = ""
    weights: dict[str, fields.Real] = {}
    least: dict[str, int] = {}
    most: dict[str, int] = {}
    unique: fields.Bool = False


class CopiesSpec(BaseModel):
    """What `game.yaml` says of copies: what an order may say, with what stands there otherwise, and what is by lot.

    `footer` is what footers call a copy, where that is not its id.
    """

    model_config = ConfigDict(defer_build=True)
    order: dict[str, fields.Text] = {}
    footer: fields.Text = ""
    lots: dict[str, LotSpec] = {}


@dataclass(frozen=True)
class CopyWish:
    """Which copy is wanted: its name, what its order says, and how often it has designs (`component:design`)."""

    id: str = ""
    values: tuple[tuple[str, str], ...] = ()
    counts: tuple[tuple[str, int], ...] = ()


NO_COPY = CopyWish()


@dataclass(frozen=True)
class LotSettings:
    """What is drawn by lot for a copy: how many of a component, how likely, at least and at most of which kinds."""

    name: str
    of: str
    take: int
    by: str
    weights: tuple[tuple[str, float], ...]
    least: tuple[tuple[str, int], ...]
    most: tuple[tuple[str, int], ...]
    unique: bool


def ordered(told: Mapping[str, str], copy: CopyWish) -> dict[str, str]:
    """What `${order.…}` stands for: what the pack says where an order says nothing."""
    return {f"order.{name}": value for name, value in {**told, **dict(copy.values), "id": copy.id or "0"}.items()}


def as_it_is(copy: CopyWish) -> CopyWish:
    """The same for texts on faces, where what strangers say is shown as it is: nothing in it is bold or an icon."""
    return replace(copy, values=tuple((name, _LOOKS.sub(r"\\\g<0>", value)) for name, value in copy.values))


_LOOKS = re.compile(r"\\|\*|:(?=\w)|\[|<(?=[A-Za-z/])|&(?=[\w#]+;)|_(?=_)|\](?=\()|\{|%(?=[A-Za-z_])")
"""Where a text may begin to be more than letters; what else stands in a value stays, so that it can name a file."""


def counted(components: tuple[Component, ...], copy: CopyWish) -> tuple[Component, ...]:
    """The components with as many pieces as a copy has of them."""
    counts = dict(copy.counts)

    def taken(component: Component, design: Design) -> Design:
        return replace(design, count=counts.get(f"{component.id}:{design.id}", design.count))

    return tuple(replace(c, designs=tuple(taken(c, each) for each in c.designs)) for c in components)


def lots(
    specs: Mapping[str, LotSpec], components: Sequence[Component], root: Node, report: Reporter
) -> tuple[LotSettings, ...]:
    """What is drawn by lot, every name looked up."""
    found = {component.id: component for component in components}
    made = []
    for name, spec in specs.items():
        with report.at(root.place(("lots", name)), f"lots.{name}"):
            if spec.of not in found:
                raise unknown("component", spec.of, found)
            made.append(_lot(name, spec, found[spec.of]))
    return tuple(made)


def _lot(name: str, spec: LotSpec, component: Component) -> LotSettings:
    if spec.by and not any(spec.by in design.row for design in component.designs):
        raise unknown("column", spec.by, {column for design in component.designs for column in design.row})
    kinds = {design.row.get(spec.by, "") for design in component.designs}
    for kind in (*spec.weights, *spec.least, *spec.most):
        if kind not in kinds:
            raise unknown(f"{spec.by or 'kind'}", kind, kinds)
    if sum(design.count for design in component.designs) < spec.take or spec.take < 1:
        raise Wrong(
            f"{spec.take} pieces of {component.id} cannot be drawn", f"1 to {sum(d.count for d in component.designs)}"
        )
    if sum(spec.least.values()) > spec.take or any(weight < 0 for weight in spec.weights.values()):
        raise Wrong(
            "the least of all kinds are more than are drawn, or a weight is below 0", "fewer, and weights from 0 on"
        )
    settings = (tuple(spec.weights.items()), tuple(spec.least.items()), tuple(spec.most.items()))
    return LotSettings(name, spec.of, spec.take, spec.by, *settings, spec.unique)


def drawn(lot: LotSettings, component: Component, seed: str) -> Counter[str]:
    """How often each design of a component is in one lot; the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - whoever knows the seed shall know the lot
    left = Counter({design.id: design.count for design in component.designs})
    kinds = {design.id: design.row.get(lot.by, "") for design in component.designs}
    taken: Counter[str] = Counter()
    wanted = [*(kind for kind, least in lot.least for _ in range(least))]
    for least in [*wanted, *[None] * (lot.take - len(wanted))]:
        open_kinds = _open(lot, left, kinds, taken)
        if not sum(open_kinds.values()):
            raise Wrong(f"lots.{lot.name}: only {taken.total()} of {lot.take} can be drawn", "larger limits")
        kind = chance.choices(list(open_kinds), list(open_kinds.values()))[0] if least is None else least
        ids = [name for name, count in left.items() if count and kinds[name] == kind]
        if not ids or kind not in open_kinds:
            raise Wrong(f"lots.{lot.name}: there are not enough of {kind!r}", "a smaller `least`")
        one = chance.choice(ids)
        taken[one] += 1
        left[one] -= 1
    return taken


def _open(
    lot: LotSettings, left: Mapping[str, int], kinds: Mapping[str, str], taken: Mapping[str, int]
) -> dict[str, float]:
    """The kinds of which one more may be drawn, with their weights."""
    weights, most, have = dict(lot.weights), dict(lot.most), Counter[str]()
    for name, count in taken.items():
        have[kinds[name]] += count
    there = sorted({kinds[name] for name, count in left.items() if count})
    return {kind: weights.get(kind, 1.0) for kind in there if have[kind] < most.get(kind, lot.take)}


def each_lot(
    lot: LotSettings, component: Component, seed: str, copies: Sequence[str]
) -> Iterator[tuple[tuple[str, int], ...]]:
    """The lot of every copy, as counts; where they must differ, one that another has is drawn again."""
    seen: set[tuple[tuple[str, int], ...]] = set()
    for copy in copies:
        for attempt in range(TRIES):
            taken = drawn(lot, component, f"{seed}\0{copy}\0{lot.name}\0{attempt}")
            counts = tuple((f"{component.id}:{design.id}", taken[design.id]) for design in component.designs)
            if not lot.unique or counts not in seen:
                break
        else:
            found = f"lots.{lot.name}: of {TRIES} lots for {copy!r} there is none that no other copy has"
            raise Wrong(found, "fewer copies, wider limits, or `unique: false`")
        seen.add(counts)
        yield counts
