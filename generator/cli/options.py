"""Options and arguments shared by several commands, and the options that control how sheets are laid out."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from generator.base.errors import InvalidValueError
from generator.base.files import OUTPUT
from generator.cli import completers
from generator.cli.commands import JSON_OPTION, RUN_KEY, GroupedOption, store_in

if TYPE_CHECKING:
    from generator.base.paper import Paper, PaperChoice
    from generator.impose.setup import Margins
    from generator.pack.load import PackForm
    from generator.pipeline.printing import PrintOptions


CARD_STOCK = "0.5in"
"""The margin that --card-stock sets: printers grip thick paper safely by half an inch."""


Value = TypeVar("Value")


class ParsedType(click.ParamType[Value]):
    """Values that a function parses from text; `name` stands for them in the help."""

    def __init__(self, name: str, parse: Callable[[str], Value]) -> None:
        self.name = name
        self._parse = parse

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Value:
        """Return the value of a text; click also passes values that are not text, such as defaults."""
        if not isinstance(value, str):
            return cast("Value", value)
        try:
            return self._parse(value)
        except InvalidValueError as error:
            hint = f"; {error.hint}" if error.hint else ""
            self.fail(f"{error.found}; expected {error.expected}{hint}", param, ctx)


class FiniteFloatRange(click.FloatRange):
    """A range of numbers without `nan` and `inf`, which click accepts and no clock can wait for."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number."""
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{number} is not a finite number", param, ctx)
        return number


def _parse_margins(text: str) -> "Margins":
    from generator.base.units import sides
    from generator.impose.setup import Margins

    return Margins(*sides(text))


MARGINS = ParsedType("length", _parse_margins)
"""Margins in mm: one length for all sides, or four lengths clockwise from the top."""


def _parse_paper(text: str) -> "Paper":
    from generator.base.paper import paper

    return paper(text)


PAPER = ParsedType("name", _parse_paper)
"""One paper, by its name or its size."""


def _parse_duplex_mode(text: str) -> str:
    from generator.impose.duplex import find_mode

    return find_mode(text).name


DUPLEX_MODE = ParsedType("mode", _parse_duplex_mode)
"""The name of a duplex mode."""


def _choose_margins(margins: "Margins | None", card_stock: object) -> "Margins | None":
    """Return the margins that --margin or --card-stock sets; raise UsageError if both are given."""
    from generator.base.units import length
    from generator.impose.setup import Margins

    if card_stock and margins is not None:
        raise click.UsageError(
            f"--card-stock sets --margin {CARD_STOCK}: give only one of the two."
        )
    return Margins.make_even(length(CARD_STOCK)) if card_stock else margins


Function = TypeVar("Function", bound=Callable[..., object])

SHEET_GROUP = "Paper and layout"
FORM_GROUP = "Form of the game"
RUN_GROUP = "Speed and limits"
"""The headings in the help of the options that several commands share."""


game_argument = click.argument(
    "game", metavar="[GAME]", default=".", shell_complete=completers.games
)
"""Adds the argument GAME: a folder, or the name of a bundled game; by default, the current folder."""


def game_option(help_text: str) -> Callable[[Function], Function]:
    """Return the decorator that adds `--game` with this help to a command."""
    return click.option(
        "--game",
        default=".",
        show_default=True,
        metavar="GAME",
        shell_complete=completers.games,
        help=help_text,
    )


def folder_option(help_text: str) -> Callable[[Function], Function]:
    """Return the decorator that adds `--output` with this help to a command."""
    return click.option(
        "-o",
        "--output",
        default=OUTPUT,
        show_default=True,
        type=click.Path(file_okay=False),
        help=help_text,
    )


output_option = folder_option(
    "Folder for the files; a folder with the game's name is created in it."
)
"""Adds --output to a command that makes the files of a game."""


json_option = click.option(
    JSON_OPTION,
    is_flag=True,
    expose_value=False,  # `PnpCommand` reads it
    help="Print JSON for other programs: problems with their places, and files (see docs/commands.md).",
)
"""Adds --json: the command answers with one object, a `JsonReport`."""


