"""JSON Schemas of a pack's files for editors, made from the models that validate the files.

`keys.toml` has a text for each key, which editors show while a pack is written.
"""

import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from generator.pack.game import LayerKinds
from generator.pack.game_spec import GameSpec
from generator.pack.layout import EACH, GIVEN, GROUP, INCLUDE, TAG, WHEN, SpreadSpec
from generator.pack.rows import GroupMoveSpec
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
    properties = {
        INCLUDE: {"type": "string"},
        GIVEN: definitions,
        **_placement_properties(),
        **_common_properties(),
    }
    include = {
        "type": "object",
        "required": [INCLUDE],
        "properties": properties,
        "additionalProperties": False,
    }
    return _with_translations(_with_texts(include, GROUP_KEYS))


def _group_schema() -> dict[str, Any]:
    layers = {"type": "array", "items": {"$ref": "#/$defs/layer"}}
    properties = {GROUP: layers, **_placement_properties(), **_common_properties()}
    group = {
        "type": "object",
        "required": [GROUP],
        "properties": properties,
        "additionalProperties": False,
    }
    return _with_translations(_with_texts(group, GROUP_KEYS))


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
