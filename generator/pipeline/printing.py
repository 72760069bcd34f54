"""The print job of a game: its options, the pieces to print, and the sheets that hold them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from generator.base.errors import InvalidValueError, Kind, Reporter, find_row, unknown
from generator.base.geometry import IDENTITY
from generator.base.outline import Outline
from generator.base.paper import Orientation, Paper, PaperChoice
from generator.base.ui_strings import words_for
from generator.base.values import shared_fields
from generator.draw.draw import DrawnComponent, DrawnDesign
from generator.impose.duplex import SINGLE, DuplexMode, Tray
from generator.impose.marks import NO_MARKS, MarkStyle
from generator.impose.nets.dice_and_boxes import BOXES, DICE, make_net_builder
from generator.impose.nets.standee import build_standee
from generator.impose.printer import BACKS_ONLY, BOTH_SIDES, Profile, find_profile
from generator.impose.setup import (
    DEFAULT_MARGIN_MM,
    MIN_GUTTER_MM,
    MIN_MARGIN_MM,
    NO_REGISTRATION,
    UNPRINTABLE_MM,
    Margins,
    Registration,
    Setup,
    find_blank_edges,
)
from generator.impose.sheet import Piece
from generator.pack.game import Component, Game
from generator.pack.sizes import MadeInto, ManyFaces

if TYPE_CHECKING:
    from generator.impose.sheet import Job
    from generator.release.record import RecordedComponent

Word = TypeVar("Word")


class SheetColour(StrEnum):
    """The colour space of sheets: RGB for home printers, or the inks of a press."""

    RGB = "rgb"
    CMYK = "cmyk"


@dataclass(frozen=True)
class PrintOptions:
    """The command's settings for sheets; None leaves a setting to the pack.

    `only` names components and designs (`necks:h07,h12`); empty means all. Everything is printed
    `copies` times; `skip` slots of the first sheet are already used. `cutter` is a machine that
    gets marks and cut files; `cut_plan` asks for the cuts of a guillotine. With `pack`, components
    share sheets, unless it is false. `printer` names a measured printer. With `low_ink`, large
    fills are tints. Pixel images print with at most `dpi` pixels an inch.
    """

    papers: tuple[PaperChoice, ...] = ()
    duplex: DuplexMode | None = None
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
    colour: SheetColour = SheetColour.RGB
    low_ink: bool = False
    dpi: int | None = None

    @property
    def cuts(self) -> bool:
        """True if cut files or a cut plan are asked for."""
        return self.cut_plan or self.cutter is not None


def make_setup(game: Game, paper: Paper, options: PrintOptions) -> Setup:
    """Return the setup for a paper, from the settings of the command and of the pack."""
    orientation = options.orientation or game.print.orientation
    printer = find_profile(options.printer) if options.printer else None
    measured = printer.get_edge(orientation) if printer else None
    unprintable = measured or Margins.make_even(UNPRINTABLE_MM)
    duplex = options.duplex or _checked_value(DuplexMode, game.print.duplex)
    marks = _checked_value(MarkStyle, game.print.marks)
    oriented = paper.oriented(orientation)
    blank = find_blank_edges(unprintable, oriented.size, duplex)
    usual = Margins(*(max(DEFAULT_MARGIN_MM, mm) for mm in blank))
    setup = Setup(
        paper=oriented,
        margins=options.margins or (Margins(*game.print.margins) if game.print.margins else usual),
        least_margin=None if options.margins or game.print.margins else MIN_MARGIN_MM,
        least_gutter=MIN_GUTTER_MM,
        unprintable=unprintable,
        duplex=duplex,
        marks=options.marks or (NO_MARKS if options.cutter else marks),
        caption=f"{game.name} {game.edition()}".strip(),
        words=words_for(game.language).sheet,
        tray=options.tray,
        skip=options.skip,
        cutter=options.cutter or NO_REGISTRATION,
    )
    return with_calibration(setup, printer, orientation) if printer else setup


def _checked_value(kind: type[Word], value: object) -> Word:
    """Return a value of the loader's tables, checked to be of its type: the loader knows it as an object only."""
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is not a {kind.__name__}")
    return value


def name_mode(game: Game, options: PrintOptions) -> str:
    """Return the duplex mode as a part of file names; empty for the pack's own mode."""
    if options.duplex is None or options.duplex == game.print.duplex:
        return ""
    return options.duplex.name


