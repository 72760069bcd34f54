"""Byte storage that spills to disk, so that memory does not grow with the number of pictures.

A `SpillFile` collects byte strings in memory, and moves to an unnamed temporary file beyond a size.
`SpilledBytes` is a handle to one of them, to be read whole, opened as a stream, or pickled with its
bytes. Photographs, PDFs made of them and releases pass between stages in this form.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile
from threading import RLock
from typing import Any, BinaryIO

MAX_MEMORY_BYTES = 8_000_000
"""Size up to which a spill file stays in memory."""
BLOCK = 1 << 20
"""Bytes that are read or written at a time."""


@dataclass(eq=False)
class SpillFile:
    """A store of byte strings, which lives as long as any handle to one of them."""

    max_memory_bytes: int = MAX_MEMORY_BYTES
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
                self._file = SpooledTemporaryFile(self.max_memory_bytes)  # noqa: SIM115 - closed by __del__, after the last handle
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

    `smaller` is the same picture with fewer pixels, if there is one, which may have a smaller one in
    turn.
    """

    place: SpillFile
    at: int
    size: int
    smaller: "SpilledBytes | None" = None

    def __len__(self) -> int:
        return self.size

    def read(self) -> bytes:
        """Return all bytes."""
        return self.place.read(self.at, self.size)

    def head(self, size: int) -> bytes:
        """Return the first `size` bytes."""
        return self.place.read(self.at, min(size, self.size))

    @property
    def smallest(self) -> "SpilledBytes":
        """The version of the picture with the fewest pixels."""
        return self.smaller.smallest if self.smaller else self

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
"""A file's bytes, in memory or in a spill file."""


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
