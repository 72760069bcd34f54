"""What `pnp edition` and `pnp farm` share: who does the jobs, and the list of all that was made."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from generator.cli.terminal import say, tell

if TYPE_CHECKING:
    from generator.core.timing import Watch
    from generator.farm.hands import FarmLimits
    from generator.farm.work import DoneJob, FarmJob

Function = TypeVar("Function", bound=Callable[..., object])


def farm_options(function: Function) -> Function:
    """How many work, where, on which part, and what happens after a failure."""
    for option in (
        click.option("--jobs", type=click.IntRange(1, 256), default=None, metavar="N", help="How many at once here."),
        click.option(
            "--scheduler", default="", metavar="ADDRESS", help="A Dask scheduler, such as tcp://10.0.0.1:8786."
        ),
        click.option("--shard", default="", metavar="I/N", help="Only every Nth job from the Ith on, as 2/5."),
        click.option("--keep-going", is_flag=True, help="Go on after a failure; the exit code tells all the same."),
    ):
        function = option(function)
    return function


def limits_of(minutes: float, jobs: int | None) -> "FarmLimits":
    """What a job may take, and how many are done at once: as many as there are cores unless that is said."""
    from generator.core.crew import cores
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
    from generator.farm.hands import elsewhere, here, one_by_one, shard

    with placed():
        wanted = shard(jobs, how.part) if how.part else list(jobs)
        done: dict[str, DoneJob] = {}
        address = how.address if "://" in how.address else str(Path(how.address).absolute())
        hands = (
            elsewhere(wanted, address, how.limits, how.scheduler)
            if how.scheduler
            else here(wanted, address, how.limits)
        )
        with watch.stage("jobs", len(wanted)) as tick:
            for each in one_by_one(hands, keep_going=how.keep_going):
                done[each.job] = each
                for problem in each.problems:
                    tell(f"{each.job}: {problem}")
                tick(len(done))
        name = f"manifest{'-' + how.part.replace('/', '-of-') if how.part else ''}"
        _list(done, address, name)
    failed, fresh = (sum(1 for each in done.values() if which(each)) for which in (_failed, _fresh))
    left = len(wanted) - len(done)
    words = [f"{fresh} made", f"{len(done) - fresh - failed} were there", f"{failed} failed", f"{left} not begun"]
    say(f"{len(wanted)} jobs: {', '.join(word for word in words if not word.startswith('0 '))}")
    say(f"{how.address.rstrip('/')}/{name}.csv lists all files")
    if failed:
        raise SystemExit(Kind.WRONG.value)


def _failed(done: "DoneJob") -> bool:
    return bool(done.problems)


def _fresh(done: "DoneJob") -> bool:
    return done.fresh and not done.problems


def _list(done: "dict[str, DoneJob]", address: str, name: str) -> None:
    """Every file with its copy, its pages and its digest, as a table and as JSON."""
    from generator.farm.store import store_at

    rows = [[job, *row] for job in sorted(done) for row in _rows(done[job])]
    head = ["job", "copy", "file", "pages", "digest"]
    text = io.StringIO(newline="")
    csv.writer(text).writerows([head, *rows])
    store = store_at(address)
    store.put(f"{name}.csv", text.getvalue().encode())
    told = json.dumps([dict(zip(head, row, strict=True)) for row in rows], indent=1, ensure_ascii=False)
    store.put(f"{name}.json", told.encode())


def _rows(done: "DoneJob") -> Iterator[list[object]]:
    yield from ([file.copy, file.name, file.pages, file.digest] for file in done.files)
