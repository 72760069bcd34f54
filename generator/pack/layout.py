"""Read layouts: files of layers, parsed once; `row_filler.py` fills them for each row of data.

A layout is a list of layers, or a mapping with `layers`, `boxes` (named places) and `extends` (a
layout whose boxes are inherited and whose layers are drawn beneath). `- include: file` inserts
another layout's layers, `with` values of its own. `- group: [...]` moves, turns, tags or conditions
several layers. Both may be repeated with `each`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from math import sqrt
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from generator.base.errors import (
    InvalidValueError,
    LayerOrigin,
    Problem,
    Reporter,
    nearest,
    unknown,
)
from generator.base.geometry import Affine, Point, Rect
from generator.base.paths import Track, track
from generator.pack import fields
from generator.pack.expression_functions import Value, as_list, as_number, as_text, number_in
from generator.pack.folder import PackFolder
from generator.pack.foreign_notations import LAYERS, nearest_or
from generator.pack.game import Layer, LayerKinds, Spec
from generator.pack.scope import Scope
from generator.pack.validation import respell
from generator.pack.yaml_nodes import (
    NO_BLANK,
    Node,
    find_misplaced_keys,
    in_language,
    parse_yaml,
    translate,
)

WHEN = "when"
TAG = "tag"
COMMON = (WHEN, TAG)
"""Keys that every layer may have; the loader evaluates them."""

EACH = "each"
SPREAD = ("step", "align", "grid", "hex", "arc", "path")
"""The keys beside `each:` that place its items."""

# A few files that include each other repeatedly can stand for millions of layers, so both are
# limited.
MAX_FILES_READ = 1000
MAX_INCLUDE_DEPTH = 20
INCLUDE = "include"
GROUP = "group"
GIVEN = "with"
"""The key of the values that are passed to an included layout, by name."""
MOVED = ("at", "turn", EACH, *SPREAD)
GROUP_KEYS = (GROUP, *MOVED, *COMMON)
INCLUDE_KEYS = (INCLUDE, GIVEN, *MOVED, *COMMON)
LAYOUT_KEYS = ("extends", "boxes", "layers")


@dataclass(frozen=True)
class RawLayer:
    """A layer as written: its kind by name and model, its keys, and those of its texts that contain `$`."""

    name: str
    kind: type[Layer]
    node: Node
    when: tuple[str, ...] = ()
    tag: str = ""
    filled: tuple[str, ...] = ()
    item_conditions: tuple[str, ...] = ()
    """The conditions of items in lists of this layer."""
    cache: dict[tuple[str | bool, ...], Layer] = field(default_factory=dict, compare=False)

    @cached_property
    def place(self) -> LayerOrigin:
        """The layer's kind and place, for messages."""
        return LayerOrigin(self.name, self.node.where)


@dataclass(frozen=True)
class RawGroup:
    """Layers that share a condition, tag, movement or boxes.

    `node` holds `at`, `turn` and so on as written.

    With `each` the group is repeated for every item of a list; `when` then filters the items.
    `given` defines names.
    """

    layers: "tuple[RawLayer | RawGroup, ...]"
    node: Node
    when: tuple[str, ...] = ()
    tag: str = ""
    boxes: Mapping[str, Rect] = field(default_factory=dict)
    each: str = ""
    given: Mapping[str, str] = field(default_factory=dict)


Raw = RawLayer | RawGroup


def _texts(layers: Iterable[Raw]) -> Iterator[str]:
    """Yield all texts of some layers in which a name may stand."""
    for raw in layers:
        yield from raw.when
        if isinstance(raw, RawGroup):
            yield from (
                raw.each,
                *raw.given.values(),
                *(text for text in raw.node.scalars() if "$" in text),
            )
            yield from _texts(raw.layers)
        else:
            yield from (*raw.filled, *raw.item_conditions)


@dataclass(frozen=True)
class RawLayout:
    """A layout file, with the files that it extends and includes."""

    layers: tuple[Raw, ...] = ()
    boxes: Mapping[str, Rect] = field(default_factory=dict)


def _item_conditions(node: Node) -> Iterator[str]:
    """Yield the conditions of items in a layer's lists."""
    if isinstance(node.value, list):
        for item in node.value:
            condition = item.find(WHEN)
            if condition is not None and isinstance(condition.value, str):
                yield condition.value
    for part in node.value.values() if isinstance(node.value, dict) else ():
        yield from _item_conditions(part)


