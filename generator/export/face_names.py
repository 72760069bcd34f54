"""The names of faces in files: unique in a game, whatever ids its designs have."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from generator.base.errors import Problem, raise_any
from generator.pack.game import Component, Design

SIDES = FRONT, BACK = "front", "back"

# The ids of a component and of a design, and a side.
FaceId = tuple[str, str, str]

# Stands between two ids if a dash would give two faces one name; ids cannot contain it.
UNIQUE_SEPARATOR = "+"


def face_side(number: int) -> str:
    """Return the name of a further face of a piece, counted from 2."""
    return f"face-{number}"


def _list_side_names(design: Design) -> Iterator[str]:
    yield from SIDES
    yield from (face_side(number) for number, _ in enumerate(design.more, 2))


def contact_name(component: str, side: str) -> str:
    """Return the name of a component's contact sheet."""
    return f"contact-{component}-{side}"


def face_names(components: Sequence[Component]) -> Mapping[FaceId, str]:
    """Return a unique file name for every face.

    Raise an error if two names differ only in case, because many file systems treat these as one.
    """
    faces = [
        (part.id, design.id, side)
        for part in components
        for design in part.designs
        for side in _list_side_names(design)
    ]
    counts = Counter(contact_name(part.id, side).lower() for part in components for side in SIDES)
    counts += Counter("-".join(face).lower() for face in faces)
    names = {
        face: "-".join(face) if counts["-".join(face).lower()] == 1 else _separated_name(*face)
        for face in faces
    }
    raise_any(_name_clashes({face: name for face, name in names.items() if face[2] == FRONT}))
    return names


def _separated_name(component: str, design: str, side: str) -> str:
    return f"{component}{UNIQUE_SEPARATOR}{design}-{side}"


def _name_clashes(names: Mapping[FaceId, str]) -> Iterator[Problem]:
    """Yield a problem for each two faces whose names differ only in case."""
    first: dict[str, FaceId] = {}
    for face, name in names.items():
        other = first.setdefault(name.lower(), face)
        if other != face:
            same = f"{':'.join(other[:2])} and {':'.join(face[:2])} would be the same file on many disks: {name}"
            yield Problem(None, same, "ids that differ in more than capitals")
