"""What happened to each design between two releases; a component that was renamed is found by its pictures."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from itertools import zip_longest
from typing import Protocol

from generator.picture.face import Face
from generator.picture.items import art_of, words_of
from generator.release.record import KeptComponent, KeptDesign, KeptRules, Release, face_digest

Looks = set[tuple[str, ...]]


def aligned(old: Release, new: Release) -> Release:
    """The old release with its components called as in the new one."""
    names = dict(_renamed(old.components, new.components))
    return replace(old, components=tuple(replace(part, id=names.get(part.id, part.id)) for part in old.components))


def _renamed(old: Iterable[KeptComponent], new: Iterable[KeptComponent]) -> Iterator[tuple[str, str]]:
    """Old ids and the new ones: of components that share half their designs, those first that share the most."""
    before = _by_id(old)
    after = _by_id(new)
    gone = {name: _looks(part) for name, part in before.items() if name not in after}
    come = {name: _looks(part) for name, part in after.items() if name not in before}
    pairs = [(len(was & now), name, other) for name, was in gone.items() for other, now in come.items()]
    for shared, name, other in sorted(pairs, key=lambda pair: -pair[0]):
        if name in gone and other in come and 2 * shared >= max(1, min(len(gone[name]), len(come[other]))):
            del gone[name], come[other]
            yield name, other


def _by_id(components: Iterable[KeptComponent]) -> dict[str, KeptComponent]:
    return {component.id: component for component in components}


def _looks(component: KeptComponent) -> Looks:
    return {tuple(face_digest(face) for face in design.faces) for design in component.designs}


FRONT = "front"
BACK = "back"

Pair = tuple[KeptDesign | None, KeptDesign | None]


class ChangeKind(StrEnum):
    """What happened to a design; more than one may have."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"
    RECOUNTED = "recounted"
    RENAMED = "renamed"
    REDRAWN = "redrawn"


class Severity(IntEnum):
    """How much a change matters.

    `RULES`: it changes the game: a piece comes, goes, or has another number of copies; other words stand on it,
    other pictures by name, other links run across it. `LOOK`: it can be seen, and that is all: a colour, a place,
    a picture drawn anew. `ANY`: it cannot be seen on the table: another title in the data, drawn by another program.
    """

    ANY = 0
    LOOK = 1
    RULES = 2


class Sight(Protocol):
    """Who says whether faces are the same."""

    def same(self, old: Face | None, new: Face | None) -> bool:
        """Whether two faces look the same."""

    def identical(self, old: Face, new: Face) -> bool:
        """Whether two faces are drawn the same, to the last number."""


@dataclass(frozen=True)
class DesignChange:
    """A design before and after, of which one may be none.

    `sides` are those that look different, `look` says how much that matters.
    """

    component: KeptComponent
    old: KeptDesign | None
    new: KeptDesign | None
    kinds: tuple[ChangeKind, ...] = ()
    sides: tuple[str, ...] = ()
    look: Severity = Severity.ANY

    @property
    def severity(self) -> Severity:
        """How much all that happened matters."""
        counted = {ChangeKind.ADDED, ChangeKind.REMOVED, ChangeKind.RECOUNTED} & set(self.kinds)
        return Severity.RULES if counted else self.look

    @property
    def design(self) -> KeptDesign:
        """The design as it is, or as it was where it is no more."""
        design = self.new or self.old
        if design is None:
            raise ValueError("a change has a design")
        return design

    @property
    def name(self) -> str:
        """`necks:h07`."""
        return f"{self.component.id}:{self.design.id}"


@dataclass(frozen=True)
class RulesChange:
    """The rules in one language before and after, where they differ."""

    language: str
    old: KeptRules | None
    new: KeptRules | None


@dataclass(frozen=True)
class Difference:
    """Two releases, every design of both, and the rules that differ; `only` names the part that they were cut to."""

    old: Release
    new: Release
    pairs: tuple[DesignChange, ...]
    rules: tuple[RulesChange, ...]
    only: tuple[str, ...] = ()

    @property
    def changes(self) -> tuple[DesignChange, ...]:
        """The designs to which something happened."""
        return tuple(pair for pair in self.pairs if pair.kinds)


