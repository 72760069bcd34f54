"""Layers of pictures.

`icon: sword`, `repeat:` (a row of icons), `image: art/$photo` and `svg: art/$art`.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema

from generator.base.errors import InvalidValueError
from generator.base.geometry import Point, Rect
from generator.draw.art.changes import PROPERTIES, ArtChange, read_change
from generator.draw.canvas import Canvas, DrawnLayer
from generator.pack.fields import (
    Above,
    AssetField,
    Box,
    Colour,
    Count,
    IconField,
    Length,
    Place,
    Real,
    names_of,
)
from generator.picture.images import Pixels, bleed_parts, visible_part


class Icon(DrawnLayer):
    """An icon of the pack, `size` mm wide and high, centred `at` a place."""

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
        canvas.keep_icon_safe(self.icon, box, self.turn)


STEPS = {"right": Point(1, 0), "left": Point(-1, 0), "down": Point(0, 1), "up": Point(0, -1)}


class Repeat(DrawnLayer):
    """A row of `times` icons, `gap` mm apart.

    The first icon or the row's centre is `at` a place.
    """

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
        for index in range(self.times):
            centre = first + step.scaled(index)
            box = Rect(centre.x - self.size / 2, centre.y - self.size / 2, self.size, self.size)
            canvas.art(self.repeat, box, "contain", self.colour)
            canvas.keep_icon_safe(self.repeat, box)


class ImageLayer(DrawnLayer):
    """A raster image in a box; by default it covers the face and its bleed.

    `extend` continues an image that ends at the trim into the bleed, by its mirror image or the
    colours of its edge.
    """

    main: ClassVar[str | None] = "image"
    image: AssetField
    box: Box | None = None
    fit: Literal["contain", "cover", "stretch"] = "cover"
    position: Literal["center", "top", "bottom", "left", "right"] = "center"
    extend: Literal["none", "mirror", "edge"] = "none"

    def draw(self, canvas: Canvas) -> None:
        """Draw the image in its box, and its extension around the box."""
        if self.image.is_svg:
            raise InvalidValueError(
                f"{self.image.name} is a drawing, not an image of pixels",
                "a PNG or a JPEG file",
                f"`svg: {self.image.name}` draws it",
            )
        picture = canvas.shelf.pixels(self.image)
        box = self.box or self._default_box(canvas)
        canvas.image(picture, box, self.fit, self.position)
        if self.extend != "none" and canvas.subject.bleed:
            self._extend(canvas, picture, box)

    def _extend(self, canvas: Canvas, picture: Pixels, box: Rect) -> None:
        if self.fit == "contain":
            raise InvalidValueError(
                "`extend` needs a picture that fills its box", "fit: cover or fit: stretch"
            )
        image = picture.open()
        visible = visible_part(image, box, self.position) if self.fit == "cover" else image
        for part, place in bleed_parts(picture, visible, box, canvas.subject.bleed, self.extend):
            canvas.image(part, place, "stretch", "center")

    def _default_box(self, canvas: Canvas) -> Rect:
        return (
            Rect(0, 0, *canvas.subject.outline.size)
            if self.extend != "none"
            else canvas.subject.full
        )


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


def _read_change_field(value: object, info: ValidationInfo) -> object:
    folder = names_of(info).folder
    return (
        value
        if isinstance(value, ArtChange)
        else read_change(value, lambda name: folder.picture(name, folder.asset))
    )


ChangeField = Annotated[ArtChange, BeforeValidator(_read_change_field), WithJsonSchema(_SCHEMA)]


class Svg(DrawnLayer):
    """An SVG file in a box; by default it fits the face and its bleed."""

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
