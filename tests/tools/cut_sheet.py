"""Find the cuts of a sheet in its PDF alone, as a person with a ruler does, and cut a little off them.

Nothing here imports from `generator`. A piece is known by the size of its face; where it is cut is told by lines
on the page, by its footer, or not at all.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.tools.read_pdf import Page, Seen, Stroke, read, render

OFF = 0.1
"""mm; a ruler finds an edge to that."""

SLIP = 0.5
"""mm; so far scissors are off."""

ALONG = "cut along the picture"
INSIDE = "inside the thin line"
"""What footers say."""

Place = tuple[float, float]


@dataclass(frozen=True)
class Kind:
    """The known measures of pieces: the kind of outline, its box, and the bleed, in mm."""

    shape: str
    w: float
    h: float
    bleed: float
    own: tuple[Place, ...] = ()
    """Corners from the middle of its box, where it is none of the shapes that have a name."""

    def corners(self, seen: Seen) -> list[Place]:
        """Return the corners of a piece on the page."""
        w, h = self.w / 2, self.h / 2
        own = (
            self.own
            or {
                "rect": [(-w, -h), (w, -h), (w, h), (-w, h)],
                "triangle": [(0, -h), (w, h), (-w, h)],
                "hex": [(-w, 0), (-w / 2, -h), (w / 2, -h), (w, 0), (w / 2, h), (-w / 2, h)]
                if w > h
                else [(0, -h), (w, -h / 2), (w, h / 2), (0, h), (-w, h / 2), (-w, -h / 2)],
            }[self.shape]
        )
        c, s = math.cos(math.radians(seen.turn)), math.sin(math.radians(seen.turn))
        return [(seen.x + x * c - y * s, seen.y + x * s + y * c) for x, y in own]


def _names_circle(footer: str, diameter: float) -> bool:
    """Return True if a footer names circles of a diameter in mm."""
    return re.search(rf"(?<![\d.]){diameter:g} mm circles", footer) is not None


def kind_of(seen: Seen, kinds: list[Kind], said: str = "") -> Kind | None:
    """Which of some kinds a form on a page is.

    A round one among those of its size is told by the footer.
    """
    same = [
        kind
        for kind in kinds
        if abs(kind.w + 2 * kind.bleed - seen.w) + abs(kind.h + 2 * kind.bleed - seen.h) < 0.02
    ]
    told = [item for item in same if (item.shape == "circle") == _names_circle(said, item.w)]
    return next(iter(told or same), None)


def lost(page: Page, kinds: list[Kind]) -> Iterator[str]:
    """The edges that neither a line on the page nor its footer tells."""
    marks = [stroke for stroke in page.strokes if not stroke.dashed]
    for seen in fronts(page):
        kind = kind_of(seen, kinds, page.text)
        if kind is None:
            yield f"{seen.w} x {seen.h} mm is no piece that is known"
        elif kind.shape == "circle":
            if not (
                _centred(seen, kind, marks) and _names_circle(page.text, kind.w)
            ) and not _has_line_to_follow(seen, page):
                yield f"circle at {seen.x:.1f}, {seen.y:.1f}"
        else:
            corners = kind.corners(seen)
            for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
                if (
                    not _has_marks_for_ruler(a, b, marks)
                    and not _lined(a, b, page)
                    and ALONG not in page.text
                ):
                    yield f"edge from {a[0]:.1f}, {a[1]:.1f} to {b[0]:.1f}, {b[1]:.1f}"


ROWS_APART = 10.0
"""mm; nearer, a ruler may be laid from a mark of one row of pieces to one of another."""


TICK = 3.2
RULER = 50.0
"""mm; the longest tick of a ruler, and what no mark is as long as."""


def confused(page: Page) -> Iterator[str]:
    """Yield the marks that lie near, but not in line with, a parallel mark of pieces of another size."""
    marks = [(stroke, _row(stroke, page)) for stroke in page.strokes if _is_mark(stroke)]
    for item, row in marks:
        for other, another in marks:
            if (
                row < another
                and _parallel(item, other)
                and _off((item.x1, item.y1), other) > OFF
                and _gap(item, other) < ROWS_APART
            ):
                yield f"marks at {item.x1:.1f}, {item.y1:.1f} and {other.x1:.1f}, {other.y1:.1f}"


def _is_mark(one: Stroke) -> bool:
    """Return whether a stroke is an upright or level cut mark: longer than the ticks of a ruler."""
    level = min(abs(one.x1 - one.x2), abs(one.y1 - one.y2)) < 0.01
    long = math.hypot(one.x1 - one.x2, one.y1 - one.y2)
    return level and not one.dashed and abs(one.width - 0.15) < 0.01 and TICK < long < RULER


def _row(one: Stroke, page: Page) -> tuple[float, float]:
    """Return the size of the piece beside which a mark stands."""
    x, y = (one.x1 + one.x2) / 2, (one.y1 + one.y2) / 2
    near = min(
        page.forms, key=lambda seen: max(abs(seen.x - x) - seen.w / 2, abs(seen.y - y) - seen.h / 2)
    )
    return min(near.w, near.h), max(near.w, near.h)


def _parallel(one: Stroke, other: Stroke) -> bool:
    return (abs(one.x1 - one.x2) < 0.01) == (abs(other.x1 - other.x2) < 0.01)


def _gap(one: Stroke, other: Stroke) -> float:
    across = max(
        min(one.x1, one.x2) - max(other.x1, other.x2),
        min(other.x1, other.x2) - max(one.x1, one.x2),
        0,
    )
    down = max(
        min(one.y1, one.y2) - max(other.y1, other.y2),
        min(other.y1, other.y2) - max(one.y1, one.y2),
        0,
    )
    return math.hypot(across, down)


def fronts(page: Page) -> list[Seen]:
    """Return the pieces on the near side of a fold; those beyond it are cut with them."""
    middle = (page.width / 2, page.height / 2)
    dashed = [stroke for stroke in page.strokes if stroke.dashed]
    level = any(abs(entry.y1 - middle[1]) + abs(entry.y2 - middle[1]) < 0.02 for entry in dashed)
    upright = any(abs(item.x1 - middle[0]) + abs(item.x2 - middle[0]) < 0.02 for item in dashed)
    return [
        seen
        for seen in page.forms
        if not (level and seen.y > middle[1]) and not (upright and seen.x > middle[0])
    ]


def _off(place: Place, one: Stroke) -> float:
    dx, dy = one.x2 - one.x1, one.y2 - one.y1
    return abs(dx * (place[1] - one.y1) - dy * (place[0] - one.x1)) / max(math.hypot(dx, dy), 1e-9)


def _has_marks_for_ruler(a: Place, b: Place, marks: list[Stroke]) -> bool:
    """Return True if a ruler can be laid from a mark before an edge to one after it."""
    length = math.dist(a, b)
    way = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
    on = (mark for mark in marks if max(_off(a, mark), _off(b, mark)) < OFF)
    ends = [
        (x - a[0]) * way[0] + (y - a[1]) * way[1]
        for m in on
        for x, y in ((m.x1, m.y1), (m.x2, m.y2))
    ]
    return min(ends, default=1) <= OFF and max(ends, default=0) >= length - OFF


def _centred(seen: Seen, kind: Kind, marks: list[Stroke]) -> bool:
    """Return True if two marks beside a circle point at its middle."""
    middle = (seen.x, seen.y)
    near = [
        mark
        for mark in marks
        if math.dist(middle, (mark.x1, mark.y1)) < kind.w and _off(middle, mark) < OFF
    ]
    ways = [math.atan2(item.y2 - item.y1, item.x2 - item.x1) % math.pi for item in near]
    return any(0.1 < abs(ways[0] - way) < math.pi - 0.1 for way in ways)


def _lined(a: Place, b: Place, page: Page) -> bool:
    """Return True if a thin line runs along an edge, at the distance that the footer names."""
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    said = re.search(rf"cut ([\d.]+) mm {INSIDE}", page.text)
    away = float(said[1]) if said else 0.0
    return away > 0 and any(
        abs(_off(middle, item) - away) < OFF for item in _thin(page) if _beside(middle, item)
    )


def _thin(page: Page) -> list[Stroke]:
    return [stroke for stroke in page.strokes if abs(stroke.width - 0.1) < 0.01]


def _beside(place: Place, one: Stroke) -> bool:
    far = math.dist(place, (one.x1, one.y1)) + math.dist(place, (one.x2, one.y2))
    return far < math.hypot(one.x2 - one.x1, one.y2 - one.y1) + 2 * SLIP


def _has_line_to_follow(seen: Seen, page: Page) -> bool:
    """Return True if a round piece has a thin line, or its footer says to follow the picture."""
    near = any(
        abs(math.dist((seen.x, seen.y), (item.x1, item.y1)) - seen.w / 2) < 4
        for item in _thin(page)
    )
    return ALONG in page.text or (INSIDE in page.text and near)


def slips(path: Path, page: int, kinds: list[Kind], dpi: float = 150) -> Iterator[str]:
    """Yield where scissors off by `SLIP` leave white or another piece's colour on a piece of one colour."""
    sheet = read(path)[page]
    pixels = render(path, page, dpi)

    def colour(x: float, y: float) -> np.ndarray:
        return pixels[round(y * dpi / 25.4 - 0.5), round(x * dpi / 25.4 - 0.5)]

    for seen in sheet.forms:
        kind = kind_of(seen, kinds)
        if kind is None or kind.shape == "circle":
            continue
        own = colour(seen.x, seen.y)
        corners = kind.corners(seen)
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
            length = math.dist(a, b)
            out = ((b[1] - a[1]) / length * (SLIP - 0.1), -(b[0] - a[0]) / length * (SLIP - 0.1))
            for part in (0.1, 0.3, 0.5, 0.7, 0.9):
                x, y = a[0] + (b[0] - a[0]) * part + out[0], a[1] + (b[1] - a[1]) * part + out[1]
                if abs(colour(x, y) - own).max() > 60:
                    yield f"page {page + 1}: {colour(x, y)} beside a piece of {own} at {x:.1f}, {y:.1f}"


def sheets(folder: Path) -> Iterator[tuple[Path, int]]:
    """Every page with fronts, of the files with sheets in a folder."""
    for path in sorted(folder.rglob("*-sheets-*.pdf")):
        for number, page in enumerate(read(path)):
            if page.forms and "back" not in page.label.split():
                yield path, number
