"""`pnp build`: everything that a person prints."""

from pathlib import Path

import click

from generator.cli.options import game_argument, look_options, output_option, timings_option
from generator.cli.running import running, show_timings
from generator.cli.sheet_options import cut_plan_option, sheet_options, sheet_wish
from generator.impose.sheet import Job
from generator.places import display


@click.command("build")
@game_argument
@output_option
@sheet_options
@cut_plan_option
@look_options
@timings_option
def command(
    game: str,
    output: str,
    variant: str,
    lang: str,
    *,
    timings: bool,
) -> None:
    """Make the files of GAME: its sheets for each paper, and its rules.

    The files go to OUTPUT/<game>/. Print them at 100 %, never "fit to page".
    """
    from generator import pipeline
    from generator.files import Outbox
    from generator.pack.load import Wish

    wish = sheet_wish()
    with running() as watch:
        drawn = pipeline.draw(game, Wish(variant, lang), watch)
        folder = Path(output) / drawn.game.slug
        with Outbox(folder) as outbox:
            written = pipeline.write_sheets(pipeline.Press(drawn, watch), wish, outbox)
            rules = pipeline.write_rules(drawn, watch, outbox)
    for path, job in written:
        click.echo(f"{display(path)}  {summary(job)}" if job else display(path))
    for file in rules:
        click.echo(f"{display(file.path)}  {file.about}")
    for notice in dict.fromkeys(notice for _, job in written if job for notice in job.notices):
        click.echo(f"note: {notice}", err=True)
    if timings:
        show_timings(watch)


def summary(job: Job) -> str:
    """`56 pieces on 2 sheets, both sides`."""
    sides = "both sides" if any(sheet.back for sheet in job.sheets) else "one side"
    return f"{_counted(job.count, 'piece')} on {_counted(len(job.sheets), 'sheet')}, {sides}"


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
