"""Where a farm's files go: a folder, or objects in a store by address (`s3://…`, `gs://…`, `az://…`)."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from secrets import token_hex
from typing import Any, Protocol, TypeVar

from generator.core.problems import Kind, Wrong

TRIES, PAUSE = 6, 0.2
"""How often something is asked of a store that fails, and seconds before the second time; twice as long each time."""
LARGEST = 1_000_000_000
"""Bytes of a pack that is read from a store."""

LONGEST = 300
"""Characters of what a store says of a failure."""

Answer = TypeVar("Answer")


class Store(Protocol):
    """Files by names with slashes. What is put is there whole or not at all, and may be put again."""

    def get(self, name: str) -> bytes | None:
        """A file, if it is there."""
        ...

    def put(self, name: str, data: bytes) -> None:
        """Put a file there."""
        ...

    def names(self, under: str) -> Iterator[str]:
        """The names of all files below a name."""
        ...


@dataclass(frozen=True)
class FolderStore:
    """A folder of this machine, or one that several machines share."""

    folder: Path

    def get(self, name: str) -> bytes | None:
        """A file, if it is there."""
        path = self._path(name)
        return path.read_bytes() if path.is_file() else None

    def put(self, name: str, data: bytes) -> None:
        """Put a file there: beside its place first."""
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name[:100]}.{token_hex(6)}.part")
        try:
            beside.write_bytes(data)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)

    def names(self, under: str) -> Iterator[str]:
        """The names of all files below a name, in order."""
        for at, folders, files in os.walk(self._path(under)):
            folders.sort()
            yield from (Path(at, name).relative_to(self.folder).as_posix() for name in sorted(files) if name[0] != ".")

    def _path(self, name: str) -> Path:
        return self.folder / plain(name)


@dataclass(frozen=True)
class ObjectStore:
    """A store by its address, as obstore knows it; what fails for a while is asked again."""

    address: str

    @cached_property
    def _store(self) -> Any:
        from obstore.store import from_url

        try:
            return from_url(self.address, retry_config={"max_retries": 2})
        except Exception as error:  # noqa: BLE001 - each kind of store has errors of its own
            raise self._refusal(error) from None

    def get(self, name: str) -> bytes | None:
        """A file, if it is there."""
        return self._patiently(lambda: self._get(plain(name)))

    def _get(self, name: str) -> bytes | None:
        try:
            return bytes(self._store.get(name).bytes())
        except FileNotFoundError:
            return None

    def put(self, name: str, data: bytes) -> None:
        """Put a file there."""
        self._patiently(lambda: self._store.put(plain(name), data))

    def names(self, under: str) -> Iterator[str]:
        """The names of all files below a name."""
        where = plain(under) if under else None
        yield from self._patiently(lambda: [entry["path"] for batch in self._store.list(where) for entry in batch])

    def _patiently(self, ask: Callable[[], Answer]) -> Answer:
        """What the store answers, which may fail for a while; what it refuses it refuses again."""
        from obstore.exceptions import PermissionDeniedError, UnauthenticatedError

        for attempt in range(TRIES):
            try:
                return ask()
            except Wrong:
                raise
            except Exception as error:  # noqa: BLE001 - each store has errors of its own
                if attempt == TRIES - 1 or isinstance(error, PermissionDeniedError | UnauthenticatedError):
                    raise self._refusal(error) from None
            time.sleep(PAUSE * 2**attempt)
        raise AssertionError("the last attempt raises")

    def _refusal(self, error: Exception) -> Wrong:
        said = str(error).partition("\n")[0][:LONGEST]
        expected = "a store that this machine reaches and may write to"
        return Wrong(f"the store {self.address}: {said}", expected, kind=Kind.MISSING)


def store_at(address: str) -> Store:
    """The store of an address; without a scheme it is a folder."""
    if "://" not in address:
        return FolderStore(Path(address).absolute())
    if find_spec("obstore") is None:
        expected = "the extra `farm`, which brings obstore, or a folder"
        raise Wrong(f"a store such as {address} cannot be read here", expected, kind=Kind.MISSING)
    return ObjectStore(address)


def plain(name: str) -> str:
    """A name that leads nowhere else."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
        raise Wrong(f"{name!r} is no name of a file", "a name below the store, without `..`")
    return path.as_posix()


def fetched(store: Store, pack: str, folder: Path) -> Path:
    """A pack's folder, brought from a store."""
    size = 0
    for name in store.names(pack):
        below = PurePosixPath(name).relative_to(plain(pack))
        data = store.get(name) or b""
        size += len(data)
        if size > LARGEST:
            raise Wrong(f"{pack} is larger than {LARGEST // 1_000_000} MB", "a smaller pack")
        path = folder / PurePosixPath(pack).name / plain(below.as_posix())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    if not size:
        raise Wrong(f"there is no pack {pack} in the store", "a folder with a game.yaml", kind=Kind.MISSING)
    return folder / PurePosixPath(pack).name
