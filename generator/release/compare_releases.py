"""Compare two releases, design by design.

Designs are matched by id; a renamed component or design is recognised by its pictures.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from itertools import zip_longest

from generator.picture.items import art_of, words_of
from generator.release.compare_faces import FaceComparer
from generator.release.record import (
    RecordedComponent,
    RecordedDesign,
    RecordedRules,
    Release,
    face_digest,
)

PictureDigests = set[tuple[str, ...]]


def align(old: Release, new: Release) -> Release:
    """Return the old release with its components named as in the new one."""
    names = dict(_find_renamed(old.components, new.components))
    return replace(
        old,
        components=tuple(replace(part, id=names.get(part.id, part.id)) for part in old.components),
    )


def _find_renamed(
    old: Iterable[RecordedComponent], new: Iterable[RecordedComponent]
) -> Iterator[tuple[str, str]]:
    """Yield old and new ids of components that share at least half their designs.

    Components that share the most designs are matched first.
    """
    before = _by_id(old)
    after = _by_id(new)
    removed = {name: _pictures(part) for name, part in before.items() if name not in after}
    added = {name: _pictures(part) for name, part in after.items() if name not in before}
    pairs = [
        (len(old_pictures & new_pictures), old_name, new_name)
        for old_name, old_pictures in removed.items()
        for new_name, new_pictures in added.items()
    ]
    for shared, old_name, new_name in sorted(pairs, key=lambda pair: -pair[0]):
        if (
            old_name in removed
            and new_name in added
            and 2 * shared >= max(1, min(len(removed[old_name]), len(added[new_name])))
        ):
            del removed[old_name], added[new_name]
            yield old_name, new_name


def _by_id(components: Iterable[RecordedComponent]) -> dict[str, RecordedComponent]:
    """Return components by their ids."""
    return {component.id: component for component in components}


def _pictures(component: RecordedComponent) -> PictureDigests:
    """Return the digests of each design's faces."""
    return {tuple(face_digest(face) for face in design.faces) for design in component.designs}


FRONT = "front"
BACK = "back"

Pair = tuple[RecordedDesign | None, RecordedDesign | None]


