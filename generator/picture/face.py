"""A face: the picture of one side of a design, and the items that a cut must not reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from generator.base.geometry import IDENTITY, Point, Rect
from generator.base.outline import Outline
from generator.picture.images import dots_per_inch
from generator.picture.items import (
    Art,
    Picture,
    PlacedArt,
    PlacedImage,
    PlacedPicture,
    Shape,
    walk,
    without_text,
)


@dataclass(frozen=True, slots=True)
class KeepInside:
    """The box of a text, icon or feature that no cut may reach, in mm from the trim's top left.

    `box` is the upright box; `corners` are those of the box as it is turned, clockwise from its own
    top left. `art` fills the box, so only its ink counts. `letters` is the number of letters in a
    single line of text, otherwise 0. `is_from_author` marks text that the art itself contains: its
    place is its author's affair. `layer` is the number of its layer among those of its side.
    """

    label: str
    box: Rect
    corners: tuple[Point, ...] = ()
    art: Art | None = None
    letters: int = 0
    is_from_author: bool = False
    layer: int = 0

    def mirrored(self, width: float) -> KeepInside:
        """Return the same box on a face of some width that is mirrored left to right."""
        return replace(
            self,
            box=Rect(width - self.box.right, self.box.y, self.box.w, self.box.h),
            corners=tuple(Point(width - corner.x, corner.y) for corner in self.corners),
        )


@dataclass(frozen=True, slots=True)
class CrampedFeature:
    """A feature of a tile that overlaps something or is too near to the cut.

    `size` is its width and `room` the width that it has, both in mm.
    """

    name: str
    size: float
    room: float


@dataclass(frozen=True)
class Advice:
    """A deviation from the author's intent, found while drawing a face, and advice on it.

    `layer` is the number of its layer among those of its side.
    """

    text: str
    hint: str
    layer: int = 0


@dataclass(frozen=True)
class Face(Picture):
    """One side of a design, or another picture that is shown whole; `label` names it in messages.

    `cramped` lists the features of a tile that have too little room.

    `source_key` identifies all inputs of the face before it is drawn; it is empty for other
    pictures. `item_layers` has the number of the layer that drew each item.
    """

    label: str = ""
    keep_inside: tuple[KeepInside, ...] = ()
    source_key: str = field(default="", compare=False)
    cramped: tuple[CrampedFeature, ...] = ()
    advice: tuple[Advice, ...] = field(default=(), compare=False)
    item_layers: tuple[int, ...] = field(default=(), compare=False)

    def cut(self, outline: Outline) -> Face:
        """Return the face cut to an outline, without bleed.

        A box with sharp corners needs no cut.
        """
        if outline.is_box and not outline.radius:
            return self
        return Face(
            (PlacedPicture(self, IDENTITY, outline),), self.size, 0.0, self.label, self.keep_inside
        )

    def without_text(self) -> Face:
        """Return the face without the text runs; text inside art stays."""
        return replace(self, items=without_text(self.items))


@dataclass(frozen=True)
class SharedFaces:
    """The source keys of faces that other jobs use too; none if a job is alone.

    Their pages are compiled in documents of their own, so that these jobs find them in the cache.
    All other faces are of one copy of an edition.
    """

    keys: frozenset[str] = frozenset()

    def split(self, faces: Sequence[Face]) -> Iterator[Sequence[Face]]:
        """Yield the faces that other jobs use, then the others."""
        for is_shared in (True, False):
            if part := [face for face in faces if (face.source_key in self.keys) == is_shared]:
                yield part


NOTHING_SHARED = SharedFaces()


def resolutions(face: Face) -> Iterator[tuple[str, float]]:
    """Yield the images of pixels on a face, also those inside art, with their dots per inch on paper.

    An image that is one pixel wide or high is an edge that is stretched into the bleed.
    """
    for item, at in walk(face.items):
        if isinstance(item, PlacedImage) and min(item.image.width, item.image.height) > 1:
            size = (item.box.w * at.scale, item.box.h * at.scale)
            pixels = (item.image.width, item.image.height)
            yield item.image.name, dots_per_inch(pixels, size, item.fit)
        elif isinstance(item, PlacedArt):
            box = item.view_box
            view = item.art.view
            for image in item.art.images:
                dpi = image.dpi(at.scale * box.w / view.w, at.scale * box.h / view.h)
                yield image.name, dpi


def thinnest_line(face: Face) -> float | None:
    """Return the width in mm of the thinnest line on a face, or None if it has no lines."""
    widths: list[float] = []
    for item, at in walk(face.items):
        if isinstance(item, Shape) and item.stroke:
            widths.append(item.stroke.width * at.scale)
        elif isinstance(item, PlacedArt) and item.art.thinnest_line is not None:
            view = item.art.view
            widths.append(
                item.art.thinnest_line * at.scale * min(item.box.w / view.w, item.box.h / view.h)
            )
    return min(widths, default=None)
