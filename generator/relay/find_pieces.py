"""Find boxes of one size next to each other: the frames or images of pieces."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import median

from generator.base.errors import InvalidValueError
from generator.base.geometry import Point, Rect, Size
from generator.base.units import number
from generator.relay.grid import MIN_PIECE_MM, TOLERANCE_MM, Comb, Step, comb, grid, steps_of
from generator.relay.page import PageContent, PixelGaps, Ruling

# Sizes that differ by less are equal.
SIZE_TOLERANCE_MM = 0.3

# Frames of neighbours may overlap by this much.
MAX_OVERLAP_MM = 0.6

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
"""Half a pixel of CSS, to which browsers round the sides of boxes: box and border may differ by so much."""


def clusters(
    boxes: Iterable[Rect], page: Rect, known: Sequence[Size] = ()
) -> list[tuple[Rect, ...]]:
    """Return pieces by size, those that cover most of the page first.

    A single box is a piece only if its size is `known`.
    """
    whole = page.w * page.h
    rest = [
        box
        for box in _without_duplicates(boxes)
        if min(box.size) >= MIN_PIECE_MM and box.w * box.h < MAX_PAGE_SHARE * whole
    ]
    rest = [box for box in rest if page.grown(TOLERANCE_MM).holds(box)]
    found: list[tuple[Rect, ...]] = []
    groups = [group for group in map(tuple, _by_size(rest)) if _are_pieces(group, known)]
    while groups:
        best = max(groups, key=_total_area)
        best = next((group for group in groups if _are_cells_of(group, best)), best)
        found.append(tuple(sorted(best, key=lambda box: (round(box.y, 1), box.x))))
        groups = [
            group
            for group in groups
            if not any(item.overlaps(other) for item in group for other in best)
        ]
    return found


def outermost(boxes: Sequence[Rect]) -> list[Rect]:
    """Return the boxes without those that are borders or grounds just inside another box.

    Browsers paint the ground of a card over all of it, and the border as a line half its width
    further in. Both are one card, and the larger box is its edge.
    """
    found: dict[tuple[int, int], list[Rect]] = {}
    kept: list[Rect] = []
    for box in sorted(boxes, key=lambda one: -one.w * one.h):
        column = round(box.centre.x / BORDER_MM)
        row = round(box.centre.y / BORDER_MM)
        cells = ((column + across, row + down) for across in (-1, 0, 1) for down in (-1, 0, 1))
        if any(_is_border(box, outer) for cell in cells for outer in found.get(cell, ())):
            continue
        found.setdefault((column, row), []).append(box)
        kept.append(box)
    return kept


def _is_border(box: Rect, outer: Rect) -> bool:
    off = box.centre - outer.centre
    inset_x = (outer.w - box.w) / 2
    inset_y = (outer.h - box.h) / 2
    is_inside = (
        all(0 <= inset <= BORDER_MM for inset in (inset_x, inset_y)) and inset_x + inset_y > 0
    )
    return is_inside and max(abs(off.x), abs(off.y)) <= OFF_CENTRE_MM


def with_borders(boxes: Sequence[Rect], widths: Mapping[Rect, float]) -> tuple[Rect, ...]:
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
    seen: dict[tuple[int, ...], Rect] = {}
    for box in boxes:
        seen.setdefault(tuple(round(number / TOLERANCE_MM) for number in box), box)
    kept: list[Rect] = []
    for box in seen.values():
        if not any(
            max(abs(a - b) for a, b in zip(box, other, strict=True)) < TOLERANCE_MM
            for other in kept[-50:]
        ):
            kept.append(box)
    return kept


def _by_size(boxes: Sequence[Rect]) -> Iterable[list[Rect]]:
    groups: list[list[Rect]] = []
    for box in sorted(boxes, key=lambda one: (round(one.w, 1), one.h)):
        near = (
            group for group in reversed(groups[-60:]) if are_equal_sizes(group[0].size, box.size)
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


def _are_pieces(group: Sequence[Rect], known: Sequence[Size]) -> bool:
    if len(group) == 1:
        return any(are_equal_sizes(group[0].size, size) for size in known)
    shrunk = [box.grown(-MAX_OVERLAP_MM / 2) for box in group]
    return len(group) <= 400 and not any(
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
    """Return boxes corrected by cut marks: without their bleed, or with their rim.

    And the correction in mm.

    Without cut marks, boxes stay unchanged.
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
    apart = [place.grown(-MAX_OVERLAP_MM / 2) for place in places]
    if not across * down > 0 or any(item.overlaps(other) for item, other in combinations(apart, 2)):
        return tuple(boxes), 0.0
    return places, min(across, down, key=abs)


