"""Writing so that a stopped or failed job leaves the last good files alone."""

import shutil
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

PREFIX = ".pnp-"
STALE = 3600
"""Seconds after which the leavings of a job that was killed are swept up."""


class Outbox:
    """Files of one job: written beside their place, and all moved there together at the end.

    Leaving the `with` block by an exception drops them all.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made: list[Path] = []
        self._temporary = folder
        self._new: list[Path] = []

    def __enter__(self) -> Self:
        self._new = [path for path in (self.folder, *self.folder.parents) if not path.exists()]
        self.folder.mkdir(parents=True, exist_ok=True)
        _sweep(self.folder)
        self._temporary = Path(tempfile.mkdtemp(prefix=PREFIX, dir=self.folder))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._deliver()
        finally:
            shutil.rmtree(self._temporary, ignore_errors=True)
            self._drop_empty()

    @property
    def names(self) -> tuple[str, ...]:
        """The files' names below the folder, in the order in which they were written."""
        return tuple(path.as_posix() for path in self._made)

    def write(self, name: str, data: bytes) -> Path:
        """Write a file; gives the path where it will be."""
        path = self._temporary / name
        if not path.resolve().is_relative_to(self._temporary.resolve()):
            raise ValueError(f"{name!r} lies outside the folder of this job")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self._made.append(Path(name))
        return self.folder / name

    def _drop_empty(self) -> None:
        """Folders that were made for nothing go again."""
        for path in self._new:
            if any(path.iterdir()):
                return
            path.rmdir()

    def _deliver(self) -> None:
        for name in self._made:
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            (self._temporary / name).replace(target)


def _sweep(folder: Path) -> None:
    for path in folder.glob(PREFIX + "*"):
        if path.is_dir() and time.time() - path.stat().st_mtime > STALE:
            shutil.rmtree(path, ignore_errors=True)