@dataclass(frozen=True)
class LayoutReader:
    """Reads the layouts of one component."""

    folder: PackFolder
    kinds: LayerKinds
    language: str
    report: Reporter
    tags: set[str]
    """Collects the tags of all layouts, to check the tags that variants name."""
    reads: Iterator[int] = field(default_factory=count)
    """Counts the files that were read."""

    def read(
        self, name: str, asker: Node, label: str, open_files: tuple[str, ...] = ()
    ) -> RawLayout:
        """Read a layout file, whose name stands at `asker` under the key `label`.

        Reports mistakes, circles of files and too many files; returns the readable part of the
        layout.
        """
        name = self.folder.with_slashes(name)
        if name in open_files:
            circle = " → ".join((*open_files, name))
            self.report.add_problem(asker.where, f"a layout includes itself: {circle}")
            return RawLayout()
        if next(self.reads) >= MAX_FILES_READ or len(open_files) >= MAX_INCLUDE_DEPTH:
            limits = f"more than {MAX_FILES_READ} layouts are included, or more than {MAX_INCLUDE_DEPTH} in each other"
            found = f"{label}: {limits}"
            self.report.add_problem(asker.where, found, "fewer, larger layouts")
            return RawLayout()
        with self.report.at(asker.where, label):
            if label == "back" and "." not in name:
                expected = (
                    "a layout such as layouts/back.yaml, `mirror` (the front mirrored), or `none`"
                )
                raise InvalidValueError(
                    f"{name!r} is not a back", expected, nearest(name, ("mirror", "none"))
                )
            root = parse_yaml(self.folder.text(name), self.folder.where(name).file)
            self.report.add(*find_misplaced_keys(root))
            return self._read_layout(translate(root, self.language), (*open_files, name))
        return RawLayout()

    def _read_layout(self, root: Node, files: tuple[str, ...]) -> RawLayout:
        if isinstance(root.value, list):
            return RawLayout(self._read_layers(root.value, files))
        if not isinstance(root.value, dict):
            self.report.add_problem(
                root.where, "a layout is a list of layers", "lines that begin with `- fill:`, …"
            )
            return RawLayout()
        undashed = [key for key in root.keys if key in self._known()]
        if undashed:
            found = f"the layer {undashed[0]!r} has no dash before it"
            self.report.add_problem(
                root.keys[undashed[0]], found, f"a list of layers: `- {undashed[0]}: …`"
            )
            return RawLayout()
        self._report_unknown_keys(root, LAYOUT_KEYS)
        base = root.find("extends")
        below = self.read(str(base.value), base, "extends", files) if base else RawLayout()
        layers = root.find("layers")
        if layers and not isinstance(layers.value, list):
            self.report.add_problem(
                layers.where, "layers: this is not a list", "layers, each with its dash"
            )
        own_boxes = (
            self._read_layers(layers.value, files)
            if layers and isinstance(layers.value, list)
            else ()
        )
        return RawLayout(
            below.layers + own_boxes, {**below.boxes, **self._read_boxes(root.find("boxes"))}
        )

    def _read_boxes(self, node: Node | None) -> dict[str, Rect]:
        boxes: dict[str, Rect] = {}
        if node and not isinstance(node.value, dict):
            self.report.add_problem(
                node.where, "boxes: this is not a mapping", "lines such as `title: [5, 6, 50, 9]`"
            )
        for name, item in node.value.items() if node and isinstance(node.value, dict) else ():
            with self.report.at(item.where, f"boxes.{name}"):
                boxes[name] = fields.parse_rect(item.plain())
        return boxes

    def _read_layers(self, nodes: list[Node], files: tuple[str, ...]) -> tuple[Raw, ...]:
        return tuple(layer for node in nodes if (layer := self._read_item(node, files)))

    def _read_item(self, node: Node, files: tuple[str, ...]) -> Raw | None:
        if not isinstance(node.value, dict):
            expected = f"one of: {', '.join(self._known())}"
            if isinstance(node.value, str) and (slip := NO_BLANK.match(node.value)):
                self.report.add_problem(
                    node.where, f"there is no space after the colon of {slip[1]!r}", f"{slip[1]}: …"
                )
                return None
            self.report.add_problem(node.where, "a layer is a mapping", expected)
            return None
        if INCLUDE in node.value:
            return self._read_include(node, files)
        if GROUP in node.value:
            return self._read_group(node, files)
        named = [key for key in node.value if key in self.kinds]
        if len(named) != 1:
            self.report.add(self._kind_problem(node, named))
            return None
        first = len(self.report.problems)
        layer = self._read_layer(node, named[0])
        self.report.name_layer(first, layer.place)
        return layer

    def _read_include(self, node: Node, files: tuple[str, ...]) -> Raw:
        self._report_unknown_keys(node, INCLUDE_KEYS)
        item = node.find(INCLUDE) or node
        read = self.read(str(item.value), item, INCLUDE, files)
        common = self._read_common(node)
        each = self._read_each(node)
        given = self._read_given(node.find(GIVEN))
        read_there = " ".join(_texts(read.layers)) if given else ""
        for name in given:
            if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", read_there):
                found = f"{GIVEN}: {item.value} reads no ${name}"
                self.report.add_problem(node.where, found, "the names that it reads, as $name")
        return RawGroup(read.layers, node, *common, read.boxes, each, given)

    def _read_given(self, node: Node | None) -> dict[str, str]:
        if node and not isinstance(node.value, dict):
            self.report.add_problem(
                node.where,
                f"{GIVEN}: this is not a mapping",
                "names and values, such as {title: $name}",
            )
        values = node.value if node and isinstance(node.value, dict) else {}
        return {
            name: self._single_word(Node({name: item}, item.where), name)
            for name, item in values.items()
        }

    def _read_each(self, node: Node) -> str:
        each = self._single_word(node, EACH)
        for key in SPREAD if not each else ():
            if key in node.keys:
                self.report.add_problem(
                    node.keys[key], f"{key}: nothing is repeated here", f"`{EACH}:` next to it"
                )
        return each

    def _read_group(self, node: Node, files: tuple[str, ...]) -> Raw:
        self._report_unknown_keys(node, GROUP_KEYS)
        inner = node.find(GROUP)
        if inner is None or not isinstance(inner.value, list):
            self.report.add_problem(
                node.where, "group: this is not a list", "layers, each with its dash"
            )
            return RawGroup((), node)
        return RawGroup(
            self._read_layers(inner.value, files),
            node,
            *self._read_common(node),
            each=self._read_each(node),
        )

    def _read_layer(self, node: Node, name: str) -> RawLayer:
        if EACH in node.keys:
            hint = f"`- {EACH}: …` with `group: [{{{name}: …}}]` below it"
            self.report.add_problem(
                node.keys[EACH],
                f"{EACH}: a layer alone is not repeated",
                "a group, or an include",
                hint,
            )
        merged = self._merge(node, name)
        filled = dict.fromkeys(text for text in merged.scalars() if "$" in text)
        return RawLayer(
            name,
            self.kinds[name],
            merged,
            *self._read_common(node),
            tuple(filled),
            tuple(_item_conditions(merged)),
        )

    def _merge(self, node: Node, name: str) -> Node:
        """Merge a layer's head and its sibling keys into one mapping of the model's fields."""
        values = (
            {k: v for k, v in node.value.items() if k not in (name, EACH, *COMMON)}
            if isinstance(node.value, dict)
            else {}
        )
        keys = dict(node.keys)
        head = node.find(name) or node
        main = self.kinds[name].main
        if isinstance(head.value, dict):
            for key in set(values) & set(head.value):
                self.report.add_problem(
                    head.keys[key], f"{key}: this key is given twice", "each key once"
                )
            values |= head.value
            keys |= head.keys
        elif main is not None:
            values[main] = head
        elif head.value is not None:
            found = f"{name}: a single value"
            self.report.add_problem(head.where, found, f"keys of the layer, such as {name}: {{…}}")
        return respell(Node(values, node.where, keys), self.kinds[name])

    def _read_common(self, node: Node) -> tuple[tuple[str, ...], str]:
        """Return the conditions, all of which must hold, and the tag."""
        condition = node.find(WHEN)
        tag = self._single_word(node, TAG)
        self.tags.add(tag)
        if condition is not None and isinstance(condition.value, list):
            return tuple(
                self._single_word(Node({WHEN: item}, item.where), WHEN) for item in condition.value
            ), tag
        when = self._single_word(node, WHEN)
        if condition is not None and condition.value == "":
            self.report.add_problem(
                condition.where, "when: no condition is given", "a column, or such as `kind = fire`"
            )
        return ((when,) if when else ()), tag

    def _single_word(self, node: Node, key: str) -> str:
        entry = node.find(key)
        if entry is None or isinstance(entry.value, str):
            return str(entry.value) if entry else ""
        self.report.add_problem(entry.where, f"{key}: a single word belongs here")
        return ""

    def _report_unknown_keys(self, node: Node, keys: tuple[str, ...]) -> None:
        self.report.add(
            *(
                unknown("key", key, keys).at(where)
                for key, where in node.keys.items()
                if key not in keys
            )
        )

    def _kind_problem(self, node: Node, named: list[str]) -> Problem:
        if named:
            found = f"one layer of two kinds: {' and '.join(named)}"
            return Problem(node.where, found, "one kind a layer", "begin each with its own dash")
        key = next(iter(node.keys), "")
        wrong = unknown("layer", key, self._known())
        hint = nearest_or(key, self._known(), LAYERS)
        return Problem(node.keys.get(key, node.where), wrong.found, wrong.expected, hint)

    def _known(self) -> list[str]:
        return sorted([*self.kinds, INCLUDE, GROUP])


