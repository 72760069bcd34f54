"""Areas: regions of a tile that reach some of its sides, each one shape with an edge inside the tile.

An area keeps to the tile's rim along its parts of sides, and between two of them runs through the tile in one bend:
square to a side in the middle of which a part ends, as a link leaves it, and halfway between two sides at a corner, so
that two areas that meet there have the same edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from types import MappingProxyType

from generator.core.geometry import EPSILON, Point, Rect
from generator.core.problems import unknown
from generator.draw.links.line import Chain, LinePoint, bend, closed_path, line, open_path
from generator.draw.links.motifs import FeatureAt, disc
from generator.draw.links.route import Plot
from generator.pack.game import Asset, LinkStyle
from generator.pack.tile import Area
from generator.picture.items import Group, Item, Path, Shape, Stroke

PERIOD = 2.4
"""mm from one line or dot of an area's pattern to the next."""

STEPS = 12

PlaceArt = Callable[[Asset, Rect], Item]
"""Returns a picture file as an item that covers a box."""


@dataclass(frozen=True)
class Region:
    """An area as a shape: the rim, one chain for each stretch of it, and the bends between them through the tile."""

    area: Area
    rims: tuple[Chain, ...]
    bends: tuple[Chain, ...]

    @property
    def d(self) -> str:
        """Path data of all of it, with the bleed."""
        return closed_path([chain for pair in zip(self.rims, self.bends, strict=True) for chain in pair if chain])

    def places(self) -> list[Point]:
        """Places round it, near enough to each other to measure by."""
        chains = [chain for pair in zip(self.rims, self.bends, strict=True) for chain in pair]
        return [piece.at(i / STEPS) for chain in chains for piece in chain for i in range(STEPS)]


def draw_areas(
    areas: Iterable[Area], plot: Plot, bleed: float, styles: Mapping[str, LinkStyle], place_art: PlaceArt
) -> tuple[tuple[Item, ...], tuple[FeatureAt, ...]]:
    """Return the items of all areas of a tile, later areas over earlier ones, and the features in the areas."""
    regions = [region_of(area, plot, bleed) for area in areas]
    for region in regions:
        if region.area.kind not in styles:
            raise unknown("kind of area", region.area.kind, styles)
    box = plot.box.grown(bleed)
    painted = (item for region in regions for item in _painted(region, styles[region.area.kind], box, place_art))
    edged = (item for region in regions for item in _edged(region, styles[region.area.kind]))
    features = (_feature(region, plot) for region in regions if region.area.feature)
    return (*painted, *edged), tuple(features)


def region_of(area: Area, plot: Plot, bleed: float) -> Region:
    """The shape of an area."""
    spans = _spans(area, plot)
    count = len(plot.sides)
    if len(spans) == 1 and spans[0][1] - spans[0][0] >= count - EPSILON:
        rim = _rim(plot, spans[0][0], spans[0][1], bleed)
        return Region(area, (rim,), ((),))
    rims = tuple(_rim(plot, *span, bleed) for span in spans)
    ahead = [*spans[1:], spans[0]]
    bends = (_bend(plot, span[1], after[0] % count) for span, after in zip(spans, ahead, strict=True))
    return Region(area, rims, tuple(bends))


def _spans(area: Area, plot: Plot) -> list[tuple[float, float]]:
    """The stretches of the rim that an area covers, in sides clockwise; what follows on is one."""
    count = len(plot.sides)
    found: list[tuple[float, float]] = []
    for start, end in sorted(plot.edge(part) for part in area.parts):
        if found and abs(found[-1][1] - start) < EPSILON:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    if len(found) > 1 and found[0][0] < EPSILON and abs(found[-1][1] - count) < EPSILON:
        last = found.pop()
        found[0] = (last[0] - count, found[0][1])
    return found


