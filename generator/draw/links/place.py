"""Place a tile's links: first those between ports, then, in the remaining space, those with one port.

A link with one port that is alone on a tile reaches the centre. Several stop where the smallest of their distances (to
the edge, to each other, to other links) is largest. A feature stands in the middle of a link with two ports, or in the
centre of a junction; it moves along its line only if this place is taken. A feature keeps its size in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, islice, product
from math import atan2, degrees, dist, inf

from generator.base.errors import InvalidValueError, unknown
from generator.base.geometry import Point
from generator.draw.links.caps import cap_of
from generator.draw.links.curves import LinePoint, LinkWay
from generator.draw.links.outline import Body, StyledLink
from generator.draw.links.room import (
    DISC,
    FeatureAt,
    FeatureSettings,
    FeatureShape,
    footprint,
    share_beside,
    share_beside_link,
    share_inside,
)
from generator.draw.links.route import Entry, Plot, route
from generator.pack.game import LinkStyle
from generator.pack.tile import Link, Stand, Tile

MAX_EDGE_GAP_SHARE = 0.25
"""The largest share of a small tile's depth that the distance of ends from the cut takes."""

REACH_SHARES = tuple(i / 50 for i in range(50, 9, -1))
"""Possible lengths of a link with one port, as shares of the way to the centre.

On a tie the first wins.
"""

SAMPLES_PER_LINK = 8
"""Number of points on a link with one port that are measured against other links."""

BARE_END_SHARE = 0.85
"""The space of a link's bare end, as a share of its cap's extent."""

SPOT_SHARES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)
"""Possible places of a feature between two ports, as shares of the way, the best first."""

LEG_SPOT_SHARES = (1.0, 0.7, 0.5, 0.3)
"""Possible places of a feature on a junction's first leg, from its port to the centre."""


SAME_PLACE_MM = 0.01
"""The largest distance of link ends, or of equal features, that are one place, such as the middle of two hubs."""

FITTING_SHARE = 0.995
"""The share of its size at which a feature fits: touching by less than half a percent is not visible."""

MAX_COMBINATIONS = 4000
"""Number of combinations of places that are tried.

Features of four links have fewer (7^4 = 2,401).
"""


@dataclass(frozen=True)
class OpenLink:
    """A link with one port whose length is not yet decided.

    `size` is the space in mm that its end takes.
    """

    side: Entry
    size: float

    def end(self, plot: Plot, share: float) -> Point:
        """Return the place at a share of the way from the side to the centre."""
        return self.side.middle + self.side.inward.scaled(
            plot.max_length_inwards(self.side) * share
        )


def open_link(link: Link, style: LinkStyle, plot: Plot) -> OpenLink:
    """Return a link with one port.

    A bare end takes the space of its cap and casing, a feature's none as yet.
    """
    side = plot.side(link.ports[0])
    half = style.width / 2
    if link.feature:
        return OpenLink(side, 0.0)
    casing = style.casing.width if style.casing else 0.0
    tip = max(piece.d.x for piece in cap_of(style)(half, casing))
    return OpenLink(side, BARE_END_SHARE * max(half + casing, tip))


def choose_lengths(
    ends: Mapping[int, OpenLink],
    plot: Plot,
    occupied: list[Point],
    between: list[StyledLink],
    edge: float,
) -> dict[int, float]:
    """Return the length of each link with one port, as a share of the way from its side to the centre.

    Bare ends are equally long and leave space for the features; these are then equally long in the space that is left.
    Ends stay `edge` mm away from the cut, or less on a small tile.
    """
    if len(ends) == 1 and not between:
        return dict.fromkeys(ends, 1.0)
    gap = min(edge, MAX_EDGE_GAP_SHARE * plot.depth(plot.centre))
    bare_ends = {i: end for i, end in ends.items() if end.size}
    full = {i: end for i, end in ends.items() if i not in bare_ends}
    short = _best_share(list(bare_ends.values()), list(full.values()), plot, occupied, between, gap)
    tips = [end.end(plot, short) for end in bare_ends.values()]
    far = _best_share(list(full.values()), [], plot, [*occupied, *tips], between, gap)
    return dict.fromkeys(bare_ends, short) | dict.fromkeys(full, far)


