"""`pnp edition`: print personalised copies of a game."""

import csv
import io
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from generator.base.steps import Pace
from generator.base.units import format_count
from generator.cli.commands import PnpCommand
from generator.cli.options import FiniteFloatRange, game_argument, read_papers
from generator.cli.output import print_message, reporting_errors, say
from generator.farm import MAX_MINUTES

if TYPE_CHECKING:
    from generator.base.steps import Watch
    from generator.farm.store import JobResult
    from generator.farm.work import FarmJob
    from generator.farm.workers import FarmLimits

# When the output goes to a log file, a line a minute shows progress without filling the log.
PROGRESS_INTERVAL_SECONDS = 60.0

Function = TypeVar("Function", bound=Callable[..., object])


def farm_options(function: Function) -> Function:
    """Add --jobs, --scheduler, --shard and --keep-going."""
    for option in (
        click.option(
            "--jobs",
            type=click.IntRange(1, 256),
            default=None,
            metavar="N",
            help="Number of jobs at once on this machine.  [default: one per core]",
        ),
        click.option(
            "--scheduler",
            default="",
            metavar="ADDRESS",
            help="Address of a Dask scheduler, such as tcp://10.0.0.1:8786; or local.",
        ),
        click.option(
            "--shard",
            default="",
            metavar="I/N",
            help="Run only every Nth job, starting at the Ith, such as 2/5.",
        ),
        click.option(
            "--keep-going",
            is_flag=True,
            help="Continue after a failure; the exit code still reports it.",
        ),
    ):
        function = option(function)
    return function


def make_limits(minutes: float, jobs: int | None) -> "FarmLimits":
    """Return the limits of jobs; by default, one job runs on each core."""
    from generator.base.worker import cores
    from generator.farm.workers import FarmLimits

    return FarmLimits(minutes * 60, jobs or cores())


def run_farm(
    jobs: "Sequence[FarmJob]",
    store: str,
    limits: "FarmLimits",
    watch: "Watch",
    *,
    scheduler: str,
    shard: str,
    keep_going: bool,
) -> None:
    """Run jobs, print failures as they happen, and write the list of all files to a store.

    `store` is its address. Without a scheduler, the jobs run on this machine. End the command with
    exit code 3 if a job failed.
    """
    from generator.base.errors import Kind, raising_at
    from generator.farm.workers import run_locally, select_shard, stop_at_failure

    with raising_at():
        selected = select_shard(jobs, shard) if shard else list(jobs)
        results_by_job: dict[str, JobResult] = {}
        address = store if "://" in store else str(Path(store).absolute())
        if scheduler:
            from generator.farm.dask_backend import run_on_scheduler

            results = run_on_scheduler(selected, address, limits, scheduler)
        else:
            results = run_locally(selected, address, limits)
        progress_log = ProgressLog()
        with watch.stage("jobs", len(selected)) as tick:
            for result in stop_at_failure(results, keep_going=keep_going):
                results_by_job[result.job] = result
                print_failures(result)
                tick(len(results_by_job))
                progress_log.report(len(results_by_job), len(selected))
        name = f"manifest{'-' + shard.replace('/', '-of-') if shard else ''}"
        _write_lists(results_by_job, address, name)
    failed = sum(map(_is_failed, results_by_job.values()))
    fresh = sum(map(_is_fresh, results_by_job.values()))
    not_started = len(selected) - len(results_by_job)
    counts = [
        f"{fresh} built",
        f"{len(results_by_job) - fresh - failed} up to date",
        f"{failed} failed",
        f"{not_started} not started",
    ]
    job_count = format_count(len(selected), "job")
    say(f"{job_count}: {', '.join(word for word in counts if not word.startswith('0 '))}")
    say(f"{store.rstrip('/')}/{name}.csv lists all files")
    if failed:
        say(
            f"{store.rstrip('/')}/{name.replace('manifest', 'failures')}.csv lists the failures in full"
        )
        raise SystemExit(Kind.INVALID.value)


def print_failures(result: "JobResult") -> None:
    """Print a line with the first problem of a job and the number of its other problems."""
    if result.problems:
        first = result.problems[0]
        more = len(result.problems) - 1
        line = "; ".join(filter(None, map(str.strip, first.splitlines())))
        print_message(f"{result.job}: {line}{f' (and {more} more)' if more else ''}")


class ProgressLog:
    """Prints progress lines to a log file, where the progress bar of a terminal does not appear."""

    def __init__(self) -> None:
        self._pace = Pace()
        self._last = time.monotonic()
        self._silent = sys.stderr.isatty()

    def report(self, done: int, total: int) -> None:
        """Print a line if the last one is old enough."""
        left = self._pace.left(done, total)
        if not self._silent and time.monotonic() - self._last > PROGRESS_INTERVAL_SECONDS:
            self._last = time.monotonic()
            print_message(f"{done} of {total} jobs{left}")


def _is_failed(result: "JobResult") -> bool:
    return bool(result.problems)


def _is_fresh(result: "JobResult") -> bool:
    return result.is_fresh and not result.problems


def _write_lists(results_by_job: "dict[str, JobResult]", address: str, name: str) -> None:
    """Write the table of all files (CSV and JSON) and the table of failures to the store."""
    from generator.farm.store import open_store

    store = open_store(address)
    names = sorted(results_by_job)
    head = ["job", "copy", "file", "pages", "digest"]
    rows = [
        [job, file.copy, file.name, file.pages, file.digest]
        for job in names
        for file in results_by_job[job].files
    ]
    store.put(f"{name}.csv", _write_table(head, rows))
    listing = json.dumps(
        [dict(zip(head, row, strict=True)) for row in rows], indent=1, ensure_ascii=False
    )
    store.put(f"{name}.json", listing.encode())
    failures = [[job, problem] for job in names for problem in results_by_job[job].problems]
    failures_name = f"{name.replace('manifest', 'failures')}.csv"
    if failures or store.get(failures_name) is not None:
        store.put(failures_name, _write_table(["job", "problem"], failures))


def _write_table(head: list[str], rows: "list[list[object]] | list[list[str]]") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([head, *rows])
    return text.getvalue().encode()


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
    jobs: int | None,
    scheduler: str,
    shard: str,
    *,
    keep_going: bool,
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
        run_farm(
            planned,
            output,
            make_limits(minutes, jobs),
            watch,
            scheduler=scheduler,
            shard=shard,
            keep_going=keep_going,
        )
