"""What to print and what to take out, so that the old deck becomes the new one. Pure arithmetic on pieces.

A patch is told from the game's own pictures; `dressed` puts it into a form that the old release may not have kept.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from generator.picture.face import Face
from generator.release.compare import BACK, ChangeKind, DesignChange, Difference, Severity, Sight, drawn_alike
from generator.release.record import KeptComponent, KeptDesign, Release


class Why(Enum):
    """Why pieces are printed or taken out."""

    NEW = "new"
    CHANGED = "changed"
    BACK = "its back changed"
    MORE = "more copies"
    GONE = "no longer in the game"
    REPLACED = "replaced"
    FEWER = "fewer copies"


@dataclass(frozen=True)
class Lot:
    """Some pieces of one design."""

    component: KeptComponent
    design: KeptDesign
    count: int
    why: Why

    @property
    def shown(self) -> Face:
        """One of them as it was cut out."""
        front = self.design.front
        return front.cut(self.component.outline(front.size))


@dataclass(frozen=True)
class Stay:
    """Pieces that stay: what they are called in the old deck and in the new one."""

    component: KeptComponent
    old: KeptDesign
    new: KeptDesign
    count: int


@dataclass(frozen=True)
class Total:
    """The arithmetic of a component."""

    component: KeptComponent
    old: int
    removed: int
    printed: int

    @property
    def new(self) -> int:
        """What one ends up with."""
        return self.old - self.removed + self.printed


@dataclass(frozen=True)
class Patch:
    """From one release to another; `mixed` are components in which old and new backs can be told apart.

    `told` says that it was told from other pictures than those that are printed.
    """

    difference: Difference
    prints: tuple[Lot, ...]
    removes: tuple[Lot, ...]
    stays: tuple[Stay, ...]
    totals: tuple[Total, ...]
    mixed: tuple[KeptComponent, ...] = ()
    told: bool = False

    @property
    def empty(self) -> bool:
        """Whether the old deck is the new one."""
        return not (self.prints or self.removes)

    @property
    def printed(self) -> int:
        """How many pieces are printed."""
        return sum(lot.count for lot in self.prints)


def plan(difference: Difference, sight: Sight, least: Severity = Severity.LOOK) -> Patch:
    """The patch that carries out every change of at least that severity; what is milder stays as it was printed."""
    prints = []
    removes = []
    stays = []
    for pair in difference.pairs:
        printed, removed, stay = _steps(pair, _reprinted(pair, least))
        prints += printed
        removes += removed
        stays += stay
    prints, removes, more = _swapped(prints, removes, sight)
    stays += more
    totals = tuple(_totals(difference, prints, removes))
    mixed = tuple(_mixed(difference.pairs, stays, prints))
    patch = Patch(difference, tuple(prints), tuple(removes), tuple(stays), totals, mixed)
    check(patch)
    return patch


def _reprinted(pair: DesignChange, least: Severity) -> bool:
    if ChangeKind.CHANGED in pair.kinds:
        return pair.look >= least
    return ChangeKind.REDRAWN in pair.kinds and least is Severity.ANY


def _steps(pair: DesignChange, reprinted: bool) -> tuple[list[Lot], list[Lot], list[Stay]]:  # noqa: FBT001 - one word says it
    """What is printed, what is removed and what stays of one design."""
    component = pair.component
    old = pair.old
    new = pair.new
    if new is None:
        return [], _lots(component, old, old.count if old else 0, Why.GONE), []
    if old is None:
        return _lots(component, new, new.count, Why.NEW), [], []
    if reprinted:
        why = Why.BACK if pair.sides == (BACK,) else Why.CHANGED
        return _lots(component, new, new.count, why), _lots(component, old, old.count, Why.REPLACED), []
    more = new.count - old.count
    fewer = old.count - new.count
    stays = [Stay(component, old, new, min(old.count, new.count))]
    return _lots(component, new, more, Why.MORE), _lots(component, old, fewer, Why.FEWER), stays


def _lots(component: KeptComponent, design: KeptDesign | None, count: int, why: Why) -> list[Lot]:
    return [Lot(component, design, count, why)] if design and count > 0 else []


def _swapped(prints: Sequence[Lot], removes: Sequence[Lot], sight: Sight) -> tuple[list[Lot], list[Lot], list[Stay]]:
    """Without what would be taken out and printed again just the same under another name."""
    left = list(removes)
    printed = []
    stays = []
    for lot in prints:
        for index, out in enumerate(left):
            count = min(lot.count, out.count)
            if count and out.component.id == lot.component.id and drawn_alike(out.design, lot.design, sight):
                stays.append(Stay(lot.component, out.design, lot.design, count))
                lot = replace(lot, count=lot.count - count)  # noqa: PLW2901 - what is still to print of it
                left[index] = replace(out, count=out.count - count)
        printed.append(lot)
    return [lot for lot in printed if lot.count], [lot for lot in left if lot.count], stays


def _totals(difference: Difference, prints: Sequence[Lot], removes: Sequence[Lot]) -> Iterator[Total]:
    before = {component.id: component for component in difference.old.components}
    after = {component.id: component for component in difference.new.components}
    printed = _by_component(prints)
    removed = _by_component(removes)
    for name, component in {**after, **{key: old for key, old in before.items() if key not in after}}.items():
        yield Total(component, before[name].count if name in before else 0, removed[name], printed[name])


def _by_component(lots: Sequence[Lot]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for lot in lots:
        counts[lot.component.id] += lot.count
    return counts


def _mixed(pairs: Sequence[DesignChange], stays: Sequence[Stay], prints: Sequence[Lot]) -> Iterator[KeptComponent]:
    """Components in which pieces with an old back stay beside new ones."""
    staying = {(stay.component.id, stay.new.id) for stay in stays}
    printed = {lot.component.id for lot in prints}
    found = {
        pair.component.id: pair.component
        for pair in pairs
        if BACK in pair.sides and (pair.component.id, pair.design.id) in staying and pair.component.id in printed
    }
    yield from found.values()


def check(patch: Patch) -> None:
    """Piece by piece: what stays and what is removed is the old deck, what stays and what is printed the new one."""
    old = _count((stay.component, stay.old, stay.count) for stay in patch.stays)
    old += _count((lot.component, lot.design, lot.count) for lot in patch.removes)
    new = _count((stay.component, stay.new, stay.count) for stay in patch.stays)
    new += _count((lot.component, lot.design, lot.count) for lot in patch.prints)
    for release, deck in ((patch.difference.old, old), (patch.difference.new, new)):
        if deck != _deck(release):
            raise ArithmeticError(f"the patch does not add up to {release.name} {release.version}")
    for total in patch.totals:
        if total.new != sum(count for (name, _), count in new.items() if name == total.component.id):
            raise ArithmeticError(f"the patch does not add up for {total.component.title}")


def _deck(release: Release) -> Counter[tuple[str, str]]:
    return _count((component, design, design.count) for component, design in release.designs)


def _count(pieces: Iterable[tuple[KeptComponent, KeptDesign, int]]) -> Counter[tuple[str, str]]:
    deck: Counter[tuple[str, str]] = Counter()
    for component, design, count in pieces:
        if count:
            deck[component.id, design.id] += count
    return deck


def dressed(patch: Patch, form: Release) -> Patch:
    """The patch with the new designs and all titles of a form of the new release."""
    return _Dresser(patch.difference.new, form).patch(patch)


@dataclass(frozen=True)
class _Dresser:
    """Knows the new release as it is, and in the form that is wanted."""

    plain: Release
    form: Release

    def patch(self, patch: Patch) -> Patch:
        """All parts of it; the sums are the same."""
        return replace(
            patch,
            difference=replace(patch.difference, new=self.form),
            prints=tuple(
                replace(lot, component=self._component(lot.component), design=self._design(lot.component, lot.design))
                for lot in patch.prints
            ),
            removes=tuple(self._old(lot) for lot in patch.removes),
            stays=tuple(
                replace(stay, component=self._component(stay.component), new=self._design(stay.component, stay.new))
                for stay in patch.stays
            ),
            totals=tuple(replace(total, component=self._component(total.component)) for total in patch.totals),
            mixed=tuple(map(self._component, patch.mixed)),
            told=True,
        )

    def _component(self, component: KeptComponent) -> KeptComponent:
        return next((part for part in self.form.components if part.id == component.id), component)

    def _design(self, component: KeptComponent, design: KeptDesign) -> KeptDesign:
        return _find(self.form, component, design.id) or design

    def _old(self, lot: Lot) -> Lot:
        """Its picture is the old one; its title is the form's, unless it was called otherwise then."""
        now = _find(self.plain, lot.component, lot.design.id)
        same = now is not None and now.title == lot.design.title
        title = self._design(lot.component, lot.design).title if same else lot.design.title
        return replace(lot, component=self._component(lot.component), design=replace(lot.design, title=title))


def _find(release: Release, component: KeptComponent, name: str) -> KeptDesign | None:
    found = (design for part, design in release.designs if (part.id, design.id) == (component.id, name))
    return next(found, None)
