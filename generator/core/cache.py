"""What was made before, by the digest of all that went into it: faces, pages, pictures, what a check found.

One file in the user's cache folder, safe with several builds at once. Every entry carries its own digest: one that was
cut or tampered with is noticed, said and made again. Nothing here is needed: without room, or where the disk cannot be
written to, a build makes everything itself and says that nothing is kept.
"""

import os
import pickle
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path, PosixPath, WindowsPath
from types import TracebackType
from typing import Any, Protocol, Self

VARIABLE = "PNP_CACHE"
"""The environment variable that names another folder."""
FILE = "made-1.db"
LIMIT = 500_000_000
"""Bytes of all entries; beyond it the ones go that were not used for longest."""
LARGEST = LIMIT // 8
"""Bytes of one entry."""
HELD = 16_000_000
"""Bytes that wait to be written together."""
WAIT = 5.0
"""Seconds for which another build may hold the file."""
FRESH = 3600
"""Seconds within which an entry that is used again is not marked as used again."""

_TABLES = """
PRAGMA auto_vacuum = INCREMENTAL;
CREATE TABLE IF NOT EXISTS made (
    kind TEXT, key TEXT, used INTEGER, size INTEGER, digest BLOB, data BLOB, PRIMARY KEY (kind, key)
) WITHOUT ROWID;
"""


class Kept(Protocol):
    """Where stages look for what they made before, and put what they made."""

    def get(self, kind: str, key: str) -> bytes | None:
        """What was made of this kind with this key, if it is there and whole."""
        ...

    def put(self, kind: str, key: str, data: bytes) -> None:
        """Keep it for the next time."""
        ...


class NothingKept:
    """Keeps nothing: everything is made anew."""

    def get(self, kind: str, key: str) -> bytes | None:  # noqa: ARG002 - as `Kept` has it
        """Nothing."""
        return None

    def put(self, kind: str, key: str, data: bytes) -> None:
        """Forget it."""


NOTHING_KEPT = NothingKept()


