"""`links: {}`: the links across a tile's side (roads, hoses, pipes), and the features on them."""

from math import atan2, degrees

from generator.base.errors import Kind, Wrong, unknown
from generator.base.geometry import Rect
from generator.base.units import number
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.draw.links import FeatureAt, draw_links, plot_of
from generator.pack.game import Asset
from generator.picture.items import Item

CLEARANCE_MM = 0.6
"""The gap between a shrunk feature and its neighbours."""

MIN_FEATURE_SCALE = 0.8
"""The smallest share of its size to which a feature is shrunk."""


class Links(DrawnLayer):
    """The component's links, with their features upon them."""

    def draw(self, canvas: Canvas) -> None:
        """Draw the tile's links in the styles of their kinds; raise `Wrong` if a feature has no space."""
        subject = canvas.subject
        plot = plot_of(subject.outline)
        sizes = {name: feature.size for name, feature in subject.features.items()}

        def place_art(asset: Asset, box: Rect) -> Item:
            return canvas.placed(asset, box, "cover")

        drawing = draw_links(subject.tile, plot, subject.bleed, subject.links, place_art, sizes)
        canvas.add(drawing.items)
        for feature in drawing.features:
            _draw_feature(canvas, feature)


def _draw_feature(canvas: Canvas, at: FeatureAt) -> None:
    """Draw a feature at its place; one that turns points its foot towards its link's side."""
    features = canvas.subject.features
    if at.name not in features:
        raise unknown("feature", at.name, features)
    feature = features[at.name]
    wanted = at.stand.size or feature.size
    size = min(wanted, 2 * at.room - CLEARANCE_MM)
    if size < MIN_FEATURE_SCALE * wanted - 0.005:
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