MAX_REPETITIONS = 2_000
"""Largest number of items of one `each:`; more are taken for a mistake."""

_EACH = re.compile(r"(?:(?P<name>[^\W\d]\w*)\s+in\s+)?(?P<list>.+)", re.DOTALL)
_RANGE = re.compile(r"(?P<first>.+?)\s+to\s+(?P<last>.+)", re.DOTALL)
_LETTERS = re.compile(r"['\"]?[A-Z]['\"]?\s+to\s+['\"]?[A-Z]['\"]?")
ITEM = "item"

Names = Mapping[str, Value]


def items_of(text: str, scope: Scope) -> list[Names]:
    """Return the names that each repetition defines, from the text of `each:`.

    Raises `InvalidValueError` if the text is not a list, or has more than `MAX_REPETITIONS` items.
    """
    match = _EACH.fullmatch(text.strip())
    if match is None:
        raise InvalidValueError(
            f"{text!r} is not a list",
            "`each: kind in types`, `each: n in 1 to 20`, `each: split(cost)`",
        )
    name = match["name"] or ITEM
    listed = match["list"].strip()
    items = [
        values if isinstance(values, dict) else {name: values}
        for values in _list_items(name, listed, scope)
    ]
    if len(items) > MAX_REPETITIONS:
        raise InvalidValueError(
            f"{text!r} is drawn {len(items)} times", f"at most {MAX_REPETITIONS}"
        )
    return list(items)


