"""Overlays on the board of a figure: a class per kind, listed in the table `OVERLAYS`.

In `figures.yaml` the key of a kind is its name in the table, and holds its `main` field: `tick:
B2`, `path: [A1, B1]`.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import cycle, pairwise
from typing import Annotated, ClassVar

from pydantic import BeforeValidator, ValidationInfo

from generator.base.errors import InvalidValueError, find_row, unknown
from generator.base.geometry import Point
from generator.base.units import number
from generator.board.lattice import Place
from generator.board.scoring import compute_score, count_by_tile
from generator.board.spec import BoardSpec
from generator.pack.colours import parse_colour
from generator.pack.fields import Bool, Length, Real, Text
from generator.rules.figures.pen import BAD, GOOD, INK, MARK, PAPER, Pen
from generator.rules.figures.spots import THING_SIGN, FigureBoard


def _read_ink(value: object, info: ValidationInfo) -> str:
    text = str(value).strip()
    palette = info.context
    if not text.startswith("$"):
        return parse_colour(text)
    if not isinstance(palette, Mapping) or text[1:] not in palette:
        raise unknown("colour", text, [f"${name}" for name in palette or ()])
    return str(palette[text[1:]])


Ink = Annotated[str, BeforeValidator(_read_ink)]
"""A colour, or `$name` of the pack's palette."""


BRACKET_END_MM = 1.3
# From the line of a bracket to the middle of its words, which are 2.6 mm high on a slip of paper.
BRACKET_LABEL_MM = 2.9


class Overlay(BoardSpec):
    """A drawing over a board. The key of its kind, such as `tick:`, holds its `main` field."""

    main: ClassVar[str]
    verdict: ClassVar[bool | None] = None
    """True for an overlay that marks its place as allowed, False for forbidden, None for neither."""

    @property
    def text(self) -> str:
        """Return the overlay's words, whose numbers must agree with the figure's claims."""
        return ""

    @property
    def is_on_table(self) -> bool:
        """Return True if the overlay begins or ends at a thing on the table, such as `@deck`."""
        values = (getattr(self, name) for name in type(self).model_fields)
        texts = (
            text for value in values for text in (value if isinstance(value, list) else [value])
        )
        return any(isinstance(text, str) and text.startswith(THING_SIGN) for text in texts)

    @abstractmethod
    def draw(self, figure_board: FigureBoard, pen: Pen) -> None:
        """Draw the overlay."""


class Arrow(Overlay):
    """An arrow from one spot to another."""

    main: ClassVar[str] = "arrow"
    arrow: list[Text]
    colour: Ink = BAD
    width: Length = 1.2

    def draw(self, figure_board: FigureBoard, pen: Pen) -> None:
        """Draw the arrow; raise `InvalidValueError` unless it has two spots."""
        if len(self.arrow) != 2:
            raise InvalidValueError(
                f"an arrow of {len(self.arrow)} spots", "two: where it begins and where it points"
            )
        pen.arrow([figure_board.spot(text) for text in self.arrow], self.colour, self.width)


class PathOverlay(Overlay):
    """A line over the board, its steps numbered from 1 by default.

    The line runs straight from spot to spot, or along the links of the kinds in `follow`. `round`
    is the distance in tiles at which it begins to turn before a corner.
    """

    main: ClassVar[str] = "path"
    path: list[Text]
    follow: tuple[Text, ...] | Text = ()
    round: Real = 0.5
    numbers: Bool = True
    colour: Ink = BAD
    width: Length = 1.2

    def draw(self, figure_board: FigureBoard, pen: Pen) -> None:
        """Draw the line, then the numbers on every spot but the first."""
        spots = [figure_board.spot(text) for text in self.path]
        if len(spots) < 2:
            raise InvalidValueError("a path of one spot", "two spots or more")
        points, rounding = (
            (self._along(figure_board, spots), self.round * figure_board.tile_height)
            if self.follow
            else (spots, 0.0)
        )
        pen.arrow(points, self.colour, self.width, rounding)
        for step, spot in enumerate(spots[1:] if self.numbers else (), 1):
            pen.numeral(str(step), spot, self.colour)

    def _along(self, figure_board: FigureBoard, spots: list[Point]) -> list[Point]:
        """Return the spots, and between neighbours the middle of the side that joins their tiles."""
        kinds = (self.follow,) if isinstance(self.follow, str) else self.follow
        places = [figure_board.place_of(text) for text in self.path]
        points = spots[:1]
        for (place, next_place), spot in zip(pairwise(places), spots[1:], strict=True):
            points += (
                [spot]
                if place == next_place
                else [figure_board.between(place, next_place, kinds), spot]
            )
        return points


