"""Areas: regions of a tile that reach some of its sides, each one shape with an edge inside the tile.

An area follows the tile's rim along its sides, and runs through the tile in one bend between two of them. The bend
leaves a side at a right angle, as a link does, and a corner halfway between its sides, so that two areas that meet at
a corner share the edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import ceil, floor, inf
from types import MappingProxyType
from typing import TypeAlias

from generator.base.errors import unknown
from generator.base.geometry import EPSILON, Point, Rect
from generator.base.polygon import box_around, contains
from generator.draw.links.curves import Chain, LinePoint, bend, closed_path, line, open_path
from generator.draw.links.outline import StyledLink
from generator.draw.links.patterns import Pattern, check_mark_count, disc
from generator.draw.links.place import FITTING_SHARE, Planner
from generator.draw.links.room import FeatureAt, share_in_region
from generator.draw.links.route import Plot
from generator.pack.folder import Asset
from generator.pack.game import LinkStyle
from generator.pack.tile import Area
from generator.picture.items import Group, Item, Path, Shape, Stroke

PATTERN_PERIOD_MM = 2.4
"""The distance of lines or dots of an area's pattern, if the style names none."""

SAMPLES_PER_CURVE = 12
"""Number of points per curve for measuring distances."""

STRIPE_SHARE = 0.15
"""The width of a stripe as a share of the period."""

DOT_SHARE = 0.14
"""The radius of a dot as a share of the period."""

GRID_STEPS = 16
"""Steps in either direction of the grid of places in an area's box, of which the widest are found."""

MAX_FEATURE_PLACES = 30
"""Number of places in an area that are tried for its feature, the widest first."""

PlaceArt = Callable[[Asset, Rect], Item]
"""Returns a picture file as an item that covers a box."""


@dataclass(frozen=True)
class Region:
    """The shape of an area: one chain per stretch of rim, and the bends between the stretches."""

    area: Area
    rims: tuple[Chain, ...]
    bends: tuple[Chain, ...]

    @property
    def d(self) -> str:
        """Return path data of the whole shape, including the bleed."""
        return closed_path(
            [chain for pair in zip(self.rims, self.bends, strict=True) for chain in pair if chain]
        )

    def places(self) -> list[Point]:
        """Return closely spaced points around the shape, for measuring distances."""
        chains = [chain for pair in zip(self.rims, self.bends, strict=True) for chain in pair]
        return [
            piece.at(i / SAMPLES_PER_CURVE)
            for chain in chains
            for piece in chain
            for i in range(SAMPLES_PER_CURVE)
        ]


def draw_areas(
    regions: Sequence[Region], box: Rect, styles: Mapping[str, LinkStyle], place_art: PlaceArt
) -> tuple[Item, ...]:
    """Return the items of all areas of a tile, later areas over earlier ones.

    `box` is the tile with its bleed.
    """
    for region in regions:
        if region.area.kind not in styles:
            raise unknown("kind of area", region.area.kind, styles)
    painted = (
        item
        for region in regions
        for item in _fill_items(region, styles[region.area.kind], box, place_art)
    )
    edged = (item for region in regions for item in _edge_items(region, styles[region.area.kind]))
    return (*painted, *edged)


def region_of(area: Area, plot: Plot, bleed: float) -> Region:
    """Return the shape of an area."""
    spans = _spans(area, plot)
    count = len(plot.sides)
    if len(spans) == 1 and spans[0][1] - spans[0][0] >= count - EPSILON:
        rim = _rim_chain(plot, spans[0][0], spans[0][1], bleed)
        return Region(area, (rim,), ((),))
    rims = tuple(_rim_chain(plot, *span, bleed) for span in spans)
    ahead = [*spans[1:], spans[0]]
    bends = (
        _inner_edge(plot, span[1], after[0] % count)
        for span, after in zip(spans, ahead, strict=True)
    )
    return Region(area, rims, tuple(bends))


def _spans(area: Area, plot: Plot) -> list[tuple[float, float]]:
    """Return the stretches of rim that an area covers, in sides clockwise.

    Adjoining stretches are merged.
    """
    count = len(plot.sides)
    spans: list[tuple[float, float]] = []
    for start, end in sorted(plot.edge(part) for part in area.parts):
        if spans and abs(spans[-1][1] - start) < EPSILON:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    if len(spans) > 1 and spans[0][0] < EPSILON and abs(spans[-1][1] - count) < EPSILON:
        last = spans.pop()
        spans[0] = (last[0] - count, spans[0][1])
    return spans


def _place_on_rim(plot: Plot, along: float) -> tuple[Point, int, bool]:
    """Return a place on the rim, the side that it is on or that begins there, and whether it is a corner."""
    count = len(plot.vertices)
    vertex = round(along)
    if abs(along - vertex) < EPSILON:
        return plot.vertices[vertex % count], vertex % count, True
    side = floor(along) % count
    a = plot.vertices[side]
    b = plot.vertices[(side + 1) % count]
    return a + (b - a).scaled(along % 1), side, False


def _rim_chain(plot: Plot, start: float, end: float, bleed: float) -> Chain:
    """Return the line along the outer edge of the bleed between two places on the rim."""
    knots = [
        start,
        *range(floor(start) + 1, ceil(end)),
        end,
    ]
    places = [_outer_place(plot, along, bleed) for along in knots]
    first = _place_on_rim(plot, start)[0]
    last = _place_on_rim(plot, end)[0]
    is_full_rim = end - start >= len(plot.sides) - EPSILON
    around = places if is_full_rim or not bleed else [first, *places, last]
    return tuple(line(a, b) for a, b in pairwise(around) if (b - a).length() > EPSILON)


