"""Set the headings of sections, in the style that a theme chooses. Lengths in mm.

A style is a row in `HEADING_STYLES`. Each draws the same parts in its own way: the words, the
theme's mark, the theme's strip of art (`rule:`) and lines in the theme's colour of headings.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from generator.base.units import MM_PER_PT
from generator.rules.booklet.boxes import (
    RULE_MM,
    FlowBox,
    Maker,
    SetPicture,
    SetPolygon,
    SetRectangle,
    Thing,
    strip,
)
from generator.rules.theme import BookletStyle
from generator.text.shape import measure, measure_metrics

# The smallest scale of section headings that are shrunk to fit on a line each.
MIN_HEADING_SCALE = 0.66

# Height in em of the middle of a line of type above its baseline.
LINE_MIDDLE_EM = 0.275

# Between the words and the ornaments beside them.
GAP_MM = 2.0

# The height of a mark in em.
MARK_EM = 0.985

# Padding at the ends of a ribbon, and above and below its words.
RIBBON_PADDING_MM = 2.2
RIBBON_LEAD_MM = 0.9

# A strip of art under a heading without a ribbon, where it is the main ornament, and its gap.
STRIP_MM = 2.4
STRIP_GAP_MM = 1.0

# A line under a heading, and its gap.
LINE_MM = 0.3
LINE_GAP_MM = 1.2

# A line or strip that continues the words to the column's end; shorter ones are left out.
LEAST_LINE_MM = 9.0
LINE_STRIP_MM = 2.8

# A plate's edge, its corners, and the rivets in them.
PLATE_EDGE_MM = 0.45
PLATE_RADIUS_MM = 1.4
PLATE_PADDING_MM = 1.3
RIVET_MM = 1.1
RIVET_INSET_MM = 0.9

# Slanted stripes at the end of a heading: their widths, the gaps between them, and their slant as a
# share of their height.
STRIPES_MM = (0.8, 1.4, 2.2)
STRIPE_GAP_MM = 0.8
STRIPE_SLANT = 0.45

# The lines under a heading that stripes or a sprig stand on.
STRIPE_LINE_MM = 0.8
SPRIG_LINE_MM = 0.5


@dataclass(frozen=True)
class HeadingParts:
    """A heading to draw: its words, their width on one line, and the size of its type in mm."""

    style: BookletStyle
    text: Maker
    text_width: float
    size: float
    width: float

    @property
    def colour(self) -> str:
        """The theme's colour of headings."""
        return self.style.heading_fill

    @property
    def mark_size(self) -> tuple[float, float]:
        """The width and height of the theme's mark; zero without one."""
        mark = self.style.theme.pictures.mark
        height = MARK_EM * self.size
        return (height * mark.size.w / mark.size.h, height) if mark else (0.0, 0.0)

    def mark(self, x: float, y: float) -> Sequence[Thing]:
        """Return the mark at a position; nothing without one."""
        face = self.style.theme.pictures.mark
        return (SetPicture(x, y, *self.mark_size, face, ""),) if face else ()

    def words(self, left: float, right: float) -> FlowBox:
        """Return the words between insets from both edges."""
        return self.text(self.width - left - right)

    def strip(self, x: float, y: float, width: float, height: float) -> Sequence[Thing]:
        """Return the theme's strip of art; a thin line without it."""
        rule = self.style.theme.pictures.rule
        if rule:
            return tuple(strip(rule, x, y, width, height))
        return (SetRectangle(x, y + (height - LINE_MM) / 2, width, LINE_MM, fill=self.colour),)


Insets = Callable[[HeadingParts], tuple[float, float]]
Draw = Callable[[HeadingParts], FlowBox]


def _mark_inset(parts: HeadingParts) -> float:
    """Return the width that a mark before the words takes."""
    width, _ = parts.mark_size
    return width + GAP_MM if width else 0.0


def _after_mark(parts: HeadingParts) -> tuple[float, float]:
    return _mark_inset(parts), 0.0


