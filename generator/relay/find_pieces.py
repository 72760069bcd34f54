"""Find the pieces on pages: boxes of one size, corrected by cut marks; grids of lines, of pixels, or of the user.

Pages are tried in this order: boxes and lines in the drawing, then the rendered pixels. At the end, pages without
pieces get the grid of another page.
"""

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import fmean, median

from generator.base.errors import InvalidValueError
from generator.base.geometry import Point, Rect, Size
from generator.base.units import length, number
from generator.pack.sizes import named_sizes, parse_grid, parse_size
from generator.relay.grid import (
    MIN_PIECE_MM,
    TOLERANCE_MM,
    PieceRow,
    Step,
    find_row,
    grid_places,
    steps_of,
)
from generator.relay.page import PageContent, PixelGaps, Ruling

# Sizes that differ by less are equal.
SIZE_TOLERANCE_MM = 0.3

# Frames of neighbours may overlap by this much.
MAX_OVERLAP_MM = 0.6

# More boxes of one size are a pattern: 400 tokens of 12 mm nearly fill an A4 page.
MAX_PIECES_ON_PAGE = 400

# Boxes or groups of boxes with which a box is compared.
MAX_LOOK_BACK = 60

# Of the page: a larger box is its background.
MAX_PAGE_SHARE = 0.7

# Cut marks are at most this far inside a box.
MAX_BLEED_MM = 8.0

# Ratio of length to width: a slimmer box that holds several boxes is a strip of pieces.
MAX_ASPECT_RATIO = 2.6

# The share of a strip that its boxes must cover.
MIN_STRIP_SHARE = 0.7

BORDER_MM = 0.6
"""A box that lies inside another on all sides by at most this is part of its border."""

OFF_CENTRE_MM = 0.15
"""Largest distance between the centres of a box and its border.

Browsers round the sides of boxes to pixels of CSS (0.26 mm), so each may be half a pixel off.
"""


def group_boxes(
    boxes: Iterable[Rect], page: Rect, known_sizes: Sequence[Size] = ()
) -> list[tuple[Rect, ...]]:
    """Return groups of boxes that may be pieces, each of one size, those that cover most of the page first.

    A single box is a piece only if its size is one of `known_sizes`.
    """
    page_area = page.w * page.h
    candidates = [
        box
        for box in _without_duplicates(boxes)
        if min(box.size) >= MIN_PIECE_MM and box.w * box.h < MAX_PAGE_SHARE * page_area
    ]
    candidates = [box for box in candidates if page.grown(TOLERANCE_MM).holds(box)]
    accepted: list[tuple[Rect, ...]] = []
    groups = [
        group for group in map(tuple, _by_size(candidates)) if _are_pieces(group, known_sizes)
    ]
    while groups:
        best = max(groups, key=_total_area)
        best = next((group for group in groups if _are_cells_of(group, best)), best)
        accepted.append(tuple(sorted(best, key=lambda box: (round(box.y, 1), box.x))))
        groups = [
            group
            for group in groups
            if not any(item.overlaps(other) for item in group for other in best)
        ]
    return accepted


def drop_inner_boxes(boxes: Sequence[Rect]) -> list[Rect]:
    """Return the boxes, without those that lie just inside another box as a border or background.

    Browsers paint the background of a card over all of it, and the border as a line half its width
    further in. Both are one card, and the larger box is its edge.
    """
    outer_by_cell: dict[tuple[int, int], list[Rect]] = {}
    outer_boxes: list[Rect] = []
    for box in sorted(boxes, key=lambda item: -item.w * item.h):
        column = round(box.centre.x / BORDER_MM)
        row = round(box.centre.y / BORDER_MM)
        cells = ((column + across, row + down) for across in (-1, 0, 1) for down in (-1, 0, 1))
        if any(_is_border(box, outer) for cell in cells for outer in outer_by_cell.get(cell, ())):
            continue
        outer_by_cell.setdefault((column, row), []).append(box)
        outer_boxes.append(box)
    return outer_boxes


