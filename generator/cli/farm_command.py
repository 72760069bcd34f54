"""`pnp farm`: many games at once, each in many forms."""

from pathlib import Path

import click

from generator.cli.farming import FarmHow, farm_options, farmed, limits_of
from generator.cli.terminal import running


@click.command("farm")
@click.argument("plan", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="JOBS.yaml")
@farm_options
def command(plan: Path, jobs: int | None, scheduler: str, shard: str, *, keep_going: bool) -> None:
    """Make many games, in every form that JOBS.yaml asks for, here or by the workers of a scheduler.

    What is in the store already and is what it was is not made again.
    """
    with running() as watch:
        from generator.farm.jobs import read_plan

        read = read_plan(plan)
        farmed(read.jobs, FarmHow(read.store, limits_of(read.minutes, jobs), scheduler, shard, keep_going), watch)
