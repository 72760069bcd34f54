"""Stores for the files of a farm: a folder, or objects at an address (`s3://…`, `gs://…`, `az://…`).

A store also has the result of each job: its files with their digests, or the problems found.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from secrets import token_hex
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from generator.base.errors import InvalidValueError, Kind

# A request is repeated after 0.2, 0.4, … 3.2 seconds: 6 s in all, enough for the short failures
# that object stores report under load (HTTP 429 and 503).
MAX_ATTEMPTS = 6
FIRST_PAUSE_SECONDS = 0.2

# The largest pack that is read from a store, so that a wrong address does not fill the disk.
MAX_PACK_BYTES = 1_000_000_000

# Characters of a store's error message that are printed: some stores answer with a whole XML
# document.
MAX_ERROR_CHARACTERS = 300

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class FolderStore:
    """A store in a folder, of this machine or shared by several.

    Writing a file again replaces it; a file is never half written.
    """

    folder: Path

    def get(self, name: str) -> bytes | None:
        """Return a file's contents; None if it does not exist."""
        path = self._path(name)
        return path.read_bytes() if path.is_file() else None

    def put(self, name: str, data: bytes) -> None:
        """Write a file to a temporary name in the same folder, then rename it."""
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name[:100]}.{token_hex(6)}.part")
        try:
            temporary.write_bytes(data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def names(self, under: str) -> Iterator[str]:
        """Yield the names of all files below a folder, sorted.

        Hidden and temporary files are left out.
        """
        for at, folders, files in os.walk(self._path(under)):
            folders.sort()
            yield from (
                Path(at, name).relative_to(self.folder).as_posix()
                for name in sorted(files)
                if name[0] != "."
            )

    def _path(self, name: str) -> Path:
        return self.folder / check_name(name)


@dataclass(frozen=True)
class ObjectStore:
    """An object store opened by obstore; failed requests are repeated."""

    address: str

    @cached_property
    def _store(self) -> Any:
        from obstore.store import from_url

        try:
            return from_url(self.address, retry_config={"max_retries": 2})
        except Exception as error:  # noqa: BLE001 - each kind of store has errors of its own
            raise self._store_error(error) from None

    def get(self, name: str) -> bytes | None:
        """Return an object's contents; None if it does not exist."""
        return self._retry(lambda: self._get(check_name(name)))

    def _get(self, name: str) -> bytes | None:
        try:
            return bytes(self._store.get(name).bytes())
        except FileNotFoundError:
            return None

    def put(self, name: str, data: bytes) -> None:
        """Write an object."""
        self._retry(lambda: self._store.put(check_name(name), data))

    def names(self, under: str) -> Iterator[str]:
        """Yield the names of all objects below a name."""
        where = check_name(under) if under else None
        yield from self._retry(
            lambda: [entry["path"] for batch in self._store.list(where) for entry in batch]
        )

    def _retry(self, ask: Callable[[], Answer]) -> Answer:
        """Repeat a request until it succeeds.

        Raise `InvalidValueError` after the last attempt or if access is denied.
        """
        from obstore.exceptions import PermissionDeniedError, UnauthenticatedError

        for attempt in range(MAX_ATTEMPTS):
            try:
                return ask()
            except InvalidValueError:
                raise
            except Exception as error:  # noqa: BLE001 - each store has errors of its own
                if attempt == MAX_ATTEMPTS - 1 or isinstance(
                    error, PermissionDeniedError | UnauthenticatedError
                ):
                    raise self._store_error(error) from None
            time.sleep(FIRST_PAUSE_SECONDS * 2**attempt)
        raise AssertionError("the last attempt raises")

    def _store_error(self, error: Exception) -> InvalidValueError:
        """Return the error for a failed request, with the first line of the store's message."""
        message = str(error).partition("\n")[0][:MAX_ERROR_CHARACTERS]
        expected = "a store that this machine can reach and write to"
        return InvalidValueError(
            f"the store {self.address}: {message}", expected, kind=Kind.MISSING
        )


Store = FolderStore | ObjectStore


def open_store(address: str) -> Store:
    """Return the store at an address; without a scheme, a folder.

    Raise `InvalidValueError` if the extra `farm` is needed and not installed.
    """
    if "://" not in address:
        return FolderStore(Path(address).absolute())
    if find_spec("obstore") is None:
        expected = "pnp installed with its extra `farm`, or a folder"
        raise InvalidValueError(
            f"{address} cannot be opened: obstore is not installed", expected, kind=Kind.MISSING
        )
    return ObjectStore(address)


def check_name(name: str) -> str:
    """Return a name in normal form; raise `InvalidValueError` if it leads out of the store."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
        raise InvalidValueError(
            f"{name!r} is not a valid file name", "a name below the store, without `..`"
        )
    return path.as_posix()


def fetch_pack(store: Store, pack: str, folder: Path) -> Path:
    """Copy a pack from a store into a folder and return the pack's folder.

    Raise `InvalidValueError` if the pack is missing or larger than 1,000 MB.
    """
    size = 0
    for name in store.names(pack):
        below = PurePosixPath(name).relative_to(check_name(pack))
        data = store.get(name) or b""
        size += len(data)
        if size > MAX_PACK_BYTES:
            raise InvalidValueError(
                f"{pack} is larger than {MAX_PACK_BYTES // 1_000_000} MB", "a smaller pack"
            )
        path = folder / PurePosixPath(pack).name / check_name(below.as_posix())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    if not size:
        raise InvalidValueError(
            f"there is no pack {pack} in the store", "a folder with a game.yaml", kind=Kind.MISSING
        )
    return folder / PurePosixPath(pack).name


RECORDS = "records"
"""The folder of the store with a record for each finished job."""


_CONFIG = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


@dataclass(frozen=True, config=_CONFIG)
class StoredFile:
    """A file in the store: its name, the copy it belongs to (if it has its own), its pages, and its digest."""

    name: Annotated[str, AfterValidator(check_name)]
    copy: str
    pages: int
    digest: str


@dataclass(frozen=True, config=_CONFIG)
class JobResult:
    """The result of a job: its files or its problems, and the CPU seconds it took.

    `is_fresh` is False if the files were already in the store.
    """

    job: str
    files: tuple[StoredFile, ...]
    problems: tuple[str, ...]
    seconds: float = 0.0
    is_fresh: bool = True

    def to_json(self) -> bytes:
        """Return the result as JSON, for another process or the store."""
        return _RESULT.dump_json(self)


_RESULT = TypeAdapter(JobResult)


def parse_result(data: bytes) -> JobResult:
    """Read a result from JSON; raise `InvalidValueError` for data that pnp did not write."""
    try:
        return _RESULT.validate_json(data)
    except ValidationError as error:
        reason = error.errors()[0]["msg"]
        raise InvalidValueError(
            f"the result of a job cannot be read: {reason}", "a result that pnp wrote"
        ) from error


def find_stored_result(key: str, store: Store) -> JobResult | None:
    """Return the stored result of the job with a key.

    None if its files in the store are missing or changed.
    """
    record = store.get(_record_name(key))
    if record is None:
        return None
    try:
        result = parse_result(record)
    except InvalidValueError:
        return None
    if not all(_is_unchanged(file, store.get) for file in result.files):
        return None
    return replace(result, is_fresh=False)


def _is_unchanged(file: StoredFile, get: Callable[[str], bytes | None]) -> bool:
    """Return True if a file is in the store, with the same digest."""
    data = get(file.name)
    return data is not None and sha256(data).hexdigest() == file.digest


def deliver(result: JobResult, key: str, folder: Path, store: Store) -> None:
    """Store the files of a job and, if it has no problems, its record.

    The record comes last: it proves that all files are there.
    """
    for file in result.files:
        store.put(file.name, (folder / file.name).read_bytes())
    if not result.problems:
        store.put(_record_name(key), replace(result, seconds=0.0).to_json())


def _record_name(key: str) -> str:
    """Return the name of a job's record in the store."""
    return f"{RECORDS}/{key}.json"
