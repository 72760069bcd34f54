"""What stands in the flow of a booklet: things with a place, and how they lie under and beside each other. In mm.

A box is a function from a width to what lies in it; texts are measured by typst, all at once, so whoever lays boxes out
does it twice: first to learn which texts are wanted at which width, then with their heights known. A theme dresses
them: art under, over and along the words of a page, and headings that wear it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from generator.core.geometry import Rect
from generator.core.units import MM_PER_PT
from generator.pdf.typeset.pages import NO_TIE, BookPage, Tie
from generator.picture.face import Face
from generator.rules.look import Look, Theme
from generator.text.shape import measure, measure_metrics


@dataclass(frozen=True)
class SetText:
    """Words in typst's code, at a place, broken at a width."""

    x: float
    y: float
    width: float
    code: str


@dataclass(frozen=True)
class SetPicture:
    """A face cut to its trim, at a place and a size; where it is `lined`, with a thin line round what is cut out.

    Where it is `filling` it keeps its shape, and covers the place: what stands over is cut off, at its head and its
    foot (`horizon`) or at its head alone (`bottom`).
    """

    x: float
    y: float
    width: float
    height: float
    face: Face
    alt: str
    lined: bool = False
    filling: str = ""


@dataclass(frozen=True)
class SetGround:
    """A plain rectangle; what has no colour is not drawn."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    stroke: str = ""
    thickness: float = 0.0
    radius: float = 0.0


Thing = SetText | SetPicture | SetGround


@dataclass(frozen=True)
class FlowBox:
    """Things from the top left of a box of a size."""

    width: float
    height: float
    things: tuple[Thing, ...] = ()

    def at(self, x: float, y: float) -> tuple[Thing, ...]:
        """The things with the box's corner at a place."""
        return tuple(replace(thing, x=thing.x + x, y=thing.y + y) for thing in self.things)


@dataclass
class Heights:
    """How high texts are at a width; those that are not known yet are kept to be asked for."""

    known: dict[tuple[str, float], float] = field(default_factory=dict)
    wanted: dict[tuple[str, float], None] = field(default_factory=dict)
    lines: dict[tuple[str, float], tuple[int, ...]] = field(default_factory=dict)
    unbroken: dict[tuple[str, float], None] = field(default_factory=dict)

    def of(self, code: str, width: float) -> float:
        """The height, or nothing as long as it is not known."""
        key = code, round(width, 3)
        if key not in self.known:
            self.wanted[key] = None
        return self.known.get(key, 0.0)

    def breaks(self, code: str, width: float) -> tuple[int, ...]:
        """Which words lines begin with, of code whose words are numbered; none as long as it is not known."""
        key = code, round(width, 3)
        if key not in self.lines:
            self.unbroken[key] = None
        return self.lines.get(key, ())


Maker = Callable[[float], FlowBox]
"""A box as soon as its width is known."""


def words(heights: Heights, code: str) -> Maker:
    """A text as wide as there is room."""
    return lambda width: FlowBox(width, heights.of(code, width), (SetText(0, 0, width, code),))


def picture(face: Face, width: float, height: float, alt: str = "") -> FlowBox:
    """A face at a size."""
    return FlowBox(width, height, (SetPicture(0, 0, width, height, face, alt),))


def thumbnail(face: Face, width: float, height: float) -> FlowBox:
    """A face in small that says nothing of its own, with a line round it."""
    return FlowBox(width, height, (SetPicture(0, 0, width, height, face, "", lined=True),))


def stack(boxes: Iterable[FlowBox], width: float, gap: float, *, middle: bool = False) -> FlowBox:
    """Boxes under each other."""
    things: list[Thing] = []
    y = 0.0
    for number, box in enumerate(boxes):
        y += gap if number else 0.0
        things += box.at((width - box.width) / 2 if middle else 0.0, y)
        y += box.height
    return FlowBox(width, y, tuple(things))


def row(boxes: Sequence[FlowBox], gap: float, *, middle: bool = False) -> FlowBox:
    """Boxes beside each other, their tops level, or their middles."""
    things: list[Thing] = []
    height = max(box.height for box in boxes)
    x = 0.0
    for box in boxes:
        things += box.at(x, (height - box.height) / 2 if middle else 0.0)
        x += box.width + gap
    return FlowBox(x - gap, height, tuple(things))


def framed(box: FlowBox, width: float, room: float, ground: SetGround, bar: str = "") -> FlowBox:
    """A box on a ground, with room round it and a bar at its left."""
    height = box.height + 2 * room
    edge = (SetGround(0, 0, 0.8, height, fill=bar),) if bar else ()
    return FlowBox(width, height, (replace(ground, width=width, height=height), *edge, *box.at(room, room)))


