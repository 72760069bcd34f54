"""Run the jobs of an edition or a farm: their options, the progress, and the lists of files and failures."""

import csv
import io
import json
import sys
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from generator.base.errors import ExitCode
from generator.base.steps import Pace
from generator.base.units import format_count
from generator.cli.commands import GENERAL_GROUP, run_settings
from generator.cli.options import add_options, run_option
from generator.cli.output import print_message, print_result

if TYPE_CHECKING:
    from generator.base.steps import Watch
    from generator.farm.store import JobResult
    from generator.farm.work import FarmJob

MANIFEST = "manifest"
FAILURES = "failures"
"""The names of the lists in the store, without the part for a shard and without suffix."""

# When the output goes to a log file, a line a minute shows progress without filling the log.
PROGRESS_INTERVAL_SECONDS = 60.0

Function = TypeVar("Function", bound=Callable[..., object])

farm_option = partial(run_option, group=GENERAL_GROUP)
"""Create an option whose value `run_jobs` reads."""


def farm_options(function: Function) -> Function:
    """Add --jobs, --scheduler, --shard and --keep-going, read by `run_jobs`."""
    options = [
        farm_option(
            "--keep-going",
            is_flag=True,
            help="Continue after a failure; the exit code still reports it.",
        ),
        farm_option(
            "--shard",
            default="",
            metavar="I/N",
            help="Run only every Nth job, starting at the Ith, such as 2/5.",
        ),
        farm_option(
            "--scheduler",
            default="",
            metavar="ADDRESS",
            help="Address of a Dask scheduler, such as tcp://10.0.0.1:8786; or local.",
        ),
        farm_option(
            "--jobs",
            type=click.IntRange(1, 256),
            default=None,
            metavar="N",
            help="Number of jobs at once on this machine.  [default: one per core]",
        ),
    ]
    return add_options(options, function)


def run_jobs(jobs: "Sequence[FarmJob]", store: str, minutes: float, watch: "Watch") -> None:
    """Run jobs, print failures as they happen, and write the list of all files to a store.

    `store` is its address, and `minutes` the time limit of a job. Without --scheduler, the jobs run
    on this machine. End the command with exit code 3 if a job failed.
    """
    from generator.base.errors import raising_at
    from generator.base.worker import cores
    from generator.farm.workers import FarmLimits, run_locally, select_shard, stop_at_failure

    settings = run_settings()
    shard = settings["shard"]
    limits = FarmLimits(minutes * 60, settings["jobs"] or cores())
    with raising_at():
        selected = select_shard(jobs, shard) if shard else list(jobs)
        address = store if "://" in store else str(Path(store).absolute())
        if settings["scheduler"]:
            from generator.farm.dask_backend import run_on_scheduler

            results = run_on_scheduler(selected, address, limits, settings["scheduler"])
        else:
            results = run_locally(selected, address, limits)
        finished: list[JobResult] = []
        progress_log = ProgressLog()
        with watch.stage("jobs", len(selected)) as tick:
            for result in stop_at_failure(results, keep_going=settings["keep_going"]):
                finished.append(result)
                _print_failure(result)
                tick(len(finished))
                progress_log.report(len(finished), len(selected))
        part = f"-{shard.replace('/', '-of-')}" if shard else ""
        finished.sort(key=lambda result: result.job)
        _write_lists(finished, address, part)
    failed = sum(bool(result.problems) for result in finished)
    built = sum(result.is_fresh and not result.problems for result in finished)
    counts = {
        "built": built,
        "up to date": len(finished) - built - failed,
        "failed": failed,
        "not started": len(selected) - len(finished),
    }
    summary = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    print_result(f"{format_count(len(selected), 'job')}: {summary}")
    folder = store.rstrip("/")
    print_result(f"{folder}/{MANIFEST}{part}.csv lists all files")
    if failed:
        print_result(f"{folder}/{FAILURES}{part}.csv lists the failures in full")
        raise SystemExit(ExitCode.INVALID_PACK)


def _print_failure(result: "JobResult") -> None:
    """Print a line with the first problem of a job, if it has any, and the number of its other problems."""
    if result.problems:
        first, *others = result.problems
        line = "; ".join(filter(None, map(str.strip, first.splitlines())))
        more = f" (and {len(others)} more)" if others else ""
        print_message(f"{result.job}: {line}{more}")


class ProgressLog:
    """Prints progress lines to a log file, where the progress bar of a terminal does not appear."""

    def __init__(self) -> None:
        self._pace = Pace()
        self._last = time.monotonic()
        self._is_terminal = sys.stderr.isatty()

    def report(self, done: int, total: int) -> None:
        """Print a line if the last one is old enough."""
        left = self._pace.left(done, total)
        if not self._is_terminal and time.monotonic() - self._last > PROGRESS_INTERVAL_SECONDS:
            self._last = time.monotonic()
            print_message(f"{done} of {total} jobs{left}")


def _write_lists(results: "Collection[JobResult]", address: str, part: str) -> None:
    """Write the table of all files (CSV and JSON) and the table of failures to the store."""
    from generator.farm.store import open_store

    store = open_store(address)
    head = ["job", "copy", "file", "pages", "digest"]
    rows = [
        (result.job, file.copy, file.name, file.pages, file.digest)
        for result in results
        for file in result.files
    ]
    store.put(f"{MANIFEST}{part}.csv", _write_table(head, rows))
    listing = [dict(zip(head, row, strict=True)) for row in rows]
    store.put(f"{MANIFEST}{part}.json", json.dumps(listing, indent=1, ensure_ascii=False).encode())
    failures = [(result.job, problem) for result in results for problem in result.problems]
    failures_name = f"{FAILURES}{part}.csv"
    # A list of earlier failures is replaced, so that it names none that are mended.
    if failures or store.get(failures_name) is not None:
        store.put(failures_name, _write_table(["job", "problem"], failures))


def _write_table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([head, *rows])
    return text.getvalue().encode()
