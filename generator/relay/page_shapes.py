"""Find the boxes and lines on a page: frames, images, cut lines."""

import json
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import floor, isfinite
from typing import Any

import pikepdf
from PIL import Image, ImageChops, ImageStat

from generator.base.geometry import Point, Rect, Size
from generator.base.units import MM_PER_INCH, PT_PER_INCH
from generator.picture.images import mask_above
from generator.relay import read_pdf
from generator.relay.page import PageContent, Ruling
from generator.relay.read_pdf import (
    MAX_FORM_DEPTH,
    MAX_SIDE_MM,
    ContentInterpreter,
    PaintResult,
    Subpath,
    TooManyStepsError,
    enter_form,
    interpret_page,
    open_pdf,
    page_geometry,
)

# The shortest side of a piece.
MIN_PIECE_MM = 8.0

# The shortest cut mark.
MIN_MARK_MM = 0.4

# A page is a scan if one picture covers this share of it.
MIN_SCAN_SHARE = 0.8

# A filled box that is narrower is a line: about 2.5 pt.
MAX_LINE_WIDTH_MM = 0.9

# The ends of an upright or level line may differ by this much.
STRAIGHTNESS_MM = 0.02

# Boxes and lines of a page that are considered; maps and drawings have many more.
MAX_SHAPES = 20_000

# A shape that is nearer to a clip than this may be inside it.
CLIP_ROUNDING_MM = 0.01

# A box, and the width (mm) of the line stroked along it, or 0.
StrokedBox = tuple[Rect, float]


def find_shapes(path: str, number: int) -> bytes:
    """Return as JSON the boxes and lines of a page, or its fault."""
    pdf = open_pdf(path)
    page = pdf.pages[number - 1]
    size, _, trim = page_geometry(page)
    if not all(isfinite(side) and 0 < side <= MAX_SIDE_MM for side in size):
        return _refusal(
            f"is larger than {MAX_SIDE_MM / 1000:.0f} m", "a page of a size that can be printed"
        )
    interpreter = interpret_page(pdf, page)
    boxes = dict[Rect, float]()
    rulings = dict[Ruling, None]()
    pictures = list[Rect]()
    try:
        for shape in _shapes(interpreter, page, 0, pictures):
            if isinstance(shape, Ruling):
                rulings[shape] = None
            else:
                box, width = shape
                boxes[box] = max(width, boxes.get(box, 0.0))
            if len(boxes) + len(rulings) >= MAX_SHAPES:
                break
    except TooManyStepsError:
        return _refusal(
            "is too complex to read", f"at most {read_pdf.MAX_INSTRUCTIONS:,} drawing instructions"
        )
    shapes = {
        "size": size,
        "trim": trim,
        "boxes": list(boxes),
        "rulings": list(rulings),
        "widths": list(boxes.values()),
        "scan": any(box.w * box.h >= MIN_SCAN_SHARE * size.w * size.h for box in pictures),
    }
    return json.dumps(shapes).encode()


def _refusal(fault: str, expected: str) -> bytes:
    return json.dumps({"wrong": fault, "expected": expected}).encode()


def parse_page(file: int, number: int, data: dict[str, Any]) -> PageContent:
    """Parse the result of `find_shapes`."""
    trim = Rect(*data["trim"]) if data["trim"] else None
    boxes = tuple(Rect(*box) for box in data["boxes"])
    rulings = tuple(Ruling(*item) for item in data["rulings"])
    size = Size(*data["size"])
    widths = tuple(data["widths"])
    return PageContent(file, number, size, trim, boxes, rulings, widths, data["scan"])


