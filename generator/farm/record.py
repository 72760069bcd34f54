"""What became of a job: its files with their digests, as they lie in the store, or what is wrong."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from generator.farm.store import Store, plain

RECORDS = "records"
"""The folder of the store with a record of every job that is done."""


@dataclass(frozen=True)
class DoneFile:
    """A file: its name in the store, whose copy it is (if it is one's own), its pages, and its digest."""

    name: str
    copy: str
    pages: int
    digest: str


@dataclass(frozen=True)
class DoneJob:
    """What became of a job: its files, or what is wrong; seconds of CPU that it took; `fresh` if it was made now."""

    job: str
    files: tuple[DoneFile, ...] = ()
    problems: tuple[str, ...] = ()
    seconds: float = 0.0
    fresh: bool = True

    def packed(self) -> bytes:
        """As it goes from one process to another, and into the store."""
        rows = [[file.name, file.copy, file.pages, file.digest] for file in self.files]
        return json.dumps({"job": self.job, "files": rows, "problems": self.problems, "seconds": self.seconds}).encode()


class _Record(BaseModel):
    """A record as it is written, with a row for each file: its name, whose copy it is, its pages, its digest."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
    job: str
    files: list[tuple[str, str, int, str]]
    problems: list[str]
    seconds: float


def unpacked(data: bytes) -> DoneJob:
    """Read a record; raise `ValueError` if it is not one that we wrote."""
    record = _Record.model_validate_json(data)
    files = tuple(DoneFile(plain(name), copy, pages, digest) for name, copy, pages, digest in record.files)
    return DoneJob(record.job, files, tuple(record.problems), record.seconds)


def done_before(key: str, store: Store) -> DoneJob | None:
    """Return the result of the job with a key, if its record is ours and its files in the store are unchanged."""
    record = store.get(_record(key))
    if record is None:
        return None
    try:
        found = unpacked(record)
    except ValueError:  # also pydantic's, and those of names that lead out of the store
        return None
    if not all(_is_there(file, store.get) for file in found.files):
        return None
    return replace(found, fresh=False)


def _is_there(file: DoneFile, get: Callable[[str], bytes | None]) -> bool:
    data = get(file.name)
    return data is not None and sha256(data).hexdigest() == file.digest


def delivered(done: DoneJob, key: str, folder: Path, store: Store) -> None:
    """Put the files of a job into the store, and where nothing is wrong its record, last."""
    for file in done.files:
        store.put(file.name, (folder / file.name).read_bytes())
    if not done.problems:
        store.put(_record(key), replace(done, seconds=0.0).packed())


def _record(key: str) -> str:
    return f"{RECORDS}/{key}.json"
