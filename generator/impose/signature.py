"""The page order of folded booklets: which pages share a sheet. Pages count from 0."""

from dataclasses import dataclass

# A sheet folded once has four pages.
PAGES_PER_SHEET = 4
# Thickness that a sheet of ordinary paper adds in the fold.
PAPER_THICKNESS_MM = 0.1

# The left and right pages on an unfolded side; None is a blank page.
PagePair = tuple[int | None, int | None]


@dataclass(frozen=True)
class FoldedSheet:
    """A sheet folded once, flipped on its short edge; the outermost sheet comes first.

    `shift` is how far its pages move towards the fold in mm, to make up for inner sheets sticking
    out (creep).
    """

    front: PagePair
    back: PagePair
    shift: float


def pad_pages(count: int, *, back_cover: bool) -> tuple[int | None, ...]:
    """Return the pages with blanks up to a multiple of four: at the end, but before a back cover."""
    blanks: list[int | None] = [None] * (-count % PAGES_PER_SHEET)
    pages: list[int | None] = list(range(count))
    return tuple(pages[:-1] + blanks + pages[-1:]) if back_cover else tuple(pages + blanks)


def make_signature(count: int, *, back_cover: bool = False) -> tuple[FoldedSheet, ...]:
    """Return the sheets of a booklet of `count` pages, folded together and stapled through the fold."""
    pages = pad_pages(count, back_cover=back_cover)
    last = len(pages) - 1
    return tuple(
        FoldedSheet(
            (pages[last - 2 * sheet], pages[2 * sheet]),
            (pages[2 * sheet + 1], pages[last - 2 * sheet - 1]),
            sheet * PAPER_THICKNESS_MM,
        )
        for sheet in range(len(pages) // PAGES_PER_SHEET)
    )
