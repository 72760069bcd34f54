"""Layouts: files of layers, read once; `maker.py` makes them concrete for each row of data.

A layout is a list of layers, or a mapping with `layers`, `boxes` (names for
places) and `extends` (a layout whose boxes it has too and whose layers lie
beneath its own). `- include: file` puts another layout's layers at its place,
`with` values of its own, and `- group: [...]` moves, turns, tags or conditions
several layers at once; either may be drawn for `each` item of a list.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from generator.core.geometry import Rect
from generator.core.problems import Problem, Reporter, Wrong, nearest, unknown
from generator.pack import fields
from generator.pack.elsewhere import LAYERS, nearest_or
from generator.pack.folder import PackFolder
from generator.pack.game import Layer, LayerKinds
from generator.pack.source import NO_BLANK, Node, misplaced, parse, translated

WHEN, TAG = "when", "tag"
COMMON = (WHEN, TAG)
"""Keys that every layer may have; the loader itself acts on them."""

EACH = "each"
SPREAD = ("step", "align", "grid", "hex", "arc", "path")
"""The keys beside `each:` that say where its items go."""

MOST_READ, MOST_DEEP = 1000, 20
INCLUDE, GROUP = "include", "group"
GIVEN = "with"
"""What an included layout is given, by name."""
MOVED = ("at", "turn", EACH, *SPREAD)
GROUP_KEYS = (GROUP, *MOVED, *COMMON)
INCLUDE_KEYS = (INCLUDE, GIVEN, *MOVED, *COMMON)
LAYOUT_KEYS = ("extends", "boxes", "layers")


@dataclass(frozen=True)
class RawLayer:
    """A layer as written: its kind's model, its keys, and those of its texts in which something is filled in."""

    kind: type[Layer]
    node: Node
    when: tuple[str, ...] = ()
    tag: str = ""
    filled: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    """The conditions of items in its lists."""
    made: dict[tuple[str | bool, ...], Layer] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class RawGroup:
    """Layers that share a condition, a tag, a movement or named boxes; `node` holds `at`, `turn` and so on as written.

    With `each` they are drawn for every item of a list, of which `when` leaves some out; `given` has names for them.
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
    """All texts of some layers in which a name may stand."""
    for raw in layers:
        yield from raw.when
        if isinstance(raw, RawGroup):
            yield from (raw.each, *raw.given.values(), *(text for text in raw.node.scalars() if "$" in text))
            yield from _texts(raw.layers)
        else:
            yield from (*raw.filled, *raw.asked)


@dataclass(frozen=True)
class RawLayout:
    """A layout file with all that it extends and includes."""

    layers: tuple[Raw, ...] = ()
    boxes: Mapping[str, Rect] = field(default_factory=dict)


def _nested(node: Node) -> Iterator[str]:
    """The conditions of items in a layer's lists."""
    if isinstance(node.value, list):
        for item in node.value:
            asked = item.find(WHEN)
            if asked is not None and isinstance(asked.value, str):
                yield asked.value
    for part in node.value.values() if isinstance(node.value, dict) else ():
        yield from _nested(part)


