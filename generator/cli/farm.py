"""`pnp farm`: build many games at once, each in many forms."""

from pathlib import Path

import click

from generator.cli.commands import PnpCommand
from generator.cli.edition import farm_options, make_limits, run_farm
from generator.cli.output import reporting_errors


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
def command(plan: Path, jobs: int | None, scheduler: str, shard: str, *, keep_going: bool) -> None:
    """Build the games that JOBS.yaml lists, on this machine or on the workers of a scheduler.

    pnp does not make files again that are current in the store.
    """
    with reporting_errors() as watch:
        from generator.farm.jobs import read_plan

        farm_plan = read_plan(plan)
        run_farm(
            farm_plan.jobs,
            farm_plan.store,
            make_limits(farm_plan.minutes, jobs),
            watch,
            scheduler=scheduler,
            shard=shard,
            keep_going=keep_going,
        )
