"""Links: roads, hoses, pipes and necks, as smooth shapes between the sides of a tile.

    Tile ─ plan ─▶ Drawn (link, body, style), features ─ compose ─▶ shapes, bottom first

`plan` decides how far links with one port go and where features stand (`places`), and asks `route` for each link's
body. `compose` lays casings, fills and `patterns` over each other. `ports` knows the tile's outline, `curve` and
`way` the geometry of lines, `caps` how a line ends. The result is plain shapes in mm (`primitives`); who writes them
as SVG is not this folder's business.
"""

from collections.abc import Mapping

from generator.draw.links.compose import compose
from generator.draw.links.plan import plan
from generator.draw.links.ports import Outline, Side, outline_of
from generator.draw.links.primitives import Clipped, FeatureAt, Filled, LinkDrawing, Primitive, Stroked
from generator.pack.game import LinkStyle
from generator.pack.links import Tile

__all__ = [
    "Clipped",
    "FeatureAt",
    "Filled",
    "LinkDrawing",
    "Outline",
    "Primitive",
    "Side",
    "Stroked",
    "draw_links",
    "outline_of",
]


def draw_links(tile: Tile, outline: Outline, bleed: float, styles: Mapping[str, LinkStyle]) -> LinkDrawing:
    """All links of a tile's side; `bleed` in mm, `styles` by kind of link."""
    drawn, features = plan(tile, outline, bleed, styles)
    return LinkDrawing(compose(drawn, outline.box.grown(bleed)), features)
