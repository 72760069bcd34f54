"""Which overlays of a figure hide what counts on its board: features, icons, texts, the borders of sides. In mm."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from generator.board.lattice import Place
from generator.core.geometry import Affine, Point, Rect
from generator.core.polygon import round_all
from generator.figure.drawing import Album, bottom_up, laid_out
from generator.figure.pen import Pen
from generator.figure.spec import FigureSpec
from generator.figure.spots import FigureGround
from generator.picture.face import KeepInside

FEATURE, TEXT = "feature ", "text"
"""How the faces call what stands on links, and what is read."""

HIDDEN, HIDDEN_LETTER = 0.35, 0.5
"""The share of a feature, of a border, or of one letter, that may be hidden: what is left tells it still."""

GRAIN, LETTER_GRAIN = 9, 5
"""Spots along either side of the box of what is looked at, and of that of a letter."""

WIDE, DEEP = 0.44, 0.1
"""The part of a side that shows its border, and how deep it is, in tiles."""


class Sign(NamedTuple):
    """Something that counts: what it is called, where it stands, the box round it, and spots all over it.

    Of a line of text, each letter counts: a word with one of them hidden is another, however much is left.
    """

    name: str
    place: Place
    box: Rect
    parts: tuple[tuple[Point, ...], ...]
    limit: float = HIDDEN


def hidden(spec: FigureSpec, ground: FigureGround, album: Album, sizes: Mapping[str, float], pen: Pen) -> Iterator[str]:
    """What the overlays of a figure hide too far, in words; `sizes` are those of features, `pen` is one to try with."""
    signs = [*_signs(spec, ground, album, sizes), *_borders(ground)] if spec.overlays else []
    for overlay in spec.overlays:
        own = pen.another()
        overlay.draw(ground, own)
        for sign in (one for one in signs if any(one.box.overlaps(box) for box in own.reach)):
            share = max(sum(map(own.covers, spots)) / len(spots) for spots in sign.parts)
            if share > sign.limit:
                article = "an" if overlay.main[0] in "aeiou" else "a"
                yield f"{article} {overlay.main} hides {share * 100:.0f} % of {sign.name} on {sign.place}"


def _signs(spec: FigureSpec, ground: FigureGround, album: Album, sizes: Mapping[str, float]) -> Iterator[Sign]:
    """Yield what faces show; on a face that is one picture, features stand in the middle of the links through it."""
    shown = bottom_up(spec, ground)
    for one, piece in zip(shown, laid_out(shown, spec, ground, album), strict=True):
        # Text that art itself contains comes last.
        boxes = sorted(piece.face.keep_inside, key=lambda kept: kept.is_from_author)
        drawn = any(kept.label.startswith(FEATURE) for kept in boxes if not kept.is_from_author)
        for kept in boxes:
            if kept.box.w and kept.box.h:
                yield _sign(kept, one.place, piece.at)
        tile = ground.scene.tiles.get(one.place)
        for link in tile.links if tile and tile.design == one.design and not drawn else ():
            if link.feature in sizes and len(link.ports) > 1:
                size = sizes[str(link.feature)] * spec.scale
                box = Rect(piece.centre.x, piece.centre.y, 0, 0).grown(size / 2)
                yield Sign(f"the {link.feature}", one.place, box, (tuple(_round(box)),))


def _sign(kept: KeepInside, place: Place, at: Affine) -> Sign:
    """Return a box of a face as a sign at its place in the figure."""
    label = kept.label
    corners = [at.apply(corner) for corner in kept.corners]
    box = round_all(tuple(corners))
    if kept.letters:
        return Sign(f"a letter of the {label}", place, box, tuple(_letters(corners, kept.letters)), HIDDEN_LETTER)
    name = label.removeprefix(FEATURE).strip("'") if label.startswith(FEATURE) else label
    spots = _even(corners, GRAIN) if label == TEXT else [at.apply(spot) for spot in _round(kept.box)]
    return Sign(f"the {name}", place, box, (tuple(spots),))


def _borders(ground: FigureGround) -> Iterator[Sign]:
    """The borders of sides that have four of them: a strip inside each."""
    for place, tile in ground.scene.tiles.items():
        for border in tile.face.tile.borders:
            middle = ground.spot(f"{place}.{border.port}")
            inward = (ground.centre(place) - middle).unit()
            along = inward.turned(90).scaled(WIDE / 2 * ground.tile)
            inner = middle + inward.scaled(DEEP * ground.tile)
            spots = [
                a + (b - a).scaled(step / (GRAIN - 1))
                for a, b in ((middle - along, middle + along), (inner - along, inner + along))
                for step in range(GRAIN)
            ]
            yield Sign(f"the border to {border.label}", place, round_all(tuple(spots)), (tuple(spots),))


def _letters(corners: Sequence[Point], count: int) -> Iterator[tuple[Point, ...]]:
    """Spots all over each letter of a line; they are taken for equally wide."""
    start, right, _, below = corners
    step = (right - start).scaled(1 / count)
    for nth in range(count):
        left = start + step.scaled(nth)
        yield tuple(_even((left, left + step, left + step, left + (below - start)), LETTER_GRAIN))


def _even(corners: Sequence[Point], grain: int) -> Iterator[Point]:
    """Spots all over a box that is turned, by its corners clockwise from its top left."""
    start, right, _, below = corners
    shares = [(step + 0.5) / grain for step in range(grain)]
    for x, y in product(shares, shares):
        yield start + (right - start).scaled(x) + (below - start).scaled(y)


def _round(box: Rect) -> Iterator[Point]:
    """Spots all over the ellipse in a box."""
    steps = [2 * step / (GRAIN - 1) - 1 for step in range(GRAIN)]
    for x, y in product(steps, steps):
        if x * x + y * y <= 1:
            yield box.centre + Point(x * box.w / 2, y * box.h / 2)