def _inset(spans: Sequence[tuple[float, float]], places: Sequence[float]) -> float:
    """Return how far inside all spans there are lines at both ends.

    Negative outside, 0 without lines.
    """
    first = min(spans)[0]
    last = max(end for _, end in spans)
    tries = {round(place - first, 2) for place in places} | {
        round(last - place, 2) for place in places
    }
    near = sorted(
        (entry for entry in tries if abs(entry) <= MAX_BLEED_MM),
        key=lambda one: (one < 0, abs(one)),
    )
    for inset in [0.0, *(item for item in near if abs(item) > 2 * TOLERANCE_MM)]:
        wanted = {round(end, 2) for start, stop in spans for end in (start + inset, stop - inset)}
        if all(any(abs(place - end) <= TOLERANCE_MM for place in places) for end in wanted):
            return inset and inset + _mean_line_distance(spans, inset, places)
    return 0.0


def _mean_line_distance(
    spans: Sequence[tuple[float, float]], inset: float, places: Sequence[float]
) -> float:
    """Return the mean remaining distance of the nearest lines inside the spans."""
    inward = [min((place - start - inset for place in places), key=abs) for start, _ in spans]
    inward += [min((stop - inset - place for place in places), key=abs) for _, stop in spans]
    return sum(inward) / len(inward)


# In mm²: a page of at most this size is a piece itself, unless it is full of pieces.
MAX_SINGLE_PIECE_MM2 = 130 * 190

# A cut mark is at most, and a line between pieces at least this long.
MAX_MARK_MM = 15.0
MIN_LINE_MM = 30.0

# The shares of all marks and of all lines that a grid must explain.
MIN_MARKS_SHARE = 0.8
MIN_LINES_SHARE = 0.45

# Shares of the page that pieces must cover; pixels alone are weaker evidence.
MIN_PAGE_SHARE = 0.05
MIN_PAGE_SHARE_BY_PIXELS = 0.25

# A size found in pixels is replaced by a named size that differs by at most this much.
SNAP_MM = 0.45

SHOP_BLEEDS_MM = (3.175, 3.0)
"""Bleed on all sides that print shops ask for: an eighth of an inch, or 3 mm."""

Eyes = Callable[[PageContent], PixelGaps]


NO_GAP = Size(0, 0)


@dataclass(frozen=True)
class GridRequest:
    """A grid that the user states: columns and rows, and optionally size, first place and gaps in mm."""

    columns: int
    rows: int
    size: Size | None = None
    at: Point | None = None
    gap: Size = NO_GAP


@dataclass(frozen=True)
class FoundPieces:
    """The places of the pieces on a page, and the evidence; no places if there is none."""

    page: PageContent
    places: tuple[Rect, ...] = ()
    how: str = ""


def find_all(
    pages: Sequence[PageContent], eyes: Eyes, named: Mapping[str, Size], said: GridRequest | None
) -> list[FoundPieces]:
    """Return the pieces of all pages; a piece alone on its page is found by the size of others."""
    sizes = [*named.values(), *(size.turned(90) for size in named.values())]
    if said:
        return [_as_said(page, said, eyes, sizes) for page in pages]
    first = [_find_by_lines(page, (), sizes) for page in pages]
    known = [
        size
        for found in first
        for place in found.places[:1]
        for size in (place.size, place.size.turned(90))
    ]
    return [_find_on_page(found, eyes, known, sizes) for found in first]


def _find_on_page(
    found: FoundPieces, eyes: Eyes, known: Sequence[Size], sizes: Sequence[Size]
) -> FoundPieces:
    again = _find_by_lines(found.page, known, sizes)
    found = max((found, again), key=lambda one: len(one.places))
    return found if found.places else _in_pixels(found.page, eyes(found.page), known, sizes)


