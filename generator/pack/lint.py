"""Find likely slips in a valid pack: unread columns, conditions that never hold, links into corners.

None is an error: a column may be the designer's note, and a condition may wait for a row that is still to come. But a
misspelt name looks exactly like that. `find_slips` yields what `pnp check` reports, as notes; a build reports only the
links into corners. `find_gaps` yields what is missing on paper, which a build counts too: components without pieces,
rows of a table that no row asks for, layers that are drawn in no row, names of columns that are printed, and a column
of counts whose name is misspelt.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import SequenceMatcher

from generator.base.errors import Problem, Reporter, Where, join_some, nearest
from generator.base.ports import CORNERS
from generator.pack.folder import GAME_FILE, PackFolder
from generator.pack.game import Component, Game, LayerAt
from generator.pack.layout import EACH, GROUP, INCLUDE, TAG, WHEN
from generator.pack.lookups import read_lookups
from generator.pack.translations import LAYOUTS
from generator.pack.yaml_nodes import Node, parse_yaml

COUNT = "count"
ALWAYS = frozenset({"id", COUNT, "title"})
"""Columns that the program itself uses."""
_EXPRESSIONS = (WHEN, EACH)
_ELSEWHERE = re.compile(r"\$?language\b|\border\.")
"""Names in conditions that vary by language or copy, so that the condition may hold in another form of the game."""
MAX_NAMES_LISTED = 5
MAX_LIKELY_COUNT = 999
"""Pieces of one design; a larger number is rather a price or a year in the wrong column."""
MAIN_DIRECTIONS = frozenset({"n", "e", "s", "w"})
"""Names that designers expect to be sides.

A hexagon on a flat side has corners in the east and in the west.
"""


def find_slips(game: Game) -> Iterator[Problem]:
    """Yield a problem for each unread column, and for links into corners."""
    for component, unread in _unread_columns(game):
        listed = join_some(unread, MAX_NAMES_LISTED)
        found = f"nothing reads the column{'s' if len(unread) > 1 else ''} {listed}"
        yield Problem(Where(component.designs[0].where.file), found)
    yield from find_corner_links(game)


def find_corner_links(game: Game) -> Iterator[Problem]:
    """Yield a problem for each component with links into corners; a build reports these, too."""
    for component in game.components:
        yield from _corner_links(component)


def find_gaps(game: Game) -> Iterator[Problem]:
    """Yield the problems that leave something out of a print, or put in too much.

    Components without pieces or with too many, ids that differ only in case, keys of a lookup table
    that name a missing row, `each:` over nothing, conditions that never hold, and names of columns
    that are printed.
    """
    pack = PackFolder(game.folder)
    main = pack.text(GAME_FILE)
    yield from _without_pieces(game, pack.where(GAME_FILE).file, main)
    for component in game.components:
        yield from _odd_rows(component)
    yield from _misspelt_counts(game)
    if "many:" in main:
        yield from _missing_rows(game, pack, parse_yaml(main, pack.where(GAME_FILE).file))
    drawn_places = {at.where for component in game.components for at in _layers(component)}
    used = {where.file for where in drawn_places}
    columns = _columns_by_name(game.components)
    tags = (
        _variant_tags(parse_yaml(main, pack.where(GAME_FILE).file))
        if "variants:" in main
        else set()
    )
    for name in pack.names(".", LAYOUTS):
        text = pack.text(name) if pack.where(name).file in used else ""
        if not (EACH in text or WHEN in text or _names_columns(text, columns)):
            continue  # parsing takes most of the time
        for file in _parse_files(pack, [name]):
            yield from _empty_repetitions(file, drawn_places)
            yield from _dead_conditions(file, drawn_places, tags)
            yield from _bracketed_columns(file, columns)
            yield from _undollared_columns(file, columns)


def _names_columns(text: str, columns: Mapping[str, str]) -> bool:
    """Return True if a layout may print the name of a column."""
    bracketed = (_column_called(_word_in(match), columns) for match in _BRACKETED.finditer(text))
    words = (match[1] for match in _TEXT_OF_ONE_WORD.finditer(text))
    return any(bracketed) or any(word in columns.values() for word in words)


def _odd_rows(component: Component) -> Iterator[Problem]:
    """Yield a problem for each id that differs from another only in case, and each very large count."""
    first_ids: dict[str, str] = {}
    for design in component.designs:
        first = first_ids.setdefault(design.id.casefold(), design.id)
        if first != design.id:
            found = f"id: {design.id!r} and {first!r} differ only in case"
            hint = "files are named after ids, and many systems take these for one name"
            yield Problem(design.where, found, hint=hint)
        if design.count > MAX_LIKELY_COUNT:
            found = f"count: {design.count} pieces of one design"
            yield Problem(
                design.where, found, hint="look whether the number belongs to this column"
            )


MIN_LIKENESS = 0.75
"""The likeness (difflib) of a column's name to `count`: `cuont` has 0.8, `cnt` 0.75."""


