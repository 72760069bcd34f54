"""Low ink for a whole game: choose one tint for each colour, apply the tints, and keep text and icons legible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from PIL import Image, ImageStat

from generator.base.colours import (
    Channels,
    channels_of,
    contrast,
    is_black,
    lightness,
    mix_with_paper,
    to_hex,
)
from generator.base.geometry import Affine, Rect
from generator.base.units import MM_PER_INCH
from generator.draw.art.low_ink_svg import (
    MAX_TEXTURE_CONTRAST,
    darken,
    loses_contrast,
    measure_glyph,
    paint_glyph,
    tint_art,
)
from generator.draw.draw import DrawnComponent, DrawnDesign, sides_of
from generator.draw.layers.links import Links
from generator.draw.layers.text import CAPITAL_HEIGHT
from generator.draw.links.areas import AREA_PATTERNS
from generator.draw.links.patterns import PATTERNS
from generator.pack.game import Game, LinkStyle
from generator.picture.face import Face
from generator.picture.items import Art, Item, PlacedArt, TextRun, art_of, map_items, walk
from generator.picture.low_ink_items import (
    DEFAULT_SHARE,
    SYMBOL_MM2,
    InkSaver,
    Tints,
    large_colours,
)
from generator.picture.raster import Rasteriser

MIN_LIGHTNESS_GAP = 25.0
"""The difference in lightness (L*, of 100) that a pattern keeps from its link, and links without patterns keep."""

CHOSEN_GAP = 27.0
"""The gap that tints are chosen for: a little more, since neighbouring colours and printers take some away."""

SHARES = (DEFAULT_SHARE, 0.5, 0.6, 0.7, 0.25, 0.15, 0.8, 0.9, 1.0)
"""The shares that a link's tint may keep, the best first: lighter tints look faded, darker ones cost ink."""

PATTERN_SHARES = (1.0, 0.15)
"""The shares that a pattern may keep: all of its colour, or little if it is lighter than its link."""

MAX_COMBINED_LINKS = 5
"""Kinds of link with one pattern whose tints are chosen together.

Only four lightnesses, 25 apart, fit on paper.
"""

BACKGROUND_DPI = 40
"""Enough to see the colour below a letter, 0.6 mm a pixel."""

MIN_LIGHT_GLYPH = 40.0
"""The lightness (L*) from which text and icons may lose contrast on a tint; darker ones gain."""


def save_ink(
    components: Sequence[DrawnComponent], game: Game, raster: Rasteriser
) -> tuple[DrawnComponent, ...]:
    """Return all components in low ink."""
    saver = LowInk(choose_tints(components, game), raster)
    return tuple(saver.component(component) for component in components)


def choose_tints(components: Sequence[DrawnComponent], game: Game) -> Tints:
    """Return the tints of a game, chosen from all of its faces."""
    shares = choose_shares(drawn_links(game))
    faces = {face.name: face for component in components for face in component.faces}
    return Tints(large_colours(faces.values()) | frozenset(shares), shares)


def drawn_links(game: Game) -> Mapping[str, LinkStyle]:
    """Return the kinds of link and area that `links` layers draw, with their styles."""
    designs = ((component, design) for component in game.components for design in component.designs)
    sides = (side.spec for component, design in designs for side in sides_of(component, design))
    tiles = [side.tile for side in sides if any(isinstance(at.layer, Links) for at in side.layers)]
    kinds = {link.kind for tile in tiles for link in tile.links} | {
        area.kind for tile in tiles for area in tile.areas
    }
    return {kind: style for kind, style in game.links.items() if kind in kinds}


_UNPATTERNED = (None, PATTERNS["solid"], AREA_PATTERNS["solid"])


def has_pattern(style: LinkStyle) -> bool:
    """Return True if a link or area has a pattern that is visible on it."""
    return style.pattern not in _UNPATTERNED and channels_of(style.ink) != channels_of(style.fill)


