"""What a command wishes of the sheets, and what becomes of it together with what the pack wants."""

from dataclasses import dataclass, replace
from typing import TypeVar

from generator.core.geometry import IDENTITY
from generator.core.problems import Wrong
from generator.core.words import words_for
from generator.impose.duplex import SINGLE, Mode, Tray
from generator.impose.marks.styles import NO_MARKS, MarkStyle
from generator.impose.paper import Orientation, paper
from generator.impose.registration import PLAIN, Registration
from generator.impose.setup import UNPRINTABLE, Caption, Margins, Setup
from generator.pack.game import Game
from generator.printer.profile import BACKS, BOTH, Profile
from generator.printer.store import profile

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class PrintWish:
    """How to lay out sheets where the command says so; what is none is left to the pack.

    `only` names components and designs (`necks:h07,h12`), all where it is empty; the whole is
    printed `copies` times; `skip` slots of the first sheet are used already. `cutter` is a
    machine that gets marks and cut files, `cut_plan` asks for the cuts of a guillotine.
    With `pack`, components share sheets, unless it is false. `printer` is the name of one that was measured.
    """

    papers: tuple[str, ...] = ()
    duplex: Mode | None = None
    marks: MarkStyle | None = None
    margins: Margins | None = None
    orientation: Orientation | None = None
    tray: Tray = Tray.FACE_DOWN
    only: tuple[str, ...] = ()
    copies: int = 1
    skip: int = 0
    cutter: Registration | None = None
    cut_plan: bool = False
    pack: bool | None = None
    printer: str | None = None


def setup(game: Game, paper_name: str, wish: PrintWish) -> Setup:
    """How to lay out, from the command's wishes and the pack's."""
    orientation = wish.orientation or _one(Orientation, game.print.orientation)
    printer = profile(wish.printer) if wish.printer else None
    made = Setup(
        paper=paper(paper_name).lying(orientation),
        margins=wish.margins or Margins(*game.print.margins),
        unprintable=UNPRINTABLE if printer is None or printer.edge is None else printer.edge,
        duplex=wish.duplex or _one(Mode, game.print.duplex),
        marks=wish.marks or (NO_MARKS if wish.cutter else _one(MarkStyle, game.print.marks)),
        caption=Caption(game.name, game.edition()),
        words=words_for(game.language).sheet,
        tray=wish.tray,
        skip=wish.skip,
        cutter=wish.cutter or PLAIN,
    )
    return undone(made, printer, orientation) if printer else made


def _one(kind: type[Kind], value: object) -> Kind:
    """A value of the tables that the loader was given."""
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def shared(game: Game, wish: PrintWish) -> bool:
    """Whether components share sheets."""
    return game.print.pack if wish.pack is None else wish.pack


def undone(made: Setup, printer: Profile, orientation: Orientation) -> Setup:
    """The setup for a printer that was measured; raises where it was measured for something else.

    One of which only the edge is known is good for everything.
    """
    if printer.true:
        return made
    if printer.sides == BACKS and made.duplex.without_backs is SINGLE:
        raise Wrong(
            f"printer {printer.name!r} is undone on backs, and {made.duplex.name} prints none behind its fronts",
            f"--duplex {printer.duplex}, or no --printer",
        )
    if (printer.duplex, printer.orientation) != (made.duplex.name, orientation):
        raise Wrong(
            f"printer {printer.name!r} was measured for {printer.duplex}, {printer.orientation}, "
            f"and this is {made.duplex.name}, {orientation}",
            "the same, or a printer that was measured for it: pnp calibrate makes the sheet",
        )
    undo = printer.undo(made.paper.size)
    front = undo if printer.sides == BOTH else IDENTITY
    return replace(made, undo_front=front, undo_back=undo)
