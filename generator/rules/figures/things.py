"""The things on the table of a figure: a class per kind, listed in `THINGS`.

In `figures.yaml` the key of a kind is its name in the table, and holds its `main` field:
`pile: cards`, `hand: [fox, owl]`. Each kind draws itself as a `Sketch`.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle
from math import ceil
from typing import Annotated, ClassVar

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema

from generator.base.errors import InvalidValueError, find_row
from generator.base.geometry import Affine, Point, Rect, Size
from generator.base.outline import Outline
from generator.base.paths import curve_data
from generator.base.units import number
from generator.board.spec import BoardSpec, find_kind
from generator.pack.fields import Bool, Count, Text
from generator.picture.items import Box, Circle, Item, Path, Polygon, Shape, Stroke
from generator.rules.figures.pen import INK, LABEL_STYLE, PAPER, line_data
from generator.rules.figures.sketch import (
    BOARD_SPOT,
    PlacedPiece,
    Sketch,
    TableSetting,
    beside,
    blank_face,
    fan,
    join,
    lay_in_rows,
    move_items,
    shadow,
    sketch_pieces,
    stack,
    tint,
)
from generator.text.style import Align

EDGE = "#00000059"
"""Black at 35 %: the edge of bags, screens and paper."""

CLOTH = "#c9a36f"
CLOTH_FOLD = "#9c7444"
CLOTH_INSIDE = "#5b3f24"
CORD = "#f3e6cf"
"""The colours of a linen bag, the same in every game: the bag is the players' own."""

BAG_SIZE = Size(2.1, 2.3)
"""The size of a bag, in sides of the largest piece that looks out of it."""
NECK_DEPTH = 0.62
"""The distance from the top of a bag to its opening, in the same unit."""
PEEKING_TURNS = (-14.0, 11.0, -3.0, 18.0)
"""The turns of the pieces that look out of a bag, in degrees."""

SCREEN_HEIGHT = 0.5
SCREEN_WING = 0.32
SCREEN_GAP = 0.12
"""The height of a screen, the width of its folded sides, and its distance from the pieces, in heights of a piece.

It is seen from above and a little from the player's side.
"""

MIN_PAD_WIDTH_MM = 26.0
PAD_LINE_MM = 5.4
PAD_PADDING_MM = 2.6
COLUMN_GAP_MM = 4.0
"""Between the longest title and the points."""
BASELINE_MM = 1.1
"""Between a ruled line and the words on it."""
EMPTY_PAD_LINES = 5
RULE_COLOUR = "#9fb3c4"
PENCIL_MM = 24.0
PENCIL_TURN = 8.0
PENCIL_MARGIN_MM = 5.0

LINE_STYLE = replace(LABEL_STYLE, weight=400, align=Align.LEFT)
BOLD_LINE_STYLE = replace(LABEL_STYLE, align=Align.LEFT)


