"""`pnp release`: save the current version of a game."""

from pathlib import Path

import click

from generator.base.files import display
from generator.base.units import format_count
from generator.cli.commands import PnpCommand
from generator.cli.options import game_argument, limit_options
from generator.cli.output import print_notes, print_result
from generator.cli.project import open_project, speed_options


@click.command(
    "release",
    cls=PnpCommand,
    examples=("pnp release my-game",),
)
@game_argument
@click.option(
    "-o",
    "--output",
    default=None,
    type=click.Path(file_okay=False),
    help="Folder of the releases.  [default: releases/ in the pack]",
)
@speed_options
@limit_options
def command(game: str, output: str | None) -> None:
    """Save the current version of GAME as releases/<version>.pnprelease.

    The file contains every face in all variants and languages, the numbers of
    pieces, and the rules. pnp diff shows what changed since, and pnp patch
    prints it. pnp never overwrites a release.
    """
    from generator.base.files import Outbox
    from generator.export.release import save_release
    from generator.pipeline.project import BuildRequest
    from generator.release.release_file import folder_of
    from generator.release.report import list_changes

    with (
        open_project(BuildRequest(game)) as project,
        Outbox(Path(output) if output else folder_of(project.folder)) as outbox,
    ):
        saved = save_release(project, outbox)
    if saved.written:
        size = saved.path.stat().st_size / 1000
        also = f"; also {', '.join(saved.forms)}" if saved.forms else ""
        print_result(
            f"{display(saved.path)}  {format_count(project.game.count, 'piece')}, {size:.0f} kB{also}"
        )
    else:
        print_result(f"{display(saved.path)} exists and is up to date; it was not changed")
    if saved.lacks:
        hint = "delete the file and release again, if nobody has printed it"
        print_notes([f"that release does not contain {', '.join(saved.lacks)}; {hint}"])
    if saved.since:
        for line in list_changes(saved.since):
            print_result(line)
