"""The disk cache of faces, pages, pictures and findings of checks, by fingerprints of their inputs.

One SQLite file in the user's cache folder, safe with several builds at once. Only its owner may
write to the folder, and every entry carries an HMAC whose key lies elsewhere: an entry that this
user's pnp did not write is not used. Entries are JSON or the bytes of files, such as PDF pages and
PNGs; reading one runs no code. The cache is optional: without it, a build makes everything itself
and says why.
"""

import hmac
import json
import os
import sqlite3
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from secrets import token_bytes
from types import MappingProxyType, TracebackType
from typing import Any, Protocol, Self

from generator.base.errors import InvalidValueError
from generator.base.settings import no_home_error, settings_folder

ENGINES = (
    "brotli",
    "cssselect2",
    "ezdxf",
    "fonttools",
    "markdown-it-py",
    "openpyxl",
    "pikepdf",
    "pillow",
    "pydantic",
    "pypdfium2",
    "pyphen",
    "python-calamine",
    "pyyaml",
    "reportlab",
    "resvg",
    "svgwrite",
    "tinycss2",
    "typst",
    "uharfbuzz",
)
"""The libraries whose versions can change the output of pnp, by their names on the package index.

A test compares them with the dependencies of pyproject.toml.
"""


@cache
def engine_versions() -> Mapping[str, str]:
    """Return the installed version of each engine; "" for one of an extra that is not installed."""
    return MappingProxyType({name: _version(name) for name in ENGINES})


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


CACHE_VARIABLE = "PNP_CACHE"
"""The environment variable that names another folder."""
DATABASE_FILE = "made-2.db"
"""The database; a release whose table differs has another number, and `clear` removes them all."""
KEY_FILE = "cache.key"
"""The file in the settings folder with the key that signs entries."""
KEY_BYTES = 32
"""As long as the HMAC's hash, SHA-256 (RFC 2104, section 3)."""
UNUSED = "the cache is not used"
"""The beginning of the note that says why nothing is cached."""
MAX_CACHE_BYTES = 500_000_000
"""Size limit of all entries; beyond it, those that were not used for longest are dropped."""
MAX_ENTRY_BYTES = MAX_CACHE_BYTES // 8
"""Size limit of one entry, so that no single entry displaces most of the others."""
ROW_BYTES = 10_000
"""Bytes allowed for a row besides its data; its names and its HMAC take some hundred."""
MAX_PENDING_BYTES = 4_000_000
"""Size of the entries that wait in memory until they are written together.

16 MB saved no time, and needed 40 MB more for 6,000 designs.
"""
LOCK_SECONDS = 5.0
"""Seconds for which another build may hold the file."""
REFRESH_SECONDS = 3600
"""Age of an entry's time of use from which a further use is written to the file."""

# A table with rowids: in one WITHOUT ROWID, SQLite reads whole entries to compare their keys.
_TABLE = """CREATE TABLE made (
    kind TEXT, key TEXT, used INTEGER, size INTEGER, hmac BLOB, data BLOB, PRIMARY KEY (kind, key)
)"""


Row = tuple[int, bytes | None, bytes | None]
"""When an entry was last used, its HMAC and its data."""


class CacheStore(Protocol):
    """A cache, as the stages use it."""

    def get(self, kind: str, key: str) -> bytes | None:
        """Return the entry of a kind and key; None if it is missing or damaged."""
        ...

    def put(self, kind: str, key: str, data: bytes) -> None:
        """Store an entry."""
        ...


def cache_folder() -> Path:
    """Return the cache folder: the one that PNP_CACHE names, or the platform's own.

    Raise `InvalidValueError` if this user has no home folder.
    """
    if named := os.environ.get(CACHE_VARIABLE):
        return Path(named)
    try:
        home = Path.home()
    except RuntimeError:  # no HOME, and no entry of the user in the system's list
        raise no_home_error(CACHE_VARIABLE) from None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "pnp"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "pnp" / "Cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "pnp"


def user_key() -> bytes:
    """Return the key that signs this user's entries; create its file on first use.

    Raise `InvalidValueError` if there is no home folder, other users may read the file, or it holds
    no key.
    """
    path = settings_folder() / KEY_FILE
    if not path.exists():
        _create_key(path)
    _check_private(path, stat.S_IRWXG | stat.S_IRWXO, "read or changed")
    key = path.read_bytes() if path.is_file() and path.stat().st_size == KEY_BYTES else b""
    if not key:
        raise InvalidValueError(f"{path} holds no key; remove it, and pnp makes a new one")
    return key


