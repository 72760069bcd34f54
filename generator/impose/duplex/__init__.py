"""Duplex modes: one file a mode, and the table of them."""

from collections.abc import Mapping
from types import MappingProxyType

from generator.errors import unknown
from generator.impose.duplex import long_edge, single
from generator.impose.duplex.mode import Mode

MODES: Mapping[str, Mode] = MappingProxyType({row.name: row for row in (long_edge.MODE, single.MODE)})


def mode(name: str) -> Mode:
    """The mode of that name."""
    if name not in MODES:
        raise unknown("duplex mode", name, MODES)
    return MODES[name]
