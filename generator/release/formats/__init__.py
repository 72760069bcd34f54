"""What stands in a release's file: a module for each format, and the table of them.

The newest is written; every one is read. A new format is a new module and a row; no old one is ever changed.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from generator.core.problems import Wrong
from generator.release.formats import one, three, two
from generator.release.manifest import Release

Reader = Callable[[object], Release]

READERS: Mapping[int, Reader] = MappingProxyType({1: one.read, 2: two.read, 3: three.read})

NEWEST = max(READERS)

write = three.write


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
