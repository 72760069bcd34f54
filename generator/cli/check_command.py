"""`pnp check`: what is wrong, and what would not print well."""

import click

from generator.cli.options import game_argument, look_options
from generator.cli.running import running
from generator.cli.sheet_options import sheet_options, sheet_wish
from generator.cli.terminal import say


@click.command("check")
@game_argument
@sheet_options
@look_options
def command(
    game: str,
    variant: str,
    lang: str,
) -> None:
    """Check GAME: its files, its rules with all that their figures claim, and how it would print. Writes nothing.

    Errors end with the exit code of a build. Print faults are warnings: they are
    listed, and the exit code is 0.
    """
    from generator.app.checking import checked
    from generator.app.order import Order
    from generator.app.project import Project
    from generator.pack.load import Wish

    order = Order(game, Wish(variant, lang), (sheet_wish(),))
    with running() as watch:
        lines = list(checked(Project(order, watch)))
    for line in lines:
        say(line)