def choose_shares(links: Mapping[str, LinkStyle]) -> Mapping[Channels, float]:
    """Return the shares of colour that the tints of links and of their patterns keep.

    A pattern that differs from its link by 25 levels of lightness still does on the tint, and so do
    two links that have the same pattern. If no tints do that, most pairs count, then the order of
    `SHARES`.
    """
    groups: dict[object, list[LinkStyle]] = {}
    for style in links.values():
        groups.setdefault(style.pattern if has_pattern(style) else None, []).append(style)
    shares: dict[Channels, float] = {}
    for pattern, styles in groups.items():
        inks = (
            {}
            if pattern is None
            else {channels_of(style.fill): channels_of(style.ink) for style in styles}
        )
        fills = list(dict.fromkeys(channels_of(style.fill) for style in styles))
        for fill, chosen in zip(fills, _best_shares(fills, inks), strict=True):
            # A colour of two links keeps as much as either needs.
            shares[fill] = max(chosen.fill, shares.get(fill, 0.0))
            if fill in inks:
                shares[inks[fill]] = max(chosen.ink, shares.get(inks[fill], 0.0))
    return shares


class _Shares(NamedTuple):
    """The shares of colour that a link and its pattern keep."""

    fill: float
    ink: float = 1.0


def _best_shares(fills: Sequence[Channels], inks: Mapping[Channels, Channels]) -> Sequence[_Shares]:
    """Return the shares for each fill of a group of links with one pattern."""
    allowed = [_visible_shares(fill, inks.get(fill)) for fill in fills]
    if len(fills) > MAX_COMBINED_LINKS:
        return [shares[0] for shares in allowed]
    # product() yields the preferred shares first, and max() returns the first of equal values.
    return max(product(*allowed), key=lambda shares: _distinct_pairs(fills, shares))


def _visible_shares(fill: Channels, ink: Channels | None) -> Sequence[_Shares]:
    """Return the shares with which a pattern stays visible on a fill, and as light or dark on it as before."""
    if is_black(fill):
        return (_Shares(1.0),)
    if ink is None:
        return [_Shares(share) for share in SHARES]
    before = lightness(fill) - lightness(ink)
    needed = min(CHOSEN_GAP, abs(before))
    visible = []
    for share, ink_share in product(SHARES, (1.0,) if is_black(ink) else PATTERN_SHARES):
        gap = lightness(mix_with_paper(fill, share)) - lightness(mix_with_paper(ink, ink_share))
        if gap * before > 0 and abs(gap) >= needed:
            visible.append(_Shares(share, ink_share))
    return visible or (_Shares(1.0),)


def _distinct_pairs(fills: Sequence[Channels], shares: Sequence[_Shares]) -> int:
    tints = [mix_with_paper(fill, chosen.fill) for fill, chosen in zip(fills, shares, strict=True)]
    return sum(_gap(item, other) >= CHOSEN_GAP for item, other in combinations(tints, 2))


def _gap(one: Channels, other: Channels) -> float:
    return abs(lightness(one) - lightness(other))


class LowInk:
    """Applies the tints of one game to its faces, and keeps text and icons legible."""

    def __init__(self, tints: Tints, raster: Rasteriser) -> None:
        self._saver = InkSaver(tints, tint_art)
        self._raster = raster

    def component(self, component: DrawnComponent) -> DrawnComponent:
        """Return a component in low ink."""
        return replace(component, designs=tuple(map(self._design, component.designs)))

    def face(self, face: Face) -> Face:
        """Return a face in low ink."""
        return _keep_legible(face, self._saver.face(face), self._raster)

    def _design(self, design: DrawnDesign) -> DrawnDesign:
        more = tuple(map(self.face, design.more))
        return replace(
            design,
            front=self.face(design.front),
            more=more,
            back=design.back and self.face(design.back),
        )


Glyph = TextRun | PlacedArt


