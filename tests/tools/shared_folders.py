"""What takes long is made once: folders that one process fills and all read, workers that wait for the next test."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from generator.base.worker import SECONDS, Worker

PATIENCE = 600
"""Seconds to wait for another process that is filling a folder; a process that dies lets go of it at once."""


def meeting_place(basetemp: Path) -> Path:
    """A folder that all workers of this run have in common, and no other run."""
    return basetemp.parent if "PYTEST_XDIST_WORKER" in os.environ else basetemp


def filled(folder: Path, fill: Callable[[Path], None]) -> Path:
    """The folder, filled by whoever asks first; it is only read from then on."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    done = folder.with_name(f"{folder.name}.done")
    with closing(
        sqlite3.connect(folder.with_name(f"{folder.name}.lock"), timeout=PATIENCE, isolation_level=None)
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
    """Workers for pictures that are done with their work wait for the next test's, and need not be begun again.

    Those with limits of their own are begun and ended as ever, and one that was stopped is gone.
    """
    idle, begin = [], Worker._begin

    def begun(worker):
        while idle and worker.seconds == SECONDS:
            process, answers = idle.pop()
            if process.poll() is None:
                worker._process, worker._answers = process, answers
                return process
            ended(process)
        return begin(worker)

    def done(worker, *_):
        if worker._process is not None and worker.seconds == SECONDS:
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
