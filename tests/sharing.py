"""Folders that one process of a test run fills and all of them read: what takes long is made once."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

PATIENCE = 600
"""Seconds to wait for another process that is filling a folder; a process that dies lets go of it at once."""


def meeting_place(basetemp: Path) -> Path:
    """A folder that all workers of this run have in common, and no other run."""
    return basetemp.parent if "PYTEST_XDIST_WORKER" in os.environ else basetemp


def filled(folder: Path, fill: Callable[[Path], None]) -> Path:
    """The folder, filled by whoever asks first; it is only read from then on."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    done = folder.with_name(f"{folder.name}.done")
    with closing(sqlite3.connect(folder.with_name(f"{folder.name}.lock"), PATIENCE, isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            fill(folder)
            done.touch()
    return folder