run_option = partial(
    click.option,
    cls=GroupedOption,
    group=RUN_GROUP,
    expose_value=False,
    callback=store_in(RUN_KEY),
)
"""Create an option whose value is stored for `run_settings`, not passed to the command."""


timings_option = run_option(
    "--timings", is_flag=True, help="Print the time of each stage and the peak memory."
)
"""Adds --timings, read by `WrittenFiles.print_timings`."""


def limit_options(function: Function) -> Function:
    """Add --time-limit and --memory-limit, read by `open_project`."""
    options = [
        run_option(
            "--time-limit",
            type=click.IntRange(1),
            metavar="SECONDS",
            help="CPU time that the command may take.  [default: 60, and 1 for each design]",
        ),
        run_option(
            "--memory-limit",
            type=click.IntRange(1),
            metavar="MB",
            help="Memory that the command may take.  [default: 1500, and 1 for each design]",
        ),
    ]
    return add_options(options, function)


def add_options(options: Sequence[Callable[[Function], Function]], function: Function) -> Function:
    """Add several options to a command, in the order of its help."""
    for option in reversed(options):
        function = option(function)
    return function


def release_options(function: Function) -> Function:
    """Add --from and --to, which choose two releases."""
    function = click.option(
        "--to",
        "new",
        default=None,
        metavar="VERSION",
        help="Newer release.  [default: the pack's current files]",
    )(function)
    return click.option(
        "--from",
        "old",
        required=True,
        metavar="VERSION",
        help="Release that was printed: a version or a file.",
    )(function)


OPTIONS_KEY = "generator.options"
"""The key in click's context of the options that change files, such as --paper and --variant."""


stored_option = partial(
    click.option,
    cls=GroupedOption,
    group=SHEET_GROUP,
    expose_value=False,
    callback=store_in(OPTIONS_KEY),
)
"""Create an option whose value is stored for `read_print_options` or `read_form`, not passed to the command."""

form_option = partial(stored_option, group=FORM_GROUP, default="")


def form_options(function: Function) -> Function:
    """Add --variant and --lang, which choose a form of the game; the command reads it with `read_form`."""
    options = [
        form_option(
            "--variant",
            metavar="NAME",
            shell_complete=completers.variants,
            help="Variant of the pack, such as line-art.",
        ),
        form_option(
            "--lang",
            metavar="CODE",
            shell_complete=completers.languages,
            help="Language of the pack, such as nl.",
        ),
    ]
    return add_options(options, function)


def read_form(*, is_draft: bool = False) -> "PackForm":
    """Return the form of the game that the running command is asked for."""
    from generator.pack.load import PackForm

    values = click.get_current_context().meta[OPTIONS_KEY]
    return PackForm(values["variant"], values["lang"], is_draft)


_SHEET_OPTIONS = (
    stored_option(
        "--paper",
        "papers",
        multiple=True,
        metavar="NAME",
        shell_complete=completers.papers,
        help="Paper size: a4, letter, '210 x 297 mm', 'roll 610mm'; or your stock of sheets: a4:20,a3:5. Repeatable.",
    ),
    stored_option(
        "--landscape/--portrait",
        default=None,
        help="Orientation of the paper.  [default: from the pack, or portrait]",
    ),
    stored_option(
        "--duplex",
        default=None,
        metavar="MODE",
        shell_complete=completers.modes,
        help="How to print backs: long-edge, short-edge, single, two-pass, glue, gutterfold.  [default: from the pack]",
    ),
    stored_option(
        "--tray",
        default=None,
        metavar="FACE",
        shell_complete=completers.trays,
        help="For two-pass: whether the printer delivers sheets face-down or face-up.  [default: face-down]",
    ),
    stored_option(
        "--marks",
        default=None,
        metavar="STYLE",
        shell_complete=completers.marks,
        help="Style of cut marks: crosshair, crosses, ticks, corners, none.  [default: from the pack]",
    ),
    stored_option(
        "--margin",
        "margins",
        default=None,
        type=MARGINS,
        help="Space between the paper's edge and the cut line: 10mm, or four lengths clockwise from the top.",
    ),
    stored_option(
        "--card-stock",
        is_flag=True,
        help=f"Set margins of {CARD_STOCK}, so that thick paper feeds safely.",
    ),
    stored_option(
        "--only",
        multiple=True,
        metavar="NAMES",
        shell_complete=completers.designs,
        help="Print only a component, or some of its designs: necks, necks:h07,h12. Repeatable.",
    ),
    stored_option(
        "--copies",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        help="Number of copies of the game.",
    ),
    stored_option(
        "--skip",
        type=click.IntRange(0),
        default=0,
        metavar="SLOTS",
        help="Number of slots on the first sheet that are already used.",
    ),
    stored_option(
        "--cutter",
        default=None,
        metavar="MACHINE",
        shell_complete=completers.machines,
        help="Add marks and cut files (SVG, DXF) for a cutting machine: silhouette, cricut, plain (no marks).",
    ),
    stored_option(
        "--pack/--no-pack",
        default=None,
        help="Let components share a sheet if it saves paper and straight cuts suffice.  [default: from the pack]",
    ),
    stored_option(
        "--printer",
        default=None,
        metavar="NAME",
        shell_complete=completers.printers,
        help="Correct the error of a measured printer; see pnp calibrate and pnp printer.",
    ),
)


