"""`pnp edition`: copies of a game that are each their own."""

from pathlib import Path

import click

from generator.cli.farming import FarmHow, farm_options, farmed, limits_of
from generator.cli.options import game_argument, read_papers
from generator.cli.terminal import running

MADE = ("sheets", "rules", "booklet", "web", "gallery", "making")


@click.command("edition")
@game_argument
@click.option(
    "--orders", required=True, type=click.Path(path_type=Path), metavar="FILE", help="A table with a row a copy."
)
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(["order", "sheet"]),
    default=("order",),
    show_default=True,
    help="Files for each copy, or streams of sheets for a press that come out in stacks; or both.",
)
@click.option("--what", multiple=True, type=click.Choice(MADE), default=("sheets",), help="What each copy is given.")
@click.option(
    "--seed", default="", metavar="TEXT", help="What the pack's lots are drawn from: the same seed, the same lots."
)
@click.option(
    "--together",
    type=click.IntRange(1, 1000),
    default=20,
    show_default=True,
    metavar="N",
    help="Copies in one job, and in one stream of sheets.",
)
@click.option("--paper", "papers", multiple=True, metavar="NAME", help="On what, where an order does not say.")
@click.option(
    "-o", "--output", default="output/editions", show_default=True, metavar="STORE", help="A folder, or s3://…"
)
@click.option("--minutes", type=click.FloatRange(0.01), default=10.0, show_default=True, help="That a job may take.")
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
    """Print copies of GAME that are each their own: a row of the orders' table a copy.

    Its columns are `id`, what the pack lists under `order:`, `variant`, `language`, `paper`, and how often a design is
    in the copy (`cards:fox`). What is there already is not made again.
    """
    with running() as watch:
        from generator.core.problems import placed
        from generator.farm.edition import EditionOptions, plan_edition
        from generator.farm.store import open_store

        wish = EditionOptions(orders, seed, what, by, together, read_papers(papers))
        jobs_of, picking = plan_edition(game, wish)
        with placed():
            open_store(output).put("picking.csv", picking)
        farmed(jobs_of, FarmHow(output, limits_of(minutes, jobs), scheduler, shard, keep_going), watch)