@dataclass(frozen=True)
class LayoutReader:
    """Reads the layouts of one component."""

    folder: PackFolder
    kinds: LayerKinds
    language: str
    report: Reporter
    tags: set[str]
    """All tags that the layouts give, for those who leave out by tag."""
    reads: Iterator[int] = field(default_factory=count)
    """How many files were read: a few that include each other can stand for a thousand million."""

    def read(self, name: str, asker: Node, label: str, open_files: tuple[str, ...] = ()) -> RawLayout:
        """A layout by its file's name; `asker` is where the name stands, `label` the key that it stands under."""
        if name in open_files:
            circle = " → ".join((*open_files, name))
            self.report.tell(asker.where, f"a layout that leads back to itself: {circle}")
            return RawLayout()
        if next(self.reads) >= MOST_READ or len(open_files) >= MOST_DEEP:
            found = f"{label}: more than {MOST_READ} layouts are included, or more than {MOST_DEEP} in each other"
            self.report.tell(asker.where, found, "fewer, larger layouts")
            return RawLayout()
        with self.report.at(asker.where, label):
            if label == "back" and "." not in name:
                expected = "a layout such as layouts/back.yaml, `mirror` (the front mirrored), or `none`"
                raise Wrong(f"{name!r} is no back", expected, nearest(name, ("mirror", "none")))
            root = parse(self.folder.text(name), self.folder.where(name).file)
            self.report.add(*misplaced(root))
            return self._layout(translated(root, self.language), (*open_files, name))
        return RawLayout()

    def _layout(self, root: Node, files: tuple[str, ...]) -> RawLayout:
        if isinstance(root.value, list):
            return RawLayout(self._layers(root.value, files))
        if not isinstance(root.value, dict):
            self.report.tell(root.where, "a layout is a list of layers", "lines that begin with `- fill:`, …")
            return RawLayout()
        bare = [key for key in root.keys if key in self._known()]
        if bare:
            found = f"the layer {bare[0]!r} has no dash before it"
            self.report.tell(root.keys[bare[0]], found, f"a list of layers: `- {bare[0]}: …`")
            return RawLayout()
        self._only(root, LAYOUT_KEYS, "key")
        base = root.find("extends")
        below = self.read(str(base.value), base, "extends", files) if base else RawLayout()
        layers = root.find("layers")
        if layers and not isinstance(layers.value, list):
            self.report.tell(layers.where, "layers: this is no list", "layers, each with its dash")
        own = self._layers(layers.value, files) if layers and isinstance(layers.value, list) else ()
        return RawLayout(below.layers + own, {**below.boxes, **self._boxes(root.find("boxes"))})

    def _boxes(self, node: Node | None) -> dict[str, Rect]:
        boxes: dict[str, Rect] = {}
        if node and not isinstance(node.value, dict):
            self.report.tell(node.where, "boxes: this is no mapping", "lines such as `title: [5, 6, 50, 9]`")
        for name, item in node.value.items() if node and isinstance(node.value, dict) else ():
            with self.report.at(item.where, f"boxes.{name}"):
                boxes[name] = fields.rect(item.plain())
        return boxes

    def _layers(self, nodes: list[Node], files: tuple[str, ...]) -> tuple[Raw, ...]:
        return tuple(layer for node in nodes if (layer := self._raw(node, files)))

    def _raw(self, node: Node, files: tuple[str, ...]) -> Raw | None:
        if not isinstance(node.value, dict):
            expected = f"one of: {', '.join(self._known())}"
            if isinstance(node.value, str) and (slip := NO_BLANK.match(node.value)):
                self.report.tell(node.where, f"there is no blank after the colon of {slip[1]!r}", f"{slip[1]}: …")
                return None
            self.report.tell(node.where, "a layer is a mapping", expected)
            return None
        if INCLUDE in node.value:
            return self._include(node, files)
        if GROUP in node.value:
            return self._group(node, files)
        named = [key for key in node.value if key in self.kinds]
        if len(named) != 1:
            self.report.add(self._kindless(node, named))
            return None
        return self._layer(node, named[0])

    def _include(self, node: Node, files: tuple[str, ...]) -> Raw:
        self._only(node, INCLUDE_KEYS, "key")
        item = node.find(INCLUDE) or node
        read = self.read(str(item.value), item, INCLUDE, files)
        common, each = self._common(node), self._each(node)
        given = self._given(node.find(GIVEN))
        read_there = " ".join(_texts(read.layers)) if given else ""
        for name in given:
            if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", read_there):
                found = f"{GIVEN}: {item.value} reads no ${name}"
                self.report.tell(node.where, found, "the names that stand in it, as $name")
        return RawGroup(read.layers, node, *common, read.boxes, each, given)

    def _given(self, node: Node | None) -> dict[str, str]:
        if node and not isinstance(node.value, dict):
            self.report.tell(node.where, f"{GIVEN}: this is no mapping", "names and values, such as {title: $name}")
        values = node.value if node and isinstance(node.value, dict) else {}
        return {name: self._word(Node({name: item}, item.where), name) for name, item in values.items()}

    def _each(self, node: Node) -> str:
        each = self._word(node, EACH)
        for key in SPREAD if not each else ():
            if key in node.keys:
                self.report.tell(node.keys[key], f"{key}: nothing is repeated here", f"`{EACH}:` beside it")
        return each

    def _group(self, node: Node, files: tuple[str, ...]) -> Raw:
        self._only(node, GROUP_KEYS, "key")
        inner = node.find(GROUP)
        if inner is None or not isinstance(inner.value, list):
            self.report.tell(node.where, "group: this is no list", "layers, each with its dash")
            return RawGroup((), node)
        return RawGroup(self._layers(inner.value, files), node, *self._common(node), each=self._each(node))

    def _layer(self, node: Node, name: str) -> RawLayer:
        if EACH in node.keys:
            hint = f"`- {EACH}: …` with `group: [{{{name}: …}}]` below it"
            self.report.tell(node.keys[EACH], f"{EACH}: a layer alone is not repeated", "a group, or an include", hint)
        merged = self._merge(node, name)
        filled = dict.fromkeys(text for text in merged.scalars() if "$" in text)
        return RawLayer(self.kinds[name], merged, *self._common(node), tuple(filled), tuple(_nested(merged)))

    def _merge(self, node: Node, name: str) -> Node:
        """`text: $title` with its siblings, or `frame: {…}`, as one mapping of the model's fields."""
        values = (
            {k: v for k, v in node.value.items() if k not in (name, EACH, *COMMON)}
            if isinstance(node.value, dict)
            else {}
        )
        keys, head, main = dict(node.keys), node.find(name) or node, self.kinds[name].main
        if isinstance(head.value, dict):
            for key in set(values) & set(head.value):
                self.report.tell(head.keys[key], f"{key}: this key stands twice", "each key once")
            values |= head.value
            keys |= head.keys
        elif main is not None:
            values[main] = head
        elif head.value is not None:
            found = f"{name}: a single value"
            self.report.tell(head.where, found, f"keys of the layer, such as {name}: {{…}}")
        return Node(values, node.where, keys)

    def _common(self, node: Node) -> tuple[tuple[str, ...], str]:
        """The conditions, of which all must hold, and the tag."""
        asked, tag = node.find(WHEN), self._word(node, TAG)
        self.tags.add(tag)
        if asked is not None and isinstance(asked.value, list):
            return tuple(self._word(Node({WHEN: item}, item.where), WHEN) for item in asked.value), tag
        when = self._word(node, WHEN)
        if asked is not None and asked.value == "":
            self.report.tell(asked.where, "when: no condition stands here", "a column, or such as `kind = fire`")
        return ((when,) if when else ()), tag

    def _word(self, node: Node, key: str) -> str:
        found = node.find(key)
        if found is None or isinstance(found.value, str):
            return str(found.value) if found else ""
        self.report.tell(found.where, f"{key}: a single word belongs here")
        return ""

    def _only(self, node: Node, known: tuple[str, ...], what: str) -> None:
        self.report.add(*(unknown(what, key, known).at(where) for key, where in node.keys.items() if key not in known))

    def _kindless(self, node: Node, named: list[str]) -> Problem:
        if named:
            found = f"one layer of two kinds: {' and '.join(named)}"
            return Problem(node.where, found, "one kind a layer", "begin each with its own dash")
        key = next(iter(node.keys), "")
        wrong = unknown("layer", key, self._known())
        hint = nearest_or(key, self._known(), LAYERS)
        return Problem(node.keys.get(key, node.where), wrong.found, wrong.expected, hint)

    def _known(self) -> list[str]:
        return sorted([*self.kinds, INCLUDE, GROUP])
