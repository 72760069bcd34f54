"""Share slow work between tests: folders that are filled once, and worker processes that are reused."""

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


def folder_of_run(basetemp: Path) -> Path:
    """Return the folder that all test workers of this run share."""
    return basetemp.parent if "PYTEST_XDIST_WORKER" in os.environ else basetemp


def fill_once(folder: Path, fill: Callable[[Path], None]) -> Path:
    """Fill a folder unless a process of this run has done so, and return it; tests must not change it."""
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
def reuse_workers():
    """Keep worker processes alive for the next test, which saves starting them.

    Only workers with one of the two usual memory limits are reused, and none that was stopped. A
    worker may be reused with another time limit, which its client enforces.
    """
    idle = {PICTURE_MEMORY: [], OWN_WORK_MEMORY: []}
    begin = Worker.begin

    def begin_or_reuse(worker):
        while pool := idle.get(worker.memory):
            process, answers = pool.pop()
            if process.poll() is None:
                worker.process = process
                worker.answers = answers
                return process
            Worker(process=process).end()
        return begin(worker)

    def keep_idle(worker, *_):
        if worker.process is not None and worker.memory in idle:
            idle[worker.memory].append((worker.process, worker.answers))
            worker.process = None
        worker.end()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Worker, "begin", begin_or_reuse)
        patch.setattr(Worker, "__exit__", keep_idle)
        patch.setattr(Worker, "__del__", keep_idle)
        yield
    for process, _ in chain.from_iterable(idle.values()):
        Worker(process=process).end()
