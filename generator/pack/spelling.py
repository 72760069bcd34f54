"""Accept American spellings in packs: one table, applied to YAML nodes before a model validates them.

Keys are British (`colour`); a few values are those of CSS (`center`). Either spelling of a key or of a listed value is
accepted. Names that a pack chooses itself, such as those of its palette and its columns, stay as written.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from generator.pack.yaml_nodes import Node

BRITISH_BY_AMERICAN = {"color": "colour", "gray": "grey", "center": "centre"}


def respelled(name: str, names: Collection[str]) -> str:
    """Return the spelling of a name that is known; the name itself if neither spelling is."""
    if name in names:
        return name
    for american, british in BRITISH_BY_AMERICAN.items():
        for other in (name.replace(american, british), name.replace(british, american)):
            if other in names:
                return other
    return name


def respell(node: Node, annotation: Any) -> Node:
    """Return a node with the keys and listed values of a type, such as a model, in the spelling of that type."""
    kinds = list(_alternatives(annotation))
    if isinstance(node.value, dict):
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                return _respell_model(node, kind)
            if _is_generic(kind, Mapping) and len(get_args(kind)) == 2:
                item = get_args(kind)[1]
                return replace(
                    node, value={key: respell(value, item) for key, value in node.value.items()}
                )
    elif isinstance(node.value, list):
        for kind in kinds:
            if _is_generic(kind, Sequence) and get_args(kind):
                item = get_args(kind)[0]
                return replace(node, value=[respell(value, item) for value in node.value])
    elif isinstance(node.value, str):
        return replace(node, value=respelled(node.value, list(_listed_values(kinds))))
    return node


def _respell_model(node: Node, model: type[BaseModel]) -> Node:
    """Return a mapping with the keys of a model or, where a key names the kind, of the model's subclasses."""
    annotations = {
        field.alias or name: field.annotation
        for kind in (*model.__subclasses__(), model)
        for name, field in kind.model_fields.items()
    }
    values = {}
    keys = {}
    entries = node.value if isinstance(node.value, dict) else {}
    for key, value in entries.items():
        spelling = respelled(key, annotations)
        if spelling in entries:
            spelling = key  # both spellings are given: the other one is reported as unknown
        values[spelling] = respell(value, annotations.get(spelling))
        if key in node.keys:
            keys[spelling] = node.keys[key]
    return replace(node, value=values, keys=keys)


def _alternatives(annotation: Any) -> Iterator[Any]:
    """Yield the members of a union, without their validators."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _alternatives(get_args(annotation)[0])
    elif origin in (Union, UnionType):
        for member in get_args(annotation):
            yield from _alternatives(member)
    else:
        yield annotation


def _is_generic(kind: Any, base: type) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, base)


def _listed_values(kinds: Sequence[Any]) -> Iterator[str]:
    for kind in kinds:
        if get_origin(kind) is Literal:
            yield from (value for value in get_args(kind) if isinstance(value, str))
        elif isinstance(kind, type) and issubclass(kind, Enum):
            yield from (str(member.value) for member in kind)
