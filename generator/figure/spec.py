"""What stands in a pack's `figures.yaml`."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, WithJsonSchema

from generator.errors import Wrong, unknown
from generator.figure.overlays import OVERLAYS
from generator.figure.overlays.base import Overlay
from generator.pack import fields
from generator.pack.source import Node


class Part(BaseModel):
    """A part of a figure: unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


def _overlay(value: object) -> object:
    """`tick: B2` with its siblings, as the overlay of that kind."""
    if not isinstance(value, dict):
        raise Wrong("an overlay is a mapping", f"one of: {', '.join(OVERLAYS)}")
    named = [key for key in value if key in OVERLAYS]
    if len(named) != 1:
        raise unknown("overlay", str(next(iter(value), "")), OVERLAYS)
    return OVERLAYS[named[0]].model_validate(value)


def _lines(value: object) -> object:
    return tuple(value) if isinstance(value, list) else (value,)


OverlayField = Annotated[Overlay, BeforeValidator(_overlay), WithJsonSchema({"type": "object"})]
Texts = Annotated[tuple[fields.Text, ...], BeforeValidator(_lines)]


class HeldSpec(Part):
    """A piece held above the board: what it is, and the spot over which it is held."""

    piece: fields.Text
    at: fields.Text
    tilt: fields.Real = 8.0


class FigureSpec(Part):
    """One figure.

    `board` is rows of cells, or a list of places, or `like` and the name of the figure that has the same; `names` are
    its own short words for cells. `claims` are checked against the board. `scale` is the size of a tile as a share of
    its size on paper. With `coordinates` its columns and rows are named.
    """

    board: fields.Text | list[fields.Text]
    names: dict[str, fields.Text] = {}
    scale: fields.Real = 0.6
    coordinates: fields.Bool = False
    crop: Annotated[tuple[fields.Text, fields.Text], BeforeValidator(_lines)] | None = None
    held: list[HeldSpec] = []
    overlays: list[OverlayField] = []
    claims: Texts = ()
    caption: fields.Text = ""
    alt: fields.Text | None = None
    wide: fields.Bool = False


def translated(node: Node, language: str) -> Node:
    """The node with `key@nl` in the place of `key` when Dutch is asked for, and without any other translation."""
    if isinstance(node.value, list):
        return Node([translated(item, language) for item in node.value], node.where)
    if not isinstance(node.value, dict):
        return node
    values: dict[str, Any] = {}
    for key, value in node.value.items():
        name, _, tongue = key.partition("@")
        if tongue == language or (not tongue and f"{key}@{language}" not in node.value):
            values[name] = translated(value, language)
    return Node(values, node.where, {key.partition("@")[0]: where for key, where in node.keys.items()})
