"""Layers of plain shapes and pictures.

`fill: $sky to $sea`, `frame:`, `shape: {circle: center, r: 4mm}`, `icon: sword`, `repeat:` (a row
of icons), `image: art/$photo` and `svg: art/$art`.
"""

import re
from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationInfo,
    WithJsonSchema,
    model_validator,
)

from generator.base.errors import InvalidValueError
from generator.base.geometry import Point, Rect
from generator.base.outline import Outline
from generator.base.paths import read_path
from generator.base.units import length, number
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
    Line,
    NotNegative,
    Paint,
    Place,
    Real,
    Text,
    names_of,
)
from generator.pack.game import Spec
from generator.pack.validation import only_one
from generator.picture.images import Pixels, bleed_parts, visible_part
from generator.picture.items import Gradient, Stroke


class Fill(DrawnLayer):
    """A colour or a gradient over the whole face and its bleed."""

    main: ClassVar[str | None] = "fill"
    fill: Paint

    def draw(self, canvas: Canvas) -> None:
        """Fill the face."""
        canvas.rect(canvas.subject.full, self.fill)


class FrameLayer(DrawnLayer):
    """A line at a constant distance inside the trim, optionally filled."""

    inset: Length = 3.0
    stroke: Line = None
    fill: Paint = "none"
    radius: NotNegative = 0.0

    def draw(self, canvas: Canvas) -> None:
        """Draw the piece's outline moved inwards by `inset`.

        Raise `InvalidValueError` if nothing is left.
        """
        outline = canvas.subject.outline
        inner = outline.shrunk(self.inset) if self.inset >= 0 else outline.grown(-self.inset)
        if inner is None or min(inner.size) <= 0:
            expected = "a smaller inset"
            raise InvalidValueError(
                f"inset: nothing is left {number(self.inset)} mm inside a piece of {outline}",
                expected,
            )
        if inner.is_box and not inner.is_circle:
            canvas.rect(inner.box, self.fill, self.stroke, self.radius)
        else:
            canvas.outline(inner, self.fill, self.stroke)


SHAPES = ("rect", "circle", "polygon", "path", "inset")
CIRCLE_CORNERS = 90
"""Number of corners of the polygon that approximates a circle."""
_PATH = re.compile(r"\s*[Mm][MmZzLlHhVvCcSsQqTtAa0-9eE+\-.,\s]*")


def _read_points(value: object) -> object:
    pairs = value if isinstance(value, list) else []
    if len(pairs) < 3 or any(not isinstance(pair, list) or len(pair) != 2 for pair in pairs):
        raise InvalidValueError(
            "these are not corners", "at least three pairs: [[0, 0], [10, 0], [5, 8]]"
        )
    return tuple(Point(length(str(pair[0])), length(str(pair[1]))) for pair in pairs)


def _check_path(value: str) -> str:
    if not _PATH.fullmatch(value):
        raise InvalidValueError(f"{value!r} is not a path", "SVG path data in mm, beginning with M")
    return value


Points = Annotated[
    tuple[Point, ...],
    BeforeValidator(_read_points),
    WithJsonSchema(
        {
            "type": "array",
            "items": {"type": "array", "items": {"type": ["string", "number"]}},
            "minItems": 3,
        }
    ),
]


class AnyShape(Spec):
    """A rectangle, a circle, a polygon or a path."""

    rect: Box | None = None
    radius: NotNegative = 0.0
    circle: Place | None = None
    r: Above | None = None
    polygon: Points | None = None
    path: Annotated[Text, AfterValidator(_check_path)] | None = None

    _check_one_shape = model_validator(mode="after")(
        only_one(SHAPES, "no shape", "{count} shapes: {all}")
    )

    @model_validator(mode="after")
    def _check_circle(self) -> Self:
        if (self.circle is None) != (self.r is None):
            raise InvalidValueError("half a circle", "circle: [x, y] and r: its radius")
        return self

    def draw_shape(self, canvas: Canvas, fill: str | Gradient, stroke: Stroke | None) -> None:
        """Draw the shape."""
        if self.rect is not None:
            canvas.rect(self.rect, fill, stroke, self.radius)
        elif self.circle is not None and self.r is not None:
            canvas.circle(self.circle, self.r, fill, stroke)
        elif self.polygon is not None:
            canvas.polygon(self.polygon, fill, stroke)
        elif self.path is not None:
            canvas.path(self.path, fill, stroke)

    def corners(self) -> tuple[Point, ...]:
        """Return the corners of the shape, with curves as short straight lines."""
        if self.rect is not None:
            return Outline.of_box(self.rect, self.radius).flat
        if self.circle is not None and self.r is not None:
            return tuple(
                self.circle + Point(0.0, -self.r).turned(360 * n / CIRCLE_CORNERS)
                for n in range(CIRCLE_CORNERS)
            )
        if self.path is not None:
            return tuple(place for edge in read_path(self.path)[0] for place in edge.flat())
        return self.polygon or ()


class TextArea(AnyShape):
    """An area for text: a shape, or the piece's outline moved inwards by `inset` mm."""

    inset: NotNegative | None = None

    def within(self, outline: Outline) -> tuple[Point, ...]:
        """Return the area's corners on a piece with this outline.

        Raise `InvalidValueError` if nothing is left.
        """
        if self.inset is None:
            return self.corners()
        inner = outline.shrunk(self.inset) if self.inset else outline
        if inner is None:
            raise InvalidValueError(
                f"inset: nothing is left {number(self.inset)} mm inside a piece of {outline}",
                "a smaller inset",
            )
        return inner.flat


class ShapeLayer(DrawnLayer, AnyShape):
    """A rectangle, a circle, a polygon or a path with a fill, a line or both."""

    fill: Paint = "none"
    stroke: Line = None

    @model_validator(mode="after")
    def _check_visible(self) -> Self:
        if not self.model_fields_set & {"fill", "stroke"}:
            raise InvalidValueError(
                "a shape with neither fill nor stroke shows nothing",
                "fill: and a colour, or stroke: 0.3mm black",
            )
        return self

    def draw(self, canvas: Canvas) -> None:
        """Draw the one shape that is given."""
        self.draw_shape(canvas, self.fill, self.stroke)


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
