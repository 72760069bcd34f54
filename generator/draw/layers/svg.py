"""`svg: art/$art` — a picture of the pack, as vectors; `set:` changes parts of it by their ids."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema

from generator.core.geometry import Rect
from generator.draw.art.changes import PROPERTIES, ArtChange, read_change
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.pack.fields import AssetField, Box, Colour, Real, names_of

_SCALAR = {"type": ["string", "number"]}
_SCHEMA = {
    "anyOf": [
        _SCALAR,
        {
            "type": "object",
            "properties": dict.fromkeys((*PROPERTIES, "text", "href"), _SCALAR),
            "additionalProperties": False,
        },
    ]
}


def _change(value: object, info: ValidationInfo) -> object:
    return value if isinstance(value, ArtChange) else read_change(value, names_of(info).folder.asset)


ChangeField = Annotated[ArtChange, BeforeValidator(_change), WithJsonSchema(_SCHEMA)]


class Svg(DrawnLayer):
    """An SVG file in a box; without a box it covers the face and its bleed."""

    main: ClassVar[str | None] = "svg"
    svg: AssetField
    box: Box | None = None
    fit: Literal["contain", "cover", "stretch"] = "contain"
    colour: Colour | None = None
    turn: Real = 0.0
    set: Mapping[str, ChangeField] = Field(default_factory=dict)

    def draw(self, canvas: Canvas) -> None:
        """Put the picture into its box."""
        box: Rect = self.box or canvas.subject.full
        canvas.art(self.svg, box, self.fit, self.colour, self.turn, changes=tuple(self.set.items()))
