"""What every kind of overlay has."""

from abc import abstractmethod
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from generator.figure.pen import Pen
from generator.figure.spots import Ground


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