def _shapes(
    interpreter: ContentInterpreter, holder: Any, depth: int, pictures: list[Rect]
) -> Iterator[StrokedBox | Ruling]:
    """Yield the boxes and lines of a page or a form; add the boxes of its pictures to `pictures`."""
    for step in interpreter.instructions(holder):
        if (paints := step.paints) is None:
            continue
        if paints.form is not None and depth < MAX_FORM_DEPTH:
            if paints.box and min(paints.box.size) > 0:
                yield from _box(paints.box)
                yield from _shapes(
                    enter_form(interpreter, paints), paints.form, depth + 1, pictures
                )
        elif paints.is_image and paints.box:
            pictures.append(paints.box)
            yield from _box(paints.box)
        else:
            for subpath in paints.subpaths:
                yield from _shapes_of_subpath(subpath, paints)


def _shapes_of_subpath(subpath: Subpath, paints: PaintResult) -> Iterator[StrokedBox | Ruling]:
    """Yield the box of a closed or filled subpath, or the straight lines of an open one; none if a clip hides it."""
    if paints.box is None or not all(isfinite(at) for corner in subpath.corners for at in corner):
        return
    box = subpath.box
    # A box outside the clip has a negative width or height in common with it. The rim allows for rounding.
    if min(paints.box.common(box.grown(CLIP_ROUNDING_MM)).size) < 0:
        return
    is_closed = subpath.closed or (
        len(subpath.corners) > 3 and subpath.corners[0] == subpath.corners[-1]
    )
    if len(subpath.corners) > 2 and (is_closed or not paints.stroked):
        if min(box.size) <= MAX_LINE_WIDTH_MM and not paints.stroked:
            yield from _line(*_axis(box), dashed=False)
        else:
            yield from _box(box, paints.width) if paints.stroked else _box(box.common(paints.box))
    elif paints.stroked and not subpath.curved:
        for a, b in pairwise(subpath.corners):
            yield from _line(a, b, dashed=paints.dashed)


def _box(box: Rect, width: float = 0.0) -> Iterator[StrokedBox]:
    if min(box.size) >= MIN_PIECE_MM:
        yield Rect(*(round(number, 4) for number in box)), round(width, 4)


def _axis(box: Rect) -> tuple[Point, Point]:
    middle = box.centre
    if box.w < box.h:
        return Point(middle.x, box.y), Point(middle.x, box.bottom)
    return Point(box.x, middle.y), Point(box.right, middle.y)


def _line(a: Point, b: Point, *, dashed: bool) -> Iterator[Ruling]:
    if (b - a).length() < MIN_MARK_MM:
        return
    if abs(a.x - b.x) < STRAIGHTNESS_MM:
        yield _ruling((a.x + b.x) / 2, a.y, b.y, upright=True, dashed=dashed)
    elif abs(a.y - b.y) < STRAIGHTNESS_MM:
        yield _ruling((a.y + b.y) / 2, a.x, b.x, upright=False, dashed=dashed)


def _ruling(at: float, a: float, b: float, *, upright: bool, dashed: bool) -> Ruling:
    return Ruling(upright, round(at, 4), round(min(a, b), 4), round(max(a, b), 4), dashed)


# Resolutions to find edges, and to compare places.
EDGES_DPI = 300
COMPARE_DPI = 150

# Pixels of one rendered page; a larger page is rendered at a lower resolution.
MAX_PIXELS = 40e6

# Of 255 levels: a greater difference from the background is ink.
INK_LEVELS = 24

# Of 255 levels: a greater difference between neighbouring pixels is an edge.
EDGE_LEVELS = 40

# The shortest edge of a row of pieces, as a share of the inked height or width.
MIN_EDGE_SHARE = 0.3

# Two edges that are nearer than this are the sides of one line, whose middle counts.
MAX_LINE_MM = 1.0

# The inked share of a line of pixels next to a place that counts as bleed.
MIN_BLEED_SHARE = 0.97

# The widest bleed that is sought.
MAX_BLEED_MM = 4.0

Pixel = float | tuple[int, ...] | None

# Size of the thumbnail of a place in pixels; thumbnails are compared to recognise backs.
THUMBNAIL_PX = (36, 48)