def _create_key(path: Path) -> None:
    """Create a key file atomically; of several pnp at once, the first one wins."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{KEY_FILE}-", dir=path.parent)  # mode 0600
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(token_bytes(KEY_BYTES))
        try:
            # Unlike a rename, a link does not replace a key that another pnp has just created.
            os.link(beside, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links, such as FAT
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _check_private(path: Path, forbidden: int, consequence: str) -> None:
    """Raise `InvalidValueError` if a path belongs to another user, or its mode has any of the forbidden bits."""
    if sys.platform == "win32":  # modes say nothing there; a user's profile is private anyway
        return
    status = path.stat()
    if status.st_uid != os.geteuid():
        raise InvalidValueError(
            f"{path} belongs to another user; remove it, or name another folder with {CACHE_VARIABLE}"
        )
    if status.st_mode & forbidden:
        raise InvalidValueError(
            f"{path} can be {consequence} by other users; run: chmod go-rwx {path}"
        )


@dataclass(eq=False)
class Cache:
    """The cache of one job, in a folder; entries are visible to other jobs once it is closed.

    It stores nothing unless it is opened by a `with` block.

    `key` signs the entries; empty means the user's own. `faults` has a sentence for each thing that
    went wrong.
    """

    folder: Path
    limit: int = MAX_CACHE_BYTES
    key: bytes = b""
    faults: list[str] = field(default_factory=list)
    _file: sqlite3.Connection | None = None
    _new: dict[tuple[str, str], bytes] = field(default_factory=dict)
    _pending_bytes: int = 0
    _used: list[tuple[str, str]] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._with_recovery(self._open)
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self.close()

    def get(self, kind: str, key: str) -> bytes | None:
        """Return an entry; None if it is missing, or not as this user's pnp wrote it."""
        if (kind, key) in self._new:
            return self._new[kind, key]
        row: Row | None = self._with_recovery(lambda file: _row(file, kind, key))
        if row is None:
            return None
        used, signature, data = row
        if data is None or not hmac.compare_digest(signature or b"", self._sign(kind, key, data)):
            self._note_damage()
            return None
        if time.time() - used > REFRESH_SECONDS:
            self._used.append((kind, key))
        return data

    def put(self, kind: str, key: str, data: bytes) -> None:
        """Store an entry, unless it is too large to be worth it."""
        if self._file is not None and len(data) <= min(MAX_ENTRY_BYTES, self.limit):
            self._new[kind, key] = data
            self._pending_bytes += len(data)
            if self._pending_bytes > MAX_PENDING_BYTES:
                self._with_recovery(self._write)

    def close(self) -> None:
        """Write the waiting entries, drop the oldest beyond the limit, and close the file."""
        self._with_recovery(self._write)
        if self._file is not None:
            self._file.close()
            self._file = None

    def sizes(self) -> dict[str, tuple[int, int]]:
        """Return the number of entries of each kind, and their bytes."""
        query = "SELECT CAST(kind AS TEXT), COUNT(*), SUM(CAST(size AS INTEGER)) FROM made GROUP BY kind ORDER BY kind"
        rows = self._with_recovery(lambda file: file.execute(query).fetchall()) or []
        return {kind: (count, size) for kind, count, size in rows}

    def _open(self, _: object = None) -> None:
        """Open the database.

        Raise `InvalidValueError` if other users may write to it, or may know the key.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_private(self.folder, stat.S_IWGRP | stat.S_IWOTH, "changed")
        if (self.folder / DATABASE_FILE).exists():
            _check_private(self.folder / DATABASE_FILE, stat.S_IWGRP | stat.S_IWOTH, "changed")
        self.key = self.key or user_key()
        # IMMEDIATE: a transaction waits for the file when it begins, not at its first change.
        # It is used in one thread at a time, not always the one that opened it.
        file = sqlite3.connect(
            self.folder / DATABASE_FILE,
            timeout=LOCK_SECONDS,
            isolation_level="IMMEDIATE",
            check_same_thread=False,
        )
        self._file = file
        # no row or value that is longer is read, wherever in the file it stands
        file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ENTRY_BYTES + ROW_BYTES)
        file.execute("PRAGMA trusted_schema = OFF")
        file.execute("PRAGMA synchronous = OFF")
        tables = file.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        if not tables:
            (self.folder / DATABASE_FILE).chmod(0o600)
            file.execute("PRAGMA auto_vacuum = INCREMENTAL")
            with suppress(sqlite3.OperationalError):  # another pnp has created the table meanwhile
                file.execute(_TABLE)
        elif tables != [(_TABLE,)]:  # also views and triggers, which could do anything
            raise sqlite3.DatabaseError("these are not the tables of a cache")

    def _write(self, file: sqlite3.Connection) -> None:
        """Write the waiting entries, and when others were last used; each all together or not at all."""
        new = self._new
        used = self._used
        self._new = {}
        self._used = []
        self._pending_bytes = 0
        if not new and not used:
            return
        now = int(time.time())
        rows = ((*at, now, len(data), self._sign(*at, data), data) for at, data in new.items())
        with suppress(sqlite3.Error), file:
            file.executemany(
                "UPDATE made SET used = ? WHERE kind = ? AND key = ?", ((now, *at) for at in used)
            )
        if new:
            with file:
                file.executemany("INSERT OR REPLACE INTO made VALUES (?, ?, ?, ?, ?, ?)", rows)
                self._drop_oldest(file)

    def _drop_oldest(self, file: sqlite3.Connection) -> None:
        """Drop the least recently used entries until a fifth of the limit is free."""
        (total,) = file.execute(
            "SELECT COALESCE(SUM(CAST(size AS INTEGER)), 0) FROM made"
        ).fetchone()
        if total <= self.limit:
            return
        oldest = file.execute(
            "SELECT rowid, CAST(size AS INTEGER) FROM made ORDER BY used, size DESC"
        ).fetchall()
        for row, size in oldest:
            if total <= self.limit * 4 // 5:
                break
            file.execute("DELETE FROM made WHERE rowid = ?", (row,))
            total -= size
        file.execute("PRAGMA incremental_vacuum").fetchall()

    def _sign(self, kind: str, key: str, data: bytes) -> bytes:
        """Return the HMAC of an entry."""
        signature = hmac.new(self.key, f"{kind}\0{key}\0".encode(), "sha256")
        signature.update(data)
        return signature.digest()

    def _with_recovery(self, do: "Callable[[Any], Any]") -> Any:
        """Return the result of `do`.

        Recreate a damaged file, and go on without a file that cannot be used.
        """
        if self._file is None and do != self._open:
            return None
        try:
            return do(self._file)
        except sqlite3.OperationalError as error:
            self._give_up(f"{self.folder}: {error}")
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            self._note_damage()
            self._begin_anew()
        except OSError as error:
            self._give_up(f"{error.filename or self.folder}: {error.strerror or error}")
        except InvalidValueError as error:
            self._give_up(str(error))
        return None

    def _note_damage(self) -> None:
        """Note that an entry is not as this user's pnp wrote it: changed, cut, or signed with another key."""
        fault = f"the cache in {self.folder} was damaged or changed; missing entries are made again"
        if fault not in self.faults:
            self.faults.append(fault)

    def _give_up(self, why: str) -> None:
        self.faults.append(f"{UNUSED}: {why}")
        self._forget()

    def _begin_anew(self) -> None:
        self._forget()
        with suppress(OSError, sqlite3.Error):
            clear_cache(self.folder)
            self._open()

    def _forget(self) -> None:
        file = self._file
        self._file = None
        self._new = {}
        if file is not None:
            with suppress(sqlite3.Error):
                file.close()