@dataclass(frozen=True)
class FlowItem:
    """A thing in the flow, as it is at a width and a share of its pictures; `rank` is a heading's level."""

    box: Callable[[float, float], FlowBox] | None
    before: float = 0.0
    after: float = 0.0
    tie: Tie = NO_TIE
    across: bool = False
    opens: bool = False
    back: bool = False
    notes: tuple[str, ...] = ()
    rank: int = 0
    slug: str = ""
    name: str = ""
    least: float = 0.0
    give: float = 1.0


STRIP = 4.2
"""The height of what is repeated along the head and the foot of a page."""

RULE = 1.5
"""The height of what is repeated under a heading."""

EDGE = 6.0
"""From the page's edge to a strip, past what most printers leave white."""

SIDE = 2.2
MARKED = 0.985
PAST = 2.0
"""Room at the ends of a band; a mark's height as a share of its heading's size; and what lies between the two."""

LINE_MIDDLE = 0.275
"""By how many em the middle of a line of type stands over its baseline."""

SMALLER = 0.66
"""The least share of their size at which headings of sections are set so that each fits on a line."""


def strip(face: Face, x: float, y: float, width: float, height: float) -> Iterator[SetPicture]:
    """A picture side by side as often as it fits, widened by what is missing; a wide one once, in its shape."""
    wide = height * face.size.w / face.size.h
    times = max(1, round(width / wide))
    high = height if times > 1 or width >= wide else width * face.size.h / face.size.w
    each = width / times
    for number in range(times):
        yield SetPicture(x + number * each, y + (height - high) / 2, each, high, face, "")


def grounds(theme: Theme, form: BookPage) -> Iterator[Thing]:
    """What lies under the text of a page: its art, and the strips along its head and foot."""
    dress = theme.dress
    size = form.size
    if dress.behind:
        yield SetPicture(0, 0, size.w, size.h, dress.behind, "", filling="horizon")
    if dress.head:
        yield from strip(dress.head, form.side, min(EDGE, form.top - STRIP - 2), form.width, STRIP)
    if dress.foot:
        yield from strip(dress.foot, form.side, size.h - form.bottom + 1.2, form.width, RULE)


def fitting(look: Look, headings: Iterable[str], size: float, width: float) -> float:
    """The size in points, no larger than one, at which headings of sections fit on a line each, if it is pleasant."""
    dress = look.theme.dress
    side = SIDE if look.theme.band else 0.0
    mark = MARKED * dress.mark.size.w / dress.mark.size.h if dress.mark else 0.0
    longest = max((measure(text, look.heading, 1.0) for text in headings), default=0.0)
    room = width - 2 * side - (PAST if dress.mark else 0.0)
    fits = 0.99 * room / (MM_PER_PT * (longest + mark)) if longest + mark else size
    return fits if SMALLER * size <= fits < size else size


def headed(look: Look, words: Maker, size: float) -> Maker:
    """A heading of a section: on its band, with its mark before it, its strip or a line under it; `size` in points.

    On a band its capitals stand in the middle.
    """
    theme = look.theme
    dress = look.theme.dress
    lower = (measure_metrics(look.heading).cap / 2 - LINE_MIDDLE) * size * MM_PER_PT if theme.band else 0.0

    def box(width: float) -> FlowBox:
        side = SIDE if theme.band else 0.0
        pad = 0.9 if theme.band else 0.0
        high = MARKED * size * MM_PER_PT
        mark = FlowBox(high * dress.mark.size.w / dress.mark.size.h, high) if dress.mark else None
        left = side + (mark.width + PAST if mark else 0.0)
        said = words(width - left - side)
        tall = max(said.height, mark.height if mark else 0.0) + 2 * pad
        things: list[Thing] = [SetGround(0, 0, width, tall, fill=theme.band)] if theme.band else []
        if dress.mark and mark:
            things.append(SetPicture(side, (tall - mark.height) / 2, mark.width, mark.height, dress.mark, ""))
        things += said.at(left, (tall - said.height) / 2 + lower)
        if dress.rule:
            gap = 0.0 if theme.band else 0.9
            things += strip(dress.rule, 0, tall + gap, width, RULE)
            return FlowBox(width, tall + gap + RULE, tuple(things))
        if theme.band:
            return FlowBox(width, tall, tuple(things))
        things.append(SetGround(0, tall + 1.2, width, 0.3, fill=look.accent))
        return FlowBox(width, tall + 1.5, tuple(things))

    return box


def edges(theme: Theme, room: Rect) -> Iterator[Thing]:
    """What lies along the upper and the lower edge of a cover's picture."""
    if theme.dress.head:
        yield from strip(theme.dress.head, room.x, room.y - STRIP - 1, room.w, STRIP)
        yield from strip(theme.dress.head, room.x, room.bottom + 1, room.w, STRIP)