def with_numbers(items: Sequence[Names]) -> list[Names]:
    """Return the items with `n`, counted from 1, and `last`, the number of items."""
    return [{"n": float(n), "last": float(len(items)), **names} for n, names in enumerate(items, 1)]


def _list_items(name: str, listed: str, scope: Scope) -> Iterator[Value | dict[str, Value]]:
    lookup = scope.lookups.get(listed)
    if lookup and lookup.many:
        key = as_text(scope.value(lookup.source)).strip()
        for row in lookup.rows.get(key, ()):
            yield {
                f"{name}.{column}": in_language(row, column, scope.language) or ""
                for column in row
                if "@" not in column
            }
    elif _LETTERS.fullmatch(listed):
        raise InvalidValueError(
            f"{listed!r}: letters cannot be counted",
            "`n in 1 to 6`, and ${letter(n)} for its letter",
        )
    elif span := _RANGE.fullmatch(listed):
        first, last = (as_number(scope.evaluate(f"({span[end]}) * 1")) for end in ("first", "last"))
        if first > last and all(number_in(span[end]) is not None for end in ("first", "last")):
            backwards = f"to count down: `n in {span['last']} to {span['first']}`, and ${{{span['first']} + 1 - n}}"
            raise InvalidValueError(
                f"{listed!r} counts down", "the smaller number first", backwards
            )
        yield from _numbers(first, last)
    else:
        value = scope.evaluate_list(listed)
        if isinstance(value, bool | float) or (
            isinstance(value, str) and number_in(value) is not None
        ):
            times = as_text(value)
            raise InvalidValueError(
                f"{listed!r} is the single value {times!r}",
                "a list",
                f"to count up to it: `1 to {listed}`",
            )
        yield from as_list(value)


