"""What every kind of overlay has."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationInfo

from generator.core.problems import unknown
from generator.figure.pen import Pen
from generator.figure.spots import Ground
from generator.pack.fields import colour


def _inked(value: object, info: ValidationInfo) -> str:
    text, palette = str(value).strip(), info.context
    if not text.startswith("$"):
        return colour(text)
    if not isinstance(palette, Mapping) or text[1:] not in palette:
        raise unknown("colour", text, [f"${name}" for name in palette or ()])
    return str(palette[text[1:]])


Ink = Annotated[str, BeforeValidator(_inked)]
"""A colour, or `$name` of the pack's palette."""


class Overlay(BaseModel):
    """Something drawn over a board. A kind's own key, such as `tick:`, holds its `main` field."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)
    main: ClassVar[str]
    verdict: ClassVar[bool | None] = None
    """Whether it says of what lies there that it may be done, or that it may not."""

    @property
    def text(self) -> str:
        """What it says in words, whose numbers are those of the figure's claims."""
        return ""

    @abstractmethod
    def draw(self, ground: Ground, pen: Pen) -> None:
        """Draw it."""