# A block of ink outside the pieces may be a missed piece if its sides are at least this long and
# ink covers this share of it.
MIN_LOOSE_MM = 12.0
MIN_LOOSE_SHARE = 0.1

# The two sides of a cut are compared at this distance from it, except this near to corners, where
# frames meet.
CROSSING_MM = 0.5
CORNER_MM = 2.0

# A side of which a larger share is inked is background, not a piece that is cut.
MAX_CROSSED_SHARE = 0.9

# How often a page is split into blocks: first along empty rows, then along empty columns, and so on.
MAX_SPLITS = 4

PAPER = (255, 255, 255)

# Ink nearer to a place's edge than this does not show that there is a piece.
MARGIN_MM = 1.5


def find_gaps(path: str, number: int) -> bytes:
    """Return as JSON the blocks and edges of a page, for `PixelGaps`."""
    image, dpi = render(path, number, EDGES_DPI)
    unit = MM_PER_INCH / dpi
    mask = _mask(image)
    box = mask.getbbox()
    if box is None:
        return json.dumps({"ink": [0, 0, 0, 0], "blocks": [], "across": [], "down": []}).encode()
    blocks = [_mm(block, unit) for block in _split_blocks(mask, box, MAX_SPLITS)]
    inner = image.crop(box)
    across = [((at + box[0]) * unit, share) for at, share in _edges(inner)]
    down = [
        ((at + box[1]) * unit, share)
        for at, share in _edges(inner.transpose(Image.Transpose.TRANSPOSE))
    ]
    gaps = {
        "ink": _mm(box, unit),
        "blocks": blocks,
        "across": _merge_lines(across),
        "down": _merge_lines(down),
    }
    return json.dumps(gaps).encode()


def describe_places(path: str, number: int, places: Sequence[Sequence[float]]) -> bytes:
    """Return as JSON the appearance of some places of a page (x, y, w, h in mm), for `PlaceAppearance`."""
    image, mask, dpi = _render_with_mask(path, number)
    scale = dpi / MM_PER_INCH
    rows = []
    for place in places:
        box = Rect(*place)
        inner = _pixel_box(box.grown(-min(MARGIN_MM, min(box.size) / 4)), scale, image.size)
        picture = image.crop(_pixel_box(box, scale, image.size))
        tiny = picture.resize(THUMBNAIL_PX, Image.Resampling.BOX)
        blank = mask.crop(inner).getbbox() is None
        rows.append([blank, tiny.tobytes().hex(), _bleed_reach(mask, box, scale)])
    return json.dumps(rows).encode()


def find_doubts(path: str, number: int, places: Sequence[Sequence[float]]) -> bytes:
    """Return as JSON the loose ink and the cut ink of some places of pieces (x, y, w, h in mm) on a page."""
    image, mask, dpi = _render_with_mask(path, number)
    scale = dpi / MM_PER_INCH
    boxes = [Rect(*place) for place in places]
    outside = mask.copy()
    for box in boxes:
        outside.paste(0, _pixel_box(box.grown(MAX_BLEED_MM), scale, outside.size))
    ink_box = outside.getbbox()
    blocks = [*_split_blocks(outside, ink_box, 2 * MAX_SPLITS)] if ink_box else []
    loose = [block for block in blocks if _is_loose(outside.crop(block), scale)]
    doubts = {
        "loose": [_mm(block, 1 / scale) for block in loose],
        "cut": sum(_crossed_length(image, mask, box, scale) for box in boxes),
    }
    return json.dumps(doubts).encode()


def _is_loose(block: Image.Image, scale: float) -> bool:
    """Return True if a block of ink is as large as a piece, and more than cut marks with paper between them."""
    return (
        min(block.size) >= MIN_LOOSE_MM * scale
        and ImageStat.Stat(block).mean[0] >= MIN_LOOSE_SHARE * 255
    )


