"""JSON Schemas of a pack's files for editors, made from the models that validate the files."""

from collections.abc import Collection
from typing import Any

from pydantic import BaseModel

from generator.pack.game import LayerKinds
from generator.pack.game_spec import GameSpec
from generator.pack.layout import EACH, GIVEN, GROUP, INCLUDE, TAG, WHEN, SpreadSpec
from generator.pack.rows import GroupMoveSpec
from generator.pack.yaml_nodes import CODE, TRANSLATED

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def game_schema(board: type[BaseModel] | None = None) -> dict[str, Any]:
    """Return the schema of `game.yaml`, merged with the model for boards if given."""
    parts = [_schema(model) for model in (GameSpec, board) if model]
    merged = {
        key: {k: v for part in parts for k, v in part.get(key, {}).items()}
        for key in ("properties", "$defs")
    }
    whole = {"$schema": DIALECT, **parts[0], **merged, "title": "A game"}
    return {
        **_with_translations(whole, TRANSLATED),
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
    whole = {"extends": {"type": "string"}, "boxes": boxes, "layers": layers}
    return {
        "$schema": DIALECT,
        "title": "A layout",
        "anyOf": [layers, {"type": "object", "properties": whole, "additionalProperties": False}],
        "$defs": {
            **_schema(SpreadSpec)["$defs"],
            **{
                name: part
                for kind in kinds.values()
                for name, part in _schema(kind).get("$defs", {}).items()
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
    given = {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}}
    properties = {
        INCLUDE: {"type": "string"},
        GIVEN: given,
        **_placement_properties(),
        **_common_properties(),
    }
    return _with_translations(
        {
            "type": "object",
            "required": [INCLUDE],
            "properties": properties,
            "additionalProperties": False,
        }
    )


def _group_schema() -> dict[str, Any]:
    layers = {"type": "array", "items": {"$ref": "#/$defs/layer"}}
    properties = {GROUP: layers, **_placement_properties(), **_common_properties()}
    return _with_translations(
        {
            "type": "object",
            "required": [GROUP],
            "properties": properties,
            "additionalProperties": False,
        }
    )


def _placement_properties() -> dict[str, Any]:
    """Return the properties that move or repeat a group."""
    return {
        EACH: {"type": "string"},
        **_schema(GroupMoveSpec)["properties"],
        **_schema(SpreadSpec)["properties"],
    }


def _common_properties() -> dict[str, Any]:
    conditions = {"type": ["string", "array"], "items": {"type": "string"}}
    return {WHEN: conditions, TAG: {"type": "string"}}


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()


def _layer_schema(name: str, kinds: LayerKinds) -> dict[str, Any]:
    kind = kinds[name]
    schema = _schema(kind)
    fields = schema["properties"]
    inside = _with_translations(
        {"type": "object", "properties": fields, "additionalProperties": False}
    )
    beside = {key: value for key, value in fields.items() if key != kind.main}
    whole = {
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
    return _with_translations(whole)
