"""The options of the commands that compare two releases."""

from collections.abc import Callable
from typing import TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., object])


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
