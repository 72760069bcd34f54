"""Options and arguments that mean the same in every command; how sheets are laid out is asked in all of them alike."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import click

from generator.cli import completion
from generator.core.files import OUTPUT
from generator.core.problems import Wrong

if TYPE_CHECKING:
    from generator.app.printing import PrintWish
    from generator.core.paper import PaperWish
    from generator.impose.setup import Margins


CARD_STOCK = "0.5in"
"""What feeds safely when the paper is thick."""


class MarginsType(click.ParamType["Margins"]):
    """One margin for all sides, or four: top, right, bottom, left."""

    name = "length"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> "Margins":
        """Read them into mm."""
        from generator.core.units import sides
        from generator.impose.setup import Margins

        if isinstance(value, Margins):
            return value
        try:
            return Margins(*sides(str(value)))
        except Wrong as wrong:
            self.fail(f"{wrong.found}; expected {wrong.expected}", param, ctx)


def said_margins(margins: "Margins | None", card_stock: object) -> "Margins | None":
    """What the options for margins say together."""
    from generator.core.units import length
    from generator.impose.setup import Margins

    if card_stock and margins is not None:
        raise click.UsageError(f"--card-stock means --margin {CARD_STOCK}; give one of the two.")
    return Margins.make_even(length(CARD_STOCK)) if card_stock else margins


Function = TypeVar("Function", bound=Callable[..., object])
Row = TypeVar("Row")


def game_argument(function: Function) -> Function:
    """GAME: a folder, or the name of a game that comes with the program."""
    return click.argument("game", metavar="GAME", shell_complete=completion.games)(function)


def output_option(function: Function) -> Function:
    """Where the files go."""
    return click.option(
        "-o",
        "--output",
        default=OUTPUT,
        show_default=True,
        type=click.Path(file_okay=False),
        help="The folder in which a folder of the game's name is made.",
    )(function)


def look_options(function: Function) -> Function:
    """Which form of the game: `--variant`, `--lang`."""
    options = [
        click.option(
            "--variant",
            default="",
            metavar="NAME",
            shell_complete=completion.variants,
            help="A variant of the pack, such as line-art.",
        ),
        click.option(
            "--lang",
            default="",
            metavar="CODE",
            shell_complete=completion.languages,
            help="A language that the pack is translated into, such as nl.",
        ),
    ]
    return _all(options, function)


def timings_option(function: Function) -> Function:
    """Whether to say how long each stage took."""
    return click.option("--timings", is_flag=True, help="Say how long each stage took, and its memory.")(function)


def _all(options: Sequence[Callable[[Function], Function]], function: Function) -> Function:
    for option in reversed(options):
        function = option(function)
    return function


def from_to_options(function: Function) -> Function:
    """`--from` and `--to`."""
    function = click.option(
        "--to",
        "new",
        default=None,
        metavar="VERSION",
        help="The release to compare with; the pack as it is now unless said otherwise.",
    )(function)
    return click.option(
        "--from", "old", required=True, metavar="VERSION", help="The release that was printed: its version or its file."
    )(function)


KEY = "generator.sheets"
"""Where the values are in click's context."""


def _keep(ctx: click.Context, param: click.Parameter, value: object) -> None:
    ctx.meta.setdefault(KEY, {})[param.name] = value


kept_option = partial(click.option, expose_value=False, callback=_keep)
"""An option whose value is no argument of the command: `sheet_wish` asks for it."""