def _misspelt_counts(game: Game) -> Iterator[Problem]:
    """Yield a problem for each unread column of numbers whose name is almost `count`."""
    if not any(_like_count(component) for component in game.components):
        return  # parsing takes most of the time
    for component, unread in _unread_columns(game):
        for name in set(unread).intersection(_like_count(component)):
            found = f"nothing reads the column {name}, and one piece of each row is made"
            hint = f"did you mean {COUNT!r}?"
            yield Problem(Where(component.designs[0].where.file), found, hint=hint)


def _like_count(component: Component) -> list[str]:
    """Return the columns of numbers whose name is almost `count`, in a table without that column."""
    rows = [design.row for design in component.designs]
    if not rows or COUNT in rows[0]:
        return []
    return [
        name
        for name in rows[0]
        if SequenceMatcher(None, name.strip().lower(), COUNT).ratio() >= MIN_LIKENESS
        and all(row.get(name, "").strip().isdecimal() for row in rows)
    ]


def _without_pieces(game: Game, main: str, text: str) -> Iterator[Problem]:
    """Yield a problem for each component of which nothing is printed."""
    yield from find_empty_tables(game)
    unused = [part for part in game.components if part.designs and not part.count]
    if not unused:
        return
    root = parse_yaml(text, main)
    for component in unused:
        node = root.find("components", component.id)
        found = f"{component.title}: the count of every row is 0, so no pieces are made"
        hint = "`count: 0` leaves out a row"
        yield Problem(node.where if node else Where(main), found, hint=hint)


def find_empty_tables(game: Game) -> Iterator[Problem]:
    """Yield a problem for each component whose table has no rows; a build reports these, too."""
    empty = [component for component in game.components if not component.designs]
    if not empty:
        return
    pack = PackFolder(game.folder)
    root = parse_yaml(pack.text(GAME_FILE), pack.where(GAME_FILE).file)
    for component in empty:
        data = root.find("components", component.id, "data")
        # A sheet of a workbook stands after the file's name: cards.xlsx#heroes.
        file = str(data.value).partition("#")[0] if data else GAME_FILE
        found = f"{component.title}: the table has no rows, so no pieces are made"
        yield Problem(pack.where(file), found, hint="add a row for each design")


def _missing_rows(game: Game, pack: PackFolder, root: Node) -> Iterator[Problem]:
    """Yield a problem for each key of a table of many rows that no row of the game has."""
    node = root.find("lookups")
    for name, lookup in read_lookups(pack, node, Reporter()).items() if node else ():
        if not lookup.many:
            continue
        rows = [design.row for component in game.components for design in component.designs]
        keys = {row[lookup.source].strip() for row in rows if lookup.source in row}
        for key in lookup.rows:
            if keys and key and key not in keys:
                entry = root.find("lookups", name)
                found = f"the table {name} has rows for {key!r}, but no row has the {lookup.source} {key!r}"
                hint = nearest(key, keys) or "add such a row, or remove these"
                yield Problem(entry.where if entry else None, found, hint=hint)


