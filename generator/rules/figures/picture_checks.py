"""Check that the picture of a figure shows everything that a reader must see.

Gestures, that is held pieces, strikes and moves, must show the things that they act on. Overlays may hide no sign:
no feature, text or label of a side. A reader must still see what lies on the board, so `pnp check` warns of an overlay
in the way.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from generator.base import polygon
from generator.base.errors import InvalidValueError
from generator.base.geometry import Affine, Point, Rect
from generator.base.outline import Outline
from generator.board.lattice import Place
from generator.picture.face import KeepInside
from generator.rules.figures.draw import place_held_piece, place_pieces, visible_pieces
from generator.rules.figures.overlays import Arrow, PathOverlay, Ring
from generator.rules.figures.pen import Pen
from generator.rules.figures.sketch import Album, PlacedPiece
from generator.rules.figures.spec import FigureSpec, HeldSpec
from generator.rules.figures.spots import FigureBoard

FEATURE = "feature "
TEXT = "text"
"""The labels that faces give to features and to text."""

MAX_HIDDEN_SHARE = 0.35
"""The share of a feature or of a side's label that may be hidden; the rest still identifies it."""
MAX_HIDDEN_LETTER_SHARE = 0.5
"""The share of one letter that may be hidden."""

# A grid of 9 × 9 points measures shares to about 1 %; letters are small and many, so 5 × 5 is
# enough.
SAMPLES_PER_SIDE = 9
LETTER_SAMPLES_PER_SIDE = 5

BORDER_WIDTH_TILES = 0.44
"""The width of a side's label along the side, in tiles."""
BORDER_DEPTH_TILES = 0.1
"""The depth of a side's label into the tile, in tiles."""


class Sign(NamedTuple):
    """A mark on the board that readers need: name, place, surrounding box, and sample points of its parts.

    Each letter of a text is a part: one hidden letter can change a word. `limit` is the share of a part that may be
    hidden.
    """

    name: str
    place: Place
    box: Rect
    parts: tuple[tuple[Point, ...], ...]
    limit: float = MAX_HIDDEN_SHARE


def hidden_signs(
    spec: FigureSpec, figure_board: FigureBoard, album: Album, sizes: Mapping[str, float], pen: Pen
) -> Iterator[str]:
    """Yield a message for each overlay that hides too much of a sign.

    `sizes` are those of features in mm; `pen` is copied to draw each overlay on its own.
    """
    signs = (
        [*_signs(spec, figure_board, album, sizes), *_borders(figure_board)]
        if spec.overlays
        else []
    )
    for overlay in spec.overlays:
        single_pen = pen.blank_copy()
        overlay.draw(figure_board, single_pen)
        for sign in (
            item for item in signs if any(item.box.overlaps(box) for box in single_pen.reach)
        ):
            share = max(sum(map(single_pen.covers, spots)) / len(spots) for spots in sign.parts)
            if share > sign.limit:
                article = "an" if overlay.main[0] in "aeiou" else "a"
                yield f"{article} {overlay.main} hides {share * 100:.0f} % of {sign.name} on {sign.place}"


def _signs(
    spec: FigureSpec, figure_board: FigureBoard, album: Album, sizes: Mapping[str, float]
) -> Iterator[Sign]:
    """Yield the signs on faces.

    On a face that is one picture, features stand in the middle of its links.
    """
    placements = visible_pieces(spec, figure_board)
    for item, piece in zip(
        placements, place_pieces(placements, spec, figure_board, album), strict=True
    ):
        # Text that art itself contains comes last.
        boxes = sorted(piece.face.keep_inside, key=lambda box_of_face: box_of_face.is_from_author)
        is_drawn = any(
            box_of_face.label.startswith(FEATURE)
            for box_of_face in boxes
            if not box_of_face.is_from_author
        )
        for box_of_face in boxes:
            if box_of_face.box.w and box_of_face.box.h:
                yield _sign(box_of_face, item.place, piece.at)
        tile = figure_board.scene.tiles.get(item.place)
        for link in tile.links if tile and tile.design == item.design and not is_drawn else ():
            if link.feature in sizes and len(link.ports) > 1:
                size = sizes[str(link.feature)] * spec.scale
                box = Rect(piece.centre.x, piece.centre.y, 0, 0).grown(size / 2)
                yield Sign(
                    f"the {link.feature}", item.place, box, (tuple(_points_in_ellipse(box)),)
                )


