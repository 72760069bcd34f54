"""The items of a picture: shapes, text runs, art, images and groups, as frozen values.

Drawing a design returns a `Picture` that holds its items, lowest first. Every later step reads the
items: the SVG writer, typst's code for print, previews, web pages, low ink, releases and the
checks. Nothing here knows SVG or PDF.

Lengths are in mm. The origin is the top left of the trim; bleed lies at negative coordinates and
beyond the size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import groupby
from math import hypot, inf
from typing import Literal

from generator.base.fonts import FontFile
from generator.base.geometry import IDENTITY, Affine, Fit, Point, Rect, Size, fit_view, map_view
from generator.base.outline import Outline
from generator.base.values import digest_of
from generator.picture.images import Pixels, dots_per_inch


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line: width in mm, colour, and the form of its ends and corners as SVG names them."""

    width: float
    colour: str
    cap: Literal["butt", "round", "square"] = "butt"
    join: Literal["miter", "round", "bevel"] = "miter"
    dash: tuple[float, ...] = ()
    dash_offset: float = 0.0


@dataclass(frozen=True)
class Gradient:
    """Colours that blend over the box of the filled shape.

    Each stop is a share of the way and a colour. `across` and `down` give the direction; if both
    are 0, the colours spread from the middle outwards.
    """

    stops: tuple[tuple[float, str], ...]
    across: float
    down: float


Paint = str | Gradient
"""`#rrggbb`, `#rrggbbaa`, `none`, or a gradient."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle whose corners are rounded by `radius`."""

    rect: Rect
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle."""

    centre: Point
    radius: float


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed outline of straight lines."""

    corners: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Path:
    """Path data as SVG writes it; filled by the nonzero rule."""

    d: str


