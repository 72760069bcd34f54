"""Draw designs as faces, layer by layer; faces with equal sources are drawn once and cached.

The text layers of a component with the same `together:` are a set. Each set is sized before anything is
drawn, because a card may be drawn without the others.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from generator.base.cache import NO_CACHE, CacheStore, program_digest
from generator.base.errors import InvalidValueError, LayerOrigin, Problem, Where, raise_any
from generator.base.fonts import FontFile, FontSet, font_set
from generator.base.geometry import IDENTITY, Rect, Size
from generator.base.outline import Outline
from generator.base.shapes import fill_box
from generator.base.values import Digester
from generator.draw.art.library import ArtShelf
from generator.draw.art.read import linked_files
from generator.draw.canvas import Canvas, DrawnLayer, LayerDrawing, Subject
from generator.draw.draft_marks import Fault, FaultMarker, mark_faults
from generator.draw.face_cache import FaceCache
from generator.draw.layers.text import TextLayer
from generator.pack.folder import Asset
from generator.pack.game import Component, Design, FaceSpec, Game, Layer, LayerAt
from generator.pack.tile import EMPTY_TILE
from generator.picture.face import NOTHING_SHARED, Face, SharedFaces
from generator.text.style import Style

if TYPE_CHECKING:
    from generator.picture.line_art_items import LineDrawer


@dataclass(frozen=True)
class DesignSide:
    """One side of a design: the component with this side's outline, the layers, and the side's name."""

    component: Component
    design: Design
    spec: FaceSpec
    name: str

    @property
    def label(self) -> str:
        """Return the label of the side's face, such as `cards:fox front`."""
        return f"{self.component.id}:{self.design.id} {self.name}"

    @property
    def outline(self) -> Outline:
        """Return the line that this side is cut to."""
        is_behind = self.name == "back" and not self.spec.mirrored
        return self.component.behind if is_behind else self.component.outline

    @property
    def design_with_place(self) -> str:
        """The design's name and place for messages, such as `cards:fox (cards.csv:2)`."""
        return f"{self.component.id}:{self.design.id} ({self.design.where})"


def sides_of(component: Component, design: Design) -> Iterator[DesignSide]:
    """Yield all sides of a design: the front, further faces, and the back."""
    front_component = (
        replace(component, outline=component.panels[0]) if component.panels else component
    )
    yield DesignSide(front_component, design, design.front, "front")
    panels = component.panels[1:] or (component.outline,) * len(design.more)
    for n, (spec, panel) in enumerate(zip(design.more, panels, strict=True), 2):
        yield DesignSide(replace(component, outline=panel), design, spec, f"face {n}")
    if design.back:
        yield DesignSide(component, design, design.back, "back")


_ICON = re.compile(r":(?=([\w./-]+):)")
"""A possible icon in a text."""


class FaceKeys:
    """Computes the cache keys of one game's faces; every file is read once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        bundled = {file.key: file.path for file in font_set().files}
        self._own_fonts = [
            file for file in game.fonts.files if not _is_copy(file, bundled.get(file.key))
        ]
        self._digester = Digester(
            {
                Asset: cache(self._art_source),
                FontFile: cache(_font_source),
                Style: self._style_source,
                Where: _ignore,
            }
        )

    def key(self, side: DesignSide) -> str:
        """Return the key of a side: a digest of everything that its face depends on."""
        game = self._game
        spec = side.spec
        serialize = self._digester.to_text
        # Most layers are not moved. Their transforms would be a third of the text.
        layers = serialize(
            [
                at.layer if at.transform == IDENTITY else (at.layer, at.transform)
                for at in spec.layers
            ]
        )
        tile = serialize(spec.tile)
        return self._digester.digest(
            program_digest(),
            (side.outline, side.component.bleed, side.component.safe, side.component.crowd),
            (spec.mirrored, game.language, game.lines),
            layers,
            tile,
            {name: style for name, style in game.links.items() if name in tile},
            {name: feature for name, feature in game.features.items() if name in tile},
            {name: game.icons[name] for name in _ICON.findall(layers) if name in game.icons},
            # A layer may name another font than its style.
            sorted(file for file in self._own_fonts if file.family in layers),
        )

    def _art_source(self, asset: Asset) -> object:
        """Return a file's name, its digest and those of the files that it links to.

        For SVG with text also all fonts, since it may name any.
        """
        if asset.lack:
            return asset.name, str(asset.lack)
        files = [asset, *linked_files(asset)]
        # UTF-16 has a zero beside each letter.
        with_text = any(b"text" in file.read().replace(b"\0", b"") for file in files)
        return (
            asset.name,
            [sha256(file.read()).hexdigest() for file in files],
            (self._game.fonts.files, self._game.fonts.substitutes) if with_text else (),
        )

    def _style_source(self, style: Style) -> object:
        """Return a style's values, and the font files that it may use."""
        families = {style.family, *style.others}
        return vars(style), [file for file in self._game.fonts.files if file.family in families]


