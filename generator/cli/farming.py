"""What `pnp edition` and `pnp farm` share: who does the jobs, and the list of all that was made."""

import csv
import io
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from generator.cli.terminal import say, tell
from generator.core.steps import Pace

if TYPE_CHECKING:
    from generator.core.steps import Watch
    from generator.farm.hands import FarmLimits
    from generator.farm.record import JobResult
    from generator.farm.work import FarmJob

EVERY = 60.0
"""Seconds between two lines about how far a farm is, where they go into a file."""

Function = TypeVar("Function", bound=Callable[..., object])


def farm_options(function: Function) -> Function:
    """How many work, where, on which part, and what happens after a failure."""
    for option in (
        click.option("--jobs", type=click.IntRange(1, 256), default=None, metavar="N", help="How many at once here."),
        click.option(
            "--scheduler",
            default="",
            metavar="ADDRESS",
            help="A Dask scheduler, as tcp://10.0.0.1:8786; or `local`.",
        ),
        click.option("--shard", default="", metavar="I/N", help="Only every Nth job from the Ith on, as 2/5."),
        click.option("--keep-going", is_flag=True, help="Go on after a failure; the exit code tells all the same."),
    ):
        function = option(function)
    return function


def limits_of(minutes: float, jobs: int | None) -> "FarmLimits":
    """What a job may take, and how many are done at once: as many as there are cores unless that is said."""
    from generator.core.worker import cores
    from generator.farm.hands import FarmLimits

    return FarmLimits(minutes * 60, jobs or cores())


@dataclass(frozen=True)
class FarmHow:
    """Where the files go, what limits jobs, who does them (a scheduler, or this machine), and which part of them."""

    address: str
    limits: "FarmLimits"
    scheduler: str
    part: str
    keep_going: bool


def farmed(jobs: "Sequence[FarmJob]", how: FarmHow, watch: "Watch") -> None:
    """Do them, say what failed as it does, and leave a list of all files in the store."""
    from generator.core.problems import Kind, placed
    from generator.farm.hands import run_locally, select_shard, stop_at_failure

    with placed():
        wanted = select_shard(jobs, how.part) if how.part else list(jobs)
        done: dict[str, JobResult] = {}
        address = how.address if "://" in how.address else str(Path(how.address).absolute())
        if how.scheduler:
            from generator.farm.away import run_on_scheduler

            hands = run_on_scheduler(wanted, address, how.limits, how.scheduler)
        else:
            hands = run_locally(wanted, address, how.limits)
        now_and_then = NowAndThen()
        with watch.stage("jobs", len(wanted)) as tick:
            for each in stop_at_failure(hands, keep_going=how.keep_going):
                done[each.job] = each
                tell_failures(each)
                tick(len(done))
                now_and_then.tell(len(done), len(wanted))
        name = f"manifest{'-' + how.part.replace('/', '-of-') if how.part else ''}"
        _list(done, address, name)
    failed, fresh = (sum(1 for each in done.values() if which(each)) for which in (_failed, _fresh))
    left = len(wanted) - len(done)
    words = [f"{fresh} made", f"{len(done) - fresh - failed} were there", f"{failed} failed", f"{left} not begun"]
    say(f"{len(wanted)} jobs: {', '.join(word for word in words if not word.startswith('0 '))}")
    say(f"{how.address.rstrip('/')}/{name}.csv lists all files")
    if failed:
        say(f"{how.address.rstrip('/')}/{name.replace('manifest', 'failures')}.csv lists what failed, in full")
        raise SystemExit(Kind.WRONG.value)


def tell_failures(done: "JobResult") -> None:
    """What is wrong with a job, in one line."""
    if done.problems:
        first, more = done.problems[0], len(done.problems) - 1
        line = "; ".join(filter(None, map(str.strip, first.splitlines())))
        tell(f"{done.job}: {line}{f' (and {more} more)' if more else ''}")


class NowAndThen:
    """Says how far a farm is where no line on a terminal does: into the file to which its words go."""

    def __init__(self) -> None:
        self._pace, self._last, self._silent = Pace(), time.monotonic(), sys.stderr.isatty()

    def tell(self, done: int, total: int) -> None:
        """A line, if there was none for a while."""
        left = self._pace.left(done, total)
        if not self._silent and time.monotonic() - self._last > EVERY:
            self._last = time.monotonic()
            tell(f"{done} of {total} jobs{left}")


def _failed(done: "JobResult") -> bool:
    return bool(done.problems)


def _fresh(done: "JobResult") -> bool:
    return done.is_fresh and not done.problems


def _list(done: "dict[str, JobResult]", address: str, name: str) -> None:
    """Every file with its copies, its pages and its digest, as a table and as JSON; and all that failed."""
    from generator.farm.store import open_store

    store, names = open_store(address), sorted(done)
    head = ["job", "copy", "file", "pages", "digest"]
    rows = [[job, file.copy, file.name, file.pages, file.digest] for job in names for file in done[job].files]
    store.put(f"{name}.csv", _table(head, rows))
    told = json.dumps([dict(zip(head, row, strict=True)) for row in rows], indent=1, ensure_ascii=False)
    store.put(f"{name}.json", told.encode())
    failures = [[job, problem] for job in names for problem in done[job].problems]
    failed = f"{name.replace('manifest', 'failures')}.csv"
    if failures or store.get(failed) is not None:
        store.put(failed, _table(["job", "problem"], failures))


def _table(head: list[str], rows: "list[list[object]] | list[list[str]]") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([head, *rows])
    return text.getvalue().encode()
