"""`pnp check`: what is wrong, and what would not print well."""

import click

from generator.cli.caching import opened, speed_options
from generator.cli.options import game_argument, look_options, sheet_options, sheet_wish
from generator.cli.terminal import say


@click.command("check")
@game_argument
@sheet_options
@look_options
@click.option("--all", "everything", is_flag=True, help="List every fault, also those that are alike.")
@click.option("--ink", is_flag=True, help="Add a table of the share of each sheet that takes ink.")
@click.option("--json", "as_json", is_flag=True, help="Say it for programs: each with its file and line.")
@speed_options
def command(game: str, variant: str, lang: str, *, everything: bool, ink: bool, as_json: bool) -> None:
    """Check GAME: its files, its rules with all that their figures claim, and how it would print. Writes nothing.

    Errors end with the exit code of a build. Print faults are warnings: they are
    listed, those that are mended in one place together, and the exit code is 0.
    """
    if ink and as_json:
        raise click.UsageError("--ink prints a table: leave out --json")
    import json

    from generator.app.checking import as_data, checked
    from generator.app.project import Order
    from generator.pack.load import PackForm

    order = Order(game, PackForm(variant, lang), (sheet_wish(),))
    with opened(order) as project:
        said = [json.dumps(as_data(project), indent=2, ensure_ascii=False)] if as_json else []
        lines = said or list(checked(project, everything=everything, ink=ink))
    for line in lines:
        say(line)