def _crossed_length(image: Image.Image, mask: Image.Image, box: Rect, scale: float) -> float:
    """Return the length in mm along which a place's edge cuts through ink that is alike on both sides.

    A side that is inked from end to end does not count: it is a background that bleeds or that
    neighbours share. Nor do the corners, where frames of neighbours meet.
    """
    length = 0.0
    for direction in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        outer, inner = (
            _pixel_box(_strip(box, direction, step), scale, image.size)
            for step in (CROSSING_MM, -CROSSING_MM)
        )
        strips = [image.crop(outer), image.crop(inner)]
        if strips[0].size != strips[1].size:
            continue
        alike = mask_above(ImageChops.difference(*strips), EDGE_LEVELS).point(
            lambda value: 255 - value
        )
        inked = ImageChops.darker(ImageChops.darker(mask.crop(outer), mask.crop(inner)), alike)
        ends = round(CORNER_MM * scale)
        sides = (
            (0, ends, inked.width, inked.height - ends)
            if direction[0]
            else (ends, 0, inked.width - ends, inked.height)
        )
        if min(sides[2] - sides[0], sides[3] - sides[1]) < 1:
            continue
        share = ImageStat.Stat(inked.crop(sides)).mean[0] / 255
        if share < MAX_CROSSED_SHARE:
            length += share * max(sides[2] - sides[0], sides[3] - sides[1]) / scale
    return length


@lru_cache(2)
def _render_with_mask(path: str, number: int) -> tuple[Image.Image, Image.Image, float]:
    """Return a page, the mask of its ink, and its resolution.

    The last two pages are cached, because several functions read the same page in turn.
    """
    image, dpi = render(path, number, COMPARE_DPI)
    return image, _difference_mask(image, PAPER), dpi


def render(path: str, number: int, dpi: float) -> tuple[Image.Image, float]:
    """Return a picture of a page, and its resolution, which is lower than `dpi` for large pages."""
    import pypdfium2  # slow to load

    document = pypdfium2.PdfDocument(path)
    try:
        page = document[number - 1]
        # PDFium takes every unit of a page for a point, also where /UserUnit makes it larger.
        scale = _read_unit(path, number)
        w, h = (side * scale for side in page.get_size())
        dpi = min(dpi, (MAX_PIXELS / max(w * h, 1)) ** 0.5 * PT_PER_INCH)
        bitmap = page.render(scale=scale * dpi / PT_PER_INCH, may_draw_forms=False)
        return bitmap.to_pil().convert("RGB"), dpi
    finally:
        document.close()


def _read_unit(path: str, number: int) -> float:
    """Return the unit of a page's coordinates in points (ISO 32000-1, 14.11.1)."""
    with pikepdf.open(path) as pdf:
        return float(pdf.pages[number - 1].obj.get("/UserUnit", 1))


def _mask(image: Image.Image) -> Image.Image:
    """Return a mask, white where a page differs from its background."""
    return _difference_mask(image, find_background(image))


def find_background(image: Image.Image) -> Pixel:
    """Return the most frequent colour of a page's corners."""
    w, h = image.size
    corners = [image.getpixel(place) for place in ((0, 0), (w - 1, 0), (0, h - 1), (w - 1, h - 1))]
    return max(corners, key=corners.count)


def _difference_mask(image: Image.Image, background: Pixel) -> Image.Image:
    return mask_above(
        ImageChops.difference(image, Image.new("RGB", image.size, background)), INK_LEVELS
    )


