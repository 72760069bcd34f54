"""Pictures of the pack: `icon: sword`, a row of them (`repeat:`), `image: art/$photo` and `svg: art/$art`.

A PNG or JPEG goes into the print as it is; an SVG goes there as vectors, and `set:` changes parts of it by their ids.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema

from generator.core.geometry import Point, Rect
from generator.core.problems import Wrong
from generator.draw.art.changes import PROPERTIES, ArtChange, read_change
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.draw.pixels import Pixels, dots, grown_parts, seen_part
from generator.pack.fields import Above, AssetField, Box, Colour, Count, IconField, Length, Place, Real, names_of


class Icon(DrawnLayer):
    """A picture of the pack's icons, `size` mm wide and high, with its middle `at` a place."""

    main: ClassVar[str | None] = "icon"
    icon: IconField
    at: Place
    size: Above
    colour: Colour | None = None
    turn: Real = 0.0

    def draw(self, canvas: Canvas) -> None:
        """Put the icon on its place."""
        box = Rect(self.at.x - self.size / 2, self.at.y - self.size / 2, self.size, self.size)
        canvas.art(self.icon, box, "contain", self.colour, self.turn)
        canvas.keep_safe(f"icon {self.icon.stem!r}", box)


STEPS = {"right": Point(1, 0), "left": Point(-1, 0), "down": Point(0, 1), "up": Point(0, -1)}


class Repeat(DrawnLayer):
    """An icon `times` times: the first (or the middle) of the row stands `at` a place, `gap` mm lie between two."""

    main: ClassVar[str | None] = "repeat"
    repeat: IconField
    times: Count
    at: Place
    size: Above
    gap: Length = 1.0
    towards: Literal["right", "left", "down", "up"] = "right"
    align: Literal["start", "center"] = "start"
    colour: Colour | None = None

    def draw(self, canvas: Canvas) -> None:
        """Put the icons on their places."""
        step = STEPS[self.towards].scaled(self.size + self.gap)
        first = self.at - step.scaled((self.times - 1) / 2) if self.align == "center" else self.at
        for number in range(self.times):
            centre = first + step.scaled(number)
            box = Rect(centre.x - self.size / 2, centre.y - self.size / 2, self.size, self.size)
            canvas.art(self.repeat, box, "contain", self.colour)
            canvas.keep_safe(f"icon {self.repeat.stem!r}", box)


class ImageLayer(DrawnLayer):
    """A picture of pixels in a box; without a box it covers the face and its bleed.

    `extend` grows a picture that ends at the trim through the bleed: by its mirror image, or by its edge's colours.
    """

    main: ClassVar[str | None] = "image"
    image: AssetField
    box: Box | None = None
    fit: Literal["contain", "cover", "stretch"] = "cover"
    position: Literal["center", "top", "bottom", "left", "right"] = "center"
    extend: Literal["none", "mirror", "edge"] = "none"

    def draw(self, canvas: Canvas) -> None:
        """Put the picture into its box, and what it grows by round it."""
        picture = canvas.shelf.pixels(self.image)
        box = self.box or self._default_box(canvas)
        canvas.pixels(picture, box, self.fit, self.position)
        if self.extend != "none" and canvas.subject.bleed:
            self._extend(canvas, picture, box)
        canvas.note_picture(self.image.name, dots((picture.width, picture.height), box.size, self.fit))

    def _extend(self, canvas: Canvas, picture: Pixels, box: Rect) -> None:
        if self.fit == "contain":
            raise Wrong("a picture that need not fill its box cannot be extended", "fit: cover or fit: stretch")
        image = picture.open()
        seen = seen_part(image, box, self.position) if self.fit == "cover" else image
        for part, place in grown_parts(picture.name, seen, box, canvas.subject.bleed, self.extend):
            canvas.pixels(part, place, "stretch", "center")

    def _default_box(self, canvas: Canvas) -> Rect:
        return Rect(0, 0, *canvas.subject.outline.size) if self.extend != "none" else canvas.subject.full


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
    folder = names_of(info).folder
    return (
        value if isinstance(value, ArtChange) else read_change(value, lambda name: folder.picture(name, folder.asset))
    )


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
