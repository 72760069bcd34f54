"""What the files of a preview are called: `cards-fox-front`, and never two alike."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from generator.core.problems import Problem, raise_any
from generator.pack.game import Component, Design

SIDES = FRONT, BACK = "front", "back"

Face = tuple[str, str, str]
"""The ids of a component and of a design, and a side."""

APART = "+"
"""No id holds it: it stands between two ids where a dash would make two names one."""


def face_side(number: int) -> str:
    """A further face of what has many, from the second on."""
    return f"face-{number}"


def _sides(design: Design) -> Iterator[str]:
    yield from SIDES
    yield from (face_side(number) for number, _ in enumerate(design.more, 2))


def contact_name(component: str, side: str) -> str:
    """The contact sheet of a component."""
    return f"contact-{component}-{side}"


def face_names(components: Sequence[Component]) -> Mapping[Face, str]:
    """A name for every face of a game; raises where a disk that does not tell A from a would take two for one."""
    faces = [(part.id, design.id, side) for part in components for design in part.designs for side in _sides(design)]
    taken = Counter(contact_name(part.id, side).lower() for part in components for side in SIDES)
    taken += Counter("-".join(face).lower() for face in faces)
    names = {face: "-".join(face) if taken["-".join(face).lower()] == 1 else _apart(*face) for face in faces}
    raise_any(_alike({face: name for face, name in names.items() if face[2] == FRONT}))
    return names


def _apart(component: str, design: str, side: str) -> str:
    return f"{component}{APART}{design}-{side}"


def _alike(names: Mapping[Face, str]) -> Iterator[Problem]:
    first: dict[str, Face] = {}
    for face, name in names.items():
        other = first.setdefault(name.lower(), face)
        if other != face:
            same = f"{':'.join(other[:2])} and {':'.join(face[:2])} would be the same file on many disks: {name}"
            yield Problem(None, same, "ids that differ in more than capitals")
