"""A tile's links given their places: first those between ports, then, in the room that is left, those with one port."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from generator.core.geometry import Point
from generator.core.problems import Wrong, unknown
from generator.draw.links.body import StyledLink
from generator.draw.links.motifs import FeatureAt
from generator.draw.links.places import FeatureSpot, along, choose, end_of, loose, reaches, room
from generator.draw.links.route import Plot, route
from generator.pack.game import LinkStyle
from generator.pack.tile import Link, Tile

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
