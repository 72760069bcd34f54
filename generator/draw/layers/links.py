"""`links: {}`: the links across a tile's side (roads, hoses, pipes), and the features on them."""

from contextlib import suppress

from generator.base.errors import InvalidValueError, find_row
from generator.base.geometry import Rect
from generator.draw.canvas import Canvas, DrawnLayer
from generator.draw.links import FeatureAt, FeatureSettings, FeatureShape, draw_links, plot_of
from generator.draw.links.room import DISC
from generator.pack.folder import Asset
from generator.pack.game import Feature
from generator.picture.face import CrampedFeature
from generator.picture.items import Item

UNSEEN_OVERLAP_MM = 0.05
"""Outlines are lines of finite fineness; a smaller overlap than this is not reported."""


class Links(DrawnLayer):
    """The component's links, with their features upon them."""

    def draw(self, canvas: Canvas) -> None:
        """Draw the tile's links in the styles of their kinds, and their features at full size."""
        subject = canvas.subject
        plot = plot_of(subject.outline)
        names = {name for name, _ in subject.tile.carried if name is not None}
        shapes = {
            name: _shape_of(canvas, subject.features[name])
            for name in names
            if name in subject.features
        }
        settings = FeatureSettings(shapes, subject.safe, subject.crowd)

        def place_art(asset: Asset, box: Rect) -> Item:
            return canvas.make_item(asset, box, "cover")

        drawing = draw_links(subject.tile, plot, subject.bleed, subject.links, place_art, settings)
        canvas.add(drawing.items)
        for feature in drawing.features:
            _draw_feature(canvas, feature)


def _shape_of(canvas: Canvas, feature: Feature) -> FeatureShape:
    """Return the shape of a kind of feature.

    Art that cannot be read counts as a disc until it is drawn.
    """
    outline = DISC
    # The error is raised again when the feature is drawn. By then the links are drawn, which a
    # draft shows.
    with suppress(InvalidValueError):
        outline = canvas.shelf.outline(feature.art, canvas.subject.fonts)
    return FeatureShape(outline, feature.size, feature.turns, feature.crowd)


def _draw_feature(canvas: Canvas, at: FeatureAt) -> None:
    """Draw a feature at its place, and note too little room."""
    features = canvas.subject.features
    art = find_row("feature", at.name, features).art
    box = Rect(at.place.x - at.size / 2, at.place.y - at.size / 2, at.size, at.size)
    canvas.art(art, box, turn=at.turn)
    canvas.keep_safe(f"feature {at.name!r}", box, at.turn, art)
    if at.room < at.size - UNSEEN_OVERLAP_MM:
        canvas.note_cramped(CrampedFeature(at.name, at.size, at.room))
