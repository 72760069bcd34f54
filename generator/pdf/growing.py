"""A file of PDF that is written as it grows: what is in it need not be held, however many pages it has.

Objects are numbered as they are asked for. Those without a stream wait for a few more, and are packed together; the
same stream is written once, whoever brings it. `Copied` brings what another file has.
"""

import re
import sys
from array import array
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, BinaryIO, Protocol
from zlib import compress

import pikepdf

HEAD = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
"""1.7 is the first that knows colour profiles of version 4, as typst's faces bring them."""
TOGETHER = 100
"""Objects that are packed as one stream."""
_ALONE = 0xFFFF
"""In the place of an object's number among those that it is packed with."""
_WIDTHS = 1, 5, 2
"""Bytes of the columns that tell where each object is."""


class Taking(Protocol):
    """What takes objects as a file does that grows."""

    def reserved(self) -> int:
        """The number of an object that is written later."""
        ...

    def add(self, told: bytes, data: bytes | None = None, number: int = 0) -> bytes:
        """Write an object."""
        ...

    def once(self, told: bytes, data: bytes | None = None) -> bytes:
        """The same, unless it was written before."""
        ...


class Growing:
    """The file; references are what stands for an object in another."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at = file.write(HEAD)
        self._places, self._indices = array("Q", [0]), array("H", [_ALONE])
        self._waiting: list[tuple[int, bytes]] = []
        self._once: dict[bytes, int] = {}
        self._digest = sha256()

    def reserved(self) -> int:
        """The number of an object that is written later."""
        self._places.append(0)
        self._indices.append(_ALONE)
        return len(self._places) - 1

    def add(self, told: bytes, data: bytes | None = None, number: int = 0) -> bytes:
        """Write an object, with its stream where it has one: a dictionary then, without its length."""
        self._digest.update(told)
        self._digest.update(data or b"")
        return self._added(told, data, number)

    def once(self, told: bytes, data: bytes | None = None) -> bytes:
        """The same, unless it was written before."""
        digest = sha256(told)
        digest.update(b"\0" if data is None else data)
        key = digest.digest()[:16]
        if key not in self._once:
            self._digest.update(key)
            self._once[key] = number_of(self._added(told, data, 0))
        return reference(self._once[key])

    def packed(self, content: bytes, *, once: bool = True) -> bytes:
        """A stream of content that is packed; by the default it is written once."""
        key = sha256(b"packed" + content).digest()[:16]
        number = self._once.get(key) if once else None
        if number is None:
            number = number_of(self.add(b"<</Filter/FlateDecode>>", compress(content)))
            self._once |= {key: number} if once else {}
        return reference(number)

    def close(self, root: bytes, info: bytes) -> None:
        """Write where everything is; whatever was reserved is written by now."""
        self._pack()
        own = self.reserved()
        self._places[own] = self._at
        digest = self._digest.hexdigest()[:32].encode()
        head = b"/Type/XRef/W[%d %d %d]/Size %d" % (*_WIDTHS, len(self._places))
        names = b"/Root %b/Info %b/ID[<%b><%b>]" % (root, info, digest, digest)
        packed = b"/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns %d>>" % sum(_WIDTHS)
        at = self._at
        self._stream(own, b"<<%b%b%b>>" % (head, names, packed), compress(self._table()))
        self._file.write(b"startxref\n%d\n%%%%EOF\n" % at)

    def _added(self, told: bytes, data: bytes | None, number: int) -> bytes:
        number = number or self.reserved()
        if data is not None:
            self._places[number] = self._at
            self._stream(number, told, data)
        else:
            self._waiting.append((number, told))
            if len(self._waiting) >= TOGETHER:
                self._pack()
        return reference(number)

    def _stream(self, number: int, told: bytes, data: bytes) -> None:
        head = b"%d 0 obj\n%b/Length %d>>\nstream\n" % (number, told.rstrip().removesuffix(b">>"), len(data))
        for part in (head, data, b"\nendstream\nendobj\n"):
            self._at += self._file.write(part)

    def _pack(self) -> None:
        """Write the objects that wait."""
        if not self._waiting:
            return
        own, heads, at = self.reserved(), list[bytes](), 0
        for index, (number, told) in enumerate(self._waiting):
            heads.append(b"%d %d" % (number, at))
            at += len(told) + 1
            self._places[number], self._indices[number] = own, index
        head, body = b" ".join(heads) + b"\n", b"\n".join(told for _, told in self._waiting)
        told = b"<</Type/ObjStm/N %d/First %d/Filter/FlateDecode>>" % (len(heads), len(head))
        self._waiting.clear()
        self._places[own] = self._at
        self._stream(own, told, compress(head + body))

    def _table(self) -> bytes:
        """A row for each object, as what it differs by from the one before; all of them at once, as one long number."""
        rows = array("Q", map(_row, self._places, self._indices))
        rows[0] = 0
        if sys.byteorder == "little":
            rows.byteswap()
        plain, width = rows.tobytes(), sum(_WIDTHS)
        less = _less(plain, bytes(width) + plain[:-width])
        table = bytearray(b"\2" * ((width + 1) * len(rows)))
        for column in range(width):
            table[column + 1 :: width + 1] = less[column::width]
        return bytes(table)


def _row(place: int, index: int) -> int:
    """Where an object is: by itself, or among those that it is packed with; in columns of `_WIDTHS`."""
    return 1 << 56 | place << 16 if index == _ALONE else 2 << 56 | place << 16 | index


def _less(bytes_a: bytes, bytes_b: bytes) -> bytes:
    """Each byte less the one that stands where it does; what would be less than nothing is counted from 256 down."""
    a, b = int.from_bytes(bytes_a), int.from_bytes(bytes_b)
    high = int.from_bytes(b"\x80" * len(bytes_a))
    left = ((a | high) - (b & ~high)) ^ ((a ^ b ^ high) & high)
    return left.to_bytes(len(bytes_a))


def reference(number: int) -> bytes:
    """What stands for the object of a number."""
    return b"%d 0 R" % number


def number_of(reference: bytes) -> int:
    """The number of the object for which that stands."""
    return int(reference.partition(b" ")[0])


Key = tuple[int, int]
"""An object's number in its file, and its generation."""
REFERENCE = re.compile(rb"\((?:[^\\()]|\\.)*\)|\b(\d+) (\d+) R\b", re.DOTALL)
"""A text, in which nothing refers to anything, or what does, in an object as pikepdf tells it."""


