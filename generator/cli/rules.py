"""`pnp rules`: build only the rules of a game."""

from pathlib import Path

import click

from generator.cli.commands import PnpCommand
from generator.cli.options import (
    form_options,
    game_argument,
    limit_options,
    output_option,
    read_form,
    timings_option,
)
from generator.cli.project import find_output_folder, speed_options, write_outputs
from generator.cli.up_to_date import RepeatedCommand


@click.command(
    "rules",
    cls=PnpCommand,
    examples=(
        "pnp rules my-game",
        "pnp rules my-game --lang nl",
    ),
)
@game_argument
@output_option
@form_options
@speed_options
@limit_options
@timings_option
def command(game: str, output: str) -> None:
    """Build the rules of GAME: to read, as a booklet to fold, and as a web page.

    Print the booklet double-sided, flipped on the short edge. Fold all sheets
    together in the middle and staple them through the fold.
    """
    repeated = RepeatedCommand(game, output)
    if repeated.is_current():
        return
    from generator.base.errors import fail
    from generator.pipeline.project import BuildRequest, Project

    below = find_output_folder(output)

    def folder(project: Project) -> Path:
        if project.game.rules is None:
            expected = "`rules: {file: rules.md}` in its game.yaml"
            fail(None, f"{project.game.name} has no rules", expected)
        return below(project)

    files = write_outputs(BuildRequest(game, read_form()), ["rules"], folder)
    files.print_report()
    repeated.store(files, files.lines)