def _is_copy(file: FontFile, bundled: Path | None) -> bool:
    """Return True if a font file is the bundled file of the same face, or has the same bytes."""
    return bundled is not None and (
        file.path == bundled or file.path.read_bytes() == bundled.read_bytes()
    )


def _font_source(file: FontFile) -> object:
    return file.key, file.digest.hex()


def _ignore(_: Where) -> None:
    """Return None: the place of a layer in its file does not change the drawing."""


MAX_SHARED_LAYERS = 500
"""Number of layers cached at a time.

Most are never used again, so a full table is simply emptied.
"""


@dataclass(frozen=True)
class DrawnDesign:
    """A design with its two faces, or more after the front; `count` is the number of pieces."""

    id: str
    title: str
    count: int
    front: Face
    back: Face | None
    more: tuple[Face, ...] = ()

    @property
    def faces(self) -> tuple[Face, ...]:
        """Return all faces, the front first and the back last."""
        return tuple(face for face in (self.front, *self.more, self.back) if face)


@dataclass(frozen=True)
class DrawnComponent:
    """A component with its drawn designs."""

    spec: Component
    designs: tuple[DrawnDesign, ...]

    @property
    def faces(self) -> tuple[Face, ...]:
        """Return the faces of all designs; equal faces may be repeated."""
        return tuple(face for design in self.designs for face in design.faces)


def draw_game(
    game: Game,
    tick: Callable[[int], object] = lambda _: None,
    handle_problems: Callable[[Iterable[Problem]], object] = raise_any,
    cache: CacheStore = NO_CACHE,
    shared: SharedFaces = NOTHING_SHARED,
) -> tuple[DrawnComponent, ...]:
    """Draw all components of a game.

    `tick` is called with the number of designs drawn. `handle_problems` receives all problems; by
    default it raises them, and a draft passes a function that reports them.
    """
    side_artist = SideArtist(game, ArtShelf(game.language), mark_faults)
    artist = _GameArtist(
        side_artist, FaceKeys(game), {}, tick, FaceCache(cache, game.fonts, shared.keys)
    )
    components = tuple(artist.component(component) for component in game.components)
    handle_problems([fault.problem() for fault in artist.faults_found.values()])
    return components


