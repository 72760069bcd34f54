"""Faults of low ink, measured on pixels: text and icons that lose their contrast, and links that are alike in grey."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, combinations, repeat

from PIL import Image, ImageChops, ImageStat

from generator.base.colours import lightness, luminance
from generator.base.geometry import Rect, Size
from generator.base.shapes import fill_box
from generator.base.units import MM_PER_INCH
from generator.draw.art.low_ink_svg import loses_contrast
from generator.draw.draw import DrawnComponent
from generator.draw.findings import Finding, cut_faces
from generator.draw.links import draw_links, plot_of
from generator.draw.low_ink_game import MIN_LIGHTNESS_GAP, LowInk, choose_tints, drawn_links
from generator.pack.folder import Asset
from generator.pack.game import Game, LinkStyle
from generator.pack.tile import parse_tile
from generator.picture.face import Face, KeepInside
from generator.picture.images import strongest_channel
from generator.picture.items import Item
from generator.picture.raster import Rasteriser

LINK_DPI = 100
"""Pixels of 0.25 mm, which show a link's pattern."""

LETTER_DPI = 200
"""Pixels of 0.13 mm, which show the full colour of the strokes of letters of 6 pt."""

QUANTILE = 0.02
"""The share of the darkest and of the lightest pixels of a box that is ignored: blurred edges may be there."""

MIN_DIFFERENT_SHARE = 0.05
"""The share of two links' pixels that must differ at any alignment: a thin broken line covers 6 %."""

MIN_COLOUR_DISTANCE = 60
"""Levels of 255 in one channel from which anybody can tell two colours apart on the table."""

SWATCH_PIXELS = 24
"""The pixels across a swatch; links of all widths are scaled to this."""

SWATCH_MM = 40.0
"""The least side in mm of the tile on which a link is measured: room for several periods of its pattern."""


def low_ink_findings(
    game: Game,
    full: tuple[DrawnComponent, ...],
    low: tuple[DrawnComponent, ...],
    raster: Rasteriser,
) -> Iterator[Finding]:
    """Yield the faults of a game in low ink; `full` are its components in full ink."""
    yield from _links_alike(game, LowInk(choose_tints(full, game), raster), raster)
    for before, after in zip(full, low, strict=True):
        for old, new in zip(cut_faces(before), _faces_like(before, after), strict=True):
            for box in old.face.keep_inside:
                was, now = (strongest_contrast(face, box, raster) for face in (old.face, new))
                if loses_contrast(was, now):
                    text = f"{box.label} has a contrast of {now:.1f} : 1 in low ink, and {was:.1f} : 1 in full ink"
                    hint = "a darker colour, or a line around it, stays legible on a tint"
                    group = "text or icons lose their contrast in low ink"
                    yield Finding(
                        old.face.label, text, hint, group=group, weight=-now, where=old.where
                    )


def _faces_like(before: DrawnComponent, after: DrawnComponent) -> Iterator[Face]:
    """Yield the low-ink face of each distinct face in full ink, in the order of `cut_faces`."""
    seen: set[str] = set()
    for old, new in zip(before.faces, after.faces, strict=True):
        if old.name not in seen:
            seen.add(old.name)
            yield new


def strongest_contrast(face: Face, box: KeepInside, raster: Rasteriser) -> float:
    """Return the contrast between the darkest and the lightest parts of a box on a face (WCAG 2.2)."""
    window = box.box.common(face.full)
    if min(window.size) <= 0:
        return 1.0
    pixels = _on_paper(raster.face(face, LETTER_DPI, window))
    data = pixels.tobytes()
    counts = Counter(zip(data[::3], data[1::3], data[2::3], strict=True))
    # The luminance of every pixel in order, each found once for all pixels of a colour.
    by_luminance = sorted((luminance(colour), count) for colour, count in counts.items())
    luminances = list(chain.from_iterable(repeat(level, count) for level, count in by_luminance))
    skipped = int(QUANTILE * len(luminances))
    return (luminances[-1 - skipped] + 0.05) / (luminances[skipped] + 0.05)


