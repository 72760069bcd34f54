"""The table of a figure: its rows of things, the count of their pieces, its layout, and its description."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import BeforeValidator

from generator.base.errors import InvalidValueError
from generator.base.geometry import Affine, Rect, Size
from generator.picture.items import Box, Shape
from generator.rules.figures.sketch import Sketch, TableSetting, beside, join, stack
from generator.rules.figures.things import PlayerPlace, Stock, TableThing, ThingField

TABLE_PADDING_MM = 4.0
"""Between the things and the edge of the table."""
TABLE_RADIUS_MM = 4.0
ROW_GAP_MM = 5.0
TABLE_GAP_MM = 9.0
"""The least gap between things of a row, in which an arrow is legible; rows narrower than others are spread out."""
MAX_SPREAD_MM = 18.0
"""The largest gap between things of a row: farther apart, they would not belong together."""
STACK_GAP_MM = 3.5


def _as_column(value: object) -> object:
    """Return a thing as a column of one."""
    return value if isinstance(value, list | tuple) else (value,)


ColumnField = Annotated[tuple[ThingField, ...], BeforeValidator(_as_column)]
RowField = tuple[ColumnField, ...]
"""A row of the table: things side by side; a list of things stands below each other."""

Rows = Sequence[Sequence[Sequence[TableThing]]]


FoundThing = tuple[tuple[str | int, ...], TableThing]
"""A thing after its path in the figure, for messages."""


def list_things(rows: Rows) -> Iterator[FoundThing]:
    """Yield all things in reading order, those of a player after the player."""
    for row, columns in enumerate(rows):
        for column, things in enumerate(columns):
            for index, thing in enumerate(things):
                path = ("table", row, column, *((index,) if len(things) > 1 else ()))
                yield path, thing
                for inner, within in enumerate(thing.within()):
                    yield (*path, "things", inner), within


def order_for_counting(things: Sequence[FoundThing]) -> list[FoundThing]:
    """Return the things in the order in which their pieces are counted.

    Piles and bags come last, those without a number of their own after the others: they hold the rest.
    """

    def rank(entry: FoundThing) -> int:
        _, thing = entry
        if not isinstance(thing, Stock):
            return 0
        return 2 if thing.count is None else 1

    return sorted(things, key=rank)


class PieceCount:
    """Counts the pieces on a figure, by design and by component."""

    def __init__(self, table: TableSetting, on_board: Sequence[str]) -> None:
        """Begin with the designs on the board."""
        self._table = table
        self._decks = table.album.decks
        self._home = {name: deck.id for deck in self._decks.values() for name in deck.designs}
        self._designs = Counter(on_board)
        self._held = Counter(self._home[design] for design in on_board)

    def add(self, thing: TableThing) -> None:
        """Add the pieces of a thing; raise `InvalidValueError` if the game has fewer."""
        for cell in thing.visible:
            design = self._table.placement(cell).design
            home = self._home[design]
            self._designs[design] += 1
            self._held[home] += 1
            _check(self._designs[design], repr(design), self._decks[home].designs[design])
            _check(self._held[home], f"pieces of {home!r}", self._decks[home].count)
        for name in thing.components:
            self._table.deck(name)
        for home, count in thing.hidden:
            self._held[home] += count
            _check(self._held[home], f"pieces of {home!r}", self._decks[home].count)

    def take(self, stock: Stock) -> int:
        """Add the pieces of a pile or bag and return their number.

        Raise `InvalidValueError` if fewer are left, or none.
        """
        homes = [self._table.deck(name).id for name in stock.components]
        left = {home: self._decks[home].count - self._held[home] for home in homes}
        number = sum(left.values()) if stock.count is None else stock.count
        if number > sum(left.values()) or number < 1:
            names = " and ".join(map(repr, homes))
            raise InvalidValueError(
                f"a {stock.main} of {number}, but {sum(left.values())} pieces of {names} are left",
                "at most as many as the game has, less those elsewhere on the figure",
                "`space:` is an empty place",
            )
        counted = number
        for home in homes:
            part = min(counted, left[home])
            self._held[home] += part
            counted -= part
        return number


def _check(number: int, what: str, has: int) -> None:
    """Raise `InvalidValueError` if a figure shows more than the game has."""
    if number > has:
        raise InvalidValueError(f"this figure shows {number} {what}", f"the game has {has}")


def lay_out(rows: Rows, table: TableSetting) -> Sketch:
    """Return the whole table: rows of things on a background in the game's colour."""
    cells = [
        [stack([thing.sketch(table) for thing in column], STACK_GAP_MM) for column in row]
        for row in rows
    ]
    widest = max(beside(row, TABLE_GAP_MM).size.w for row in cells)
    spread = [beside(row, _gap(row, widest)) for row in cells]
    inside = stack(spread, ROW_GAP_MM)
    size = Size(inside.size.w + 2 * TABLE_PADDING_MM, inside.size.h + 2 * TABLE_PADDING_MM)
    background = Shape(Box(Rect(0, 0, *size), TABLE_RADIUS_MM), table.colours.background)
    placed = inside.moved(Affine(e=TABLE_PADDING_MM, f=TABLE_PADDING_MM))
    return join([Sketch(size, (background,)), placed], size)


def _gap(row: Sequence[Sketch], width: float) -> float:
    """Return the gap at which a row fills a width, within limits."""
    spare = width - sum(sketch.size.w for sketch in row)
    return max(TABLE_GAP_MM, min(MAX_SPREAD_MM, spare / (len(row) + 1)))


def describe_things(rows: Rows, titles: Mapping[str, str], counts: Mapping[TableThing, int]) -> str:
    """Return the things in reading order, for readers who cannot see the figure."""
    things = (thing for row in rows for column in row for thing in column)
    return "; ".join(filter(None, (_describe(thing, titles, counts) for thing in things)))


def _describe(
    thing: TableThing, titles: Mapping[str, str], counts: Mapping[TableThing, int]
) -> str:
    """Return a thing in the game's own words: its label or player, and its pieces."""
    pieces = Counter(_title(cell, titles) for cell in thing.visible)
    pieces.update({titles.get(name, name): number for name, number in thing.hidden})
    parts = [title if number == 1 else f"{number} × {title}" for title, number in pieces.items()]
    if isinstance(thing, Stock):
        names = ", ".join(titles.get(name, name) for name in thing.components)
        parts.append(f"{counts[thing]} × {names}")
    parts += filter(None, (_describe(inner, titles, counts) for inner in thing.within()))
    name = thing.player if isinstance(thing, PlayerPlace) else thing.label
    return ": ".join(filter(None, (name, ", ".join(parts))))


def _title(cell: str, titles: Mapping[str, str]) -> str:
    """Return the title of a piece as written on boards: `~road` is the back of a road, `road>` is turned."""
    name = cell.lstrip("~")
    turned = name.partition("/")[0].rstrip("<>^v")
    return titles.get(name) or titles.get(turned, turned)
