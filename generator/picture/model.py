"""A picture as it is composed: its parts, the lowest first, each with the map that brings it to its place.

Lengths in mm. A picture's origin is the top left of its trim; bleed is negative space and what lies past the size.
A map takes a part's own coordinates to those of the picture that it lies in. All of it is frozen, can be hashed and
pickled, and a picture's name says what it shows: the same for the same parts, different for different ones.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from itertools import groupby

from generator.core.geometry import IDENTITY, Affine, Rect, Size
from generator.core.held import Held, held
from generator.core.outline import Outline
from generator.core.svg import PICTURE_KEY
from generator.core.values import digest_of
from generator.text import TextRun


@dataclass(frozen=True)
class Drawing:
    """What we drew ourselves: an SVG that keeps the contract, whose viewBox is laid on all of its picture.

    In what is `written`, each larger picture of pixels is a key; `pictures` are their addresses by key, laid aside once
    however many drawings show them. It can be made of an SVG that is complete in itself, too.
    """

    __match_args__ = ("svg",)

    written: str
    pictures: tuple[tuple[str, Held], ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not self.pictures and _ADDRESS in self.written:
            found = {picture_key(each): held(each.encode()) for each in dict.fromkeys(_PICTURE.findall(self.written))}
            object.__setattr__(self, "written", _PICTURE.sub(lambda match: picture_key(match[0]), self.written))
            object.__setattr__(self, "pictures", tuple(found.items()))

    @property
    def svg(self) -> str:
        """The whole SVG."""
        if not self.pictures:
            return self.written
        known = {key: picture.text for key, picture in self.pictures}
        return PICTURE_KEY.sub(lambda match: known.get(match[0], match[0]), self.written)

    @cached_property
    def digest(self) -> str:
        """Of all that is drawn."""
        return sha256(self.written.encode()).hexdigest()[:20]


_ADDRESS = "data:image/"
_PICTURE = re.compile(r"data:image/(?:png|jpeg);base64,[A-Za-z0-9+/]{1000,}=*")


def picture_key(address: str) -> str:
    """What stands for a picture in what is written: a small one for itself."""
    return f"pnp-picture:{sha256(address.encode()).hexdigest()[:40]}" if _PICTURE.fullmatch(address) else address


class MediaKind(StrEnum):
    """What an author's file is, as the web calls it."""

    SVG = "image/svg+xml"
    PNG = "image/png"
    JPEG = "image/jpeg"


@dataclass(frozen=True)
class PlacedArt:
    """An author's picture, placed whole as it was given: it fills its box, and shows inside the clip where it has one.

    `clip` is in the coordinates of the box.
    """

    name: str
    kind: MediaKind
    data: bytes
    box: Rect
    at: Affine = IDENTITY
    clip: Outline | None = None

    @cached_property
    def digest(self) -> str:
        """Of the file and of where it lies."""
        return digest_of(sha256(self.data).hexdigest(), self.kind, self.box, self.at, self.clip and self.clip.d)


@dataclass(frozen=True)
class PlacedWords:
    """Text that is set: each run from its left edge on its baseline."""

    runs: tuple[TextRun, ...]
    at: Affine = IDENTITY

    @cached_property
    def digest(self) -> str:
        """Of the letters, their fonts and places; a font is its name here, wherever its file lies."""
        looks = (
            (run.text, run.font.key, run.size, run.x, run.y, run.colour, run.spacing, run.small_caps, run.underline)
            for run in self.runs
        )
        return digest_of(*looks, self.at)


@dataclass(frozen=True)
class PlacedPicture:
    """A picture in another; `clip` is in the coordinates of the one that is placed."""

    picture: "Picture"
    at: Affine = IDENTITY
    clip: Outline | None = None

    @cached_property
    def digest(self) -> str:
        """Of the picture and of where it lies."""
        return digest_of(self.picture.name, self.at, self.clip and self.clip.d)


Part = Drawing | PlacedArt | PlacedWords | PlacedPicture


@dataclass(frozen=True)
class Picture:
    """What is composed, and the trim that it is composed for."""

    parts: tuple[Part, ...]
    size: Size
    bleed: float = 0.0

    @cached_property
    def name(self) -> str:
        """The same for the same picture, different for different ones."""
        digests = [part.digest for part in self.parts]
        return (
            digests[0] if len(digests) == 1 and isinstance(self.parts[0], Drawing) else digest_of(*digests, self.full)
        )

    @property
    def full(self) -> Rect:
        """All of it with its bleed."""
        return Rect(0, 0, *self.size).grown(self.bleed)

    @property
    def placed(self) -> tuple[PlacedPicture, ...]:
        """The pictures that lie in it."""
        return tuple(part for part in self.parts if isinstance(part, PlacedPicture))

    @cached_property
    def layers(self) -> "tuple[PlacedPicture, ...]":
        """The same as pictures alone: what lies between two placed ones is a picture too."""
        if not self.placed:
            return (PlacedPicture(self),)
        runs = groupby(self.parts, lambda part: isinstance(part, PlacedPicture))
        return tuple(layer for placed, run in runs for layer in self._layers(tuple(run), placed=placed))

    @cached_property
    def leaves(self) -> "tuple[Picture, ...]":
        """What must be drawn to show it, each once: it itself, or what it is put together of."""
        if not self.placed:
            return (self,)
        found = {leaf.name: leaf for layer in self.layers for leaf in layer.picture.leaves}
        return tuple(found.values())

    def _layers(self, run: tuple[Part, ...], *, placed: bool) -> Iterator[PlacedPicture]:
        if not placed:
            yield PlacedPicture(Picture(run, self.size, self.bleed))
        yield from (part for part in run if isinstance(part, PlacedPicture))
