"""What the pixels of a page show, where nothing else tells its pieces: blocks of ink, long edges, how places look.

`app/relay.py` has this done in a process that can be stopped, on pages of files that somebody else made.
"""

import json
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import floor

from PIL import Image, ImageChops, ImageStat

from generator.core.geometry import Rect
from generator.core.units import MM_PER_INCH, PT_PER_INCH

FINE, COARSE = 300, 150
"""Pixels an inch, to find edges and to see what is there."""

MOST_PIXELS = 40e6
"""Of one page; a larger page is looked at more coarsely."""

INKED = 24
"""Of 255: what differs from the ground by more is ink."""

EDGE = 40
"""Of 255: neighbours that differ by more lie at an edge."""

LONG = 0.3
"""Of all that is inked, across: so long is the edge of a row of pieces."""

LINE = 1.0
"""mm; two edges that lie nearer are those of one line, and its middle counts."""

FULL = 0.97
"""Of a side: so much of it is inked where it bleeds."""

FARTHEST = 4.0
"""mm; beyond that no ink is looked for round a place."""

Pixel = float | tuple[int, ...] | None

TINY = (36, 48)
"""Pixels of what is kept of a place."""

DEEP = 4
"""Times that a page is parted."""

PAPER = (255, 255, 255)

MARGIN = 1.5
"""mm; what lies nearer to a place's edge does not say that there is a piece."""


def scan(path: str, number: int) -> bytes:
    """The blocks and edges of a page, as `PixelsSeen` has them."""
    image, dpi = _rendered(path, number, FINE)
    unit = MM_PER_INCH / dpi
    mask = _mask(image)
    box = mask.getbbox()
    if box is None:
        return json.dumps({"ink": [0, 0, 0, 0], "blocks": [], "across": [], "down": []}).encode()
    blocks = [_mm(block, unit) for block in _parted(mask, box, DEEP)]
    inner = image.crop(box)
    across = [((at + box[0]) * unit, share) for at, share in _edges(inner)]
    down = [((at + box[1]) * unit, share) for at, share in _edges(inner.transpose(Image.Transpose.TRANSPOSE))]
    told = {"ink": _mm(box, unit), "blocks": blocks, "across": _lines(across), "down": _lines(down)}
    return json.dumps(told).encode()


def look(path: str, number: int, places: Sequence[Sequence[float]]) -> bytes:
    """How some places of a page (x, y, w, h in mm) look, as `PlaceSeen` has it."""
    image, mask, dpi = _looked(path, number)
    scale = dpi / MM_PER_INCH
    found = []
    for place in places:
        box = Rect(*place)
        inner = _pixels(box.grown(-min(MARGIN, min(box.size) / 4)), scale, image.size)
        shown = image.crop(_pixels(box, scale, image.size))
        tiny = shown.resize(TINY, Image.Resampling.BOX)
        blank = mask.crop(inner).getbbox() is None
        found.append([blank, tiny.tobytes().hex(), _reach(mask, box, scale)])
    return json.dumps(found).encode()


@lru_cache(2)
def _looked(path: str, number: int) -> tuple[Image.Image, Image.Image, float]:
    """A page that is looked at several times, and where it is inked."""
    image, dpi = _rendered(path, number, COARSE)
    return image, _differing(image, PAPER), dpi


def _rendered(path: str, number: int, dpi: float) -> tuple[Image.Image, float]:
    import pypdfium2  # it is slow to load

    document = pypdfium2.PdfDocument(path)
    try:
        page = document[number - 1]
        w, h = page.get_size()
        dpi = min(dpi, (MOST_PIXELS / max(w * h, 1)) ** 0.5 * PT_PER_INCH)
        return page.render(scale=dpi / PT_PER_INCH, may_draw_forms=False).to_pil().convert("RGB"), dpi
    finally:
        document.close()


def _mask(image: Image.Image) -> Image.Image:
    """White where there is ink: where a picture is not as its corners are, of which most look alike."""
    w, h = image.size
    corners = [image.getpixel(place) for place in ((0, 0), (w - 1, 0), (0, h - 1), (w - 1, h - 1))]
    return _differing(image, max(corners, key=corners.count))