def _sign(box_of_face: KeepInside, place: Place, at: Affine) -> Sign:
    """Return a box of a face as a sign at its place in the figure."""
    label = box_of_face.label
    corners = [at.apply(corner) for corner in box_of_face.corners]
    box = polygon.box_around(tuple(corners))
    if box_of_face.letters:
        return Sign(
            f"a letter of the {label}",
            place,
            box,
            tuple(_letter_points(corners, box_of_face.letters)),
            MAX_HIDDEN_LETTER_SHARE,
        )
    name = label.removeprefix(FEATURE).strip("'") if label.startswith(FEATURE) else label
    spots = (
        _points_in_box(corners, SAMPLES_PER_SIDE)
        if label == TEXT
        else [at.apply(spot) for spot in _points_in_ellipse(box_of_face.box)]
    )
    return Sign(f"the {name}", place, box, (tuple(spots),))


def _borders(figure_board: FigureBoard) -> Iterator[Sign]:
    """Yield the labels of sides as signs: a strip inside each side."""
    for place, tile in figure_board.scene.tiles.items():
        for border in tile.face.tile.borders:
            middle = figure_board.spot(f"{place}.{border.port}")
            inward = (figure_board.centre(place) - middle).unit()
            along = inward.turned(90).scaled(BORDER_WIDTH_TILES / 2 * figure_board.tile_height)
            inner = middle + inward.scaled(BORDER_DEPTH_TILES * figure_board.tile_height)
            spots = [
                a + (b - a).scaled(step / (SAMPLES_PER_SIDE - 1))
                for a, b in ((middle - along, middle + along), (inner - along, inner + along))
                for step in range(SAMPLES_PER_SIDE)
            ]
            yield Sign(
                f"the border to {border.label}",
                place,
                polygon.box_around(tuple(spots)),
                (tuple(spots),),
            )


def _letter_points(corners: Sequence[Point], count: int) -> Iterator[tuple[Point, ...]]:
    """Yield sample points of each letter of a line; all letters are taken to be equally wide."""
    start, right, _, below = corners
    step = (right - start).scaled(1 / count)
    for index in range(count):
        left = start + step.scaled(index)
        yield tuple(
            _points_in_box(
                (left, left + step, left + step, left + (below - start)), LETTER_SAMPLES_PER_SIDE
            )
        )


def _points_in_box(corners: Sequence[Point], grain: int) -> Iterator[Point]:
    """Yield points spread evenly over a turned box, whose corners run clockwise from the top left."""
    start, right, _, below = corners
    shares = [(step + 0.5) / grain for step in range(grain)]
    for x, y in product(shares, shares):
        yield start + (right - start).scaled(x) + (below - start).scaled(y)


def _points_in_ellipse(box: Rect) -> Iterator[Point]:
    """Yield points spread evenly over the ellipse in a box."""
    steps = [2 * step / (SAMPLES_PER_SIDE - 1) - 1 for step in range(SAMPLES_PER_SIDE)]
    for x, y in product(steps, steps):
        if x * x + y * y <= 1:
            yield box.centre + Point(x * box.w / 2, y * box.h / 2)


GESTURE_SAMPLES_PER_SIDE = 40
"""Sample points along each side of a held piece's box: shares are right to about 2 %."""

TABLE = None
"""The key of the bare table."""


GestureFault = tuple[tuple[str, int], InvalidValueError]
"""A gesture that shows something else than it means: its path in the figure, and the error."""


