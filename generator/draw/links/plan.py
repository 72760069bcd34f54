"""A tile's links given their places: first those between ports, then, in the room that is left, those with one port."""

from __future__ import annotations

from collections.abc import Mapping

from generator.core.problems import Wrong, unknown
from generator.draw.links.drawn import Drawn
from generator.draw.links.places import Spot, along, choose, end_of, loose, reaches, room
from generator.draw.links.ports import Outline
from generator.draw.links.primitives import FeatureAt
from generator.draw.links.route import route
from generator.pack.game import LinkStyle
from generator.pack.links import Link, Tile

Plan = tuple[tuple[Drawn, ...], tuple[FeatureAt, ...]]


def plan(tile: Tile, outline: Outline, bleed: float, styles: Mapping[str, LinkStyle]) -> Plan:
    """Every link with its body, in the tile's order, and the features upon them."""
    _check(tile, styles)

    def drawn(link: Link, share: float) -> Drawn:
        return Drawn(link, route(link, styles[link.kind], outline, bleed, share), styles[link.kind])

    between = {i: drawn(link, 1.0) for i, link in enumerate(tile.links) if len(link.ports) > 1}
    spots = _spots(between, outline)
    taken = [spot.place for spot in spots.values()]
    ends = {i: loose(link, styles[link.kind], outline) for i, link in enumerate(tile.links) if i not in between}
    shares = reaches(ends, outline, taken, list(between.values()))
    stubs = {i: drawn(tile.links[i], share) for i, share in shares.items()}
    spots |= {i: end_of(one.body) for i, one in stubs.items() if one.link.feature}
    links = dict(sorted((between | stubs).items()))
    return tuple(links.values()), tuple(_feature(i, links, spots, outline) for i in sorted(spots))


def _spots(between: Mapping[int, Drawn], outline: Outline) -> dict[int, Spot]:
    """Where the features of links between ports stand."""
    spots: dict[int, Spot] = {}
    for i, one in between.items():
        if one.link.feature:
            taken = [spot.place for spot in spots.values()]
            spots[i] = choose(along(one.body), outline, taken, one.style.width / 2)
    return spots


def _feature(i: int, links: Mapping[int, Drawn], spots: Mapping[int, Spot], outline: Outline) -> FeatureAt:
    """The feature on link `i`; a link that runs under its place is no limit to its room."""
    place, towards = spots[i].place, spots[i].towards
    others = [spot.place for j, spot in spots.items() if j != i]
    apart = [one.distance(place) for j, one in links.items() if j != i]
    free = min([room(place, outline, others), *(each for each in apart if each > 0)])
    return FeatureAt(links[i].link.feature or "", place, towards, links[i].link.kind, free)


def _check(tile: Tile, styles: Mapping[str, LinkStyle]) -> None:
    for link in tile.links:
        if link.kind not in styles:
            raise unknown("kind of link", link.kind, styles)
        if not link.ports:
            raise Wrong(f"a link of kind {link.kind!r} has no side", "one side or more, such as n-e:red")
