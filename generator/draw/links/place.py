"""Place a tile's links: first those between ports, then, in the remaining space, those with one port.

A link with one port that is alone on a tile reaches the centre. Several stop where the smallest of their distances (to
the edge, to each other, to other links) is largest. A feature stands in the middle of a link with two ports, or in the
centre of a junction; it moves along its line only if this place is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import dist, inf

from generator.base.errors import Wrong, unknown
from generator.base.geometry import Point
from generator.base.paths import LinkWay
from generator.draw.links.caps import cap_of
from generator.draw.links.outline import Body, StyledLink
from generator.draw.links.patterns import FeatureAt
from generator.draw.links.route import Entry, Plot, route
from generator.pack.game import LinkStyle
from generator.pack.tile import Link, Tile

EDGE_GAP_MM = 3.0
"""The distance of a feature from the cut."""

MAX_EDGE_GAP_SHARE = 0.25
"""The largest share of a small tile's depth that this distance takes."""

REACH_SHARES = tuple(i / 50 for i in range(50, 9, -1))
"""Possible lengths of a link with one port, as shares of the way to the centre; on a tie the first wins."""

SAMPLES_PER_LINK = 8
"""Number of points on a link with one port that are measured against other links."""

BARE_END_SHARE = 0.85
"""The space of a link's bare end, as a share of its cap's extent."""

SPOT_SHARES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)
"""Possible places of a feature between two ports, as shares of the way, the best first."""

LEG_SPOT_SHARES = (1.0, 0.7, 0.5, 0.3)
"""Possible places of a feature on a junction's first leg, from its port to the centre."""


MAX_COMBINATIONS = 4000
"""Number of combinations of places that are tried; features of four links have fewer (7^4 = 2,401)."""


@dataclass(frozen=True)
class FeatureSpot:
    """A place for a feature, and the unit vector from there along the link to its first port."""

    place: Point
    towards: Point


@dataclass(frozen=True)
class OpenLink:
    """A link with one port whose length is not yet decided; `size` is the space in mm that its end takes."""

    side: Entry
    size: float

    def end(self, plot: Plot, share: float) -> Point:
        """Return the place at a share of the way from the side to the centre."""
        return self.side.middle + self.side.inward.scaled(plot.max_length_inwards(self.side) * share)


def open_link(link: Link, style: LinkStyle, plot: Plot) -> OpenLink:
    """Return a link with one port; a bare end takes the space of its cap and casing, a feature's none as yet."""
    side = plot.side(link.ports[0])
    half = style.width / 2
    if link.feature:
        return OpenLink(side, 0.0)
    casing = style.casing.width if style.casing else 0.0
    tip = max(piece.d.x for piece in cap_of(style)(half, casing))
    return OpenLink(side, BARE_END_SHARE * max(half + casing, tip))


def choose_lengths(
    ends: Mapping[int, OpenLink], plot: Plot, taken: list[Point], between: list[StyledLink]
) -> dict[int, float]:
    """Return the length of each link with one port, as a share of the way from its side to the centre.

    Bare ends are equally long and leave space for the features; these are then equally long in the space that is left.
    """
    if len(ends) == 1 and not between:
        return dict.fromkeys(ends, 1.0)
    bare = {i: end for i, end in ends.items() if end.size}
    full = {i: end for i, end in ends.items() if i not in bare}
    short = _best_share(list(bare.values()), list(full.values()), plot, taken, between)
    tips = [end.end(plot, short) for end in bare.values()]
    far = _best_share(list(full.values()), [], plot, [*taken, *tips], between)
    return dict.fromkeys(bare, short) | dict.fromkeys(full, far)


def _best_share(
    ends: list[OpenLink], more: list[OpenLink], plot: Plot, taken: list[Point], between: list[StyledLink]
) -> float:
    """Return the share at which the tightest of `ends` has most space, if `more` are as long."""

    def least(share: float) -> float:
        places = [end.end(plot, share) for end in (*ends, *more)]
        others = [[*taken, *places[:i], *places[i + 1 :]] for i in range(len(ends))]
        edge = (free_radius(place, plot, []) for place in places)
        distances = (_half_distance(places[i], others[i]) - end.size for i, end in enumerate(ends))
        return min((*edge, *distances, *(_clearance(end, plot, share, between) for end in ends)), default=0.0)

    return max(REACH_SHARES, key=least)


