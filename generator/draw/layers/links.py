"""`links: {}` — the roads, hoses, necks or pipes that run across this side of the tile, and what stands on them."""

from math import atan2, degrees

from generator.core.geometry import Rect
from generator.core.problems import Kind, Wrong, unknown
from generator.core.units import number
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.draw.links import Clipped, FeatureAt, FilledArea, PaintedArt, Primitive, draw_links, plot_of

CLEAR = 0.6
"""mm between a feature that had to shrink and what it would touch."""

SHRINKS = 0.8
"""A feature is drawn no smaller than this share of its size."""


class Links(DrawnLayer):
    """The component's links, with their features upon them."""

    def draw(self, canvas: Canvas) -> None:
        """Draw the tile's links as their kinds' styles say."""
        subject = canvas.subject
        plot = plot_of(subject.outline)
        sizes = {name: feature.size for name, feature in subject.features.items()}
        drawing = draw_links(subject.tile, plot, subject.bleed, subject.links, sizes)
        for part in drawing.parts:
            _put(canvas, part)
        for feature in drawing.features:
            _stand(canvas, feature)


def _put(canvas: Canvas, part: Primitive) -> None:
    if isinstance(part, FilledArea):
        canvas.path(part.d, {"fill": part.colour})
    elif isinstance(part, PaintedArt):
        canvas.art(part.art, part.box, fit="cover")
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
    wanted = at.stand.size or feature.size
    size = min(wanted, 2 * at.room - CLEAR)
    if size < SHRINKS * wanted - 0.005:
        raise Wrong(
            f"{at.name!r} on a link of kind {at.kind!r} has room for {number(max(size, 0))} of {number(wanted)} mm",
            f"a smaller feature, fewer or thinner links, or another place, such as @{at.name}(at 30%)",
            kind=Kind.FIT,
        )
    box = Rect(at.place.x - size / 2, at.place.y - size / 2, size, size)
    turn = at.stand.turn
    if turn is None:
        turn = degrees(atan2(at.towards.y, at.towards.x)) - 90 if feature.turns else 0.0
    canvas.art(feature.art, box, turn=turn)
    canvas.keep_safe(f"feature {at.name!r}", box, turn, feature.art)