DRAWN_SIZE_MM = 9.0
"""The diameter at which the strokes of ticks and crosses are given; it is also their default."""


class Tick(Overlay):
    """A green tick in a disc."""

    main: ClassVar[str] = "tick"
    verdict: ClassVar[bool | None] = True
    tick: Text
    size: Length = DRAWN_SIZE_MM

    def draw(self, figure_board: FigureBoard, pen: Pen) -> None:
        """Draw the tick at its spot."""
        strokes = ((Point(-2.1, 0.2), Point(-0.6, 1.8), Point(2.2, -1.7)),)
        _draw_sign(pen, figure_board.spot(self.tick), self.size, GOOD, strokes)


class Cross(Overlay):
    """A red cross in a disc."""

    main: ClassVar[str] = "cross"
    verdict: ClassVar[bool | None] = False
    cross: Text
    size: Length = DRAWN_SIZE_MM

    def draw(self, figure_board: FigureBoard, pen: Pen) -> None:
        """Draw the cross at its spot."""
        strokes = ((Point(-1.7, -1.7), Point(1.7, 1.7)), (Point(-1.7, 1.7), Point(1.7, -1.7)))
        _draw_sign(pen, figure_board.spot(self.cross), self.size, BAD, strokes)


def _draw_sign(
    pen: Pen, at: Point, size: float, colour: str, strokes: Sequence[Sequence[Point]]
) -> None:
    """Draw white strokes in a disc of a diameter in mm."""
    unit = size / DRAWN_SIZE_MM
    pen.circle(at, 4.5 * unit, colour, PAPER, 0.7 * unit)
    for stroke in strokes:
        pen.line([at + point.scaled(unit) for point in stroke], PAPER, 1.1 * unit)


class Ring(Overlay):
    """A ring around a spot."""

    main: ClassVar[str] = "ring"
    ring: Text
    size: Length = 12.0

    def draw(self, figure_board: FigureBoard, pen: Pen) -> None:
        """Draw the ring at its spot."""
        at = figure_board.spot(self.ring)
        pen.circle(at, self.size / 2, "none", PAPER, 1.7)
        pen.circle(at, self.size / 2, "none", BAD, 1.0)


class Played(Overlay):
    """An outline around the piece that was just played."""

    main: ClassVar[str] = "played"
    played: Text

    def draw(self, figure_board: FigureBoard, pen: Pen) -> None:
        """Draw the outline of the place on which the piece lies."""
        pen.frame(figure_board.rim(figure_board.place(self.played)))


class Shade(Overlay):
    """A shade over tiles, such as those that are removed."""

    main: ClassVar[str] = "shade"
    shade: list[Text] | Text
    colour: Text = "dark"

    def draw(self, figure_board: FigureBoard, pen: Pen) -> None:
        """Shade each of the places."""
        fill, opacity = (MARK, 0.45) if self.colour == "light" else (INK, 0.55)
        names = [self.shade] if isinstance(self.shade, str) else self.shade
        for name in names:
            pen.polygon(figure_board.rim(figure_board.place(name)), fill, opacity)


class Label(Overlay):
    """A label at a spot, with an optional line to the thing that it names."""

    main: ClassVar[str] = "label"
    label: Text
    at: Text
    to: Text | None = None

    @property
    def text(self) -> str:
        """Return the label."""
        return self.label

    def draw(self, figure_board: FigureBoard, pen: Pen) -> None:
        """Write the label on a slip of paper; the line ends under the slip."""
        at = figure_board.spot(self.at)
        if self.to is not None:
            target = figure_board.spot(self.to)
            pen.line([at, target], INK, 0.45)
            pen.circle(target, 0.9, INK)
        pen.label(self.label, at)