class ChangeKind(StrEnum):
    """A kind of change to a design. A design may have several."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"
    RECOUNTED = "recounted"
    RENAMED = "renamed"
    REDRAWN = "redrawn"


class Severity(IntEnum):
    """Severity of a change.

    `RULES` changes the game: a piece is added or removed or has another number of copies, or its
    words, the names of its art, or its links differ. `LOOK` is visible but changes nothing in play:
    a colour, a position, a picture drawn anew. `ANY` is invisible on the table: another title in
    the data, or a drawing in other numbers.
    """

    ANY = 0
    LOOK = 1
    RULES = 2


@dataclass(frozen=True)
class DesignChange:
    """A design before and after; `old` or `new` is None for a design that was added or removed.

    `sides` names the sides that look different, and `look` the severity of that difference. A design
    that did not change has no `kinds`.
    """

    component: RecordedComponent
    old: RecordedDesign | None
    new: RecordedDesign | None
    kinds: tuple[ChangeKind, ...] = ()
    sides: tuple[str, ...] = ()
    look: Severity = Severity.ANY

    @property
    def severity(self) -> Severity:
        """The severity of all changes to the design together."""
        counted = {ChangeKind.ADDED, ChangeKind.REMOVED, ChangeKind.RECOUNTED} & set(self.kinds)
        return Severity.RULES if counted else self.look

    @property
    def design(self) -> RecordedDesign:
        """The new design, or the old one of a design that was removed."""
        design = self.new or self.old
        if design is None:
            raise ValueError("a change has a design")
        return design

    @property
    def name(self) -> str:
        """The component's and the design's id, such as `necks:h07`."""
        return f"{self.component.id}:{self.design.id}"


@dataclass(frozen=True)
class RulesChange:
    """Rules in one language that differ; `old` or `new` is None if they were added or removed."""

    language: str
    old: RecordedRules | None
    new: RecordedRules | None


@dataclass(frozen=True)
class Difference:
    """Two releases, every design of both, and the rules that differ.

    `only` names the components and designs to which the comparison was limited.
    """

    old: Release
    new: Release
    pairs: tuple[DesignChange, ...]
    rules: tuple[RulesChange, ...]
    only: tuple[str, ...] = ()

    @property
    def changes(self) -> tuple[DesignChange, ...]:
        """The designs that changed."""
        return tuple(pair for pair in self.pairs if pair.kinds)


def compare(
    old: Release,
    new: Release,
    comparer: FaceComparer,
    tick: Callable[[int], object] = lambda _: None,
) -> Difference:
    """Compare two releases; call `tick` with the number of designs compared so far."""
    pairs = []
    for component, before, after in _pair_designs(old, new, comparer):
        pairs.append(_compare_design(component, before, after, comparer))
        tick(len(pairs))
    return Difference(old, new, tuple(pairs), tuple(_compare_rules(old.rules, new.rules)))


def _pair_designs(
    old: Release, new: Release, comparer: FaceComparer
) -> Iterator[tuple[RecordedComponent, RecordedDesign | None, RecordedDesign | None]]:
    """Yield designs before and after in the order of the new release.

    Removed components come last.
    """
    unmatched = _by_id(old.components)
    for component in new.components:
        before = unmatched.pop(component.id, None)
        for pair in _match(before.designs if before else (), component.designs, comparer):
            yield component, *pair
    for component in unmatched.values():
        yield from ((component, design, None) for design in component.designs)


def _match(
    old: Iterable[RecordedDesign], new: Iterable[RecordedDesign], comparer: FaceComparer
) -> list[Pair]:
    """Match designs by id, and the rest by their pictures: a design may have been given another id."""
    left = {design.id: design for design in old}
    pairs: list[Pair] = [(left.pop(design.id, None), design) for design in new]
    for index, (before, after) in enumerate(pairs):
        if before is None and after is not None:
            twin = next(
                (design for design in left.values() if are_drawn_alike(design, after, comparer)),
                None,
            )
            pairs[index] = (left.pop(twin.id) if twin else None, after)
    return pairs + [(design, None) for design in left.values()]


def are_drawn_alike(old: RecordedDesign, new: RecordedDesign, comparer: FaceComparer) -> bool:
    """Return True if two designs have equal drawings on all their faces."""
    if (old.back is None, len(old.more)) != (new.back is None, len(new.more)):
        return False
    return all(comparer.are_identical(a, b) for a, b in zip(old.faces, new.faces, strict=True))


def _compare_design(
    component: RecordedComponent,
    old: RecordedDesign | None,
    new: RecordedDesign | None,
    comparer: FaceComparer,
) -> DesignChange:
    """Return the change of one design; `kinds` is empty if nothing changed."""
    if old is None or new is None:
        return DesignChange(component, old, new, (ChangeKind.ADDED if new else ChangeKind.REMOVED,))
    fronts = all(
        comparer.look_same(a, b)
        for a, b in zip_longest((old.front, *old.more), (new.front, *new.more))
    )
    backs = comparer.look_same(old.back, new.back)
    sides = tuple(side for side, is_same in ((FRONT, fronts), (BACK, backs)) if not is_same)
    kinds = []
    if sides:
        kinds.append(ChangeKind.CHANGED)
    elif not are_drawn_alike(old, new, comparer):
        kinds.append(ChangeKind.REDRAWN)
    if old.count != new.count:
        kinds.append(ChangeKind.RECOUNTED)
    if (old.id, old.title) != (new.id, new.title):
        kinds.append(ChangeKind.RENAMED)
    return DesignChange(
        component, old, new, tuple(kinds), sides, _severity(old, new) if sides else Severity.ANY
    )


def _severity(old: RecordedDesign, new: RecordedDesign) -> Severity:
    """Return the severity of a difference that is visible."""
    return Severity.LOOK if meaning(old) == meaning(new) else Severity.RULES


def meaning(design: RecordedDesign) -> tuple[object, ...]:
    """Return the content of a design without its appearance: its words, the names of its art, its links.

    Words are compared one by one, since another font size breaks lines elsewhere.
    """
    return design.links, *(
        (words_of(face), tuple(sorted(art.name for art in art_of(face)))) for face in design.faces
    )


def _compare_rules(
    old: Iterable[RecordedRules], new: Iterable[RecordedRules]
) -> Iterator[RulesChange]:
    """Yield the languages in which the rules differ."""
    before = {rules.language: rules for rules in old}
    after = {rules.language: rules for rules in new}
    for language in dict.fromkeys([*after, *before]):
        old_rules = before.get(language)
        new_rules = after.get(language)
        if old_rules is None or new_rules is None or old_rules.digest != new_rules.digest:
            yield RulesChange(language, old_rules, new_rules)
