"""Who does a farm's jobs: processes of this machine that can be stopped, or the workers of a scheduler elsewhere.

What is in the store already and is what it was is not made again; what a worker leaves undone is done by another.
"""

import pickle
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from importlib.util import find_spec
from queue import SimpleQueue

from generator.core.problems import Kind, Wrong
from generator.core.worker import Failed, TooMuch, Worker
from generator.farm.store import store_at
from generator.farm.work import DoneJob, FarmJob, done_before, run, unpacked

AHEAD = 3
"""Jobs that wait for each worker, so that memory does not grow with what is to be done."""
AGAIN = 3
"""How often a job is given to a scheduler's workers that were lost with it."""
PATIENCE = 60.0
"""Seconds in which a scheduler that went away may come back."""


@dataclass(frozen=True)
class FarmLimits:
    """Seconds that a job may take, and how many are done at once."""

    seconds: float = 600.0
    workers: int = 1


def limited(job: bytes, address: str, seconds: float) -> bytes:
    """One job in a process of its own, with a folder of its own that goes with it; what stops it is an answer too."""
    folder = tempfile.mkdtemp(prefix="pnp-farm-")
    try:
        with Worker(seconds) as worker:
            return _answer(worker, job, address, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _answer(worker: Worker, job: bytes, address: str, folder: str) -> bytes:
    name = pickle.loads(job).name  # noqa: S301 - it is ours
    try:
        return worker.run(run, job, address, folder)
    except TooMuch as error:
        return DoneJob(name, problems=(f"{name}: it takes {error.why}, and was stopped",)).packed()
    except Failed as error:
        return DoneJob(name, problems=(f"{name}: {error}",)).packed()


def here(jobs: Iterable[FarmJob], address: str, limits: FarmLimits) -> Iterator[DoneJob]:
    """What becomes of jobs that are done on this machine, as each is done."""
    store, free = store_at(address), SimpleQueue[tuple[Worker, str]]()
    workers = [(Worker(limits.seconds), tempfile.mkdtemp(prefix="pnp-farm-")) for _ in range(limits.workers)]
    for one in workers:
        free.put(one)

    def do(job: FarmJob) -> DoneJob:
        before = done_before(job, store)
        if before is not None:
            return before
        worker, folder = free.get()
        try:
            return unpacked(_answer(worker, pickle.dumps(job), address, folder))
        finally:
            free.put((worker, folder))

    try:
        with ThreadPoolExecutor(limits.workers, "farm") as threads:
            yield from _flowing(jobs, lambda job: threads.submit(do, job), AHEAD * limits.workers)
    finally:
        for worker, folder in workers:
            worker.end()
            shutil.rmtree(folder, ignore_errors=True)


def _flowing(jobs: Iterable[FarmJob], begin: Callable[[FarmJob], "Future[DoneJob]"], most: int) -> Iterator[DoneJob]:
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


def elsewhere(jobs: Sequence[FarmJob], address: str, limits: FarmLimits, scheduler: str) -> Iterator[DoneJob]:
    """The same by the workers of a Dask scheduler, which read packs and write to the store themselves."""
    if find_spec("distributed") is None:
        raise Wrong("a scheduler cannot be asked from here", "the extra `farm`, which brings dask", kind=Kind.MISSING)
    store, todo, given = store_at(address), [], dict[str, int]()
    for job in jobs:
        before = done_before(job, store)
        if before is None:
            todo.append(job)
        else:
            yield before
    lost_since = 0.0
    while todo:
        names = {job.name: job for job in todo}
        try:
            for done in _asked(todo, address, limits, scheduler):
                del names[done.job]
                lost_since = 0.0
                yield done
        except OSError as error:
            lost_since = lost_since or time.monotonic()
            if time.monotonic() - lost_since > PATIENCE:
                found = f"the scheduler {scheduler} does not answer: {error}"
                raise Wrong(found, "one that runs, and that this machine reaches", kind=Kind.MISSING) from None
            time.sleep(1)
        todo = list(names.values())
        for job in todo if not lost_since else ():
            given[job.name] = given.get(job.name, 0) + 1
            if given[job.name] >= AGAIN:
                todo.remove(job)
                yield DoneJob(job.name, problems=(f"{job.name}: its workers were lost {AGAIN} times",))


def _asked(jobs: Sequence[FarmJob], address: str, limits: FarmLimits, scheduler: str) -> Iterator[DoneJob]:
    """What workers answer; an `OSError` where the scheduler is lost, and no answer to a job whose worker is."""
    import distributed as dask
    from distributed.scheduler import KilledWorker

    with dask.Client(scheduler, timeout=10, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        names = {f"pnp-{job.key}": job.name for job in jobs}
        asked = [
            client.submit(limited, pickle.dumps(job), address, limits.seconds, key=key, pure=False, retries=AGAIN)
            for key, job in zip(names, jobs, strict=True)
        ]
        for future in dask.as_completed(asked, loop=client.loop, raise_errors=False):  # type: ignore[no-untyped-call]
            if future.status == "finished":
                yield unpacked(future.result())
            elif future.status == "error":
                error = future.exception()
                if not isinstance(error, KilledWorker):
                    name = names[future.key]
                    yield DoneJob(name, problems=(f"{name}: {type(error).__name__}: {error}",))
            else:
                raise OSError(f"{names[future.key]} was lost with it")


def shard(jobs: Sequence[FarmJob], part: str) -> list[FarmJob]:
    """Those of a part: `2/5` is every fifth job from the second on."""
    nth, slash, count = part.partition("/")
    if not slash or not (nth.isdecimal() and count.isdecimal()) or not 1 <= int(nth) <= int(count):
        raise Wrong(f"{part!r} is no part", "such as 2/5: every fifth job from the second on", kind=Kind.USAGE)
    return list(jobs[int(nth) - 1 :: int(count)])


def one_by_one(done: Iterable[DoneJob], *, keep_going: bool) -> Iterator[DoneJob]:
    """The same, up to the first that failed unless the others are wanted all the same."""
    for each in done:
        yield each
        if each.problems and not keep_going:
            return
