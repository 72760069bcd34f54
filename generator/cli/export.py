"""`pnp export`: export a game for virtual tabletops, print shops and presses."""

import click
from click.core import ParameterSource

from generator.cli.commands import PnpCommand
from generator.cli.options import (
    form_options,
    game_argument,
    json_option,
    limit_options,
    output_option,
    read_form,
    timings_option,
)
from generator.cli.project import find_output_folder, speed_options, write_outputs
from generator.export.targets import TARGETS, TargetOptions, writer_name


@click.command(
    "export",
    cls=PnpCommand,
    examples=(
        "pnp export tabletop-simulator my-game",
        "pnp export press my-game --profile pnp-uncoated",
    ),
)
@click.argument("target", type=click.Choice(list(TARGETS)), metavar="TARGET")
@game_argument
@output_option
@click.option(
    "--only",
    multiple=True,
    metavar="NAMES",
    help="Export only a component, or some of its designs: necks, necks:h07,h12. Repeatable.",
)
@click.option(
    "--url",
    default="",
    metavar="PREFIX",
    help="Web address of the folder to which you will upload the pictures.",
)
@click.option(
    "--profile",
    default=None,
    metavar="NAME|FILE",
    help="ICC profile of the press: a name (pnp list profiles) or a file.  [default: from the pack, or pnp's own]",
)
@click.option(
    "--black",
    type=click.Choice(["plain", "rich"]),
    default="plain",
    show_default=True,
    help="Ink for areas of pure black: plain is black only, rich adds other inks. Text is always black only.",
)
@click.option(
    "--template",
    default="avery-5371",
    show_default=True,
    metavar="NAME",
    help="Pre-cut sheet: a name (pnp list templates) or your own TOML file.",
)
@click.option(
    "--setup",
    default="",
    metavar="FIGURE",
    help="Figure to lay out.  [default: the first with `setup: true`]",
)
@click.option(
    "--skip",
    type=click.IntRange(0, 1000),
    default=0,
    metavar="SLOTS",
    help="Number of slots on the first sheet that are already used.",
)
@form_options
@speed_options
@limit_options
@json_option
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
) -> None:
    """Export GAME for TARGET: a virtual tabletop, a print shop or a press (pnp list targets).

    Files go to OUTPUT/<game>/<target>/; a variant or language gets its own folder in it.
    """
    from generator.pipeline.printing import PrintOptions
    from generator.pipeline.project import BuildRequest

    _check_options(target, click.get_current_context())
    request = BuildRequest(
        game,
        read_form(),
        (PrintOptions(only=only), TargetOptions(url, profile or "", black, template, skip, setup)),
    )
    files = write_outputs(
        request,
        [writer_name(target)],
        lambda project: find_output_folder(output)(project) / target / project.game.form,
    )
    files.print_report()


def _check_options(target: str, context: click.Context) -> None:
    """Raise UsageError for an option that the target does not take: it would change nothing."""
    target_options = {name for row in TARGETS.values() for name in row.options}
    for name in sorted(target_options - set(TARGETS[target].options)):
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            others = ", ".join(other for other, row in TARGETS.items() if name in row.options)
            raise click.UsageError(f"{target} does not take --{name}; these targets do: {others}")