def _in_ribbon(parts: HeadingParts) -> tuple[float, float]:
    return RIBBON_PADDING_MM + _mark_inset(parts), RIBBON_PADDING_MM


def _in_plate(parts: HeadingParts) -> tuple[float, float]:
    side = RIVET_INSET_MM + RIVET_MM + PLATE_PADDING_MM
    return side + _mark_inset(parts), side


def _before_mark(parts: HeadingParts) -> tuple[float, float]:
    return 0.0, _mark_inset(parts)


def _on_middle(parts: HeadingParts, words: FlowBox) -> float:
    """Return how far down the words move so that their capitals are centred vertically."""
    cap = measure_metrics(parts.style.heading).cap
    return (cap / 2 - LINE_MIDDLE_EM) * parts.size if words.height else 0.0


def _level(
    parts: HeadingParts, left: float, right: float, lead: float
) -> tuple[float, tuple[Thing, ...]]:
    """Return the height of the words with a mark before them, and both, centred vertically."""
    words = parts.words(left, right)
    mark_width, mark_height = parts.mark_size
    height = max(words.height, mark_height) + 2 * lead
    marked = parts.mark(left - mark_width - GAP_MM, (height - mark_height) / 2)
    top = (height - words.height) / 2 + _on_middle(parts, words)
    return height, (*marked, *words.at(left, top))


def _ribbon(parts: HeadingParts) -> FlowBox:
    """Draw light words on a ribbon of colour, on the strip of art."""
    height, things = _level(parts, *_in_ribbon(parts), RIBBON_LEAD_MM)
    ribbon = SetRectangle(0, 0, parts.width, height, fill=parts.colour)
    if not parts.style.theme.pictures.rule:
        return FlowBox(parts.width, height, (ribbon, *things))
    under = parts.strip(0, height, parts.width, RULE_MM)
    return FlowBox(parts.width, height + RULE_MM, (ribbon, *things, *under))


def _rule(parts: HeadingParts) -> FlowBox:
    """Draw the strip of art, or a thin line, under the mark and the words."""
    height, things = _level(parts, *_after_mark(parts), 0.0)
    if not parts.style.theme.pictures.rule:
        line = SetRectangle(0, height + LINE_GAP_MM, parts.width, LINE_MM, fill=parts.colour)
        return FlowBox(parts.width, height + LINE_GAP_MM + LINE_MM, (*things, line))
    under = parts.strip(0, height + STRIP_GAP_MM, parts.width, STRIP_MM)
    return FlowBox(parts.width, height + STRIP_GAP_MM + STRIP_MM, (*things, *under))


def _line(parts: HeadingParts) -> FlowBox:
    """Draw the strip of art, or a thin line, from the end of the words to the end of the column."""
    left, _ = _after_mark(parts)
    height, things = _level(parts, left, 0.0, 0.0)
    start = left + parts.text_width + GAP_MM
    if parts.width - start >= LEAST_LINE_MM:
        middle = height / 2 - LINE_STRIP_MM / 2
        things += tuple(parts.strip(start, middle, parts.width - start, LINE_STRIP_MM))
    return FlowBox(parts.width, height, things)


def _plate(parts: HeadingParts) -> FlowBox:
    """Draw the mark and the words on an outlined plate with a rivet in each corner."""
    height, things = _level(parts, *_in_plate(parts), PLATE_PADDING_MM)
    half = PLATE_EDGE_MM / 2
    plate = SetRectangle(
        half,
        half,
        parts.width - PLATE_EDGE_MM,
        height - PLATE_EDGE_MM,
        fill=parts.style.theme.box,
        stroke=parts.colour,
        thickness=PLATE_EDGE_MM,
        radius=PLATE_RADIUS_MM,
    )
    rivets = tuple(
        SetRectangle(x, y, RIVET_MM, RIVET_MM, fill=parts.colour, radius=RIVET_MM / 2)
        for x in (RIVET_INSET_MM, parts.width - RIVET_INSET_MM - RIVET_MM)
        for y in (RIVET_INSET_MM, height - RIVET_INSET_MM - RIVET_MM)
    )
    return FlowBox(parts.width, height, (plate, *rivets, *things))


