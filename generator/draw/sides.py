"""The sides of designs, and the key of all that the face of one is drawn from, known before it is drawn."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256

from generator.core.cache import program
from generator.core.fonts import FontFile
from generator.core.outline import Outline
from generator.core.problems import Where
from generator.core.values import Digester
from generator.pack.game import Asset, Component, Design, FaceSpec, Game
from generator.pack.style import Style


@dataclass(frozen=True)
class DesignSide:
    """One side of a design: its component as this side has it, the layers, and what the side is called."""

    component: Component
    design: Design
    spec: FaceSpec
    name: str

    @property
    def label(self) -> str:
        """Whose it is, and which."""
        return f"{self.component.id}:{self.design.id} {self.name}"

    @property
    def outline(self) -> Outline:
        """What it is cut to."""
        is_behind = self.name == "back" and not self.spec.mirrored
        return self.component.behind if is_behind else self.component.outline


def sides_of(component: Component, design: Design) -> Iterator[DesignSide]:
    """All sides of a design: the front, what it has more, the back."""
    shown = replace(component, outline=component.panels[0]) if component.panels else component
    yield DesignSide(shown, design, design.front, "front")
    panels = component.panels[1:] or (component.outline,) * len(design.more)
    for n, (spec, panel) in enumerate(zip(design.more, panels, strict=True), 2):
        yield DesignSide(replace(component, outline=panel), design, spec, f"face {n}")
    if design.back:
        yield DesignSide(component, design, design.back, "back")


def first_of(side: DesignSide) -> str:
    """How a message names the design that it is about."""
    return f"{side.component.id}:{side.design.id} ({side.design.where})"


_ICON = re.compile(r":(?=([\w./-]+):)")
"""What may be an icon in a text."""


class FaceKeys:
    """The keys of one game's faces; every file is read once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._digester = Digester(
            {Asset: cache(self._art), FontFile: cache(_font), Style: self._style, Where: _nothing}
        )

    def key(self, side: DesignSide) -> str:
        """The key of one side of a design."""
        game, spec, told = self._game, side.spec, self._digester.told
        layers = told([(at.layer, at.moves) if at.moves else at.layer for at in spec.layers])
        tile = told(spec.tile)
        return self._digester.digest(
            program(),
            (side.outline, side.component.bleed, spec.mirrored, game.language),
            layers,
            tile,
            {name: style for name, style in game.links.items() if name in tile},
            {name: feature for name, feature in game.features.items() if name in tile},
            {name: game.icons[name] for name in _ICON.findall(layers) if name in game.icons},
        )

    def _art(self, asset: Asset) -> object:
        """Its name and its bytes; where it has texts, also all fonts, since it may ask for any."""
        if asset.lack:
            return asset.name, str(asset.lack)
        data = asset.read()
        return (
            asset.name,
            sha256(data).hexdigest(),
            (self._game.fonts.files, self._game.fonts.instead) if b"text" in data else (),
        )

    def _style(self, style: Style) -> object:
        """All that it says, and the font files that a text in it may be set in."""
        return vars(style), [file for file in self._game.fonts.files if file.family == style.font]


def _font(file: FontFile) -> object:
    return file.key, sha256(file.path.read_bytes()).hexdigest()


def _nothing(_: Where) -> None:
    """Where something is written is not what is drawn."""
