"""Writing output files so that a stopped, killed or failed job leaves the last good files alone.

A job writes its files into a folder of its own beside their place, `.pnp-…`:

    new/     the new files              old/     hard links to the files that they replace
    ready    the names of the files, written once all of them are complete

After a kill, the next job in the same place finishes a job that was `ready` and drops any other.
`ready` is called `undo` while a job that could not move all of them puts the old files back. One job
at a time moves files. A folder whose lock nobody holds belongs to a process that has ended.
"""

import errno
import json
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path, PurePosixPath
from secrets import token_hex
from tempfile import TemporaryDirectory, gettempdir
from types import ModuleType, TracebackType
from typing import Self

from generator.base.errors import InvalidValueError, fail
from generator.base.spill import BLOCK, Data, stream

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # Windows opens no folders, and so has no locks of them
    flock = None  # type: ignore[assignment]
HAS_LOCKS = flock is not None

PREFIX = ".pnp-"
"""The names of the folders in which jobs write begin with this."""
STALE_SECONDS = 3600
"""Age from which a job's folder counts as left behind, where folders cannot be locked."""

TEMPORARY_PREFIX = "pnp-temporary-"
"""The names of our folders in the system's temporary folder begin with this."""
LOCKING_SECONDS = 60
"""Age up to which a folder without a lock counts as new: its process takes the lock in microseconds."""

READY = "ready"
"""The file of a job's folder that lists complete files, which are being moved to their places."""
UNDO = "undo"
"""The name of the same file while the old files are being restored."""


MAX_FILE_BYTES = 100_000_000
"""Size limit of a file of a pack."""


def read_limited(path: Path, name: str, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Return a file's bytes; raise `InvalidValueError` if there are more than `max_bytes`."""
    if path.stat().st_size > max_bytes:
        raise InvalidValueError(
            f"{name} has more than {max_bytes // 1_000_000} MB", "a smaller file"
        )
    return path.read_bytes()


class Outbox:
    """The output files of one job: written beside their place, and moved there together at the end.

    An exception that leaves the `with` block drops all of them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made: dict[str, None] = {}
        self._temporary = folder
        self._new: list[Path] = []
        self._lock = -1

    def __enter__(self) -> Self:
        self._new = [path for path in (self.folder, *self.folder.parents) if not path.exists()]
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with _alone(self.folder):
                _sweep(self.folder)
                self._temporary = self.folder / f"{PREFIX}{token_hex(6)}"
                self._temporary.mkdir(mode=0o700)
                self._lock = lock_folder(self._temporary)
        except BaseException:
            self._tidy()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                with _alone(self.folder):
                    _deliver(self._temporary, self.folder, self.names)
        finally:
            self._tidy()

    @property
    def names(self) -> tuple[str, ...]:
        """The files' names below the folder, in the order of writing."""
        return tuple(self._made)

    def write(self, name: str, data: Data) -> Path:
        """Write a file, and return the path to which it moves at the end."""
        if not _is_inside(name):
            raise ValueError(f"{name!r} lies outside the folder of this job")
        path = self._temporary / "new" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if not _link_if_equal(self.folder / name, path, data):
            with stream(data) as source, path.open("wb") as file:
                shutil.copyfileobj(source, file, BLOCK)
        self._made[PurePosixPath(name).as_posix()] = None
        return self.folder / name

    def _tidy(self) -> None:
        """Remove the job's own folder, and the output folders that it created if they are empty."""
        if self._temporary != self.folder:
            shutil.rmtree(self._temporary, ignore_errors=True)
        unlock(self._lock)
        for path in self._new:
            with suppress(OSError):
                path.rmdir()


def _link_if_equal(existing: Path, path: Path, data: Data) -> bool:
    """Hard-link an existing file with equal bytes instead of writing it anew.

    Return True if that was possible.
    """
    try:
        if (
            existing.is_symlink()
            or existing.stat().st_size != len(data)
            or not _has_bytes(existing, data)
        ):
            return False
        os.link(existing, path)
    except OSError:
        return False
    return True


def _has_bytes(existing: Path, data: Data) -> bool:
    with existing.open("rb") as old, stream(data) as new:
        return all(old.read(BLOCK) == block for block in iter(partial(new.read, BLOCK), b""))


def _is_inside(name: str) -> bool:
    """Return True if a file's name cannot lead out of its folder, on Windows either."""
    path = PurePosixPath(name)
    return (
        not path.is_absolute() and ".." not in path.parts and "\\" not in name and ":" not in name
    )


def _deliver(temporary: Path, folder: Path, names: tuple[str, ...]) -> None:
    """Move all files to their places; if one cannot be moved, restore all of them."""
    for name in names:
        _check_place(folder, name)
    had_files = {name: _back_up(folder / name, temporary / "old" / name) for name in names}
    journal = temporary / f"{READY}.part"
    journal.write_text(json.dumps(had_files), "utf-8")
    journal.replace(temporary / READY)
    try:
        _finish(temporary, folder, had_files)
    except BaseException:
        (temporary / READY).replace(temporary / UNDO)
        _undo(temporary, folder, had_files)
        raise


def _check_place(folder: Path, name: str) -> None:
    """Raise an `OSError` if a file's place is a folder or lies behind a link, before anything is moved."""
    target = folder / name
    for parent in target.parents:
        if parent == folder:
            break
        if parent.is_symlink():
            raise NotADirectoryError(
                errno.ENOTDIR, "there is a link in place of a folder", str(parent)
            )
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_dir() and not target.is_symlink():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))