def _on_paper(picture: Image.Image) -> Image.Image:
    paper = Image.new("RGBA", picture.size, "white")
    paper.alpha_composite(picture)
    return paper.convert("RGB")


Swatch = tuple[Image.Image, Image.Image]
"""A stretch of a link as pixels: in full colour, and the lightness (L*) of its low-ink print."""


def _links_alike(game: Game, low_ink: LowInk, raster: Rasteriser) -> Iterator[Finding]:
    """Yield the pairs of links that differ on the table, but not in a grey print in low ink."""
    styles = {name: style for name, style in drawn_links(game).items() if style.width}
    swatches = {name: _swatch(style, styles, low_ink, raster) for name, style in styles.items()}
    for (name, (colour, grey)), (other_name, (other_colour, other_grey)) in combinations(
        swatches.items(), 2
    ):
        is_seen = differ_at_every_shift(colour, other_colour, MIN_COLOUR_DISTANCE)
        if is_seen and not are_distinct_in_grey(grey, other_grey):
            text = f"{name} and {other_name} look alike in a grey print in low ink"
            yield Finding(
                "links",
                text,
                "give them different patterns, such as `pattern: dots`; see docs/tiles.md",
            )


def _swatch(
    style: LinkStyle, styles: Mapping[str, LinkStyle], low_ink: LowInk, raster: Rasteriser
) -> Swatch:
    """Return the pixels of a straight link; links of any width are scaled to one."""
    side = max(SWATCH_MM, *(2 * item.width for item in styles.values()))
    size = Size(side, side)
    outline = fill_box("rect", size)

    def place_art(asset: Asset, box: Rect) -> Item:
        raise AssertionError(f"{asset.name}: a link has no picture, in {box}")

    drawing = draw_links(
        parse_tile("n-s:link", outline.names), plot_of(outline), 0.0, {"link": style}, place_art
    )
    face = Face(drawing.items, size)
    window = Rect(size.w / 2 - style.width / 2, 0, style.width, size.h)
    colour, low = (
        _on_paper(raster.face(entry, LINK_DPI, window)) for entry in (face, low_ink.face(face))
    )
    pixels = (SWATCH_PIXELS, round(size.h * LINK_DPI / MM_PER_INCH))
    return colour.resize(pixels), _lightness_of(low.resize(pixels))


def _lightness_of(picture: Image.Image) -> Image.Image:
    """Return a grey print of a picture, with lightness (L*) instead of grey levels, from 0 to 255."""
    curve = [round(2.55 * lightness((level, level, level))) for level in range(256)]
    return picture.convert("L").point(curve)


def are_distinct_in_grey(one: Image.Image, other: Image.Image) -> bool:
    """Return True if two links, as lightness from 0 to 255, differ in their mean lightness or in their patterns."""
    means = [ImageStat.Stat(grey).mean[0] for grey in (one, other)]
    if abs(means[0] - means[1]) >= 2.55 * MIN_LIGHTNESS_GAP:
        return True
    patterns = [
        grey.point(_pattern_curve(mean)) for grey, mean in zip((one, other), means, strict=True)
    ]
    # A pattern with the least gap lies half of that from its mean, and the curve halves that again.
    return differ_at_every_shift(patterns[0], patterns[1], round(2.55 * MIN_LIGHTNESS_GAP / 4))


def _pattern_curve(mean: float) -> list[int]:
    """Return the curve that moves a mean to middle grey, and halves all differences so that none is clipped."""
    return [round((level - mean) / 2 + 128) for level in range(256)]


def differ_at_every_shift(one: Image.Image, other: Image.Image, min_levels: int) -> bool:
    """Return True if two links differ by `min_levels` in enough places, however one is moved along the other."""
    return all(
        _different_share(one, ImageChops.offset(other, 0, shift), min_levels) >= MIN_DIFFERENT_SHARE
        for shift in range(one.height)
    )


def _different_share(one: Image.Image, other: Image.Image, min_levels: int) -> float:
    """Return the share of pixels that differ by at least `min_levels` in any channel."""
    strongest = strongest_channel(ImageChops.difference(one, other))
    return sum(strongest.histogram()[min_levels:]) / (one.width * one.height)
