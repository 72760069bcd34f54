"""`pnp patch`: print only what changed."""

import click

from generator.cli.caching import speed_options
from generator.cli.options import (
    cut_plan_option,
    from_to_options,
    game_argument,
    look_options,
    output_option,
    sheet_options,
    sheet_wish,
    timings_option,
)
from generator.cli.terminal import game_folder, make


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
@speed_options
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
    from generator.app.comparing import CompareWish
    from generator.app.project import Order
    from generator.export.patch import PatchWish
    from generator.pack.load import PackForm
    from generator.release.compare import Severity

    sheets = sheet_wish()
    if sheets.copies != 1:
        raise click.UsageError("a patch is for one deck; print its file as often as you need.")
    wishes = (sheets, CompareWish(old, new, sheets.only), PatchWish(Severity[least.upper()], rules))
    made = make(Order(game, PackForm(variant, lang), wishes), ["patch"], game_folder(output))
    made.tell()
    if timings:
        made.show_timings()
