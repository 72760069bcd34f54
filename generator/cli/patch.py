"""`pnp patch`: print only the pieces that changed."""

import click

from generator.cli.commands import PnpCommand
from generator.cli.options import (
    cut_plan_option,
    form_options,
    game_argument,
    json_option,
    limit_options,
    output_option,
    read_form,
    read_print_options,
    release_options,
    sheet_options,
    timings_option,
)
from generator.cli.project import find_output_folder, speed_options, write_outputs


@click.command(
    "patch",
    cls=PnpCommand,
    examples=(
        "pnp patch my-game --from 1.0",
        "pnp patch my-game --from 1.0 --min-severity rules --paper letter",
    ),
)
@game_argument
@release_options
@output_option
@click.option(
    "--min-severity",
    type=click.Choice(["look", "rules", "any"]),
    default="look",
    show_default=True,
    help="Changes to reprint: look, all visible ones; rules, only texts and values; any, also invisible ones.",
)
@click.option(
    "--rules",
    type=click.Choice(["changed", "always", "never"]),
    default="changed",
    show_default=True,
    help="When to include the rules.",
)
@sheet_options
@cut_plan_option
@form_options
@speed_options
@limit_options
@json_option
@timings_option
def command(
    game: str,
    old: str,
    new: str | None,
    output: str,
    min_severity: str,
    rules: str,
) -> None:
    """Print the pieces of GAME that changed since a release, in a file for each paper.

    The first page lists what to print, shows which pieces to take out of the old
    deck, and counts the pieces of the new deck. Print at 100 %.
    """
    from generator.export.patch import PatchOptions
    from generator.pipeline.open_releases import CompareOptions
    from generator.pipeline.project import BuildRequest
    from generator.release.compare_releases import Severity

    sheets = read_print_options()
    if sheets.copies != 1:
        raise click.UsageError(
            "a patch is for one deck: leave out --copies and print its file as often as you need."
        )
    options = (
        sheets,
        CompareOptions(old, new, sheets.only),
        PatchOptions(Severity[min_severity.upper()], rules),
    )
    files = write_outputs(
        BuildRequest(game, read_form(), options), ["patch"], find_output_folder(output)
    )
    files.print_report()
