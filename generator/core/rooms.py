"""Folders for a while, in the system's place for such; one that a killed process left goes when the next is made.

Who has a room holds its lock, which ends with the process. A room takes the name by which others look for what is left
over only when it is locked, so that none is taken from under anybody.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from generator.core.files import LOCKS, STALE, let_go, locked

KIND, BEGUN = "pnp-held-", "pnp-begun-"


@contextmanager
def temporary_room() -> Iterator[Path]:
    """A folder that nobody else looks into, empty; it goes with all that is in it, now or when the next one comes."""
    place = Path(tempfile.gettempdir())
    _sweep(place)
    begun = Path(tempfile.mkdtemp(prefix=BEGUN, dir=place))
    lock = locked(begun)
    own = begun.rename(begun.with_name(KIND + begun.name.removeprefix(BEGUN)))
    try:
        yield own
    finally:
        shutil.rmtree(own, ignore_errors=True)
        let_go(lock)


def _sweep(place: Path) -> None:
    """Remove the rooms of processes that are gone; of what has no lock, what is old."""
    with suppress(OSError):
        for path in place.iterdir():
            if path.name.startswith((KIND, BEGUN)) and not path.is_symlink() and _is_left(path):
                shutil.rmtree(path, ignore_errors=True)


def _is_left(path: Path) -> bool:
    """Whether it is ours, and nobody works in it; where folders have no locks, only its age tells."""
    try:
        told = path.stat()
    except OSError:
        return False
    if told.st_uid != getattr(os, "getuid", lambda: 0)():
        return False
    if time.time() - told.st_mtime <= STALE and not (LOCKS and path.name.startswith(KIND)):
        return False  # whoever begins it may be about to lock it, and must not find it locked
    lock = locked(path)
    let_go(lock)
    return lock >= 0 or not LOCKS
