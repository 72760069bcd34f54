"""What a layer is to the loader: a checked model of one kind, from a table that the drawing stage brings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from generator.core.geometry import Point
from generator.core.problems import Where


class Layer(BaseModel):
    """One thing drawn on a face. A kind's own key, such as `text:`, holds its `main` field."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    main: ClassVar[str | None] = None


LayerKinds = Mapping[str, type[Layer]]


@dataclass(frozen=True)
class Move:
    """Where a group's origin goes (mm), and how far the group is turned about it (degrees clockwise)."""

    at: Point
    turn: float


@dataclass(frozen=True)
class LayerAt:
    """A layer of one design, the place in the pack where it is written, and its groups' movements, outer first."""

    layer: Layer
    where: Where
    moves: tuple[Move, ...] = ()