def _empty_repetitions(node: Node, drawn_places: Collection[Where]) -> Iterator[Problem]:
    """Yield a problem for each `each:` of a layout whose layers are drawn in no row, though they have no condition."""
    if isinstance(node.value, list):
        for item in node.value:
            yield from _empty_repetitions(item, drawn_places)
        return
    group = node.find(GROUP)
    if group is None:
        if node.find("layers"):
            yield from _empty_repetitions(node.find("layers") or node, drawn_places)
        return
    each = node.find(EACH)
    if (
        each
        and not node.find(WHEN)
        and not _is_drawn(node, drawn_places)
        and _has_unconditional_layer(group)
    ):
        text = " ".join(each.scalars())
        if not _ELSEWHERE.search(text):
            found = f"`each: {text}` goes over nothing in every row"
            yield Problem(
                each.where, found, hint="look whether its name and the table are what you mean"
            )
    else:
        yield from _empty_repetitions(group, drawn_places)


def _has_unconditional_layer(group: Node) -> bool:
    """Return True if at least one layer of a group would be drawn in each repetition."""
    items = group.value if isinstance(group.value, list) else []
    return any(
        item.find(WHEN) is None and item.find(TAG) is None and item.find(EACH) is None
        for item in items
    )


def _parse_files(pack: PackFolder, names: Iterable[str]) -> Iterator[Node]:
    for name in names:
        with Reporter().at(None):  # a file that no component names may be anything
            yield parse_yaml(pack.text(name), pack.where(name).file)


def _layers(component: Component) -> Iterator[LayerAt]:
    for design in component.designs:
        for side in (design.front, *design.more, *([design.back] if design.back else [])):
            yield from side.layers


def _texts_with_names(node: Node, key: str = "") -> Iterator[str]:
    """Yield all texts in which a name may stand."""
    if isinstance(node.value, str):
        if "$" in node.value or key in _EXPRESSIONS:
            yield node.value
    elif isinstance(node.value, list):
        yield from (text for item in node.value for text in _texts_with_names(item, key))
    elif isinstance(node.value, dict):
        yield from (
            text for name, item in node.value.items() for text in _texts_with_names(item, name)
        )


def _unread_columns(game: Game) -> Iterator[tuple[Component, list[str]]]:
    """Yield the components whose tables have columns that nothing reads, with these columns."""
    pack = PackFolder(game.folder)
    root = parse_yaml(pack.text(GAME_FILE), pack.where(GAME_FILE).file)
    files = list(_parse_files(pack, pack.names(".", LAYOUTS)))
    texts = [
        *_texts_with_names(root),
        *(text for file in files for text in _texts_with_names(file)),
    ]
    for component in game.components:
        named = " ".join([*texts, *_named_columns(root, component.id)])
        row = component.designs[0].row if component.designs else {}
        columns = dict.fromkeys(name.partition("@")[0] for name in row)
        unread = [name for name in columns if name not in ALWAYS and not _mentions(named, name)]
        if unread:
            yield component, unread


def _named_columns(root: Node, component: str) -> Iterator[str]:
    """Yield the columns that `game.yaml` reads: for the component, for its lookups and for random draws."""
    for key in ("links", "marks", "numbers", "faces", "columns"):
        yield from (
            text
            for node in [root.find("components", component, key)]
            if node
            for text in node.scalars()
        )
    lookups = root.find("lookups")
    lots = root.find("lots")
    for name, lookup in (
        lookups.value.items() if lookups and isinstance(lookups.value, dict) else ()
    ):
        source = lookup.find("from")
        yield str(source.value) if source else name
    yield from lots.scalars() if lots else ()


def _corner_links(component: Component) -> Iterator[Problem]:
    """Yield a problem if links end in corners whose names are usual for sides."""
    sides = component.outline.names
    corners = {*CORNERS.get(sides, ())} & MAIN_DIRECTIONS
    found = {
        f"{'-'.join(link.ports)} of {design.id}": None
        for design in component.designs
        for link in design.front.tile.links
        if corners & {*link.ports}
    }
    if found:
        listed = join_some(found, MAX_NAMES_LISTED)
        message = f"links end in corners ({listed}); the sides are {', '.join(sides)}"
        yield Problem(None, f"{component.title}: {message}")


_BRACKETED = re.compile(
    r"(?<!\\)\[[^\W\d][\w ]*\]|(?<!\\)<<[^\W\d][\w ]*>>|(?<![\\${])\{[^\W\d][\w ]*\}(?!\})"
)
"""A word in `[…]`, `<<…>>` or `{…}`, which other programs replace by the cell of that column."""