_OPTIONS = (
    kept_option(
        "--paper",
        "papers",
        multiple=True,
        metavar="NAME",
        shell_complete=completion.papers,
        help="a4, letter, '210 x 297 mm', 'roll 610mm', or what there is, a4:20,a3:5; may be given more than once.",
    ),
    kept_option(
        "--landscape/--portrait",
        default=None,
        help="Which way the paper lies; portrait unless the pack says otherwise.",
    ),
    kept_option(
        "--duplex",
        default=None,
        metavar="MODE",
        shell_complete=completion.modes,
        help="How fronts and backs come together: long-edge, short-edge, single, two-pass, glue, gutterfold.",
    ),
    kept_option(
        "--tray",
        default=None,
        metavar="WAY",
        show_default="face-down",
        shell_complete=completion.trays,
        help="How sheets come out of the printer, for two-pass: face-down, face-up.",
    ),
    kept_option(
        "--marks",
        default=None,
        metavar="STYLE",
        shell_complete=completion.marks,
        help="Cut marks: crosshair, crosses, ticks, corners, none.",
    ),
    kept_option(
        "--margin",
        "margins",
        default=None,
        type=MarginsType(),
        help="What trims keep free at the paper's edges: 10mm, or '10mm 12mm 10mm 12mm' from the top clockwise.",
    ),
    kept_option("--card-stock", is_flag=True, help=f"Margins of {CARD_STOCK}, with which thick paper feeds safely."),
    kept_option(
        "--only",
        multiple=True,
        metavar="NAMES",
        shell_complete=completion.designs,
        help="Print only a component, or some of its designs: necks, necks:h07,h12; may be given more than once.",
    ),
    kept_option(
        "--copies",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        help="Print everything so many times.",
    ),
    kept_option(
        "--skip",
        type=click.IntRange(0),
        default=0,
        metavar="SLOTS",
        help="Slots of the first sheet that are used already.",
    ),
    kept_option(
        "--cutter",
        default=None,
        metavar="MACHINE",
        shell_complete=completion.machines,
        help="Marks and cut files (SVG, DXF) for a cutting machine: silhouette, cricut, plain (no marks).",
    ),
    kept_option(
        "--pack/--no-pack",
        default=None,
        help="Let several components share a sheet, where straight cuts part them and it saves paper; or never.",
    ),
    kept_option(
        "--printer",
        default=None,
        metavar="NAME",
        shell_complete=completion.printers,
        help="Undo what this printer does wrong; see pnp calibrate and pnp printer.",
    ),
)


def sheet_options(function: Function) -> Function:
    """How sheets are laid out; a command with these asks `sheet_wish` what was said."""
    return _all(_OPTIONS, function)


def colour_option(function: Function) -> Function:
    """In what the sheets' colours are told; `sheet_wish` tells."""
    return kept_option(
        "--colour",
        type=click.Choice(["rgb", "cmyk"]),
        default="rgb",
        show_default=True,
        help="Colours of a screen, as printers take them, or a press's inks (docs/exports.md says which).",
    )(function)


def low_ink_option(function: Function) -> Function:
    """Whether to save ink; `sheet_wish` tells."""
    return kept_option(
        "--low-ink",
        is_flag=True,
        help="Save ink: fills as tints, as light as what is on them allows, and backs in lines; sheets alone are made.",
    )(function)


def dpi_option(function: Function) -> Function:
    """How fine pictures of pixels print at most; `sheet_wish` tells."""
    return kept_option(
        "--dpi",
        type=click.IntRange(50, 2400),
        metavar="N",
        help="Make pictures smaller that have more than N pixels an inch where they are printed; none unless you say.",
    )(function)


def cut_plan_option(function: Function) -> Function:
    """Whether to write the cuts of a guillotine; `sheet_wish` tells."""
    return kept_option(
        "--cut-plan", is_flag=True, help="Also write the cuts of a guillotine in their order, with measures."
    )(function)


def sheet_wish() -> "PrintWish":
    """What the options of the command that runs now say."""
    from generator.app.printing import PrintWish, SheetColour
    from generator.core.paper import Orientation
    from generator.impose import duplex
    from generator.impose.cutfile import find_registration
    from generator.impose.marks.styles import find_style

    said = click.get_current_context().meta[KEY]
    margins = said_margins(said["margins"], said["card_stock"])
    return PrintWish(
        papers=read_papers(said["papers"]),
        duplex=_read(duplex.find_mode, said["duplex"]),
        marks=_read(find_style, said["marks"]),
        margins=margins,
        orientation={True: Orientation.LANDSCAPE, False: Orientation.PORTRAIT, None: None}[said["landscape"]],
        tray=_read(duplex.find_tray, said["tray"]) or duplex.Tray.FACE_DOWN,
        only=said["only"],
        copies=said["copies"],
        skip=said["skip"],
        cutter=_read(find_registration, said["cutter"]),
        pack=said["pack"],
        printer=said["printer"],
        cut_plan=bool(said.get("cut_plan")),
        colour=SheetColour(said.get("colour", "rgb")),
        low_ink=bool(said.get("low_ink")),
        dpi=said.get("dpi"),
    )


def read_papers(names: Iterable[str]) -> "tuple[PaperWish, ...]":
    """What sheets are wanted on."""
    from generator.core.paper import wished

    return tuple(one for name in names for one in _read(wished, name) or ())


def _read(look_up: Callable[[str], Row], name: str | None) -> Row | None:
    """What a name stands for; one that is in no table is wrong usage, not a wrong pack."""
    try:
        return None if name is None else look_up(name)
    except Wrong as wrong:
        raise click.UsageError(str(wrong.at(None))) from None
