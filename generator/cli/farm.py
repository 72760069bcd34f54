"""`pnp farm`: build many games at once, each in many forms."""

from pathlib import Path

import click

from generator.cli.commands import PnpCommand
from generator.cli.output import reporting_errors
from generator.cli.run_jobs import farm_options, run_jobs


@click.command(
    "farm",
    cls=PnpCommand,
    examples=(
        "pnp farm jobs.yaml",
        "pnp farm jobs.yaml --shard 2/5 --keep-going",
    ),
)
@click.argument(
    "plan", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="JOBS.yaml"
)
@farm_options
def command(plan: Path) -> None:
    """Build the games that JOBS.yaml lists, on this machine or on the workers of a scheduler.

    pnp does not make files again that are current in the store.
    """
    with reporting_errors() as watch:
        from generator.farm.jobs import read_plan

        farm_plan = read_plan(plan)
        run_jobs(farm_plan.jobs, farm_plan.store, farm_plan.minutes, watch)
