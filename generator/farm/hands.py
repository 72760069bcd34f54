"""Who does a farm's jobs: processes of this machine that can be stopped, or the workers of a scheduler elsewhere.

What is in the store already and is what it was is not made again; what a worker leaves undone is done by another.
"""

import pickle
import shutil
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from secrets import token_bytes

from generator.core.cache import KEY_BYTES
from generator.core.files import temporary_folder
from generator.core.problems import Kind, PnpError, Wrong
from generator.core.worker import ROOMY, Failed, TooMuch, Worker
from generator.farm.record import DoneJob, delivered, done_before, unpacked
from generator.farm.store import fetched, store_at
from generator.farm.work import FarmJob, run

AHEAD = 3
"""Jobs that wait for each worker, so that memory does not grow with what is to be done."""
BY_THE_CLOCK = 1
"""A job has its minutes and no more, however busy the machine is."""


@dataclass(frozen=True)
class FarmLimits:
    """Seconds that a job may take, and how many are done at once."""

    seconds: float = 600.0
    workers: int = 1


@dataclass(frozen=True)
class Bench:
    """The folders of one worker and its store: `folder` is each job's own, `kept` the cache that jobs share."""

    worker: Worker
    address: str
    folder: Path
    kept: Path
    key: bytes  # signs the cache's entries

    def done(self, job: FarmJob) -> DoneJob:
        """Have a job made by the worker, and put what it made into the store; what stops it is an answer too."""
        store, made = store_at(self.address), self.folder / "made"
        made.mkdir(parents=True)
        try:
            if job.source:
                pack = fetched(store_at(job.source), job.order.pack, self.folder / "pack")
                job = job.at(pack)
            done = unpacked(self.worker.run(run, pickle.dumps(job), str(made), str(self.kept), self.key))
            delivered(done, job.key, made, store)
        except TooMuch as error:
            return DoneJob(job.name, problems=(f"it takes {error.why}, and was stopped",))
        except Failed as error:
            return DoneJob(job.name, problems=(f"this is our bug, please report it: {error}",))
        except PnpError as error:
            return DoneJob(job.name, problems=tuple(map(str, error.problems)))
        except Wrong as error:
            return DoneJob(job.name, problems=(str(error.at(None)),))
        except OSError as error:
            return DoneJob(job.name, problems=(f"{error.filename or self.address}: the system says: {error.strerror}",))
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
        return done


def here(jobs: Iterable[FarmJob], address: str, limits: FarmLimits) -> Generator[DoneJob, None, None]:
    """What becomes of jobs that are done on this machine, as each is done."""
    store, free = store_at(address), SimpleQueue[Bench]()
    with temporary_folder() as own:
        folders = (own / str(number) for number in range(limits.workers))
        key = token_bytes(KEY_BYTES)
        benches = [
            Bench(Worker(limits.seconds, BY_THE_CLOCK, ROOMY), address, folder, own / "kept", key) for folder in folders
        ]
        for bench in benches:
            free.put(bench)

        def do(job: FarmJob) -> DoneJob:
            before = done_before(job.key, store)
            if before is not None:
                return before
            bench = free.get()
            try:
                return bench.done(job)
            finally:
                free.put(bench)

        try:
            with ThreadPoolExecutor(limits.workers, "farm") as threads:
                yield from flowing(jobs, lambda job: threads.submit(do, job), AHEAD * limits.workers)
        finally:
            for bench in benches:
                bench.worker.end()


def flowing(jobs: Iterable[FarmJob], begin: Callable[[FarmJob], "Future[DoneJob]"], most: int) -> Iterator[DoneJob]:
    """Never more than so many at once."""
    open_ones: set[Future[DoneJob]] = set()
    try:
        for job in jobs:
            open_ones.add(begin(job))
            if len(open_ones) >= most:
                done, open_ones = wait(open_ones, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in done)
        while open_ones:
            done, open_ones = wait(open_ones, return_when=FIRST_COMPLETED)
            yield from (each.result() for each in done)
    finally:
        for each in open_ones:
            each.cancel()


def shard(jobs: Sequence[FarmJob], part: str) -> list[FarmJob]:
    """Those of a part: `2/5` is every fifth job from the second on."""
    nth, slash, count = part.partition("/")
    if not slash or not (nth.isdecimal() and count.isdecimal()) or not 1 <= int(nth) <= int(count):
        raise Wrong(f"{part!r} is no part", "such as 2/5: every fifth job from the second on", kind=Kind.USAGE)
    return list(jobs[int(nth) - 1 :: int(count)])


def one_by_one(done: Generator[DoneJob, None, None], *, keep_going: bool) -> Iterator[DoneJob]:
    """The same, up to the first that failed unless the others are wanted all the same; then nobody works any more."""
    with closing(done):
        for each in done:
            yield each
            if each.problems and not keep_going:
                return
