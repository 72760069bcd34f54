"""`pnp check`: report mistakes in a pack, and print faults."""

import click

from generator.cli.options import (
    ExampleCommand,
    form_options,
    game_argument,
    limit_options,
    low_ink_option,
    read_print_options,
    sheet_options,
)
from generator.cli.output import say
from generator.cli.up_to_date import open_project, speed_options


@click.command(
    "check",
    cls=ExampleCommand,
    examples=(
        "pnp check my-game",
        "pnp check my-game --all --ink",
        "pnp check my-game --low-ink --ink",
        "pnp check my-game --json",
    ),
)
@game_argument
@sheet_options
@form_options
@click.option(
    "--all", "everything", is_flag=True, help="List every fault; do not group similar ones."
)
@click.option("--ink", is_flag=True, help="Add a table of the ink coverage of each sheet.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, with the file and line of each problem."
)
@low_ink_option
@speed_options
@limit_options
def command(
    game: str, variant: str, lang: str, *, everything: bool, ink: bool, as_json: bool
) -> None:
    """Check the files of GAME, the claims of its rules, and its print quality; write no files.

    Errors end with the exit code of a build. Print faults are warnings: they are
    listed, grouped by the place to fix them, and the exit code is 0. With --low-ink,
    the designs are checked as `pnp build --low-ink` prints them: that text and icons
    keep their contrast, and that links stay apart in grey.
    """
    if ink and as_json:
        raise click.UsageError("--ink prints a table: leave out --json")
    import json

    from generator.check.check import check_pack, list_findings
    from generator.pack.load import PackForm
    from generator.pipeline.project import BuildRequest

    order = BuildRequest(game, PackForm(variant, lang), (read_print_options(),))
    with open_project(order) as project:
        said = [json.dumps(list_findings(project), indent=2, ensure_ascii=False)] if as_json else []
        lines = said or list(check_pack(project, everything=everything, ink=ink))
    for line in lines:
        say(line)
