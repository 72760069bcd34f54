"""`pnp export`: a game for tables, shops and presses."""

import click
from click.core import ParameterSource

from generator.cli.caching import speed_options
from generator.cli.options import game_argument, look_options, output_option, timings_option
from generator.cli.terminal import game_folder, make
from generator.export.targets import TARGETS, TargetWish, module


@click.command("export")
@click.argument("target", type=click.Choice(list(TARGETS)), metavar="TARGET")
@game_argument
@output_option
@click.option(
    "--only",
    multiple=True,
    metavar="NAMES",
    help="Only a component, or some of its designs: necks, necks:h07,h12; may be given more than once.",
)
@click.option("--url", default="", metavar="PREFIX", help="Where the pictures will lie on the web.")
@click.option(
    "--profile",
    default=None,
    metavar="NAME|FILE",
    help="The ICC profile of the press: a name of pnp list profiles, or a file; unless told, the pack's, or ours.",
)
@click.option(
    "--black",
    type=click.Choice(["plain", "rich"]),
    default="plain",
    show_default=True,
    help="What areas of pure black are printed with: black alone, or other inks below it. Text is black alone.",
)
@click.option(
    "--template",
    default="avery-5371",
    show_default=True,
    metavar="NAME",
    help="The pre-cut sheet: a name of pnp list templates, or a TOML file of your own.",
)
@click.option(
    "--setup", default="", metavar="FIGURE", help="The set-up to lay out; otherwise the first that says `setup: true`."
)
@click.option("--skip", type=click.IntRange(0, 1000), default=0, metavar="SLOTS", help="Slots that are used already.")
@look_options
@speed_options
@timings_option
def command(
    target: str,
    game: str,
    output: str,
    only: tuple[str, ...],
    url: str,
    profile: str | None,
    black: str,
    template: str,
    skip: int,
    setup: str,
    variant: str,
    lang: str,
    *,
    timings: bool,
) -> None:
    """Make of GAME what TARGET takes: a table on a screen, a print shop, a press; pnp list targets names them.

    The files go to OUTPUT/<game>/<target>/, those of a variant or a language to a folder of its own in there.
    """
    from generator.app.printing import PrintWish
    from generator.app.project import Order
    from generator.pack.load import PackForm

    _check_options(target, click.get_current_context())
    order = Order(
        game,
        PackForm(variant, lang),
        (PrintWish(only=only), TargetWish(url, profile or "", black, template, skip, setup)),
    )
    made = make(order, [module(target)], lambda project: game_folder(output)(project) / target / project.game.form)
    made.tell()
    if timings:
        made.show_timings()


def _check_options(target: str, context: click.Context) -> None:
    """An option that a target does not take is wrong usage: it would change nothing."""
    own = {name for row in TARGETS.values() for name in row.options}
    for name in sorted(own - set(TARGETS[target].options)):
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            takes = ", ".join(row for row, each in TARGETS.items() if name in each.options)
            raise click.UsageError(f"{target} takes no --{name}; these do: {takes}")