def name_options(game: Game, options: PrintOptions) -> str:
    """Return the options of a sheet file as a part of its name, such as `gutterfold-low-ink-cmyk`.

    The part is empty for the pack's own duplex mode in all its ink and RGB, so no other sheets
    replace these.
    """
    is_cmyk = options.colour == SheetColour.CMYK
    words = (
        name_mode(game, options),
        "low-ink" * options.low_ink,
        SheetColour.CMYK.value * is_cmyk,
    )
    return "-".join(filter(None, words))


def with_calibration(setup: Setup, printer: Profile, orientation: Orientation) -> Setup:
    """Return the setup with the errors of a calibrated printer corrected.

    Raise if the calibration is for another mode or orientation. A printer of which only the
    unprintable edge is known fits every mode.
    """
    if printer.is_exact:
        return setup
    if printer.sides == BACKS_ONLY and setup.duplex.without_backs is SINGLE:
        raise InvalidValueError(
            f"printer {printer.name!r} corrects backs, but {setup.duplex.name} prints none behind fronts",
            f"--duplex {printer.duplex}, or no --printer",
        )
    if (printer.duplex, printer.orientation) != (setup.duplex.name, orientation):
        raise InvalidValueError(
            f"printer {printer.name!r} was measured for {printer.duplex}, {printer.orientation}, "
            f"and this is {setup.duplex.name}, {orientation}",
            "the same, or a printer that was measured for it: pnp calibrate makes the sheet",
        )
    undo = printer.get_correction(setup.paper.size)
    front = undo if printer.sides == BOTH_SIDES else IDENTITY
    return replace(setup, undo_front=front, undo_back=undo)


MAX_COPIES = 1000


def check_copies(options: PrintOptions) -> None:
    """Raise `InvalidValueError` if the number of copies is not from 1 to `MAX_COPIES`."""
    if not 1 <= options.copies <= MAX_COPIES:
        raise InvalidValueError(
            f"--copies {options.copies} is {'too many' if options.copies > 1 else 'too few'}",
            f"1 to {MAX_COPIES}",
        )


def list_pieces(components: Sequence[DrawnComponent], options: PrintOptions) -> list[Piece]:
    """Return the pieces to print, in component order.

    The pieces of one design are the same object unless the pack has an order of its own.
    """
    check_copies(options)
    chosen_ids = select_components(components, options.only)
    pieces = {
        (component.spec.id, design.id): make_piece(component.spec, design, component.spec.outline)
        for component in components
        for design in component.designs
        if (component.spec.id, design.id) in chosen_ids
    }
    return [
        piece
        for component in components
        for piece in _list_in_order(
            component,
            {design.id: pieces.get((component.spec.id, design.id)) for design in component.designs},
            options.copies,
        )
    ]


def _list_in_order(
    component: DrawnComponent, pieces: Mapping[str, Piece | None], copies: int
) -> Iterator[Piece]:
    """Yield each chosen piece as often as it is printed, in the pack's order or one after another."""
    order = component.spec.order
    if order:
        for place, ordered in enumerate(order * copies):
            if piece := pieces[ordered.design]:
                yield replace(piece, turn=ordered.turn, place=place)
        return
    for _ in range(copies):
        for design in component.designs:
            if piece := pieces[design.id]:
                yield from [piece] * design.count


def keep_order(pieces: Sequence[Piece], component: Component) -> list[Piece]:
    """Return some pieces of a component turned and in their places as the pack's order has them.

    Pieces that the order lacks come last, as they are.
    """
    places: dict[str, list[int]] = {}
    for place, ordered in enumerate(component.order):
        places.setdefault(f"{component.id}:{ordered.design}", []).append(place)
    in_place: dict[int, Piece] = {}
    others = []
    for piece in pieces:
        own = places.get(piece.id)
        if own and piece.outline == component.outline:
            place = own.pop(0)
            in_place[place] = replace(piece, turn=component.order[place].turn, place=place)
        else:
            others.append(piece)
    return [in_place[place] for place in sorted(in_place)] + others