def _best_share(
    ends: list[OpenLink],
    more: list[OpenLink],
    plot: Plot,
    occupied: list[Point],
    between: list[StyledLink],
    gap: float,
) -> float:
    """Return the share at which the tightest of `ends` has most space, if `more` are as long."""

    def least(share: float) -> float:
        places = [end.end(plot, share) for end in (*ends, *more)]
        others = [[*occupied, *places[:i], *places[i + 1 :]] for i in range(len(ends))]
        edge = (max(0.0, plot.depth(place) - gap) for place in places)
        distances = (_half_distance(places[i], others[i]) - end.size for i, end in enumerate(ends))
        return min(
            (*edge, *distances, *(_clearance(end, plot, share, between) for end in ends)),
            default=0.0,
        )

    return max(REACH_SHARES, key=least)


def _clearance(end: OpenLink, plot: Plot, share: float, between: list[StyledLink]) -> float:
    """Return the smallest distance of a link from others on its whole way, so that it stops before a crossing."""
    line = [
        end.end(plot, share * step / SAMPLES_PER_LINK) for step in range(1, SAMPLES_PER_LINK + 1)
    ]
    return min((item.distance(place) - end.size for item in between for place in line), default=inf)


def feature_spots(body: Body, at: float | None) -> list[LinePoint]:
    """Return the places for a feature on a link of two or more ports, the best first.

    `at` fixes the place, unless it is None.
    """
    first = body.spine[0]
    shares: tuple[float, ...] = SPOT_SHARES if len(first.ports) == 2 else LEG_SPOT_SHARES
    if at is not None:
        shares = (at,)
    return [_spot_at(first, share) for share in shares]


def end_spot(stub: Body) -> LinePoint:
    """Return the end inside the tile of a link with one port, as a place for its feature."""
    return _spot_at(stub.spine[0], 1.0)


def choose_spots(
    counts: Sequence[int],
    single_share: Callable[[int, int], float],
    pair_share: Callable[[int, int, int, int], float],
) -> tuple[int, ...]:
    """Choose a place for each feature so that each has room at its size, preferring the first places.

    `counts` has the number of places of each feature. `single_share(i, a)` is the share of its size at
    which feature `i` fits at its place `a` next to links, and `pair_share(i, a, j, b)` the share at
    which two features fit next to each other. If not all fit, the smallest share is made as large
    as possible.
    """
    best: tuple[float, tuple[int, ...]] = (-1.0, ())
    for chosen in islice(product(*map(range, counts)), MAX_COMBINATIONS):
        numbered = list(enumerate(chosen))
        alone = [single_share(i, a) for i, a in numbered]
        least = min(
            (*alone, *(pair_share(i, a, j, b) for (i, a), (j, b) in combinations(numbered, 2))),
            default=1.0,
        )
        if least >= FITTING_SHARE:
            return chosen
        best = max(best, (least, chosen), key=lambda each: each[0])
    return best[1]


def _half_distance(place: Point, others: Iterable[Point]) -> float:
    """Return half the distance to the nearest other place."""
    return min((dist(place, other) / 2 for other in others), default=inf)


def _spot_at(way: LinkWay, share: float) -> LinePoint:
    """Return the place at a share of a way, with the direction back to its start."""
    frame = way.frame(way.length * share)
    return LinePoint(frame.place, frame.along.scaled(-1))


MIN_MEETING_LINKS = 3
"""The number of links with one port, one kind and one feature from which they meet at this feature."""