def _find_by_lines(page: PageContent, known: Sequence[Size], sizes: Sequence[Size]) -> FoundPieces:
    """Return the pieces shown by boxes and lines, or the page itself if it is no larger than a piece."""
    found = _in_boxes(page, known)
    whole = page.size.w * page.size.h
    if whole > MAX_SINGLE_PIECE_MM2 or (
        not page.trim and len(found.places) > 1 and _total_area(found.places) > whole / 2
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


def _in_boxes(page: PageContent, known: Sequence[Size]) -> FoundPieces:
    widths = dict(zip(page.boxes, page.widths, strict=False))
    groups = [
        with_borders(group, widths) for group in clusters(outermost(page.boxes), page.box, known)
    ]
    marks = [line for line in page.rulings if not _is_within(line, groups)]
    cut = [apply_cut_marks(group, marks) for group in groups]
    boxes = tuple(place for places, _ in cut for place in places)
    if any(bleed for _, bleed in cut):
        return FoundPieces(page, boxes, "boxes and their cut marks")
    by_marks = _lattice([line for line in marks if line.length <= MAX_MARK_MM], MIN_MARKS_SHARE)
    if by_marks and _agree(by_marks, boxes):
        return FoundPieces(page, by_marks, "cut marks")
    by_lines = _lattice(
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


def _lattice(lines: Sequence[Ruling], explained: float) -> tuple[Rect, ...]:
    across, down = (comb(steps_of(lines, upright=upright)) for upright in (True, False))
    return _find_by_grid(across, down, explained)


def _find_by_grid(across: Comb | None, down: Comb | None, explained: float) -> tuple[Rect, ...]:
    if across is None or down is None or across.count * down.count < 2:
        return ()
    return grid(across, down) if min(across.explained, down.explained) >= explained else ()


def _agree(places: Sequence[Rect], boxes: Sequence[Rect]) -> bool:
    """Return True if most boxes are each in a place, and so are printed on the pieces."""
    held = [box for box in boxes if any(_is_in(box.centre, place) for place in places)]
    return not boxes or len(held) >= MIN_MARKS_SHARE * len(boxes)


def _is_in(at: Point, box: Rect) -> bool:
    return box.x <= at.x <= box.right and box.y <= at.y <= box.bottom


def _in_pixels(
    page: PageContent, seen: PixelGaps, known: Sequence[Size], sizes: Sequence[Size]
) -> FoundPieces:
    """Return the pieces shown by pixels: blocks of one size, or a grid of long edges."""
    groups = clusters(seen.blocks, page.box, known)
    blocks = _even_out_sizes(groups[0], [*known, *sizes]) if groups else ()
    edges = _find_by_grid(_pixel_row(seen.across), _pixel_row(seen.down), MIN_LINES_SHARE)
    edges = _even_out_sizes(edges, sizes)
    best = max((edges, blocks), key=_total_area)
    is_enough = _total_area(best) >= MIN_PAGE_SHARE_BY_PIXELS * page.size.w * page.size.h or (
        known and blocks
    )
    return FoundPieces(page, best, "pixels") if best and is_enough else FoundPieces(page)


def _pixel_row(edges: Sequence[tuple[float, float]], count: int | None = None) -> Comb | None:
    """Return the row of pieces that long edges of pixels tell.

    Frames of neighbours are one line, twice as wide as those at the ends: their middles are off by
    half a line.
    """
    return comb([Step(*edge) for edge in edges], count, SNAP_MM)


def _even_out_sizes(places: Sequence[Rect], sizes: Sequence[Size]) -> tuple[Rect, ...]:
    """Return the places with one size: a named size within `SNAP_MM`, if there is one."""
    if not places:
        return ()
    mean = Size(median(place.w for place in places), median(place.h for place in places))
    near = [size for size in sizes if are_equal_sizes(size, mean, SNAP_MM)]
    size = min(near, key=lambda one: abs(one.w - mean.w) + abs(one.h - mean.h)) if near else mean
    return tuple(_recentre(place.centre, size) for place in places)


def _recentre(at: Point, size: Size) -> Rect:
    return Rect(at.x - size.w / 2, at.y - size.h / 2, *size)


def _as_said(
    page: PageContent, said: GridRequest, eyes: Eyes, sizes: Sequence[Size]
) -> FoundPieces:
    """Return the stated grid at its stated position, or where it is found."""
    how = "--grid"
    if said.at and said.size:
        places = _grid(said, Rect(*said.at, 0, 0), said.size)
    else:
        found = _find_on_page(_find_by_lines(page, (), sizes), eyes, (), sizes)
        if len(found.places) == said.columns * said.rows:
            places = found.places
            how = f"--grid, and {found.how}"
        else:
            places = _on_ink(page, said, eyes)
        places = (
            tuple(_recentre(place.centre, said.size) for place in places) if said.size else places
        )
    if not all(page.box.grown(0.5).holds(place) for place in places):
        raise InvalidValueError(
            f"--grid: {said.columns} x {said.rows} pieces lie partly outside page {page.number}",
            f"pieces inside {number(page.size.w)} x {number(page.size.h)} mm",
        )
    return FoundPieces(page, places, how)


def _on_ink(page: PageContent, said: GridRequest, eyes: Eyes) -> tuple[Rect, ...]:
    """Return the stated grid centred on the page, or on its ink if the grid would cut that."""
    seen = eyes(page)
    across = _pixel_row(seen.across, said.columns)
    down = _pixel_row(seen.down, said.rows)
    if (
        across
        and down
        and min(across.explained, down.explained) >= MIN_LINES_SHARE
        and not said.size
    ):
        return grid(across, down)
    ink = seen.ink
    gap = said.gap
    size = said.size or Size(
        (ink.w - gap.w * (said.columns - 1)) / said.columns,
        (ink.h - gap.h * (said.rows - 1)) / said.rows,
    )
    w = said.columns * size.w + (said.columns - 1) * gap.w
    h = said.rows * size.h + (said.rows - 1) * gap.h
    middle = _recentre(page.box.centre, Size(w, h))
    return _grid(said, middle if middle.holds(ink) else _recentre(ink.centre, Size(w, h)), size)


def _grid(said: GridRequest, at: Rect, size: Size) -> tuple[Rect, ...]:
    return tuple(
        Rect(at.x + column * (size.w + said.gap.w), at.y + row * (size.h + said.gap.h), *size)
        for row in range(said.rows)
        for column in range(said.columns)
    )
