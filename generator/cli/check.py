"""`pnp check`: report mistakes in a pack, and print faults."""

import click

from generator.base.errors import ExitCode
from generator.cli.commands import PnpCommand, find_json_report
from generator.cli.options import (
    form_options,
    game_argument,
    json_option,
    limit_options,
    low_ink_option,
    read_form,
    read_print_options,
    sheet_options,
)
from generator.cli.output import print_result
from generator.cli.project import open_project, speed_options


@click.command(
    "check",
    cls=PnpCommand,
    prints_result=True,
    examples=(
        "pnp check my-game",
        "pnp check my-game --all --ink",
        "pnp check my-game --low-ink --ink",
        "pnp check my-game --strict --json",
    ),
)
@game_argument
@sheet_options
@form_options
@click.option(
    "--all", "everything", is_flag=True, help="List every fault; do not group similar ones."
)
@click.option("--ink", is_flag=True, help="Add a table of the ink coverage of each sheet.")
@click.option("--strict", is_flag=True, help="Exit with code 3 if there are warnings.")
@json_option
@low_ink_option
@speed_options
@limit_options
def command(game: str, *, everything: bool, ink: bool, strict: bool) -> None:
    """Check the files of GAME, the claims of its rules, and its print quality; write no files.

    Errors end with the exit code of a build. Print faults are warnings, grouped by the
    place to fix them. The exit code is then 0, or 3 with --strict. With --low-ink, pnp
    checks the designs as `pnp build --low-ink` prints them: text and icons must keep
    their contrast, and kinds of link must differ in grey.
    """
    json_report = find_json_report()
    if ink and json_report:
        raise click.UsageError("--ink prints a table: leave out --json")
    from generator.check.check import check_pack
    from generator.pipeline.project import BuildRequest

    request = BuildRequest(game, read_form(), (read_print_options(),))
    with open_project(request) as project:
        report = check_pack(project, everything=everything or bool(json_report), ink=ink)
    for line in report.lines:
        print_result(line)
    if json_report:
        for warning in report.warnings:
            json_report.add(warning.problem, "warning")
        for problem in (*report.notes, *report.untranslated):
            json_report.add(problem, "note")
    if strict and report.warnings:
        raise SystemExit(ExitCode.INVALID_PACK)
