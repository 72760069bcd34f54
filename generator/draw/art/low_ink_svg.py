"""Low ink in designers' SVG: tints for the fills of large pictures, and dark for light letters upon them.

Only paints change. Geometry, lines and black stay, and so do signs: small fills with something lighter upon them.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass, field, replace

from generator.base.colours import Channels, contrast, is_black, luminance, to_hex
from generator.base.geometry import Rect
from generator.base.spill import SpillFile
from generator.base.svg_table import SVG_KIND
from generator.draw.art.painted_parts import (
    PaintedPart,
    find_below,
    painted_parts,
    read_paint,
    set_paint,
    set_property,
)
from generator.draw.art.tree import (
    HREF,
    ArtTree,
    href_target,
    parse_finished,
    property_of,
    url_targets,
    write_finished,
)
from generator.picture.images import read_pixels
from generator.picture.items import Art
from generator.picture.low_ink_items import (
    BACKGROUND_SHARE,
    LARGE_MM2,
    ArtPlace,
    Tints,
    brighten_image,
    is_rim,
)

MIN_TEXT_CONTRAST = 4.5
"""The contrast that text and one-coloured icons keep if they had it before (WCAG 2.2, 1.4.3)."""

MIN_CONTRAST_LEFT = 0.8
"""The share of a contrast that a text must keep; a letter at the rim of its background keeps more."""

MIN_SIGN_CONTRAST = 3.0
"""The contrast from which something lighter makes a small fill a sign (WCAG 2.2, 1.4.11)."""

MAX_TEXTURE_CONTRAST = 1.5
"""The contrast up to which a fill is a texture of the fill below, such as dark dots on a dark background.

A texture is tinted with its background.

