"""`pnp calibrate`: make a test sheet to measure a printer."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.base.files import display
from generator.cli.commands import PnpCommand
from generator.cli.options import DUPLEX_MODE, PAPER, folder_option
from generator.cli.output import print_result
from generator.cli.project import write_outputs

if TYPE_CHECKING:
    from generator.base.paper import Paper


@click.command(
    "calibrate",
    cls=PnpCommand,
    examples=(
        "pnp calibrate --paper a4",
        "pnp calibrate --paper letter --duplex two-pass",
    ),
)
@click.option(
    "--paper",
    "papers",
    multiple=True,
    default=("a4", "letter"),
    show_default=True,
    type=PAPER,
    metavar="NAME",
    help="Paper size. Repeatable.",
)
@click.option("--landscape/--portrait", default=False, help="Orientation of the paper.")
@click.option(
    "--duplex",
    default="long-edge",
    show_default=True,
    type=DUPLEX_MODE,
    metavar="MODE",
    help="How to print backs: long-edge, short-edge or two-pass.",
)
@folder_option("Folder for the file.")
def command(papers: "tuple[Paper, ...]", duplex: str, output: str, *, landscape: bool) -> None:
    """Make a two-sided test sheet that shows how far a printer shifts its backs.

    The sheet explains which numbers to read and how to save them with pnp printer add.
    """
    from generator.base.paper import Orientation
    from generator.export.calibration import CalibrationOptions
    from generator.pipeline.project import BuildRequest

    options = CalibrationOptions(
        papers, Orientation.LANDSCAPE if landscape else Orientation.PORTRAIT, duplex
    )
    files = write_outputs(
        BuildRequest("", options=(options,)), ["calibration"], lambda _: Path(output)
    )
    for name in files.names:
        print_result(display(files.folder / name))