def _sprig(parts: HeadingParts) -> FlowBox:
    """Draw a line under the words, with the mark standing on its end."""
    words = parts.words(*_before_mark(parts))
    mark_width, mark_height = parts.mark_size
    height = max(words.height, mark_height)
    line = SetRectangle(0, height, parts.width, SPRIG_LINE_MM, fill=parts.colour)
    things = (
        *words.at(0, height - words.height),
        line,
        *parts.mark(parts.width - mark_width, height - mark_height + SPRIG_LINE_MM / 2),
    )
    return FlowBox(parts.width, height + SPRIG_LINE_MM, things)


def _stripes(parts: HeadingParts) -> FlowBox:
    """Draw a line under the mark and the words, with slanted stripes on its end if there is space."""
    left, _ = _after_mark(parts)
    height, things = _level(parts, left, 0.0, 0.0)
    line = SetRectangle(0, height, parts.width, STRIPE_LINE_MM, fill=parts.colour)
    bar_height = min(height, parts.size)
    slant = STRIPE_SLANT * bar_height
    stripes_width = sum(STRIPES_MM) + STRIPE_GAP_MM * (len(STRIPES_MM) - 1) + slant
    bars = []
    x = parts.width - stripes_width
    for bar_width in STRIPES_MM if x >= left + parts.text_width + GAP_MM else ():
        corners = (
            (slant, 0.0),
            (slant + bar_width, 0.0),
            (bar_width, bar_height),
            (0.0, bar_height),
        )
        bars.append(
            SetPolygon(x, height - bar_height, slant + bar_width, bar_height, corners, parts.colour)
        )
        x += bar_width + STRIPE_GAP_MM
    return FlowBox(parts.width, height + STRIPE_LINE_MM, (*things, line, *bars))


# The insets of the words from the left and right edge, and the drawing of all parts. `ThemeSpec.headings`
# lists the names.
HEADING_STYLES: Mapping[str, tuple[Insets, Draw]] = {
    "ribbon": (_in_ribbon, _ribbon),
    "rule": (_after_mark, _rule),
    "line": (_after_mark, _line),
    "plate": (_in_plate, _plate),
    "sprig": (_before_mark, _sprig),
    "stripes": (_after_mark, _stripes),
}


def fit_headings(style: BookletStyle, headings: Iterable[str], size: float, width: float) -> float:
    """Return the largest size in points at which every section heading fits on a line, within limits."""
    insets, _ = HEADING_STYLES[style.theme.heading_style]
    fixed, em = (
        sum(insets(HeadingParts(style, lambda width: FlowBox(width, 0.0), 0.0, em, width)))
        for em in (0.0, 1.0)
    )
    longest = max((measure(text, style.heading, 1.0) for text in headings), default=0.0)
    em_width = MM_PER_PT * (longest + em - fixed)
    fits = 0.99 * (width - fixed) / em_width if em_width else size
    return fits if MIN_HEADING_SCALE * size <= fits < size else size


def set_heading(
    style: BookletStyle, text: str, words: Maker, size: float, *, is_rtl: bool
) -> Maker:
    """Return a section heading in the theme's style; `size` is in points.

    Pages that are read from right to left have it mirrored.
    """
    _, draw = HEADING_STYLES[style.theme.heading_style]
    size_mm = size * MM_PER_PT
    text_width = measure(text, style.heading, size_mm)

    def box(width: float) -> FlowBox:
        heading_box = draw(HeadingParts(style, words, text_width, size_mm, width))
        if not is_rtl:
            return heading_box
        mirrored = (replace(thing, x=width - thing.x - thing.width) for thing in heading_box.things)
        return replace(heading_box, things=tuple(mirrored))

    return box
