"""Line art in designers' SVG: areas become white with a black outline; lines, text and small dark things black.

Shadows, glosses and textures go. Geometry stays.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from enum import Enum
from xml.etree import ElementTree as ET

from generator.base.colours import Channels, contrast, lightness
from generator.draw.art.painted_parts import (
    PaintedPart,
    find_below,
    painted_parts,
    read_paint,
    set_paint,
    set_property,
)
from generator.draw.art.tree import length, parse_finished, property_of, url_targets, write_finished
from generator.picture.items import Art
from generator.picture.line_art_items import (
    AREA_STROKE_MM,
    BLACK,
    DARK,
    GREY,
    LEAST_ALPHA,
    MAX_DARK_MM2,
    NEARLY_BLACK,
    OUTLINE_MM,
    PALE,
    WHITE,
    ArtBackground,
)
from generator.picture.low_ink_items import ArtPlace, is_rim

MAX_TEXTURE_MM2 = 4.0
"""The largest dot of a texture: 2.2 mm across."""

MAX_TEXTURE_CONTRAST = 2.2
"""The contrast up to which a small fill is a texture of the fill below.

Halftone dots of the bundled games have 1.3 to 1.7, the windows of their houses 2.6.
"""

LEAST_OUTLINED_MM2 = 0.4
"""The smallest fill with an outline of its own: a dot of 0.7 mm. A smaller one would be all outline."""

GLYPH_SHARE = 0.25
"""The share of a face from which a fill of a drawing of one colour is an area, not part of a glyph."""

SMALL_MM2 = 6.0
"""Up to this area, outlines are half as wide, so that they leave some inside."""


MIN_FILL_CONTRAST = 2.2
"""The contrast to the fill below from which an outline is black, not grey.

