"""What a command wishes of the sheets, and what becomes of it together with what the pack wants."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from generator.core.geometry import IDENTITY
from generator.core.problems import Reporter, Wrong, unknown
from generator.core.words import words_for
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.impose import duplex
from generator.impose.die import PLACES, die
from generator.impose.duplex import FACE_DOWN
from generator.impose.marks.styles import NO_MARKS
from generator.impose.net import standee
from generator.impose.paper import paper
from generator.impose.registration import PLAIN
from generator.impose.setup import UNPRINTABLE, Caption, Margins, Setup
from generator.impose.sheet import Piece
from generator.pack.game import Game
from generator.pack.shape import ShapeKind
from generator.printer.profile import BACKS, BOTH, Profile
from generator.printer.store import profile

MOST_COPIES = 1000


@dataclass(frozen=True)
class PrintWish:
    """How to lay out sheets where the command says so; what is none is left to the pack.

    `only` names components and designs (`necks:h07,h12`), all where it is empty; the whole is
    printed `copies` times; `skip` slots of the first sheet are used already. `cutter` names a
    machine that gets marks and cut files, `cut_plan` asks for the cuts of a guillotine.
    With `pack`, components share sheets, unless it is false. `printer` is the name of one that was measured.
    """

    papers: tuple[str, ...] = ()
    duplex: str | None = None
    marks: str | None = None
    margins: Margins | None = None
    orientation: str | None = None
    tray: str = FACE_DOWN
    only: tuple[str, ...] = ()
    copies: int = 1
    skip: int = 0
    cutter: str | None = None
    cut_plan: bool = False
    pack: bool | None = None
    printer: str | None = None


def setup(game: Game, paper_name: str, wish: PrintWish) -> Setup:
    """How to lay out, from the command's wishes and the pack's."""
    orientation = wish.orientation or game.print.orientation
    printer = profile(wish.printer) if wish.printer else None
    made = Setup(
        paper=paper(paper_name).lying(orientation),
        margins=wish.margins or Margins(*game.print.margins),
        unprintable=UNPRINTABLE if printer is None or printer.edge is None else printer.edge,
        duplex=wish.duplex or game.print.duplex,
        marks=wish.marks or (NO_MARKS.name if wish.cutter else game.print.marks),
        caption=Caption(game.name, game.edition()),
        words=words_for(game.language).sheet,
        tray=wish.tray,
        skip=wish.skip,
        cutter=wish.cutter or PLAIN.name,
    )
    return undone(made, printer, orientation) if printer else made


def shared(game: Game, wish: PrintWish) -> bool:
    """Whether components share sheets."""
    return game.print.pack if wish.pack is None else wish.pack


def undone(made: Setup, printer: Profile, orientation: str) -> Setup:
    """The setup for a printer that was measured; raises where it was measured for something else.

    One of which only the edge is known is good for everything.
    """
    if printer.true:
        return made
    if printer.sides == BACKS and duplex.mode(made.duplex).bare == "single":
        raise Wrong(
            f"printer {printer.name!r} is undone on backs, and {made.duplex} prints none behind its fronts",
            f"--duplex {printer.duplex}, or no --printer",
        )
    if (printer.duplex, printer.orientation) != (made.duplex, orientation):
        raise Wrong(
            f"printer {printer.name!r} was measured for {printer.duplex}, {printer.orientation}, "
            f"and this is {made.duplex}, {orientation}",
            "the same, or a printer that was measured for it: pnp calibrate makes the sheet",
        )
    undo = printer.undo(made.paper.size)
    front = undo if printer.sides == BOTH else IDENTITY
    return replace(made, undo_front=front, undo_back=undo)


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
    shape, spec = component.spec.shape, component.spec
    piece = Piece(
        id=f"{spec.id}:{design.id}",
        component=spec.title,
        size=shape.size,
        bleed=spec.bleed,
        front=design.front.name,
        back=design.back.name if design.back else None,
        gutter=spec.gutter,
        grid=spec.grid,
        radius=shape.size.w / 2 if shape.kind is ShapeKind.CIRCLE else spec.radius,
        corners=shape.corners if shape.kind is ShapeKind.HEX else (),
        more=tuple(face.name for face in design.more),
    )
    return MAKES[spec.make].made(piece)


def _flat(piece: Piece) -> Piece:
    return piece


def _board(piece: Piece) -> Piece:
    return replace(piece, splits=True)


@dataclass(frozen=True)
class Make:
    """Something that a component is made into; `faces` is how many it has, where that is not a front and a back."""

    made: Callable[[Piece], Piece]
    faces: int = 0


MAKES: Mapping[str, Make] = MappingProxyType(
    {"piece": Make(_flat), "board": Make(_board), "standee": Make(standee), "die": Make(die, len(PLACES))}
)
"""One piece; a board that may be larger than the paper; a figure that is folded; a die that is folded and glued."""


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
