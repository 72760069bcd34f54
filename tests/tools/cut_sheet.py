"""Check in a sheet's PDF that a person with a ruler finds every cut, and may cut slightly inaccurately.

Nothing here imports from `generator`. A piece is recognised by the size of its face. Its cut must be shown by lines on
the page or explained in the footer.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.tools.read_pdf import Page, PlacedForm, Stroke, read, render

RULER_ACCURACY_MM = 0.1
"""Distance from an edge at which a ruler still finds it."""

SCISSORS_ERROR_MM = 0.5
"""Distance by which scissors stray from their line."""

ALONG = "cut along the picture"
INSIDE = "inside the thin line"
"""The two instructions in footers for pieces without marks."""

UNKNOWN = "no known piece"

Place = tuple[float, float]


@dataclass(frozen=True)
class Kind:
    """The outline, its width and height, and the bleed of some pieces, in mm."""

    shape: str
    w: float
    h: float
    bleed: float
    offsets: tuple[Place, ...] = ()
    """The corners relative to the middle of the box, for a shape without a name."""

    def corners(self, form: PlacedForm) -> list[Place]:
        """Return the corners of a piece on the page."""
        w = self.w / 2
        h = self.h / 2
        offsets = (
            self.offsets
            or {
                "rect": [(-w, -h), (w, -h), (w, h), (-w, h)],
                "triangle": [(0, -h), (w, h), (-w, h)],
                "hex": [(-w, 0), (-w / 2, -h), (w / 2, -h), (w, 0), (w / 2, h), (-w / 2, h)]
                if w > h
                else [(0, -h), (w, -h / 2), (w, h / 2), (0, h), (-w, h / 2), (-w, -h / 2)],
            }[self.shape]
        )
        c = math.cos(math.radians(form.turn))
        s = math.sin(math.radians(form.turn))
        return [(form.x + x * c - y * s, form.y + x * s + y * c) for x, y in offsets]


def _names_circle(footer: str, diameter: float) -> bool:
    """Return True if a footer names circles of a diameter in mm."""
    return re.search(rf"(?<![\d.]){diameter:g} mm circles", footer) is not None


def kind_of(form: PlacedForm, kinds: list[Kind], footer: str = "") -> Kind | None:
    """Return the kind of a form on a page; None if its size is unknown.

    The footer decides between round and other pieces of equal size.
    """
    same = [
        kind
        for kind in kinds
        if abs(kind.w + 2 * kind.bleed - form.w) + abs(kind.h + 2 * kind.bleed - form.h) < 0.02
    ]
    matching = [item for item in same if (item.shape == "circle") == _names_circle(footer, item.w)]
    return next(iter(matching or same), None)


def find_unmarked_edges(page: Page, kinds: list[Kind]) -> Iterator[str]:
    """Yield the edges of pieces that neither a line on the page nor its footer shows."""
    marks = [stroke for stroke in page.strokes if not stroke.dashed]
    for form in fronts(page):
        kind = kind_of(form, kinds, page.text)
        if kind is None:
            yield f"{form.w} x {form.h} mm: {UNKNOWN}"
        elif kind.shape == "circle":
            if not (
                _has_centre_marks(form, kind, marks) and _names_circle(page.text, kind.w)
            ) and not _has_line_to_follow(form, page):
                yield f"circle at {form.x:.1f}, {form.y:.1f}"
        else:
            corners = kind.corners(form)
            for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
                if (
                    not _has_marks_for_ruler(a, b, marks)
                    and not _has_thin_line(a, b, page)
                    and ALONG not in page.text
                ):
                    yield f"edge from {a[0]:.1f}, {a[1]:.1f} to {b[0]:.1f}, {b[1]:.1f}"


MIN_ROW_GAP_MM = 10.0
"""Distance between marks below which a ruler may connect those of different rows by mistake."""

MAX_TICK_MM = 3.2
MAX_MARK_MM = 50.0
"""The longest tick of a printed ruler, and a length that no cut mark reaches."""


def find_confusing_marks(page: Page) -> Iterator[str]:
    """Yield the marks that lie near, but not in line with, a parallel mark of pieces of another size."""
    marks = [(stroke, _row(stroke, page)) for stroke in page.strokes if _is_mark(stroke)]
    for item, row in marks:
        for other, another in marks:
            if (
                row < another
                and _are_parallel(item, other)
                and _distance_from_line((item.x1, item.y1), other) > RULER_ACCURACY_MM
                and _gap(item, other) < MIN_ROW_GAP_MM
            ):
                yield f"marks at {item.x1:.1f}, {item.y1:.1f} and {other.x1:.1f}, {other.y1:.1f}"


def _is_mark(one: Stroke) -> bool:
    """Return True if a stroke is a vertical or horizontal cut mark: longer than the ticks of a ruler."""
    is_level = min(abs(one.x1 - one.x2), abs(one.y1 - one.y2)) < 0.01
    length = math.hypot(one.x1 - one.x2, one.y1 - one.y2)
    return (
        is_level
        and not one.dashed
        and abs(one.width - 0.15) < 0.01
        and MAX_TICK_MM < length < MAX_MARK_MM
    )


def _row(one: Stroke, page: Page) -> tuple[float, float]:
    """Return the size of the piece nearest to a mark."""
    x = (one.x1 + one.x2) / 2
    y = (one.y1 + one.y2) / 2
    nearest = min(
        page.forms, key=lambda form: max(abs(form.x - x) - form.w / 2, abs(form.y - y) - form.h / 2)
    )
    return min(nearest.w, nearest.h), max(nearest.w, nearest.h)


def _are_parallel(one: Stroke, other: Stroke) -> bool:
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


def fronts(page: Page) -> list[PlacedForm]:
    """Return the pieces on the front half of a folded page; their backs are cut together with them."""
    middle = (page.width / 2, page.height / 2)
    dashed = [stroke for stroke in page.strokes if stroke.dashed]
    level = any(abs(entry.y1 - middle[1]) + abs(entry.y2 - middle[1]) < 0.02 for entry in dashed)
    upright = any(abs(item.x1 - middle[0]) + abs(item.x2 - middle[0]) < 0.02 for item in dashed)
    return [
        form
        for form in page.forms
        if not (level and form.y > middle[1]) and not (upright and form.x > middle[0])
    ]


def _distance_from_line(place: Place, one: Stroke) -> float:
    dx = one.x2 - one.x1
    dy = one.y2 - one.y1
    return abs(dx * (place[1] - one.y1) - dy * (place[0] - one.x1)) / max(math.hypot(dx, dy), 1e-9)


def _has_marks_for_ruler(a: Place, b: Place, marks: list[Stroke]) -> bool:
    """Return True if marks in line with an edge lie beyond both of its ends."""
    length = math.dist(a, b)
    direction = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
    on = (
        mark
        for mark in marks
        if max(_distance_from_line(a, mark), _distance_from_line(b, mark)) < RULER_ACCURACY_MM
    )
    ends = [
        (x - a[0]) * direction[0] + (y - a[1]) * direction[1]
        for m in on
        for x, y in ((m.x1, m.y1), (m.x2, m.y2))
    ]
    return (
        min(ends, default=1) <= RULER_ACCURACY_MM
        and max(ends, default=0) >= length - RULER_ACCURACY_MM
    )


def _has_centre_marks(form: PlacedForm, kind: Kind, marks: list[Stroke]) -> bool:
    """Return True if two marks beside a circle point at its middle."""
    middle = (form.x, form.y)
    near = [
        mark
        for mark in marks
        if math.dist(middle, (mark.x1, mark.y1)) < kind.w
        and _distance_from_line(middle, mark) < RULER_ACCURACY_MM
    ]
    directions = [math.atan2(item.y2 - item.y1, item.x2 - item.x1) % math.pi for item in near]
    return any(0.1 < abs(directions[0] - direction) < math.pi - 0.1 for direction in directions)


def _has_thin_line(a: Place, b: Place, page: Page) -> bool:
    """Return True if a thin line runs along an edge, at the distance that the footer names."""
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    match = re.search(rf"cut ([\d.]+) mm {INSIDE}", page.text)
    distance = float(match[1]) if match else 0.0
    return distance > 0 and any(
        abs(_distance_from_line(middle, item) - distance) < RULER_ACCURACY_MM
        for item in _thin_lines(page)
        if _is_beside(middle, item)
    )


def _thin_lines(page: Page) -> list[Stroke]:
    return [stroke for stroke in page.strokes if abs(stroke.width - 0.1) < 0.01]


def _is_beside(place: Place, one: Stroke) -> bool:
    distance = math.dist(place, (one.x1, one.y1)) + math.dist(place, (one.x2, one.y2))
    return distance < math.hypot(one.x2 - one.x1, one.y2 - one.y1) + 2 * SCISSORS_ERROR_MM


def _has_line_to_follow(form: PlacedForm, page: Page) -> bool:
    """Return True if a round piece has a thin line, or its footer says to follow the picture."""
    near = any(
        abs(math.dist((form.x, form.y), (item.x1, item.y1)) - form.w / 2) < 4
        for item in _thin_lines(page)
    )
    return ALONG in page.text or (INSIDE in page.text and near)


def find_foreign_rims(path: Path, page: int, kinds: list[Kind], dpi: float = 150) -> Iterator[str]:
    """Yield the places where scissors that stray outwards leave another colour on a piece of one colour."""
    sheet = read(path)[page]
    pixels = render(path, page, dpi)

    def colour(x: float, y: float) -> np.ndarray:
        return pixels[round(y * dpi / 25.4 - 0.5), round(x * dpi / 25.4 - 0.5)]

    for form in sheet.forms:
        kind = kind_of(form, kinds)
        if kind is None or kind.shape == "circle":
            continue
        piece_colour = colour(form.x, form.y)
        corners = kind.corners(form)
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
            length = math.dist(a, b)
            off = (SCISSORS_ERROR_MM - 0.1) / length
            out = ((b[1] - a[1]) * off, (a[0] - b[0]) * off)
            for part in (0.1, 0.3, 0.5, 0.7, 0.9):
                x = a[0] + (b[0] - a[0]) * part + out[0]
                y = a[1] + (b[1] - a[1]) * part + out[1]
                if abs(colour(x, y) - piece_colour).max() > 60:
                    yield f"page {page + 1}: {colour(x, y)} beside a piece of {piece_colour} at {x:.1f}, {y:.1f}"


def sheets(folder: Path) -> Iterator[tuple[Path, int]]:
    """Yield each page with fronts of the files with sheets in a folder."""
    for path in sorted(folder.rglob("*-sheets-*.pdf")):
        for number, page in enumerate(read(path)):
            if page.forms and "back" not in page.label.split():
                yield path, number