def _back_up(target: Path, old: Path) -> bool:
    """Keep a copy of a file that will be replaced, by a hard link if possible.

    Return True if there is such a file.
    """
    if not target.exists():
        return False
    old.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(target, old)
    except OSError:
        shutil.copy2(target, old)
    return True


def _finish(temporary: Path, folder: Path, had_files: Mapping[str, bool]) -> None:
    """Move the new files that have not been moved yet."""
    for name in had_files:
        new = temporary / "new" / name
        if new.exists():
            new.replace(folder / name)


def _undo(temporary: Path, folder: Path, had_files: Mapping[str, bool]) -> None:
    """Restore the old files; `had_files` says which files had one. Remove new files in other places."""
    for name, had in had_files.items():
        old = temporary / "old" / name
        if had and old.exists():
            old.replace(folder / name)
        elif not had and not (temporary / "new" / name).exists():
            (folder / name).unlink(missing_ok=True)


def clear_leftovers(folder: Path) -> None:
    """Finish or drop the files that killed jobs left in an output folder, and remove their temporary folders."""
    _remove_leftovers(Path(gettempdir()))
    with suppress(OSError):
        if any(folder.glob(PREFIX + "*")):
            with _alone(folder):
                _sweep(folder)


def _sweep(folder: Path) -> None:
    """Finish or drop the jobs of processes that have ended."""
    for path in sorted(folder.glob(PREFIX + "*")):
        if path.is_symlink() or not path.is_dir():
            continue
        lock = lock_folder(path)
        if lock >= 0 or (flock is None and time.time() - path.stat().st_mtime > STALE_SECONDS):
            _settle(path, folder)
            shutil.rmtree(path, ignore_errors=True)
        unlock(lock)


def _settle(temporary: Path, folder: Path) -> None:
    """Complete the work of a killed job; ignore a journal that pnp did not write."""
    for state, complete in ((READY, _finish), (UNDO, _undo)):
        with suppress(OSError, ValueError):
            journal = json.loads((temporary / state).read_text("utf-8"))
            if not isinstance(journal, dict):
                continue
            had_files = {name: bool(had) for name, had in journal.items() if _is_inside(name)}
            for name in had_files:
                _check_place(folder, name)
            complete(temporary, folder, had_files)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other job sweeps, begins or moves files in a folder, and keep others out meanwhile."""
    handle = -1
    if flock is not None:
        handle = os.open(folder, os.O_RDONLY)
        with suppress(OSError):
            flock(handle, LOCK_EX)
    try:
        yield
    finally:
        unlock(handle)


def lock_folder(folder: Path) -> int:
    """Lock a folder until the process ends.

    Return the lock's handle, or -1 if another process holds the lock.
    """
    if flock is None:
        return -1
    handle = -1
    try:
        handle = os.open(folder, os.O_RDONLY)
        flock(handle, LOCK_EX | LOCK_NB)
    except OSError:
        unlock(handle)
        return -1
    return handle


def unlock(handle: int) -> None:
    """Release a lock; a negative handle is none."""
    if handle >= 0:
        os.close(handle)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make an empty folder in the system's temporary folder, and remove it with its contents at the end.

    The folder is locked until the process ends, however that happens. So each call also removes the folders that
    killed processes left behind.
    """
    _remove_leftovers(Path(gettempdir()))
    with TemporaryDirectory(prefix=TEMPORARY_PREFIX, ignore_cleanup_errors=True) as name:
        lock = lock_folder(Path(name))
        try:
            yield Path(name)
        finally:
            unlock(lock)


def _remove_leftovers(place: Path) -> None:
    with suppress(OSError):
        for path in place.glob(f"{TEMPORARY_PREFIX}*"):
            if _is_leftover(path):
                shutil.rmtree(path, ignore_errors=True)


def _is_leftover(path: Path) -> bool:
    """Return True for a folder of this user whose process is gone.

    Only the age tells where folders have no locks.
    """
    try:
        status = path.lstat()
    except OSError:  # its process has removed it meanwhile
        return False
    if not stat.S_ISDIR(status.st_mode) or (HAS_LOCKS and status.st_uid != os.getuid()):
        return False
    if time.time() - status.st_mtime <= (LOCKING_SECONDS if HAS_LOCKS else STALE_SECONDS):
        return False
    lock = lock_folder(path)
    unlock(lock)
    return lock >= 0 or not HAS_LOCKS


def own_folder(output: Path, *below: str) -> Path:
    """Return a folder below the output folder; fail if a link stands in its place.

    A link that a user names with -o is followed. Links below the default output folder may have come
    with a pack.
    """
    folders = [output.joinpath(*below[:depth]) for depth in range(len(below) + 1)]
    for path in folders if str(output) == OUTPUT else folders[1:]:
        if path.is_symlink():
            fail(
                None,
                f"{path} is a link",
                "a folder of our own",
                "name the folder that it leads to: -o FOLDER",
            )
    return folders[-1]


def keep_reportlab_out_of_home() -> None:
    """Keep ReportLab from importing modules of the home folder, and from failing if there is no such folder."""
    for name in ("reportlab_mods", "reportlab_settings"):
        sys.modules.setdefault(name, ModuleType(name))


OUTPUT = "output"
"""The default output folder, below the working folder."""

_PACKAGE = Path(__file__).resolve().parent.parent


def bundled_folder(name: str) -> Path:
    """Return the folder `templates`, `fonts` or `docs`: of the wheel, or of the checkout."""
    inside = _PACKAGE / "bundled" / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def display(path: Path) -> str:
    """Return a path for a message: relative to the working folder if it lies below that folder."""
    try:
        if Path.cwd() == Path(Path.cwd().anchor):
            return path.absolute().as_posix()
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except (ValueError, OSError, RuntimeError):
        return path.as_posix()
