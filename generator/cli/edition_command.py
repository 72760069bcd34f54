"""`pnp edition`: print personalised copies of a game."""

from pathlib import Path

import click

from generator.cli.farming import FarmOptions, farm_options, make_limits, run_farm
from generator.cli.options import ExampleCommand, game_argument, read_papers
from generator.cli.terminal import reporting_errors

EDITION_OUTPUTS = ("sheets", "rules", "booklet", "web", "gallery", "making")


@click.command(
    "edition",
    cls=ExampleCommand,
    examples=(
        "pnp edition my-game --orders orders.csv",
        "pnp edition my-game --orders orders.csv --by sheet --seed spring",
    ),
)
@game_argument
@click.option(
    "--orders", required=True, type=click.Path(path_type=Path), metavar="FILE", help="Table with a row for each copy."
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
@click.option("--seed", default="", metavar="TEXT", help="Any text; the same seed always draws the same lots.")
@click.option(
    "--together",
    type=click.IntRange(1, 1000),
    default=20,
    show_default=True,
    metavar="N",
    help="Copies in each job, and in each run of sheets.",
)
@click.option("--paper", "papers", multiple=True, metavar="NAME", help="Paper for orders that name none. Repeatable.")
@click.option(
    "-o",
    "--output",
    default="output/editions",
    show_default=True,
    metavar="STORE",
    help="Folder or address for the files, such as s3://…",
)
@click.option(
    "--minutes", type=click.FloatRange(0.01), default=10.0, show_default=True, help="Time limit of a job in minutes."
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
    jobs: int | None,
    scheduler: str,
    shard: str,
    *,
    keep_going: bool,
) -> None:
    """Print personalised copies of GAME, one for each row of a table of orders.

    The columns are `id`, the names that the pack lists under `order:`, `variant`, `language`, `paper`, and numbers of
    pieces by design (`cards:fox`). Files that exist and are current are not made again.
    """
    with reporting_errors() as watch:
        from generator.core.problems import placed
        from generator.farm.edition import EditionOptions, plan_edition
        from generator.farm.store import open_store

        wish = EditionOptions(orders, seed, what, by, together, read_papers(papers))
        jobs_of, picking = plan_edition(game, wish)
        with placed():
            open_store(output).put("picking.csv", picking)
        run_farm(jobs_of, FarmOptions(output, make_limits(minutes, jobs), scheduler, shard, keep_going), watch)
