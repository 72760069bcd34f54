"""Icon sets: folders of SVG, PNG or JPEG files, and Iconify JSON files (npm's `@iconify-json/…` packages).

An icon is addressed as `set/name`, or by its name alone if only one set has it. The set's name is the folder's name or
the file's `prefix`. Iconify files hold SVG bodies with sizes, and aliases that turn or mirror other icons:
https://iconify.design/docs/types/iconify-json.html
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any
from unicodedata import normalize

from generator.base.errors import InvalidValueError, Reporter
from generator.base.html import Html, html
from generator.base.symbols import SET_NAME, find_symbol, symbol_paths, unknown_icon
from generator.base.values import Frozen
from generator.pack.folder import Asset, PackFolder
from generator.pack.yaml_nodes import Node

DEFAULT_FOLDER = "art/icons"
"""The folder of a pack's icons unless `icons:` names others."""
MAX_NAMES_LISTED = 4
MAX_SET_BYTES = 40_000_000
"""Size limit of an icon file; the largest of Iconify's emoji sets has 25 million bytes."""
MAX_BRACKETS = 200_000
"""Largest number of brackets in an icon file, which bounds the objects that parsing it creates."""
ICON_SUFFIXES = (".svg", ".png", ".jpg", ".jpeg")
"""Suffixes of icon files."""


@dataclass(frozen=True)
class Icons(Mapping[str, Asset]):
    """The icons of a pack by full name (`set/name`), and by short name where that is unambiguous.

    Icons in `art/icons` have their short names in any case: a pack's own come before imported sets.
    `aliases` are the pack's other names for icons. pnp's symbols are found, too, under names that
    the pack itself does not use; iteration yields only the names of the pack.
    """

    full: Mapping[str, Asset]
    aliases: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _short(self) -> Mapping[str, tuple[str, ...]]:
        full_names: dict[str, tuple[str, ...]] = {}
        for name in self.full:
            short = PurePosixPath(name).name
            full_names[short] = (*full_names.get(short, ()), name)
        default_folder = PurePosixPath(DEFAULT_FOLDER).name
        return {
            short: (f"{default_folder}/{short}",) if f"{default_folder}/{short}" in names else names
            for short, names in full_names.items()
        }

    @cached_property
    def _small_names(self) -> frozenset[str]:
        """The short names in small letters."""
        return frozenset(map(str.casefold, self._short))

    @cached_property
    def own_names(self) -> tuple[str, ...]:
        """The names of the pack's own icons, and its aliases."""
        short = {full[0]: name for name, full in self._short.items() if len(full) == 1}
        names = (short.get(name, name) for name in self.full)
        return tuple(sorted([*names, *self.aliases]))

    def __getitem__(self, name: str) -> Asset:
        name = self.aliases.get(name, name)
        short = self._short.get(name, ())
        full_name = short[0] if len(short) == 1 else name
        if full_name in self.full or short:
            return self.full[full_name]
        symbol = find_symbol(name)
        # With art/icons/Fire.png, `fire` means that file, so it is an error, and not pnp's own symbol.
        if not symbol or name.casefold() in self._small_names:
            raise KeyError(name)
        return Asset(f"{SET_NAME}/{symbol}.svg", symbol_paths()[symbol])

    def __iter__(self) -> Iterator[str]:
        return iter(self.own_names)

    def __len__(self) -> int:
        return len(self.own_names)

    def find(self, name: str) -> Asset:
        """Return an icon by name; raise `InvalidValueError` for unknown and ambiguous names."""
        if name in self:
            return self[name]
        several = self._short.get(name, ())
        if several:
            examples = ", ".join(several[:MAX_NAMES_LISTED])
            raise InvalidValueError(
                f"there are {len(several)} icons {name!r}",
                f"the file name of one of them: {examples}",
            )
        if not name:
            raise InvalidValueError(
                "no icon is given",
                "an icon's name",
                "`when:` leaves the layer out where a cell is empty",
            )
        raise unknown_icon(name, self)


def read_sets(
    folder: PackFolder,
    sources: Sequence[str],
    aliases: Mapping[str, str],
    root: Node,
    report: Reporter,
) -> Icons:
    """Read the icon sets that `game.yaml` names, or those in `art/icons`; check the aliases.

    Raises at once if a set cannot be read: otherwise every use of its icons would be reported too.
    """
    found_icons: dict[str, Asset] = {}
    set_count = 0
    usual = (DEFAULT_FOLDER,) if folder.is_folder(DEFAULT_FOLDER) else ()
    for index, source in enumerate(sources or usual):
        with report.at(root.place(("icons", index)), "icons"):
            icons = read_icons(folder, source)
            if twice := sorted(found_icons.keys() & icons.keys()):
                raise InvalidValueError(
                    f"a second set has {_name_some(map(repr, twice))}",
                    "sets with names of their own",
                )
            found_icons |= icons
            set_count += 1
    if set_count < len(sources or usual):
        report.raise_any()
    all_icons = Icons(Frozen(found_icons))
    for name, target in aliases.items():
        where = root.place(("aliases", name))
        if name in found_icons or name in all_icons.own_names:
            report.add_problem(
                where, f"aliases.{name}: the pack already has an icon of this name", "another name"
            )
        with report.at(where, f"aliases.{name}"):
            all_icons.find(target)
    return Icons(Frozen(found_icons), Frozen(aliases))


