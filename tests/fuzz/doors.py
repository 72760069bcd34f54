"""Readers of untrusted files, called doors: classes with valid `seeds`, and `run`, which reads damaged bytes.

A run ends with a result or with an error that users see.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from tests.fuzz.doors_files import Art, Drawn, Faces, Font, IccProfile, Kept, Release, Template
from tests.fuzz.doors_net import Live, Web
from tests.fuzz.doors_packs import Command, Diff, Pack, Relay, Rules
from tests.fuzz.doors_tables import Jobs, Orders, Table


class Door(Protocol):
    """A reader of untrusted bytes."""

    seeds: list[bytes]

    def run(self, data: bytes) -> None:
        """Read damaged bytes; an error message for users is a valid result."""


DOORS: dict[str, tuple[Callable[[Path], Door], int]] = {
    "art": (Art, 30),
    "drawn": (Drawn, 4),
    "faces": (Faces, 6),
    "pack": (Pack, 15),
    "rules": (Rules, 2),
    "release": (Release, 12),
    "font": (Font, 8),
    "table": (Table, 12),
    "orders": (Orders, 8),
    "jobs": (Jobs, 10),
    "profile": (IccProfile, 6),
    "template": (Template, 6),
    "cache": (Kept, 4),
    "live": (Live, 8),
    "web": (Web, 6),
    "command": (Command, 1),
    "diff": (Diff, 2),
    "relay": (Relay, 2),
}
"""Doors by name, each with its weight in the choice of cases."""
