"""Run the jobs of a farm on the workers of a Dask scheduler.

Workers read packs and write to the store themselves. Jobs of a lost worker go to other workers.
After a lost connection, the remaining jobs are submitted again.
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

from generator.base.cache import KEY_BYTES
from generator.base.errors import InvalidValueError, Kind
from generator.base.worker import OWN_WORK_MEMORY, Worker
from generator.farm.store import JobResult, find_stored_result, open_store, parse_result
from generator.farm.work import FarmJob
from generator.farm.workers import NO_PATIENCE, FarmLimits, WorkerContext

LOCAL = "local"
"""The name of a scheduler started here, with workers on this machine."""
# A job that kills its worker again and again must not stop the farm.
MAX_ATTEMPTS = 3
# Time in which a lost scheduler may come back, such as after a restart.
RECONNECT_SECONDS = 60.0
# Jobs known to the scheduler at once, so that its memory does not grow with the length of the list.
MAX_SUBMITTED_JOBS = 1000
# Threads that look up finished jobs: requests to a remote store mostly wait.
LOOKUP_THREADS = 8


def run_limited(job: bytes, address: str, seconds: float) -> bytes:
    """Run a pickled job in a process with a time limit.

    This is the task that Dask workers execute.
    """
    with _open_context(address, seconds) as context:
        return context.run_job(pickle.loads(job)).to_json()  # noqa: S301 - it is ours


@contextmanager
def _open_context(address: str, seconds: float) -> Iterator[WorkerContext]:
    """Provide a process and folders that belong to the Dask worker, so that its next job finds them warm."""
    from distributed import get_worker

    owner: Any = get_worker()
    key: bytes = owner.__dict__.setdefault("pnp_cache_key", token_bytes(KEY_BYTES))
    folder = Path(owner.local_directory)
    idle = owner.__dict__.setdefault("pnp_workers", SimpleQueue[Worker]())
    try:
        worker = idle.get_nowait()
    except Empty:
        worker = Worker(patience=NO_PATIENCE, memory=OWN_WORK_MEMORY)
    worker.seconds = seconds
    try:
        yield WorkerContext(
            worker, address, folder / f"pnp-{token_hex(6)}", folder / "pnp-cache", key
        )
    finally:
        idle.put(worker)


def run_on_scheduler(
    jobs: Sequence[FarmJob], address: str, limits: FarmLimits, scheduler: str
) -> Generator[JobResult, None, None]:
    """Run jobs on a scheduler's workers and yield their results as they finish.

    Raise `InvalidValueError` if the extra `farm` is not installed, or if the scheduler does not
    answer.
    """
    if find_spec("distributed") is None:
        raise InvalidValueError(
            "a scheduler needs dask, which is not installed",
            "pnp installed with its extra `farm`",
            kind=Kind.MISSING,
        )
    todo = list[FarmJob]()
    store = open_store(address)
    with ThreadPoolExecutor(LOOKUP_THREADS, "lookup") as threads:
        for job, stored in zip(
            jobs, threads.map(lambda job: find_stored_result(job.key, store), jobs), strict=True
        ):
            if stored is None:
                todo.append(job)
            else:
                yield stored
    with ExitStack() as stack:
        if scheduler == LOCAL and todo:
            scheduler = stack.enter_context(_start_cluster(limits.workers)).scheduler_address
        yield from _SchedulerRun(address, limits.seconds, scheduler).run(todo)


def _start_cluster(workers: int) -> Any:
    """Start a scheduler with workers on this machine.

    Its dashboard listens on any free port of this machine only.
    """
    from distributed import LocalCluster

    return LocalCluster(workers, threads_per_worker=1, dashboard_address="127.0.0.1:0")  # type: ignore[no-untyped-call]


@dataclass
class _SchedulerRun:
    """Submits jobs to a scheduler until all are finished.

    `attempts` counts the failed attempts of each job.
    """

    address: str
    seconds: float
    scheduler: str
    attempts: dict[str, int] = field(default_factory=dict)
    lost_since: float = 0.0

    def run(self, todo: Sequence[FarmJob]) -> Iterator[JobResult]:
        """Yield the results of all jobs, submitting lost jobs again."""
        while todo:
            unfinished = {job.name: job for job in todo}
            try:
                for result in self._submit(todo):
                    del unfinished[result.job]
                    self.lost_since = 0.0
                    yield result
            except OSError as error:
                self._wait(error)
            todo = []
            for job in unfinished.values():
                self.attempts[job.name] = self.attempts.get(job.name, 0) + (not self.lost_since)
                if self.attempts[job.name] < MAX_ATTEMPTS:
                    todo.append(job)
                else:
                    yield JobResult(
                        job.name,
                        files=(),
                        problems=(f"its workers were lost {MAX_ATTEMPTS} times",),
                    )

    def _wait(self, error: OSError) -> None:
        """Wait a second for the scheduler.

        Raise `InvalidValueError` if it has been lost for too long.
        """
        self.lost_since = self.lost_since or time.monotonic()
        if time.monotonic() - self.lost_since > RECONNECT_SECONDS:
            found = f"the scheduler {self.scheduler} does not answer: {error}"
            raise InvalidValueError(
                found, "a running scheduler that this machine can reach", kind=Kind.MISSING
            ) from None
        time.sleep(1)

    def _submit(self, jobs: Sequence[FarmJob]) -> Iterator[JobResult]:
        """Submit jobs and yield their results.

        Jobs of lost workers yield no result. Raise `OSError` if the scheduler is lost.
        """
        import distributed as dask
        from distributed.scheduler import KilledWorker

        with dask.Client(self.scheduler, timeout=10, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            names = dict[str, str]()
            waiting = iter(jobs)

            def submit(job: FarmJob) -> Any:
                names[key := f"pnp-{job.key}"] = job.name
                arguments = pickle.dumps(job), self.address, self.seconds
                return client.submit(
                    run_limited, *arguments, key=key, pure=False, retries=MAX_ATTEMPTS
                )

            answers: Any = dask.as_completed(  # type: ignore[no-untyped-call]
                [submit(job) for job in islice(waiting, MAX_SUBMITTED_JOBS)],
                loop=client.loop,
                raise_errors=False,
            )
            for future in answers:
                if future.status == "finished":
                    yield parse_result(future.result())
                elif future.status == "error":
                    error = future.exception()
                    if not isinstance(error, KilledWorker):
                        yield JobResult(
                            names[future.key],
                            files=(),
                            problems=(f"{type(error).__name__}: {error}",),
                        )
                else:
                    raise OSError(f"{names[future.key]} was lost with it")
                del names[future.key]
                for job in islice(waiting, 1):
                    answers.add(submit(job))