Paving has 1.1, bricks on their joints up to 2.1, the windows of houses 2.6.
"""

MIN_LINE_CONTRAST = 2.0
"""The contrast from which a line is black: tufts of grass have 1.4."""


class _LinePaint(Enum):
    """The paint of a part in line art."""

    BLACK = BLACK
    GREY = GREY
    WHITE = WHITE
    NOTHING = "none"


def outline_art(art: Art, place: ArtPlace, background: ArtBackground) -> Art:
    """Return art as lines; a drawing of one colour becomes black, or white if it lies on black."""
    tree = parse_finished(art.svg, art.view)
    root = tree.root
    parts = list(painted_parts(tree, place.mm_per_unit))
    if _is_glyph(parts, place):
        for part in parts:
            set_paint(part, _glyph_colour(part, background))
        return replace(art, svg=write_finished(tree))
    parents = {child: parent for parent in root.iter() for child in parent}
    paints: list[_LinePaint] = []
    visible: list[int] = []
    edges: dict[ET.Element, PaintedPart] = {}
    strokes = {id(part.element) for part in parts if part.name in {"line", "stroke"}}
    fading = _fading_gradients(root)
    for index, part in enumerate(parts):
        under = find_below(part, parts, visible)
        is_glow = not fading.isdisjoint(url_targets(part.paint))
        above = parts[index + 1 :]
        result = _LinePaint.NOTHING if is_glow else _choose_paint(part, above, under, paints, parts)
        paints.append(result)
        if result is not _LinePaint.NOTHING:
            visible.append(index)
        _set_own_paint(part, result.value)
        if part.name in {"line", "stroke"}:
            if result is not _LinePaint.NOTHING and _has_two_edges(part):
                edges.setdefault(part.element, part)
        elif part.name == "fill" and result is _LinePaint.WHITE and id(part.element) not in strokes:
            on_black = under is not None and paints[under] is _LinePaint.BLACK
            if not on_black and part.mm2 >= LEAST_OUTLINED_MM2 and _is_inside(part, place):
                _add_outline(part, _colour_of_line(part, under, parts, MIN_FILL_CONTRAST))
    for element, part in edges.items():
        _split_into_edges(element, part, parents)
    return replace(art, svg=write_finished(tree))


def _fading_gradients(root: ET.Element) -> set[str]:
    """Return the ids of gradients that fade out: they paint a glow or a shadow, not a thing."""
    return {
        gradient.get("id", "")
        for gradient in root.iter()
        if gradient.tag in {"linearGradient", "radialGradient"}
        and any(_alpha_of(stop) < LEAST_ALPHA for stop in gradient)
    }


def _alpha_of(stop: ET.Element) -> float:
    """Return how opaque a stop of a gradient is."""
    opacity = length(property_of(stop, "stop-opacity") or "1", 0.0, 1.0)
    alpha = read_paint(property_of(stop, "stop-color") or "black")[1]
    return alpha if opacity is None else alpha * opacity


def _is_glyph(parts: list[PaintedPart], place: ArtPlace) -> bool:
    """Return True for a drawing of one colour that covers no large part of its face."""
    colours = {part.channels for part in parts}
    largest = max((part.mm2 for part in parts), default=0.0)
    return len(colours) == 1 and None not in colours and largest < GLYPH_SHARE * place.face_mm2


def _glyph_colour(part: PaintedPart, background: ArtBackground) -> str:
    """Return the colour of a drawing of one colour: pale if it hardly stood out."""
    if background.is_black:
        return WHITE
    if part.channels and background.colour:
        faint = contrast(part.channels, background.colour) < MIN_LINE_CONTRAST
        return PALE if faint else BLACK
    return BLACK


def _choose_paint(
    part: PaintedPart,
    above: list[PaintedPart],
    under: int | None,
    paints: list[_LinePaint],
    parts: list[PaintedPart],
) -> _LinePaint:
    """Return the paint of a part in line art."""
    if part.alpha < LEAST_ALPHA:
        return _LinePaint.NOTHING
    is_on_black = under is not None and paints[under] is _LinePaint.BLACK
    level = lightness(part.channels) if part.channels else 100.0
    if part.name == "fill":
        return _choose_fill_paint(part, above, parts[under] if under is not None else None, level)
    if is_on_black and (part.name == "text" or level > DARK):
        return _LinePaint.WHITE
    if part.name == "text":
        return _LinePaint.BLACK
    return _colour_of_line(part, under, parts, MIN_LINE_CONTRAST)


def _choose_fill_paint(
    part: PaintedPart, above: list[PaintedPart], under: PaintedPart | None, level: float
) -> _LinePaint:
    """Return the paint of a fill: dots of a texture are dropped, rims and small dark fills are black."""
    if (
        part.mm2 < MAX_TEXTURE_MM2
        and part.channels
        and under
        and under.channels
        and contrast(part.channels, under.channels) < MAX_TEXTURE_CONTRAST
    ):
        return _LinePaint.NOTHING
    is_small = part.mm2 < MAX_DARK_MM2
    is_black = level < NEARLY_BLACK and _is_outline(part, above)
    return _LinePaint.BLACK if is_black or (level < DARK and is_small) else _LinePaint.WHITE


def _colour_of_line(
    part: PaintedPart, under: int | None, parts: list[PaintedPart], least: float
) -> _LinePaint:
    """Return black, or grey for a line that hardly stands out from the fill below."""
    background = parts[under].channels if under is not None else None
    if part.channels and background and contrast(part.channels, background) < least:
        return _LinePaint.BLACK if _fill_stands_out(part, background, parts) else _LinePaint.GREY
    return _LinePaint.BLACK


def _fill_stands_out(part: PaintedPart, background: Channels, parts: list[PaintedPart]) -> bool:
    """Return True for the outline of a fill that stands out: a dark outline vanishes on a dark background.

    Wide outlines stay grey, since black ones would be large black areas.
    """
    is_outline = part.name in {"line", "stroke"} and part.width * part.scale < AREA_STROKE_MM
    return is_outline and any(
        fill.name == "fill"
        and fill.element is part.element
        and fill.mm2 >= LEAST_OUTLINED_MM2  # a line without `fill="none"` has an empty black fill
        and fill.channels
        and fill.alpha >= LEAST_ALPHA
        and contrast(fill.channels, background) >= MIN_FILL_CONTRAST
        for fill in parts
    )


def _is_outline(part: PaintedPart, above: list[PaintedPart]) -> bool:
    """Return True if later fills leave only a rim of a fill visible."""
    fills = (other.outline for other in above if other.name == "fill")
    return is_rim(part.outline, fills, part.units_per_mm)


def _is_inside(part: PaintedPart, place: ArtPlace) -> bool:
    """Return True unless a fill is the background of its face, whose edge is the cut."""
    return part.mm2 < 0.9 * place.face_mm2


def _has_two_edges(part: PaintedPart) -> bool:
    """Return True for a wide line that is not dark: it has an inside to colour."""
    is_wide = part.width * part.scale >= AREA_STROKE_MM
    is_dashed = (property_of(part.element, "stroke-dasharray") or "none") != "none"
    is_light = part.channels is None or lightness(part.channels) >= NEARLY_BLACK
    return is_wide and is_light and not is_dashed


def _set_own_paint(part: PaintedPart, colour: str) -> None:
    """Set the colour of a part on its element, or on the `<use>` that gives it one."""
    target = part.holder if part.holder.tag == "use" else part.element
    name = "stroke" if part.name in {"stroke", "line"} else "fill"
    set_property(target, name, colour)


def _add_outline(part: PaintedPart, line: _LinePaint) -> None:
    """Give a fill an outline."""
    mm = OUTLINE_MM if part.mm2 > SMALL_MM2 else OUTLINE_MM / 2
    for name, value in {
        "stroke": line.value,
        "stroke-width": f"{mm / part.scale:.4g}",
        "stroke-linejoin": "round",
        "stroke-opacity": "1",
        "stroke-dasharray": "none",
    }.items():
        set_property(part.element, name, value)


def _split_into_edges(
    element: ET.Element, part: PaintedPart, parents: dict[ET.Element, ET.Element]
) -> None:
    """Draw a wide line as a black one and a narrower white one above it."""
    parent = parents.get(element)
    if parent is None:
        return
    inner = deepcopy(element)
    set_property(inner, "stroke", WHITE)
    set_property(inner, "fill", "none")
    set_property(inner, "stroke-width", f"{part.width - 2 * OUTLINE_MM / part.scale:.4g}")
    parent.insert(list(parent).index(element) + 1, inner)
