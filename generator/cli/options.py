"""Options and arguments that mean the same in every command."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., object])


def game_argument(function: Function) -> Function:
    """GAME: a folder, or the name of a game that comes with the program."""
    return click.argument("game", metavar="GAME")(function)


OUTPUT = "output"
"""The folder below which everything is written, unless the command names another."""


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
        click.option("--variant", default="", metavar="NAME", help="A variant of the pack, such as line-art."),
        click.option(
            "--lang", default="", metavar="CODE", help="A language that the pack is translated into, such as nl."
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
