"""The canvas on which layers draw, which records the items of one face, and the base class of layers."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache

from generator.base import polygon
from generator.base.fonts import FontSet
from generator.base.geometry import EPSILON, IDENTITY, Affine, Fit, Point, Rect
from generator.base.outline import Outline
from generator.base.values import LazyMapping
from generator.draw.art.library import ArtShelf, Changes, PlaceableArt
from generator.pack.fields import Share
from generator.pack.folder import Asset
from generator.pack.game import Feature, Layer, LinkStyle
from generator.pack.tile import Tile
from generator.picture.face import Advice, CrampedFeature, Face, KeepInside
from generator.picture.images import Pixels
from generator.picture.items import (
    Box,
    Circle,
    Geometry,
    Group,
    Item,
    Paint,
    Path,
    PlacedArt,
    PlacedImage,
    Polygon,
    Position,
    Shape,
    Stroke,
)
from generator.text import Block


@dataclass(frozen=True)
class Subject:
    """The side to draw: its outline and bleed, its tile's links, and the game's styles, fonts and icons.

    Features stay `safe` mm away from the cut if they can; with `crowd`, they may lie over links and each other.
    """

    outline: Outline
    bleed: float
    tile: Tile
    links: Mapping[str, LinkStyle]
    features: Mapping[str, Feature]
    fonts: FontSet
    icons: Mapping[str, Asset]
    language: str
    safe: float = 0.0
    crowd: bool = False

    @property
    def full(self) -> Rect:
        """Return the trim box with its bleed."""
        return Rect(0, 0, *self.outline.size).grown(self.bleed)


@dataclass(frozen=True)
class LayerDrawing:
    """The items of one layer, its number, and the notes made while they were drawn.

    A cut must not reach the boxes in `keep_inside`; `cramped` features have too little room;
    `advice` is for the pack's author.
    """

    items: tuple[Item, ...]
    layer: int
    keep_inside: tuple[KeepInside, ...]
    cramped: tuple[CrampedFeature, ...] = ()
    advice: tuple[Advice, ...] = ()


@dataclass
class Canvas:
    """Records the items drawn on one side; `layer` is the number of the layer that draws them."""

    subject: Subject
    shelf: ArtShelf
    layer: int = 0
    _items: list[Item] = field(default_factory=list)
    _keep_inside: list[KeepInside] = field(default_factory=list)
    _cramped: list[CrampedFeature] = field(default_factory=list)
    _advice: dict[Advice, None] = field(default_factory=dict)
    _item_layers: list[int] = field(default_factory=list)
    _transform: Affine = IDENTITY

    def rect(
        self, box: Rect, fill: Paint, stroke: Stroke | None = None, radius: float = 0.0
    ) -> None:
        """Draw a rectangle, with rounded corners if `radius` is above 0."""
        self.shape(Box(box, radius), fill, stroke)

    def circle(
        self, centre: Point, radius: float, fill: Paint, stroke: Stroke | None = None
    ) -> None:
        """Draw a circle."""
        self.shape(Circle(centre, radius), fill, stroke)

    def polygon(self, points: tuple[Point, ...], fill: Paint, stroke: Stroke | None = None) -> None:
        """Draw a closed outline of straight lines."""
        self.shape(Polygon(points), fill, stroke)

    def path(self, data: str, fill: Paint, stroke: Stroke | None = None) -> None:
        """Draw a path, given as SVG path data."""
        self.shape(Path(data), fill, stroke)

    def outline(self, outline: Outline, fill: Paint, stroke: Stroke | None = None) -> None:
        """Draw the outline of a piece, or one inside it."""
        if outline.is_circle:
            self.circle(outline.centre, outline.size.w / 2, fill, stroke)
        elif outline.curve or outline.radius:
            self.path(outline.d, fill, stroke)
        else:
            self.polygon(outline.corners, fill, stroke)

    def shape(self, geometry: Geometry, fill: Paint, stroke: Stroke | None = None) -> None:
        """Draw a geometry, filled and perhaps with a line around it."""
        self._items.append(Shape(geometry, fill, stroke))

    @contextmanager
    def transformed(self, transform: Affine) -> Iterator[None]:
        """Move and turn everything drawn in this context."""
        if transform == IDENTITY:
            yield
            return
        outer = self._transform
        self._transform = outer @ transform
        try:
            with self._group(at=transform):
                yield
        finally:
            self._transform = outer

    @contextmanager
    def turned(self, centre: Point, turn: float) -> Iterator[None]:
        """Turn everything drawn in this context about a point, in degrees clockwise."""
        with self.transformed(Affine.moving(centre, centre, turn) if turn else IDENTITY):
            yield

    @contextmanager
    def faded(self, opacity: float) -> Iterator[None]:
        """Apply an opacity to everything drawn in this context as one group."""
        if opacity == 1.0:
            yield
            return
        with self._group(opacity=opacity):
            yield

    def block(
        self, block: Block, outline: Stroke | None = None, shadow: Stroke | None = None
    ) -> None:
        """Draw a set text with its icons, perhaps with a line around each letter and a shadow below it."""
        if shadow:
            self._items += (
                replace(run, x=run.x + shadow.width, y=run.y + shadow.width, colour=shadow.colour)
                for run in block.runs
            )
        if outline:
            # Half of a line lies inside the letters, which are drawn over it.
            line = Stroke(2 * outline.width, outline.colour, join="round")
            self._items += (replace(run, colour=outline.colour, stroke=line) for run in block.runs)
        self._items += block.runs
        for icon in block.icons:
            self._art(self.subject.icons[icon.name], icon.box, colour=icon.colour)

    def icon_widths(self) -> Mapping[str, float]:
        """Return the width of each icon as a multiple of its height."""
        return LazyMapping(self.subject.icons, self.shelf.ratio)

    def art(
        self,
        asset: Asset,
        box: Rect,
        fit: Fit = "contain",
        colour: str | None = None,
        turn: float = 0.0,
        *,
        changes: Changes = (),
    ) -> None:
        """Draw a picture file in a box.

        `colour` replaces `currentColor`, `turn` is in degrees clockwise. Advise the author of a
        colour that nothing in the picture takes.
        """
        takes_colour = self._art(asset, box, fit, colour, turn, changes=changes)
        if colour is not None and not takes_colour:
            hint = "write currentColor as the fill or stroke of the parts that should take it, or leave out `colour:`"
            self._advise(
                f"{asset.name} takes no `colour:`", hint if asset.is_svg else "leave out `colour:`"
            )

    def _advise(self, text: str, hint: str) -> None:
        self._advice[Advice(text, hint, self.layer)] = None

    def _art(
        self,
        asset: Asset,
        box: Rect,
        fit: Fit = "contain",
        colour: str | None = None,
        turn: float = 0.0,
        *,
        changes: Changes = (),
    ) -> bool:
        """Draw a picture file in a box; return True if it takes a colour."""
        if not asset.is_svg:
            with self.turned(box.centre, turn):
                self.image(self.shelf.pixels(asset), box, fit, "center")
            return False
        placeable = self.shelf.prepare(asset, self.subject.fonts, changes, colour)
        with self.turned(box.centre, turn):
            placed = PlacedArt(placeable.item, box, fit)
            if placeable.draws:
                self._items.append(placed)
            self._note_texts(placeable, placed)
        return placeable.takes_colour

    def make_item(self, asset: Asset, box: Rect, fit: Fit) -> Item:
        """Return a picture file placed in a box, without drawing it; note the texts inside it."""
        if not asset.is_svg:
            return PlacedImage(self.shelf.pixels(asset), box, fit)
        placeable = self.shelf.prepare(asset, self.subject.fonts, (), None)
        item = PlacedArt(placeable.item, box, fit)
        self._note_texts(placeable, item)
        return item

    def _note_texts(self, placeable: PlaceableArt, placed: PlacedArt) -> None:
        """Note where the texts inside art stand, and advice on it."""
        self._advice |= dict.fromkeys(
            replace(advice, layer=self.layer) for advice in placeable.advice
        )
        to_face = self._transform @ placed.to_face
        for text in placeable.texts:
            corners = tuple(map(to_face.apply, text.corners))
            label = "text" if text.is_filled else f"text {text.text!r}"
            self._keep_inside.append(
                KeepInside(
                    label,
                    polygon.box_around(corners),
                    corners,
                    letters=len(text.text),
                    is_from_author=not text.is_filled,
                    layer=self.layer,
                )
            )

    def image(self, image: Pixels, box: Rect, fit: Fit, position: Position) -> None:
        """Draw an image of pixels in a box.

        `position` is the part that stays if the box cuts some off.
        """
        self._items.append(PlacedImage(image, box, fit, position))

    def keep_safe(
        self, label: str, box: Rect, turn: float = 0, art: Asset | None = None, letters: int = 0
    ) -> None:
        """Note that a cut must not reach a box, which `art` or `letters` fill.

        `turn` is in degrees clockwise.
        """
        item = (
            self.shelf.prepare(art, self.subject.fonts, (), None).item
            if art and art.is_svg
            else None
        )
        upright, corners = _moved_corners(box, turn, self._transform)
        self._keep_inside.append(
            KeepInside(label, upright, corners, item, letters, layer=self.layer)
        )

    def note_text_box(self, box: Rect, turn: float) -> None:
        """Advise the author of a box for text that reaches beyond the piece: text in it can be cut off."""
        upright, _ = _moved_corners(box, turn, self._transform)
        if not self.subject.full.grown(EPSILON).holds(upright):
            self._advise(
                "the box of a text reaches beyond the piece",
                "a box is [left, top, width, height], in mm from the top left corner",
            )

    def keep_icon_safe(self, asset: Asset, box: Rect, turn: float = 0) -> None:
        """Note that a cut must not reach the ink of an icon in a square box.

        `turn` is in degrees clockwise.
        """
        ink = self.shelf.outline(asset, self.subject.fonts)
        to_face = self._transform @ Affine.moving(Point(0, 0), box.centre, turn, box.w)
        corners = tuple(map(to_face.apply, ink))
        label = f"icon {asset.stem!r}"
        self._keep_inside.append(
            KeepInside(label, polygon.box_around(corners), corners, layer=self.layer)
        )

    def note_cramped(self, feature: CrampedFeature) -> None:
        """Note a feature that has too little room."""
        self._cramped.append(feature)

    def add(self, items: Iterable[Item]) -> None:
        """Draw finished items."""
        self._items += items

    @property
    def keep_inside(self) -> tuple[KeepInside, ...]:
        """The boxes noted so far that a cut must not reach."""
        return tuple(self._keep_inside)

    def drawing(self) -> LayerDrawing:
        """Return the recorded items as one group, which faces can share."""
        items = tuple(self._items)
        shared = (
            items
            if len(items) == 1 and isinstance(items[0], Group)
            else (Group(items),)
            if items
            else ()
        )
        return LayerDrawing(
            shared, self.layer, tuple(self._keep_inside), tuple(self._cramped), tuple(self._advice)
        )

    def put(self, drawing: LayerDrawing) -> None:
        """Add the drawing of a layer, made on another canvas of the same subject."""
        self._items += drawing.items
        self._item_layers += [drawing.layer] * len(drawing.items)
        self._keep_inside += drawing.keep_inside
        self._cramped += drawing.cramped
        self._advice |= dict.fromkeys(drawing.advice)

    def face(self, label: str = "", *, mirrored: bool) -> Face:
        """Return the finished face."""
        width = self.subject.outline.size.w
        items = tuple(self._items)
        keep_inside = tuple(self._keep_inside)
        if mirrored:
            items = (Group(items, Affine(a=-1.0, e=width)),)
            keep_inside = tuple(box.mirrored(width) for box in keep_inside)
        return Face(
            items,
            self.subject.outline.size,
            self.subject.bleed,
            label,
            keep_inside,
            cramped=tuple(self._cramped),
            advice=tuple(self._advice),
            item_layers=tuple(self._item_layers),
        )

    @contextmanager
    def _group(self, at: Affine = IDENTITY, opacity: float = 1.0) -> Iterator[None]:
        outer = self._items
        self._items = []
        try:
            yield
        finally:
            outer.append(Group(tuple(self._items), at, opacity=opacity))
            self._items = outer


@lru_cache(1000)
def _moved_corners(box: Rect, turn: float, transform: Affine) -> tuple[Rect, tuple[Point, ...]]:
    """Return the upright box around a box that is turned and moved, and its corners.

    Cached because the same layers are drawn on many faces.
    """
    if turn:
        transform = transform @ Affine.moving(box.centre, box.centre, turn)
    moved = tuple(map(transform.apply, polygon.box(box)))
    return polygon.box_around(moved), moved


class DrawnLayer(Layer):
    """A layer that can draw itself; `opacity` is from 0 to 1."""

    opacity: Share = 1.0

    @abstractmethod
    def draw(self, canvas: Canvas) -> None:
        """Draw the layer over the content of the canvas."""
