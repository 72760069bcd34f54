"""Check the gestures in a figure: held pieces, strikes and moves must show the things that they act on."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from generator.base.geometry import Point, Rect
from generator.base.outline import Outline
from generator.base.polygon import round_all
from generator.board.board import Board
from generator.board.lattice import Place, parse_place
from generator.rules.figures.draw import place_held_piece, place_pieces, visible_pieces
from generator.rules.figures.overlays import Arrow, PathOverlay, Ring
from generator.rules.figures.pieces import Album, PlacedPiece
from generator.rules.figures.spec import FigureSpec, HeldSpec
from generator.rules.figures.spots import FigureGround

SAMPLES_PER_SIDE = 40
"""Sample points along each side of a held piece's box: shares are right to about 2 %."""

TABLE = None
"""The key of the bare table."""


class GestureFault(NamedTuple):
    """A gesture that shows something else than it means: the key and number in the figure, and the message."""

    key: str
    number: int
    found: str
    expected: str
    hint: str


def gesture_faults(spec: FigureSpec, ground: FigureGround, album: Album) -> Iterator[GestureFault]:
    """Yield every held piece, strike and move of a figure that its picture does not show."""
    for index, item in enumerate(spec.held):
        yield from _off_target(index, item, spec, ground, album)
    struck = set()
    for index, claim in enumerate(spec.claims):
        subject, _, value = claim.partition(": ")
        kind, *words = subject.split()
        if kind == "removing" and words[-1] not in struck:
            struck.add(words[-1])
            yield from _missing_ring(index, words, spec, ground)
        if kind == "path" and not value.strip().startswith("false"):
            yield from _missing_arrow(index, words, spec)


def _off_target(
    index: int, item: HeldSpec, spec: FigureSpec, ground: FigureGround, album: Album
) -> Iterator[GestureFault]:
    """Yield a fault if a held piece covers more of anything else, the bare table included, than of its target."""
    target = ground.place_of(item.at)
    shares = _covered_shares(
        place_held_piece(item, spec, ground, album), target, _outlines(spec, ground, album, target)
    )
    most, share = max(shares.items(), key=lambda each: each[1])
    if share > shares[target]:
        where = "the bare table" if most is TABLE else str(most)
        yield GestureFault(
            "held",
            index,
            f"the held {item.piece} lies {share:.0%} on {where} and {shares[target]:.0%} on {target}, its target",
            f"a held piece that lies on its target more than on anything else, such as `at: {target} 0.2 -0.3`",
            "`at` begins with the place on which the piece is played",
        )


def _outlines(
    spec: FigureSpec, ground: FigureGround, album: Album, target: Place
) -> list[tuple[Place, Outline]]:
    """Return the outlines on the figure with their places, top first.

    A target without a piece is below all.
    """
    placements = visible_pieces(spec, ground)
    placed = place_pieces(placements, spec, ground, album)
    outlines = [
        (item.place, piece.outline.mapped(piece.at))
        for item, piece in zip(placements, placed, strict=True)
    ]
    return [*reversed(outlines), (target, Outline(tuple(ground.rim(target))))]


def _covered_shares(
    piece: PlacedPiece, target: Place, pieces: Sequence[tuple[Place, Outline]]
) -> dict[Place | None, float]:
    """Return the share of a held piece's area over each place that it covers."""
    outline = piece.outline.mapped(piece.at)
    points = [point for point in _sample_points(round_all(outline.flat)) if outline.contains(point)]
    shares: dict[Place | None, float] = {target: 0.0}
    for point in points:
        place = next((place for place, below in pieces if below.contains(point)), TABLE)
        shares[place] = shares.get(place, 0.0) + 1 / len(points)
    return shares


def _sample_points(box: Rect) -> Iterator[Point]:
    steps = [(step + 0.5) / SAMPLES_PER_SIDE for step in range(SAMPLES_PER_SIDE)]
    for x, y in product(steps, steps):
        yield Point(box.x + x * box.w, box.y + y * box.h)


def _missing_ring(
    index: int, words: Sequence[str], spec: FigureSpec, ground: FigureGround
) -> Iterator[GestureFault]:
    """Yield a fault for a strike at a place that has no ring."""
    place = _place(words[-1], ground.board)
    if not any(
        isinstance(overlay, Ring) and ground.place_of(overlay.ring) == place
        for overlay in spec.overlays
    ):
        yield GestureFault(
            "claims",
            index,
            f"the piece at {place} is struck but has no ring",
            f"`overlays: [{{ring: {words[-1]}}}]`",
            "put a ring around the struck piece",
        )


def _missing_arrow(index: int, words: Sequence[str], spec: FigureSpec) -> Iterator[GestureFault]:
    """Yield a fault for a move along several places that is drawn by no arrow."""
    name, *places = words[: words.index("rolling")] if "rolling" in words else words
    if len(places) > 1 and not any(
        isinstance(overlay, Arrow | PathOverlay) for overlay in spec.overlays
    ):
        yield GestureFault(
            "claims",
            index,
            f"{name} moves from {places[0]} to {places[-1]} and no arrow shows it",
            f"`overlays: [{{path: [{', '.join(places)}]}}]` or an `arrow`",
            "`follow` keeps a path to the links along which a piece moves",
        )


def _place(word: str, board: Board) -> Place:
    return board.named_place(word[1:]) if word.startswith("#") else parse_place(word)
