"""Bytes that are too many to be held at once: beyond some room they lie in a file without a name until they are read.

A drawing's pictures, a file of many of them and a release are such bytes: memory need not grow with how many there are.
"""

import io
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from tempfile import SpooledTemporaryFile
from threading import RLock
from typing import Any, BinaryIO

ROOM = 8_000_000
"""Bytes that one place holds in memory, before it holds none."""
BLOCK = 1 << 20


@dataclass(eq=False)
class Aside:
    """A place for such bytes, as long as anybody has any of them."""

    room: int = ROOM
    _lock: Any = field(default_factory=RLock, repr=False)
    _file: Any = None

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def keep(self, data: bytes) -> "Held":
        """Lay some bytes aside."""
        return self.made(lambda file: file.write(data))

    def made(self, write: Callable[[BinaryIO], object]) -> "Held":
        """Lay aside what is written; whatever writes it sees nothing else, and may go back in it."""
        with self._lock:
            if self._file is None:
                self._file = SpooledTemporaryFile(self.room)  # noqa: SIM115 - closed with the last who has any of it
            start = self._file.seek(0, io.SEEK_END)
            with io.BufferedWriter(_Window(self, start, None), BLOCK) as file:
                write(file)
            return Held(self, start, self._file.seek(0, io.SEEK_END) - start)

    def read(self, at: int, size: int) -> bytes:
        """Some of all bytes."""
        with self._lock:
            self._file.seek(at)
            data: bytes = self._file.read(size)
            return data

    def write(self, at: int, data: bytes) -> None:
        """Put some bytes into their place."""
        with self._lock:
            self._file.seek(at)
            self._file.write(data)


@dataclass(frozen=True, eq=False)
class Held:
    """Some bytes that were laid aside. Sent to another process, they go with it.

    `less` says the same more coarsely, for who needs no more, where that is known; and that may have less, too.
    """

    place: Aside
    at: int
    size: int
    less: "Held | None" = None

    def __len__(self) -> int:
        return self.size

    def read(self) -> bytes:
        """All of them."""
        return self.place.read(self.at, self.size)

    def head(self, size: int) -> bytes:
        """So many of the first."""
        return self.place.read(self.at, min(size, self.size))

    @property
    def least(self) -> "Held":
        """The same as coarsely as it is known."""
        return self.less.least if self.less else self

    @property
    def text(self) -> str:
        """The same as a text."""
        return self.read().decode()

    def stream(self) -> BinaryIO:
        """The same to be read piece by piece."""
        return io.BufferedReader(_Window(self.place, self.at, self.size), BLOCK)

    def __getstate__(self) -> bytes:
        return self.read()

    def __setstate__(self, data: bytes) -> None:
        self.__dict__.update(held(data).__dict__)


Data = bytes | Held
"""A file's bytes, in memory or aside."""


def held(data: bytes) -> Held:
    """Bytes by themselves as what is laid aside."""
    return Aside().keep(data)


def stream(data: Data) -> BinaryIO:
    """Bytes to be read as a file is."""
    return data.stream() if isinstance(data, Held) else io.BytesIO(data)


class _Window(io.RawIOBase):
    """A part of what lies aside as a file of its own; one without a size is being written."""

    def __init__(self, place: Aside, start: int, size: int | None) -> None:
        self._place, self._start, self._at = place, start, 0
        self._size, self._grows = size or 0, size is None

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
        data = self._place.read(self._start + self._at, max(0, min(len(into), self._size - self._at)))
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
    """What stands for a picture in what is written: a small one for itself."""
    return f"pnp-picture:{sha256(address.encode()).hexdigest()[:40]}" if _PICTURE.fullmatch(address) else address
