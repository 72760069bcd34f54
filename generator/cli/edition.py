"""`pnp edition`: print personalised copies of a game."""

from pathlib import Path

import click

from generator.cli.commands import PnpCommand
from generator.cli.options import FiniteFloatRange, game_argument, read_papers
from generator.cli.output import reporting_errors
from generator.cli.run_jobs import farm_options, run_jobs
from generator.farm import MAX_MINUTES

EDITION_OUTPUTS = ("sheets", "rules", "booklet", "web", "gallery", "making")


@click.command(
    "edition",
    cls=PnpCommand,
    examples=(
        "pnp edition my-game --orders orders.csv",
        "pnp edition my-game --orders orders.csv --by sheet --seed spring",
    ),
)
@game_argument
@click.option(
    "--orders",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Table with a row for each copy.",
)
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(["order", "sheet"]),
    default=("order",),
    show_default=True,
    help="order: files for each copy; sheet: sheets for a press, whose pieces are in stacks after cutting. Repeatable.",
)
@click.option(
    "--what",
    multiple=True,
    type=click.Choice(EDITION_OUTPUTS),
    default=("sheets",),
    help="Outputs for each copy. Repeatable.",
)
@click.option(
    "--seed", default="", metavar="TEXT", help="Any text; the same seed always draws the same lots."
)
@click.option(
    "--together",
    type=click.IntRange(1, 1000),
    default=20,
    show_default=True,
    metavar="N",
    help="Copies in each job, and in each run of sheets.",
)
@click.option(
    "--paper",
    "papers",
    multiple=True,
    metavar="NAME",
    help="Paper for orders that name none. Repeatable.",
)
@click.option(
    "-o",
    "--output",
    default="output/editions",
    show_default=True,
    metavar="STORE",
    help="Folder or address for the files, such as s3://…",
)
@click.option(
    "--minutes",
    type=FiniteFloatRange(0.01, MAX_MINUTES),
    default=10.0,
    show_default=True,
    help="Time limit of a job in minutes.",
)
@farm_options
def command(
    game: str,
    orders: Path,
    by: tuple[str, ...],
    what: tuple[str, ...],
    seed: str,
    together: int,
    papers: tuple[str, ...],
    output: str,
    minutes: float,
) -> None:
    """Print personalised copies of GAME, one for each row of a table of orders.

    The columns are `id`, the values that the pack lists under `order:`, `variant`, `language`,
    `paper`, and numbers of pieces by design (`cards:fox`). pnp does not make current
    files again.
    """
    with reporting_errors() as watch:
        from generator.base.errors import raising_at
        from generator.farm.editions import EditionOptions, plan_edition
        from generator.farm.store import open_store

        options = EditionOptions(orders, seed, what, by, together, read_papers(papers))
        planned, picking_list = plan_edition(game, options)
        with raising_at():
            open_store(output).put("picking.csv", picking_list)
        run_jobs(planned, output, minutes, watch)
