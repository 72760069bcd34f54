"""Plain shapes: `fill: $sky to $sea`, `frame: {inset: 3mm}`, `shape: {circle: center, r: 4mm, fill: $ink}`."""

import re
from typing import Annotated, ClassVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, WithJsonSchema, model_validator

from generator.core.geometry import Point
from generator.core.outline import Outline
from generator.core.paths import read_path
from generator.core.problems import Wrong
from generator.core.units import length, number
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.pack.fields import Above, Box, Length, Line, NotNegative, Paint, Place, Text
from generator.pack.game import Gradient, Stroke
from generator.pack.validation import only_one, some_of, together


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


SHAPES = ("rect", "circle", "polygon", "path", "inset")
ROUND = 90
"""Corners that stand for a circle."""
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


class AnyShape(BaseModel):
    """One of a rectangle, a circle, a polygon and a path."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)
    rect: Box | None = None
    radius: NotNegative = 0.0
    circle: Place | None = None
    r: Above | None = None
    polygon: Points | None = None
    path: Annotated[Text, AfterValidator(_path)] | None = None

    _one_shape = model_validator(mode="after")(only_one(SHAPES, "no shape", "{count} shapes: {all}"))
    _whole_circle = model_validator(mode="after")(
        together("circle", "r", "half a circle", "circle: [x, y] and r: its radius")
    )

    def put(self, canvas: Canvas, fill: str | Gradient, stroke: Stroke | None) -> None:
        """Draw it."""
        if self.rect is not None:
            canvas.rect(self.rect, fill, stroke, self.radius)
        elif self.circle is not None and self.r is not None:
            canvas.circle(self.circle, self.r, fill, stroke)
        elif self.polygon is not None:
            canvas.polygon(self.polygon, fill, stroke)
        elif self.path is not None:
            canvas.painted_path(self.path, fill, stroke)

    def ring(self) -> tuple[Point, ...]:
        """Its corners, with enough of them on a curve."""
        if self.rect is not None:
            return Outline.of_box(self.rect, self.radius).flat
        if self.circle is not None and self.r is not None:
            return tuple(self.circle + Point(0.0, -self.r).turned(360 * n / ROUND) for n in range(ROUND))
        if self.path is not None:
            return tuple(place for edge in read_path(self.path)[0] for place in edge.flat())
        return self.polygon or ()


class TextArea(AnyShape):
    """What text lies in: a shape, or the piece's own outline moved inwards by `inset`."""

    inset: NotNegative | None = None

    def within(self, outline: Outline) -> tuple[Point, ...]:
        """Its corners on a piece of an outline."""
        if self.inset is None:
            return self.ring()
        inner = outline.shrunk(self.inset) if self.inset else outline
        if inner is None:
            raise Wrong(
                f"inset: nothing is left {number(self.inset)} mm inside a piece of {outline}", "a smaller inset"
            )
        return inner.flat


class ShapeLayer(DrawnLayer, AnyShape):
    """One of a rectangle, a circle, a polygon and a path, filled or lined or both."""

    fill: Paint = "none"
    stroke: Line = None

    _shows = model_validator(mode="after")(
        some_of(
            ("fill", "stroke"),
            "a shape with neither fill nor stroke shows nothing",
            "fill: and a colour, or stroke: 0.3mm black",
        )
    )

    def draw(self, canvas: Canvas) -> None:
        """Draw the one shape that is given."""
        self.put(canvas, self.fill, self.stroke)
