"""`pnp release`: keep the game as it is now."""

from pathlib import Path

import click

from generator.cli.caching import opened, speed_options
from generator.cli.options import game_argument
from generator.cli.terminal import notes, say
from generator.core.files import display


@click.command("release")
@game_argument
@click.option(
    "-o",
    "--output",
    default=None,
    type=click.Path(file_okay=False),
    help="The folder of the releases, if it is not the pack's own releases/.",
)
@speed_options
def command(game: str, output: str | None) -> None:
    """Keep GAME as it is now, under its version, in releases/<version>.pnprelease.

    The file holds every face, in all variants and languages, the counts and the
    rules. With it `pnp patch` prints what changed since, and `pnp diff` shows it.
    A release that exists is never written over.
    """
    from generator.app.project import Order
    from generator.core.files import Outbox
    from generator.export.release import keep
    from generator.release.file import folder_of
    from generator.release.report import lines

    with opened(Order(game)) as project, Outbox(Path(output) if output else folder_of(project.folder)) as outbox:
        released = keep(project, outbox)
    if released.written:
        size = released.path.stat().st_size / 1000
        also = f"; also {', '.join(released.forms)}" if released.forms else ""
        say(f"{display(released.path)}  {project.game.count} pieces, {size:.0f} kB{also}")
    else:
        say(f"{display(released.path)} is there already and the same; it was left as it is")
    if released.lacks:
        hint = "delete the file and release again, if nobody has printed it"
        notes([f"that release keeps nothing of {', '.join(released.lacks)}; {hint}"])
    if released.since:
        for line in lines(released.since):
            say(line)
