"""Duplex modes: one file a mode, and the table of them."""

from collections.abc import Mapping
from types import MappingProxyType

from generator.core.problems import unknown
from generator.impose.duplex import glue, gutterfold, long_edge, short_edge, single, two_pass
from generator.impose.duplex.mode import Mode

_ROWS = (long_edge.MODE, short_edge.MODE, single.MODE, two_pass.MODE, glue.MODE, gutterfold.MODE)

MODES: Mapping[str, Mode] = MappingProxyType({row.name: row for row in _ROWS})


def mode(name: str) -> Mode:
    """The mode of that name."""
    if name not in MODES:
        raise unknown("duplex mode", name, MODES)
    return MODES[name]