def sheet_options(function: Function) -> Function:
    """Add all sheet options; the command reads their values with `read_print_options`."""
    return add_options(_SHEET_OPTIONS, function)


colour_option = stored_option(
    "--colour",
    type=click.Choice(["rgb", "cmyk"]),
    default="rgb",
    show_default=True,
    help="Colour space of the sheets: rgb for printers at home, cmyk for a press (see docs/exports.md).",
)
"""Adds --colour, read by `read_print_options`."""


low_ink_option = stored_option(
    "--low-ink",
    is_flag=True,
    help="Save ink: large fills become light tints; black, lines, patterns and icons stay.",
)
"""Adds --low-ink, read by `read_print_options`."""


dpi_option = stored_option(
    "--dpi",
    type=click.IntRange(50, 2400),
    metavar="N",
    help="Reduce pictures to N pixels per inch of printed size.  [default: no limit]",
)
"""Adds --dpi, read by `read_print_options`."""


cut_plan_option = stored_option(
    "--cut-plan",
    is_flag=True,
    help="Also write a list of guillotine cuts in order, with measures.",
)
"""Adds --cut-plan, read by `read_print_options`."""


def read_print_options() -> "PrintOptions":
    """Return the print options of the running command, with every name looked up."""
    from generator.base.paper import Orientation
    from generator.impose import duplex
    from generator.impose.marks import find_style
    from generator.impose.plotter import find_registration
    from generator.pipeline.printing import PrintOptions, SheetColour

    values = click.get_current_context().meta[OPTIONS_KEY]
    margins = _choose_margins(values["margins"], values["card_stock"])
    return PrintOptions(
        papers=read_papers(values["papers"]),
        duplex=_look_up(duplex.find_mode, values["duplex"]),
        marks=_look_up(find_style, values["marks"]),
        margins=margins,
        orientation={True: Orientation.LANDSCAPE, False: Orientation.PORTRAIT, None: None}[
            values["landscape"]
        ],
        tray=_look_up(duplex.find_tray, values["tray"]) or duplex.Tray.FACE_DOWN,
        only=values["only"],
        copies=values["copies"],
        skip=values["skip"],
        cutter=_look_up(find_registration, values["cutter"]),
        pack=values["pack"],
        printer=values["printer"],
        cut_plan=bool(values.get("cut_plan")),
        colour=SheetColour(values.get("colour", "rgb")),
        low_ink=bool(values.get("low_ink")),
        dpi=values.get("dpi"),
    )


def read_papers(names: Iterable[str]) -> "tuple[PaperChoice, ...]":
    """Return the papers with these names; raise UsageError for an unknown one."""
    from generator.base.paper import parse_paper_choices

    return tuple(paper for name in names for paper in _look_up(parse_paper_choices, name) or ())


def _look_up(find: Callable[[str], Value], name: str | None) -> Value | None:
    """Return the value of a name on the command line, or None for an option that is not given.

    Raise UsageError instead of `InvalidValueError`.
    """
    try:
        return None if name is None else find(name)
    except InvalidValueError as error:
        raise click.UsageError(str(error.at(None))) from None