def make_piece(
    component: Component | RecordedComponent, design: DrawnDesign, outline: Outline
) -> Piece:
    """Return the piece of a design, as it is now or as a release stored it."""
    piece_fields = {
        "id": f"{component.id}:{design.id}",
        "component": component.title,
        "outline": outline,
        "bleed": design.front.bleed,
        "front": design.front.name,
        "back": design.back.name if design.back else None,
        "more": tuple(face.name for face in design.more),
    }
    make = (
        _find_make(component.make)
        if isinstance(component.make, str)
        else _checked_value(Make, component.make)
    )
    return make.into(Piece(**{**shared_fields(component, Piece), **piece_fields}))


def _leave_flat(piece: Piece) -> Piece:
    """Return the piece unchanged."""
    return piece


def _split_board(piece: Piece) -> Piece:
    """Return the piece as one that may be split over several sheets, because it may be larger than the paper."""
    return replace(piece, splits=True)


@dataclass(frozen=True)
class Make(MadeInto):
    """A way of making a component: `into` turns a piece into one with the parts that sheets carry."""

    into: Callable[[Piece], Piece] = _leave_flat

    def __reduce__(self) -> tuple[Callable[[str], Make], tuple[str]]:
        """Pickle a row as its name, since its functions cannot be pickled."""
        return _find_make, (self.name,)


_ROWS = (
    Make("piece"),
    Make("board", into=_split_board),
    # A figure that is folded.
    Make("standee", into=build_standee),
    # Dice and boxes are folded and glued.
    *(
        Make(name, ManyFaces(len(row.numbers), row.shape), make_net_builder(name))
        for name, row in DICE.items()
    ),
    *(
        Make(name, ManyFaces(len(row.panel_by_face), "rect", row.faces), make_net_builder(name))
        for name, row in BOXES.items()
    ),
)

MAKES: Mapping[str, Make] = MappingProxyType({row.name: row for row in _ROWS})
"""The values of `make:` by name."""


def _find_make(name: str) -> Make:
    """Return the row of a name."""
    return find_row("make", name, MAKES)


@dataclass(frozen=True)
class ImposedSheets:
    """The sheets for one paper, and their setup."""

    setup: Setup
    job: Job


def impose_pieces(
    game: Game, pieces: list[Piece], paper: PaperChoice, options: PrintOptions
) -> ImposedSheets:
    """Return the sheets for a paper; for a paper of a stock, with the pieces that go on this one."""
    from generator.impose.impose import PaperStock, distribute_pieces, impose, impose_packed

    setup = make_setup(game, paper.paper, options)
    if paper.stock:
        stock = [PaperStock(make_setup(game, item, options), count) for item, count in paper.stock]
        papers = [item for item, _ in paper.stock]
        pieces = distribute_pieces(pieces, stock)[papers.index(paper.paper)]
    shares_sheets = game.print.pack if options.pack is None else options.pack
    return ImposedSheets(setup, (impose_packed if shares_sheets else impose)(pieces, setup))


def select_components(
    components: Sequence[DrawnComponent], only: Sequence[str]
) -> set[tuple[str, str]]:
    """Return the component and design ids of the named designs, or of all if no names are given."""
    return find_named_ids(
        {component.spec.id: tuple(d.id for d in component.designs) for component in components},
        only,
    )


def find_named_ids(ids: Mapping[str, Sequence[str]], only: Sequence[str]) -> set[tuple[str, str]]:
    """Return the ids of named components and designs, given the components' ids with those of their designs."""
    if not only:
        return {(name, design) for name, designs in ids.items() for design in designs}
    ids_found: set[tuple[str, str]] = set()
    report = Reporter()
    for text in only:
        with report.at(None, f"--only {text}"):
            ids_found.update(_parse_names(text, ids))
    report.raise_any()
    return ids_found


def _parse_names(text: str, ids: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the ids that `necks`, `necks,bodies`, `necks:h07,h12` or `h07,h12` stand for."""
    name, colon, after_colon = text.partition(":")
    if colon and name not in ids:
        raise unknown("component", name, ids, kind=Kind.USAGE)
    places = {name: ids[name]} if colon else ids
    all_designs = [design for designs in places.values() for design in designs]
    for word in (part.strip() for part in (after_colon if colon else text).split(",")):
        if not colon and word in ids:
            yield from ((word, design) for design in ids[word])
            continue
        if word not in all_designs:
            what, names = (
                ("design", all_designs) if colon else ("component or design", [*ids, *all_designs])
            )
            raise unknown(what, word, names, kind=Kind.USAGE)
        yield from ((place, word) for place, designs in places.items() if word in designs)