def _is_border(box: Rect, outer: Rect) -> bool:
    off = box.centre - outer.centre
    inset_x = (outer.w - box.w) / 2
    inset_y = (outer.h - box.h) / 2
    is_inside = (
        all(0 <= inset <= BORDER_MM for inset in (inset_x, inset_y)) and inset_x + inset_y > 0
    )
    return is_inside and max(abs(off.x), abs(off.y)) <= OFF_CENTRE_MM


def add_borders(boxes: Sequence[Rect], widths: Mapping[Rect, float]) -> tuple[Rect, ...]:
    """Return boxes grown by half of the line along them, if neighbours' lines then touch.

    A line along a cut has its middle there. But a border that lies inside a card (CSS) leaves a gap
    between the middles of neighbours' lines, as wide as one line. Nobody leaves such a gap between
    pieces on purpose.
    """
    width = median(widths.get(box, 0.0) for box in boxes)
    if not 0 < width <= 2 * BORDER_MM or len(boxes) < 2:
        return tuple(boxes)
    gaps = [
        *_gaps([(box.x, box.right) for box in boxes]),
        *_gaps([(box.y, box.bottom) for box in boxes]),
    ]
    if not gaps or any(abs(gap - width) > OFF_CENTRE_MM for gap in gaps) or min(gaps) < width / 2:
        return tuple(boxes)
    return tuple(box.grown(median(gaps) / 2) for box in boxes)


def _gaps(spans: Iterable[tuple[float, float]]) -> list[float]:
    """Return the gaps between the rows of boxes along an axis."""
    ends = sorted({(round(start, 2), round(end, 2)) for start, end in spans})
    return [
        after[0] - before[1]
        for before, after in pairwise(ends)
        if after[0] > before[0] + MIN_PIECE_MM / 2
    ]


def _without_duplicates(boxes: Iterable[Rect]) -> list[Rect]:
    """Return each box once."""
    by_position: dict[tuple[int, ...], Rect] = {}
    for box in boxes:
        by_position.setdefault(tuple(round(number / TOLERANCE_MM) for number in box), box)
    distinct: list[Rect] = []
    for box in by_position.values():
        # Boxes on both sides of a rounding limit escape the grid of positions. They follow each other closely in the
        # drawing, so that a look at the last boxes is enough and pages with thousands of boxes stay quick.
        if not any(_coincide(box, other) for other in distinct[-MAX_LOOK_BACK:]):
            distinct.append(box)
    return distinct


def _coincide(box: Rect, other: Rect) -> bool:
    """Return True if two boxes are the same within the tolerance; most differ in their first number."""
    return (
        abs(box.x - other.x) < TOLERANCE_MM
        and abs(box.y - other.y) < TOLERANCE_MM
        and abs(box.w - other.w) < TOLERANCE_MM
        and abs(box.h - other.h) < TOLERANCE_MM
    )


def _by_size(boxes: Sequence[Rect]) -> Iterable[list[Rect]]:
    """Return the boxes in groups of equal sizes."""
    groups: list[list[Rect]] = []
    for box in sorted(boxes, key=lambda item: (round(item.w, 1), item.h)):
        near = (
            # Boxes are sorted by width, so that a group of this size is among the last ones.
            group
            for group in reversed(groups[-MAX_LOOK_BACK:])
            if are_equal_sizes(group[0].size, box.size)
        )
        group = next(near, None)
        if group is None:
            groups.append([box])
        else:
            group.append(box)
    return groups


def are_equal_sizes(one: Size, other: Size, off: float = SIZE_TOLERANCE_MM) -> bool:
    """Return True if two sizes are equal within the precision of drawing programs."""
    return abs(one.w - other.w) < off and abs(one.h - other.h) < off


def _are_pieces(group: Sequence[Rect], known_sizes: Sequence[Size]) -> bool:
    """Return True if boxes of one size may be pieces: not too many, and they do not overlap."""
    if len(group) == 1:
        return any(are_equal_sizes(group[0].size, size) for size in known_sizes)
    shrunk = [box.grown(-MAX_OVERLAP_MM / 2) for box in group]
    return len(group) <= MAX_PIECES_ON_PAGE and not any(
        item.overlaps(other) for item, other in combinations(shrunk, 2)
    )


def _total_area(group: Sequence[Rect]) -> float:
    """Return the sum of the areas of some boxes, in square mm."""
    return sum(box.w * box.h for box in group)