Found by trial on the bundled games: the decoration of one has 1.4, that of another 1.46.
"""

MIN_SIGN_MM2 = 4.0
"""The smallest area of a sign; smaller dots are a texture, which may have a thousand of them."""

MIN_OUTLINE_MM2 = 20.0
"""The smallest fill that may be an outline: a dot of 5 mm. The scales of a skin have up to 13 mm²."""

MAX_SIGN_MM2 = 100.0
"""The largest area of a sign: an icon of 10 mm, not a stretch of road on which a sign stands."""

MIN_SIGN_SHARE = 0.02
"""The smallest share of a sign that the lighter thing on it covers; a highlight is smaller."""

DARK_SHARE = 0.15
"""The factor that darkens text and icons on a tint: the hue of a pure colour is still recognisable."""


def tint_art(art: Art, place: ArtPlace, tints: Tints) -> Art:
    """Return art with tints for its large fills.

    All other fills of a large picture become tints, too.
    """
    tree = parse_finished(art.svg, art.view)
    parts = list(painted_parts(tree, place.mm_per_unit))
    if _only_colour(parts) is not None and not any(_is_background(part, place) for part in parts):
        return art
    painter = _Painter(tree, tints)
    backgrounds = {part.channels for part in parts if _is_background(part, place)}
    tinted: list[bool] = []
    for index, part in enumerate(parts):
        under = find_below(part, parts, range(index)) if _needs_fill_below(part) else None
        below = parts[under] if under is not None and tinted[under] else None
        is_texture = below is not None and _is_texture(part, below)
        is_background = part.channels in backgrounds or is_texture
        tinted.append(is_texture or _is_tinted(part, parts[index + 1 :], place, tints))
        if tinted[index]:
            painter.paint(part, is_background=is_background)
        elif part.name == "text" and below is not None:
            _keep_text_legible(part, below, tints, is_background=below.channels in backgrounds)
    _tint_images(tree, place, tints)
    return replace(art, svg=write_finished(tree))


def measure_glyph(art: Art) -> tuple[Channels, Rect] | None:
    """Return the colour of art that has only one, and the box around its parts; None for other art."""
    parts = list(painted_parts(parse_finished(art.svg, art.view), 1.0))
    colour = _only_colour(parts)
    return (colour, Rect.around([part.box for part in parts])) if colour else None


def paint_glyph(art: Art, colour: Channels) -> Art:
    """Return art with all parts in one colour."""
    tree = parse_finished(art.svg, art.view)
    for part in list(painted_parts(tree, 1.0)):
        set_paint(part, to_hex(colour))
    return replace(art, svg=write_finished(tree))


def darken(colour: Channels) -> Channels:
    """Return a dark version of a colour, for text and icons on a tint."""
    red, green, blue = (round(channel * DARK_SHARE) for channel in colour)
    return red, green, blue


def loses_contrast(was: float, now: float) -> bool:
    """Return True if a contrast falls below the minimum for text, or clearly falls if it was below that before."""
    return now < MIN_TEXT_CONTRAST and (was >= MIN_TEXT_CONTRAST or now < MIN_CONTRAST_LEFT * was)


def _only_colour(parts: list[PaintedPart]) -> Channels | None:
    colours = {part.channels for part in parts}
    return next(iter(colours)) if len(colours) == 1 else None


def _is_tinted(part: PaintedPart, above: list[PaintedPart], place: ArtPlace, tints: Tints) -> bool:
    if part.name in {"text", "line"} or _is_outline(part, above):
        return False
    if place.is_symbol:
        # A roundabout on a road goes on in the road's colour; all else of a symbol stays, in any
        # size.
        return part.mm2 >= LARGE_MM2 and part.channels in tints.large
    return part.mm2 >= LARGE_MM2 or part.name == "stroke" or not _is_sign(part, above)


def _is_outline(part: PaintedPart, above: list[PaintedPart]) -> bool:
    """Return True if a later fill leaves only a rim of a fill visible."""
    if part.name != "fill" or part.mm2 < MIN_OUTLINE_MM2:
        return False
    fills = (other.outline for other in above if other.name == "fill")
    return is_rim(part.outline, fills, part.units_per_mm)


def _is_sign(part: PaintedPart, above: list[PaintedPart]) -> bool:
    """Return True if something clearly lighter lies on a part, such as the letters on a stop sign."""
    channels = part.channels
    if channels is None or not MIN_SIGN_MM2 <= part.mm2 <= MAX_SIGN_MM2:
        return False
    return any(
        other.channels is not None
        and part.outline.box.holds(other.box)
        and luminance(other.channels) > luminance(channels)
        and contrast(other.channels, channels) >= MIN_SIGN_CONTRAST
        and (
            other.name == "text"
            or (other.name == "fill" and other.mm2 >= MIN_SIGN_SHARE * part.mm2)
        )
        for other in above
    )


def _is_background(part: PaintedPart, place: ArtPlace) -> bool:
    return part.mm2 >= BACKGROUND_SHARE * place.face_mm2


def _needs_fill_below(part: PaintedPart) -> bool:
    """Return True for text, and for black, which is only tinted as the texture of a tinted fill."""
    return part.name == "text" or (
        part.name == "fill" and part.channels is not None and is_black(part.channels)
    )


def _is_texture(part: PaintedPart, below: PaintedPart) -> bool:
    """Return True if a fill hardly stands out from the fill below."""
    if part.name != "fill" or part.channels is None or below.channels is None:
        return False
    return contrast(part.channels, below.channels) < MAX_TEXTURE_CONTRAST


def _keep_text_legible(
    text: PaintedPart, under: PaintedPart, tints: Tints, *, is_background: bool
) -> None:
    """Darken a text inside art if the fill below becomes too light for it."""
    if text.channels is None or under.channels is None:
        return
    after = tints.of(under.channels, is_background=is_background)
    if loses_contrast(contrast(text.channels, under.channels), contrast(text.channels, after)):
        set_paint(text, to_hex(darken(text.channels)))


@dataclass
class _Painter:
    """Sets tints in one drawing; each gradient and pattern is tinted once."""

    tree: ArtTree
    tints: Tints
    _done: set[str] = field(default_factory=set)

    def paint(self, part: PaintedPart, *, is_background: bool) -> None:
        """Set the tint of a part."""
        if part.channels is not None:
            set_paint(
                part,
                _with_alpha(self.tints.of(part.channels, is_background=is_background), part.paint),
            )
        for name in url_targets(part.paint):
            self._paint_server(name, is_background=is_background)

    def _paint_server(self, name: str, *, is_background: bool) -> None:
        """Set tints in a gradient or pattern, and in the one that it takes its stops from."""
        element = self.tree.ids.get(name)
        if element is None or name in self._done:
            return
        self._done.add(name)
        for inner in element.iter():
            for key in ("stop-color", "fill"):
                value = property_of(inner, key)
                channels = read_paint(value)[0] if value else None
                if value and channels is not None:
                    tint = self.tints.of(channels, is_background=is_background)
                    set_property(inner, key, _with_alpha(tint, value))
        if target := href_target(element):
            self._paint_server(target, is_background=is_background)


def _tint_images(tree: ArtTree, place: ArtPlace, tints: Tints) -> None:
    """Brighten large images of pixels inside art, and apply tints to SVG inside it."""
    for element in tree.root.iter("image"):
        address = element.get(HREF, "")
        if address.startswith(SVG_KIND):
            inner = b64decode(address.removeprefix(SVG_KIND)).decode(errors="replace")
            art = tint_art(Art("", inner, Rect(0, 0, 1, 1)), place, tints)
            element.set(HREF, SVG_KIND + b64encode(art.svg.encode()).decode())
        elif not place.is_symbol and address.startswith("data:image/"):
            data = b64decode(address.partition(",")[2])
            pixels = read_pixels("image", data, SpillFile())
            element.set(HREF, brighten_image(pixels, SpillFile()).address)


def _with_alpha(colour: Channels, paint: str) -> str:
    """Return a colour with the transparency that a paint had."""
    alpha = read_paint(paint)[1]
    return to_hex(colour) + (f"{round(alpha * 255):02x}" if alpha < 1 else "")
