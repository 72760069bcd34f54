"""Run the jobs of a farm on this machine, in worker processes that can be stopped.

Results already in the store are reused. A job whose worker fails is reported, and the others
continue.
"""

import pickle
import shutil
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from secrets import token_bytes

from generator.base.cache import KEY_BYTES
from generator.base.errors import InvalidValueError, Kind, PnpError
from generator.base.files import temporary_folder
from generator.base.units import parse_whole_number
from generator.base.worker import OWN_WORK_MEMORY, Worker, WorkError, WorkLimitError
from generator.farm.store import (
    JobResult,
    deliver,
    fetch_pack,
    find_stored_result,
    open_store,
    parse_result,
)
from generator.farm.work import FarmJob, run_job

# Queued jobs for each worker: enough to keep it busy, while memory does not grow with the length of
# the list.
QUEUED_JOBS_PER_WORKER = 3
# Worker multiplies a time limit by its patience, to allow for a busy machine. A job of a farm gets
# exactly its minutes.
NO_PATIENCE = 1


@dataclass(frozen=True)
class FarmLimits:
    """The seconds that a job may take, and the number of jobs that run at once."""

    seconds: float = 600.0
    workers: int = 1


@dataclass(frozen=True)
class WorkerContext:
    """A worker with its folders and its store: `folder` is for a single job, `cache_folder` is shared by all jobs."""

    worker: Worker
    address: str
    folder: Path
    cache_folder: Path
    key: bytes  # signs the cache's entries

    def run_job(self, job: FarmJob) -> JobResult:
        """Let the worker run a job and store its files; errors become problems of the result."""
        store = open_store(self.address)
        output = self.folder / "output"
        output.mkdir(parents=True)
        try:
            if job.source:
                pack = fetch_pack(open_store(job.source), job.request.pack, self.folder / "pack")
                job = job.with_pack_folder(pack)
            result = parse_result(
                self.worker.run(
                    run_job, pickle.dumps(job), str(output), str(self.cache_folder), self.key
                )
            )
            deliver(result, job.key, output, store)
        except WorkLimitError as error:
            return JobResult(job.name, files=(), problems=(f"stopped: it takes {error.why}",))
        except WorkError as error:
            return JobResult(
                job.name, files=(), problems=(f"this is a bug in pnp; please report it: {error}",)
            )
        except PnpError as error:
            return JobResult(job.name, files=(), problems=tuple(map(str, error.problems)))
        except InvalidValueError as error:
            return JobResult(job.name, files=(), problems=(str(error.at(None)),))
        except OSError as error:
            return JobResult(
                job.name,
                files=(),
                problems=(f"{error.filename or self.address}: the system says: {error.strerror}",),
            )
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
        return result


def run_locally(
    jobs: Iterable[FarmJob], address: str, limits: FarmLimits
) -> Generator[JobResult, None, None]:
    """Run jobs on this machine and yield their results as they finish."""
    store = open_store(address)
    idle = SimpleQueue[WorkerContext]()
    with temporary_folder() as temporary, ExitStack() as workers:
        folders = (temporary / str(number) for number in range(limits.workers))
        key = token_bytes(KEY_BYTES)
        contexts = [
            WorkerContext(
                workers.enter_context(Worker(limits.seconds, NO_PATIENCE, OWN_WORK_MEMORY)),
                address,
                folder,
                temporary / "cache",
                key,
            )
            for folder in folders
        ]
        for context in contexts:
            idle.put(context)

        def run(job: FarmJob) -> JobResult:
            stored = find_stored_result(job.key, store)
            if stored is not None:
                return stored
            context = idle.get()
            try:
                return context.run_job(job)
            finally:
                idle.put(context)

        with ThreadPoolExecutor(limits.workers, "farm") as threads:
            yield from limit_running(
                jobs,
                lambda job: threads.submit(run, job),
                QUEUED_JOBS_PER_WORKER * limits.workers,
            )


def limit_running(
    jobs: Iterable[FarmJob], start: Callable[[FarmJob], "Future[JobResult]"], max_running: int
) -> Iterator[JobResult]:
    """Start jobs so that at most `max_running` run at once, and yield their results as they finish."""
    running: set[Future[JobResult]] = set()
    try:
        for job in jobs:
            running.add(start(job))
            if len(running) >= max_running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    finally:
        for future in running:
            future.cancel()


def select_shard(jobs: Sequence[FarmJob], part: str) -> list[FarmJob]:
    """Return a part of the jobs: `2/5` is every fifth job, starting at the second.

    Raise `InvalidValueError` for any other text.
    """
    first, count = (parse_whole_number(text) or 0 for text in part.partition("/")[::2])
    if not 1 <= first <= count:
        raise InvalidValueError(
            f"{part!r} is not a part",
            "such as 2/5: every fifth job, starting at the second",
            kind=Kind.USAGE,
        )
    return list(jobs[first - 1 :: count])


def stop_at_failure(
    results: Generator[JobResult, None, None], *, keep_going: bool
) -> Iterator[JobResult]:
    """Yield results up to the first failure, or all with `keep_going`; then stop the workers."""
    with closing(results):
        for result in results:
            yield result
            if result.problems and not keep_going:
                return
