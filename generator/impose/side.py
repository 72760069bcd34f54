"""One side of a component's sheets: everything that does not change from sheet to sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from generator.core.geometry import Affine, Rect, Segment
from generator.core.outline import Outline
from generator.impose.furniture import (
    CROSS,
    FOOTER,
    RULER,
    MarginPlan,
    MarginTexts,
    cross_lines,
    footer_notes,
    grid_outline,
    in_two,
    outline_lines,
    ruler_labels,
    ruler_lines,
)
from generator.impose.marks import around, fold, styles
from generator.impose.marks.styles import MarkStyle, PieceCut
from generator.impose.sheet import Line, Note, PlacedFace, SheetSide
from generator.impose.slots import Slot


@dataclass(frozen=True)
class Guides:
    """Lines that pieces bring to a side, by slot: folds, and the pieces' own lines if marks cannot show their cuts."""

    folds: Mapping[int, tuple[Segment, ...]]
    own: Mapping[int, tuple[Line, ...]]


@dataclass(frozen=True)
class SideGround:
    """The obstacles for marks and margin items: the slots of a side, and those beyond a fold."""

    slots: tuple[Slot, ...]
    beyond: tuple[Slot, ...] = ()
    crease: Segment | None = None

    @property
    def ink(self) -> Rect:
        """The box around everything that may be inked."""
        return Rect.round_all([slot.ink for slot in (*self.slots, *self.beyond)])

    def outline(self, printable: Rect) -> Rect | None:
        """Return the outline around the grid, or None if there is no space for one."""
        return grid_outline(self.ink, printable)

    def marks(
        self,
        style: MarkStyle,
        used: range,
        within: Rect,
        kept: Sequence[Rect],
        guides: Guides,
    ) -> tuple[Line, ...]:
        """Return the marks for the used slots and the fold lines."""
        boxes = [at for at in used if at not in guides.own]
        slots = [side[at] for side in (self.slots, self.beyond) if side for at in boxes]
        kept = [*kept, *(self.slots[at].trim for at in used if at in guides.own)]
        creases = fold.lines(self.crease, within, kept) if self.crease else ()
        clear = [slot.ink for slot in slots]
        ends = [
            line
            for at in boxes
            for segment in guides.folds.get(at, ())
            for line in fold.ends(segment, self.slots[at].ink, within, [*kept, *clear])
        ]
        own = [line for at in used for line in guides.own.get(at, ())]
        return (*_marks(style, slots, within, kept), *creases, *ends, *own)


def _marks(style: MarkStyle, slots: Sequence[Slot], within: Rect, kept: Sequence[Rect]) -> tuple[Line, ...]:
    if not any(slot.clip for slot in slots):
        return styles.lines(style, [PieceCut(slot.trim, slot.ink) for slot in slots], within, kept)
    cuts = [slot.cut or Outline.of_box(slot.trim) for slot in slots]
    inks = [slot.clip or Outline.of_box(slot.ink) for slot in slots]
    return around.lines(cuts, inks, style.reach, within, kept) if style.reach else ()


@dataclass(frozen=True)
class Template:
    """Slots, marks for each range of used slots, the ruler with its labels, and a footer to fill in."""

    slots: tuple[Slot, ...]
    marks: Mapping[range, tuple[Line, ...]]
    ruler: tuple[Line, ...]
    labels: tuple[Note, ...]
    footer: tuple[Note, ...]
    cuts: Mapping[range, tuple[Line, ...]] = field(default_factory=dict)

    def side(self, label: str, placed: tuple[PlacedFace, ...], used: range, line: str, undo: Affine) -> SheetSide:
        """Return the side of one sheet: its faces, marks if it has any faces, and margin items."""
        rows = in_two(line) if len(self.footer) > 1 else (line,)
        footers = tuple(replace(note, text=row) for note, row in zip(self.footer, rows, strict=False))
        marks = self.marks.get(used, ()) if placed else ()
        notes = (*self.labels, *footers)
        return SheetSide(label, placed, marks, self.ruler, notes, undo, self.cuts.get(used, ()))


def template(
    ground: SideGround,
    marks: Mapping[range, tuple[Line, ...]],
    plan: MarginPlan,
    said: MarginTexts,
    box: Rect | None = None,
) -> Template:
    """Return the template of a side whose margin items are placed."""
    scale = plan.frame(RULER)
    across = plan.frame(CROSS)
    foot = plan.frame(FOOTER)
    round_it = outline_lines(box) if box else ()
    return Template(
        ground.slots,
        {used: (*lines, *round_it) for used, lines in marks.items()},
        (*(ruler_lines(scale) if scale else ()), *(cross_lines(across) if across else ())),
        ruler_labels(scale, said.labels) if scale else (),
        footer_notes(said.footer, foot) if foot else (),
    )
