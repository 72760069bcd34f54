"""Settings by which editors check the files of packs while they are typed: VS Code, Zed and Neovim.

All three start the same program, yaml-language-server, and tell it which JSON Schema belongs to
which files. Settings that exist are kept; only the entries for packs are added or replaced.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from generator.base.errors import Kind, Where, fail
from generator.base.files import display

SCHEMAS = {"./schema/game.json": "**/game.yaml", "./schema/layout.json": "**/layouts/**/*.yaml"}
"""The files that each schema checks; paths are relative to the folder that the editor opens."""

JSON_SETTINGS: Mapping[str, Any] = {
    ".vscode/settings.json": {"yaml.schemas": SCHEMAS},
    ".zed/settings.json": {
        "lsp": {"yaml-language-server": {"settings": {"yaml": {"schemas": SCHEMAS}}}}
    },
}
"""The entries for packs in each editor's file of settings."""

NEOVIM_FILE = ".nvim.lua"
"""The file that Neovim runs in a folder if its option `exrc` is set."""
_LUA_BEGIN = "-- Schemas of packs, written by `pnp schema --install`"
_LUA_END = "-- End of the schemas of packs"
_LUA_BLOCK = re.compile(rf"{re.escape(_LUA_BEGIN)}.*?{re.escape(_LUA_END)}\n", re.DOTALL)


def merge_editor_settings(folder: Path) -> dict[str, str]:
    """Return the new texts of the editors' files in a folder, by name.

    Raise `MissingError`, which ends with the exit code for files, for a file that cannot be merged.
    """
    texts = {name: _merge_json(folder / name, settings) for name, settings in JSON_SETTINGS.items()}
    return {**texts, NEOVIM_FILE: _merge_lua(folder / NEOVIM_FILE)}


def _merge_json(path: Path, settings: Mapping[str, Any]) -> str:
    """Return the text of a JSON file with the wanted entries added."""
    text = _read(path)
    try:
        existing = json.loads(text) if text.strip() else {}
    except json.JSONDecodeError as error:
        # Editors allow comments and trailing commas, which would be lost when JSON is written anew.
        _refuse(Where(display(path), error.lineno), "is not plain JSON", settings)
    merged = _merge(existing, settings)
    if merged is None:
        _refuse(Where(display(path)), "has another kind of value where schemas are set", settings)
    return text if merged == existing else json.dumps(merged, indent=2, ensure_ascii=False) + "\n"


def _merge(existing: Any, settings: Any) -> Any:
    """Return a value with the wanted entries added at every depth; None if an object is missing."""
    if not isinstance(settings, Mapping):
        return settings
    if not isinstance(existing, dict):
        return None
    merged = dict(existing)
    for key, value in settings.items():
        merged[key] = _merge(existing.get(key, {}), value)
        if merged[key] is None:
            return None
    return merged


def _merge_lua(path: Path) -> str:
    """Return the text of Neovim's file with our block at its end, or where the block already is."""
    text = _read(path)
    entries = "".join(f"    [{json.dumps(key)}] = {json.dumps(SCHEMAS[key])},\n" for key in SCHEMAS)
    block = (
        f'{_LUA_BEGIN}\nvim.lsp.config("yamlls", {{\n  settings = {{ yaml = {{ schemas = {{\n'
        f"{entries}  }} }} }},\n}})\n{_LUA_END}\n"
    )
    if _LUA_BLOCK.search(text):
        return _LUA_BLOCK.sub(lambda _: block, text)
    return f"{text.rstrip()}\n\n{block}" if text.strip() else block


def _read(path: Path) -> str:
    """Return the text of a file; empty if there is none."""
    try:
        return path.read_text("utf-8-sig") if path.exists() else ""
    except UnicodeDecodeError:
        fail(Where(display(path)), "is not UTF-8", "a text file in UTF-8", kind=Kind.MISSING)


def _refuse(where: Where, found: str, settings: Mapping[str, Any]) -> NoReturn:
    hint = f"nothing was changed; add these entries yourself: {json.dumps(settings)}"
    fail(where, found, "JSON objects without comments", hint, Kind.MISSING)