def _differing(image: Image.Image, ground: Pixel) -> Image.Image:
    return _strongest(ImageChops.difference(image, Image.new("RGB", image.size, ground)), INKED)


def _strongest(difference: Image.Image, least: int) -> Image.Image:
    red, green, blue = difference.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point(lambda value: 255 * (value > least))


def _parted(mask: Image.Image, box: tuple[int, int, int, int], depth: int) -> Iterator[tuple[int, int, int, int]]:
    """The blocks of ink in a box, parted along empty rows and columns in turn."""
    part = mask.crop(box)
    tight = part.getbbox()
    if tight is None:
        return
    left, top = box[0] + tight[0], box[1] + tight[1]
    columns, rows = part.crop(tight).getprojection()
    across, down = list(_runs(columns)), list(_runs(rows))
    if depth == 0 or len(across) * len(down) == 1:
        yield left, top, box[0] + tight[2], box[1] + tight[3]
        return
    for a, b in down if len(down) > 1 else [(0, len(rows))]:
        for c, d in across if len(down) == 1 else [(0, len(columns))]:
            yield from _parted(mask, (left + c, top + a, left + d, top + b), depth - 1)


def _runs(inked: Sequence[int]) -> Iterator[tuple[int, int]]:
    start = None
    for at, one in enumerate([*inked, 0]):
        if one and start is None:
            start = at
        elif not one and start is not None:
            yield start, at
            start = None


def _edges(image: Image.Image) -> Iterator[tuple[float, float]]:
    """Columns at which much changes: between which pixels, and along which share of the height."""
    w, h = image.size
    padded = Image.new("RGB", (w + 2, h), image.getpixel((0, 0)))
    padded.paste((255, 255, 255), (0, 0, w + 2, h))
    padded.paste(image, (1, 0))
    moved = ImageChops.difference(padded.crop((0, 0, w + 1, h)), padded.crop((1, 0, w + 2, h)))
    changes = _strongest(moved, EDGE).convert("F").resize((w + 1, 1), Image.Resampling.BOX)
    shares = [value / 255 for value in array("f", changes.tobytes())]
    group: list[tuple[int, float]] = []
    for at, share in enumerate([*shares, 0.0]):
        if share >= LONG / 2:
            group.append((at, share))
        elif group:
            if max(one for _, one in group) >= LONG:
                yield (
                    sum(place * one for place, one in group) / sum(one for _, one in group),
                    max(one for _, one in group),
                )
            group = []


def _lines(edges: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Edges of which two that are those of a line are one."""
    found: list[tuple[float, float]] = []
    for at, share in edges:
        if found and at - found[-1][0] < LINE:
            last, other = found[-1]
            found[-1] = ((last + at) / 2, max(share, other))
        else:
            found.append((at, share))
    return found


def _reach(mask: Image.Image, box: Rect, scale: float) -> float:
    """How far (mm) ink goes on without a gap, on the side where that is least."""
    found = []
    for way in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        steps = [nth / scale for nth in range(1, round(FARTHEST * scale))]
        far = 0.0
        for step, after in pairwise([*steps, 0.0]):
            strip = _strip(box, way, step)
            if ImageStat.Stat(mask.crop(_pixels(strip, scale, mask.size))).mean[0] < FULL * 255:
                break
            far = after or step
        found.append(far)
    return min(found)


def _strip(box: Rect, way: tuple[int, int], step: float) -> Rect:
    """A line of pixels so far outside a side."""
    x, y = way
    if x:
        return Rect(box.right + step if x > 0 else box.x - step, box.y, 0, box.h)
    return Rect(box.x, box.bottom + step if y > 0 else box.y - step, box.w, 0)


def _pixels(box: Rect, scale: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The pixels of a box, at least one each way, inside the picture."""
    left, top = (min(most - 1, max(0, floor(at * scale))) for most, at in zip(size, box[:2], strict=True))
    right, bottom = max(left + 1, floor(box.right * scale)), max(top + 1, floor(box.bottom * scale))
    return left, top, min(size[0], right), min(size[1], bottom)


def _mm(box: tuple[int, int, int, int], unit: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    return left * unit, top * unit, (right - left) * unit, (bottom - top) * unit
