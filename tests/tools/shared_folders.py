"""Share slow work between tests: folders that one process fills and all read, and workers that are reused."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from generator.base.worker import REQUEST_SECONDS, Worker

PATIENCE = 600
"""Seconds to wait for another process that is filling a folder.

A process that dies lets go of it at once.
"""


def meeting_place(basetemp: Path) -> Path:
    """Return the folder that all workers of this run share."""
    return basetemp.parent if "PYTEST_XDIST_WORKER" in os.environ else basetemp


def filled(folder: Path, fill: Callable[[Path], None]) -> Path:
    """Fill a folder if no process has done so, and return it; from then on it is only read."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    done = folder.with_name(f"{folder.name}.done")
    with closing(
        sqlite3.connect(
            folder.with_name(f"{folder.name}.lock"), timeout=PATIENCE, isolation_level=None
        )
    ) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            fill(folder)
            done.touch()
    return folder


@contextmanager
def waiting_workers():
    """Keep idle picture workers for the next test, which saves their start.

    Those with limits of their own are begun and ended as ever, and one that was stopped is gone.
    """
    idle = []
    begin = Worker._begin

    def begun(worker):
        while idle and worker.seconds == REQUEST_SECONDS:
            process, answers = idle.pop()
            if process.poll() is None:
                worker._process = process
                worker._answers = answers
                return process
            ended(process)
        return begin(worker)

    def done(worker, *_):
        if worker._process is not None and worker.seconds == REQUEST_SECONDS:
            idle.append((worker._process, worker._answers))
            worker._process = None
        worker.end()

    def ended(process):
        one = Worker()
        one._process = process
        one.end()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Worker, "_begin", begun)
        patch.setattr(Worker, "__exit__", done)
        patch.setattr(Worker, "__del__", done)
        yield
    for process, _ in idle:
        ended(process)
