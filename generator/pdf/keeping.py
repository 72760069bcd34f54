"""Objects of a file that grows as they were written once, kept so that they are written into another without a look.

To take a face over from typst's page means to open that file, to copy what the page shows, and to see whether anything
shines through: ten times as much as to write it. So a build after one cell does it for the chunk with that cell alone.
"""

import re
from dataclasses import dataclass, field

from generator.core.cache import packed, unpacked
from generator.pdf.growing import REFERENCE, Growing, number_of, reference

MOST = 8_000_000
"""Bytes of streams that are kept together; what has more is copied again."""

Entry = tuple[int, bytes, bytes | None, bool]
"""The number that an object had, what it says of itself, its stream, and whether it is written once."""
Shown = tuple[bytes, bool]
"""What stands for a face, and whether it shows what lies below it."""


@dataclass
class Noted:
    """Hands on what is written, and notes it down as long as it is not too much."""

    into: Growing
    entries: list[Entry] = field(default_factory=list)
    size: int = 0

    def reserved(self) -> int:
        """As the file has it."""
        return self.into.reserved()

    def add(self, told: bytes, data: bytes | None = None, number: int = 0) -> bytes:
        """As the file does."""
        return self._noted(self.into.add(told, data, number), told, data, once=False)

    def once(self, told: bytes, data: bytes | None = None) -> bytes:
        """As the file does."""
        return self._noted(self.into.once(told, data), told, data, once=True)

    def _noted(self, own: bytes, told: bytes, data: bytes | None, *, once: bool) -> bytes:
        self.size += len(told) + len(data or b"")
        if self.size <= MOST:
            self.entries.append((number_of(own), told, data, once))
        else:
            self.entries.clear()
        return own

    def kept(self, shown: dict[str, Shown]) -> bytes:
        """What was noted, and what stands for some names; nothing where it was too much."""
        return packed((self.entries, shown)) if self.size <= MOST else b""


def written_again(kept: bytes, into: Growing) -> dict[str, Shown]:
    """Write what was noted into another file; gives what stands for the names there."""
    entries, shown = unpacked(kept)
    known: dict[int, bytes] = {}
    reserved: dict[int, int] = {}

    def other(match: re.Match[bytes]) -> bytes:
        if not match[1]:
            return match[0]
        number = int(match[1])
        if number not in known and number not in reserved:  # it shows itself: it is needed before it is written
            reserved[number] = into.reserved()
        return known.get(number) or reference(reserved[number])

    for number, told, data, once in entries:
        here = REFERENCE.sub(other, told)
        known[number] = into.once(here, data) if once else into.add(here, data, reserved.pop(number, 0))
    return {name: (known[number_of(own)], blends) for name, (own, blends) in shown.items()}
