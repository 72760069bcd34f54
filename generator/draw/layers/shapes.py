"""Layers of plain shapes: `fill: $sky to $sea`, `frame:` and `shape: {circle: center, r: 4mm}`."""

import re
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema, model_validator

from generator.base.errors import InvalidValueError
from generator.base.geometry import Point
from generator.base.outline import Outline
from generator.base.paths import read_path
from generator.base.units import MAX_LENGTH_MM, length, number
from generator.draw.canvas import Canvas, DrawnLayer
from generator.pack.fields import Above, Box, Length, Line, NotNegative, Paint, Place, Text
from generator.pack.game import Spec
from generator.pack.validation import only_one
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
        if inner.is_rectangle:
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
    places = [place for edges in read_path(value) for edge in edges for place in edge.flat()]
    if not places:
        raise InvalidValueError(f"{value!r} draws nothing", "a path with a line, such as M0 0H10")
    if not all(abs(length) <= MAX_LENGTH_MM for place in places for length in place):
        raise InvalidValueError(
            f"{value!r} leaves every piece", f"places within {MAX_LENGTH_MM:g} mm"
        )
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
            raise InvalidValueError("an incomplete circle", "circle: [x, y] and r: its radius")
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
