"""The sides of designs, and the cache keys of their faces, which are known before drawing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from generator.base.cache import program_digest
from generator.base.errors import Where
from generator.base.fonts import FontFile, font_set
from generator.base.outline import Outline
from generator.base.values import Digester
from generator.draw.art.read import linked_files
from generator.pack.game import Asset, Component, Design, FaceSpec, Game
from generator.text.style import Style


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


def name_with_place(side: DesignSide) -> str:
    """Return a design's name and place for messages."""
    return f"{side.component.id}:{side.design.id} ({side.design.where})"


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
        layers = serialize([(at.layer, at.moves) if at.moves else at.layer for at in spec.layers])
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
        with_text = any(b"text" in file.read() for file in files)
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
    return file.key, sha256(file.path.read_bytes()).hexdigest()


def _ignore(_: Where) -> None:
    """Return None: the place of a layer in its file does not change the drawing."""