Geometry = Box | Circle | Polygon | Path


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled or outlined geometry, or both."""

    geometry: Geometry
    fill: Paint = "none"
    stroke: Stroke | None = None

    @property
    def fingerprint(self) -> object:
        """A value that is equal for shapes that look the same: the shape, which holds only values."""
        return self


@dataclass(frozen=True, slots=True)  # a large deck holds a hundred thousand runs
class TextRun:
    """Text in one font and one direction, from its left edge `x` on the baseline `y`.

    A run that reads from right to left carries a right-to-left mark where its ends are not letters,
    so that every engine orders it correctly from the left edge. `width` is the advance without the
    letter spacing after the last letter. Spaces count. `small_caps` requires a font that has them.
    `stroke` outlines the letters.
    """

    text: str
    font: FontFile
    size: float
    x: float
    y: float
    colour: str
    spacing: float
    width: float
    small_caps: bool = False
    underline: bool = False
    stroke: Stroke | None = None

    @property
    def fingerprint(self) -> str:
        """The visible properties; the font is identified by name, not by the place of its file."""
        place = f"{self.x!r} {self.y!r} {self.size!r} {self.spacing!r} {self.colour}"
        return f"{self.text!r} {self.font.key} {place} {self.small_caps} {self.underline} {self.stroke}"


@dataclass(frozen=True)
class EmbeddedImage:
    """An image of pixels inside art: its pixels, and its size in the units of its own coordinates."""

    name: str
    pixels: tuple[int, int]
    width: float | None
    height: float | None
    fit: str
    matrix: Affine

    def dpi(self, across: float, down: float) -> float:
        """Return the dots per inch on paper if a unit of the art is `across` by `down` mm."""
        m = self.matrix
        x_scale = hypot(m.a * across, m.b * down)
        y_scale = hypot(m.c * across, m.d * down)
        ratio = self.pixels[0] / self.pixels[1]
        width = self.width or (self.height * ratio if self.height else self.pixels[0])
        height = self.height or width / ratio
        size = (width * x_scale, height * y_scale)
        return dots_per_inch(self.pixels, size, self.fit) if min(size) > 0 else inf


@dataclass(frozen=True)
class Art:
    """A designer's SVG, checked and complete in itself.

    A job reads it once; all faces that show it share it.

    `view` is the part to show and `thinnest_line` the width of its thinnest line, both in the art's
    own units. `fonts` and `words` are those of the texts inside it.
    """

    name: str
    svg: str
    view: Rect
    fonts: tuple[FontFile, ...] = ()
    images: tuple[EmbeddedImage, ...] = ()
    words: tuple[str, ...] = ()
    thinnest_line: float | None = None

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the SVG."""
        return sha256(self.svg.encode(errors="replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class PlacedArt:
    """Art in a box: all of it inside the box, filling the box and cut off by it, or stretched to it."""

    art: Art
    box: Rect
    fit: Fit = "contain"

    @property
    def fingerprint(self) -> object:
        """A value that is equal for art that looks the same."""
        return self.art.fingerprint, self.box, self.fit

    @property
    def view_box(self) -> Rect:
        """The rectangle in which the whole view of the art lies."""
        return fit_view(self.art.view, self.box, self.fit)

    @property
    def to_face(self) -> Affine:
        """The map from the art's own units to the face that the box is on."""
        return map_view(self.art.view, self.view_box)


Position = Literal["center", "top", "bottom", "left", "right"]


@dataclass(frozen=True, slots=True)
class PlacedImage:
    """An image of pixels in a box; `position` is the part that stays if the box cuts some off."""

    image: Pixels
    box: Rect
    fit: Fit = "cover"
    position: Position = "center"

    @property
    def fingerprint(self) -> object:
        """A value that is equal for images that look the same."""
        return self.image.key, self.box, self.fit, self.position


@dataclass(frozen=True)
class Group:
    """Items moved, clipped or faded together. All faces that show a layer share its group.

    `clip` is path data, filled by the even-odd rule, in the coordinates of the items.
    """

    items: tuple[Item, ...]
    at: Affine = IDENTITY
    clip: str = ""
    opacity: float = 1.0

    @property
    def is_plain(self) -> bool:
        """True if the group only holds its items together."""
        return self.at == IDENTITY and not self.clip and self.opacity == 1.0

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the items; computed once for a group that many faces share."""
        return digest_of(
            [item.fingerprint for item in self.items], self.at, self.clip, self.opacity
        )


@dataclass(frozen=True, slots=True)
class PlacedPicture:
    """A picture inside another; `clip` cuts it in its own coordinates."""

    picture: Picture
    at: Affine = IDENTITY
    clip: Outline | None = None

    @property
    def fingerprint(self) -> object:
        """A value that is equal for pictures that look the same."""
        return self.picture.name, self.at, self.clip and self.clip.d


Item = Shape | TextRun | PlacedArt | PlacedImage | Group | PlacedPicture


@dataclass(frozen=True)
class Picture:
    """Items on a trim of some size, with `bleed` around it."""

    items: tuple[Item, ...]
    size: Size
    bleed: float = 0.0

    @cached_property
    def name(self) -> str:
        """A digest that is equal for pictures that look the same."""
        return digest_of([item.fingerprint for item in self.items], self.full)

    @property
    def full(self) -> Rect:
        """The box of the trim with its bleed."""
        return Rect(0, 0, *self.size).grown(self.bleed)

    @property
    def placed(self) -> tuple[PlacedPicture, ...]:
        """The pictures placed directly in this one."""
        return tuple(item for item in self.items if isinstance(item, PlacedPicture))

    @cached_property
    def layers(self) -> tuple[PlacedPicture, ...]:
        """The picture as placed pictures only.

        The items between two of them become a picture, too.
        """
        if not self.placed:
            return (PlacedPicture(self),)
        layers: list[PlacedPicture] = []
        for is_placed, run in groupby(self.items, lambda item: isinstance(item, PlacedPicture)):
            if is_placed:
                layers += [item for item in run if isinstance(item, PlacedPicture)]
            else:
                layers.append(PlacedPicture(Picture(tuple(run), self.size, self.bleed)))
        return tuple(layers)

    @cached_property
    def leaves(self) -> tuple[Picture, ...]:
        """The distinct pictures without placed pictures that this one consists of."""
        if not self.placed:
            return (self,)
        leaves_by_name = {leaf.name: leaf for layer in self.layers for leaf in layer.picture.leaves}
        return tuple(leaves_by_name.values())

    @property
    def edge(self) -> Outline:
        """The line along which it is cut: its clip if it is one clipped picture, otherwise the box of its trim."""
        clip = self.placed[0].clip if len(self.items) == 1 and self.placed else None
        return clip or Outline.of_box(Rect(0, 0, *self.size))


def walk(items: tuple[Item, ...], at: Affine = IDENTITY) -> Iterator[tuple[Item, Affine]]:
    """Yield every shape, text run, art and image with the transform from its coordinates to the picture's.

    Groups and placed pictures are entered, not yielded.
    """
    for item in items:
        if isinstance(item, Group):
            yield from walk(item.items, at if item.at == IDENTITY else at @ item.at)
        elif isinstance(item, PlacedPicture):
            yield from walk(item.picture.items, at @ item.at)
        else:
            yield item, at


def map_items(
    items: Iterable[Item], change: Callable[[Item, Affine], Item | None], at: Affine = IDENTITY
) -> tuple[Item, ...]:
    """Return the items with every shape, text run, art and image replaced by `change`, which drops it for None.

    `change` receives the transform from the item's coordinates to the picture's, in the order of `walk`.
    """
    changed: list[Item] = []
    for item in items:
        new: Item | None
        if isinstance(item, Group):
            new = replace(item, items=map_items(item.items, change, at @ item.at))
        elif isinstance(item, PlacedPicture):
            inner = map_items(item.picture.items, change, at @ item.at)
            new = replace(item, picture=replace(item.picture, items=inner))
        else:
            new = change(item, at)
        if new is not None:
            changed.append(new)
    return tuple(changed)


def text_runs(picture: Picture) -> Iterator[TextRun]:
    """Yield all text runs of a picture, lowest first."""
    return (item for item, _ in walk(picture.items) if isinstance(item, TextRun))


def art_of(picture: Picture) -> Iterator[Art]:
    """Yield the distinct pieces of art of a picture, lowest first."""
    fingerprints: set[str] = set()
    for item, _ in walk(picture.items):
        if isinstance(item, PlacedArt) and item.art.fingerprint not in fingerprints:
            fingerprints.add(item.art.fingerprint)
            yield item.art


def fonts_of(picture: Picture) -> frozenset[FontFile]:
    """Return the font files that a picture is set in, also inside its art."""
    fonts = {run.font for run in text_runs(picture)}
    return frozenset(fonts.union(*(art.fonts for art in art_of(picture))))


def words_of(picture: Picture) -> tuple[str, ...]:
    """Return the words on a picture, lowest first, then those inside its art."""
    words = [word for run in text_runs(picture) for word in run.text.split()]
    return (*words, *(word for art in art_of(picture) for word in art.words))


def images_of(picture: Picture) -> Iterator[Pixels]:
    """Yield the distinct images of pixels of a picture, lowest first."""
    images = {
        item.image.key: item.image
        for item, _ in walk(picture.items)
        if isinstance(item, PlacedImage)
    }
    return iter(images.values())


def without_text(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return the items without text runs; text inside art stays."""
    return map_items(items, lambda item, _: None if isinstance(item, TextRun) else item)
