"""Jobs that the workers of a Dask scheduler do, which read packs and write to the store themselves.

A worker that is lost is made up for by the others; a scheduler that comes back is given what is not done.
"""

import pickle
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from secrets import token_bytes, token_hex
from typing import Any

from generator.core.cache import KEY_BYTES
from generator.core.problems import Kind, Wrong
from generator.core.worker import ROOMY, Worker
from generator.farm.hands import BY_THE_CLOCK, Bench, FarmLimits
from generator.farm.record import DoneJob, done_before, unpacked
from generator.farm.store import store_at
from generator.farm.work import FarmJob

LOCAL = "local"
"""The scheduler that is begun here, with workers on this machine."""
AGAIN = 3
"""How often a job is given to a scheduler's workers that were lost with it."""
PATIENCE = 60.0
"""Seconds in which a scheduler that went away may come back."""
ASKED = 1000
"""Jobs that a scheduler knows of at once, so that its memory does not grow with what is to be done."""
LOOKING = 8
"""How many ask the store at once what is done already."""


def limited(job: bytes, address: str, seconds: float) -> bytes:
    """One job in a process that can be stopped, and a folder of its own: what a scheduler's worker does."""
    with _bench(address, seconds) as bench:
        return bench.done(pickle.loads(job)).packed()  # noqa: S301 - it is ours


@contextmanager
def _bench(address: str, seconds: float) -> Iterator[Bench]:
    """A process and folders that go with the scheduler's worker: its next job finds them warm."""
    from distributed import get_worker

    owner: Any = get_worker()
    key: bytes = owner.__dict__.setdefault("pnp_cache_key", token_bytes(KEY_BYTES))
    folder, free = Path(owner.local_directory), owner.__dict__.setdefault("pnp_workers", SimpleQueue[Worker]())
    try:
        worker = free.get_nowait()
    except Empty:
        worker = Worker(patience=BY_THE_CLOCK, memory=ROOMY)
    worker.seconds = seconds
    try:
        yield Bench(worker, address, folder / f"pnp-{token_hex(6)}", folder / "pnp-kept", key)
    finally:
        free.put(worker)


def elsewhere(
    jobs: Sequence[FarmJob], address: str, limits: FarmLimits, scheduler: str
) -> Generator[DoneJob, None, None]:
    """What becomes of jobs that a scheduler's workers do, as each is done."""
    if find_spec("distributed") is None:
        raise Wrong("a scheduler cannot be asked from here", "the extra `farm`, which brings dask", kind=Kind.MISSING)
    todo = list[FarmJob]()
    store = store_at(address)
    with ThreadPoolExecutor(LOOKING, "look") as threads:
        for job, before in zip(jobs, threads.map(lambda job: done_before(job.key, store), jobs), strict=True):
            if before is None:
                todo.append(job)
            else:
                yield before
    with ExitStack() as stack:
        if scheduler == LOCAL and todo:
            scheduler = stack.enter_context(_cluster(limits.workers)).scheduler_address
        yield from _Asking(address, limits.seconds, scheduler).done(todo)


def _cluster(workers: int) -> Any:
    """A scheduler with workers on this machine; what it tells of itself is told to this machine alone, at any port."""
    from distributed import LocalCluster

    return LocalCluster(workers, threads_per_worker=1, dashboard_address="127.0.0.1:0")  # type: ignore[no-untyped-call]


@dataclass
class _Asking:
    """Asks one scheduler until all is done; `given` is how often jobs were in vain."""

    address: str
    seconds: float
    scheduler: str
    given: dict[str, int] = field(default_factory=dict)
    lost_since: float = 0.0

    def done(self, todo: Sequence[FarmJob]) -> Iterator[DoneJob]:
        """What becomes of each."""
        while todo:
            left = {job.name: job for job in todo}
            try:
                for done in self._asked(todo):
                    del left[done.job]
                    self.lost_since = 0.0
                    yield done
            except OSError as error:
                self._wait(error)
            todo = []
            for job in left.values():
                self.given[job.name] = self.given.get(job.name, 0) + (not self.lost_since)
                if self.given[job.name] < AGAIN:
                    todo.append(job)
                else:
                    yield DoneJob(job.name, problems=(f"its workers were lost {AGAIN} times",))

    def _wait(self, error: OSError) -> None:
        self.lost_since = self.lost_since or time.monotonic()
        if time.monotonic() - self.lost_since > PATIENCE:
            found = f"the scheduler {self.scheduler} does not answer: {error}"
            raise Wrong(found, "one that runs, and that this machine reaches", kind=Kind.MISSING) from None
        time.sleep(1)

    def _asked(self, jobs: Sequence[FarmJob]) -> Iterator[DoneJob]:
        """What workers answer; an `OSError` where the scheduler is lost, and no answer to a job whose worker is."""
        import distributed as dask
        from distributed.scheduler import KilledWorker

        with dask.Client(self.scheduler, timeout=10, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            names, waiting = dict[str, str](), iter(jobs)

            def begun(job: FarmJob) -> Any:
                names[key := f"pnp-{job.key}"] = job.name
                told = pickle.dumps(job), self.address, self.seconds
                return client.submit(limited, *told, key=key, pure=False, retries=AGAIN)

            answers: Any = dask.as_completed(  # type: ignore[no-untyped-call]
                [begun(job) for job in islice(waiting, ASKED)], loop=client.loop, raise_errors=False
            )
            for future in answers:
                if future.status == "finished":
                    yield unpacked(future.result())
                elif future.status == "error":
                    error = future.exception()
                    if not isinstance(error, KilledWorker):
                        yield DoneJob(names[future.key], problems=(f"{type(error).__name__}: {error}",))
                else:
                    raise OSError(f"{names[future.key]} was lost with it")
                del names[future.key]
                for job in islice(waiting, 1):
                    answers.add(begun(job))
