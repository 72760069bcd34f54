"""Icon sets: a folder of SVGs, PNGs or JPEGs, or an Iconify JSON file such as npm's `@iconify-json/…` packages hold.

An icon is called by its own name where only one set has it, and by `set/name`
always: the set's name is the folder's, or the file's `prefix`. Iconify's JSON has
bodies of SVGs with their sizes, and aliases that turn or mirror others:
https://iconify.design/docs/types/iconify-json.html
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from generator.core.problems import Reporter, Wrong, unknown
from generator.core.values import Frozen
from generator.pack.folder import PackFolder
from generator.pack.game import Asset
from generator.pack.source import Node

USUAL = "art/icons"
"""Where a pack's icons lie unless it says otherwise."""
MAX_SHOWN = 4
MAX_SET = 40_000_000
"""Bytes of a file of icons: the largest of emoji has 25 million."""
MAX_BRACKETS = 200_000
"""In such a file, so that it is no larger when it is read."""
PICTURES = (".svg", ".png", ".jpg", ".jpeg")
"""The endings of icons: vectors, or pixels."""


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
        if not name:
            raise Wrong("no icon is named", "an icon's name", "`when:` leaves the layer out where a cell is empty")
        raise unknown("icon", name, self, define=f"add {USUAL}/{name}.svg to the pack")


def read_sets(folder: PackFolder, sources: Sequence[str], root: Node, report: Reporter) -> Icons:
    """The icons of all sets that `game.yaml` names, or of the usual folder.

    A set that cannot be read ends the reading of the pack: none of its icons would be known anywhere.
    """
    found: dict[str, Asset] = {}
    whole = 0
    usual = (USUAL,) if folder.is_folder(USUAL) else ()
    for index, source in enumerate(sources or usual):
        with report.at(root.place(("icons", index)), "icons"):
            icons = read_icons(folder, source)
            if twice := sorted(found.keys() & icons.keys()):
                raise Wrong(f"a second set has {_several(map(repr, twice))}", "sets with names of their own")
            found |= icons
            whole += 1
    if whole < len(sources or usual):
        report.raise_any()
    return Icons(Frozen(found))


def _several(names: Iterable[str]) -> str:
    """The first of some names, and how many more there are."""
    known = list(names)
    more = f" and {len(known) - MAX_SHOWN} more" if len(known) > MAX_SHOWN else ""
    return f"{'icons' if len(known) > 1 else 'an icon'} {', '.join(known[:MAX_SHOWN])}{more}"


def read_icons(folder: PackFolder, source: str) -> dict[str, Asset]:
    """The icons of one set by their full names; `source` is a folder or a JSON file of the pack."""
    if source.lower().endswith(".json"):
        return _iconify(folder, source)
    if not folder.is_folder(source):
        raise folder.no_folder(source, "a folder of SVG files, or an Iconify JSON file")
    base = PurePosixPath(source)
    found: dict[str, Asset] = {}
    twice: list[str] = []
    for asset in map(folder.asset, folder.names(source, PICTURES)):
        first = found.setdefault(f"{base.name}/{asset.stem}", asset)
        if first is not asset:
            twice.append(f"{asset.stem!r} ({first.name} and {asset.name})")
    if twice:
        raise Wrong(f"more than one file is called like {_several(twice)}", "each name once")
    return found


def _iconify(folder: PackFolder, source: str) -> dict[str, Asset]:
    asset, text = folder.asset(source), folder.text(source, MAX_SET)
    if text.count("{") + text.count("[") > MAX_BRACKETS:
        raise Wrong(f"{source!r} is no icon set: it has more than {MAX_BRACKETS} brackets", "Iconify's JSON")
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Wrong(f"{source!r} is no JSON ({error})", "an Iconify icon set") from error
    prefix, icons = icons_of(data, source)
    return {f"{prefix}/{name}": Asset(f"{source}/{name}", asset.path, svg) for name, svg in icons.items()}


SIZE = 16.0
"""The width and the height of icons that say neither."""
MAX_ALIASES = 8
NUMBERS = ("left", "top", "width", "height")


def icons_of(data: Any, source: str) -> tuple[str, dict[str, str]]:
    """The set's prefix, and every icon as SVG by its name."""
    if not isinstance(data, dict) or not isinstance(data.get("prefix"), str) or not isinstance(data.get("icons"), dict):
        raise Wrong(f"{source!r} is no icon set", "Iconify's JSON, with `prefix` and `icons`")
    defaults = {key: data[key] for key in NUMBERS if key in data}
    bodies, aliases = data["icons"], data.get("aliases") or {}
    found = {}
    for name in (*bodies, *aliases):
        found[name] = _svg({**defaults, **_resolved(name, bodies, aliases, source)}, f"{source!r}: icon {name!r}")
    return data["prefix"], found


def _resolved(name: str, bodies: Mapping[str, Any], aliases: Mapping[str, Any], source: str) -> dict[str, Any]:
    """An icon's own values, or those of the one that an alias leads to, with what the aliases change."""
    chain, at = list[Mapping[str, Any]](), name
    while at not in bodies:
        alias = aliases.get(at)
        if not isinstance(alias, dict) or len(chain) == MAX_ALIASES:
            raise Wrong(f"{source!r}: the alias {name!r} leads nowhere", "the name of an icon as its parent")
        chain.append(alias)
        at = str(alias.get("parent"))
    if not isinstance(bodies[at], dict):
        raise Wrong(f"{source!r}: icon {at!r} is no icon", "a mapping with a body")
    result = dict(bodies[at])
    for alias in reversed(chain):
        for flip in ("hFlip", "vFlip"):
            result[flip] = bool(result.get(flip)) != bool(alias.get(flip))
        result["rotate"] = (_number(result, "rotate", 0, source) + _number(alias, "rotate", 0, source)) % 4
        result.update({key: alias[key] for key in NUMBERS if key in alias})
    return result


def _number(icon: Mapping[str, Any], key: str, default: float, label: str) -> float:
    value = icon.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Wrong(f"{label}: {key} is {value!r}", "a number")
    return value


def _svg(icon: Mapping[str, Any], label: str) -> str:
    body = icon.get("body")
    if not isinstance(body, str):
        raise Wrong(f"{label} has no body", "the text of an SVG's elements")
    left, top = (_number(icon, key, 0, label) for key in ("left", "top"))
    w, h = (_number(icon, key, SIZE, label) for key in ("width", "height"))
    turns = round(_number(icon, "rotate", 0, label)) % 4
    steps = " ".join(_steps(icon, turns, (left, top, w, h)))
    if turns % 2:
        w, h = h, w
    inner = f'<g transform="{steps}">{body}</g>' if steps else body
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' viewBox="{left:g} {top:g} {w:g} {h:g}">{inner}</svg>'
    )


def _steps(icon: Mapping[str, Any], turns: int, box: tuple[float, float, float, float]) -> Iterator[str]:
    """The transformations that keep the icon in its box: first mirrored, then turned in quarters clockwise."""
    left, top, w, h = box
    across, down = 2 * left + w, 2 * top + h
    if turns == 1:
        yield f"translate({left + top + h:g} {top - left:g}) rotate(90)"
    elif turns == 2:
        yield f"translate({across:g} {down:g}) scale(-1)"
    elif turns == 3:
        yield f"translate({left - top:g} {top + left + w:g}) rotate(-90)"
    if icon.get("hFlip"):
        yield f"translate({across:g} 0) scale(-1 1)"
    if icon.get("vFlip"):
        yield f"translate(0 {down:g}) scale(1 -1)"
