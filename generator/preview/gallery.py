"""A page for the browser that shows a preview's pictures, and what their files are called: never two alike."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from generator.core.problems import Problem, raise_any
from generator.core.web import BESIDE, policy
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


_PAGE = """<!doctype html>
<html lang="{lang}">
<meta charset="utf-8">
{policy}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 2rem auto; max-width: 74rem; padding: 0 1rem; color: #202428; background: #f6f4ef }}
body {{ font: 1rem/1.5 system-ui, sans-serif }}
h2 {{ margin: 2.5rem 0 1rem; font-size: 1.25rem }}
section {{ display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }}
figure {{ margin: 0; width: min-content }}
img {{ display: block; max-width: calc(100vw - 3rem); height: auto; filter: drop-shadow(0 1px 3px #0003) }}
figcaption {{ color: #555; font-size: .9rem; margin-top: .4rem }}
@media print {{ body {{ background: none }} figure {{ break-inside: avoid }} }}
</style>
<h1>{title}</h1>
{body}
</html>
"""


@dataclass(frozen=True)
class Shot:
    """A picture as the page has it, with its caption and the heading under which it stands."""

    shown: str
    caption: str
    group: str


def beside(file: str, caption: str) -> str:
    """A picture that lies beside its page, and opens by itself."""
    place = escape(file)
    return f'<a href="{place}"><img src="{place}" alt="{escape(caption)}" loading="lazy"></a>'


def gallery(title: str, language: str, shots: Sequence[Shot]) -> str:
    """The page; the pictures lie beside it."""
    return _PAGE.format(policy=policy(pictures=BESIDE), lang=escape(language), title=escape(title), body=figures(shots))


def figures(shots: Sequence[Shot]) -> str:
    """The pictures with their captions, under their headings."""
    return "\n".join(
        f"<h2>{escape(group)}</h2>\n<section>\n" + "\n".join(map(_figure, members)) + "\n</section>"
        for group, members in groupby(shots, key=lambda shot: shot.group)
    )


def _figure(shot: Shot) -> str:
    return f"<figure>{shot.shown}<figcaption>{escape(shot.caption)}</figcaption></figure>"
