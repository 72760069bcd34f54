"""Components that were given another id are the same components: found by the pictures that they share."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from generator.release.manifest import KeptComponent, Release

Looks = set[tuple[str, ...]]


def aligned(old: Release, new: Release) -> Release:
    """The old release with its components called as in the new one."""
    names = dict(_renamed(old.components, new.components))
    return replace(old, components=tuple(replace(part, id=names.get(part.id, part.id)) for part in old.components))


def _renamed(old: Iterable[KeptComponent], new: Iterable[KeptComponent]) -> Iterator[tuple[str, str]]:
    """Old ids and the new ones: of components that share half their designs, those first that share the most."""
    before, after = _by_id(old), _by_id(new)
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
    return {tuple(face.name for face in design.faces) for design in component.designs}