def draw_bag(peeking: Sequence[PlacedPiece], side: float, cord: str) -> Sketch:
    """Return an open bag for pieces with sides of up to `side` mm, some of which look out of it."""
    w = BAG_SIZE.w * side
    h = BAG_SIZE.h * side
    top = NECK_DEPTH * side
    middle = (len(peeking) - 1) / 2
    pieces = [
        replace(
            piece,
            centre=Point(w / 2 + (index - middle) * 0.5 * side, top - 0.12 * side),
            turn=piece.turn + turn,
        )
        for index, (piece, turn) in enumerate(zip(peeking, cycle(PEEKING_TURNS), strict=False))
    ]

    def path(*steps: str | float) -> str:
        """Return path data of letters and of numbers that are shares of the bag's width and height by turns."""
        shares = [step for step in steps if not isinstance(step, str)]
        scaled = iter(
            number(share * (w if index % 2 == 0 else h)) for index, share in enumerate(shares)
        )
        return " ".join(step if isinstance(step, str) else next(scaled) for step in steps)

    rim = top / h
    ellipse = f"A{number(0.36 * w)} {number(0.11 * w)} 0 0 1"
    opening = path("M", 0.14, rim, ellipse, 0.86, rim, ellipse, 0.14, rim, "Z")
    # The front hides the lower parts of the pieces.
    front = path(
        *("M", 0.14, rim, "C", 0.2, rim + 0.12, 0.02, 0.52, 0.05, 0.78),
        *("C", 0.08, 1.0, 0.92, 1.0, 0.95, 0.78),
        *("C", 0.98, 0.52, 0.8, rim + 0.12, 0.86, rim, ellipse, 0.14, rim, "Z"),
    )
    tie = path("M", 0.165, rim + 0.1, "C", 0.3, rim + 0.17, 0.7, rim + 0.17, 0.835, rim + 0.1)
    folds = " ".join(
        path("M", x, rim + 0.2, "C", x, 0.58, end, 0.64, end, 0.8)
        for x, end in ((0.32, 0.24), (0.52, 0.54), (0.7, 0.78))
    )
    edge = Stroke(0.35, CLOTH_INSIDE, join="round")
    box = Rect(0, 0, w, h)
    items: list[Item] = [Shape(Path(opening), CLOTH_INSIDE, edge)]
    for piece in pieces:
        items += piece.placed_items(box)
    items += [
        Shape(Path(front), CLOTH, edge),
        Shape(Path(folds), stroke=Stroke(0.4, CLOTH_FOLD, cap="round")),
        Shape(Path(tie), stroke=Stroke(1.5, CLOTH_INSIDE, cap="round")),
        Shape(Path(tie), stroke=Stroke(0.9, CORD, cap="round")),
        Shape(Circle(Point(w / 2, top + 0.153 * h), 1.0), cord, edge),
    ]
    above = max(0.0, -min((piece.box.y for piece in pieces), default=0.0))
    sketch = Sketch(box.size, tuple(items)).moved(Affine(f=above))
    return replace(sketch, size=Size(w, h + above))


def draw_screen(pieces: Sketch, height: float, colour: str) -> Sketch:
    """Return pieces of a height in mm with a folded screen between them and the other players."""
    screen_height = SCREEN_HEIGHT * height
    wing = SCREEN_WING * height
    fold = 0.75 * wing
    right = 1.9 * wing + pieces.size.w
    end = right + wing
    edge = Stroke(0.3, EDGE, join="round")
    side = tint(colour, 0.72)
    panels = (
        (colour, ((wing, 0.0), (right, 0.0), (right, screen_height), (wing, screen_height))),
        (side, ((0.0, fold), (wing, 0.0), (wing, screen_height), (0.0, fold + screen_height))),
        (side, ((right, 0.0), (end, fold), (end, fold + screen_height), (right, screen_height))),
    )
    parts = [
        Shape(Polygon(tuple(Point(*corner) for corner in corners)), fill, edge)
        for fill, corners in panels
    ]
    below = screen_height + SCREEN_GAP * height
    placed = pieces.moved(Affine(e=(end - pieces.size.w) / 2, f=below))
    size = Size(end, max(fold + screen_height, below + pieces.size.h))
    return join([Sketch(size, tuple(parts)), placed], size)


def draw_score_pad(lines: Sequence[tuple[str, str]], table: TableSetting) -> Sketch:
    """Return a sheet of paper with a line for each title and its points, the last in bold; ruled if empty."""
    styles = [LINE_STYLE] * (len(lines) - 1) + [BOLD_LINE_STYLE]
    titles = [table.line(title, style) for (title, _), style in zip(lines, styles, strict=False)]
    points = [table.line(value, BOLD_LINE_STYLE) for _, value in lines]
    widest = max((line.size.w for line in titles), default=0.0)
    widest += COLUMN_GAP_MM + max((line.size.w for line in points), default=0.0)
    inner = max(MIN_PAD_WIDTH_MM, widest)
    count = len(lines) or EMPTY_PAD_LINES
    sheet = Rect(0, 0, inner + 2 * PAD_PADDING_MM, count * PAD_LINE_MM + 2 * PAD_PADDING_MM)
    items: list[Item] = [
        shadow(Outline.of_box(sheet)),
        Shape(Box(sheet, 0.8), PAPER, Stroke(0.25, EDGE)),
    ]
    left = PAD_PADDING_MM
    right = PAD_PADDING_MM + inner
    for index in range(count):
        y = PAD_PADDING_MM + (index + 1) * PAD_LINE_MM
        ruled = line_data([Point(left, y), Point(right, y)])
        items.append(Shape(Path(ruled), stroke=Stroke(0.2, RULE_COLOUR)))
    for index, (title, value) in enumerate(zip(titles, points, strict=True)):
        base = PAD_PADDING_MM + (index + 1) * PAD_LINE_MM - BASELINE_MM
        items += title.moved(Affine(e=left, f=base)).items
        items += value.moved(Affine(e=right - value.size.w, f=base)).items
    at = Affine.moving(Point(0, 0), Point(sheet.w + 2.2, sheet.h / 2), PENCIL_TURN)
    items += move_items(_draw_pencil(min(PENCIL_MM, sheet.h), table.colours.tag), at)
    return Sketch(Size(sheet.w + PENCIL_MARGIN_MM, sheet.h), tuple(items))


