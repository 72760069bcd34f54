"""Repeat a group of a layout for each item of a list, range or lookup (`each:`), and place the copies."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from generator.core.geometry import Point
from generator.core.paths import Track, track
from generator.core.problems import Wrong
from generator.pack import fields
from generator.pack.functions import Value, as_list, as_number, as_text, number_in
from generator.pack.game import GroupMove
from generator.pack.template import Scope

MAX_REPETITIONS = 2_000
"""Largest number of items of one `each:`; more are taken for a mistake."""

_EACH = re.compile(r"(?:(?P<name>[^\W\d]\w*)\s+in\s+)?(?P<list>.+)", re.DOTALL)
_RANGE = re.compile(r"(?P<first>.+?)\s+to\s+(?P<last>.+)", re.DOTALL)
_LETTERS = re.compile(r"['\"]?[A-Z]['\"]?\s+to\s+['\"]?[A-Z]['\"]?")
ITEM = "item"

Names = Mapping[str, Value]


def items_of(text: str, scope: Scope) -> list[Names]:
    """Return the names that each repetition defines, from the text of `each:`.

    Raises `Wrong` if the text is not a list, or has more than `MAX_REPETITIONS` items.
    """
    match = _EACH.fullmatch(text.strip())
    if match is None:
        raise Wrong(f"{text!r} names no list", "`each: kind in types`, `each: n in 1 to 20`, `each: split(cost)`")
    name = match["name"] or ITEM
    listed = match["list"].strip()
    found = [values if isinstance(values, dict) else {name: values} for values in _list_items(name, listed, scope)]
    if len(found) > MAX_REPETITIONS:
        raise Wrong(f"{text!r} is drawn {len(found)} times", f"at most {MAX_REPETITIONS}")
    return list(found)


def with_numbers(items: Sequence[Names]) -> list[Names]:
    """Return the items with `n`, counted from 1, and `last`, the number of items."""
    return [{"n": float(n), "last": float(len(items)), **names} for n, names in enumerate(items, 1)]


def _list_items(name: str, listed: str, scope: Scope) -> Iterator[Value | dict[str, Value]]:
    lookup = scope.lookups.get(listed)
    if lookup and lookup.many:
        key = as_text(scope.value(lookup.source)).strip()
        for row in lookup.rows.get(key, ()):
            yield {f"{name}.{column}": cell for column, cell in _in_language(row, scope.language).items()}
    elif _LETTERS.fullmatch(listed):
        raise Wrong(f"{listed!r}: letters cannot be counted", "`n in 1 to 6`, and ${letter(n)} for its letter")
    elif span := _RANGE.fullmatch(listed):
        first, last = (as_number(scope.evaluate(f"({span[end]}) * 1")) for end in ("first", "last"))
        if first > last and all(number_in(span[end]) is not None for end in ("first", "last")):
            backwards = (
                f"from the other side: `n in {span['last']} to {span['first']}`, and ${{{span['first']} + 1 - n}}"
            )
            raise Wrong(f"{listed!r} counts down", "the smaller number first", backwards)
        yield from _numbers(first, last)
    else:
        value = scope.evaluate_list(listed)
        if isinstance(value, bool | float) or (isinstance(value, str) and number_in(value) is not None):
            times = as_text(value)
            raise Wrong(f"{listed!r} is the one item {times!r}", "a list", f"to count up to it: `1 to {listed}`")
        yield from as_list(value)


def _numbers(first: float, last: float) -> Iterator[float]:
    if first != int(first) or last != int(last) or abs(last - first) > MAX_REPETITIONS:
        raise Wrong(
            f"{as_text(first)} to {as_text(last)} cannot be counted",
            f"whole numbers, at most {MAX_REPETITIONS} of them",
        )
    yield from map(float, range(int(first), int(last) + 1))


def _in_language(row: Mapping[str, str], language: str) -> dict[str, str]:
    """Return a row's columns, in the given language where the table has them."""
    plain = {column: cell for column, cell in row.items() if "@" not in column}
    return {column: row.get(f"{column}@{language}") or cell for column, cell in plain.items()}


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)


def _at_least_one(value: int) -> int:
    if value < 1:
        raise Wrong("no columns", "1 or more")
    return value


