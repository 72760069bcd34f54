"""Draw designs as faces, layer by layer; faces with equal sources are drawn once and cached.

The text layers of a component with the same `together:` are a set. Each set is sized before anything is
drawn, because a card may be drawn without the others.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from generator.base.cache import NO_CACHE, CacheStore
from generator.base.errors import InvalidValueError, LayerOrigin, Problem, Where, raise_any
from generator.base.geometry import Rect, Size
from generator.base.shapes import fill_box
from generator.draw.art.library import ArtShelf
from generator.draw.art.line_art import outline_art
from generator.draw.canvas import Canvas, DrawnLayer, LayerDrawing, Subject
from generator.draw.draft_marks import FAULT_WORDS, mark_faults
from generator.draw.face_cache import FaceCache
from generator.draw.layers.text import TextLayer
from generator.draw.sides import DesignSide, FaceKeys, name_with_place, sides_of
from generator.pack.game import Asset, Component, Design, FaceSpec, Game, Layer, LayerAt
from generator.pack.tile import EMPTY_TILE
from generator.picture.face import Face
from generator.picture.line_art import LineDrawer, make_grey

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
) -> tuple[DrawnComponent, ...]:
    """Draw all components of a game.

    `tick` is called with the number of designs drawn. `handle_problems` receives all problems; by
    default it raises them, and a draft passes a function that reports them.
    """
    side_artist = SideArtist(game, ArtShelf(game.language), mark_draft)
    artist = _Artist(side_artist, FaceKeys(game), {}, tick, FaceCache(cache, game.fonts))
    components = tuple(artist.component(component) for component in game.components)
    handle_problems([fault.problem() for fault in artist.faults_found.values()])
    return components


Fault = tuple[LayerAt, InvalidValueError]
"""A layer that could not be drawn, and why."""
Blame = Callable[[Canvas, Sequence[Fault]], object]
"""Marks the faults on a face."""


@dataclass(frozen=True)
class SideArtist:
    """Draws single sides of one game; `blame` marks the faults on a face."""

    game: Game
    shelf: ArtShelf
    blame: Blame
    _shared: dict[tuple[object, ...], tuple[LayerDrawing, object]] = field(default_factory=dict)
    _lines: LineDrawer = field(default_factory=lambda: LineDrawer(outline_art, make_grey))

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
            self.blame(canvas, faults)
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
        # A mirrored side is mirrored as a whole when it is drawn, and its links with it.
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
        key = (*map(id, objects), subject.bleed, subject.safe, subject.crowd, at.moves)
        if key not in self._shared:
            if not isinstance(at.layer, DrawnLayer):
                raise TypeError(f"{type(at.layer).__name__} cannot draw itself")
            layer_canvas = Canvas(subject, self.shelf)
            try:
                with layer_canvas.moved(at.moves), layer_canvas.faded(at.layer.opacity):
                    at.layer.draw(layer_canvas)
            except InvalidValueError:
                # A draft shows the items that were drawn before the fault.
                canvas.put(layer_canvas.drawing(), number)
                raise
            if len(self._shared) >= MAX_SHARED_LAYERS:
                self._shared.clear()
            self._shared[key] = layer_canvas.drawing(), objects
        canvas.put(self._shared[key][0], number)

    def _face(self, canvas: Canvas, side: DesignSide) -> Face:
        face = canvas.face(side.label, mirrored=side.spec.mirrored)
        return self._lines.face(face) if self.game.lines else face


def mark_draft(canvas: Canvas, faults: Sequence[Fault]) -> None:
    """Mark a draft's face with its faults."""
    mark_faults(canvas, [f"{at.layer.main} {FAULT_WORDS[wrong.kind]}" for at, wrong in faults])


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
class _Artist:
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
            first = name_with_place(side)
            repeated = self.faults_found.setdefault(
                (at.where, wrong.found), _RepeatedFault(wrong, at.place, first, set())
            )
            repeated.designs.add(first)
        if key and not faults:
            self.faces[key] = face
            self.cache.put(key, face)
        return face


def face_of_art(game: Game, asset: Asset, height: float, colour: str) -> Face:
    """Draw a picture as a face of a height in mm; `colour` replaces `currentColor`."""
    shelf = ArtShelf(game.language)
    size = Size(height * shelf.art(asset).ratio, height)
    subject = Subject(
        fill_box("rect", size),
        0.0,
        EMPTY_TILE,
        game.links,
        game.features,
        game.fonts,
        game.icons,
        game.language,
    )
    canvas = Canvas(subject, shelf)
    canvas.art(asset, Rect(0, 0, *size), colour=colour)
    return canvas.face(mirrored=False)


def share_text_sizes(game: Game) -> Game:
    """Return the game with the texts of each set in the largest size at which all of them fit."""
    artist = SideArtist(game, ArtShelf(game.language), mark_draft)
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
