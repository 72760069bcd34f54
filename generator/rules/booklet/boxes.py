"""Boxes of a booklet's flow: things with positions, stacked and placed in rows. Lengths in mm.

A box is a function from a width to its contents. typst measures all texts at once, so boxes are
laid out twice: first to collect texts and widths, then with known heights. Themes add art under,
over and along the text of a page.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from generator.base.geometry import Rect
from generator.picture.face import Face
from generator.rules.booklet.pages import FILLER_GAP_MM, NO_TIE, BookPage, Filler, Tie
from generator.rules.theme import Theme


@dataclass(frozen=True)
class SetText:
    """Text as typst code, at a position, broken at a width."""

    x: float
    y: float
    width: float
    code: str


@dataclass(frozen=True)
class SetPicture:
    """A face cut to its trim, with a position and a size.

    A `lined` one has a thin outline. A `filling` one keeps its proportions and covers its box; the
    excess is cut off at the top and bottom (`horizon`) or at the top only (`bottom`). A `turned` one
    lies on its side, with its head at the left.
    """

    x: float
    y: float
    width: float
    height: float
    face: Face
    alt: str
    lined: bool = False
    filling: str = ""
    turned: bool = False


@dataclass(frozen=True)
class SetRectangle:
    """A filled rectangle; nothing is drawn without a colour."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    stroke: str = ""
    thickness: float = 0.0
    radius: float = 0.0


@dataclass(frozen=True)
class SetPolygon:
    """A filled polygon in a box; its corners are in mm from the top left of the box."""

    x: float
    y: float
    width: float
    height: float
    corners: tuple[tuple[float, float], ...]
    fill: str


Thing = SetText | SetPicture | SetRectangle | SetPolygon


@dataclass(frozen=True)
class FlowBox:
    """Things in a box of a size, from its top left."""

    width: float
    height: float
    things: tuple[Thing, ...] = ()

    def at(self, x: float, y: float) -> tuple[Thing, ...]:
        """Return the things with the box's corner at a position."""
        if x == y == 0:
            return self.things  # as the first box of a row or of a stack
        return tuple(replace(thing, x=thing.x + x, y=thing.y + y) for thing in self.things)


@dataclass
class Heights:
    """Heights and line breaks of texts at given widths; unknown ones are collected for measuring."""

    measured: dict[tuple[str, float], float] = field(default_factory=dict)
    unmeasured: dict[tuple[str, float], None] = field(default_factory=dict)
    lines: dict[tuple[str, float], tuple[int, ...]] = field(default_factory=dict)
    unbroken: dict[tuple[str, float], None] = field(default_factory=dict)

    def of(self, code: str, width: float) -> float:
        """Return the height, or 0 until it is measured."""
        key = code, round(width, 3)
        if key not in self.measured:
            self.unmeasured[key] = None
        return self.measured.get(key, 0.0)

    def breaks(self, code: str, width: float) -> tuple[int, ...]:
        """Return the numbers of the words that begin lines; none until they are measured."""
        key = code, round(width, 3)
        if key not in self.lines:
            self.unbroken[key] = None
        return self.lines.get(key, ())


# Makes a box as soon as its width is known.
Maker = Callable[[float], FlowBox]


def words(heights: Heights, code: str) -> Maker:
    """Return a text that fills the width."""
    return lambda width: FlowBox(width, heights.of(code, width), (SetText(0, 0, width, code),))


def picture(face: Face, width: float, height: float, alt: str = "") -> FlowBox:
    """Return a face at a size."""
    return FlowBox(width, height, (SetPicture(0, 0, width, height, face, alt),))


def thumbnail(face: Face, width: float, height: float) -> FlowBox:
    """Return a small face with an outline and no alternative text."""
    return FlowBox(width, height, (SetPicture(0, 0, width, height, face, "", lined=True),))


def stack(boxes: Iterable[FlowBox], width: float, gap: float, *, middle: bool = False) -> FlowBox:
    """Stack boxes vertically."""
    things: list[Thing] = []
    y = 0.0
    for number, box in enumerate(boxes):
        y += gap if number else 0.0
        things += box.at((width - box.width) / 2 if middle else 0.0, y)
        y += box.height
    return FlowBox(width, y, tuple(things))


def row(boxes: Sequence[FlowBox], gap: float, *, middle: bool = False) -> FlowBox:
    """Place boxes in a row, aligned at the top or the middle."""
    things: list[Thing] = []
    height = max(box.height for box in boxes)
    x = 0.0
    for box in boxes:
        things += box.at(x, (height - box.height) / 2 if middle else 0.0)
        x += box.width + gap
    return FlowBox(x - gap, height, tuple(things))


