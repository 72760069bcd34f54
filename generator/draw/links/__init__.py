"""Links: roads, hoses, pipes and necks, as smooth shapes between the sides of a tile.

    Tile ─ plan ─▶ Drawn (link, body, style), features ─ compose ─▶ shapes, bottom first

`plan` decides how far links with one port go and where features stand (`places`), and asks `route` for each link's
body. `compose` lays casings, fills and `patterns` over each other. `ports` knows the tile's outline, `curve` and
`way` the geometry of lines, `caps` how a line ends. The result is plain shapes in mm (`primitives`); who writes them
as SVG is not this folder's business.
"""

from collections.abc import Mapping
from types import MappingProxyType

from generator.draw.links.areas import draw_areas
from generator.draw.links.compose import compose
from generator.draw.links.motifs import Clipped, FeatureAt, FilledArea, LinkDrawing, PaintedArt, Primitive, Stroked
from generator.draw.links.plan import Planner
from generator.draw.links.route import Entry, Plot, plot_of
from generator.pack.game import LinkStyle
from generator.pack.tile import Tile

__all__ = [
    "Clipped",
    "Entry",
    "FeatureAt",
    "FilledArea",
    "LinkDrawing",
    "PaintedArt",
    "Plot",
    "Primitive",
    "Stroked",
    "draw_links",
    "plot_of",
]

UNSAID: Mapping[str, float] = MappingProxyType({})


def draw_links(
    tile: Tile, plot: Plot, bleed: float, styles: Mapping[str, LinkStyle], sizes: Mapping[str, float] = UNSAID
) -> LinkDrawing:
    """All links of a tile's side, over its areas; `bleed` in mm, `styles` by kind of link, `sizes` by feature in mm."""
    planned = Planner(plot.with_points(tile.points), bleed, styles, sizes).plan(tile)
    ground, standing = draw_areas(tile.areas, plot, bleed, styles)
    return LinkDrawing((*ground, *compose(planned.links, plot.box.grown(bleed))), (*standing, *planned.features))
