"""`pnp diff`: show the changes between two releases."""

import json
from pathlib import Path

import click

from generator.base.files import display
from generator.cli.commands import PnpCommand
from generator.cli.options import (
    form_options,
    game_argument,
    limit_options,
    read_form,
    release_options,
)
from generator.cli.output import print_notes, print_result
from generator.cli.project import open_project, speed_options


def _check_page_name(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return the page's name.

    Raise BadParameter for an option in its place, when the name was forgotten.
    """
    if value is not None and value.startswith("-"):
        raise click.BadParameter(
            f"{value!r} is not a file name; expected a name for the page, such as diff.html",
            ctx,
            param,
        )
    return value


@click.command(
    "diff",
    cls=PnpCommand,
    prints_result=True,
    examples=(
        "pnp diff my-game --from 1.0",
        "pnp diff my-game --from 1.0 --to 1.1 --html diff.html",
    ),
)
@game_argument
@release_options
@form_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    callback=_check_page_name,
    help="Write a page that shows old and new faces side by side and marks the changes.",
)
@speed_options
@limit_options
def command(
    game: str,
    old: str,
    new: str | None,
    page: str | None,
    *,
    as_json: bool,
) -> None:
    """Show what changed in GAME since a release.

    Faces are compared by their appearance. `front (rules)` means that the front
    has another text or value, `front (look)` that it only looks different, and
    `redrawn` that the change is invisible.
    """
    from generator.base.files import Outbox
    from generator.export.changes import write_page
    from generator.pipeline.open_releases import CompareOptions, compare_requested
    from generator.pipeline.project import BuildRequest
    from generator.release.report import list_changes, note_missing_form, to_json_values

    with (
        open_project(BuildRequest(game, read_form(), (CompareOptions(old, new),))) as project,
        compare_requested(project) as comparison,
    ):
        if page:
            with Outbox(Path(page).parent) as outbox:
                write_page(project, comparison, outbox, Path(page).name)
    if comparison.new_in_form:
        print_notes([note_missing_form(comparison.difference.old, comparison.form)])
    if as_json:
        print_result(
            json.dumps(to_json_values(comparison.difference), indent=2, ensure_ascii=False)
        )
        return
    for line in list_changes(comparison.difference):
        print_result(line)
    if page:
        print_result(display(Path(page)))