@dataclass(frozen=True)
class SideArtist:
    """Draws single sides of one game; `mark_faults` marks the faults on a face."""

    game: Game
    shelf: ArtShelf
    mark_faults: FaultMarker
    _shared: dict[tuple[object, ...], tuple[LayerDrawing, object]] = field(default_factory=dict)

    @cached_property
    def _lines(self) -> "LineDrawer":
        return _line_drawer()

    def draw(self, side: DesignSide) -> tuple[Face, tuple[Fault, ...]]:
        """Draw a side.

        Return the face and the layers that could not be drawn, with their errors.
        """
        canvas = self.new_canvas(side)
        faults = []
        for number, at in enumerate(side.spec.layers):
            try:
                self._draw_layer(canvas, at, number)
            except InvalidValueError as wrong:
                faults.append((at, wrong))
        if faults:
            self.mark_faults(canvas, faults)
        return self._face(canvas, side), tuple(faults)

    def draw_layer(self, side: DesignSide, at: LayerAt) -> Face:
        """Draw a single layer of a side."""
        canvas = self.new_canvas(side)
        with suppress(InvalidValueError):
            self._draw_layer(canvas, at)
        return self._face(canvas, side)

    def new_canvas(self, side: DesignSide) -> Canvas:
        """Return an empty canvas for a side."""
        game = self.game
        spec = side.spec
        # `Canvas.face` mirrors such a side as a whole. Its tile is that of the finished side, so its
        # links are drawn in mirror image.
        tile = spec.tile.mirrored() if spec.mirrored else spec.tile
        component = side.component
        subject = Subject(
            side.outline,
            component.bleed,
            tile,
            game.links,
            game.features,
            game.fonts,
            game.icons,
            game.language,
            component.safe,
            component.crowd,
        )
        return Canvas(subject, self.shelf)

    def _draw_layer(self, canvas: Canvas, at: LayerAt, number: int = 0) -> None:
        """Draw a layer, or add the drawing of the same layer on an earlier face.

        A layer without names of columns is one object for all designs. Objects are compared by
        identity, since comparing their fields takes longer than drawing them; the table holds the
        objects so that no id is used twice.
        """
        subject = canvas.subject
        objects = (at.layer, subject.outline, subject.tile)
        key = (*map(id, objects), subject.bleed, subject.safe, subject.crowd, at.transform, number)
        if key not in self._shared:
            if not isinstance(at.layer, DrawnLayer):
                raise TypeError(f"{type(at.layer).__name__} cannot draw itself")
            layer_canvas = Canvas(subject, self.shelf, number)
            try:
                with layer_canvas.transformed(at.transform), layer_canvas.faded(at.layer.opacity):
                    at.layer.draw(layer_canvas)
            except InvalidValueError:
                # A draft shows the items that were drawn before the fault.
                canvas.put(layer_canvas.drawing())
                raise
            if len(self._shared) >= MAX_SHARED_LAYERS:
                self._shared.clear()
            self._shared[key] = layer_canvas.drawing(), objects
        canvas.put(self._shared[key][0])

    def _face(self, canvas: Canvas, side: DesignSide) -> Face:
        face = canvas.face(side.label, mirrored=side.spec.mirrored)
        return self._lines.face(face) if self.game.lines else face


@dataclass
class _RepeatedFault:
    """A fault at a place of a layout, the first design that shows it, and the designs that have it."""

    wrong: InvalidValueError
    place: LayerOrigin
    first: str
    designs: set[str]

    def problem(self) -> Problem:
        """Return the problem at the layout's line.

        The message names the first design and its row.
        """
        others = len(self.designs) - 1
        more = f", and {others} more" if others else ""
        problem = self.wrong.at(self.place.where, f"{self.first}{more}")
        return replace(problem, layer=self.place)


@dataclass
class _GameArtist:
    """The state of drawing one game; `faults_found` holds each distinct fault once, by place and message."""

    side_artist: SideArtist
    keys: FaceKeys
    faults_found: dict[tuple[Where, str], _RepeatedFault]
    tick: Callable[[int], object]
    cache: FaceCache
    faces: dict[str, Face] = field(default_factory=dict)
    done: int = 0

    def component(self, component: Component) -> DrawnComponent:
        return DrawnComponent(
            component, tuple(self._design(component, design) for design in component.designs)
        )

    def _design(self, component: Component, design: Design) -> DrawnDesign:
        faces = {side.name: self._face(side) for side in sides_of(component, design)}
        front = faces.pop("front")
        back = faces.pop("back", None)
        self.done += 1
        self.tick(self.done)
        return DrawnDesign(
            design.id, design.title, design.count, front, back, tuple(faces.values())
        )

    def _face(self, side: DesignSide) -> Face:
        """Return a side from the cache, or draw it; drafts and faces with faults are not cached."""
        key = "" if self.side_artist.game.draft else self.keys.key(side)
        return replace(
            self._cached_face(key) or self._draw_face(side, key), label=side.label, source_key=key
        )

    def _cached_face(self, key: str) -> Face | None:
        if key and key not in self.faces and (stored := self.cache.get(key)):
            self.faces[key] = stored
        return self.faces.get(key)

    def _draw_face(self, side: DesignSide, key: str) -> Face:
        face, faults = self.side_artist.draw(side)
        for at, wrong in faults:
            first = side.design_with_place
            repeated = self.faults_found.setdefault(
                (at.where, wrong.found), _RepeatedFault(wrong, at.place, first, set())
            )
            repeated.designs.add(first)
        if key and not faults:
            self.faces[key] = face
            self.cache.put(key, face)
        return face


