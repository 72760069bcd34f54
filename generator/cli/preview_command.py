"""`pnp preview`: look at faces, components and sheets."""

import click

from generator.cli import completion
from generator.cli.caching import Again, speed_options
from generator.cli.options import (
    game_argument,
    look_options,
    output_option,
    sheet_options,
    sheet_wish,
    timings_option,
)
from generator.cli.terminal import game_folder, make, say
from generator.core.files import display

WHAT = ("faces", "contact", "sheets")


@click.command("preview")
@game_argument
@click.argument("designs", nargs=-1, metavar="[DESIGN]...", shell_complete=completion.designs)
@output_option
@click.option("--what", multiple=True, type=click.Choice(WHAT), help="What to show; all of it unless said otherwise.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["png", "svg"]),
    default="png",
    show_default=True,
    help="How to write the faces.",
)
@click.option("--dpi", type=click.IntRange(20, 1200), default=150, show_default=True, help="Pixels an inch.")
@click.option("--bleed/--trim", default=False, help="Faces with their bleed, or cut to the trim.")
@click.option("--overlay", is_flag=True, help="Show the trim in magenta and the safe area in blue.")
@sheet_options
@look_options
@speed_options
@timings_option
def command(
    game: str,
    designs: tuple[str, ...],
    output: str,
    what: tuple[str, ...],
    kind: str,
    dpi: int,
    variant: str,
    lang: str,
    *,
    bleed: bool,
    overlay: bool,
    timings: bool,
) -> None:
    """Show GAME as pictures: each face, a contact sheet of each component, the sheets.

    With DESIGN (an id, or component:id), only the faces of those. The pictures
    go to OUTPUT/<game>/preview/, with a page index.html that shows them all;
    those of a variant or a language to a folder of its own in there.
    """
    again = Again(game, output)
    if again.told():
        return
    from generator.app.project import Order
    from generator.export.pictures import PictureWish
    from generator.pack.load import PackForm

    wanted = what or (("faces",) if designs else WHAT)
    wish = PictureWish(wanted, designs, kind, dpi, bleed, overlay)
    order = Order(game, PackForm(variant, lang), (sheet_wish(), wish))
    made = make(order, ["pictures"], lambda project: game_folder(output, "preview", project.game.form)(project))
    made.note()
    few = made.names if len(made.names) <= len(WHAT) + 1 else ()
    lines = (f"{len(made.names)} files in {display(made.folder)}", *(f"  {name}" for name in few))
    for line in lines:
        say(line)
    again.keep(made, lines)
    if timings:
        made.show_timings()
