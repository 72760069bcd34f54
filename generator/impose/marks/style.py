"""What a style of cut marks is: where its strokes would lie, before anything is kept clear of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.core.geometry import Rect


class Cut(NamedTuple):
    """A piece as marks see it: where it is cut, and where it is inked."""

    trim: Rect
    ink: Rect


class Stroke(NamedTuple):
    """A stretch of the upright line at `x`, from `top` down to `bottom`, in mm."""

    x: float
    top: float
    bottom: float


@dataclass(frozen=True)
class Style:
    """A style of marks.

    `reach` is how far, in mm, its strokes would like to stand out from the pieces.
    `upright` gives the strokes along the upright cuts; those along the level cuts are
    had from it by swapping x and y.
    """

    name: str
    what: str
    reach: float
    upright: Callable[[Sequence[Cut]], Iterable[Stroke]]
