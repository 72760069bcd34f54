"""A figure's board as a picture: its pieces, what is held above it, and the overlays."""

from xml.etree import ElementTree as ET

from generator.board.cell import parse_cell
from generator.board.place import Place
from generator.board.placement import Placement
from generator.core.geometry import Point, Rect, Size
from generator.core.problems import Wrong
from generator.core.units import number
from generator.draw.face import Face
from generator.figure.compose import Laid, bounds, parts, picture
from generator.figure.coordinates import draw_coordinates
from generator.figure.laying import Album, laid_out
from generator.figure.pen import Pen
from generator.figure.spec import FigureSpec, HeldSpec
from generator.figure.spots import Ground

MARGIN = 0.4
"""mm of paper round everything, so that no line is cut."""

SHADOW = Point(1.1, 1.5)
"""mm; how far the shadow of such a piece lies from it."""

LIFT = 1.08
"""How much larger a piece looks that is held above the board."""


def draw_figure(spec: FigureSpec, ground: Ground, album: Album, pen: Pen, label: str) -> Face:
    """The figure as a face of its own, without bleed."""
    pieces, pen.elements = laid_out(_bottom_up(spec, ground), spec, ground, album), []
    for overlay in spec.overlays:
        overlay.draw(ground, pen)
    held = [_held(item, spec, ground, album) for item in spec.held]
    window = _window(spec, ground, [*pieces, *held], pen)
    if spec.coordinates:
        window = Rect.round_all([window, draw_coordinates(ground, pen, *_ends(spec, ground))])
    box = window.grown(MARGIN)
    over = [*map(_shadow, held), *pen.elements]
    svg = picture(pieces, over, box, held)
    return Face(svg, Size(box.w, box.h), 0.0, label, parts=parts(pieces, over, box, held))


def _bottom_up(spec: FigureSpec, ground: Ground) -> list[Placement]:
    """The pieces to show; where names stand round a crop, none outside it may show through between them."""
    found = sorted(ground.board.placements, key=lambda one: (one.level, one.row, one.column))
    if not (spec.coordinates and spec.crop):
        return found
    first, last = _ends(spec, ground)
    return [one for one in found if first.column <= one.column <= last.column and first.row <= one.row <= last.row]


def _held(item: HeldSpec, spec: FigureSpec, ground: Ground, album: Album) -> Laid:
    pieces = parse_cell(item.piece, Place(0, 0), album.kit.with_aliases(spec.names), ground.lattice).pieces
    if len(pieces) != 1:
        raise Wrong(f"{item.piece!r} is {len(pieces)} pieces", "one piece to hold, such as bend>")
    (one,) = pieces
    drawn = album.designs[one.design]
    return Laid(drawn.face(one.side), drawn.shape, ground.spot(item.at), one.turn + item.tilt, spec.scale * LIFT)


def _shadow(one: Laid) -> ET.Element:
    """What a piece darkens below it: its outline, a little lower and to the right."""
    at, size = one.centre + SHADOW, one.shape.size
    paint = {"fill": "#000000", "fill-opacity": "0.28"}
    if not one.shape.corners:
        radius = number(size.w / 2 * one.scale)
        return ET.Element("circle", {"cx": number(at.x), "cy": number(at.y), "r": radius, **paint})
    middle = Point(size.w / 2, size.h / 2)
    corners = [(corner - middle).scaled(one.scale).turned(one.turn) + at for corner in one.shape.corners]
    return ET.Element("polygon", {"points": " ".join(f"{number(c.x)},{number(c.y)}" for c in corners), **paint})


def _ends(spec: FigureSpec, ground: Ground) -> tuple[Place, Place]:
    """The first and the last column and row that are shown."""
    cut = [ground.place_of(text) for text in spec.crop or ()]
    places = cut or [one.place for one in ground.board.placements]
    if not places:
        raise Wrong("coordinates of an empty board", "a board with a tile, or a crop")
    columns, rows = [place.column for place in places], [place.row for place in places]
    return Place(min(columns), min(rows)), Place(max(columns), max(rows))


def _window(spec: FigureSpec, ground: Ground, laid: list[Laid], pen: Pen) -> Rect:
    if not (laid or pen.reach or spec.crop):
        raise Wrong("nothing is to be seen here", "a board with a tile")
    if spec.crop is None:
        return Rect.round_all([*([bounds(laid)] if laid else []), *pen.reach])
    half = ground.tile / 2
    corners = [ground.spot(text) for text in spec.crop]
    return Rect.round_all([Rect(c.x - half, c.y - half, 2 * half, 2 * half) for c in corners])