def _draw_pencil(length: float, colour: str) -> list[Item]:
    """Return an upright pencil whose middle is the origin."""
    half = length / 2
    edge = Stroke(0.2, EDGE, join="round")
    body = Rect(-1.1, -half + 1.6, 2.2, length - 5.2)
    tip = (Point(-1.1, body.bottom), Point(1.1, body.bottom), Point(0, half))
    lead = (Point(-0.35, half - 1.2), Point(0.35, half - 1.2), Point(0, half))
    return [
        Shape(Box(Rect(-1.1, -half, 2.2, 2.4), 0.8), "#e79a9a", edge),
        Shape(Box(body), colour, edge),
        Shape(Polygon(tip), "#f0d9b0", edge),
        Shape(Polygon(lead), INK),
    ]


LABEL_GAP_MM = 1.0
"""Between a thing and its label."""
LABEL_MM = 26.0
"""A label may be as wide as this, or as its thing if that is wider."""

THING_GAP_MM = 4.0
"""Between the things of one player."""
MAT_PADDING_MM = 3.0
"""Between a player's things and the edge of the player's place."""
MAT_RADIUS_MM = 3.0
BAG_COUNT_OVERLAP = 1.5
"""The distance of the disc with the number from the corner of a bag, whose corners are round, in sizes of the disc."""
TAG_HEIGHT_MM = 5.6
"""The height of the tag with a player's name, which lies on the edge of the place."""
NAME_STYLE = replace(LABEL_STYLE, colour=PAPER)

PILE_STEP_MM = Point(0.45, 0.55)
"""The offset of a piece in a pile from the one above it."""
MAX_PILE_LAYERS = 6
"""The visible pieces of a large pile; more would look like a staircase."""
PIECES_PER_LAYER = 8
"""The number of pieces for which a pile shows one more layer."""


def _check_turn(value: int) -> int:
    if value not in {0, 90, 180, 270}:
        raise InvalidValueError(f"a turn of {value}", "0, 90, 180 or 270")
    return value


Turn = Annotated[int, AfterValidator(_check_turn)]


class TableThing(BoardSpec):
    """A thing on the table. The key of its kind, such as `pile:`, holds its `main` field.

    `label` is written below it; `name` is its name for overlays; `turn` is in degrees.
    """

    main: ClassVar[str]
    label: Text = ""
    name: Text = ""
    turn: Turn = 0

    def sketch(self, table: TableSetting, turn: int = 0) -> Sketch:
        """Return the thing turned, with its upright label below it."""
        sketch_drawn = self.draw(table).turned((turn + self.turn) % 360)
        if self.name:
            middle = Point(sketch_drawn.size.w / 2, sketch_drawn.size.h / 2)
            sketch_drawn = replace(sketch_drawn, spots={**sketch_drawn.spots, self.name: middle})
        if not self.label:
            return sketch_drawn
        words = table.text(self.label, LABEL_STYLE, max(LABEL_MM, sketch_drawn.size.w))
        return stack([sketch_drawn, words], LABEL_GAP_MM)

    @abstractmethod
    def draw(self, table: TableSetting) -> Sketch:
        """Return the thing upright and without its label."""

    @property
    def visible(self) -> tuple[str, ...]:
        """Return the pieces that are visible, as on boards."""
        return ()

    @property
    def hidden(self) -> tuple[tuple[str, int], ...]:
        """Return the components of hidden pieces with their numbers, apart from piles and bags."""
        return ()

    @property
    def components(self) -> tuple[str, ...]:
        """Return the ids of the components that the thing names."""
        return ()

    def within(self) -> "tuple[TableThing, ...]":
        """Return the things inside this one."""
        return ()


