"""JSON Schemas of a pack's files for editors, made from the models that validate the files.

`keys.toml` has a text for each key, which editors show while a pack is written.

VS Code, Zed and Neovim start the same program, yaml-language-server. Their settings tell it which schema belongs to
which files. Settings that exist are kept; only the entries for packs are added or replaced.
"""

import json
import re
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from pydantic import BaseModel

from generator.base.errors import Kind, Where, fail
from generator.base.files import display
from generator.pack.game import LayerKinds
from generator.pack.game_spec import GameSpec
from generator.pack.layout import EACH, GIVEN, GROUP, INCLUDE, TAG, WHEN, SpreadSpec
from generator.pack.row_filler import GroupMoveSpec
from generator.pack.yaml_nodes import CODE, TRANSLATED

DIALECT = "https://json-schema.org/draft/2020-12/schema"
LAYER_KEYS = "Layer"
GROUP_KEYS = "Group"
"""The tables in `keys.toml` of keys that several kinds of layers have, and of groups and includes."""


@cache
def key_texts() -> Mapping[str, Mapping[str, str]]:
    """Return the text of each key by the name of its model."""
    with (Path(__file__).parent / "keys.toml").open("rb") as file:
        return tomllib.load(file)


def game_schema(board: type[BaseModel] | None = None) -> dict[str, Any]:
    """Return the schema of `game.yaml`, merged with the model for boards if given."""
    parts = [model_schema(model) for model in (GameSpec, board) if model]
    merged = {
        key: {k: v for part in parts for k, v in part.get(key, {}).items()}
        for key in ("properties", "$defs")
    }
    schema = {"$schema": DIALECT, **parts[0], **merged, "title": "A game"}
    return {
        **_with_translations(schema, TRANSLATED),
        "$defs": {k: _with_translations(v, TRANSLATED) for k, v in merged["$defs"].items()},
    }


def _with_translations(
    schema: dict[str, Any], names: Collection[str] | None = None
) -> dict[str, Any]:
    """Add `key@nl` patterns to an object's schema, for all keys or for those in `names`."""
    fields = schema.get("properties", {})
    patterns = {
        f"^{key}@{CODE}$": value for key, value in fields.items() if names is None or key in names
    }
    return {**schema, "patternProperties": patterns} if patterns else schema


def layout_schema(kinds: LayerKinds) -> dict[str, Any]:
    """Return the schema of a layout: a list of layers of these kinds."""
    layers = {"type": "array", "items": {"$ref": "#/$defs/layer"}}
    boxes = {
        "type": "object",
        "additionalProperties": {"type": "array", "minItems": 4, "maxItems": 4},
    }
    properties = {"extends": {"type": "string"}, "boxes": boxes, "layers": layers}
    return {
        "$schema": DIALECT,
        "title": "A layout",
        "anyOf": [
            layers,
            {"type": "object", "properties": properties, "additionalProperties": False},
        ],
        "$defs": {
            **model_schema(SpreadSpec)["$defs"],
            **{
                name: part
                for kind in kinds.values()
                for name, part in model_schema(kind, LAYER_KEYS).get("$defs", {}).items()
            },
            "layer": {
                "anyOf": [
                    _include_schema(),
                    _group_schema(),
                    *(_layer_schema(name, kinds) for name in sorted(kinds)),
                ]
            },
        },
    }


def _include_schema() -> dict[str, Any]:
    definitions = {
        "type": "object",
        "additionalProperties": {"type": ["string", "number", "boolean"]},
    }
    return _layers_schema(INCLUDE, {INCLUDE: {"type": "string"}, GIVEN: definitions})


def _group_schema() -> dict[str, Any]:
    return _layers_schema(GROUP, {GROUP: {"type": "array", "items": {"$ref": "#/$defs/layer"}}})


def _layers_schema(required: str, own_properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an entry that stands for several layers."""
    entry = {
        "type": "object",
        "required": [required],
        "properties": {**own_properties, **_placement_properties(), **_common_properties()},
        "additionalProperties": False,
    }
    return _with_translations(_with_texts(entry, GROUP_KEYS))


def _placement_properties() -> dict[str, Any]:
    """Return the properties that move or repeat a group."""
    return {
        EACH: {"type": "string"},
        **model_schema(GroupMoveSpec)["properties"],
        **model_schema(SpreadSpec)["properties"],
    }


def _common_properties() -> dict[str, Any]:
    conditions = {"type": ["string", "array"], "items": {"type": "string"}}
    properties = {WHEN: conditions, TAG: {"type": "string"}}
    described: dict[str, Any] = _with_texts({"properties": properties}, LAYER_KEYS)["properties"]
    return described


def model_schema(model: type[BaseModel], *shared: str) -> dict[str, Any]:
    """Return the schema of a model with the texts of its keys; `shared` are further tables of texts."""
    schema = model.model_json_schema()
    parts = {
        name: _with_texts(part, *shared, name) for name, part in schema.get("$defs", {}).items()
    }
    return {**_with_texts(schema, *shared, model.__name__), **({"$defs": parts} if parts else {})}


def _with_texts(schema: dict[str, Any], *tables: str) -> dict[str, Any]:
    """Describe the keys of an object's schema; of several texts for a key, the last table's counts."""
    texts = {key: text for name in tables for key, text in key_texts().get(name, {}).items()}
    fields = {
        key: {**field, "description": texts[key]} if key in texts else field
        for key, field in schema.get("properties", {}).items()
    }
    return {**schema, "properties": fields} if fields else schema


def _layer_schema(name: str, kinds: LayerKinds) -> dict[str, Any]:
    kind = kinds[name]
    schema = model_schema(kind, LAYER_KEYS)
    fields = schema["properties"]
    inside = _with_translations(
        {"type": "object", "properties": fields, "additionalProperties": False}
    )
    beside = {key: value for key, value in fields.items() if key != kind.main}
    properties = {
        "type": "object",
        "description": (kind.__doc__ or "").strip(),
        "required": [name],
        "properties": {
            name: {"anyOf": [fields[kind.main], inside]} if kind.main else inside,
            **beside,
            **_common_properties(),
        },
        "additionalProperties": False,
    }
    return _with_translations(_with_texts(properties, LAYER_KEYS, kind.__name__))


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

    Raise `PnpError`, which ends with the exit code for files, for a file that cannot be merged.
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
