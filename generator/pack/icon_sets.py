"""Import whole icon sets into a pack: an Iconify `icons.json`, an npm package, or a folder of pictures.

Each set becomes a file or a folder below `art/icon-sets/`, which `icons:` in game.yaml names, and its
author and licence go to `credits:`.
"""

import io
import json
import re
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from generator.base.errors import InvalidValueError, Kind
from generator.base.files import read_limited
from generator.pack.icons import DEFAULT_FOLDER, ICON_SUFFIXES, MAX_SET_BYTES, icons_of

SETS_FOLDER = "art/icon-sets"

# Iconify's packages have these files: https://iconify.design/docs/icons/json.html
PACKAGE_ICONS = "package/icons.json"
PACKAGE_INFO = "package/info.json"


@dataclass(frozen=True)
class IconSet:
    """An icon set to import: its name, its files by path in the pack, the entry of `icons:`, and its credit."""

    name: str
    files: Mapping[str, bytes]
    entry: str
    count: int
    credit: str = ""


def read_icon_set(source: str, data: bytes | None = None) -> IconSet:
    """Read a set from a file or folder, or from the bytes of a download.

    Raise `InvalidValueError` if it is none.
    """
    path = Path(source)
    if data is None and path.is_dir():
        return _read_folder(path)
    if data is None:
        if not path.is_file():
            raise InvalidValueError(
                f"no file or folder {source!r}",
                "an icons.json, an npm package (.tgz), or a folder",
                kind=Kind.USAGE,
            )
        data = read_limited(path, source, MAX_SET_BYTES)
    if data[:2] == b"\x1f\x8b":  # gzip, RFC 1952 section 2.3.1
        return _read_package(source, data)
    return _read_iconify(source, data, {})


def _read_folder(path: Path) -> IconSet:
    name = _slug(path.resolve().name)
    files = {
        f"{SETS_FOLDER}/{name}/{_slug(picture.stem)}{picture.suffix.lower()}": read_limited(
            picture, picture.name
        )
        for picture in sorted(path.rglob("*"))
        if picture.suffix.lower() in ICON_SUFFIXES and picture.is_file()
    }
    if not files:
        raise InvalidValueError(
            f"no icons in {path}", f"files that end in {', '.join(ICON_SUFFIXES)}"
        )
    return IconSet(name, files, f"{SETS_FOLDER}/{name}", len(files), _credit_of_folder(path))


def _credit_of_folder(path: Path) -> str:
    """Return a credit that names the file with the set's licence; empty if there is none."""
    licence = next((file for file in sorted(path.glob("*")) if _is_licence(file)), None)
    if licence is None:
        return ""
    first = next(
        filter(None, map(str.strip, licence.read_text("utf-8", "replace").splitlines())), ""
    )
    return f"Icons of {path.resolve().name}: {first[:80]}"


def _is_licence(path: Path) -> bool:
    return path.stem.lower() in {"license", "licence", "copying"} and path.is_file()


def _read_package(source: str, data: bytes) -> IconSet:
    """Read `icons.json` and `info.json` of a package; nothing is unpacked to the disk."""
    files: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
            for member in archive:
                if member.name in {PACKAGE_ICONS, PACKAGE_INFO} and member.isfile():
                    if member.size > MAX_SET_BYTES:
                        raise InvalidValueError(
                            f"{member.name} in {source} has {member.size} bytes",
                            f"at most {MAX_SET_BYTES}",
                        )
                    content = archive.extractfile(member)
                    files[member.name] = content.read() if content else b""
    except (tarfile.TarError, EOFError, OSError) as error:
        raise InvalidValueError(
            f"{source} cannot be unpacked ({error})", "an npm package"
        ) from error
    if PACKAGE_ICONS not in files:
        raise InvalidValueError(
            f"{source} has no {PACKAGE_ICONS}",
            "a package of Iconify, such as @iconify-json/game-icons",
        )
    info = _parse(source, files.get(PACKAGE_INFO, b"{}"))
    return _read_iconify(source, files[PACKAGE_ICONS], info if isinstance(info, dict) else {})


def _parse(source: str, data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InvalidValueError(f"{source} is not JSON ({error})", "an Iconify icon set") from error


def _read_iconify(source: str, data: bytes, info: Mapping[str, Any]) -> IconSet:
    values = _parse(source, data)
    prefix, icons = icons_of(values, source)
    name = _slug(prefix)
    entry = f"{SETS_FOLDER}/{name}.json"
    credit = _credit_of({**values.get("info", {}), **info})
    return IconSet(name, {entry: data}, entry, len(icons), credit)


def _credit_of(info: Mapping[str, Any]) -> str:
    """Return the credit of an Iconify set: `Icons: Game Icons by GameIcons, CC BY 3.0`."""

    def text(*path: str) -> str:
        value: Any = info
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        return " ".join(value.split())[:80] if isinstance(value, str) else ""

    if not text("name"):
        return ""
    author = f" by {text('author', 'name')}" if text("author", "name") else ""
    licence = f", {text('license', 'title')}" if text("license", "title") else ""
    return f"Icons: {text('name')}{author}{licence}"


def _slug(name: str) -> str:
    return re.sub(r"[^\w-]+", "-", name.lower()).strip("-") or "icons"


def add_to_game(text: str, icons: IconSet, *, has_default_folder: bool) -> str:
    """Return the text of a game.yaml that also names a set and its credit; all else stays.

    Raise `InvalidValueError` if it cannot be changed safely.
    """
    usual = [DEFAULT_FOLDER] if has_default_folder else []
    changed = _add_to_list(text, "icons", icons.entry, usual)
    return _add_to_list(changed, "credits", icons.credit, []) if icons.credit else changed


def _add_to_list(text: str, key: str, value: str, usual: Iterable[str]) -> str:
    """Add a value to a top-level list in a YAML text; a missing list begins with the `usual` values."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(root, yaml.MappingNode):
        raise InvalidValueError("game.yaml is not a mapping", "a pack that can be read")
    before = _values(text, key)
    if value in before:
        return text
    quoted = json.dumps(value, ensure_ascii=False)
    node = next((node for name, node in root.value if name.value == key), None)
    if node is None:
        listed = ", ".join([*(json.dumps(item) for item in usual), quoted])
        changed = f"{text.rstrip()}\n{key}: [{listed}]\n"
    elif isinstance(node, yaml.ScalarNode):
        start = node.start_mark.index
        end = node.end_mark.index
        changed = f"{text[:start]}[{text[start:end].rstrip()}, {quoted}]{text[end:]}"
    elif node.flow_style:
        end = node.end_mark.index - 1
        comma = ", " if node.value else ""
        changed = f"{text[:end].rstrip()}{comma}{quoted}{text[end:]}"
    else:
        last = node.value[-1]
        end = text.find("\n", last.end_mark.index - 1)
        indent = " " * node.start_mark.column
        place = end if end >= 0 else len(text)
        changed = f"{text[:place]}\n{indent}- {quoted}{text[place:]}"
    if _values(changed, key) != [*(usual if node is None else before), value]:
        raise InvalidValueError(
            f"{key}: in game.yaml cannot be changed", f"add {value!r} to this list yourself"
        )
    return changed


def _values(text: str, key: str) -> list[str]:
    """Return the values of a top-level list or single value; empty if the key or the file is wrong."""
    try:
        values = (yaml.load(text, yaml.BaseLoader) or {}).get(key, [])  # noqa: S506 - texts only
    except (yaml.YAMLError, AttributeError):
        return []
    return [str(item) for item in values] if isinstance(values, list) else [str(values)]
