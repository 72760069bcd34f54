"""What is printed of a game: the designs that are named, each as often as it is wished for, as pieces to lay out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from generator.app.printing import PrintWish
from generator.core.problems import Reporter, Wrong, unknown
from generator.core.values import shared
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.impose.boxes import FACES, tuckbox, tuckbox_faces
from generator.impose.die import DICE, die
from generator.impose.net import standee
from generator.impose.sheet import Piece
from generator.pack.components import ManyFaces

MOST_COPIES = 1000


def pieces(components: Sequence[DrawnComponent], wish: PrintWish) -> list[Piece]:
    """The pieces to print, component by component."""
    if not 1 <= wish.copies <= MOST_COPIES:
        raise Wrong(f"{wish.copies} copies cannot be", f"1 to {MOST_COPIES}")
    wanted = chosen(components, wish.only)
    return [
        _piece(component, design)
        for component in components
        for _ in range(wish.copies)
        for design in component.designs
        if (component.spec.id, design.id) in wanted
        for _ in range(design.count)
    ]


def _piece(component: DrawnComponent, design: DrawnDesign) -> Piece:
    spec = component.spec
    own = {
        "id": f"{spec.id}:{design.id}",
        "component": spec.title,
        "front": design.front.name,
        "back": design.back.name if design.back else None,
        "more": tuple(face.name for face in design.more),
    }
    return MAKES[spec.make].made(Piece(**{**shared(spec, Piece), **own}))


def _flat(piece: Piece) -> Piece:
    return piece


def _board(piece: Piece) -> Piece:
    return replace(piece, splits=True)


@dataclass(frozen=True)
class Make:
    """Something that a component is made into; `faces` are those that it has where that is not a front and a back."""

    made: Callable[[Piece], Piece]
    faces: ManyFaces | None = None


MAKES: Mapping[str, Make] = MappingProxyType(
    {
        "piece": Make(_flat),
        "board": Make(_board),
        "standee": Make(standee),
        **{name: Make(die(name), ManyFaces(len(row.numbers), row.shape)) for name, row in DICE.items()},
        "tuckbox": Make(tuckbox, ManyFaces(len(FACES), "rect", tuckbox_faces)),
    }
)
"""One piece; a board that may be larger than the paper; a figure that is folded; what is folded and glued."""


def chosen(components: Sequence[DrawnComponent], only: Sequence[str]) -> set[tuple[str, str]]:
    """The component's and the design's id of everything that is named, or of all."""
    return named({component.spec.id: tuple(d.id for d in component.designs) for component in components}, only)


def named(ids: Mapping[str, Sequence[str]], only: Sequence[str]) -> set[tuple[str, str]]:
    """The same of components by their ids, each with the ids of its designs."""
    if not only:
        return {(name, design) for name, designs in ids.items() for design in designs}
    found: set[tuple[str, str]] = set()
    report = Reporter()
    for text in only:
        with report.at(None, f"--only {text}"):
            found.update(_named(text, ids))
    report.raise_any()
    return found


def _named(text: str, ids: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """What `necks`, `necks,bodies`, `necks:h07,h12` and `h07,h12` stand for."""
    name, colon, rest = text.partition(":")
    if colon and name not in ids:
        raise unknown("component", name, ids)
    places = {name: ids[name]} if colon else ids
    known = [design for designs in places.values() for design in designs]
    for wanted in (part.strip() for part in (rest if colon else text).split(",")):
        if not colon and wanted in ids:
            yield from ((wanted, design) for design in ids[wanted])
            continue
        if wanted not in known:
            raise unknown("design" if colon else "component or design", wanted, known if colon else [*ids, *known])
        yield from ((place, wanted) for place, designs in places.items() if wanted in designs)
