"""What stands in a release's file: a module for each format, and the table of them.

The newest is written; every one is read. A new format is a new module and a row; no old one is ever changed.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from generator.core.problems import Wrong
from generator.release.formats import four, one, three, two
from generator.release.record import Release

Reader = Callable[[object, bytes], Release]
"""Takes what JSON held, and what followed it in the file."""


def _alone(read: Callable[[object], Release]) -> Reader:
    """A reader of a format in which nothing follows the JSON."""

    def reader(data: object, behind: bytes) -> Release:
        if behind:
            raise Wrong("this release is damaged: something stands after its end", "a file made by `pnp release`")
        return read(data)

    return reader


READERS: Mapping[int, Reader] = MappingProxyType(
    {1: _alone(one.read), 2: _alone(two.read), 3: _alone(three.read), 4: four.read}
)

NEWEST = max(READERS)

write = four.write


def reader(number: int) -> Reader:
    """Who reads the format of that number."""
    if number > NEWEST:
        raise Wrong(
            f"was made by a newer pnp (format {number})",
            f"format {NEWEST} or older",
            "install the newest pnp-generator",
        )
    if number not in READERS:
        raise Wrong(f"has a format that never was ({number})", f"format 1 to {NEWEST}")
    return READERS[number]
