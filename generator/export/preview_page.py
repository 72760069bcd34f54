"""The page that shows a preview's pictures, and the unique names of their files."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from generator.base.errors import Problem, raise_any
from generator.base.html import Html, html, join_html
from generator.pack.game import Component, Design
from generator.picture.web import BESIDE, compose_page

SIDES = FRONT, BACK = "front", "back"

# The ids of a component and of a design, and a side.
Face = tuple[str, str, str]

# Stands between two ids if a dash would give two faces one name; ids cannot contain it.
UNIQUE_SEPARATOR = "+"


def face_side(number: int) -> str:
    """Return the name of a further face of a piece, counted from 2."""
    return f"face-{number}"


def _sides(design: Design) -> Iterator[str]:
    yield from SIDES
    yield from (face_side(number) for number, _ in enumerate(design.more, 2))


def contact_name(component: str, side: str) -> str:
    """Return the name of a component's contact sheet."""
    return f"contact-{component}-{side}"


def face_names(components: Sequence[Component]) -> Mapping[Face, str]:
    """Return a unique file name for every face.

    Raise an error if two names differ only in case, because many file systems treat these as one.
    """
    faces = [
        (part.id, design.id, side)
        for part in components
        for design in part.designs
        for side in _sides(design)
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


def _name_clashes(names: Mapping[Face, str]) -> Iterator[Problem]:
    """Yield a problem for each two faces whose names differ only in case."""
    first: dict[str, Face] = {}
    for face, name in names.items():
        other = first.setdefault(name.lower(), face)
        if other != face:
            same = f"{':'.join(other[:2])} and {':'.join(face[:2])} would be the same file on many disks: {name}"
            yield Problem(None, same, "ids that differ in more than capitals")


_STYLE = """h2 { margin: 2.5rem 0 1rem; font-size: 1.25rem }
section { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }
figure { width: min-content; max-width: 100% }
img { display: block; max-width: calc(100vw - 2rem); height: auto; filter: drop-shadow(0 1px 3px #0003) }
@media print { body { background: none } figure { break-inside: avoid } }"""


@dataclass(frozen=True)
class Shot:
    """A picture of the page: its HTML, its caption and its heading."""

    picture: Html
    caption: str
    group: str


def link_picture(file: str, caption: str) -> Html:
    """Return the HTML of a picture next to the page, with a link to its file."""
    template = '<a href="$file"><img src="$file" alt="$caption" loading="lazy"></a>'
    return html(template, file=file, caption=caption)


def compose_gallery(title: str, language: str, shots: Sequence[Shot]) -> Html:
    """Return the page; its pictures are next to it."""
    template = '<main class="sheet"><h1>$title</h1>\n$figures</main>'
    body = html(template, title=title, figures=compose_figures(shots))
    return compose_page(title, language, _STYLE, body, BESIDE)


def compose_figures(shots: Sequence[Shot]) -> Html:
    """Return the HTML of the pictures with their captions, under their headings."""
    sections = (
        html(
            "<h2>$group</h2>\n<section>\n$figures\n</section>",
            group=group,
            figures=join_html(map(_figure, members), "\n"),
        )
        for group, members in groupby(shots, key=lambda shot: shot.group)
    )
    return join_html(sections, "\n")


def _figure(shot: Shot) -> Html:
    template = "<figure>$picture<figcaption>$caption</figcaption></figure>"
    return html(template, picture=shot.picture, caption=shot.caption)
