"""`pnp patch`: print only what changed."""

from pathlib import Path

import click

from generator.cli.options import game_argument, look_options, output_option, timings_option
from generator.cli.release_options import from_to_options
from generator.cli.running import notes, running, show_timings
from generator.cli.sheet_options import cut_plan_option, sheet_options, sheet_wish
from generator.core.places import display


@click.command("patch")
@game_argument
@from_to_options
@output_option
@click.option(
    "--min-severity",
    "least",
    type=click.Choice(["look", "rules", "any"]),
    default="look",
    show_default=True,
    help="Reprint what looks different; only what says something different; or all that was drawn anew.",
)
@click.option(
    "--rules",
    type=click.Choice(["changed", "always", "never"]),
    default="changed",
    show_default=True,
    help="When to print the rules again.",
)
@sheet_options
@cut_plan_option
@look_options
@timings_option
def command(
    game: str,
    old: str,
    new: str | None,
    output: str,
    least: str,
    rules: str,
    variant: str,
    lang: str,
    *,
    timings: bool,
) -> None:
    """Print what changed in GAME since a release: one file for each paper.

    Its first page says what to print on which paper, shows what to take out of
    the old deck, and counts the deck that one ends up with. Print it at 100 %.
    """
    from generator.core.files import Outbox
    from generator.core.words import without_words
    from generator.jobs import comparing, patching
    from generator.jobs.rulebook import rules_pages
    from generator.pack.load import Wish
    from generator.release.compare import Severity
    from generator.release.report import not_kept, said, unchanged

    wish, wanted = sheet_wish(), patching.PatchWish(Severity[least.upper()], rules)
    if wish.copies != 1:
        raise click.UsageError("a patch is for one deck; print its file as often as you need.")
    with running() as watch:
        pack = comparing.drawn_pack(game, Wish(variant, lang), watch)
        with comparing.between(pack, old, new, watch, wish.only) as both:
            press = patching.PatchPress(pack, both, wanted, watch, rules_pages(pack.wanted, watch))
            with Outbox(Path(output) / press.game.slug) as outbox:
                patch, written = patching.write_patches(press, wish, outbox)
    click.echo(said(patch) if written else unchanged(patch))
    for path, job in written:
        about = (job.summary if job.sheets else "to read") if job else ""
        click.echo(f"{display(path)}  {about}".rstrip())
    told = [not_kept(patch.difference.old, pack.called)] if patch.told else []
    notes([*told, without_words(press.game.language), *(text for _, job in written if job for text in job.notices)])
    if timings:
        show_timings(watch)
