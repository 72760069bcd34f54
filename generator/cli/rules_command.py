"""`pnp rules`: the rules alone."""

from pathlib import Path

import click

from generator.cli.options import game_argument, look_options, output_option, timings_option
from generator.cli.running import notes, running, show_timings
from generator.core.places import display


@click.command("rules")
@game_argument
@output_option
@look_options
@timings_option
def command(game: str, output: str, variant: str, lang: str, *, timings: bool) -> None:
    """Make the rules of GAME: to read, as a booklet to fold, and as a web page.

    Print the booklet on both sides, flipped on the short edge, fold the sheets
    together in the middle, and staple them through the fold.
    """
    from generator.core.files import Outbox
    from generator.core.words import without_words
    from generator.jobs import pipeline
    from generator.pack.load import Wish

    with running() as watch:
        drawn = pipeline.draw(game, Wish(variant, lang), watch)
        pipeline.need_rules(drawn)
        with Outbox(Path(output) / drawn.game.slug) as outbox:
            written = pipeline.write_rules(drawn, watch, outbox)
    notes([without_words(drawn.game.language)])
    for file in written:
        click.echo(f"{display(file.path)}  {file.about}")
    if timings:
        show_timings(watch)
