"""`pnp preview`: write pictures of faces, components and sheets."""

import click

from generator.base.files import display
from generator.base.units import format_count
from generator.cli import completers
from generator.cli.commands import PnpCommand
from generator.cli.options import (
    form_options,
    game_argument,
    json_option,
    limit_options,
    output_option,
    read_form,
    read_print_options,
    sheet_options,
    timings_option,
)
from generator.cli.output import print_notes, print_result
from generator.cli.project import find_output_folder, speed_options, write_outputs
from generator.cli.up_to_date import RepeatedCommand

PICTURE_KINDS = ("faces", "contact", "sheets")


@click.command(
    "preview",
    cls=PnpCommand,
    examples=(
        "pnp preview my-game",
        "pnp preview my-game cards:fox --dpi 300 --bleed",
    ),
)
@game_argument
@click.argument("designs", nargs=-1, metavar="[DESIGN]...", shell_complete=completers.designs)
@output_option
@click.option(
    "--what",
    multiple=True,
    type=click.Choice(PICTURE_KINDS),
    help="Pictures to write. Repeatable.  [default: all; faces if designs are named]",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["png", "svg"]),
    default="png",
    show_default=True,
    help="File format of the faces.",
)
@click.option(
    "--dpi", type=click.IntRange(20, 1200), default=150, show_default=True, help="Pixels per inch."
)
@click.option(
    "--bleed/--trim",
    default=False,
    help="Show faces with their bleed, or cut to the trim.  [default: trim]",
)
@click.option("--overlay", is_flag=True, help="Draw the trim in magenta and the safe area in blue.")
@sheet_options
@form_options
@speed_options
@limit_options
@json_option
@timings_option
def command(
    game: str,
    designs: tuple[str, ...],
    output: str,
    what: tuple[str, ...],
    kind: str,
    dpi: int,
    *,
    bleed: bool,
    overlay: bool,
) -> None:
    """Write pictures of GAME: its faces, a contact sheet of each component, and the sheets.

    With DESIGN (an id, or component:id), only the faces of these designs are
    written. Without GAME, name designs with --only. Files go to OUTPUT/<game>/preview/, with an index.html that shows
    all of them; a variant or language gets its own folder in it.
    """
    repeated = RepeatedCommand(game, output)
    if repeated.is_current():
        return
    from generator.export.pictures import PictureOptions
    from generator.pipeline.project import BuildRequest

    printing = read_print_options()
    kinds = what or (("faces",) if designs or printing.only else PICTURE_KINDS)
    options = PictureOptions(kinds, designs, kind, dpi, bleed, overlay)
    request = BuildRequest(game, read_form(), (printing, options))
    pictures = write_outputs(
        request,
        ["pictures"],
        lambda project: find_output_folder(output, "preview", project.game.form)(project),
    )
    print_notes(pictures.notes)
    # Only a few files are named: a whole game has hundreds, and index.html shows them.
    listed = pictures.names if len(pictures.names) <= len(PICTURE_KINDS) + 1 else ()
    lines = (
        f"{format_count(len(pictures.names), 'file')} in {display(pictures.folder)}",
        *(f"  {name}" for name in listed),
    )
    for line in lines:
        print_result(line)
    repeated.store(pictures, lines)
    pictures.print_timings()