NO_CACHE = Cache(Path())
"""A cache that is never opened, and so stores nothing."""


def clear_cache(place: Path) -> int:
    """Remove the cache in a folder, also that of an older version; return its size in bytes."""
    size = 0
    for path in place.glob("made-*.db*"):
        if path.is_file():
            size += path.stat().st_size
            path.unlink()
    return size


def _row(file: sqlite3.Connection, kind: str, key: str) -> Row | None:
    """Return when an entry was last used, its signature and its data.

    Both are None where they have another type or length than we write; SQLite then does not read
    them.
    """
    row: Row | None = file.execute(
        "SELECT CAST(used AS INT), "
        "CASE WHEN typeof(hmac) = 'blob' AND length(hmac) = 32 THEN hmac END, "
        "CASE WHEN typeof(data) = 'blob' AND length(data) <= ? THEN data END "
        "FROM made WHERE kind = ? AND key = ?",
        (MAX_ENTRY_BYTES, kind, key),
    ).fetchone()
    return row


def get_json(cache: CacheStore, kind: str, key: str) -> Any:
    """Return the value of an entry that holds JSON.

    None if it is missing or holds anything else.
    """
    data = cache.get(kind, key)
    try:
        return None if data is None else json.loads(data)
    except (ValueError, RecursionError):  # a UnicodeDecodeError is a ValueError
        return None


def put_json(cache: CacheStore, kind: str, key: str, value: object) -> None:
    """Store a value of lists, dicts, strings and numbers as JSON."""
    cache.put(kind, key, json.dumps(value).encode())


def key_of(*inputs: object) -> str:
    """Return the key of the result that this version of the program makes from some plain values."""
    return sha256(repr((program_digest(), *inputs)).encode()).hexdigest()[:40]


@cache
def program_digest() -> str:
    """Return a digest of the program: its own files, the versions of its engines, and Python's."""
    root = Path(__file__).parents[1]
    digest = sha256()
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(name for name in inner if name != "__pycache__")
        for name in sorted(names):
            with open(os.path.join(folder, name), "rb", buffering=0) as file:  # noqa: PTH118, PTH123 - hundreds of them
                digest.update(
                    f"{folder[len(str(root)) :]}/{name}\0".encode() + sha256(file.read()).digest()
                )
    digest.update(repr(sorted(engine_versions().items())).encode())
    digest.update(sys.version.encode())
    return digest.hexdigest()[:40]