def compare(old: Release, new: Release, sight: Sight, tick: Callable[[int], object] = lambda _: None) -> Difference:
    """All that differs; `tick` hears how many designs are compared."""
    pairs = []
    for component, before, after in _designs(old, new, sight):
        pairs.append(_change(component, before, after, sight))
        tick(len(pairs))
    return Difference(old, new, tuple(pairs), tuple(_rules(old.rules, new.rules)))


def _designs(
    old: Release, new: Release, sight: Sight
) -> Iterator[tuple[KeptComponent, KeptDesign | None, KeptDesign | None]]:
    """Component by component in the new order, what is no more at the end."""
    before = {component.id: component for component in old.components}
    for component in new.components:
        was = before.pop(component.id, None)
        for pair in _matched(was.designs if was else (), component.designs, sight):
            yield component, *pair
    for component in before.values():
        yield from ((component, design, None) for design in component.designs)


def _matched(old: Iterable[KeptDesign], new: Iterable[KeptDesign], sight: Sight) -> list[Pair]:
    """By id; what is then left over, by its picture: a design may have been given another id."""
    left = {design.id: design for design in old}
    pairs: list[Pair] = [(left.pop(design.id, None), design) for design in new]
    for index, (before, after) in enumerate(pairs):
        if before is None and after is not None:
            twin = next((design for design in left.values() if drawn_alike(design, after, sight)), None)
            pairs[index] = (left.pop(twin.id) if twin else None, after)
    return pairs + [(design, None) for design in left.values()]


def drawn_alike(one: KeptDesign, other: KeptDesign, sight: Sight) -> bool:
    """Whether two designs have the same pictures, to the last number."""
    if (one.back is None, len(one.more)) != (other.back is None, len(other.more)):
        return False
    return all(sight.identical(a, b) for a, b in zip(one.faces, other.faces, strict=True))


def _change(component: KeptComponent, old: KeptDesign | None, new: KeptDesign | None, sight: Sight) -> DesignChange:
    if old is None or new is None:
        return DesignChange(component, old, new, (ChangeKind.ADDED if new else ChangeKind.REMOVED,))
    fronts = all(sight.same(a, b) for a, b in zip_longest((old.front, *old.more), (new.front, *new.more)))
    backs = sight.same(old.back, new.back)
    sides = tuple(side for side, same in ((FRONT, fronts), (BACK, backs)) if not same)
    kinds = []
    if sides:
        kinds.append(ChangeKind.CHANGED)
    elif not drawn_alike(old, new, sight):
        kinds.append(ChangeKind.REDRAWN)
    if old.count != new.count:
        kinds.append(ChangeKind.RECOUNTED)
    if (old.id, old.title) != (new.id, new.title):
        kinds.append(ChangeKind.RENAMED)
    return DesignChange(component, old, new, tuple(kinds), sides, _look(old, new) if sides else Severity.ANY)


def _look(old: KeptDesign, new: KeptDesign) -> Severity:
    return Severity.LOOK if sense(old) == sense(new) else Severity.RULES


def sense(design: KeptDesign) -> tuple[object, ...]:
    """Return what a design says, apart from its looks: its words, the names of its art, its links.

    Words are compared one by one, since another size of type breaks lines elsewhere.
    """
    return design.links, *((words_of(face), tuple(sorted(art.name for art in art_of(face)))) for face in design.faces)


def _rules(old: Iterable[KeptRules], new: Iterable[KeptRules]) -> Iterator[RulesChange]:
    before, after = ({rules.language: rules for rules in each} for each in (old, new))
    for language in dict.fromkeys([*after, *before]):
        was = before.get(language)
        now = after.get(language)
        if was is None or now is None or was.digest != now.digest:
            yield RulesChange(language, was, now)
