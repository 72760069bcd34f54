"""From a link's notation to the area that it covers: which line it takes between its ports."""

from __future__ import annotations

from generator.core.problems import Kind, Wrong
from generator.core.units import number
from generator.draw.links.body import Body, Stub, Through, junction
from generator.draw.links.caps import cap_named, round_cap
from generator.draw.links.curve import Frame, bend, line
from generator.draw.links.ports import Outline, Side
from generator.draw.links.way import Way, measured
from generator.pack.game import LinkStyle
from generator.pack.links import Link


def route(link: Link, style: LinkStyle, outline: Outline, bleed: float, share: float) -> Body:
    """The body of a link; `share` is how far a link with one port goes from its side to the centre."""
    sides = [outline.side(port) for port in link.ports]
    half = style.width / 2
    for side in sides:
        _check_room(link, style, side)
    match sides:
        case [side]:
            cap = round_cap if link.feature else cap_named(style.cap)
            return Stub(_leg(side, outline, bleed, share), half, cap)
        case [a, b]:
            return Through(_between(a, b, bleed), half)
        case _:
            legs = [_leg(side, outline, bleed, 1.0) for side in sides]
            return junction(legs, half)


def _leg(side: Side, outline: Outline, bleed: float, share: float) -> Way:
    end = side.middle + side.inward.scaled(side.depth(outline.centre) * share)
    return measured(line(side.middle, end), bleed, None)


def _between(a: Side, b: Side, bleed: float) -> Way:
    """Square to both sides, and an arc (for opposite sides a straight line) between them."""
    outward = b.inward.scaled(-1)
    return measured(bend(Frame(a.middle, a.inward), Frame(b.middle, outward)), bleed, bleed)


def _check_room(link: Link, style: LinkStyle, side: Side) -> None:
    casing = style.casing.width if style.casing else 0.0
    if style.width + 2 * casing > side.length:
        found = f"a link of kind {link.kind!r} is {number(style.width + 2 * casing)} mm wide with its casing"
        raise Wrong(found, f"at most its side, {number(side.length)} mm", kind=Kind.FIT)