def _as_tuple(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Names = Annotated[tuple[Text, ...], BeforeValidator(_as_tuple)]


def _check_board(value: bool) -> bool:  # noqa: FBT001 - pydantic calls it with the value alone
    if not value:
        raise InvalidValueError("`board: false` on a table", "`board: true`, or no such line")
    return value


class BoardOnTable(TableThing):
    """The board of the figure."""

    main: ClassVar[str] = "board"
    board: Annotated[Bool, AfterValidator(_check_board)]

    def draw(self, table: TableSetting) -> Sketch:
        """Return an empty box of the board's size; the figure draws the board there."""
        if table.board is None:
            raise InvalidValueError(
                "`board` on the table of a figure without a board", "a `board:` beside `table:`"
            )
        return Sketch(table.board.size, (), {BOARD_SPOT: Point(-table.board.x, -table.board.y)})


class PiecesOnTable(TableThing):
    """Pieces side by side, `across` in a row: an open row of cards, a supply of tokens."""

    main: ClassVar[str] = "pieces"
    pieces: Names
    count: Count = 1
    across: Count = 6

    @property
    def visible(self) -> tuple[str, ...]:
        """Return the pieces."""
        return self.pieces * self.count

    def draw(self, table: TableSetting) -> Sketch:
        """Return the pieces in rows."""
        return lay_in_rows([table.piece(cell) for cell in self.visible], self.across)


class Hand(TableThing):
    """A player's hand: visible designs, or `count` hidden pieces of a component.

    With a `screen`, a folded screen stands between the hand and the other players.
    """

    main: ClassVar[str] = "hand"
    hand: Names
    count: Count | None = None
    fan: Bool = True
    screen: Bool = False

    @property
    def visible(self) -> tuple[str, ...]:
        """Return the designs, unless they are hidden."""
        return self.hand if self.count is None else ()

    @property
    def hidden(self) -> tuple[tuple[str, int], ...]:
        """Return the component of hidden pieces and their number."""
        return () if self.count is None else ((self.hand[0], self.count),)

    @property
    def components(self) -> tuple[str, ...]:
        """Return the component of hidden pieces."""
        return () if self.count is None else self.hand

    def draw(self, table: TableSetting) -> Sketch:
        """Return the hand, behind its screen if it has one."""
        if self.count is None:
            pieces = [table.piece(cell) for cell in self.hand]
        else:
            pieces = [table.hidden_piece(table.deck(self.hand[0]))] * self.count
        fanned = fan(pieces) if self.fan else lay_in_rows(pieces, len(pieces))
        if not self.screen:
            return fanned
        return draw_screen(fanned, pieces[0].box.h, table.colours.tag)


class Stock(TableThing):
    """Pieces of one or several components together.

    Without a `count`, these are all pieces that are nowhere else on the figure.
    """

    count: Count | None = None


class Pile(Stock):
    """A pile of pieces face down, or with the piece `top` face up on it."""

    main: ClassVar[str] = "pile"
    pile: Names
    top: Text = ""

    @property
    def components(self) -> tuple[str, ...]:
        """Return the ids of the components in the pile."""
        return self.pile

    def draw(self, table: TableSetting) -> Sketch:
        """Return the pile with the number of its pieces."""
        count = table.counts[self]
        deck = table.deck(self.pile[0])
        hidden = table.hidden_piece(deck)
        top = table.piece(self.top) if self.top else hidden
        layers = min(MAX_PILE_LAYERS, count, 1 + ceil(count / PIECES_PER_LAYER))
        lower = [
            replace(hidden, face=blank_face(deck.outline), centre=PILE_STEP_MM.scaled(depth))
            for depth in range(layers - 1, 0, -1)
        ]
        return table.with_count(sketch_pieces([*lower, top]), count)


class Bag(Stock):
    """A cloth bag of pieces, some of which look out of it."""

    main: ClassVar[str] = "bag"
    bag: Names
    shows: Names = ()

    @property
    def components(self) -> tuple[str, ...]:
        """Return the ids of the components in the bag."""
        return self.bag

    def draw(self, table: TableSetting) -> Sketch:
        """Return the bag with the number of its pieces."""
        side = max(table.deck(self.bag[0]).outline.size) * table.scale
        peeking = [table.piece(cell) for cell in self.shows]
        bag = draw_bag(peeking, side, table.colours.tag)
        return table.with_count(bag, table.counts[self], BAG_COUNT_OVERLAP)


class Space(TableThing):
    """An empty place for pieces of a component, such as that of the discard pile."""

    main: ClassVar[str] = "space"
    space: Text

    @property
    def components(self) -> tuple[str, ...]:
        """Return the component."""
        return (self.space,)

    def draw(self, table: TableSetting) -> Sketch:
        """Return the dashed outline of a piece."""
        scaled = table.deck(self.space).outline.mapped(Affine(a=table.scale, d=table.scale))
        dashed = Stroke(0.5, table.colours.line, cap="round", dash=(1.6, 1.2))
        outline = Shape(Path(curve_data(scaled.edges)), stroke=dashed)
        return Sketch(scaled.size, (outline,))


class ScorePad(TableThing):
    """Paper and pencil: a line for each of some scores of the figure's board, or empty before play."""

    main: ClassVar[str] = "scores"
    scores: Names

    def draw(self, table: TableSetting) -> Sketch:
        """Return the sheet and the pencil."""
        lines = [find_row("score", name, table.scores) for name in self.scores]
        return draw_score_pad(lines, table)


def _read_thing(value: object) -> object:
    """Return the thing of a mapping such as `pile: cards`; the word `board` alone is the board."""
    if value == "board":
        return BoardOnTable(board=True)
    if not isinstance(value, dict):
        raise InvalidValueError(
            f"{value!r} is not a thing on the table", f"one of: {', '.join(THINGS)}"
        )
    return find_kind("thing on the table", value, THINGS).model_validate(value)


ThingField = Annotated[TableThing, BeforeValidator(_read_thing), WithJsonSchema({"type": "object"})]


class PlayerPlace(TableThing):
    """A player's place, with the player's things side by side and the name on its outer edge."""

    main: ClassVar[str] = "player"
    player: Text
    things: tuple[ThingField, ...]

    def within(self) -> tuple[TableThing, ...]:
        """Return the player's things."""
        return self.things

    def draw(self, table: TableSetting) -> Sketch:
        """Return the place of a player at the near side of the table."""
        return self._place(table, 0)

    def sketch(self, table: TableSetting, turn: int = 0) -> Sketch:
        """Return the place; its things are turned towards the player, its words are upright."""
        return self._place(table, (turn + self.turn) % 360)

    def _place(self, table: TableSetting, turn: int) -> Sketch:
        things = beside([thing.sketch(table, turn) for thing in self.things], THING_GAP_MM)
        name = table.tag(self.player, NAME_STYLE, table.colours.tag, TAG_HEIGHT_MM)
        half = TAG_HEIGHT_MM / 2
        width = max(things.size.w, name.size.w) + 2 * MAT_PADDING_MM
        height = things.size.h + 2 * MAT_PADDING_MM + half
        is_near = turn == 0
        mat = Rect(0, 0 if is_near else half, width, height)
        inset = MAT_PADDING_MM + (0 if is_near else half)
        edge = mat.bottom if is_near else mat.y
        background = Shape(
            Box(mat, MAT_RADIUS_MM), table.colours.mat, Stroke(0.4, table.colours.line)
        )
        size = Size(width, height + half)
        placed = [
            Sketch(size, (background,), {self.name: mat.centre} if self.name else {}),
            things.moved(Affine(e=(width - things.size.w) / 2, f=mat.y + inset)),
            name.moved(Affine(e=(width - name.size.w) / 2, f=edge - half)),
        ]
        return join(placed, size)


THINGS: dict[str, type[TableThing]] = {
    kind.main: kind
    for kind in (Bag, BoardOnTable, Hand, PiecesOnTable, Pile, PlayerPlace, ScorePad, Space)
}
"""Every kind by its key."""
