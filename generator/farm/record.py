"""Results of jobs: the files in the store with their digests, or the problems found."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from generator.farm.store import Store, check_name

RECORDS = "records"
"""The folder of the store with a record for each finished job."""


@dataclass(frozen=True)
class StoredFile:
    """A file in the store: its name, the copy it belongs to (if it has its own), its pages, and its digest."""

    name: str
    copy: str
    pages: int
    digest: str


@dataclass(frozen=True)
class JobResult:
    """The result of a job: its files or its problems, and the CPU seconds it took.

    `is_fresh` is False if the files were already in the store.
    """

    job: str
    files: tuple[StoredFile, ...] = ()
    problems: tuple[str, ...] = ()
    seconds: float = 0.0
    is_fresh: bool = True

    def to_json(self) -> bytes:
        """Return the result as JSON, for another process or the store."""
        rows = [[file.name, file.copy, file.pages, file.digest] for file in self.files]
        return json.dumps(
            {"job": self.job, "files": rows, "problems": self.problems, "seconds": self.seconds}
        ).encode()


class _Record(BaseModel):
    """The JSON form of a result; each row is a file's name, copy, pages and digest."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
    job: str
    files: list[tuple[str, str, int, str]]
    problems: list[str]
    seconds: float


def parse_result(data: bytes) -> JobResult:
    """Read a result from JSON; raise `ValueError` for data that pnp did not write."""
    record = _Record.model_validate_json(data)
    files = tuple(
        StoredFile(check_name(name), copy, pages, digest)
        for name, copy, pages, digest in record.files
    )
    return JobResult(record.job, files, tuple(record.problems), record.seconds)


def find_stored_result(key: str, store: Store) -> JobResult | None:
    """Return the stored result of the job with a key.

    None if its files in the store are missing or changed.
    """
    record = store.get(_record_name(key))
    if record is None:
        return None
    try:
        result = parse_result(record)
    except ValueError:  # pydantic's errors, and names that lead out of the store
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
