"""`pnp build`: build the files of a game."""

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from generator.base.units import format_count
from generator.cli.commands import PnpCommand
from generator.cli.options import (
    colour_option,
    cut_plan_option,
    dpi_option,
    form_options,
    game_argument,
    json_option,
    limit_options,
    low_ink_option,
    output_option,
    read_form,
    read_print_options,
    sheet_options,
    timings_option,
)
from generator.cli.output import print_message
from generator.cli.project import find_output_folder, speed_options, write_outputs
from generator.cli.up_to_date import RepeatedCommand
from generator.export import EXPORTS, default_outputs, outputs_of

if TYPE_CHECKING:
    from generator.pipeline.project import Project

GALLERY = "gallery"
BUILD_OUTPUTS = tuple(outputs_of("build"))


@click.command(
    "build",
    cls=PnpCommand,
    examples=(
        "pnp build my-game",
        "pnp build my-game --paper letter --duplex two-pass",
        "pnp build my-game --only cards:fox,oak --copies 2",
    ),
)
@game_argument
@output_option
@click.option(
    "--what",
    multiple=True,
    type=click.Choice(BUILD_OUTPUTS),
    help="Outputs to build. Repeatable.  [default: all]",
)
@sheet_options
@cut_plan_option
@colour_option
@low_ink_option
@dpi_option
@form_options
@click.option(
    "--single", is_flag=True, help="Write the gallery as one file with its pictures inside."
)
@click.option(
    "--draft",
    is_flag=True,
    help="Print despite missing files and overflowing text; mark those pieces red. Exit code 4 if any.",
)
@speed_options
@limit_options
@json_option
@timings_option
def command(
    game: str,
    output: str,
    what: tuple[str, ...],
    *,
    single: bool,
    draft: bool,
) -> None:
    """Build the files of GAME: sheets to print, rules, gallery and release.

    GAME is a folder with a game.yaml, or a bundled game (pnp list games).
    Files go to OUTPUT/<game>/. Print them at 100 %, never "fit to page".
    With --only, --skip, --low-ink or --draft, pnp builds only sheets and cut files.
    """
    repeated = RepeatedCommand(game, output)
    if repeated.is_current():
        return
    from generator.pack.load import PackForm
    from generator.pipeline.project import BuildRequest

    request = BuildRequest(
        game,
        read_form(is_draft=draft),
        (read_print_options(), *_read_gallery_options(what, single=single)),
    )
    for name in what if draft else ():
        if not EXPORTS[name].allows_parts:
            raise click.UsageError(
                f"a draft consists of sheets only: leave out --draft or --what {name}"
            )
    for name in what if request.form != PackForm() else ():
        if not EXPORTS[name].has_forms:
            raise click.UsageError(
                f"a {name} covers the whole pack: leave out --variant and --lang"
            )
    files = write_outputs(request, what or default_outputs(request), find_output_folder(output))
    files.print_report()
    warnings = _describe_warnings(files.project)
    repeated.store(files, files.lines, warnings)
    if warnings:
        print_message(warnings)
    files.report_draft()


def _describe_warnings(project: "Project") -> str:
    """Return the number of warnings with the command that lists them, such as `3 warnings: pnp check potions`."""
    from generator.pipeline.notes import quick_warnings

    count = len(quick_warnings(project))
    if not count:
        return ""
    form = project.request.form
    words = ["pnp", "check", project.request.pack]
    if form.variant:
        words += ["--variant", form.variant]
    if form.language:
        words += ["--lang", form.language]
    return f"{format_count(count, 'warning')}: {shlex.join(words)}"


def _read_gallery_options(what: tuple[str, ...], *, single: bool) -> Iterator[object]:
    """Yield the options of the gallery; raise UsageError for --single without a gallery."""
    if not single:
        return
    if what and GALLERY not in what:
        raise click.UsageError(
            f"--single applies to the gallery: add --what {GALLERY}, or leave out --single"
        )
    from generator.export.gallery import GalleryOptions

    yield GalleryOptions(single)