def _split_blocks(
    mask: Image.Image, box: tuple[int, int, int, int], depth: int
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the blocks of ink in a box, split along empty rows and columns in turn, `depth` times at most."""
    part = mask.crop(box)
    tight = part.getbbox()
    if tight is None:
        return
    left = box[0] + tight[0]
    top = box[1] + tight[1]
    columns, rows = part.crop(tight).getprojection()
    across = list(_runs(columns))
    down = list(_runs(rows))
    if depth == 0 or len(across) * len(down) == 1:
        yield left, top, box[0] + tight[2], box[1] + tight[3]
        return
    if len(down) > 1:
        parts = [(0, start, len(columns), end) for start, end in down]
    else:
        parts = [(start, 0, end, len(rows)) for start, end in across]
    for x, y, right, bottom in parts:
        yield from _split_blocks(mask, (left + x, top + y, left + right, top + bottom), depth - 1)


def _runs(inked: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each run of nonzero values."""
    start = None
    for at, item in enumerate([*inked, 0]):
        if item and start is None:
            start = at
        elif not item and start is not None:
            yield start, at
            start = None


def _edges(image: Image.Image) -> Iterator[tuple[float, float]]:
    """Yield columns with long vertical edges: the position, and the share of the height."""
    w, h = image.size
    padded = Image.new("RGB", (w + 2, h), PAPER)
    padded.paste(image, (1, 0))
    moved = ImageChops.difference(padded.crop((0, 0, w + 1, h)), padded.crop((1, 0, w + 2, h)))
    changes = mask_above(moved, EDGE_LEVELS).convert("F").resize((w + 1, 1), Image.Resampling.BOX)
    shares = [value / 255 for value in array("f", changes.tobytes())]
    group: list[tuple[int, float]] = []
    for at, share in enumerate([*shares, 0.0]):
        if share >= MIN_EDGE_SHARE / 2:
            group.append((at, share))
        elif group:
            # Neighbouring columns with changes are one edge, at their weighted mean.
            shares_of_group = [entry for _, entry in group]
            if max(shares_of_group) >= MIN_EDGE_SHARE:
                mean = sum(place * entry for place, entry in group) / sum(shares_of_group)
                yield mean, max(shares_of_group)
            group = []


def _merge_lines(edges: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the edges with both edges of a line merged into one."""
    merged: list[tuple[float, float]] = []
    for at, share in edges:
        if merged and at - merged[-1][0] < MAX_LINE_MM:
            last, other = merged[-1]
            merged[-1] = ((last + at) / 2, max(share, other))
        else:
            merged.append((at, share))
    return merged


def _bleed_reach(mask: Image.Image, box: Rect, scale: float) -> float:
    """Return the distance in mm by which ink continues around a place, on the side where it ends first."""
    reaches = []
    for direction in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        # Distances of one pixel, two pixels, and so on.
        steps = [index / scale for index in range(1, round(MAX_BLEED_MM * scale))]
        reach = 0.0
        for step, next_step in pairwise([*steps, 0.0]):
            strip = mask.crop(_pixel_box(_strip(box, direction, step), scale, mask.size))
            if ImageStat.Stat(strip).mean[0] < MIN_BLEED_SHARE * 255:
                break
            reach = next_step or step
        reaches.append(reach)
    return min(reaches)


def _strip(box: Rect, direction: tuple[int, int], step: float) -> Rect:
    """Return a strip without width along a side of a box, `step` mm outside it; `_pixel_box` makes it a pixel wide."""
    x, y = direction
    if x:
        return Rect(box.right + step if x > 0 else box.x - step, box.y, 0, box.h)
    return Rect(box.x, box.bottom + step if y > 0 else box.y - step, box.w, 0)


def _pixel_box(box: Rect, scale: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return a box in pixels, inside the picture and at least one pixel wide and high."""
    left, top = (
        min(limit - 1, max(0, floor(at * scale))) for limit, at in zip(size, box[:2], strict=True)
    )
    right = max(left + 1, floor(box.right * scale))
    bottom = max(top + 1, floor(box.bottom * scale))
    return left, top, min(size[0], right), min(size[1], bottom)


def _mm(box: tuple[int, int, int, int], unit: float) -> tuple[float, float, float, float]:
    """Return a box in pixels, given by its edges, as x, y, width and height in mm; a pixel is `unit` mm wide."""
    left, top, right, bottom = box
    return left * unit, top * unit, (right - left) * unit, (bottom - top) * unit
