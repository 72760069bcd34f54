"""Options and arguments that mean the same in every command."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from generator.errors import Wrong

Function = TypeVar("Function", bound=Callable[..., object])
PAIR = 2


class Length(click.ParamType[float]):
    """A length with a unit; a bare number is millimetres."""

    name = "length"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read it into mm."""
        from generator.units import length

        if isinstance(value, float):
            return value
        try:
            return length(str(value))
        except Wrong as wrong:
            self.fail(f"{wrong.found}; expected {wrong.expected}", param, ctx)


def game_argument(function: Function) -> Function:
    """GAME: a folder, or the name of a game that comes with the program."""
    return click.argument("game", metavar="GAME")(function)


def output_option(function: Function) -> Function:
    """Where the files go."""
    return click.option(
        "-o",
        "--output",
        default="output",
        show_default=True,
        type=click.Path(file_okay=False),
        help="The folder in which a folder of the game's name is made.",
    )(function)


def look_options(function: Function) -> Function:
    """Which form of the game: `--variant`, `--lang`."""
    options = [
        click.option("--variant", default="", metavar="NAME", help="A variant of the pack, such as line-art."),
        click.option(
            "--lang", default="", metavar="CODE", help="A language that the pack is translated into, such as nl."
        ),
    ]
    return _all(options, function)


def sheet_options(function: Function) -> Function:
    """How sheets are laid out: `--paper`, `--duplex`, `--marks`, `--margin`."""
    options = [
        click.option(
            "--paper",
            "papers",
            multiple=True,
            metavar="NAME",
            help="a4, letter, … or '210 x 297 mm'; may be given more than once.",
        ),
        click.option(
            "--duplex", default=None, metavar="MODE", help="How the two sides are printed: long-edge, single."
        ),
        click.option("--marks", default=None, metavar="STYLE", help="Cut marks: crosshair, ticks, corners, none."),
        click.option(
            "--margin",
            default=None,
            type=Length(),
            help="What the trims keep free at the paper's edges, such as 10mm or 0.5in.",
        ),
    ]
    return _all(options, function)


def timings_option(function: Function) -> Function:
    """Whether to say how long each stage took."""
    return click.option("--timings", is_flag=True, help="Say how long each stage took, and how much memory it needed.")(
        function
    )


def _all(options: Sequence[Callable[[Function], Function]], function: Function) -> Function:
    for option in reversed(options):
        function = option(function)
    return function
