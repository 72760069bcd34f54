"""`links: {}` — the roads, hoses, necks or pipes that run across this side of the tile, and what stands on them."""

from math import atan2, degrees

from generator.core.geometry import Rect
from generator.core.problems import Kind, Wrong, unknown
from generator.core.units import number
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.draw.links import FeatureAt, draw_links, plot_of
from generator.pack.game import Asset
from generator.picture.items import Item

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

        def place_art(asset: Asset, box: Rect) -> Item:
            return canvas.placed(asset, box, "cover")

        drawing = draw_links(subject.tile, plot, subject.bleed, subject.links, place_art, sizes)
        canvas.add(drawing.items)
        for feature in drawing.features:
            _stand(canvas, feature)


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
