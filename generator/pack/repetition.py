"""`each:` — a group of a layout once for every item of a list, number or row of a table, and where each goes."""

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

MOST = 2_000
"""Times that a group may be drawn."""

_EACH = re.compile(r"(?:(?P<name>[^\W\d]\w*)\s+in\s+)?(?P<list>.+)", re.DOTALL)
_RANGE = re.compile(r"(?P<first>.+?)\s+to\s+(?P<last>.+)", re.DOTALL)
_LETTERS = re.compile(r"['\"]?[A-Z]['\"]?\s+to\s+['\"]?[A-Z]['\"]?")
ITEM = "item"

Names = Mapping[str, Value]


def items_of(text: str, scope: Scope) -> list[Names]:
    """The names that each repetition brings: those of its item."""
    match = _EACH.fullmatch(text.strip())
    if match is None:
        raise Wrong(f"{text!r} names no list", "`each: kind in types`, `each: n in 1 to 20`, `each: split(cost)`")
    name, listed = match["name"] or ITEM, match["list"].strip()
    found = [values if isinstance(values, dict) else {name: values} for values in _listed(name, listed, scope)]
    if len(found) > MOST:
        raise Wrong(f"{text!r} is drawn {len(found)} times", f"at most {MOST}")
    return list(found)


def counted(items: Sequence[Names]) -> list[Names]:
    """The items with `n`, from 1 on, and `last`, how many there are."""
    return [{"n": float(n), "last": float(len(items)), **names} for n, names in enumerate(items, 1)]


def _listed(name: str, listed: str, scope: Scope) -> Iterator[Value | dict[str, Value]]:
    lookup = scope.lookups.get(listed)
    if lookup and lookup.many:
        key = as_text(scope.value(lookup.source)).strip()
        for row in lookup.rows.get(key, ()):
            yield {f"{name}.{column}": cell for column, cell in _spoken(row, scope.language).items()}
    elif _LETTERS.fullmatch(listed):
        raise Wrong(f"{listed!r}: letters are not counted", "`n in 1 to 6`, and ${letter(n)} for its letter")
    elif span := _RANGE.fullmatch(listed):
        first, last = (as_number(scope.work_out(f"({span[end]}) * 1")) for end in ("first", "last"))
        if first > last and all(number_in(span[end]) is not None for end in ("first", "last")):
            backwards = (
                f"from the other side: `n in {span['last']} to {span['first']}`, and ${{{span['first']} + 1 - n}}"
            )
            raise Wrong(f"{listed!r} counts down", "the smaller number first", backwards)
        yield from _numbers(first, last)
    else:
        value = scope.work_out_list(listed)
        if isinstance(value, bool | float) or (isinstance(value, str) and number_in(value) is not None):
            times = as_text(value)
            raise Wrong(f"{listed!r} is the one item {times!r}", "a list", f"to count up to it: `1 to {listed}`")
        yield from as_list(value)


def _numbers(first: float, last: float) -> Iterator[float]:
    if first != int(first) or last != int(last) or abs(last - first) > MOST:
        raise Wrong(f"{as_text(first)} to {as_text(last)} cannot be counted", f"whole numbers, at most {MOST} of them")
    yield from map(float, range(int(first), int(last) + 1))


def _spoken(row: Mapping[str, str], language: str) -> dict[str, str]:
    """A row's columns, in the language where they have it."""
    plain = {column: cell for column, cell in row.items() if "@" not in column}
    return {column: row.get(f"{column}@{language}") or cell for column, cell in plain.items()}


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)


def _above(value: int) -> int:
    if value < 1:
        raise Wrong("no columns", "1 or more")
    return value


Columns = Annotated[fields.Count, AfterValidator(_above)]


class GridSpec(_Part):
    """Rows of `columns`, `step` apart (mm across and down); `snake` turns back at each row's end."""

    columns: Columns
    step: fields.Place
    order: Literal["rows", "columns", "snake", "up"] = "rows"


class HexSpec(_Part):
    """Rows of `columns` hexagons, `size` mm from flat side to flat side, which lie on a flat side or on a corner."""

    columns: Columns
    size: fields.Above
    on: Literal["side", "corner"] = "side"


class ArcSpec(_Part):
    """Round a circle, clockwise from one angle to another; 0 is at its top. With `follow` the items turn with it."""

    radius: fields.Above
    start: fields.Real = Field(default=0.0, alias="from")
    end: fields.Real = Field(default=360.0, alias="to")
    follow: fields.Bool = False


class PathSpec(_Part):
    """Along an SVG path in mm, at even distances from its start to its end."""

    d: fields.Text
    follow: fields.Bool = False


class SpreadSpec(_Part):
    """Where the items go from the group's own place: in a row, or in one of the other ways."""

    step: fields.Place | None = None
    align: Literal["start", "center", "end"] = "start"
    grid: GridSpec | None = None
    hex: HexSpec | None = None
    arc: ArcSpec | None = None
    path: PathSpec | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        given = [name for name in ("step", "grid", "hex", "arc", "path") if getattr(self, name) is not None]
        if len(given) != 1:
            found = f"{' and '.join(given)} at once" if given else "nothing says where the items go"
            raise Wrong(found, "one of step, grid, hex, arc and path")
        return self

    def places(self, count: int) -> Iterator[tuple[GroupMove, dict[str, Value]]]:
        """Where each of so many items goes, and the names of its place in a grid: `column` and `row`, from 1 on."""
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
        """The middle of a hexagon; every second column, or row, lies half a hexagon further."""
        size = self.hex.size if self.hex else 0.0
        near = size * sqrt(3) / 2
        if self.hex and self.hex.on == "corner":
            return Point(column * size + row % 2 * size / 2, row * near)
        return Point(column * near, row * size + column % 2 * size / 2)

    def _along(self, index: int, count: int) -> GroupMove:
        if self.arc:
            whole = abs(self.arc.end - self.arc.start) % 360 == 0
            share = index / count if whole else index / max(count - 1, 1)
            angle = self.arc.start + (self.arc.end - self.arc.start) * share
            return GroupMove(Point(0.0, -self.arc.radius).turned(angle), angle if self.arc.follow else 0.0)
        way: Track = track(self.path.d if self.path else "")
        is_closed = (way.places[0] - way.places[-1]).length() < 1e-6
        place, turn = way.at(way.length * index / (count if is_closed else max(count - 1, 1)))
        return GroupMove(place, turn if self.path and self.path.follow else 0.0)