def _are_cells_of(group: Sequence[Rect], strips: Sequence[Rect]) -> bool:
    """Return True if boxes are the cells of strips, like those of a table."""
    w, h = strips[0].size
    if (
        max(w, h) < MAX_ASPECT_RATIO * min(w, h)
        or len(group) < 2 * len(strips)
        or _total_area(group) < MIN_STRIP_SHARE * _total_area(strips)
    ):
        return False
    return all(any(strip.grown(TOLERANCE_MM).holds(box) for strip in strips) for box in group)


def apply_cut_marks(
    boxes: Sequence[Rect], rulings: Iterable[Ruling]
) -> tuple[tuple[Rect, ...], float]:
    """Return boxes corrected by cut marks, without their bleed or with their rim; and the correction in mm.

    Without cut marks, the boxes stay unchanged and the correction is 0.
    """
    lines = list(rulings)
    across = _inset(
        [(box.x, box.right) for box in boxes], [line.at for line in lines if line.upright]
    )
    down = _inset(
        [(box.y, box.bottom) for box in boxes], [line.at for line in lines if not line.upright]
    )
    places = tuple(
        Rect.between(box.x + across, box.y + down, box.right - across, box.bottom - down)
        for box in boxes
    )
    shrunk = [place.grown(-MAX_OVERLAP_MM / 2) for place in places]
    if not across * down > 0 or any(
        item.overlaps(other) for item, other in combinations(shrunk, 2)
    ):
        return tuple(boxes), 0.0
    return places, min(across, down, key=abs)


def _inset(spans: Sequence[tuple[float, float]], places: Sequence[float]) -> float:
    """Return the distance in mm by which lines at both ends of all spans lie inside them.

    It is negative for lines outside, and 0 without lines.
    """
    first = min(spans)[0]
    last = max(end for _, end in spans)
    candidates = {round(place - first, 2) for place in places} | {
        round(last - place, 2) for place in places
    }
    nearest_first = sorted(
        (entry for entry in candidates if abs(entry) <= MAX_BLEED_MM),
        key=lambda inset: (inset < 0, abs(inset)),
    )
    for inset in [0.0, *(item for item in nearest_first if abs(item) > 2 * TOLERANCE_MM)]:
        expected_lines = {
            round(end, 2) for start, stop in spans for end in (start + inset, stop - inset)
        }
        if all(any(abs(place - end) <= TOLERANCE_MM for place in places) for end in expected_lines):
            return inset and inset + _mean_line_distance(spans, inset, places)
    return 0.0


def _mean_line_distance(
    spans: Sequence[tuple[float, float]], inset: float, places: Sequence[float]
) -> float:
    """Return the mean remaining distance of the nearest lines inside the spans."""
    inward = [min((place - start - inset for place in places), key=abs) for start, _ in spans]
    inward += [min((stop - inset - place for place in places), key=abs) for _, stop in spans]
    return sum(inward) / len(inward)


# A page of at most this area is a piece itself, unless it is full of pieces: a little less than A5,
# so that a page of A5 may have pieces on it.
MAX_SINGLE_PIECE_MM2 = 130 * 190

# A cut mark is at most, and a line between pieces at least this long.
MAX_MARK_MM = 15.0
MIN_LINE_MM = 30.0

# The shares of all marks and of all lines that a grid must explain.
MIN_MARKS_SHARE = 0.8
MIN_LINES_SHARE = 0.45

# Shares of the page that pieces must cover, or lines and marks are an ornament. Pixels alone are weaker evidence.
MIN_PAGE_SHARE = 0.05
MIN_PAGE_SHARE_BY_PIXELS = 0.25

# A size found in pixels is replaced by a named size that differs by at most this much: less than the half millimetre
# between poker cards and collectable cards.
SNAP_MM = 0.45

SHOP_BLEEDS_MM = (3.175, 3.0)
"""Bleed on all sides that print shops ask for: an eighth of an inch, or 3 mm."""

ReadPixels = Callable[[PageContent], PixelGaps]


NO_GAP = Size(0, 0)
GRID_OPTION = "--grid"
"""The evidence for pieces that only the user's grid shows."""


