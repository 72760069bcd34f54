"""The parts of a finished picture that surely are opaque, with their colours, found without rendering.

Only shapes that are filled with a plain colour and whose outline is convex count: backgrounds and
panels. Everything else may or may not paint a place.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

from generator.base import polygon
from generator.base.colours import Channels, channels_of
from generator.base.errors import InvalidValueError
from generator.base.geometry import EPSILON, Point, Rect
from generator.base.paths import read_path
from generator.draw.art.drawn import DrawnElement, drawn_elements
from generator.draw.art.tree import NO_PAINT, STROKED_ELEMENTS, parse_finished

MAX_PARTS = 200
"""Parts that are examined; all later parts count as painting everywhere."""
# The outline of a panel as a path: lines alone. Paths with curves are mostly drawings, and reading them takes long.
_PANEL = re.compile(r"[MLHVZmlhvz\d\s.,+-]{1,200}")
_PLAIN_COLOUR = re.compile(r"#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]+", re.IGNORECASE)


@dataclass(frozen=True)
class Part:
    """A drawn element of a picture; `colour` is that of its fill if nothing shows through, else None."""

    drawn: DrawnElement
    colour: Channels | None

    @cached_property
    def box(self) -> Rect | None:
        """A box around its ink, in the picture; None if it may paint any place."""
        if self.drawn.tag not in STROKED_ELEMENTS or self.drawn.changes:
            return None
        try:
            # The line on the edge of a part that has a colour is a part of its own.
            corners = self.corners if self.colour and self.corners else self.drawn.ink
        except InvalidValueError:
            return None
        return polygon.box_around(corners).grown(EPSILON) if corners else None

    @cached_property
    def corners(self) -> tuple[Point, ...]:
        """The corners, clockwise, of the convex outline that it fills; empty if it is not known or not convex."""
        try:
            paths = read_path(self.drawn.path_data)
        except InvalidValueError:
            return ()
        found = [
            self.drawn.matrix.apply(place)
            for path in paths
            for edge in path
            for place in edge.flat()
        ]
        area = polygon.area(found)
        clockwise = tuple(found if area > 0 else reversed(found))
        is_convex = len(paths) == 1 and abs(area) > EPSILON and polygon.is_convex(clockwise)
        return clockwise if is_convex else ()

    def may_hold(self, place: Point) -> bool:
        """Return True if it may paint a place."""
        return self.box is None or self.box.holds(Rect(*place, 0, 0))

    def hides(self, places: Sequence[Point]) -> bool:
        """Return True if it surely hides everything between some places."""
        return (
            self.colour is not None
            and self.box is not None
            and all(map(self.may_hold, places))
            and bool(self.corners)
            and all(polygon.depth(self.corners, place) >= -EPSILON for place in places)
        )


@dataclass(frozen=True)
class OpaqueParts:
    """The parts of a picture, lowest first; `is_complete` unless there are too many to look at."""

    parts: tuple[Part, ...]
    is_complete: bool

    def hides(self, places: Sequence[Point]) -> bool:
        """Return True if one part surely hides everything between some places."""
        return any(part.hides(places) for part in self.parts)

    def colour_at(self, place: Point) -> Channels | None:
        """Return the colour at a place; None if only a rendering tells."""
        if not self.is_complete:
            return None
        topmost = next((part for part in reversed(self.parts) if part.may_hold(place)), None)
        return topmost.colour if topmost and topmost.hides([place]) else None


@lru_cache(500)
def find_opaque_parts(svg: str, view: Rect) -> OpaqueParts:
    """Return the parts of a finished picture that shows `view`, in its own units."""
    parts = (part for at in drawn_elements(parse_finished(svg, view)) for part in _parts_of(at))
    found = tuple(islice(parts, MAX_PARTS + 1))
    return OpaqueParts(found[:MAX_PARTS], is_complete=len(found) <= MAX_PARTS)


def _parts_of(at: DrawnElement) -> Iterator[Part]:
    colour = _opaque_colour(at)
    yield Part(at, colour)
    if colour and at.paint.stroke_width:  # a line on the edge of the part
        yield Part(at, None)


def _opaque_colour(at: DrawnElement) -> Channels | None:
    """Return the colour that a shape is filled with; None if it is not plain, or the shape rather a drawing."""
    paint = at.paint
    is_plain = _PLAIN_COLOUR.fullmatch(paint.fill) and paint.fill not in NO_PAINT
    is_shape = at.tag in STROKED_ELEMENTS and not at.changes
    is_panel = at.tag != "path" or _PANEL.fullmatch(at.element.get("d", ""))
    if not is_plain or not is_shape or not is_panel or paint.visibility != "visible":
        return None
    try:
        return channels_of(paint.fill)
    except ValueError:  # a word that is no colour, such as currentColor
        return None
