"""Things that players bring to the table: a bag, a screen, paper and pencil."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle

from generator.base.geometry import Affine, Point, Rect, Size
from generator.base.outline import Outline
from generator.base.units import number
from generator.picture.items import Box, Circle, Item, Path, Polygon, Shape, Stroke
from generator.rules.figures.pen import INK, LABEL_STYLE, PAPER, line_data
from generator.rules.figures.pieces import PlacedPiece
from generator.rules.figures.sketch import (
    Sketch,
    SketchContext,
    join,
    move_items,
    shadow,
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
    high = SCREEN_HEIGHT * height
    wing = SCREEN_WING * height
    fold = 0.75 * wing
    right = 1.9 * wing + pieces.size.w
    end = right + wing
    edge = Stroke(0.3, EDGE, join="round")
    side = tint(colour, 0.72)
    panels = (
        (colour, ((wing, 0.0), (right, 0.0), (right, high), (wing, high))),
        (side, ((0.0, fold), (wing, 0.0), (wing, high), (0.0, fold + high))),
        (side, ((right, 0.0), (end, fold), (end, fold + high), (right, high))),
    )
    parts = [
        Shape(Polygon(tuple(Point(*corner) for corner in corners)), fill, edge)
        for fill, corners in panels
    ]
    below = high + SCREEN_GAP * height
    placed = pieces.moved(Affine(e=(end - pieces.size.w) / 2, f=below))
    size = Size(end, max(fold + high, below + pieces.size.h))
    return join([Sketch(size, tuple(parts)), placed], size)


def draw_score_pad(lines: Sequence[tuple[str, str]], context: SketchContext) -> Sketch:
    """Return a sheet of paper with a line for each title and its points, the last in bold; ruled if empty."""
    styles = [LINE_STYLE] * (len(lines) - 1) + [BOLD_LINE_STYLE]
    titles = [context.line(title, style) for (title, _), style in zip(lines, styles, strict=False)]
    points = [context.line(value, BOLD_LINE_STYLE) for _, value in lines]
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
    items += move_items(_draw_pencil(min(PENCIL_MM, sheet.h), context.colours.tag), at)
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
