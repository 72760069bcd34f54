"""What stands in a pack and looks like a slip: columns that nobody reads, layers that no row has, links into corners.

None of it is wrong, so nothing but `check` asks: a column may be a note of its designer's, a condition may wait for a
row that is still to come. But a name that is nearly right looks just like that.
"""

import re
from collections.abc import Collection, Iterable, Iterator

from generator.core.ports import CORNERS
from generator.core.problems import Reporter, Where
from generator.pack.folder import PackFolder
from generator.pack.game import Component, Game, LayerAt
from generator.pack.layout import EACH, GROUP, INCLUDE, TAG, WHEN
from generator.pack.source import Node, parse
from generator.pack.translations import LAYOUTS, MAIN

ALWAYS = frozenset({"id", "count", "title"})
"""Columns that the program itself reads."""
_EXPRESSIONS = (WHEN, EACH)
_ELSEWHERE = re.compile(r"\$?language\b|\border\.")
"""What a condition asks of more than rows: it may hold in another form of the game."""
SHOWN = 5
MAIN_WAYS = frozenset({"n", "e", "s", "w"})
"""A hexagon on a flat side has corners in the east and in the west, and no sides there."""


def idle(game: Game) -> Iterator[str]:
    """A line for each component with columns that nobody reads, and for each condition that holds nowhere."""
    pack = PackFolder(game.folder)
    root = parse(pack.text(MAIN), pack.where(MAIN).file)
    files = list(_yaml(pack, pack.names(".", LAYOUTS)))
    texts = [*_read_by(root), *(text for file in files for text in _read_by(file))]
    for component in game.components:
        yield from _unread(component, root, texts)
        yield from _into_corners(component)
    drawn = {at.where for component in game.components for at in _layers(component)}
    used = {where.file for where in drawn}
    for file in files:
        if file.where.file in used:
            yield from _never(file, drawn, _tags(root))


def _yaml(pack: PackFolder, names: Iterable[str]) -> Iterator[Node]:
    for name in names:
        with Reporter().at(None):  # a file that no component names may be anything
            yield parse(pack.text(name), pack.where(name).file)


def _layers(component: Component) -> Iterator[LayerAt]:
    for design in component.designs:
        for side in (design.front, *design.more, *([design.back] if design.back else [])):
            yield from side.layers


def _read_by(node: Node, key: str = "") -> Iterator[str]:
    """All texts in which a name may stand."""
    if isinstance(node.value, str):
        if "$" in node.value or key in _EXPRESSIONS:
            yield node.value
    elif isinstance(node.value, list):
        yield from (text for item in node.value for text in _read_by(item, key))
    elif isinstance(node.value, dict):
        yield from (text for name, item in node.value.items() for text in _read_by(item, name))


def _unread(component: Component, root: Node, texts: Collection[str]) -> Iterator[str]:
    if not component.designs:
        yield f"{component.title}: the table has no rows, and nothing of it is made"
        return
    named = " ".join([*texts, *_asked(root, component.id)])
    columns = dict.fromkeys(name.partition("@")[0] for name in component.designs[0].row)
    unread = [name for name in columns if name not in ALWAYS and not _has(named, name)]
    if unread:
        file = component.designs[0].where.file
        shown = ", ".join(unread[:SHOWN]) + (", …" if len(unread) > SHOWN else "")
        yield f"{file}: nothing reads the column{'s' if len(unread) > 1 else ''} {shown}"


def _asked(root: Node, component: str) -> Iterator[str]:
    """The columns that `game.yaml` names: of a component, as what lookups are found by, for what is drawn by lot."""
    for key in ("links", "marks", "numbers", "faces", "columns"):
        yield from (text for node in [root.find("components", component, key)] if node for text in node.scalars())
    lookups, lots = root.find("lookups"), root.find("lots")
    for name, lookup in lookups.value.items() if lookups and isinstance(lookups.value, dict) else ():
        source = lookup.find("from")
        yield str(source.value) if source else name
    yield from lots.scalars() if lots else ()


def _into_corners(component: Component) -> Iterator[str]:
    """Links that end in a corner which is called as one would call a side."""
    sides = component.outline.names
    corners = {*CORNERS.get(sides, ())} & MAIN_WAYS
    found = {
        f"{'-'.join(link.ports)} of {design.id}": None
        for design in component.designs
        for link in design.front.tile.links
        if corners & {*link.ports}
    }
    if found:
        shown = ", ".join(list(found)[:SHOWN]) + (", …" if len(found) > SHOWN else "")
        yield f"{component.title}: links end in corners ({shown}); the sides are {', '.join(sides)}"


def _has(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _tags(root: Node) -> set[str]:
    """What only some variants draw, or do not."""
    return {text for key in ("with", "without") for node in _under(root, key) for text in node.scalars()}


def _under(root: Node, key: str) -> Iterator[Node]:
    variants = root.find("variants")
    for variant in variants.value.values() if variants and isinstance(variants.value, dict) else ():
        if found := variant.find(key):
            yield found


def _never(node: Node, drawn: Collection[Where], tags: Collection[str]) -> Iterator[str]:
    """The conditions of layers and groups of which nothing is drawn, the outer ones first."""
    if isinstance(node.value, list):
        for item in node.value:
            yield from _never(item, drawn, tags)
        return
    if not isinstance(node.value, dict) or INCLUDE in node.value:
        return
    tag, when = node.find(TAG), node.find(WHEN)
    if tag is not None and tag.value in tags:
        return
    group = node.find(GROUP)
    asked = " and ".join(when.scalars()) if when else ""
    if when and not _ELSEWHERE.search(asked) and not _is_drawn(node, drawn):
        yield f"{when.where}: `when: {asked}` holds in no row"
    elif group or node.find("layers"):
        yield from _never(group or node.find("layers") or node, drawn, tags)


def _is_drawn(node: Node, drawn: Collection[Where]) -> bool:
    """Whether anything of a layer or a group is; what another file holds may be drawn from elsewhere, and so counts."""
    group = node.find(GROUP)
    if group is not None and isinstance(group.value, list):
        return any(_is_drawn(item, drawn) for item in group.value)
    return node.find(INCLUDE) is not None or node.where in drawn
