"""A drawn side, and what the drawing knows of it that the picture no longer tells."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from generator.core.geometry import Point, Rect, Size


@dataclass(frozen=True)
class Ink:
    """Something that must not be cut: the box of a text or an icon, in mm from the trim's top left."""

    what: str
    box: Rect


@dataclass(frozen=True)
class Picture:
    """A pixel image as placed: its file's name and its resolution on paper."""

    name: str
    dpi: float


@dataclass(frozen=True)
class Facts:
    """What preflight needs to know; `thinnest` is the thinnest line in mm, if there is any."""

    inks: tuple[Ink, ...] = ()
    pictures: tuple[Picture, ...] = ()
    thinnest: float | None = None


@dataclass(frozen=True)
class Face:
    """One side of a design, drawn; `label` says which.

    The SVG's viewBox is in mm; bleed is negative space and what lies past the size. A picture that is put together of
    other faces says so in `parts`, the lowest first, so that a file can hold each of those once.
    """

    svg: str
    size: Size
    bleed: float
    label: str = ""
    facts: Facts = field(default_factory=Facts)
    parts: "tuple[Part, ...]" = ()

    @property
    def name(self) -> str:
        """The same for the same picture, different for different ones."""
        return sha256(self.svg.encode()).hexdigest()[:20]

    @property
    def full(self) -> Rect:
        """The picture with its bleed, in mm from the trim's top left."""
        return Rect(0, 0, *self.size).grown(self.bleed)


@dataclass(frozen=True)
class Part:
    """A face in a picture: where its middle is, in mm from the picture's top left, and how it is turned, clockwise.

    `corners` is what it is cut to, in mm from its own top left; without any it is cut to the circle in its trim.
    """

    face: Face
    centre: Point
    turn: float
    scale: float
    corners: tuple[Point, ...]


def apart(faces: Iterable[Face]) -> tuple[Face, ...]:
    """What must be drawn for some faces, each once: their parts, or themselves where they have none."""
    return tuple({one.name: one for face in faces for one in _drawn(face)}.values())


def _drawn(face: Face) -> Iterator[Face]:
    if not face.parts:
        yield face
    for part in face.parts:
        yield from _drawn(part.face)
