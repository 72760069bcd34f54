"""What a booklet's pages are filled with."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from reportlab.platypus.paragraph import Paragraph
from reportlab.platypus.tables import Table

LONG_TABLE = 9
"""Rows with the head; only a table with more of them may go on in the next column."""

SHARES = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7)
"""How much smaller pictures may become where a page would stay empty otherwise."""


@dataclass(frozen=True)
class Item:
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

    def squeezed(self, width: float, room: float) -> "Item | None":
        """The same with pictures as much smaller as it takes to fit, if they stay large enough."""
        if self.smaller is None:
            return None
        made = (replace(self, flow=self.smaller(share), smaller=None) for share in SHARES)
        return next((item for item in made if item.height(width) <= room), None)

    def feet(self, width: float) -> float:
        """How high its notes are."""
        return sum(float(note.wrap(width, 1e6)[1]) for note in self.notes)

    def parted(self, width: float, room: float) -> "tuple[Item, float, Item] | None":
        """What fits into the room with its height, and the rest; nothing when it cannot be parted there."""
        long_table = isinstance(self.flow, Table) and len(self.flow._cellvalues) > LONG_TABLE  # noqa: SLF001 - its rows
        parts = self.flow.split(width, room) if isinstance(self.flow, Paragraph) or long_table else []
        if len(parts) != 2:
            return None
        height = parts[0].height if isinstance(parts[0], Paragraph) else parts[0].wrap(width, room)[1]
        first = replace(self, flow=parts[0], keep=False, soft=False)
        return first, float(height), replace(self, flow=parts[1], before=0.0, notes=(), slug="")


@dataclass(frozen=True)
class Placed:
    """An item on a page: its left and top edge and its size, in points from the page's top left."""

    item: Item
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Page:
    """A page of a booklet; a plain one has neither footer nor number printed."""

    placed: tuple[Placed, ...]
    plain: bool = False
    back: bool = False