def _outer_place(plot: Plot, along: float, bleed: float) -> Point:
    """Return a place of the rim moved outwards by the bleed."""
    place, side, corner = _place_on_rim(plot, along)
    out = plot.sides[side].inward.scaled(-1)
    if not corner:
        return place + out.scaled(bleed)
    both = out + plot.sides[side - 1].inward.scaled(-1)
    return place + both.scaled(2 * bleed / both.length() ** 2)


def _inner_edge(plot: Plot, start: float, end: float) -> Chain:
    """Return the edge inside the tile between two stretches of rim."""
    a = _place_on_rim(plot, start)[0]
    b = _place_on_rim(plot, end)[0]
    return (
        bend(
            LinePoint(a, _inward_direction(plot, start)),
            LinePoint(b, _inward_direction(plot, end).scaled(-1)),
        ),
    )


def _inward_direction(plot: Plot, along: float) -> Point:
    """Return the direction into the tile at a place on the rim.

    At a corner, halfway between the sides.
    """
    _, side, corner = _place_on_rim(plot, along)
    inward = plot.sides[side].inward
    return (inward + plot.sides[side - 1].inward).unit() if corner else inward


def _fill_items(region: Region, style: LinkStyle, box: Rect, place_art: PlaceArt) -> Iterator[Item]:
    yield Shape(Path(region.d), style.fill)
    if style.art is not None:
        yield Group((place_art(style.art, box),), clip=region.d)
    if marks := _pattern_items(style, box):
        yield Group(marks, clip=region.d)


def _edge_items(region: Region, style: LinkStyle) -> Iterator[Item]:
    """Yield the lines where an area ends inside the tile; they lie over the adjacent areas."""
    if style.casing is not None:
        yield from (
            Shape(Path(open_path(chain)), stroke=style.casing) for chain in region.bends if chain
        )


def _draw_nothing(_box: Rect, _step: float, _ink: str) -> tuple[Item, ...]:
    return ()


def _draw_stripes(box: Rect, step: float, ink: str) -> tuple[Item, ...]:
    stroke = Stroke(STRIPE_SHARE * step, ink)
    check_mark_count((box.w + box.h) / step)
    count = int((box.w + box.h) / step) + 1
    ends = (
        (Point(box.x + n * step, box.y), Point(box.x + n * step - box.h, box.bottom))
        for n in range(count)
    )
    return tuple(Shape(Path(open_path((line(a, b),))), stroke=stroke) for a, b in ends)


def _draw_dots(box: Rect, step: float, ink: str) -> tuple[Item, ...]:
    check_mark_count((box.h / step) * (box.w / step))
    rows = range(int(box.h / step) + 1)
    columns = range(int(box.w / step) + 1)
    places = (
        Point(box.x + (c + r % 2 / 2) * step, box.y + r * step) for r in rows for c in columns
    )
    return (Shape(Path("".join(disc(place, DOT_SHARE * step) for place in places)), ink),)


AreaPattern: TypeAlias = Pattern[[Rect, float, str]]
"""A pattern drawn in a box, with a period in mm and a colour."""

AREA_PATTERNS: Mapping[str, AreaPattern] = MappingProxyType(
    {
        "solid": Pattern(_draw_nothing, "the plain fill"),
        "stripes": Pattern(_draw_stripes, "lines across it"),
        "dots": Pattern(_draw_dots, "rows of dots"),
    }
)
"""The patterns of areas by name."""


def _pattern_items(style: LinkStyle, box: Rect) -> tuple[Item, ...]:
    """Return the marks of an area's pattern all over the tile; none if the style has no pattern."""
    pattern: AreaPattern = style.pattern or AREA_PATTERNS["solid"]
    return pattern.draw(box, style.period or PATTERN_PERIOD_MM, style.ink)


def place_area_features(
    regions: Iterable[Region],
    planner: Planner,
    links: Iterable[StyledLink],
    on_links: Iterable[FeatureAt],
) -> tuple[FeatureAt, ...]:
    """Return the features of areas, each where it has most space, or else where its outline fits best."""
    features: list[FeatureAt] = []
    for region in regions:
        if region.area.feature:
            features.append(_place_feature(region, planner, links, [*on_links, *features]))
    return tuple(features)


def _place_feature(
    region: Region, planner: Planner, links: Iterable[StyledLink], others: Iterable[FeatureAt]
) -> FeatureAt:
    rim = region.places()
    area = region.area
    best: FeatureAt | None = None
    for place in _widest_places(rim, planner.plot)[:MAX_FEATURE_PLACES]:
        direction = place - planner.plot.centre
        towards = direction.unit() if direction.length() > EPSILON else Point(0, 1)
        feature = planner.feature_at(
            area.feature or "", area.kind, area.stand, LinePoint(place, towards)
        )
        share = planner.room_share(feature, links, others)
        if not feature.crowd:
            share = min(share, share_in_region(feature.shape, place, rim))
        feature = replace(feature, room=feature.size * share)
        if best is None or feature.room > best.room:
            best = feature
        if share >= FITTING_SHARE:
            break
    if best is None:
        raise ValueError("an area without places")
    return best


def _widest_places(rim: list[Point], plot: Plot) -> list[Point]:
    """Return places in an area, first those with most space around them."""
    box = box_around(rim).common(plot.box)
    shares = [step / GRID_STEPS for step in range(1, GRID_STEPS)]
    grid = (Point(box.x + box.w * x, box.y + box.h * y) for x, y in product(shares, shares))
    inside = [place for place in grid if contains(rim, place)] or [box.centre]
    return sorted(inside, key=lambda place: -_free_radius(rim, place, plot))


def _free_radius(rim: list[Point], place: Point, plot: Plot) -> float:
    return min(plot.depth(place), min(((place - other).length() for other in rim), default=inf))
