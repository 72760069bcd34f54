"""Copies of an edition: values of an order, counts per design, and random draws."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from generator.base.errors import InvalidValueError, Reporter, unknown
from generator.pack import fields
from generator.pack.game import Component, Design, Spec
from generator.pack.yaml_nodes import Node

MAX_DRAWS_PER_COPY = 1000
"""Number of draws for one copy after which the search for a `unique` lot is given up."""


class LotSpec(Spec):
    """A random draw for each copy: `take` designs of a component, some kinds more often than others.

    `by` is a column whose cells are the kinds. A draw chooses a kind by its weight, then any design of that kind, each
    at most as often as its count.
    """

    of: fields.Text
    take: int
    by: fields.Text = ""
    weights: dict[str, fields.Real] = {}
    least: dict[str, int] = {}
    most: dict[str, int] = {}
    unique: fields.Bool = False


@dataclass(frozen=True)
class CopyOptions:
    """The requested copy: its id, the values of its order, and its counts by `component:design`."""

    id: str = ""
    values: tuple[tuple[str, str], ...] = ()
    counts: tuple[tuple[str, int], ...] = ()


NO_COPY = CopyOptions()


@dataclass(frozen=True)
class LotSettings:
    """A checked random draw; `least` and `most` limit how many of each kind are drawn."""

    name: str
    of: str
    take: int
    by: str
    weights: tuple[tuple[str, float], ...]
    least: tuple[tuple[str, int], ...]
    most: tuple[tuple[str, int], ...]
    unique: bool


def order_values(defaults: Mapping[str, str], copy: CopyOptions) -> dict[str, str]:
    """Return the values of `${order.…}`: those of the order, else the defaults of the pack."""
    return {
        f"order.{name}": value
        for name, value in {**defaults, **dict(copy.values), "id": copy.id or "0"}.items()
    }


def escape_values(copy: CopyOptions) -> CopyOptions:
    """Return the copy with markup in its values escaped, since they come from customers."""
    return replace(
        copy, values=tuple((name, _MARKUP.sub(r"\\\g<0>", value)) for name, value in copy.values)
    )


_MARKUP = re.compile(
    r"\\|\*|:(?=\w)|\[|<(?=[A-Za-z/])|&(?=[\w#]+;)|_(?=_)|\](?=\()|\{|%(?=[A-Za-z_])"
)
"""Places where markup could begin. Everything else stays, so that a value can still name a file."""


def with_counts(components: tuple[Component, ...], copy: CopyOptions) -> tuple[Component, ...]:
    """Return the components with the counts of a copy."""
    counts = dict(copy.counts)

    def with_count(component: Component, design: Design) -> Design:
        return replace(design, count=counts.get(f"{component.id}:{design.id}", design.count))

    return tuple(
        replace(c, designs=tuple(with_count(c, design) for design in c.designs)) for c in components
    )


def read_lots(
    specs: Mapping[str, LotSpec], components: Sequence[Component], root: Node, report: Reporter
) -> tuple[LotSettings, ...]:
    """Return the random draws of a pack with every name checked; report unknown ones."""
    by_id = {component.id: component for component in components}
    settings = []
    for name, spec in specs.items():
        with report.at(root.place(("lots", name)), f"lots.{name}"):
            if spec.of not in by_id:
                raise unknown("component", spec.of, by_id)
            settings.append(_read_lot(name, spec, by_id[spec.of]))
    return tuple(settings)


def _read_lot(name: str, spec: LotSpec, component: Component) -> LotSettings:
    if spec.by and not any(spec.by in design.row for design in component.designs):
        raise unknown(
            "column", spec.by, {column for design in component.designs for column in design.row}
        )
    kinds = {design.row.get(spec.by, "") for design in component.designs}
    for kind in (*spec.weights, *spec.least, *spec.most):
        if kind not in kinds:
            raise unknown(f"{spec.by or 'kind'}", kind, kinds)
    if sum(design.count for design in component.designs) < spec.take or spec.take < 1:
        raise InvalidValueError(
            f"{spec.take} pieces of {component.id} cannot be drawn",
            f"1 to {sum(d.count for d in component.designs)}",
        )
    if sum(spec.least.values()) > spec.take or any(weight < 0 for weight in spec.weights.values()):
        raise InvalidValueError(
            "the `least` values add up to more than `take`, or a weight is negative",
            "smaller `least` values, and weights of 0 or more",
        )
    settings = (tuple(spec.weights.items()), tuple(spec.least.items()), tuple(spec.most.items()))
    return LotSettings(name, spec.of, spec.take, spec.by, *settings, spec.unique)


def draw_lot(lot: LotSettings, component: Component, seed: str) -> Counter[str]:
    """Draw one lot; return how often each design is in it. Equal seeds give equal lots.

    Raises `InvalidValueError` if the limits leave too few designs.
    """
    chance = random.Random(seed)  # noqa: S311 - the same seed must give the same lot
    remaining = Counter({design.id: design.count for design in component.designs})
    kinds = {design.id: design.row.get(lot.by, "") for design in component.designs}
    drawn_counts: Counter[str] = Counter()
    required_kinds = [*(kind for kind, least in lot.least for _ in range(least))]
    for least in [*required_kinds, *[None] * (lot.take - len(required_kinds))]:
        open_kinds = _open_kinds(lot, remaining, kinds, drawn_counts)
        if not sum(open_kinds.values()):
            raise InvalidValueError(
                f"lots.{lot.name}: only {drawn_counts.total()} of {lot.take} can be drawn",
                "larger limits",
            )
        kind = (
            chance.choices(list(open_kinds), list(open_kinds.values()))[0]
            if least is None
            else least
        )
        ids = [name for name, count in remaining.items() if count and kinds[name] == kind]
        if not ids or kind not in open_kinds:
            raise InvalidValueError(
                f"lots.{lot.name}: there are not enough of {kind!r}", "a smaller `least`"
            )
        design_id = chance.choice(ids)
        drawn_counts[design_id] += 1
        remaining[design_id] -= 1
    return drawn_counts


def _open_kinds(
    lot: LotSettings,
    remaining: Mapping[str, int],
    kinds: Mapping[str, str],
    drawn_counts: Mapping[str, int],
) -> dict[str, float]:
    """Return the kinds of which another may be drawn, with their weights."""
    weights = dict(lot.weights)
    maxima = dict(lot.most)
    drawn_by_kind = Counter[str]()
    for name, count in drawn_counts.items():
        drawn_by_kind[kinds[name]] += count
    kinds_left = sorted({kinds[name] for name, count in remaining.items() if count})
    return {
        kind: weights.get(kind, 1.0)
        for kind in kinds_left
        if drawn_by_kind[kind] < maxima.get(kind, lot.take)
    }


def draw_lots(
    lot: LotSettings, component: Component, seed: str, copies: Sequence[str]
) -> Iterator[tuple[tuple[str, int], ...]]:
    """Yield the lot of each copy as counts.

    A `unique` lot is drawn again until it differs from all others.

    Raises `InvalidValueError` if no different lot is found in 1,000 draws.
    """
    earlier_lots: set[tuple[tuple[str, int], ...]] = set()
    for copy in copies:
        for attempt in range(MAX_DRAWS_PER_COPY):
            lot_counts = draw_lot(lot, component, f"{seed}\0{copy}\0{lot.name}\0{attempt}")
            counts = tuple(
                (f"{component.id}:{design.id}", lot_counts[design.id])
                for design in component.designs
            )
            if not lot.unique or counts not in earlier_lots:
                break
        else:
            found = f"lots.{lot.name}: pnp drew {MAX_DRAWS_PER_COPY} lots for {copy!r}, but other copies have all"
            raise InvalidValueError(found, "fewer copies, wider limits, or `unique: false`")
        earlier_lots.add(counts)
        yield counts
