"""Plain shapes: `fill: $sky to $sea`, `frame: {inset: 3mm}`, `shape: {circle: center, r: 4mm, fill: $ink}`."""

import re
from typing import Annotated, ClassVar

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema, model_validator

from generator.core.geometry import Point
from generator.core.problems import Wrong
from generator.core.units import length, number
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.pack.fields import Above, Box, Length, Line, NotNegative, Paint, Place, Text


class Fill(DrawnLayer):
    """One colour, or several that run into each other, over the whole face, to the end of the bleed."""

    main: ClassVar[str | None] = "fill"
    fill: Paint

    def draw(self, canvas: Canvas) -> None:
        """Fill the face."""
        canvas.rect(canvas.subject.full, self.fill)


class FrameLayer(DrawnLayer):
    """A line at the same distance from the trim all round, perhaps filled inside."""

    inset: Length = 3.0
    stroke: Line = None
    fill: Paint = "none"
    radius: NotNegative = 0.0

    def draw(self, canvas: Canvas) -> None:
        """Draw the outline of the shape, moved inwards."""
        outline = canvas.subject.outline
        inner = outline.shrunk(self.inset) if self.inset >= 0 else outline.grown(-self.inset)
        if inner is None or min(inner.size) <= 0:
            expected = "a smaller inset"
            raise Wrong(f"inset: nothing is left {number(self.inset)} mm inside a piece of {outline}", expected)
        if inner.is_box and not inner.is_circle:
            canvas.rect(inner.box, self.fill, self.stroke, self.radius)
        else:
            canvas.outlined(inner, self.fill, self.stroke)


_PATH = re.compile(r"\s*[Mm][MmZzLlHhVvCcSsQqTtAa0-9eE+\-.,\s]*")


def _points(value: object) -> object:
    pairs = value if isinstance(value, list) else []
    if len(pairs) < 3 or any(not isinstance(pair, list) or len(pair) != 2 for pair in pairs):
        raise Wrong("these are no corners", "at least three pairs: [[0, 0], [10, 0], [5, 8]]")
    return tuple(Point(length(str(pair[0])), length(str(pair[1]))) for pair in pairs)


def _path(value: str) -> str:
    if not _PATH.fullmatch(value):
        raise Wrong(f"{value!r} is no path", "SVG path data in mm, beginning with M")
    return value


Points = Annotated[
    tuple[Point, ...],
    BeforeValidator(_points),
    WithJsonSchema(
        {"type": "array", "items": {"type": "array", "items": {"type": ["string", "number"]}}, "minItems": 3}
    ),
]


class ShapeLayer(DrawnLayer):
    """One of a rectangle, a circle, a polygon and a path, filled or lined or both."""

    rect: Box | None = None
    radius: NotNegative = 0.0
    circle: Place | None = None
    r: Above | None = None
    polygon: Points | None = None
    path: Annotated[Text, AfterValidator(_path)] | None = None
    fill: Paint = "none"
    stroke: Line = None

    @model_validator(mode="after")
    def _one_shape(self) -> "ShapeLayer":
        given = [name for name in ("rect", "circle", "polygon", "path") if getattr(self, name) is not None]
        if len(given) != 1:
            found = "no shape" if not given else f"{len(given)} shapes: {', '.join(given)}"
            raise Wrong(found, "one of rect, circle, polygon and path")
        if (self.circle is None) != (self.r is None):
            raise Wrong("half a circle", "circle: [x, y] and r: its radius")
        if not self.model_fields_set & {"fill", "stroke"}:
            raise Wrong(
                "a shape with neither fill nor stroke shows nothing", "fill: and a colour, or stroke: 0.3mm black"
            )
        return self

    def draw(self, canvas: Canvas) -> None:
        """Draw the one shape that is given."""
        if self.rect is not None:
            canvas.rect(self.rect, self.fill, self.stroke, self.radius)
        elif self.circle is not None and self.r is not None:
            canvas.circle(self.circle, self.r, self.fill, self.stroke)
        elif self.polygon is not None:
            canvas.polygon(self.polygon, self.fill, self.stroke)
        elif self.path is not None:
            canvas.painted_path(self.path, self.fill, self.stroke)