def _clearance(end: OpenLink, plot: Plot, share: float, between: list[StyledLink]) -> float:
    """Return the smallest distance of a link from others on its whole way, so that it stops before a crossing."""
    line = [end.end(plot, share * step / SAMPLES_PER_LINK) for step in range(1, SAMPLES_PER_LINK + 1)]
    return min((one.distance(place) - end.size for one in between for place in line), default=inf)


def feature_spots(body: Body, at: float | None = None) -> list[FeatureSpot]:
    """Return the places for a feature on a link of two or more ports, the best first; `at` fixes the place."""
    first = body.spine[0]
    shares: tuple[float, ...] = SPOT_SHARES if len(first.ports) == 2 else LEG_SPOT_SHARES
    if at is not None:
        shares = (at,)
    return [_spot_at(first, share) for share in shares]


def end_spot(stub: Body) -> FeatureSpot:
    """Return the end inside the tile of a link with one port, as a place for its feature."""
    return _spot_at(stub.spine[0], 1.0)


def choose_spots(
    options: Sequence[Sequence[FeatureSpot]], wanted: Sequence[float], plot: Plot, clear: Callable[[int, Point], float]
) -> tuple[FeatureSpot, ...]:
    """Choose a place for each feature so that each has the space that it wants, preferring the best places.

    `clear` returns the distance of a feature's place from links that do not run under it. If the space does not suffice
    for all, the smallest share of the wanted space is made as large as possible.
    """
    best: tuple[float, tuple[FeatureSpot, ...]] = (-1.0, ())
    for spots in islice(product(*options), MAX_COMBINATIONS):
        places = [spot.place for spot in spots]
        shares = [
            min(free_radius(place, plot, [*places[:i], *places[i + 1 :]]), clear(i, place)) / wanted[i]
            if wanted[i]
            else 1.0
            for i, place in enumerate(places)
        ]
        least = min(shares, default=1.0)
        if least >= 1:
            return spots
        best = max(best, (least, spots), key=lambda each: each[0])
    return best[1]


def free_radius(place: Point, plot: Plot, others: Iterable[Point]) -> float:
    """Return the radius in mm of a disc at a place that stays clear of the edge and of equal discs elsewhere."""
    edge = min(EDGE_GAP_MM, MAX_EDGE_GAP_SHARE * plot.depth(plot.centre))
    return max(0.0, min(plot.depth(place) - edge, _half_distance(place, others)))


def _half_distance(place: Point, others: Iterable[Point]) -> float:
    """Return half the distance to the nearest other place."""
    return min((dist(place, other) / 2 for other in others), default=inf)


def _spot_at(way: LinkWay, share: float) -> FeatureSpot:
    frame = way.frame(way.length * share)
    return FeatureSpot(frame.place, frame.along.scaled(-1))


MIN_MEETING_LINKS = 3
"""The number of links with one port, one kind and one feature from which they meet at this feature."""


@dataclass(frozen=True)
class LinkPlan:
    """A tile's links with their bodies, in the tile's order, and the features on them."""

    links: tuple[StyledLink, ...]
    features: tuple[FeatureAt, ...]


