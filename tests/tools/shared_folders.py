"""Share slow work between tests: folders that one process fills and all read, and workers that are reused."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path

import pytest

from generator.base.worker import OWN_WORK_MEMORY, PICTURE_MEMORY, Worker

PATIENCE = 600
"""Seconds to wait for another process that is filling a folder.

The lock of a process that dies is released at once.
"""


def meeting_place(basetemp: Path) -> Path:
    """Return the folder that all workers of this run share."""
    return basetemp.parent if "PYTEST_XDIST_WORKER" in os.environ else basetemp


def filled(folder: Path, fill: Callable[[Path], None]) -> Path:
    """Fill a folder if no process has done so, and return it; from then on it is only read."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    marker = folder.with_name(f"{folder.name}.done")
    with closing(
        sqlite3.connect(
            folder.with_name(f"{folder.name}.lock"), timeout=PATIENCE, isolation_level=None
        )
    ) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        if not marker.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            fill(folder)
            marker.touch()
    return folder


@contextmanager
def waiting_workers():
    """Keep idle workers for pictures and for jobs of a farm for the next test, which saves starting them.

    Workers with a memory limit of their own start and end as usual, and stopped workers are not
    reused. Limits of time are kept by the process that asks, so workers may have any.
    """
    idle = {PICTURE_MEMORY: [], OWN_WORK_MEMORY: []}
    begin = Worker._begin

    def begin_or_reuse(worker):
        while waiting := idle.get(worker.memory):
            process, answers = waiting.pop()
            if process.poll() is None:
                worker._process = process
                worker._answers = answers
                return process
            end_process(process)
        return begin(worker)

    def put_aside(worker, *_):
        if worker._process is not None and worker.memory in idle:
            idle[worker.memory].append((worker._process, worker._answers))
            worker._process = None
        worker.end()

    def end_process(process):
        worker_of_process = Worker()
        worker_of_process._process = process
        worker_of_process.end()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Worker, "_begin", begin_or_reuse)
        patch.setattr(Worker, "__exit__", put_aside)
        patch.setattr(Worker, "__del__", put_aside)
        yield
    for process, _ in chain.from_iterable(idle.values()):
        end_process(process)
