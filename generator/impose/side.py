"""One side of the sheets of a component: everything on it that does not change from sheet to sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from generator.geometry import Rect
from generator.impose.furniture import footer, ruler
from generator.impose.furniture.plan import FOOTER, RULER, Plan
from generator.impose.marks import draw
from generator.impose.marks.style import Cut, Style
from generator.impose.sheet import Line, Note, Placed, Side
from generator.impose.slots import Slot


@dataclass(frozen=True)
class Template:
    """Slots, marks for each number of pieces on a sheet, the ruler with its labels, and a footer to fill in."""

    slots: tuple[Slot, ...]
    marks: Mapping[int, tuple[Line, ...]]
    ruler: tuple[Line, ...]
    labels: tuple[Note, ...]
    footer: Note | None

    def side(self, label: str, placed: Sequence[Placed], used: int, line: str) -> Side:
        """The side of one sheet: its faces, marks when it has any faces, and what stands in the margins."""
        footers = (replace(self.footer, text=line),) if self.footer else ()
        return Side(label, tuple(placed), self.marks[used] if placed else (), self.ruler, (*self.labels, *footers))


def template(slots: tuple[Slot, ...], marks: Mapping[int, tuple[Line, ...]], plan: Plan, longest: str) -> Template:
    """The template of a side whose furniture is planned; `longest` is the longest footer that it will carry."""
    scale, foot = plan.frame(RULER), plan.frame(FOOTER)
    return Template(
        slots,
        marks,
        ruler.lines(scale) if scale else (),
        ruler.labels(scale) if scale else (),
        footer.note(longest, foot) if foot else None,
    )


def drawn(
    style: Style, slots: Sequence[Slot], counts: set[int], printable: Rect, plan: Plan
) -> Mapping[int, tuple[Line, ...]]:
    """The marks for the first so many slots, for each count."""
    cuts = [Cut(slot.trim, slot.ink) for slot in slots]
    return {count: draw.lines(style, cuts[:count], printable, plan.boxes) for count in counts}