@dataclass(frozen=True)
class GridRequest:
    """A grid that the user states: columns and rows, and optionally size, first place and gaps in mm."""

    columns: int
    rows: int
    size: Size | None = None
    at: Point | None = None
    gap: Size = NO_GAP


_GRID = re.compile(
    r"(?P<grid>\d+\s*[x×]\s*\d+)(?:\s+of\s+(?P<size>.+?))?(?:\s+at\s+(?P<at>\S+\s+\S+))?(?:\s+gap\s+(?P<gap>\S+(?:\s+\S+)?))?"
)


def parse_grid_request(text: str) -> GridRequest:
    """Parse `3x3`, `3x3 of poker` or `3x3 of 63.5 x 88.9 mm at 10mm 15mm gap 3mm`."""
    match = _GRID.fullmatch(text.strip())
    if match is None:
        raise InvalidValueError(
            f"{text!r} is not a grid",
            "3x3, 3x3 of poker, or 3x3 of 63.5 x 88.9 mm at 10mm 15mm gap 3mm",
        )
    columns, rows = parse_grid(match["grid"])
    size = parse_size(match["size"]).size if match["size"] else None
    at = Point(*(length(part) for part in match["at"].split())) if match["at"] else None
    gaps = [length(part) for part in (match["gap"] or "0").split()]
    if at and size is None:
        raise InvalidValueError(
            f"{text!r} gives the position of the pieces but not their size",
            "3x3 of poker at 10mm 15mm",
        )
    if min(gaps) < 0:
        raise InvalidValueError(f"a gap in {text!r} is negative", "0 mm or more")
    return GridRequest(columns, rows, size, at, Size(gaps[0], gaps[-1]))


@dataclass(frozen=True)
class FoundPieces:
    """The places of the pieces on a page, and the evidence; no places if there is none."""

    page: PageContent
    places: tuple[Rect, ...] = ()
    evidence: str = ""


def find_all(
    pages: Sequence[PageContent],
    read_pixels: ReadPixels,
    named_sizes: Mapping[str, Size],
    request: GridRequest | None,
) -> list[FoundPieces]:
    """Return the pieces of all pages.

    A piece alone on its page is found by the size of others, and a few pieces on the last page by
    the grid of another page.
    """
    sizes = [*named_sizes.values(), *(size.turned(90) for size in named_sizes.values())]
    if request:
        found_pages = [_find_requested(page, request, read_pixels, sizes) for page in pages]
        found_pages = _share_grids(found_pages, {GRID_OPTION}, read_pixels, _is_around_ink)
        for found in found_pages:
            _check_inside_page(found, request)
        return found_pages
    by_lines = [_find_by_lines(page, (), sizes) for page in pages]
    known_sizes = [
        size
        for found in by_lines
        for place in found.places[:1]
        for size in (place.size, place.size.turned(90))
    ]
    found_pages = [_find_on_page(found, read_pixels, known_sizes, sizes) for found in by_lines]
    return _share_grids(found_pages, {""}, read_pixels, _is_partly_filled)


def _share_grids(
    found_pages: Sequence[FoundPieces],
    weak_evidence: Container[str],
    read_pixels: ReadPixels,
    fits: Callable[[Rect, Sequence[Rect], Rect], bool],
) -> list[FoundPieces]:
    """Return the pages, those with weak evidence with the pieces of another page if they fit their ink."""
    certain = [
        found
        for found in found_pages
        if len(found.places) > 1 and found.evidence not in weak_evidence
    ]

    def share(found: FoundPieces) -> FoundPieces:
        page = found.page
        same_size = [other for other in certain if are_equal_sizes(other.page.size, page.size)]
        if found.evidence not in weak_evidence or not same_size:
            return found
        ink = read_pixels(page).ink
        return next(
            (
                FoundPieces(page, other.places, f"the grid of page {other.page.number}")
                for other in same_size
                if fits(ink, other.places, read_pixels(other.page).ink)
            ),
            found,
        )

    return [share(found) for found in found_pages]


def _is_around_ink(ink: Rect, places: Sequence[Rect], other_ink: Rect) -> bool:
    """Return True if the box around the places and the ink of their page holds the ink of this page."""
    return Rect.around([*places, other_ink]).grown(SNAP_MM).holds(ink)