def draw_art(asset: Asset, height: float, colour: str, fonts: FontSet, language: str) -> Face:
    """Draw a picture as a face of a height in mm; `colour` replaces `currentColor`."""
    shelf = ArtShelf(language)
    size = Size(height * shelf.art(asset).ratio, height)
    subject = Subject(fill_box("rect", size), 0.0, EMPTY_TILE, {}, {}, fonts, {}, language)
    canvas = Canvas(subject, shelf)
    canvas.art(asset, Rect(0, 0, *size), colour=colour)
    return canvas.face(mirrored=False)


def draw_pack_art(
    game: Game, asset: Asset, height: float, colour: str, *, keeps_colours: bool = False
) -> Face:
    """Draw a picture of a pack as `draw_art` does.

    In a game of line art it becomes line art, unless `keeps_colours`.
    """
    face = draw_art(asset, height, colour, game.fonts, game.language)
    return _line_drawer().face(face) if game.lines and not keeps_colours else face


def _line_drawer() -> "LineDrawer":
    # Loads five modules, which only games in line art need.
    from generator.draw.art.line_art_svg import outline_art
    from generator.picture.line_art_items import LineDrawer, make_grey

    return LineDrawer(outline_art, make_grey)


def share_text_sizes(game: Game) -> Game:
    """Return the game with the texts of each set in the largest size at which all of them fit."""
    artist = SideArtist(game, ArtShelf(game.language), mark_faults)
    components = tuple(_with_shared_sizes(component, artist) for component in game.components)
    return replace(game, components=components) if components != game.components else game


def _with_shared_sizes(component: Component, artist: SideArtist) -> Component:
    members = list(_members(component))
    if not members:
        return component
    sizes: dict[str, float] = {}
    for side, layer in members:
        with suppress(InvalidValueError):  # drawing the layer reports the fault at its place
            size = layer.fitting_size(artist.new_canvas(side))
            sizes[layer.together] = min(size, sizes.get(layer.together, size))
    # Designs share layer objects, and the drawings of shared layers are cached by object.
    resized: dict[int, Layer] = {
        id(layer): layer.model_copy(update={"size": sizes[layer.together]})
        for _, layer in members
        if layer.together in sizes
    }
    designs = tuple(_with_layers(design, resized) for design in component.designs)
    return replace(component, designs=designs)


def _members(component: Component) -> Iterator[tuple[DesignSide, TextLayer]]:
    """Yield the layers of a component that belong to a set, each with its side."""
    for design in component.designs:
        for side in sides_of(component, design):
            for at in side.spec.layers:
                if isinstance(at.layer, TextLayer) and at.layer.together and at.layer.text.strip():
                    yield side, at.layer


def _with_layers(design: Design, resized: dict[int, Layer]) -> Design:
    def resize(face: FaceSpec) -> FaceSpec:
        layers = tuple(replace(at, layer=resized.get(id(at.layer), at.layer)) for at in face.layers)
        return replace(face, layers=layers)

    return replace(
        design,
        front=resize(design.front),
        back=resize(design.back) if design.back else None,
        more=tuple(map(resize, design.more)),
    )
