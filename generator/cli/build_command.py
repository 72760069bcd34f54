"""`pnp build`: everything that a person prints."""

from pathlib import Path

import click

from generator.cli.options import game_argument, look_options, output_option, timings_option
from generator.cli.running import notes, running, show_timings
from generator.cli.sheet_options import cut_plan_option, sheet_options, sheet_wish
from generator.core.places import display

WHAT = ("sheets", "rules", "gallery", "release")


@click.command("build")
@game_argument
@output_option
@click.option("--what", multiple=True, type=click.Choice(WHAT), help="What to make; all of it unless said otherwise.")
@sheet_options
@cut_plan_option
@look_options
@timings_option
def command(
    game: str,
    output: str,
    what: tuple[str, ...],
    variant: str,
    lang: str,
    *,
    timings: bool,
) -> None:
    """Make all files of GAME: sheets for each paper, rules, a gallery of all faces, and its release.

    The files go to OUTPUT/<game>/. Print them at 100 %, never "fit to page".
    Where --only or --skip print a part of the game, the sheets alone are made.
    """
    from generator.core.files import Outbox
    from generator.core.words import without_words
    from generator.jobs import pipeline
    from generator.jobs.building import PARTS, Build, parts_for
    from generator.pack.load import Wish

    wish, look = sheet_wish(), Wish(variant, lang)
    if "release" in what and look != Wish():
        raise click.UsageError("a release is the pack as it is: leave out --variant and --lang")
    with running() as watch:
        drawn = pipeline.draw(game, look, watch)
        with Outbox(Path(output) / drawn.game.slug) as outbox:
            build = Build(drawn, wish, watch, outbox)
            wanted = what or parts_for(wish, look)
            built = [file for part in PARTS if part in wanted for file in PARTS[part](build)]
    for file in built:
        click.echo(f"{display(file.path)}  {file.about}".rstrip())
    notes([without_words(drawn.game.language), *(notice for file in built for notice in file.notices)])
    if timings:
        show_timings(watch)
