"""Links: roads, hoses, pipes and necks as smooth shapes between the sides of a tile.

    Tile ─ Planner.plan ─▶ StyledLink (link, body, style), features ─ compose ─▶ items, lowest first

`place.py` decides how far links with one port reach and where features stand; it asks `route.py`
for each link's body, a shape of `outline.py` with ends of `caps.py`. `room.py` measures the room of
features. `compose` stacks casings, fills and `patterns.py`, with a clear gap where a link crosses
over another. `areas.py` draws the areas below. The result is a picture's items in mm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from math import dist

from generator.base.geometry import Rect
from generator.base.units import number
from generator.draw.links.areas import PlaceArt, draw_areas, place_area_features, region_of
from generator.draw.links.outline import StyledLink, outline
from generator.draw.links.patterns import pattern_of
from generator.draw.links.place import SAME_PLACE_MM, Planner
from generator.draw.links.room import FeatureAt, FeatureSettings, FeatureShape
from generator.draw.links.route import Plot, plot_of
from generator.pack.game import LinkStyle
from generator.pack.tile import Plane, Tile
from generator.picture.items import Group, Item, Path, Shape

__all__ = ["FeatureAt", "FeatureSettings", "FeatureShape", "draw_links", "plot_of"]

DEFAULT_SETTINGS = FeatureSettings()


@dataclass(frozen=True)
class LinkDrawing:
    """The areas and links of a tile's side as items, lowest first, and the features, in the links' order."""

    items: tuple[Item, ...]
    features: tuple[FeatureAt, ...]


def draw_links(
    tile: Tile,
    plot: Plot,
    bleed: float,
    styles: Mapping[str, LinkStyle],
    place_art: PlaceArt,
    features: FeatureSettings = DEFAULT_SETTINGS,
) -> LinkDrawing:
    """Return all links of a tile's side, over its areas.

    `bleed` is in mm, and `styles` are by kind of link or area. `place_art` makes the items for
    areas that are filled with a picture file.
    """
    planner = Planner(plot.with_points(tile.points), bleed, styles, features)
    links, on_links = planner.plan(tile)
    sheet = plot.box.grown(bleed)
    regions = [region_of(area, plot, bleed) for area in tile.areas]
    areas = draw_areas(regions, sheet, styles, place_art)
    in_areas = place_area_features(regions, planner, links, on_links)
    return LinkDrawing((*areas, *compose(links, sheet)), (*in_areas, *on_links))


def compose(links: Iterable[StyledLink], sheet: Rect) -> tuple[Item, ...]:
    """Return the items of all links, later links over earlier ones.

    `sheet` is the tile with its bleed.
    """
    layers = _group_planes(list(links))
    composed: list[Item] = []
    for i, layer in enumerate(layers):
        above = [upper for later in layers[i + 1 :] for upper in later]
        items = _items_of(layer, sheet)
        for upper in above:
            if any(_crosses_over(upper, lower) for lower in layer):
                items = (Group(items, clip=_sheet_without(upper, sheet)),)
        composed.extend(items)
    return tuple(composed)


def _group_planes(links: list[StyledLink]) -> list[list[StyledLink]]:
    """Group links of one plane, which are drawn as one shape; return the lowest plane first."""
    layers: list[list[StyledLink]] = []
    for link in links:
        joined = [layer for layer in layers if any(_is_one_shape(link, other) for other in layer)]
        others = [other for layer in joined for other in layer]
        layers = [layer for layer in layers if layer not in joined]
        layers.append(sorted([*others, link], key=links.index))
    return sorted(
        layers, key=lambda layer: (max(map(_plane_rank, layer), key=abs), links.index(layer[0]))
    )


def _plane_rank(link: StyledLink) -> int:
    """Return 1 for a link that the notation lifts over others, -1 for one below, 0 otherwise."""
    return (link.link.course.plane is Plane.OVER) - (link.link.course.plane is Plane.UNDER)


def _is_one_shape(one: StyledLink, other: StyledLink) -> bool:
    """Return True if two links are one shape: of one kind, with a common port or a course that joins them."""
    planes = {one.link.course.plane, other.link.course.plane}
    if one.link.kind != other.link.kind or planes & {Plane.APART, Plane.OVER, Plane.UNDER}:
        return False
    if {*one.link.ports} & {*other.link.ports}:
        return True
    return (Plane.JOINS in planes or _do_ends_meet(one, other)) and _do_touch(one, other)


def _do_ends_meet(one: StyledLink, other: StyledLink) -> bool:
    """Return True if two links with one port each end at the same place."""
    ends = [item.body.spine[0] for item in (one, other) if len(item.link.ports) == 1]
    return len(ends) == 2 and dist(*(way.at(way.length, 0) for way in ends)) < SAME_PLACE_MM


def _crosses_over(upper: StyledLink, lower: StyledLink) -> bool:
    """Return True if a gap is left beside the upper of two links."""
    return Plane.JOINS not in {upper.link.course.plane, lower.link.course.plane} and _do_touch(
        upper, lower
    )


def _items_of(layer: list[StyledLink], sheet: Rect) -> tuple[Item, ...]:
    """Return all casings, then all fills, then the patterns, so that no seam is visible where links join.

    Links of one plane that have no port in common still pass over each other.
    """
    casings: list[Item] = []
    fills: list[Item] = []
    patterns: list[Item] = []
    for i, entry in enumerate(layer):
        above = [
            other
            for other in layer[i + 1 :]
            if not _is_one_shape(entry, other) and _crosses_over(other, entry)
        ]

        def visible(item: Item, above: list[StyledLink] = above) -> Item:
            for upper in above:
                item = Group((item,), clip=_sheet_without(upper, sheet))
            return item

        casing = entry.style.casing
        if casing:
            casings.append(visible(Shape(Path(outline(entry.body, casing.width)), casing.colour)))
        fills.append(visible(Shape(Path(outline(entry.body, 0)), entry.style.fill)))
        patterns += map(visible, pattern_of(entry.style).draw(entry.body, entry.style))
    return (*casings, *fills, *patterns)


def _do_touch(upper: StyledLink, lower: StyledLink) -> bool:
    near = upper.body.half + upper.halo + lower.body.half + lower.casing
    return any(dist(a, b) < near for a, b in product(upper.places, lower.places))


def _sheet_without(upper: StyledLink, sheet: Rect) -> str:
    """Return the path of the whole sheet with a hole for the upper link and its halo."""
    left, top, right, bottom = (number(v) for v in (sheet.x, sheet.y, sheet.right, sheet.bottom))
    return f"M{left} {top}H{right}V{bottom}H{left}Z" + outline(upper.body, upper.halo)
