"""What became of a job: its files with their digests, as they lie in the store, or what is wrong."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from generator.farm.store import Store

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


def unpacked(data: bytes) -> DoneJob:
    """The same again."""
    told = json.loads(data)
    files = tuple(DoneFile(*row) for row in told["files"])
    return DoneJob(told["job"], files, tuple(told["problems"]), told["seconds"])


def done_before(key: str, store: Store) -> DoneJob | None:
    """What a store has of the job with a key, if all of it is there and is what it was."""
    record = store.get(_record(key))
    if record is None:
        return None
    try:
        found = unpacked(record)
    except (ValueError, KeyError, TypeError):
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
