"""Icon sets: a folder of SVGs, or an Iconify JSON file such as npm's `@iconify-json/…` packages hold.

An icon is called by its own name where only one set has it, and by `set/name`
always: the set's name is the folder's, or the file's `prefix`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from generator.core.problems import Problem, Wrong, unknown
from generator.pack.folder import PackFolder
from generator.pack.game import Asset
from generator.pack.iconify import icons_of
from generator.pack.source import Node

USUAL = "art/icons"
"""Where a pack's icons lie unless it says otherwise."""
MAX_SHOWN = 4


@dataclass(frozen=True)
class Icons(Mapping[str, Asset]):
    """Every icon of a pack by its full name, `set/name`; found by its short name too where that is enough."""

    full: Mapping[str, Asset]

    @cached_property
    def _short(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for name in self.full:
            short = PurePosixPath(name).name
            found[short] = (*found.get(short, ()), name)
        return found

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(sorted(short if len(full) == 1 else name for short, full in self._short.items() for name in full))

    def __getitem__(self, name: str) -> Asset:
        short = self._short.get(name, ())
        return self.full[short[0] if len(short) == 1 else name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def find(self, name: str) -> Asset:
        """The icon that is meant; raises `Wrong` for none, and for one of several."""
        if name in self:
            return self[name]
        several = self._short.get(name, ())
        if several:
            shown = ", ".join(several[:MAX_SHOWN])
            raise Wrong(f"there are {len(several)} icons {name!r}", f"the one that is meant: {shown}")
        raise unknown("icon", name, self)


def read_sets(folder: PackFolder, sources: Sequence[str], root: Node, problems: list[Problem]) -> Icons:
    """The icons of all sets that `game.yaml` names, or of the usual folder; what is wrong goes into `problems`."""
    found: dict[str, Asset] = {}
    usual = (USUAL,) if folder.is_folder(USUAL) else ()
    for index, source in enumerate(sources or usual):
        try:
            icons = read_icons(folder, source)
            if twice := sorted(found.keys() & icons.keys()):
                raise Wrong(f"a second set has an icon {twice[0]!r}", "sets with names of their own")
            found |= icons
        except Wrong as wrong:
            problems.append(wrong.at(root.place(("icons", index)), "icons"))
    return Icons(found)


def read_icons(folder: PackFolder, source: str) -> dict[str, Asset]:
    """The icons of one set by their full names; `source` is a folder or a JSON file of the pack."""
    if source.lower().endswith(".json"):
        return _iconify(folder, source)
    if not folder.is_folder(source):
        raise folder.no_folder(source, "a folder of SVG files, or an Iconify JSON file")
    base = PurePosixPath(source)
    found: dict[str, Asset] = {}
    for asset in map(folder.asset, folder.names(source, [".svg"])):
        name = f"{base.name}/{asset.stem}"
        if name in found:
            raise Wrong(f"two icons are called {asset.stem!r}: {found[name].name} and {asset.name}", "each name once")
        found[name] = asset
    return found


def _iconify(folder: PackFolder, source: str) -> dict[str, Asset]:
    asset = folder.asset(source)
    try:
        data: Any = json.loads(folder.text(source))
    except ValueError as error:
        raise Wrong(f"{source!r} is no JSON ({error})", "an Iconify icon set") from error
    prefix, icons = icons_of(data, source)
    return {f"{prefix}/{name}": Asset(f"{source}/{name}", asset.path, svg) for name, svg in icons.items()}