def _is_partly_filled(ink: Rect, places: Sequence[Rect], other_ink: Rect) -> bool:
    """Return True if the ink fills some of the places up to their edges, but not as many as on their page.

    Bleeds and shadows reach as far beyond these edges as on the page of the places. Ink that covers
    as much may be the frame of a page of rules.
    """
    whole = Rect.around(tuple(places))
    is_smaller = ink.w * ink.h < (1 - MIN_PAGE_SHARE) * other_ink.w * other_ink.h
    return is_smaller and all(
        any(abs(side - (edge + beyond)) <= SNAP_MM for edge in edges)
        for side, edges, beyond in (
            (ink.x, [place.x for place in places], other_ink.x - whole.x),
            (ink.right, [place.right for place in places], other_ink.right - whole.right),
            (ink.y, [place.y for place in places], other_ink.y - whole.y),
            (ink.bottom, [place.bottom for place in places], other_ink.bottom - whole.bottom),
        )
    )


def _find_on_page(
    found: FoundPieces, read_pixels: ReadPixels, known_sizes: Sequence[Size], sizes: Sequence[Size]
) -> FoundPieces:
    """Return the pieces found by lines, or more by the sizes on other pages, or else those that pixels show."""
    with_known_sizes = _find_by_lines(found.page, known_sizes, sizes)
    found = max((found, with_known_sizes), key=lambda item: len(item.places))
    return (
        found
        if found.places
        else _find_in_pixels(found.page, read_pixels(found.page), known_sizes, sizes)
    )


def _find_by_lines(
    page: PageContent, known_sizes: Sequence[Size], sizes: Sequence[Size]
) -> FoundPieces:
    """Return the pieces shown by boxes and lines, or the page itself if it is no larger than a piece."""
    found = _find_in_boxes(page, known_sizes)
    page_area = page.size.w * page.size.h
    if page_area > MAX_SINGLE_PIECE_MM2 or (
        not page.trim and len(found.places) > 1 and _total_area(found.places) > page_area / 2
    ):
        return found
    if page.trim is None and (inside := _without_bleed(page, sizes)):
        return FoundPieces(
            page, (inside,), "the page itself, without the bleed round a size that has a name"
        )
    return FoundPieces(page, (page.trim or page.box,), "the page itself")


def _without_bleed(page: PageContent, sizes: Sequence[Size]) -> Rect | None:
    """Return the trim of a page that is a named size with the bleed that shops ask for.

    None for any other page.
    """
    if any(are_equal_sizes(page.size, size) for size in sizes):
        return None
    for bleed in SHOP_BLEEDS_MM:
        trim = page.box.grown(-bleed)
        named = [size for size in sizes if are_equal_sizes(size, trim.size)]
        if named:
            return _recentre(
                trim.centre,
                min(named, key=lambda size: abs(size.w - trim.w) + abs(size.h - trim.h)),
            )
    return None


def _find_in_boxes(page: PageContent, known_sizes: Sequence[Size]) -> FoundPieces:
    """Return the pieces shown by boxes with cut marks, by cut marks alone, by lines, or by boxes, in this order."""
    widths = dict(zip(page.boxes, page.widths, strict=False))
    groups = [
        add_borders(group, widths)
        for group in group_boxes(drop_inner_boxes(page.boxes), page.box, known_sizes)
    ]
    marks = [line for line in page.rulings if not _is_within(line, groups)]
    corrected = [apply_cut_marks(group, marks) for group in groups]
    boxes = tuple(place for places, _ in corrected for place in places)
    if any(bleed for _, bleed in corrected):
        return FoundPieces(page, boxes, "boxes and their cut marks")
    by_marks = _grid_of_lines(
        [line for line in marks if line.length <= MAX_MARK_MM], MIN_MARKS_SHARE
    )
    if by_marks and _agree(by_marks, boxes):
        return FoundPieces(page, by_marks, "cut marks")
    by_lines = _grid_of_lines(
        [line for line in page.rulings if line.length >= MIN_LINE_MM], MIN_LINES_SHARE
    )
    if by_lines and _agree(by_lines, boxes) and _total_area(by_lines) > _total_area(boxes):
        return FoundPieces(page, by_lines, "lines")
    is_enough = _total_area(boxes) >= MIN_PAGE_SHARE * page.size.w * page.size.h
    return FoundPieces(page, boxes, "boxes") if is_enough else FoundPieces(page)


