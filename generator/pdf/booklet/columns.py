"""What a booklet's pages are filled with, and columns that end level. Lengths in points."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from reportlab.platypus.paragraph import Paragraph
from reportlab.platypus.tables import Table

LONG_TABLE = 9
"""Rows with the head; only a table with more of them may go on in the next column."""

SHARES = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7)
"""How much smaller pictures may become where a page would stay empty otherwise."""


@dataclass(frozen=True)
class FlowItem:
    """A flowable in the flow. Lengths in points.

    `before` and `after` are the room that it wants, of which the larger counts between two. `keep` holds it to what
    follows, `soft` only where that leaves no hole; `wide` lays it across all columns, `breaks` begins a page, of which
    `back` is the outside. `notes` stand at the foot of its column. `rank` is a heading's level, and `slug` its name.
    `smaller` makes it anew with its pictures at a share of their size.
    """

    flow: Any
    before: float = 0.0
    after: float = 0.0
    keep: bool = False
    soft: bool = False
    wide: bool = False
    breaks: bool = False
    back: bool = False
    notes: tuple[Any, ...] = ()
    rank: int = 0
    slug: str = ""
    serial: int = 0
    smaller: Callable[[float], Any] | None = None

    _known: dict[tuple[str, float], float] = field(default_factory=dict, init=False, compare=False, repr=False)

    def height(self, width: float) -> float:
        """How high it is when it is not parted."""
        return self._once("height", width, lambda: float(self.flow.wrap(width, 1e6)[1]))

    def least(self, width: float) -> float:
        """The height without which it cannot begin: two lines of a paragraph, otherwise all of it."""
        return self._once("least", width, lambda: self._beginning(width))

    def _beginning(self, width: float) -> float:
        if not isinstance(self.flow, Paragraph) or self.notes:
            return self.height(width)
        full = float(self.flow.wrap(width, 1e6)[1])
        lines = len(self.flow.blPara.lines)
        return full if lines <= 3 else 2 * full / lines

    def _once(self, what: str, width: float, measure: Callable[[], float]) -> float:
        """Breaking lines takes long, and the same item is tried in many columns."""
        if (what, width) not in self._known:
            self._known[what, width] = measure()
        return self._known[what, width]

    def squeezed(self, width: float, room: float) -> "FlowItem | None":
        """The same with pictures as much smaller as it takes to fit, if they stay large enough."""
        if self.smaller is None:
            return None
        made = (replace(self, flow=self.smaller(share), smaller=None) for share in SHARES)
        return next((item for item in made if item.height(width) <= room), None)

    def feet(self, width: float) -> float:
        """How high its notes are."""
        return sum(float(note.wrap(width, 1e6)[1]) for note in self.notes)

    def parted(self, width: float, room: float) -> "tuple[FlowItem, float, FlowItem] | None":
        """What fits into the room with its height, and the rest; nothing when it cannot be parted there."""
        long_table = isinstance(self.flow, Table) and len(self.flow._cellvalues) > LONG_TABLE  # noqa: SLF001 - its rows
        parts = self.flow.split(width, room) if isinstance(self.flow, Paragraph) or long_table else []
        if len(parts) != 2:
            return None
        height = parts[0].height if isinstance(parts[0], Paragraph) else parts[0].wrap(width, room)[1]
        first = replace(self, flow=parts[0], keep=False, soft=False)
        return first, float(height), replace(self, flow=parts[1], before=0.0, notes=(), slug="")


@dataclass(frozen=True)
class PlacedFlowable:
    """An item on a page: its left and top edge and its size, in points from the page's top left."""

    item: FlowItem
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class BookletPage:
    """A page of a booklet; a plain one has neither footer nor number printed."""

    placed: tuple[PlacedFlowable, ...]
    plain: bool = False
    back: bool = False


STEP = 2.0
"""Points by which columns are lengthened until everything fits."""

HOLE = 0.16
"""The share of a page that may stay empty so that a picture is beside its text; past that, it follows overleaf."""

NOTE_GAP = 8.0
"""Points between the text and its notes."""


@dataclass(frozen=True)
class ColumnItem:
    """An item in a column: its top under the column's, and its height."""

    item: FlowItem
    y: float
    height: float


@dataclass(frozen=True)
class FilledColumns:
    """Columns from the left, each with its notes, and what found no room."""

    columns: tuple[tuple[ColumnItem, ...], ...]
    notes: tuple[tuple[ColumnItem, ...], ...]
    rest: tuple[FlowItem, ...]

    @property
    def height(self) -> float:
        """How far down the longest column reaches."""
        ends = (laid.y + laid.height for column in (*self.columns, *self.notes) for laid in column)
        return max(ends, default=0.0)


