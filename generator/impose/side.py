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
    draw_cross_ruler,
    draw_outline,
    draw_ruler,
    find_outline,
    place_footer,
    place_ruler_labels,
    split_footer,
)
from generator.impose.marks import around, fold, styles
from generator.impose.marks.styles import MarkStyle, PieceCut
from generator.impose.sheet import Line, Note, PlacedFace, SheetSide
from generator.impose.slots import Slot


@dataclass(frozen=True)
class Guides:
    """Lines that pieces bring to a side, by slot: folds, and the pieces' own lines if marks cannot show their cuts."""

    folds: Mapping[int, tuple[Segment, ...]]
    own_lines: Mapping[int, tuple[Line, ...]]


@dataclass(frozen=True)
class SideSlots:
    """The obstacles for marks and margin items: the slots of a side, and those beyond a fold."""

    slots: tuple[Slot, ...]
    beyond: tuple[Slot, ...] = ()
    crease: Segment | None = None

    @property
    def ink(self) -> Rect:
        """The box around everything that may be inked."""
        return Rect.round_all([slot.ink for slot in (*self.slots, *self.beyond)])

    def find_outline(self, printable: Rect) -> Rect | None:
        """Return the outline around the grid, or None if there is no space for one."""
        return find_outline(self.ink, printable)

    def draw_marks(
        self,
        style: MarkStyle,
        used: range,
        bounds: Rect,
        obstacles: Sequence[Rect],
        guides: Guides,
    ) -> tuple[Line, ...]:
        """Return the marks for the used slots and the fold lines."""
        boxes = [at for at in used if at not in guides.own_lines]
        slots = [side[at] for side in (self.slots, self.beyond) if side for at in boxes]
        obstacles = [*obstacles, *(self.slots[at].trim for at in used if at in guides.own_lines)]
        creases = fold.draw_crease(self.crease, bounds, obstacles) if self.crease else ()
        clear = [slot.ink for slot in slots]
        ends = [
            line
            for at in boxes
            for segment in guides.folds.get(at, ())
            for line in fold.draw_crease_ends(segment, self.slots[at].ink, bounds, [*obstacles, *clear])
        ]
        own = [line for at in used for line in guides.own_lines.get(at, ())]
        return (*_marks(style, slots, bounds, obstacles), *creases, *ends, *own)


def _marks(style: MarkStyle, slots: Sequence[Slot], bounds: Rect, obstacles: Sequence[Rect]) -> tuple[Line, ...]:
    if not any(slot.clip for slot in slots):
        return styles.draw_marks(style, [PieceCut(slot.trim, slot.ink) for slot in slots], bounds, obstacles)
    cuts = [slot.cut or Outline.of_box(slot.trim) for slot in slots]
    inks = [slot.clip or Outline.of_box(slot.ink) for slot in slots]
    return around.draw_marks(cuts, inks, style.reach, bounds, obstacles) if style.reach else ()


@dataclass(frozen=True)
class Template:
    """Slots, marks for each range of used slots, the ruler with its labels, and a footer to fill in."""

    slots: tuple[Slot, ...]
    marks: Mapping[range, tuple[Line, ...]]
    ruler: tuple[Line, ...]
    labels: tuple[Note, ...]
    footer: tuple[Note, ...]
    cuts: Mapping[range, tuple[Line, ...]] = field(default_factory=dict)

    def fill_side(self, label: str, placed: tuple[PlacedFace, ...], used: range, line: str, undo: Affine) -> SheetSide:
        """Return the side of one sheet: its faces, marks if it has any faces, and margin items."""
        rows = split_footer(line) if len(self.footer) > 1 else (line,)
        footers = tuple(replace(note, text=row) for note, row in zip(self.footer, rows, strict=False))
        marks = self.marks.get(used, ()) if placed else ()
        notes = (*self.labels, *footers)
        return SheetSide(label, placed, marks, self.ruler, notes, undo, self.cuts.get(used, ()))


def make_template(
    ground: SideSlots,
    marks: Mapping[range, tuple[Line, ...]],
    plan: MarginPlan,
    texts: MarginTexts,
    box: Rect | None = None,
) -> Template:
    """Return the template of a side whose margin items are placed."""
    scale = plan.frame(RULER)
    across = plan.frame(CROSS)
    foot = plan.frame(FOOTER)
    outline = draw_outline(box) if box else ()
    return Template(
        ground.slots,
        {used: (*lines, *outline) for used, lines in marks.items()},
        (*(draw_ruler(scale) if scale else ()), *(draw_cross_ruler(across) if across else ())),
        place_ruler_labels(scale, texts.labels) if scale else (),
        place_footer(texts.footer, foot) if foot else (),
    )