def _is_within(line: Ruling, groups: Sequence[Sequence[Rect]]) -> bool:
    """Return True if both ends of a line are in one box, so that it is not a cut mark."""
    ends = [
        Point(line.at, end) if line.upright else Point(end, line.at)
        for end in (line.start, line.end)
    ]
    dots = [Rect(*end, 0, 0) for end in ends]
    return any(
        box.grown(-0.3).holds(dots[0]) and box.grown(-0.3).holds(dots[1])
        for group in groups
        for box in group
    )


def _grid_of_lines(lines: Sequence[Ruling], min_explained: float) -> tuple[Rect, ...]:
    """Return the places of the grid that lines show; none if it explains too small a share of them."""
    across, down = (find_row(steps_of(lines, upright=upright)) for upright in (True, False))
    return _grid_of_rows(across, down, min_explained)


def _grid_of_rows(
    across: PieceRow | None, down: PieceRow | None, min_explained: float
) -> tuple[Rect, ...]:
    """Return the places of a grid of at least two pieces; none if a row explains too small a share of the edges."""
    if across is None or down is None or across.count * down.count < 2:
        return ()
    is_explained = min(across.explained, down.explained) >= min_explained
    return grid_places(across, down) if is_explained else ()


def _agree(places: Sequence[Rect], boxes: Sequence[Rect]) -> bool:
    """Return True if most boxes are each in a place, and so are printed on the pieces."""
    inside = [box for box in boxes if any(_is_in(box.centre, place) for place in places)]
    return not boxes or len(inside) >= MIN_MARKS_SHARE * len(boxes)


def _is_in(at: Point, box: Rect) -> bool:
    return box.x <= at.x <= box.right and box.y <= at.y <= box.bottom


def _find_in_pixels(
    page: PageContent, pixels: PixelGaps, known_sizes: Sequence[Size], sizes: Sequence[Size]
) -> FoundPieces:
    """Return the pieces shown by pixels: blocks of one size, or a grid of long edges."""
    groups = group_boxes(pixels.blocks, page.box, known_sizes)
    blocks = _even_out_sizes(groups[0], [*known_sizes, *sizes]) if groups else ()
    edges = _grid_of_rows(_pixel_row(pixels.across), _pixel_row(pixels.down), MIN_LINES_SHARE)
    edges = _even_out_sizes(edges, sizes)
    best = max((edges, blocks), key=_total_area)
    is_enough = _total_area(best) >= MIN_PAGE_SHARE_BY_PIXELS * page.size.w * page.size.h or (
        known_sizes and blocks
    )
    return FoundPieces(page, best, "pixels") if best and is_enough else FoundPieces(page)


def _pixel_row(edges: Sequence[tuple[float, float]], count: int | None = None) -> PieceRow | None:
    """Return the row of pieces that fits long edges of pixels, or None.

    Frames of neighbours are one line, twice as wide as those at the ends: their middles are off by
    half a line.
    """
    return find_row([Step(*edge) for edge in edges], count, SNAP_MM)


def _even_out_sizes(places: Sequence[Rect], sizes: Sequence[Size]) -> tuple[Rect, ...]:
    """Return the places with one size: a named size within `SNAP_MM`, if there is one."""
    if not places:
        return ()
    mean = Size(median(place.w for place in places), median(place.h for place in places))
    close_sizes = [size for size in sizes if are_equal_sizes(size, mean, SNAP_MM)]
    size = (
        min(close_sizes, key=lambda item: abs(item.w - mean.w) + abs(item.h - mean.h))
        if close_sizes
        else mean
    )
    return tuple(_recentre(place.centre, size) for place in places)


def _recentre(at: Point, size: Size) -> Rect:
    return Rect(at.x - size.w / 2, at.y - size.h / 2, *size)


