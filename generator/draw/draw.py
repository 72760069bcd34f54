"""Designs to faces: each layer in turn, every problem collected, and the key of all that a face is drawn from."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256

from generator import __version__
from generator.core.fonts import FontFile
from generator.core.geometry import Rect, Size
from generator.core.problems import Problem, Where, Wrong, raise_any
from generator.core.shapes import shaped
from generator.core.values import Digester
from generator.draw.blemish import BLEMISHES, mark
from generator.draw.canvas import Canvas, Subject
from generator.draw.face import Face
from generator.draw.layers.base import DrawnLayer
from generator.draw.shelf import ArtShelf
from generator.pack.game import Asset, Component, Design, FaceSpec, Game
from generator.pack.links import NO_LINKS
from generator.pack.style import Style


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
) -> tuple[DrawnComponent, ...]:
    """Draw all components; `wrong` takes all that cannot be drawn, and raises it unless a draft is made."""
    artist = _Artist(game, ArtShelf(game.language), FaceKeys(game), {}, tick)
    drawn = tuple(artist.component(component) for component in game.components)
    wrong([found.problem() for found in artist.found.values()])
    return drawn


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

    game: Game
    shelf: ArtShelf
    keys: "FaceKeys"
    found: dict[tuple[Where, str], _Found]
    tick: Callable[[int], object]
    done: int = 0

    def component(self, component: Component) -> DrawnComponent:
        return DrawnComponent(component, tuple(self._design(component, design) for design in component.designs))

    def _design(self, component: Component, design: Design) -> DrawnDesign:
        shown = replace(component, outline=component.panels[0]) if component.panels else component
        front = self._face(shown, design, design.front, "front")
        back = self._face(component, design, design.back, "back") if design.back else None
        panels = component.panels[1:] or (component.outline,) * len(design.more)
        more = tuple(
            self._face(replace(component, outline=panel), design, spec, f"face {n}")
            for n, (spec, panel) in enumerate(zip(design.more, panels, strict=True), 2)
        )
        self.done += 1
        self.tick(self.done)
        return DrawnDesign(design.id, design.title, design.count, front, back, more)

    def _face(self, component: Component, design: Design, spec: FaceSpec, side: str) -> Face:
        game = self.game
        tile = spec.tile.mirrored() if spec.mirrored else spec.tile  # the whole picture is mirrored afterwards
        outline = component.behind if side == "back" and not spec.mirrored else component.outline
        subject = Subject(
            outline, component.bleed, tile, game.links, game.features, game.fonts, game.icons, game.language
        )
        canvas = Canvas(subject, self.shelf)
        faults: list[str] = []
        for at in spec.layers:
            if not isinstance(at.layer, DrawnLayer):
                raise TypeError(f"{type(at.layer).__name__} cannot draw itself")
            try:
                with canvas.moved(at.moves), canvas.faded(at.layer.opacity):
                    at.layer.draw(canvas)
            except Wrong as wrong:
                first = f"{component.id}:{design.id} ({design.where})"
                found = self.found.setdefault((at.where, wrong.found), _Found(wrong, at.where, first, set()))
                found.designs.add(first)
                faults.append(f"{at.layer.main} {BLEMISHES[wrong.kind]}")
        if faults:
            mark(canvas, faults)
        face = canvas.face(mirrored=spec.mirrored)
        key = "" if game.draft else self.keys.key(component, spec)
        return replace(face, label=f"{component.id}:{design.id} {side}", drawn_from=key)


_ICON = re.compile(r"(?=:([\w./-]+):)")
"""What may be an icon in a text."""


class FaceKeys:
    """The keys of one game's faces; every file is read once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._digester = Digester(
            {Asset: cache(self._art), FontFile: cache(_font), Style: self._style, Where: _nothing}
        )

    def key(self, component: Component, spec: FaceSpec) -> str:
        """The key of one side of a design."""
        game, told = self._game, self._digester.told
        layers, tile = told(spec.layers), told(spec.tile)
        return self._digester.digest(
            __version__,
            (component.outline, component.bleed, spec.mirrored, game.language),
            layers,
            tile,
            {name: style for name, style in game.links.items() if name in tile},
            {name: feature for name, feature in game.features.items() if name in tile},
            {name: game.icons[name] for name in _ICON.findall(layers) if name in game.icons},
        )

    def _art(self, asset: Asset) -> object:
        """Its name and its bytes; where it has texts, also all fonts, since it may ask for any."""
        data = asset.read()
        return asset.name, sha256(data).hexdigest(), self._game.fonts.files if b"<text" in data else ()

    def _style(self, style: Style) -> object:
        """All that it says, and the font files that a text in it may be set in."""
        return vars(style), [file for file in self._game.fonts.files if file.family == style.font]


def _font(file: FontFile) -> object:
    return file.key, sha256(file.path.read_bytes()).hexdigest()


def _nothing(_: Where) -> None:
    """Where something is written is not what is drawn."""


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
