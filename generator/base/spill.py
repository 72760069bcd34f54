"""Byte storage that spills to disk, so that memory does not grow with the number of pictures.

An `SpillFile` collects byte strings in memory, and moves to an unnamed temporary file beyond a
size. `SpilledBytes` is a handle to one of them, to be read whole, opened as a stream, or pickled
with its bytes. Photographs, PDFs made of them and releases pass between stages in this form.
"""

import io
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from tempfile import SpooledTemporaryFile
from threading import RLock
from typing import Any, BinaryIO

MAX_MEMORY_BYTES = 8_000_000
"""Bytes that one place holds in memory, before it holds none."""
BLOCK = 1 << 20


@dataclass(eq=False)
class SpillFile:
    """A store of byte strings, which lives as long as any handle to one of them."""

    room: int = MAX_MEMORY_BYTES
    _lock: Any = field(default_factory=RLock, repr=False)
    _file: Any = None

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def append(self, data: bytes) -> "SpilledBytes":
        """Store some bytes, and return a handle to them."""
        return self.capture(lambda file: file.write(data))

    def capture(self, write: Callable[[BinaryIO], object]) -> "SpilledBytes":
        """Run `write` on a seekable file that holds only its own output.

        Return a handle to the result.
        """
        with self._lock:
            if self._file is None:
                self._file = SpooledTemporaryFile(self.room)  # noqa: SIM115 - closed with the last who has any of it
            start = self._file.seek(0, io.SEEK_END)
            with io.BufferedWriter(_Window(self, start, None), BLOCK) as file:
                write(file)
            return SpilledBytes(self, start, self._file.seek(0, io.SEEK_END) - start)

    def read(self, at: int, size: int) -> bytes:
        """Return `size` bytes from a position of the store."""
        with self._lock:
            self._file.seek(at)
            data: bytes = self._file.read(size)
            return data

    def write(self, at: int, data: bytes) -> None:
        """Write some bytes at a position of the store."""
        with self._lock:
            self._file.seek(at)
            self._file.write(data)


@dataclass(frozen=True, eq=False)
class SpilledBytes:
    """A handle to stored bytes; pickling it includes the bytes.

    `less` is a coarser version of the same picture, if there is one, which may have a coarser
    version in turn.
    """

    place: SpillFile
    at: int
    size: int
    less: "SpilledBytes | None" = None

    def __len__(self) -> int:
        return self.size

    def read(self) -> bytes:
        """Return all bytes."""
        return self.place.read(self.at, self.size)

    def head(self, size: int) -> bytes:
        """Return the first `size` bytes."""
        return self.place.read(self.at, min(size, self.size))

    @property
    def least(self) -> "SpilledBytes":
        """The coarsest version of the picture."""
        return self.less.least if self.less else self

    @property
    def text(self) -> str:
        """The bytes decoded as UTF-8."""
        return self.read().decode()

    def stream(self) -> BinaryIO:
        """Return a file to read the bytes from piece by piece."""
        return io.BufferedReader(_Window(self.place, self.at, self.size), BLOCK)

    def __getstate__(self) -> bytes:
        return self.read()

    def __setstate__(self, data: bytes) -> None:
        self.__dict__.update(spill(data).__dict__)


Data = bytes | SpilledBytes
"""A file's bytes, in memory or aside."""


def spill(data: bytes) -> SpilledBytes:
    """Return a handle to bytes in a store of their own."""
    return SpillFile().append(data)


def stream(data: Data) -> BinaryIO:
    """Return a file to read the bytes from."""
    return data.stream() if isinstance(data, SpilledBytes) else io.BytesIO(data)


class _Window(io.RawIOBase):
    """A part of a store as a file of its own; without a size, it grows as it is written."""

    def __init__(self, place: SpillFile, start: int, size: int | None) -> None:
        self._place = place
        self._start = start
        self._at = 0
        self._size = size or 0
        self._grows = size is None

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return self._grows

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence] + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, into: Any) -> int:
        data = self._place.read(
            self._start + self._at, max(0, min(len(into), self._size - self._at))
        )
        into[: len(data)] = data
        self._at += len(data)
        return len(data)

    def write(self, data: Any) -> int:
        self._place.write(self._start + self._at, data)
        self._at += len(data)
        self._size = max(self._size, self._at)
        return len(data)


_PICTURE = re.compile(r"data:image/(?:png|jpeg);base64,[A-Za-z0-9+/]{1000,}=*")


def picture_key(address: str) -> str:
    """Return the key of a picture's data address; a short address is its own key."""
    return (
        f"pnp-picture:{sha256(address.encode()).hexdigest()[:40]}"
        if _PICTURE.fullmatch(address)
        else address
    )
