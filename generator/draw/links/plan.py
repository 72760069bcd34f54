"""A tile's links given their places: first those between ports, then, in the room that is left, those with one port.

One link with one port alone on a tile reaches the centre. Where there are more, they stop where the least of their
distances (to the edge, to each other, to other links) is largest. A feature on a link with two ports stands in its
middle, on a junction in the centre, and moves along its line only when that place is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import dist, inf

from generator.core.geometry import Point
from generator.core.problems import Wrong, unknown
from generator.draw.links.body import Body, StyledLink
from generator.draw.links.caps import cap_of
from generator.draw.links.line import LinkWay
from generator.draw.links.motifs import FeatureAt
from generator.draw.links.route import Entry, Plot, route
from generator.pack.game import LinkStyle
from generator.pack.tile import Link, Tile

EDGE = 3.0
"""A feature keeps this far from the cut, in mm, but on a small tile no further than `EDGE_SHARE` of its depth."""

EDGE_SHARE = 0.25

REACHES = tuple(i / 50 for i in range(50, 9, -1))
"""How far from the side to the centre a link with one port may go; the furthest comes first and wins a tie."""

STEPS = 8
"""Places looked at on a link's way in."""

END = 0.85
"""The room that a link's bare end takes, as a share of how far its cap reaches."""

SPOTS = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)
"""Where on the way between two ports a feature may stand, the best first."""

LEG_SPOTS = (1.0, 0.7, 0.5, 0.3)
"""The same on a junction's first leg, from its port to the centre."""


MOST = 4000
"""Ways to stand that are looked at; features of four links have fewer."""


@dataclass(frozen=True)
class FeatureSpot:
    """A place for a feature, and the unit vector from there along the link to its first port."""

    place: Point
    towards: Point


@dataclass(frozen=True)
class Loose:
    """A link with one port before it is known how far it goes; `size` is the room in mm that its end itself takes."""

    side: Entry
    size: float

    def end(self, plot: Plot, share: float) -> Point:
        """The place so far on the way from the side to the centre."""
        return self.side.middle + self.side.inward.scaled(plot.way_in(self.side) * share)


def loose(link: Link, style: LinkStyle, plot: Plot) -> Loose:
    """A link with one port. A feature's room is not known yet; a bare end takes that of its cap and casing."""
    side, half = plot.side(link.ports[0]), style.width / 2
    if link.feature:
        return Loose(side, 0.0)
    casing = style.casing.width if style.casing else 0.0
    tip = max(piece.d.x for piece in cap_of(style)(half, casing))
    return Loose(side, END * max(half + casing, tip))


def reaches(ends: Mapping[int, Loose], plot: Plot, taken: list[Point], between: list[StyledLink]) -> dict[int, float]:
    """How far in each link with one port goes, as a share of the way from its side to the centre.

    Bare ends go equally far and leave room for the features; then those go equally far in what is left.
    """
    if len(ends) == 1 and not between:
        return dict.fromkeys(ends, 1.0)
    bare = {i: end for i, end in ends.items() if end.size}
    full = {i: end for i, end in ends.items() if i not in bare}
    short = _reach(list(bare.values()), list(full.values()), plot, taken, between)
    tips = [end.end(plot, short) for end in bare.values()]
    far = _reach(list(full.values()), [], plot, [*taken, *tips], between)
    return dict.fromkeys(bare, short) | dict.fromkeys(full, far)


def _reach(ends: list[Loose], more: list[Loose], plot: Plot, taken: list[Point], between: list[StyledLink]) -> float:
    """The share at which the tightest of some ends has most room, were `more` to go as far as they."""

    def least(share: float) -> float:
        places = [end.end(plot, share) for end in (*ends, *more)]
        others = [[*taken, *places[:i], *places[i + 1 :]] for i in range(len(ends))]
        edge = (room(place, plot, []) for place in places)
        apart = (_apart(places[i], others[i]) - end.size for i, end in enumerate(ends))
        return min((*edge, *apart, *(_clearance(end, plot, share, between) for end in ends)), default=0.0)

    return max(REACHES, key=least)