def _find_requested(
    page: PageContent, request: GridRequest, read_pixels: ReadPixels, sizes: Sequence[Size]
) -> FoundPieces:
    """Return the requested grid at its stated position, or where its pieces are found."""
    evidence = GRID_OPTION
    if request.at and request.size:
        places = _place_grid(request, Rect(*request.at, 0, 0), request.size)
    else:
        found = _find_on_page(_find_by_lines(page, (), sizes), read_pixels, (), sizes)
        if len(found.places) == request.columns * request.rows:
            places = found.places
            evidence = f"{GRID_OPTION}, and {found.evidence}"
        else:
            places = _place_on_ink(page, request, read_pixels)
        places = (
            tuple(_recentre(place.centre, request.size) for place in places)
            if request.size
            else places
        )
    return FoundPieces(page, places, evidence)


def _check_inside_page(found: FoundPieces, request: GridRequest) -> None:
    """Raise `InvalidValueError` if a requested grid reaches beyond its page."""
    page = found.page
    if not all(page.box.grown(0.5).holds(place) for place in found.places):
        raise InvalidValueError(
            f"--grid: {request.columns} x {request.rows} pieces lie partly outside page {page.number}",
            f"pieces inside {number(page.size.w)} x {number(page.size.h)} mm",
        )


def _place_on_ink(
    page: PageContent, request: GridRequest, read_pixels: ReadPixels
) -> tuple[Rect, ...]:
    """Return the requested grid centred on the page, or on its ink if the grid would cut the ink."""
    pixels = read_pixels(page)
    across = _pixel_row(pixels.across, request.columns)
    down = _pixel_row(pixels.down, request.rows)
    if (
        across
        and down
        and min(across.explained, down.explained) >= MIN_LINES_SHARE
        and not request.size
    ):
        return grid_places(across, down)
    ink = pixels.ink
    gap = request.gap
    size = request.size or Size(
        (ink.w - gap.w * (request.columns - 1)) / request.columns,
        (ink.h - gap.h * (request.rows - 1)) / request.rows,
    )
    w = request.columns * size.w + (request.columns - 1) * gap.w
    h = request.rows * size.h + (request.rows - 1) * gap.h
    middle = _recentre(page.box.centre, Size(w, h))
    return _place_grid(
        request, middle if middle.holds(ink) else _recentre(ink.centre, Size(w, h)), size
    )


def _place_grid(request: GridRequest, at: Rect, size: Size) -> tuple[Rect, ...]:
    return tuple(
        Rect(at.x + column * (size.w + request.gap.w), at.y + row * (size.h + request.gap.h), *size)
        for row in range(request.rows)
        for column in range(request.columns)
    )


# Sides that differ by less from those of a named size count as that size.
NAMED_TOLERANCE_MM = 0.12


def common_size(sizes: Sequence[Size]) -> Size:
    """Return the common size of pieces: a named size within `NAMED_TOLERANCE_MM`, else the mean.

    The mean evens out browsers, which round each side to a pixel of CSS (0.26 mm), some up and some down.
    """
    mean = Size(fmean(size.w for size in sizes), fmean(size.h for size in sizes))
    named = [row.size for row in named_sizes().values()]
    return next(
        (
            item
            for size in named
            for item in (size, size.turned(90))
            if are_equal_sizes(item, mean, NAMED_TOLERANCE_MM)
        ),
        mean,
    )


def half_gap_between(places: Sequence[Rect]) -> float:
    """Return half the smallest gap between neighbours in mm: the bleed that neighbours can share."""
    gap = float("inf")
    for index, place in enumerate(places):
        for other in places[index + 1 :]:
            overlap = place.common(other)
            if overlap.w > 0 or overlap.h > 0:
                gap = min(gap, max(0.0, -min(overlap.w, overlap.h)))
    return gap / 2


def size_text(size: Size) -> str:
    """Return a size as text: its name, if it has one, and mm."""
    mm = f"{number(round(size.w, 2))} x {number(round(size.h, 2))} mm"
    name = next(
        (
            row.name
            for row in named_sizes().values()
            if are_equal_sizes(row.size, size, NAMED_TOLERANCE_MM)
        ),
        "",
    )
    return f"{name}, {mm}" if name else mm