def _columns_by_name(components: Iterable[Component]) -> dict[str, str]:
    """Return the columns of all tables by their names in small letters."""
    return {
        name.casefold(): name
        for component in components
        for design in component.designs[:1]
        for name in design.row
    }


def _word_in(match: re.Match[str]) -> str:
    """Return the word in the brackets that were found."""
    return str(match[0]).strip("[]<>{}")


def _column_called(word: str, columns: Mapping[str, str]) -> str | None:
    """Return the column that a word in brackets names."""
    name = word.casefold()
    return columns.get(name.replace(" ", "_")) or columns.get(name)


def _bracketed_columns(file: Node, columns: Mapping[str, str]) -> Iterator[Problem]:
    """Yield a problem for each column in brackets, which are printed."""
    for node in file.texts():
        text = str(node.value)
        for match in _BRACKETED.finditer(text):
            word = _word_in(match)
            column = _column_called(word, columns)
            if column and f"[/{word}]" not in text and "[/]" not in text:
                name = f"${column}" if column.isidentifier() else f"${{{column}}}"
                found = (
                    f"{match[0]} is printed as written; for the cell of that column, write {name}"
                )
                yield Problem(node.where, found, hint=f"to print the brackets: \\{match[0]}")


_TEXT_OF_ONE_WORD = re.compile(r"\btext:[ \t]*['\"]?([^\W\d]\w*)['\"]?[ \t]*(?:[,}#\n]|$)")
"""A text in a layout that may be the name of a column without its `$`."""


def _undollared_columns(file: Node, columns: Mapping[str, str]) -> Iterator[Problem]:
    """Yield a problem for each text that is a column's name, unless the layout also reads the column."""
    read = " ".join(_texts_with_names(file))
    for node in _values_of(file, "text"):
        name = str(node.value)
        if name in columns.values() and not _mentions(read, name):
            found = (
                f"text: {name} is printed as written; for the cell of that column, write ${name}"
            )
            yield Problem(node.where, found, hint=f"to print the word: \\{name}")


def _values_of(node: Node, key: str) -> Iterator[Node]:
    """Yield the texts of a key anywhere inside a node."""
    if isinstance(node.value, list):
        for item in node.value:
            yield from _values_of(item, key)
    for name, item in node.value.items() if isinstance(node.value, dict) else ():
        if name == key and isinstance(item.value, str):
            yield item
        else:
            yield from _values_of(item, key)


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _variant_tags(root: Node) -> set[str]:
    """Return the tags that only some variants draw or leave out."""
    return {
        text
        for key in ("with", "without")
        for node in _variant_nodes(root, key)
        for text in node.scalars()
    }


def _variant_nodes(root: Node, key: str) -> Iterator[Node]:
    variants = root.find("variants")
    for variant in variants.value.values() if variants and isinstance(variants.value, dict) else ():
        if value_node := variant.find(key):
            yield value_node


def _dead_conditions(
    node: Node, drawn_places: Collection[Where], tags: Collection[str]
) -> Iterator[Problem]:
    """Yield a problem for each condition whose layer is never drawn.

    Inner ones only if the outer one holds.
    """
    if isinstance(node.value, list):
        for item in node.value:
            yield from _dead_conditions(item, drawn_places, tags)
        return
    if not isinstance(node.value, dict) or INCLUDE in node.value:
        return
    tag = node.find(TAG)
    when = node.find(WHEN)
    if tag is not None and tag.value in tags:
        return
    group = node.find(GROUP)
    condition = " and ".join(when.scalars()) if when else ""
    if when and not _ELSEWHERE.search(condition) and not _is_drawn(node, drawn_places):
        yield Problem(
            when.where,
            f"`when: {condition}` is true in no row",
            hint="write its names and values as in the table, or delete the layer",
        )
    elif group or node.find("layers"):
        yield from _dead_conditions(group or node.find("layers") or node, drawn_places, tags)


def _is_drawn(node: Node, drawn_places: Collection[Where]) -> bool:
    """Return True if any part of a layer or group is drawn; included files count as drawn."""
    group = node.find(GROUP)
    if group is not None and isinstance(group.value, list):
        return any(_is_drawn(item, drawn_places) for item in group.value)
    return node.find(INCLUDE) is not None or node.where in drawn_places