def _clearance(end: Loose, plot: Plot, share: float, between: list[StyledLink]) -> float:
    """How near a link comes to others on its whole way in, so that it stops rather than crosses."""
    line = [end.end(plot, share * step / STEPS) for step in range(1, STEPS + 1)]
    return min((one.distance(place) - end.size for one in between for place in line), default=inf)


def along(body: Body, at: float | None = None) -> list[FeatureSpot]:
    """The places where a feature may stand on a link of two or more ports, the best first; `at` leaves one."""
    first = body.spine[0]
    shares: tuple[float, ...] = SPOTS if len(first.ports) == 2 else LEG_SPOTS
    if at is not None:
        shares = (at,)
    return [_spot(first, share) for share in shares]


def end_of(stub: Body) -> FeatureSpot:
    """The end inside the tile of a link with one port.

    One link with one port alone on a tile reaches the centre. Where there are more, they stop where the least of their
    distances (to the edge, to each other, to other links) is largest. A feature on a link with two ports stands in its
    middle, on a junction in the centre, and moves along its line only when that place is taken.
    """
    return _spot(stub.spine[0], 1.0)


def choose(
    options: Sequence[Sequence[FeatureSpot]], wanted: Sequence[float], plot: Plot, clear: Callable[[int, Point], float]
) -> tuple[FeatureSpot, ...]:
    """A place for each of some features, so that each has so much room round it; the best places where there is enough.

    `clear` says how far a place of one of them is from links that do not run under it.

    Where there is not enough for all, the one with the least of what it wants has as much as can be.
    """
    best: tuple[float, tuple[FeatureSpot, ...]] = (-1.0, ())
    for spots in islice(product(*options), MOST):
        places = [spot.place for spot in spots]
        shares = [
            min(room(place, plot, [*places[:i], *places[i + 1 :]]), clear(i, place)) / wanted[i] if wanted[i] else 1.0
            for i, place in enumerate(places)
        ]
        least = min(shares, default=1.0)
        if least >= 1:
            return spots
        best = max(best, (least, spots), key=lambda each: each[0])
    return best[1]


def room(place: Point, plot: Plot, others: Iterable[Point]) -> float:
    """The radius in mm of a disc at a place that keeps off the edge and off the same disc at each other place."""
    edge = min(EDGE, EDGE_SHARE * plot.depth(plot.centre))
    return max(0.0, min(plot.depth(place) - edge, _apart(place, others)))


def _apart(place: Point, others: Iterable[Point]) -> float:
    """Half the distance to the nearest other place."""
    return min((dist(place, other) / 2 for other in others), default=inf)


def _spot(way: LinkWay, share: float) -> FeatureSpot:
    frame = way.frame(way.length * share)
    return FeatureSpot(frame.place, frame.along.scaled(-1))


ONE_PLACE = 3
"""So many links with one port, of one kind, that end at the same feature meet there."""


@dataclass(frozen=True)
class LinkPlan:
    """A tile's links with their places, in its order, and the features upon them."""

    links: tuple[StyledLink, ...]
    features: tuple[FeatureAt, ...]