def frame_box(
    box: FlowBox, width: float, padding: float, rectangle: SetRectangle, bar: str = ""
) -> FlowBox:
    """Return a box on a background, with padding and a bar at its left."""
    height = box.height + 2 * padding
    edge = (SetRectangle(0, 0, 0.8, height, fill=bar),) if bar else ()
    return FlowBox(
        width,
        height,
        (replace(rectangle, width=width, height=height), *edge, *box.at(padding, padding)),
    )


@dataclass(frozen=True)
class FlowItem:
    """An item in the flow: `box` lays it out, given the width and the scale of pictures.

    The other fields are those of `SizedItem`. An item without a box is a page break. `back` begins
    the back cover, `notes` are the footnotes, and `rank` and `slug` those of a heading.
    """

    box: Callable[[float, float], FlowBox] | None
    before: float = 0.0
    after: float = 0.0
    tie: Tie = NO_TIE
    across: bool = False
    floats: bool = False
    opens: bool = False
    back: bool = False
    notes: tuple[str, ...] = ()
    rank: int = 0
    slug: str = ""
    name: str = ""
    fault: str = ""
    give: float = 1.0


# Height of the strips along the head and foot of a page.
STRIP_MM = 4.2

# Height of the strip along the foot of a page, and under a heading on a ribbon.
RULE_MM = 1.5

# From the page's edge to a strip, beyond the unprintable margin of most printers.
EDGE_MM = 6.0


def strip(face: Face, x: float, y: float, width: float, height: float) -> Iterator[SetPicture]:
    """Repeat a picture along a strip, stretched to end in whole repeats.

    A wide one appears once, unstretched.
    """
    natural_width = height * face.size.w / face.size.h
    times = max(1, round(width / natural_width))
    strip_height = (
        height if times > 1 or width >= natural_width else width * face.size.h / face.size.w
    )
    each = width / times
    for number in range(times):
        yield SetPicture(
            x + number * each, y + (height - strip_height) / 2, each, strip_height, face, ""
        )


def page_art(theme: Theme, form: BookPage) -> Iterator[Thing]:
    """Return the art behind the text of a page, and the strips at its head and foot."""
    pictures = theme.pictures
    size = form.size
    if pictures.behind:
        yield SetPicture(0, 0, size.w, size.h, pictures.behind, "", filling="horizon")
    if pictures.head:
        yield from strip(
            pictures.head, form.side, min(EDGE_MM, form.top - STRIP_MM - 2), form.width, STRIP_MM
        )
    if pictures.foot:
        yield from strip(pictures.foot, form.side, size.h - form.bottom + 1.2, form.width, RULE_MM)


def edges(theme: Theme, picture_box: Rect) -> Iterator[Thing]:
    """Return the strips along the upper and lower edge of a cover's picture."""
    if theme.pictures.head:
        yield from strip(
            theme.pictures.head,
            picture_box.x,
            picture_box.y - STRIP_MM - 1,
            picture_box.w,
            STRIP_MM,
        )
        yield from strip(
            theme.pictures.head, picture_box.x, picture_box.bottom + 1, picture_box.w, STRIP_MM
        )


# The largest share of a page that such art takes: players pay for its ink.
MAX_FILLER_SHARE = 1 / 3

# The least height of a picture at the foot of a page, as a share of its width. Found by trial on the
# bundled games: a flatter part of their upright art shows legs only.
MIN_PICTURE_SHARE = 0.38


def filler_height(theme: Theme, width: float) -> float:
    """Return the height of the theme's art for holes at a width; 0 without such art."""
    first = theme.pictures.first
    return width * first.size.h / first.size.w if first else 0.0


def filler_holes(
    theme: Theme, form: BookPage, *, is_back: bool = False, is_guide: bool = False
) -> Filler:
    """Return the holes that the theme's art fills; a back cover has art of its own."""
    if is_back or not (theme.pictures.first or theme.pictures.fillers):
        return Filler(ends_level=is_back)
    banner = filler_height(theme, form.width)
    highest = MAX_FILLER_SHARE * form.size.h if theme.pictures.tails else 0.0
    lowest = min(highest, MIN_PICTURE_SHARE * form.width)
    least = (banner or lowest) + FILLER_GAP_MM
    return Filler(least, banner, lowest, highest, has_white_first_page=is_guide)