def gesture_faults(
    spec: FigureSpec, figure_board: FigureBoard, album: Album
) -> Iterator[GestureFault]:
    """Yield every held piece, strike and move of a figure that its picture does not show."""
    for index, item in enumerate(spec.held):
        yield from _off_target(index, item, spec, figure_board, album)
    struck = set()
    for index, claim in enumerate(spec.claims):
        subject, _, value = claim.partition(": ")
        kind, *words = subject.split()
        if kind == "removing" and words[-1] not in struck:
            struck.add(words[-1])
            yield from _missing_ring(index, words, spec, figure_board)
        if kind == "path" and not value.strip().startswith("false"):
            yield from _missing_arrow(index, words, spec)


def _off_target(
    index: int, item: HeldSpec, spec: FigureSpec, figure_board: FigureBoard, album: Album
) -> Iterator[GestureFault]:
    """Yield a fault if a held piece covers more of anything else, the bare table included, than of its target."""
    target = figure_board.place_of(item.at)
    shares = _covered_shares(
        place_held_piece(item, spec, figure_board, album),
        target,
        _outlines(spec, figure_board, album, target),
    )
    most, share = max(shares.items(), key=lambda each: each[1])
    if share > shares[target]:
        where = "the bare table" if most is TABLE else str(most)
        yield (
            ("held", index),
            InvalidValueError(
                f"the held {item.piece} lies {share:.0%} on {where} and {shares[target]:.0%} on {target}, its target",
                f"a held piece that lies on its target more than on anything else, such as `at: {target} 0.2 -0.3`",
                "`at` begins with the place on which the piece is played",
            ),
        )


def _outlines(
    spec: FigureSpec, figure_board: FigureBoard, album: Album, target: Place
) -> list[tuple[Place, Outline]]:
    """Return the outlines on the figure with their places, top first.

    A target without a piece is below all.
    """
    placements = visible_pieces(spec, figure_board)
    placed = place_pieces(placements, spec, figure_board, album)
    outlines = [
        (item.place, piece.outline.mapped(piece.at))
        for item, piece in zip(placements, placed, strict=True)
    ]
    return [*reversed(outlines), (target, Outline(tuple(figure_board.rim(target))))]


def _covered_shares(
    piece: PlacedPiece, target: Place, pieces: Sequence[tuple[Place, Outline]]
) -> dict[Place | None, float]:
    """Return the share of a held piece's area over each place that it covers."""
    outline = piece.outline.mapped(piece.at)
    corners = polygon.box(polygon.box_around(outline.flat))
    points = [
        point
        for point in _points_in_box(corners, GESTURE_SAMPLES_PER_SIDE)
        if outline.contains(point)
    ]
    shares: dict[Place | None, float] = {target: 0.0}
    for point in points:
        place = next((place for place, below in pieces if below.contains(point)), TABLE)
        shares[place] = shares.get(place, 0.0) + 1 / len(points)
    return shares


def _missing_ring(
    index: int, words: Sequence[str], spec: FigureSpec, figure_board: FigureBoard
) -> Iterator[GestureFault]:
    """Yield a fault for a strike at a place that has no ring."""
    place = figure_board.board.place(words[-1])
    if not any(
        isinstance(overlay, Ring) and figure_board.place_of(overlay.ring) == place
        for overlay in spec.overlays
    ):
        yield (
            ("claims", index),
            InvalidValueError(
                f"the piece at {place} is struck but has no ring",
                f"`overlays: [{{ring: {words[-1]}}}]`",
                "put a ring around the struck piece",
            ),
        )


def _missing_arrow(index: int, words: Sequence[str], spec: FigureSpec) -> Iterator[GestureFault]:
    """Yield a fault for a move along several places that is drawn by no arrow."""
    name, *places = words[: words.index("rolling")] if "rolling" in words else words
    if len(places) > 1 and not any(
        isinstance(overlay, Arrow | PathOverlay) for overlay in spec.overlays
    ):
        yield (
            ("claims", index),
            InvalidValueError(
                f"{name} moves from {places[0]} to {places[-1]} and no arrow shows it",
                f"`overlays: [{{path: [{', '.join(places)}]}}]` or an `arrow`",
                "`follow` keeps a path to the links along which a piece moves",
            ),
        )
