"""`pnp rules`: the rules alone."""

from pathlib import Path

import click

from generator.cli.caching import Again, speed_options
from generator.cli.options import game_argument, look_options, output_option, timings_option
from generator.cli.terminal import game_folder, make


@click.command("rules")
@game_argument
@output_option
@look_options
@speed_options
@timings_option
def command(game: str, output: str, variant: str, lang: str, *, timings: bool) -> None:
    """Make the rules of GAME: to read, as a booklet to fold, and as a web page.

    Print the booklet on both sides, flipped on the short edge, fold the sheets
    together in the middle, and staple them through the fold.
    """
    again = Again(game, output)
    if again.told():
        return
    from generator.app.project import Order, Project
    from generator.pack.load import PackForm

    below = game_folder(output)

    def folder(project: Project) -> Path:
        project.need_rules()
        return below(project)

    made = make(Order(game, PackForm(variant, lang)), ["rules"], folder)
    made.tell()
    again.keep(made, made.lines)
    if timings:
        made.show_timings()