@dataclass(frozen=True)
class Planner:
    """Plans the links of tiles of one outline; `sizes` are those of features in mm, where known."""

    plot: Plot
    bleed: float
    styles: Mapping[str, LinkStyle]
    sizes: Mapping[str, float]

    def plan(self, tile: Tile) -> LinkPlan:
        """Return every link with its body, and the features on the links."""
        _check_links(tile, self.styles)
        between = {i: self._style_link(link, 1.0) for i, link in enumerate(tile.links) if self._is_length_given(link)}
        spots = self._choose_spots(between)
        ends = {i: link for i, link in enumerate(tile.links) if i not in between}
        shares = self._length_shares(ends, [spot.place for spot in spots.values()], list(between.values()))
        stubs = {i: self._style_link(tile.links[i], share) for i, share in shares.items()}
        spots |= {i: end_spot(one.body) for i, one in stubs.items() if one.link.feature}
        links = dict(sorted((between | stubs).items()))
        if _do_all_meet(list(ends.values())):
            spots = {i: spot for i, spot in spots.items() if i not in ends or i == min(ends)}
        features = (self._place_feature(i, links, spots) for i in sorted(spots))
        return LinkPlan(tuple(links.values()), tuple(features))

    def _style_link(self, link: Link, share: float) -> StyledLink:
        style = self.styles[link.kind]
        return StyledLink(link, route(link, style, self.plot, self.bleed, share), style)

    def _is_length_given(self, link: Link) -> bool:
        """Return True if the notation decides a link's length, rather than the space that is left."""
        is_given = link.course.reach is not None or link.course.through is not None
        return is_given or len(link.ports) > 1 or link.ports[0] in self.plot.points

    def _length_shares(
        self, ends: Mapping[int, Link], taken: list[Point], between: list[StyledLink]
    ) -> dict[int, float]:
        if _do_all_meet(list(ends.values())):
            return dict.fromkeys(ends, 1.0)
        open_links = {i: open_link(link, self.styles[link.kind], self.plot) for i, link in ends.items()}
        return choose_lengths(open_links, self.plot, taken, between)

    def _choose_spots(self, between: Mapping[int, StyledLink]) -> dict[int, FeatureSpot]:
        """Return the places of features on links between ports."""
        with_one = {i: one for i, one in between.items() if one.link.feature}
        options = [
            [end_spot(one.body)] if len(one.link.ports) == 1 else feature_spots(one.body, _fixed_share(one.link))
            for one in with_one.values()
        ]
        wanted = [self._wanted_width(one.link, one.style.width) / 2 for one in with_one.values()]
        keys = list(with_one)

        def clear(index: int, place: Point) -> float:
            return _distance_to_links(keys[index], place, between)

        return dict(zip(keys, choose_spots(options, wanted, self.plot, clear), strict=True))

    def _wanted_width(self, link: Link, otherwise: float) -> float:
        """Return the width in mm that a link's feature wants."""
        return link.stand.size or self.sizes.get(link.feature or "", otherwise)

    def _place_feature(self, i: int, links: Mapping[int, StyledLink], spots: Mapping[int, FeatureSpot]) -> FeatureAt:
        """Return the feature on link `i`; a link that runs under its place does not limit its space."""
        place = spots[i].place
        towards = spots[i].towards
        link = links[i].link
        others = [spot.place for j, spot in spots.items() if j != i and spot.place != place]
        free = min(free_radius(place, self.plot, others), _distance_to_links(i, place, links))
        return FeatureAt(link.feature or "", place, towards, link.kind, free, link.stand)


def _fixed_share(link: Link) -> float | None:
    """Return the place of a feature that the notation fixes; in a hub it is the meeting place of the legs."""
    return 1.0 if link.course.hub and link.stand.at is None else link.stand.at


def _distance_to_links(i: int, place: Point, links: Mapping[int, StyledLink]) -> float:
    """Return the distance of a place on link `i` from other links, except those that run right under it."""
    distances = (one.distance(place) for j, one in links.items() if j != i)
    return min((each for each in distances if each > 0), default=inf)


def _do_all_meet(ends: Sequence[Link]) -> bool:
    """Return True if all links with one port end at one feature."""
    kinds = {(link.kind, link.feature) for link in ends}
    return len(ends) >= MIN_MEETING_LINKS and len(kinds) == 1 and next(iter(kinds))[1] is not None


def _check_links(tile: Tile, styles: Mapping[str, LinkStyle]) -> None:
    for link in tile.links:
        if link.kind not in styles:
            raise unknown("kind of link", link.kind, styles)
        if not link.ports:
            raise Wrong(f"a link of kind {link.kind!r} has no side", "one side or more, such as n-e:red")
