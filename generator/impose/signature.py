"""Which pages lie together on the sheets of a folded booklet. Pages count from 0 on here."""

from dataclasses import dataclass

PER_SHEET = 4
THICKNESS = 0.1
"""mm; what a sheet of ordinary paper adds in the fold."""

Pair = tuple[int | None, int | None]
"""Left and right as they lie on an unfolded side; nothing where the page is blank."""


@dataclass(frozen=True)
class FoldedSheet:
    """A sheet folded once, the outermost first; flipped on its short edge.

    `shift` in mm is how far its pages move towards the fold, so that they sit right though inner sheets stick out.
    """

    front: Pair
    back: Pair
    shift: float


def padded(count: int, *, back_cover: bool) -> tuple[int | None, ...]:
    """The pages with blanks up to a multiple of four: at the end, but before a back cover."""
    blanks: list[int | None] = [None] * (-count % PER_SHEET)
    pages: list[int | None] = list(range(count))
    return tuple(pages[:-1] + blanks + pages[-1:]) if back_cover else tuple(pages + blanks)


def signature(count: int, *, back_cover: bool = False, thickness: float = THICKNESS) -> tuple[FoldedSheet, ...]:
    """The sheets of a booklet of so many pages, all folded together and stapled through the fold."""
    pages = padded(count, back_cover=back_cover)
    last = len(pages) - 1
    return tuple(
        FoldedSheet(
            (pages[last - 2 * sheet], pages[2 * sheet]),
            (pages[2 * sheet + 1], pages[last - 2 * sheet - 1]),
            sheet * thickness,
        )
        for sheet in range(len(pages) // PER_SHEET)
    )