@dataclass(frozen=True)
class Planner:
    """Plans the links and features of tiles of one outline.

    `bleed` is in mm, `styles` are by kind of link.
    """

    plot: Plot
    bleed: float
    styles: Mapping[str, LinkStyle]
    features: FeatureSettings

    def plan(self, tile: Tile) -> tuple[tuple[StyledLink, ...], tuple[FeatureAt, ...]]:
        """Return the links with their bodies, in the tile's order, and the features on them."""
        _check_links(tile, self.styles)
        between = {
            i: self._style_link(link, 1.0)
            for i, link in enumerate(tile.links)
            if self._is_length_given(link)
        }
        features = self._choose_spots(between)
        ends = {i: link for i, link in enumerate(tile.links) if i not in between}
        stubs = self._route_stubs(ends, features, between)
        features |= self._end_features(stubs)
        links = dict(sorted((between | stubs).items()))
        if _do_all_meet(list(ends.values())):
            features = {
                i: feature for i, feature in features.items() if i not in ends or i == min(ends)
            }
        shares = self._room_shares(features, links)
        measured = (
            replace(features[i], room=features[i].size * shares[i]) for i in sorted(features)
        )
        return tuple(links.values()), tuple(measured)

    def feature_at(self, name: str, kind: str, stand: Stand, spot: LinePoint) -> FeatureAt:
        """Return a feature at a place, from where the link runs along to its first port.

        A feature of unknown shape is a disc as wide as its link.
        """
        shape = self.features.shapes.get(name) or FeatureShape(DISC, self.styles[kind].width)
        size = stand.size or shape.size
        turn = stand.turn
        if turn is None:
            turn = degrees(atan2(spot.along.y, spot.along.x)) - 90 if shape.turns else 0.0
        outline = footprint(shape.outline, size, turn)
        return FeatureAt(
            name,
            spot.place,
            size,
            turn,
            outline,
            self.features.crowd or shape.crowd,
        )

    def room_share(
        self, feature: FeatureAt, links: Iterable[StyledLink], others: Iterable[FeatureAt]
    ) -> float:
        """Return the share of its size, up to 1, at which a feature touches no edge and nothing else.

        A link that runs right under its place does not count, nor an equal feature that the notation puts there, too.
        """
        place = feature.place
        least = share_inside(feature.shape, place, self.plot, self.features.edge)
        if feature.crowd:
            return least
        for link in links:
            least = min(least, share_beside_link(feature.shape, place, link.body, link.casing))
        for other in others:
            if not other.crowd and not _is_same(feature, other):
                least = min(least, share_beside(feature.shape, place, other.shape, other.place))
        return least

    def _room_shares(
        self, features: Mapping[int, FeatureAt], links: Mapping[int, StyledLink]
    ) -> dict[int, float]:
        """Return the share of each feature by the index of its link.

        Its own link does not count.
        """
        shares = {}
        for i, feature in features.items():
            other_links = [link for j, link in links.items() if j != i]
            other_features = [other for j, other in features.items() if j != i]
            shares[i] = self.room_share(feature, other_links, other_features)
        return shares

    def _style_link(self, link: Link, share: float) -> StyledLink:
        style = self.styles[link.kind]
        return StyledLink(link, route(link, style, self.plot, self.bleed, share), style)

    def _is_length_given(self, link: Link) -> bool:
        """Return True if the notation decides a link's length, rather than the space that is left."""
        is_given = link.course.reach is not None or link.course.through is not None
        return is_given or len(link.ports) > 1 or link.ports[0] in self.plot.points

    def _choose_spots(self, between: Mapping[int, StyledLink]) -> dict[int, FeatureAt]:
        """Return the features on links between ports, at the places chosen for them."""
        options: dict[int, list[FeatureAt]] = {}
        for i, item in between.items():
            if item.link.feature:
                spots = feature_spots(item.body, _fixed_share(item.link))
                spots = [end_spot(item.body)] if len(item.link.ports) == 1 else spots
                features = [
                    self.feature_at(item.link.feature, item.link.kind, item.link.stand, spot)
                    for spot in spots
                ]
                options[i] = [replace(feature, is_fixed=len(spots) == 1) for feature in features]
        keys = list(options)

        @cache
        def single_share(i: int, a: int) -> float:
            links = (link for j, link in between.items() if j != keys[i])
            return self.room_share(options[keys[i]][a], links, ())

        @cache
        def pair_share(i: int, a: int, j: int, b: int) -> float:
            one = options[keys[i]][a]
            other = options[keys[j]][b]
            if one.crowd or other.crowd:
                return 1.0
            return share_beside(one.shape, one.place, other.shape, other.place)

        chosen = choose_spots([len(options[key]) for key in keys], single_share, pair_share)
        return {key: options[key][a] for key, a in zip(keys, chosen, strict=True)}

    def _route_stubs(
        self,
        ends: Mapping[int, Link],
        features: Mapping[int, FeatureAt],
        between: Mapping[int, StyledLink],
    ) -> dict[int, StyledLink]:
        """Return the links with one port whose length the notation leaves open.

        Where the usual lengths leave a feature too little room, those are taken that leave the
        most.
        """
        if _do_all_meet(list(ends.values())):
            return {i: self._style_link(link, 1.0) for i, link in ends.items()}
        open_links = {
            i: open_link(link, self.styles[link.kind], self.plot) for i, link in ends.items()
        }
        occupied = [feature.place for feature in features.values()]
        usual = choose_lengths(
            open_links, self.plot, occupied, list(between.values()), self.features.edge
        )
        with_feature = [i for i, link in ends.items() if link.feature]

        def route_all(shares: Mapping[int, float]) -> dict[int, StyledLink]:
            return {i: self._style_link(link, shares[i]) for i, link in ends.items()}

        def least_share(stubs: Mapping[int, StyledLink]) -> float:
            standing = {**features, **self._end_features(stubs)}
            return min(self._room_shares(standing, {**between, **stubs}).values(), default=1.0)

        stubs = route_all(usual)
        if not with_feature or least_share(stubs) >= FITTING_SHARE:
            return stubs
        others = (
            route_all(usual | dict.fromkeys(with_feature, share)) for share in REACH_SHARES[::2]
        )
        return max((stubs, *others), key=least_share)

    def _end_features(self, stubs: Mapping[int, StyledLink]) -> dict[int, FeatureAt]:
        """Return the features at the ends of links with one port."""
        return {
            i: self.feature_at(
                stub.link.feature, stub.link.kind, stub.link.stand, end_spot(stub.body)
            )
            for i, stub in stubs.items()
            if stub.link.feature
        }


def _fixed_share(link: Link) -> float | None:
    """Return the place of a feature that the notation fixes.

    In a hub it is the meeting place of the legs.
    """
    return 1.0 if link.course.hub and link.stand.at is None else link.stand.at


def _is_same(one: FeatureAt, other: FeatureAt) -> bool:
    """Return True if two equal features stand at the same place on purpose and are seen as one."""
    are_equal = (one.name, one.size) == (other.name, other.size)
    return (
        are_equal
        and one.is_fixed
        and other.is_fixed
        and dist(one.place, other.place) < SAME_PLACE_MM
    )


def _do_all_meet(ends: Sequence[Link]) -> bool:
    """Return True if all links with one port end at one feature."""
    kinds = {(link.kind, link.feature) for link in ends}
    return len(ends) >= MIN_MEETING_LINKS and len(kinds) == 1 and next(iter(kinds))[1] is not None


def _check_links(tile: Tile, styles: Mapping[str, LinkStyle]) -> None:
    for link in tile.links:
        if link.kind not in styles:
            raise unknown("kind of link", link.kind, styles)
        if not link.ports:
            raise InvalidValueError(
                f"a link of kind {link.kind!r} has no side", "one side or more, such as n-e:red"
            )
