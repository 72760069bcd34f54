"""What a layer is to the loader: a checked model of one kind, from a table that the drawing stage brings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from generator.errors import Where


class Layer(BaseModel):
    """One thing drawn on a face. A kind's own key, such as `text:`, holds its `main` field."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    main: ClassVar[str | None] = None


LayerKinds = Mapping[str, type[Layer]]


@dataclass(frozen=True)
class LayerAt:
    """A layer of one design, and the place in the pack where it is written."""

    layer: Layer
    where: Where