def _keep_legible(before: Face, after: Face, raster: Rasteriser) -> Face:
    """Darken text and one-coloured icons that stood out from their background and no longer do on its tint.

    One-coloured decoration, which hardly stood out before, becomes a tint with its background.
    """
    outlined = {
        (run.text, run.x, run.y)
        for run, _ in walk(after.items)
        if isinstance(run, TextRun) and run.stroke
    }
    unchanged = {art.fingerprint for art in art_of(before)} & {
        art.fingerprint for art in art_of(after)
    }

    def glyph_colour(item: Item) -> Channels | None:
        """Return the colour of a text or icon; an outlined text stands out from its own outline."""
        if isinstance(item, TextRun) and (item.text, item.x, item.y) not in outlined:
            return channels_of(item.colour)
        is_icon = isinstance(item, PlacedArt) and item.art.fingerprint in unchanged
        glyph = _icon(item.art) if isinstance(item, PlacedArt) and is_icon else None
        return glyph[0] if glyph else None

    colours = [colour for item, _ in walk(after.items) if (colour := glyph_colour(item))]
    if all(lightness(colour) < MIN_LIGHT_GLYPH for colour in colours):
        return after

    def drop_glyph(item: Item, _: Affine) -> Item | None:
        return None if isinstance(item, TextRun) or glyph_colour(item) else item

    old, new = (
        raster.pixels_of(
            replace(face, items=map_items(face.items, drop_glyph)), BACKGROUND_DPI
        ).convert("RGBA")
        for face in (before, after)
    )

    def repaint(item: Item, at: Affine) -> Item:
        colour = glyph_colour(item)
        if colour is None or not isinstance(item, TextRun | PlacedArt):
            return item
        box = _glyph_box(item, at)
        was = _background(old, after, box)
        now = _background(new, after, box)
        if isinstance(item, PlacedArt) and item.box.w * item.box.h * at.scale**2 >= SYMBOL_MM2:
            # Other things may lie on so large a drawing. They are no background of it.
            was, now = (
                _background(_below(face, item, raster), after, box) for face in (before, after)
            )
        if loses_contrast(contrast(colour, was), contrast(colour, now)):
            return _in_colour(item, darken(colour))
        is_decoration = (
            isinstance(item, PlacedArt)
            and was != now
            and contrast(colour, was) < MAX_TEXTURE_CONTRAST
        )
        return _in_colour(item, mix_with_paper(colour, DEFAULT_SHARE)) if is_decoration else item

    return replace(after, items=map_items(after.items, repaint))


def _below(face: Face, drawing: PlacedArt, raster: Rasteriser) -> Image.Image:
    """Return a picture of the items below a one-coloured drawing on a face, which low ink has left unchanged."""
    is_below = True

    def keep_if_below(item: Item, _: Affine) -> Item | None:
        nonlocal is_below
        is_below = is_below and item != drawing
        return item if is_below else None

    items = map_items(face.items, keep_if_below)
    return raster.pixels_of(replace(face, items=items), BACKGROUND_DPI).convert("RGBA")


def _in_colour(item: Glyph, colour: Channels) -> Item:
    """Return a text run or one-coloured icon in a colour; the transparency of a text stays."""
    if isinstance(item, TextRun):
        return replace(item, colour=to_hex(colour) + item.colour[7:])
    return replace(item, art=paint_glyph(item.art, colour))


@lru_cache(1000)
def _icon(art: Art) -> tuple[Channels, Rect] | None:
    return measure_glyph(art)


def _glyph_box(item: Glyph, at: Affine) -> Rect:
    """Return the upright box of a text run or icon on its face."""
    return at.bounding_box(_icon_box(item) if isinstance(item, PlacedArt) else _text_box(item))


def _icon_box(item: PlacedArt) -> Rect:
    """Return the box around the parts of an icon, as far as they lie in its box."""
    glyph = _icon(item.art)
    if glyph is None:
        return item.box
    return item.to_face.bounding_box(glyph[1]).common(item.box)


def _text_box(run: TextRun) -> Rect:
    """Return the box of a text run, as high as its capitals."""
    height = CAPITAL_HEIGHT * run.size
    return Rect(run.x, run.y - height, run.width, height)


def _background(picture: Image.Image, face: Face, box: Rect) -> Channels:
    """Return the mean colour on paper of a part of a rendered face."""
    full = face.full
    scale = BACKGROUND_DPI / MM_PER_INCH
    left, top = (
        int((start - origin) * scale) for start, origin in ((box.x, full.x), (box.y, full.y))
    )
    right = max(left + 1, round((box.right - full.x) * scale))
    bottom = max(top + 1, round((box.bottom - full.y) * scale))
    part = picture.crop((left, top, right, bottom))
    paper = Image.new("RGBA", part.size, "white")
    paper.alpha_composite(part)
    red, green, blue = (round(level) for level in ImageStat.Stat(paper.convert("RGB")).mean)
    return red, green, blue
