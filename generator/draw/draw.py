"""Designs to faces: each layer in turn, every problem collected, and the key of all that a face is drawn from."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from generator.core.cache import NOTHING_KEPT, Kept
from generator.core.geometry import Rect, Size
from generator.core.problems import Problem, Where, Wrong, raise_any
from generator.core.shapes import shaped
from generator.draw.art.shelf import ArtShelf
from generator.draw.blemish import BLEMISHES, mark
from generator.draw.canvas import Canvas, LayerDrawing, Subject
from generator.draw.face_cache import FaceCache
from generator.draw.layers.base import DrawnLayer
from generator.draw.sides import DesignSide, FaceKeys, first_of, sides_of
from generator.pack.game import Asset, Component, Design, Game, LayerAt
from generator.pack.links import NO_LINKS
from generator.picture.face import Face

MAX_SHARED_LAYERS = 500
"""Layers remembered at a time. Most never come again, so a full table is simply emptied."""


@dataclass(frozen=True)
class DrawnDesign:
    """A design with its two faces, or with more after the front; `count` pieces have them."""

    id: str
    title: str
    count: int
    front: Face
    back: Face | None
    more: tuple[Face, ...] = ()

    @property
    def faces(self) -> tuple[Face, ...]:
        """All of them, the front first."""
        return tuple(face for face in (self.front, *self.more, self.back) if face)


@dataclass(frozen=True)
class DrawnComponent:
    """A component whose designs are drawn."""

    spec: Component
    designs: tuple[DrawnDesign, ...]

    @property
    def faces(self) -> tuple[Face, ...]:
        """All faces, fronts with their backs; the same picture may stand twice."""
        return tuple(face for design in self.designs for face in design.faces)


def draw_game(
    game: Game,
    tick: Callable[[int], object] = lambda _: None,
    wrong: Callable[[Iterable[Problem]], object] = raise_any,
    kept: Kept = NOTHING_KEPT,
) -> tuple[DrawnComponent, ...]:
    """Draw all components; `wrong` takes all that cannot be drawn, and raises it unless a draft is made."""
    sides = SideArtist(game, ArtShelf(game.language), blemished)
    artist = _Artist(sides, FaceKeys(game), {}, tick, FaceCache(kept, game.fonts))
    drawn = tuple(artist.component(component) for component in game.components)
    wrong([found.problem() for found in artist.found.values()])
    return drawn


Fault = tuple[LayerAt, Wrong]
"""A layer that could not be drawn, and why."""
Blame = Callable[[Canvas, Sequence[Fault]], object]
"""What is done to a face with faults."""


@dataclass(frozen=True)
class SideArtist:
    """Draws single sides of one game; `blame` shows on a face what is wrong with it."""

    game: Game
    shelf: ArtShelf
    blame: Blame
    _shared: dict[tuple[object, ...], tuple[LayerDrawing, object]] = field(default_factory=dict)

    def draw(self, side: DesignSide) -> tuple[Face, tuple[Fault, ...]]:
        """The side with all its layers, and those of them that could not be drawn as they should."""
        canvas, faults = self._canvas(side), []
        for at in side.spec.layers:
            try:
                self._put(canvas, at)
            except Wrong as wrong:
                faults.append((at, wrong))
        if faults:
            self.blame(canvas, faults)
        return self._face(canvas, side), tuple(faults)

    def alone(self, side: DesignSide, at: LayerAt) -> Face:
        """One layer of the side, and nothing else."""
        canvas = self._canvas(side)
        with suppress(Wrong):
            self._put(canvas, at)
        return self._face(canvas, side)

    def _canvas(self, side: DesignSide) -> Canvas:
        game, spec = self.game, side.spec
        tile = spec.tile.mirrored() if spec.mirrored else spec.tile  # the whole picture is mirrored afterwards
        bleed, features = side.component.bleed, game.features
        subject = Subject(side.outline, bleed, tile, game.links, features, game.fonts, game.icons, game.language)
        return Canvas(subject, self.shelf)

    def _put(self, canvas: Canvas, at: LayerAt) -> None:
        """Draw a layer, or add what the same layer drew on an earlier face.

        A layer without names of columns is one object for all designs. Objects are compared by identity, since
        comparing their fields takes longer than drawing them; the table holds them so that no id is used twice.
        """
        subject = canvas.subject
        objects = (at.layer, subject.outline, subject.tile)
        key = (*map(id, objects), subject.bleed, at.moves)
        if key not in self._shared:
            if not isinstance(at.layer, DrawnLayer):
                raise TypeError(f"{type(at.layer).__name__} cannot draw itself")
            own = Canvas(subject, self.shelf)
            try:
                with own.moved(at.moves), own.faded(at.layer.opacity):
                    at.layer.draw(own)
            except Wrong:
                canvas.put(own.drawing())  # a draft shows what was drawn before the fault
                raise
            if len(self._shared) >= MAX_SHARED_LAYERS:
                self._shared.clear()
            self._shared[key] = own.drawing(), objects
        canvas.put(self._shared[key][0])

    def _face(self, canvas: Canvas, side: DesignSide) -> Face:
        return canvas.face(side.label, mirrored=side.spec.mirrored)


def blemished(canvas: Canvas, faults: Sequence[Fault]) -> None:
    """Mark a face of a draft with what is wrong with it."""
    mark(canvas, [f"{at.layer.main} {BLEMISHES[wrong.kind]}" for at, wrong in faults])


@dataclass
class _Found:
    """A fault at a place of a layout, in how many designs, and the first of them."""

    wrong: Wrong
    where: Where
    first: str
    designs: set[str]

    def problem(self) -> Problem:
        """At the layout's line, with the first design and its row named in the message."""
        others = len(self.designs) - 1
        more = f", and {others} more" if others else ""
        return self.wrong.at(self.where, f"{self.first}{more}")


