"""Plan a patch: the pieces to print and to remove so that an old deck becomes the new one.

A patch is planned by comparing pictures of both releases. If the old release lacks the variant or
language to print, these are the pictures of the game itself; `apply_form` then replaces them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from generator.picture.face import Face
from generator.release.compare_faces import FaceComparer
from generator.release.compare_releases import (
    BACK,
    ChangeKind,
    DesignChange,
    Difference,
    Severity,
    are_drawn_alike,
)
from generator.release.record import RecordedComponent, RecordedDesign, Release


class Why(Enum):
    """The reason why pieces are printed or removed."""

    NEW = "new"
    CHANGED = "changed"
    BACK = "its back changed"
    MORE = "more copies"
    GONE = "no longer in the game"
    REPLACED = "replaced"
    FEWER = "fewer copies"


@dataclass(frozen=True)
class Lot:
    """Pieces of one design, with the reason why they are printed or removed."""

    component: RecordedComponent
    design: RecordedDesign
    count: int
    why: Why

    @property
    def thumbnail(self) -> Face:
        """The front, cut to the outline of the piece."""
        front = self.design.front
        return front.cut(self.component.outline(front.size))


@dataclass(frozen=True)
class Stay:
    """Pieces of the old deck that stay, with their designs in the old and in the new release."""

    component: RecordedComponent
    old: RecordedDesign
    new: RecordedDesign
    count: int


@dataclass(frozen=True)
class Total:
    """The numbers of pieces of one component."""

    component: RecordedComponent
    old: int
    removed: int
    printed: int

    @property
    def new(self) -> int:
        """The number of pieces in the new deck."""
        return self.old - self.removed + self.printed


@dataclass(frozen=True)
class Patch:
    """The changes from one release to another.

    `mixed` lists the components in which old and new backs can be told apart. `is_other_form` is
    True if the patch prints a variant or language that the old release lacks: then the changes were
    found in the pictures of the game itself.
    """

    difference: Difference
    prints: tuple[Lot, ...]
    removes: tuple[Lot, ...]
    stays: tuple[Stay, ...]
    totals: tuple[Total, ...]
    mixed: tuple[RecordedComponent, ...] = ()
    is_other_form: bool = False

    @property
    def is_empty(self) -> bool:
        """True if nothing is printed and nothing removed."""
        return not (self.prints or self.removes)

    @property
    def printed(self) -> int:
        """The number of pieces to print."""
        return sum(lot.count for lot in self.prints)


def plan_patch(
    difference: Difference, comparer: FaceComparer, min_severity: Severity = Severity.LOOK
) -> Patch:
    """Return the patch that carries out every change of at least `min_severity`.

    Designs with milder changes stay as they were printed. Raise `ArithmeticError` if the counts do
    not add up.
    """
    prints = []
    removes = []
    stays = []
    for pair in difference.pairs:
        printed, removed, stay = _plan_design(pair, min_severity)
        prints += printed
        removes += removed
        stays += stay
    prints, removes, also_stay = _cancel_swaps(prints, removes, comparer)
    stays += also_stay
    totals = tuple(_totals(difference, prints, removes))
    mixed = tuple(_mixed_components(difference.pairs, stays, prints))
    patch = Patch(difference, tuple(prints), tuple(removes), tuple(stays), totals, mixed)
    check_sums(patch)
    return patch


def _is_reprinted(pair: DesignChange, min_severity: Severity) -> bool:
    """Return True if a design has to be printed again."""
    if ChangeKind.CHANGED in pair.kinds:
        return pair.look >= min_severity
    return ChangeKind.REDRAWN in pair.kinds and min_severity is Severity.ANY


def _plan_design(
    pair: DesignChange, min_severity: Severity
) -> tuple[list[Lot], list[Lot], list[Stay]]:
    """Return the lots to print, the lots to remove, and the pieces that stay of one design."""
    component = pair.component
    old = pair.old
    new = pair.new
    if new is None:
        return [], _lot(component, old, old.count if old else 0, Why.GONE), []
    if old is None:
        return _lot(component, new, new.count, Why.NEW), [], []
    if _is_reprinted(pair, min_severity):
        why = Why.BACK if pair.sides == (BACK,) else Why.CHANGED
        return (
            _lot(component, new, new.count, why),
            _lot(component, old, old.count, Why.REPLACED),
            [],
        )
    more = new.count - old.count
    fewer = old.count - new.count
    stays = [Stay(component, old, new, min(old.count, new.count))]
    return _lot(component, new, more, Why.MORE), _lot(component, old, fewer, Why.FEWER), stays


def _lot(
    component: RecordedComponent, design: RecordedDesign | None, count: int, why: Why
) -> list[Lot]:
    """Return one lot, or none if there is nothing to count."""
    return [Lot(component, design, count, why)] if design and count > 0 else []


def _cancel_swaps(
    prints: Sequence[Lot], removes: Sequence[Lot], comparer: FaceComparer
) -> tuple[list[Lot], list[Lot], list[Stay]]:
    """Keep pieces that would be removed and printed again alike under another name.

    Return the remaining lots to print and to remove, and the pieces that stay.
    """
    left = list(removes)
    printed = []
    stays = []
    for lot in prints:
        for index, out in enumerate(left):
            count = min(lot.count, out.count)
            if (
                count
                and out.component.id == lot.component.id
                and are_drawn_alike(out.design, lot.design, comparer)
            ):
                stays.append(Stay(lot.component, out.design, lot.design, count))
                lot = replace(lot, count=lot.count - count)  # noqa: PLW2901 - the pieces still to print
                left[index] = replace(out, count=out.count - count)
        printed.append(lot)
    return [lot for lot in printed if lot.count], [lot for lot in left if lot.count], stays


def _totals(
    difference: Difference, prints: Sequence[Lot], removes: Sequence[Lot]
) -> Iterator[Total]:
    """Yield the numbers of pieces of all components, the removed components last."""
    before = {component.id: component for component in difference.old.components}
    after = {component.id: component for component in difference.new.components}
    printed = _by_component(prints)
    removed = _by_component(removes)
    for name, component in {
        **after,
        **{key: old for key, old in before.items() if key not in after},
    }.items():
        yield Total(
            component, before[name].count if name in before else 0, removed[name], printed[name]
        )


def _by_component(lots: Sequence[Lot]) -> Counter[str]:
    """Return the number of pieces by component id."""
    counts: Counter[str] = Counter()
    for lot in lots:
        counts[lot.component.id] += lot.count
    return counts


def _mixed_components(
    pairs: Sequence[DesignChange], stays: Sequence[Stay], prints: Sequence[Lot]
) -> Iterator[RecordedComponent]:
    """Yield components in which pieces with an old back stay next to new ones."""
    staying = {(stay.component.id, stay.new.id) for stay in stays}
    printed = {lot.component.id for lot in prints}
    mixed = {
        pair.component.id: pair.component
        for pair in pairs
        if BACK in pair.sides
        and (pair.component.id, pair.design.id) in staying
        and pair.component.id in printed
    }
    yield from mixed.values()


def check_sums(patch: Patch) -> None:
    """Raise `ArithmeticError` unless the patch turns the old deck into the new one, piece by piece."""
    old = _count((stay.component, stay.old, stay.count) for stay in patch.stays)
    old += _count((lot.component, lot.design, lot.count) for lot in patch.removes)
    new = _count((stay.component, stay.new, stay.count) for stay in patch.stays)
    new += _count((lot.component, lot.design, lot.count) for lot in patch.prints)
    for release, deck in ((patch.difference.old, old), (patch.difference.new, new)):
        if deck != _deck(release):
            raise ArithmeticError(f"the patch does not add up to {release.name} {release.version}")
    for total in patch.totals:
        if total.new != sum(
            count for (name, _), count in new.items() if name == total.component.id
        ):
            raise ArithmeticError(f"the patch does not add up for {total.component.title}")


def _deck(release: Release) -> Counter[tuple[str, str]]:
    """Return the number of pieces of a release by component and design."""
    return _count((component, design, design.count) for component, design in release.designs)


def _count(
    pieces: Iterable[tuple[RecordedComponent, RecordedDesign, int]],
) -> Counter[tuple[str, str]]:
    """Return the number of pieces by component and design."""
    deck: Counter[tuple[str, str]] = Counter()
    for component, design, count in pieces:
        if count:
            deck[component.id, design.id] += count
    return deck


def apply_form(patch: Patch, form: Release) -> Patch:
    """Return the patch with the designs and titles of `form`, a form of the new release; the counts do not change."""
    components = {component.id: component for component in form.components}
    designs = _designs_by_id(form)
    base_designs = _designs_by_id(patch.difference.new)

    def component_of(component: RecordedComponent) -> RecordedComponent:
        return components.get(component.id, component)

    def design_of(component: RecordedComponent, design: RecordedDesign) -> RecordedDesign:
        return designs.get((component.id, design.id), design)

    def retitle(component: RecordedComponent, old: RecordedDesign) -> RecordedDesign:
        """Keep the old picture; take the form's title unless the design had another title then."""
        now = base_designs.get((component.id, old.id))
        had_same_title = now is not None and now.title == old.title
        return replace(old, title=design_of(component, old).title) if had_same_title else old

    return replace(
        patch,
        difference=replace(patch.difference, new=form),
        prints=tuple(
            replace(
                lot,
                component=component_of(lot.component),
                design=design_of(lot.component, lot.design),
            )
            for lot in patch.prints
        ),
        removes=tuple(
            replace(
                lot,
                component=component_of(lot.component),
                design=retitle(lot.component, lot.design),
            )
            for lot in patch.removes
        ),
        stays=tuple(
            replace(
                stay,
                component=component_of(stay.component),
                new=design_of(stay.component, stay.new),
            )
            for stay in patch.stays
        ),
        totals=tuple(
            replace(total, component=component_of(total.component)) for total in patch.totals
        ),
        mixed=tuple(map(component_of, patch.mixed)),
        is_other_form=True,
    )


def _designs_by_id(release: Release) -> dict[tuple[str, str], RecordedDesign]:
    """Return all designs of a release by component id and design id."""
    return {(component.id, design.id): design for component, design in release.designs}
