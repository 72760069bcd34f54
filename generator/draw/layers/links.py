"""`links: {}` — the roads, hoses, necks or pipes that run across this side of the tile, and what stands on them."""

from math import atan2, degrees

from generator.core.geometry import Rect
from generator.core.problems import unknown
from generator.core.units import number
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.draw.links import Clipped, FeatureAt, Filled, Primitive, draw_links, outline_of
from generator.pack.shape import ShapeKind

CLEAR = 0.6
"""mm between a feature that had to shrink and what it would touch."""

KINDS = {ShapeKind.RECT: "square", ShapeKind.HEX: "hex"}


class Links(DrawnLayer):
    """The component's links, with their features upon them."""

    def draw(self, canvas: Canvas) -> None:
        """Draw the tile's links as their kinds' styles say."""
        subject = canvas.subject
        drawing = draw_links(
            subject.tile, outline_of(KINDS[subject.shape.kind], subject.shape.size), subject.bleed, subject.links
        )
        for part in drawing.parts:
            _put(canvas, part)
        for feature in drawing.features:
            _stand(canvas, feature)


def _put(canvas: Canvas, part: Primitive) -> None:
    if isinstance(part, Filled):
        canvas.path(part.d, {"fill": part.colour})
    elif isinstance(part, Clipped):
        with canvas.clipped(part.d):
            for inner in part.parts:
                _put(canvas, inner)
    else:
        dash = {"stroke-dasharray": " ".join(number(n) for n in part.dash)} if part.dash else {}
        dash |= {"stroke-dashoffset": number(part.dash_offset)} if part.dash_offset else {}
        line = {"stroke": part.colour, "stroke-width": number(part.width), "stroke-linecap": part.cap}
        canvas.path(part.d, {"fill": "none", **line, "stroke-linejoin": part.join, **dash})


def _stand(canvas: Canvas, at: FeatureAt) -> None:
    """Set a feature on its place; one that turns stands with its foot towards its link's side."""
    features = canvas.subject.features
    if at.name not in features:
        raise unknown("feature", at.name, features)
    feature = features[at.name]
    size = min(feature.size, 2 * at.room - CLEAR)
    box = Rect(at.place.x - size / 2, at.place.y - size / 2, size, size)
    turn = degrees(atan2(at.towards.y, at.towards.x)) - 90 if feature.turns else 0.0
    canvas.art(feature.art, box, turn=turn)
    canvas.keep_safe(f"feature {at.name!r}", box)
