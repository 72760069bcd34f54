"""The symbols that come with pnp, which every pack may use as icons: `generator/symbols/`."""

import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from generator.base.errors import InvalidValueError, nearest, unknown

FOLDER = Path(__file__).parents[1] / "symbols"

SET_NAME = "symbols"
"""The name of the set: `symbols/heart` means pnp's heart in a pack that has an icon `heart` of its own."""


@cache
def symbol_paths() -> Mapping[str, Path]:
    """Return the SVG file of each symbol by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.svg"))}


@cache
def symbol_aliases() -> Mapping[str, str]:
    """Return the symbol that each other word means, such as `drop` for `water`."""
    words = tomllib.loads((FOLDER / "aliases.toml").read_text("utf-8"))
    return {word: name for name, others in words.items() for word in others}


def find_symbol(name: str) -> str:
    """Return the name of the symbol that a name or another word means; empty if there is none."""
    name = name.removeprefix(f"{SET_NAME}/")
    return name if name in symbol_paths() else symbol_aliases().get(name, "")


def unknown_icon(name: str, own: Collection[str]) -> InvalidValueError:
    """Return the error for an unknown icon, with the pack's own names and the nearest of these and the symbols."""
    define = f"add art/icons/{name}.svg to the pack, or take one of pnp's symbols: pnp icons"
    error = unknown("icon", name, own, define=define)
    close = nearest(name, [*own, *symbol_paths()])
    return InvalidValueError(error.found, error.expected, close or error.hint, error.kind)