Columns = Annotated[fields.Count, AfterValidator(_at_least_one)]


class GridSpec(_Part):
    """Rows of `columns`, at steps in mm; `order` says how the items fill the grid (`snake` turns at row ends)."""

    columns: Columns
    step: fields.Place
    order: Literal["rows", "columns", "snake", "up"] = "rows"


class HexSpec(_Part):
    """Rows of `columns` hexagons, `size` mm between flat sides, that lie on a flat side or on a corner."""

    columns: Columns
    size: fields.Above
    on: Literal["side", "corner"] = "side"


class ArcSpec(_Part):
    """Places on a circle, clockwise between two angles in degrees from the top; `follow` turns the items too."""

    radius: fields.Above
    start: fields.Real = Field(default=0.0, alias="from")
    end: fields.Real = Field(default=360.0, alias="to")
    follow: fields.Bool = False


class PathSpec(_Part):
    """Places along an SVG path in mm, evenly spaced from start to end; `follow` turns the items with the path."""

    d: fields.Text
    follow: fields.Bool = False


class SpreadSpec(_Part):
    """The places of the items relative to the group: a row, a grid, hexagons, an arc or a path."""

    step: fields.Place | None = None
    align: Literal["start", "center", "end"] = "start"
    grid: GridSpec | None = None
    hex: HexSpec | None = None
    arc: ArcSpec | None = None
    path: PathSpec | None = None

    @model_validator(mode="after")
    def _check_one_placement(self) -> Self:
        given = [name for name in ("step", "grid", "hex", "arc", "path") if getattr(self, name) is not None]
        if len(given) != 1:
            found = f"{' and '.join(given)} at once" if given else "the items have no places"
            raise Wrong(found, "one of step, grid, hex, arc and path")
        return self

    def places(self, count: int) -> Iterator[tuple[GroupMove, dict[str, Value]]]:
        """Yield the place of each of `count` items; in grids also `column` and `row`, from 1."""
        if self.grid or self.hex:
            columns = (self.grid or self.hex).columns  # type: ignore[union-attr]
            for index in range(count):
                yield self._in_grid(index, columns, -(-count // columns))
        elif self.arc or self.path:
            for index in range(count):
                yield self._along(index, count), {}
        elif self.step:
            first = {"start": 0.0, "center": (count - 1) / 2, "end": count - 1.0}[self.align]
            for index in range(count):
                yield GroupMove(self.step.scaled(index - first), 0.0), {}

    def _in_grid(self, index: int, columns: int, rows: int) -> tuple[GroupMove, dict[str, Value]]:
        row, column = divmod(index, columns)
        if self.grid and self.grid.order == "columns":
            column, row = divmod(index, rows)
        elif self.grid and self.grid.order == "snake" and row % 2:
            column = columns - 1 - column
        elif self.grid and self.grid.order == "up":
            row = rows - 1 - row
        step = Point(column * self.grid.step.x, row * self.grid.step.y) if self.grid else self._hexagon(column, row)
        return GroupMove(step, 0.0), {"column": column + 1.0, "row": row + 1.0}

    def _hexagon(self, column: int, row: int) -> Point:
        """Return the centre of a hexagon in mm; every second column or row is shifted by half a hexagon."""
        size = self.hex.size if self.hex else 0.0
        row_distance = size * sqrt(3) / 2
        if self.hex and self.hex.on == "corner":
            return Point(column * size + row % 2 * size / 2, row * row_distance)
        return Point(column * row_distance, row * size + column % 2 * size / 2)

    def _along(self, index: int, count: int) -> GroupMove:
        if self.arc:
            is_full_circle = abs(self.arc.end - self.arc.start) % 360 == 0
            share = index / count if is_full_circle else index / max(count - 1, 1)
            angle = self.arc.start + (self.arc.end - self.arc.start) * share
            return GroupMove(Point(0.0, -self.arc.radius).turned(angle), angle if self.arc.follow else 0.0)
        path_track: Track = track(self.path.d if self.path else "")
        is_closed = (path_track.places[0] - path_track.places[-1]).length() < 1e-6
        place, turn = path_track.at(path_track.length * index / (count if is_closed else max(count - 1, 1)))
        return GroupMove(place, turn if self.path and self.path.follow else 0.0)