def _name_some(names: Iterable[str]) -> str:
    """Return the first names of a list as text, with the number of the others."""
    listed = list(names)
    more = f" and {len(listed) - MAX_NAMES_LISTED} more" if len(listed) > MAX_NAMES_LISTED else ""
    return (
        f"{'icons' if len(listed) > 1 else 'an icon'} {', '.join(listed[:MAX_NAMES_LISTED])}{more}"
    )


def read_icons(folder: PackFolder, source: str) -> dict[str, Asset]:
    """Read one icon set, a folder or a JSON file of the pack; return its icons by full name."""
    if source.lower().endswith(".json"):
        return _read_iconify(folder, source)
    if not folder.is_folder(source):
        raise folder.no_folder(source, "a folder of SVG files, or an Iconify JSON file")
    base = PurePosixPath(source)
    icons: dict[str, Asset] = {}
    twice: list[str] = []
    for asset in map(folder.asset, folder.names(source, ICON_SUFFIXES)):
        # Texts are composed, too; an archive made on macOS may have decomposed names.
        first = icons.setdefault(f"{base.name}/{normalize('NFC', asset.stem)}", asset)
        if first is not asset:
            twice.append(f"{asset.stem!r} ({first.name} and {asset.name})")
    if twice:
        raise InvalidValueError(
            f"more than one file is called like {_name_some(twice)}", "each name once"
        )
    return icons


def _read_iconify(folder: PackFolder, source: str) -> dict[str, Asset]:
    asset = folder.asset(source)
    text = folder.text(source, MAX_SET_BYTES)
    if text.count("{") + text.count("[") > MAX_BRACKETS:
        raise InvalidValueError(
            f"{source!r} is not an icon set: it has more than {MAX_BRACKETS} brackets",
            "Iconify's JSON",
        )
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidValueError(
            f"{source!r} is not JSON ({error})", "an Iconify icon set"
        ) from error
    prefix, icons = icons_of(data, source)
    return {
        f"{prefix}/{name}": Asset(f"{source}/{name}", asset.path, svg)
        for name, svg in icons.items()
    }


DEFAULT_SIZE = 16.0
"""The width and height of icons that state neither, as Iconify defines them."""
MAX_ALIASES = 8
"""Longest chain of aliases; longer ones are taken for a circle."""
NUMBERS = ("left", "top", "width", "height")


def icons_of(data: Any, source: str) -> tuple[str, dict[str, str]]:
    """Return an Iconify set's prefix, and the SVG of each icon by name."""
    if (
        not isinstance(data, dict)
        or not isinstance(data.get("prefix"), str)
        or not isinstance(data.get("icons"), dict)
    ):
        raise InvalidValueError(
            f"{source!r} is not an icon set", "Iconify's JSON, with `prefix` and `icons`"
        )
    defaults = {key: data[key] for key in NUMBERS if key in data}
    bodies = data["icons"]
    aliases = data.get("aliases") or {}
    icons = {}
    for name in (*bodies, *aliases):
        icons[name] = _build_svg(
            {**defaults, **_resolve_alias(name, bodies, aliases, source)},
            f"{source!r}: icon {name!r}",
        )
    return data["prefix"], icons


def _resolve_alias(
    name: str, bodies: Mapping[str, Any], aliases: Mapping[str, Any], source: str
) -> dict[str, Any]:
    """Return an icon's values; for an alias, those of its icon with the alias's changes."""
    chain = list[Mapping[str, Any]]()
    at = name
    while at not in bodies:
        alias = aliases.get(at)
        if not isinstance(alias, dict) or len(chain) == MAX_ALIASES:
            raise InvalidValueError(
                f"{source!r}: the alias {name!r} leads nowhere", "the name of an icon as its parent"
            )
        chain.append(alias)
        at = str(alias.get("parent"))
    if not isinstance(bodies[at], dict):
        raise InvalidValueError(f"{source!r}: icon {at!r} is not an icon", "a mapping with a body")
    result = dict(bodies[at])
    for alias in reversed(chain):
        for flip in ("hFlip", "vFlip"):
            result[flip] = bool(result.get(flip)) != bool(alias.get(flip))
        result["rotate"] = (
            _number(result, "rotate", 0, source) + _number(alias, "rotate", 0, source)
        ) % 4
        result.update({key: alias[key] for key in NUMBERS if key in alias})
    return result


def _number(icon: Mapping[str, Any], key: str, default: float, label: str) -> float:
    value = icon.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidValueError(f"{label}: {key} is {value!r}", "a number")
    return value


def _build_svg(icon: Mapping[str, Any], label: str) -> str:
    body = icon.get("body")
    if not isinstance(body, str):
        raise InvalidValueError(f"{label} has no body", "the text of an SVG's elements")
    left, top = (_number(icon, key, 0, label) for key in ("left", "top"))
    w, h = (_number(icon, key, DEFAULT_SIZE, label) for key in ("width", "height"))
    turns = round(_number(icon, "rotate", 0, label)) % 4
    steps = " ".join(_transforms(icon, turns, (left, top, w, h)))
    if turns % 2:
        w, h = h, w
    elements = Html(body)  # the gate reads the whole picture like the SVG file of a designer
    return html(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        ' viewBox="$box">$elements</svg>',
        box=f"{left:g} {top:g} {w:g} {h:g}",
        elements=html('<g transform="$steps">$elements</g>', steps=steps, elements=elements)
        if steps
        else elements,
    )


def _transforms(
    icon: Mapping[str, Any], turns: int, box: tuple[float, float, float, float]
) -> Iterator[str]:
    """Yield the SVG transforms of an icon, kept in its box: mirroring is applied first, then quarter turns."""
    left, top, w, h = box
    across = 2 * left + w
    down = 2 * top + h
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