@dataclass(frozen=True)
class Planner:
    """Plans the links of tiles of one outline; `sizes` are those of features (mm), none where there is no telling."""

    plot: Plot
    bleed: float
    styles: Mapping[str, LinkStyle]
    sizes: Mapping[str, float]

    def plan(self, tile: Tile) -> LinkPlan:
        """Every link with its body, and the features upon them."""
        _check(tile, self.styles)
        between = {i: self._drawn(link, 1.0) for i, link in enumerate(tile.links) if self._is_set(link)}
        spots = self._spots(between)
        ends = {i: link for i, link in enumerate(tile.links) if i not in between}
        shares = self._shares(ends, [spot.place for spot in spots.values()], list(between.values()))
        stubs = {i: self._drawn(tile.links[i], share) for i, share in shares.items()}
        spots |= {i: end_of(one.body) for i, one in stubs.items() if one.link.feature}
        links = dict(sorted((between | stubs).items()))
        if _village(list(ends.values())):
            spots = {i: spot for i, spot in spots.items() if i not in ends or i == min(ends)}
        features = (self._feature(i, links, spots) for i in sorted(spots))
        return LinkPlan(tuple(links.values()), tuple(features))

    def _drawn(self, link: Link, share: float) -> StyledLink:
        style = self.styles[link.kind]
        return StyledLink(link, route(link, style, self.plot, self.bleed, share), style)

    def _is_set(self, link: Link) -> bool:
        """Whether a link goes where its notation says, and not as far as there is room."""
        said = link.course.reach is not None or link.course.through is not None
        return said or len(link.ports) > 1 or link.ports[0] in self.plot.points

    def _shares(self, ends: Mapping[int, Link], taken: list[Point], between: list[StyledLink]) -> dict[int, float]:
        if _village(list(ends.values())):
            return dict.fromkeys(ends, 1.0)
        loosed = {i: loose(link, self.styles[link.kind], self.plot) for i, link in ends.items()}
        return reaches(loosed, self.plot, taken, between)

    def _spots(self, between: Mapping[int, StyledLink]) -> dict[int, FeatureSpot]:
        """Where the features of links between ports stand."""
        with_one = {i: one for i, one in between.items() if one.link.feature}
        options = [
            [end_of(one.body)] if len(one.link.ports) == 1 else along(one.body, _said(one.link))
            for one in with_one.values()
        ]
        wanted = [self._wanted(one.link, one.style.width) / 2 for one in with_one.values()]
        keys = list(with_one)

        def clear(nth: int, place: Point) -> float:
            return _clear(keys[nth], place, between)

        return dict(zip(keys, choose(options, wanted, self.plot, clear), strict=True))

    def _wanted(self, link: Link, otherwise: float) -> float:
        """How much room a link's feature takes, in mm across."""
        return link.stand.size or self.sizes.get(link.feature or "", otherwise)

    def _feature(self, i: int, links: Mapping[int, StyledLink], spots: Mapping[int, FeatureSpot]) -> FeatureAt:
        """The feature on link `i`; a link that runs under its place is no limit to its room."""
        place, towards = spots[i].place, spots[i].towards
        link = links[i].link
        others = [spot.place for j, spot in spots.items() if j != i and spot.place != place]
        free = min(room(place, self.plot, others), _clear(i, place, links))
        return FeatureAt(link.feature or "", place, towards, link.kind, free, link.stand)


def _said(link: Link) -> float | None:
    """Where on its link a feature is told to stand: the legs of a hub meet in theirs."""
    return 1.0 if link.course.hub and link.stand.at is None else link.stand.at


def _clear(i: int, place: Point, links: Mapping[int, StyledLink]) -> float:
    """How far a place on link `i` is from others; those whose middle runs right under it are no limit."""
    apart = (one.distance(place) for j, one in links.items() if j != i)
    return min((each for each in apart if each > 0), default=inf)


def _village(ends: Sequence[Link]) -> bool:
    """Whether all links with one port end at one feature."""
    kinds = {(link.kind, link.feature) for link in ends}
    return len(ends) >= ONE_PLACE and len(kinds) == 1 and next(iter(kinds))[1] is not None


def _check(tile: Tile, styles: Mapping[str, LinkStyle]) -> None:
    for link in tile.links:
        if link.kind not in styles:
            raise unknown("kind of link", link.kind, styles)
        if not link.ports:
            raise Wrong(f"a link of kind {link.kind!r} has no side", "one side or more, such as n-e:red")
