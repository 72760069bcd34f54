"""The symbols that come with pnp, which every pack may use as icons: `generator/symbols/`."""

import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from generator.base.errors import InvalidValueError, nearest, unknown

FOLDER = Path(__file__).parents[1] / "symbols"

SET_NAME = "symbols"
"""The name of the set: `symbols/heart` is pnp's heart even in a pack with its own icon `heart`."""


@cache
def symbol_paths() -> Mapping[str, Path]:
    """Return the SVG file of each symbol by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.svg"))}


@cache
def symbol_aliases() -> Mapping[str, str]:
    """Return the name of the symbol for each alias, such as `water` for `drop`."""
    names = tomllib.loads((FOLDER / "aliases.toml").read_text("utf-8"))
    return {word: name for name, aliases in names.items() for word in aliases}


def find_symbol(name: str) -> str:
    """Return the name of the symbol for a name or an alias; empty if there is none."""
    name = name.removeprefix(f"{SET_NAME}/")
    return name if name in symbol_paths() else symbol_aliases().get(name, "")


def unknown_icon(name: str, pack_icons: Collection[str]) -> InvalidValueError:
    """Return the error for an unknown icon: it lists the pack's icons and suggests the nearest icon or symbol."""
    define = f"add art/icons/{name}.svg to the pack, or take one of pnp's symbols: pnp icons"
    error = unknown("icon", name, pack_icons, define=define)
    close = nearest(name, [*symbol_paths(), *pack_icons])
    return InvalidValueError(error.found, error.expected, close or error.hint, error.kind)