class Bracket(Overlay):
    """A bracket from one spot to another, which shows several drawings as one thing, with words beyond it.

    The ends point to the left of the way from the first spot to the second.
    """

    main: ClassVar[str] = "bracket"
    bracket: list[Text]
    words: Text = ""

    @property
    def text(self) -> str:
        """Return the words."""
        return self.words

    def draw(self, figure_board: FigureBoard, pen: Pen) -> None:
        """Draw the bracket, white under ink, so that it shows on every picture."""
        if len(self.bracket) != 2:
            raise InvalidValueError(
                f"a bracket has {len(self.bracket)} spots", "2, such as [A1 -0.3 0, A1 0.3 0]"
            )
        start, end = map(figure_board.spot, self.bracket)
        inwards = (end - start).unit().turned(-90)
        corners = [start + inwards.scaled(BRACKET_END_MM), start, end]
        corners.append(end + inwards.scaled(BRACKET_END_MM))
        pen.line(corners, PAPER, 1.5)
        pen.line(corners, INK, 0.7)
        if self.words:
            middle = (start + end).scaled(0.5)
            pen.label(self.words, middle + inwards.scaled(-BRACKET_LABEL_MM))


class Number(Overlay):
    """A number in a disc."""

    main: ClassVar[str] = "number"
    number: Text
    at: Text
    colour: Ink = INK

    def draw(self, figure_board: FigureBoard, pen: Pen) -> None:
        """Write the number."""
        pen.numeral(self.number, figure_board.spot(self.at), self.colour)


BADGE_MM = 4.4
"""The default height of a badge: its letters are 10 pt."""
BADGE_GAP_MM = 0.4


class Tally(Overlay):
    """Badges on all tiles that scores count: the points of each tile, or the names of several scores.

    A badge has its middle at `at`, in tiles from the tile's; several stand side by side around it. With `turns`, the
    spot turns with the tile, so that badges leave the same corner of each tile free.
    """

    main: ClassVar[str] = "tally"
    tally: tuple[Text, ...] | Text
    at: Text = "0 0.34"
    turns: Bool = False
    size: Length = BADGE_MM
    colours: tuple[Ink, ...] = (INK,)

    def draw(self, figure_board: FigureBoard, pen: Pen) -> None:
        """Draw the badges; raise `InvalidValueError` if the points belong to no single tiles."""
        names = (self.tally,) if isinstance(self.tally, str) else self.tally
        counted = {name: self._tiles(name, figure_board) for name in names}
        if isinstance(self.tally, str):
            self._check_sum(self.tally, counted[self.tally], figure_board)
        for place in sorted({place for tiles in counted.values() for place in tiles}):
            badges = [
                (number(tiles[place]) if isinstance(self.tally, str) else name, colour)
                for (name, tiles), colour in zip(counted.items(), cycle(self.colours), strict=False)
                if place in tiles
            ]
            middle = self._middle(place, figure_board)
            step = self.size + BADGE_GAP_MM
            for index, (text, colour) in enumerate(badges):
                shift = Point((index - (len(badges) - 1) / 2) * step, 0)
                pen.badge(text, middle + shift, colour, self.size)

    def _middle(self, place: Place, figure_board: FigureBoard) -> Point:
        centre = figure_board.centre(place)
        shift = figure_board.spot(f"{place} {self.at}") - centre
        if not self.turns:
            return centre + shift
        turns = [piece.turn for piece in figure_board.board.stacks.get(place, ())]
        return centre + shift.turned(
            figure_board.lattice.table_turn(place, turns[-1] if turns else 0)
        )

    def _tiles(self, name: str, figure_board: FigureBoard) -> dict[Place, float]:
        find_row("score", name, figure_board.scores)
        return count_by_tile(name, figure_board.scores, figure_board.scene)

    def _check_sum(
        self, name: str, tiles: Mapping[Place, float], figure_board: FigureBoard
    ) -> None:
        """Raise `InvalidValueError` if the badges would not add up to the score."""
        points = compute_score(name, figure_board.scores, figure_board.scene)
        if sum(tiles.values()) != points:
            raise InvalidValueError(
                f"the {number(points)} points of {name!r} are not a sum over single tiles",
                f"the names of scores, such as `tally: [{name}]`, or `number` overlays",
            )


OVERLAYS: dict[str, type[Overlay]] = {
    kind.main: kind
    for kind in (
        Arrow,
        Bracket,
        Cross,
        Label,
        Number,
        PathOverlay,
        Played,
        Ring,
        Shade,
        Tally,
        Tick,
    )
}
"""Every kind by its key."""