def _numbers(first: float, last: float) -> Iterator[float]:
    if first != int(first) or last != int(last) or abs(last - first) > MAX_REPETITIONS:
        raise InvalidValueError(
            f"{as_text(first)} to {as_text(last)} cannot be counted",
            f"whole numbers, at most {MAX_REPETITIONS} of them",
        )
    yield from map(float, range(int(first), int(last) + 1))


def _at_least_one(value: int) -> int:
    if value < 1:
        raise InvalidValueError("no columns", "1 or more")
    return value


Columns = Annotated[fields.Count, AfterValidator(_at_least_one)]


class GridSpec(Spec):
    """Rows of `columns`, at steps in mm.

    `order` says how the items fill the grid (`snake` turns at row ends).
    """

    columns: Columns
    step: fields.Place
    order: Literal["rows", "columns", "snake", "up"] = "rows"


class HexSpec(Spec):
    """Rows of `columns` hexagons, `size` mm between flat sides, that lie on a flat side or on a corner."""

    columns: Columns
    size: fields.Above
    on: Literal["side", "corner"] = "side"


class ArcSpec(Spec):
    """Places on a circle, clockwise between two angles in degrees from the top.

    `follow` turns the items too.
    """

    radius: fields.Above
    start: fields.Real = Field(default=0.0, alias="from")
    end: fields.Real = Field(default=360.0, alias="to")
    follow: fields.Bool = False


class PathSpec(Spec):
    """Places along an SVG path in mm, evenly spaced from start to end.

    `follow` turns the items with the path.
    """

    d: fields.Text
    follow: fields.Bool = False


class SpreadSpec(Spec):
    """The places of the items relative to the group: a row, a grid, hexagons, an arc or a path."""

    step: fields.Place | None = None
    align: Literal["start", "center", "end"] = "start"
    grid: GridSpec | None = None
    hex: HexSpec | None = None
    arc: ArcSpec | None = None
    path: PathSpec | None = None

    @model_validator(mode="after")
    def _check_one_placement(self) -> Self:
        placements = [
            name
            for name in ("step", "grid", "hex", "arc", "path")
            if getattr(self, name) is not None
        ]
        if len(placements) != 1:
            found = (
                f"{' and '.join(placements)} at once" if placements else "the items have no places"
            )
            raise InvalidValueError(found, "one of step, grid, hex, arc and path")
        return self

    def places(self, count: int) -> Iterator[tuple[Affine, dict[str, Value]]]:
        """Yield the transform of each of `count` items; in grids also `column` and `row`, from 1."""
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
                yield Affine.moving(Point(0, 0), self.step.scaled(index - first)), {}

    def _in_grid(self, index: int, columns: int, rows: int) -> tuple[Affine, dict[str, Value]]:
        row, column = divmod(index, columns)
        if self.grid and self.grid.order == "columns":
            column, row = divmod(index, rows)
        elif self.grid and self.grid.order == "snake" and row % 2:
            column = columns - 1 - column
        elif self.grid and self.grid.order == "up":
            row = rows - 1 - row
        step = (
            Point(column * self.grid.step.x, row * self.grid.step.y)
            if self.grid
            else self._hexagon(column, row)
        )
        return Affine.moving(Point(0, 0), step), {"column": column + 1.0, "row": row + 1.0}

    def _hexagon(self, column: int, row: int) -> Point:
        """Return the centre of a hexagon in mm.

        Every second column or row is shifted by half a hexagon.
        """
        size = self.hex.size if self.hex else 0.0
        row_distance = size * sqrt(3) / 2
        if self.hex and self.hex.on == "corner":
            return Point(column * size + row % 2 * size / 2, row * row_distance)
        return Point(column * row_distance, row * size + column % 2 * size / 2)

    def _along(self, index: int, count: int) -> Affine:
        if self.arc:
            is_full_circle = abs(self.arc.end - self.arc.start) % 360 == 0
            share = index / count if is_full_circle else index / max(count - 1, 1)
            angle = self.arc.start + (self.arc.end - self.arc.start) * share
            place = Point(0.0, -self.arc.radius).turned(angle)
            return Affine.moving(Point(0, 0), place, angle if self.arc.follow else 0.0)
        path_track: Track = track(self.path.d if self.path else "")
        is_closed = (path_track.places[0] - path_track.places[-1]).length() < 1e-6
        place, turn = path_track.at(
            path_track.length * index / (count if is_closed else max(count - 1, 1))
        )
        return Affine.moving(Point(0, 0), place, turn if self.path and self.path.follow else 0.0)