@dataclass(frozen=True)
class Strip:
    """A part of a page: so many columns of one width. `page` is the height of a whole one.

    With `squeezing`, pictures become smaller where they miss by little.
    """

    width: float
    count: int
    page: float
    squeezing: bool = False

    def fill(self, items: Sequence[FlowItem], height: float) -> FilledColumns:
        """Fill columns of a height, one after the other."""
        rest = list(items)
        columns = []
        for _ in range(self.count):
            column = _Column(self, height)
            rest = column.fill(rest)
            columns.append(column)
        return FilledColumns(
            tuple(tuple(c.laid) for c in columns), tuple(tuple(c.feet()) for c in columns), tuple(rest)
        )

    def balanced(self, items: Sequence[FlowItem], height: float) -> FilledColumns:
        """The same in columns as short as can be; to the full height where not all of it fits even so."""
        whole = self.fill(items, height)
        if whole.rest:
            return replace(self, squeezing=True).fill(items, height)
        if self.count == 1:
            return whole
        total = sum(item.height(self.width) for item in items)
        least = max(total / self.count, max((item.least(self.width) for item in items), default=0.0))
        while least < height:
            short = self.fill(items, least)
            if not short.rest:
                return short
            least += STEP
        return whole


class _Column:
    """A column while it is being filled."""

    def __init__(self, strip: Strip, height: float) -> None:
        self._strip, self._width, self._height = strip, strip.width, height
        self._notes: list[FlowItem] = []
        self.laid: list[ColumnItem] = []

    def fill(self, items: list[FlowItem]) -> list[FlowItem]:
        """Take what fits from the front; gives the rest."""
        rest = list(items)
        while rest and self._take(rest):
            pass
        return rest

    def feet(self) -> list[ColumnItem]:
        """The notes, at the column's foot."""
        placed = []
        y = self._height - self._feet_height()
        for item in self._notes:
            for note in item.notes:
                height = float(note.wrap(self._width, 1e6)[1])
                placed.append(ColumnItem(FlowItem(note), y, height))
                y += height
        return placed

    def _feet_height(self) -> float:
        return sum(item.feet(self._width) for item in self._notes)

    def _room(self, item: FlowItem) -> tuple[float, float]:
        """Where an item would begin, and the room for it there."""
        end = self.laid[-1] if self.laid else None
        y = end.y + end.height + max(end.item.after, item.before) if end else 0.0
        feet = self._feet_height() + item.feet(self._width)
        return y, self._height - y - (feet + NOTE_GAP if feet else 0.0)

    def _take(self, rest: list[FlowItem]) -> bool:
        """Place the first of the items, or a part of it; false when the column is full."""
        y, room = self._room(rest[0])
        self._squeeze(rest, room)
        item = rest[0]
        height = item.height(self._width)
        if height <= room and self._may_stand(rest, room):
            self._place(rest.pop(0), y, height)
            return True
        parts = item.parted(self._width, room) if height > room and not (item.keep and not item.soft) else None
        if parts is None:
            return False
        first, height, rest[0] = parts
        self._place(first, y, height)
        return False

    def _squeeze(self, rest: list[FlowItem], room: float) -> None:
        """Make the pictures at the end of the first items that belong together as small as the room asks."""
        if not self._strip.squeezing:
            return
        last = next((number for number, item in enumerate(rest) if not item.keep), len(rest) - 1)
        short = self._company(rest) - room
        if short > 0:
            fits = rest[last].squeezed(self._width, rest[last].height(self._width) - short)
            rest[last] = fits or rest[last]

    def _may_stand(self, rest: list[FlowItem], room: float) -> bool:
        """Whether an item fits with what it is kept to; nothing can be kept that is higher than a page.

        An item whose heading stands already has no choice any more.
        """
        company = self._company(rest)
        if company <= room or (not self.laid and company > self._strip.page):
            return True
        held = bool(self.laid) and self.laid[-1].item.keep and not self.laid[-1].item.soft
        return (held or room > HOLE * self._strip.page) and self._company(rest, soft=True) <= room

    def _place(self, item: FlowItem, y: float, height: float) -> None:
        self.laid.append(ColumnItem(item, y, height))
        if item.notes:
            self._notes.append(item)

    def _company(self, rest: Sequence[FlowItem], *, soft: bool = False) -> float:
        """The height that an item needs with all that it is kept together with, `soft` ties aside or not."""
        chain = [rest[0]]
        for before, item in pairwise(rest):
            if not before.keep or (soft and before.soft):
                break
            chain.append(item)
        last = chain[-1]
        gaps = sum(max(a.after, b.before) for a, b in pairwise(chain))
        return sum(item.height(self._width) for item in chain[:-1]) + gaps + last.least(self._width)