@dataclass
class _Artist:
    """Draws one game; `found` is where everything that goes wrong is kept, the same fault once."""

    sides: SideArtist
    keys: FaceKeys
    found: dict[tuple[Where, str], _Found]
    tick: Callable[[int], object]
    cache: FaceCache
    faces: dict[str, Face] = field(default_factory=dict)
    done: int = 0

    def component(self, component: Component) -> DrawnComponent:
        return DrawnComponent(component, tuple(self._design(component, design) for design in component.designs))

    def _design(self, component: Component, design: Design) -> DrawnDesign:
        faces = {side.name: self._face(side) for side in sides_of(component, design)}
        front, back = faces.pop("front"), faces.pop("back", None)
        self.done += 1
        self.tick(self.done)
        return DrawnDesign(design.id, design.title, design.count, front, back, tuple(faces.values()))

    def _face(self, side: DesignSide) -> Face:
        """The side as it was drawn before, or drawn now; a draft is never kept, and nothing that has a fault."""
        key = "" if self.sides.game.draft else self.keys.key(side)
        return replace(self._known(key) or self._drawn(side, key), label=side.label, source_key=key)

    def _known(self, key: str) -> Face | None:
        if key and key not in self.faces and (stored := self.cache.get(key)):
            self.faces[key] = stored
        return self.faces.get(key)

    def _drawn(self, side: DesignSide, key: str) -> Face:
        face, faults = self.sides.draw(side)
        for at, wrong in faults:
            first = first_of(side)
            found = self.found.setdefault((at.where, wrong.found), _Found(wrong, at.where, first, set()))
            found.designs.add(first)
        if key and not faults:
            self.faces[key] = face
            self.cache.put(key, face)
        return face


def face_of_art(game: Game, asset: Asset, height: float, colour: str) -> Face:
    """The picture so high in mm, as wide as it is; `colour` is what it takes for currentColor."""
    shelf = ArtShelf(game.language)
    size = Size(height * shelf.art(asset).ratio, height)
    subject = Subject(
        shaped("rect", size), 0.0, NO_LINKS, game.links, game.features, game.fonts, game.icons, game.language
    )
    canvas = Canvas(subject, shelf)
    canvas.art(asset, Rect(0, 0, *size), colour=colour)
    return canvas.face(mirrored=False)
