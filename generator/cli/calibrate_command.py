"""`pnp calibrate`: the sheet to measure a printer with."""

from pathlib import Path

import click

from generator.cli.terminal import make, say
from generator.core.files import display


@click.command("calibrate")
@click.option(
    "--paper", "papers", multiple=True, default=("a4", "letter"), show_default=True, metavar="NAME", help="The paper."
)
@click.option("--landscape/--portrait", default=False, help="Which way the paper lies.")
@click.option(
    "--duplex", default="long-edge", show_default=True, metavar="MODE", help="long-edge, short-edge or two-pass."
)
@click.option(
    "-o", "--output", default="output", show_default=True, type=click.Path(file_okay=False), help="Where the file goes."
)
def command(papers: tuple[str, ...], duplex: str, output: str, *, landscape: bool) -> None:
    """Make a two-sided test sheet that shows where a printer puts its backs.

    The sheet says in words what to read and how to keep it with `pnp printer add`.
    """
    from generator.app.project import Order
    from generator.core.paper import Orientation
    from generator.export.calibration import CalibrationWish

    wish = CalibrationWish(papers, Orientation.LANDSCAPE if landscape else Orientation.PORTRAIT, duplex)
    made = make(Order("", wishes=(wish,)), ["calibration"], lambda _: Path(output))
    for name in made.names:
        say(display(made.folder / name))