def _at(plot: Plot, along: float) -> tuple[Point, int, bool]:
    """The place so far round the rim, the side that it is on or that begins there, and whether it is a corner."""
    count = len(plot.vertices)
    nth = round(along)
    if abs(along - nth) < EPSILON:
        return plot.vertices[nth % count], nth % count, True
    side = int(along // 1) % count
    a, b = plot.vertices[side], plot.vertices[(side + 1) % count]
    return a + (b - a).scaled(along % 1), side, False


def _rim(plot: Plot, start: float, end: float, bleed: float) -> Chain:
    """The line round the tile at the end of its bleed, from one place on the rim to another."""
    knots = [start, *(n for n in range(int(start // 1) + 1, int(-(-end // 1))) if start < n < end), end]
    places = [_outside(plot, along, bleed) for along in knots]
    first, last = _at(plot, start)[0], _at(plot, end)[0]
    whole = end - start >= len(plot.sides) - EPSILON
    around = places if whole or not bleed else [first, *places, last]
    return tuple(line(a, b) for a, b in pairwise(around) if (b - a).length() > EPSILON)


def _outside(plot: Plot, along: float, bleed: float) -> Point:
    """A place of the rim moved out by the bleed."""
    place, nth, corner = _at(plot, along)
    out = plot.sides[nth].inward.scaled(-1)
    if not corner:
        return place + out.scaled(bleed)
    both = out + plot.sides[nth - 1].inward.scaled(-1)
    return place + both.scaled(2 * bleed / both.length() ** 2)


def _bend(plot: Plot, start: float, end: float) -> Chain:
    """The edge inside the tile, from where one stretch of rim ends to where the next begins."""
    a, b = _at(plot, start)[0], _at(plot, end)[0]
    return (bend(LinePoint(a, _inwards(plot, start)), LinePoint(b, _inwards(plot, end).scaled(-1))),)


def _inwards(plot: Plot, along: float) -> Point:
    """The direction into the tile at a place on its rim: at a corner between the two sides."""
    _, nth, corner = _at(plot, along)
    inward = plot.sides[nth].inward
    return (inward + plot.sides[nth - 1].inward).unit() if corner else inward


def _painted(region: Region, style: LinkStyle, box: Rect, place_art: PlaceArt) -> Iterator[Item]:
    yield Shape(Path(region.d), style.fill)
    if style.art is not None:
        yield Group((place_art(style.art, box),), clip=region.d)
    if marks := _marks(style, box):
        yield Group(marks, clip=region.d)


def _edged(region: Region, style: LinkStyle) -> Iterator[Item]:
    """Yield the lines where an area ends inside the tile; they lie over the adjacent areas."""
    if style.casing is not None:
        yield from (Shape(Path(open_path(chain)), stroke=style.casing) for chain in region.bends if chain)


@dataclass(frozen=True)
class AreaPattern:
    """What lies all over an area: how it is drawn in a box, its marks so many mm apart, and what it looks like."""

    draw: Callable[[Rect, float, str], tuple[Item, ...]]
    looks: str


def _none(_box: Rect, _step: float, _ink: str) -> tuple[Item, ...]:
    return ()


def _stripes(box: Rect, step: float, ink: str) -> tuple[Item, ...]:
    stroke = Stroke(0.15 * step, ink)
    count = int((box.w + box.h) / step) + 1
    ends = ((Point(box.x + n * step, box.y), Point(box.x + n * step - box.h, box.bottom)) for n in range(count))
    return tuple(Shape(Path(open_path((line(a, b),))), stroke=stroke) for a, b in ends)


def _dots(box: Rect, step: float, ink: str) -> tuple[Item, ...]:
    rows, columns = range(int(box.h / step) + 1), range(int(box.w / step) + 1)
    places = (Point(box.x + (c + r % 2 / 2) * step, box.y + r * step) for r in rows for c in columns)
    return (Shape(Path("".join(disc(place, 0.14 * step) for place in places)), ink),)


AREA_PATTERNS: Mapping[str, AreaPattern] = MappingProxyType(
    {
        "solid": AreaPattern(_none, "the plain fill"),
        "stripes": AreaPattern(_stripes, "lines across it"),
        "dots": AreaPattern(_dots, "rows of dots"),
    }
)


def _marks(style: LinkStyle, box: Rect) -> tuple[Item, ...]:
    """Return the marks of an area's pattern all over the tile; none if the style has no pattern."""
    match style.pattern:
        case AreaPattern():
            return style.pattern.draw(box, style.period or PERIOD, style.ink)
        case None:
            return ()
    raise TypeError(f"{style.pattern!r} is no pattern of an area")


def _feature(region: Region, plot: Plot) -> FeatureAt:
    """What stands in an area: where there is most room."""
    places = region.places()
    box = Rect.between(
        *(min(p[i] for p in places) for i in (0, 1)), *(max(p[i] for p in places) for i in (0, 1))
    ).common(plot.box)
    grid = (Point(box.x + box.w * i / 16, box.y + box.h * j / 16) for i in range(1, 16) for j in range(1, 16))
    inside = [place for place in grid if _holds(places, place)] or [box.centre]
    best = max(inside, key=lambda place: _room(places, place, plot))
    way = best - plot.centre
    area = region.area
    towards = way.unit() if way.length() > EPSILON else Point(0, 1)
    return FeatureAt(area.feature or "", best, towards, area.kind, _room(places, best, plot), area.stand)


def _room(places: list[Point], place: Point, plot: Plot) -> float:
    return min(plot.depth(place), min(((place - other).length() for other in places), default=inf))


def _holds(places: list[Point], place: Point) -> bool:
    crossed = sum(
        (a.y > place.y) != (b.y > place.y) and place.x < a.x + (place.y - a.y) / (b.y - a.y) * (b.x - a.x)
        for a, b in zip(places, places[1:] + places[:1], strict=True)
    )
    return crossed % 2 == 1