class Copied:
    """Objects of a file that are written into one that grows, with all that they refer to, when they are asked for.

    `known` says what stands for some of them.
    """

    def __init__(self, pdf: pikepdf.Pdf, into: Taking, known: Mapping[Key, bytes]) -> None:
        self._pdf, self._into = pdf, into
        self._known = dict(known)
        self._begun: dict[Key, bytes] = {}
        self._reserved: dict[Key, int] = {}

    def reference(self, thing: pikepdf.Object) -> bytes:
        """What stands for an object of the file."""
        if not thing.is_indirect:
            return self._into.once(self.told(thing))
        waiting = [thing.objgen]
        while waiting:
            key = waiting[-1]
            if key in self._known:
                waiting.pop()
            elif key in self._begun:
                self._known[key] = self._written(key, self._begun.pop(key))
            else:
                self._begun[key] = told = _told(self._pdf.get_object(*key))
                waiting += [each for each in _referred(told) if each not in self._known and each not in self._begun]
        return self._known[thing.objgen]

    def told(self, thing: pikepdf.Object) -> bytes:
        """What an object says of itself that stands in another."""
        told = thing.unparse(resolved=True)
        for key in _referred(told):
            self.reference(self._pdf.get_object(*key))
        return REFERENCE.sub(self._other, told)

    def _written(self, key: Key, told: bytes) -> bytes:
        thing = self._pdf.get_object(*key)
        data = thing.read_raw_bytes() if isinstance(thing, pikepdf.Stream) else None
        here = REFERENCE.sub(self._other, told)
        number = self._reserved.pop(key, 0)
        return self._into.add(here, data, number) if number else self._into.once(here, data)

    def _other(self, match: re.Match[bytes]) -> bytes:
        if not match[1]:
            return match[0]
        key = int(match[1]), int(match[2])
        if key not in self._known and key not in self._reserved:  # it shows itself: it is needed before it is written
            self._reserved[key] = self._into.reserved()
        return self._known.get(key) or reference(self._reserved[key])


def _told(thing: Any) -> bytes:
    """What an object says of itself, a stream but for its length."""
    if not isinstance(thing, pikepdf.Object):  # pikepdf gives numbers, and what is true or null, as Python's own
        thing = pikepdf.Array([thing])
        return bytes(thing.unparse()).strip(b"[ ]")
    if isinstance(thing, pikepdf.Stream):
        thing = pikepdf.Dictionary({name: value for name, value in thing.items() if name != "/Length"})
    return bytes(thing.unparse(resolved=True))


def _referred(told: bytes) -> list[Key]:
    return [(int(number), int(generation)) for number, generation in REFERENCE.findall(told) if number]
