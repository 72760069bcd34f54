"""What a face is drawn from, as a key that is known before it is drawn.

The same key means the same picture: of the layers as they are for this design, with the bytes of all art and fonts that
they name, and of the program's version. A face that was drawn once can be kept by it.
"""

import re
from functools import cache
from hashlib import sha256

from generator import __version__
from generator.core.fonts import FontFile
from generator.core.problems import Where
from generator.core.values import Digester
from generator.pack.game import Asset, Component, FaceSpec, Game
from generator.pack.style import Style

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