def folder() -> Path:
    """Where the cache is: what the variable names, or the platform's folder for such things."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "pnp"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "pnp" / "Cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pnp"


@dataclass
class Cache:
    """The cache of one job, in a folder; `faults` is what to tell of it. What is put is there for others at the end."""

    folder: Path
    limit: int = LIMIT
    faults: list[str] = field(default_factory=list)
    _file: sqlite3.Connection | None = None
    _new: dict[tuple[str, str], bytes] = field(default_factory=dict)
    _held: int = 0
    _used: list[tuple[str, str]] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._guarded(self._open)
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self.close()

    def get(self, kind: str, key: str) -> bytes | None:
        """What was made before; nothing where it is not there, or not what it was."""
        if (kind, key) in self._new:
            return self._new[kind, key]
        row = self._guarded(lambda file: _row(file, kind, key))
        if row is None:
            return None
        used, digest, data = row
        if not isinstance(data, bytes) or digest != _digest(kind, key, data):
            self._damaged()
            return None
        if time.time() - used > FRESH:
            self._used.append((kind, key))
        return data

    def put(self, kind: str, key: str, data: bytes) -> None:
        """Keep it, unless it is larger than what is worth keeping."""
        if self._file is not None and len(data) <= min(LARGEST, self.limit):
            self._new[kind, key] = data
            self._held += len(data)
            if self._held > HELD:
                self._guarded(self._write)

    def close(self) -> None:
        """Write what waits, let the oldest go where it is too much, and let go of the file."""
        self._guarded(self._write)
        if self._file is not None:
            self._file.close()
            self._file = None

    def sizes(self) -> dict[str, tuple[int, int]]:
        """How many entries there are of each kind, and their bytes."""
        asked = "SELECT kind, COUNT(*), SUM(size) FROM made GROUP BY kind ORDER BY kind"
        rows = self._guarded(lambda file: file.execute(asked).fetchall()) or []
        return {kind: (count, size) for kind, count, size in rows}

    def _open(self, _: object = None) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # it is used in one thread at a time, not always the one that opened it
        file = sqlite3.connect(self.folder / FILE, timeout=WAIT, isolation_level=None, check_same_thread=False)
        self._file = file
        file.execute("PRAGMA synchronous = OFF")
        if not file.execute("SELECT 1 FROM sqlite_master WHERE name = 'made'").fetchone():
            (self.folder / FILE).chmod(0o600)
            file.executescript(_TABLES)

    def _write(self, file: sqlite3.Connection) -> None:
        new, self._new, self._held = self._new, {}, 0
        used, self._used = self._used, []
        if not new and not used:
            return
        now = int(time.time())
        rows = ((*at, now, len(data), _digest(*at, data), data) for at, data in new.items())
        with suppress(sqlite3.Error), _Whole(file):
            file.executemany("UPDATE made SET used = ? WHERE kind = ? AND key = ?", ((now, *at) for at in used))
        if new:
            with _Whole(file):
                file.executemany("INSERT OR REPLACE INTO made VALUES (?, ?, ?, ?, ?, ?)", rows)
                self._make_room(file)

    def _make_room(self, file: sqlite3.Connection) -> None:
        """Drop what was not used for longest, until a fifth of the room is free again."""
        (total,) = file.execute("SELECT COALESCE(SUM(size), 0) FROM made").fetchone()
        if total <= self.limit:
            return
        oldest = file.execute("SELECT kind, key, size FROM made ORDER BY used, size DESC").fetchall()
        for kind, key, size in oldest:
            if total <= self.limit * 4 // 5:
                break
            file.execute("DELETE FROM made WHERE kind = ? AND key = ?", (kind, key))
            total -= size
        file.execute("PRAGMA incremental_vacuum").fetchall()

    def _guarded(self, do: "Callable[[Any], Any]") -> Any:
        """What the file says; one that is damaged is begun anew, and one that cannot be used is done without."""
        if self._file is None and do != self._open:
            return None
        try:
            return do(self._file)
        except sqlite3.OperationalError as error:
            self._give_up(str(error))
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            self._damaged()
            self._begin_anew()
        except (OSError, RuntimeError) as error:
            self._give_up(getattr(error, "strerror", None) or str(error))
        return None

    def _damaged(self) -> None:
        said = f"what was kept in {self.folder} is damaged; it is made again"
        if said not in self.faults:
            self.faults.append(said)

    def _give_up(self, why: str) -> None:
        self.faults.append(f"nothing is kept for the next time: {self.folder}: {why}")
        self._forget()

    def _begin_anew(self) -> None:
        self._forget()
        with suppress(OSError, RuntimeError, sqlite3.Error):
            (self.folder / FILE).unlink(missing_ok=True)
            self._open()

    def _forget(self) -> None:
        file, self._file, self._new = self._file, None, {}
        if file is not None:
            with suppress(sqlite3.Error):
                file.close()


def clear(place: Path) -> int:
    """Remove the cache in a folder; gives the bytes that it took."""
    size = 0
    for path in (place / FILE, place / f"{FILE}-journal"):
        if path.is_file():
            size += path.stat().st_size
            path.unlink()
    return size


@dataclass(frozen=True)
class _Whole:
    """All of what is written to a file, or nothing of it."""

    file: sqlite3.Connection

    def __enter__(self) -> None:
        self.file.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, _: object, __: object) -> None:
        if kind is None:
            self.file.execute("COMMIT")
        elif self.file.in_transaction:
            self.file.execute("ROLLBACK")


def _row(file: sqlite3.Connection, kind: str, key: str) -> tuple[int, bytes, bytes] | None:
    found: tuple[int, bytes, bytes] | None = file.execute(
        "SELECT CAST(used AS INT), CAST(digest AS BLOB), CAST(data AS BLOB) FROM made WHERE kind = ? AND key = ?",
        (kind, key),
    ).fetchone()
    return found


def _digest(kind: str, key: str, data: bytes) -> bytes:
    return sha256(b"\0".join((kind.encode(), key.encode(), data))).digest()


def key_of(*told: object) -> str:
    """The key of what is made of some plain values by this program."""
    return sha256(repr((program(), *told)).encode()).hexdigest()[:40]


@cache
def program() -> str:
    """The digest of the program itself: all of its own files, and which engines it works with."""
    root = Path(__file__).parents[1]
    told = sha256()
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(name for name in inner if name != "__pycache__")
        for name in sorted(names):
            with open(os.path.join(folder, name), "rb", buffering=0) as file:  # noqa: PTH118, PTH123 - hundreds of them
                told.update(f"{folder[len(str(root)) :]}/{name}\0".encode() + sha256(file.read()).digest())
    for name in ("typst", "resvg"):
        found = find_spec(name)
        places = list(found.submodule_search_locations or ()) if found else []
        beside = (path.name for place in places for path in Path(place).parent.glob("*.dist-info"))
        told.update("\n".join(sorted(beside)).encode())
    told.update(sys.version.encode())
    return told.hexdigest()[:40]


_PATHS = {(kind.__module__, kind.__name__) for kind in (PosixPath, WindowsPath)}
"""Where they are defined is another module in Python 3.13."""


class _Values(pickle.Unpickler):
    """Reads values of the program's own types and paths, and nothing that could do anything else."""

    def find_class(self, module: str, name: str) -> Any:
        """One of our types."""
        if "." not in name and (module.startswith("generator.") or (module, name) in _PATHS):
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no value of ours")


def packed(value: object) -> bytes:
    """A frozen value of ours as bytes."""
    return pickle.dumps(value, protocol=5)


def unpacked(data: bytes) -> Any:
    """The value again; what is none of ours is not read."""
    return _Values(BytesIO(data)).load()
