"""The pictures of a job, each read once."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from xml.etree import ElementTree as ET

from generator.draw.art import Art, read_art
from generator.draw.art_fonts import check_fonts
from generator.draw.inline import symbol
from generator.draw.lines import thinnest_line
from generator.draw.pixels import Pixels, read_pixels
from generator.fonts import FontSet
from generator.geometry import Rect
from generator.pack.game import Asset


@dataclass
class Shelf:
    """Reads art when it is first asked for, and keeps it for the rest of the job."""

    _arts: dict[str, Art] = field(default_factory=dict)
    _symbols: dict[tuple[str, str], ET.Element] = field(default_factory=dict)
    _pixels: dict[str, Pixels] = field(default_factory=dict)
    _lines: dict[str, float | None] = field(default_factory=dict)

    def art(self, asset: Asset) -> Art:
        """A picture, read and checked."""
        if asset.name not in self._arts:
            self._arts[asset.name] = read_art(asset.path, asset.name)
        return self._arts[asset.name]

    def symbol(self, asset: Asset, fit: str, fonts: FontSet) -> ET.Element:
        """A picture as a `<symbol>`; its id is the same in every face that shows it."""
        key = (asset.name, fit)
        if key not in self._symbols:
            art = self.art(asset)
            check_fonts(art, fonts)
            name = "a" + sha256(f"{asset.name} {fit}".encode()).hexdigest()[:8]
            self._symbols[key] = symbol(art, name, fit)
        return self._symbols[key]

    def pixels(self, asset: Asset) -> Pixels:
        """A picture of pixels, read and checked."""
        if asset.name not in self._pixels:
            self._pixels[asset.name] = read_pixels(asset)
        return self._pixels[asset.name]

    def thinnest(self, asset: Asset, box: Rect) -> Iterator[float]:
        """The thinnest line of a picture at the size of its box, in mm, if it draws any."""
        art = self.art(asset)
        if asset.name not in self._lines:
            self._lines[asset.name] = thinnest_line(art.root)
        line = self._lines[asset.name]
        if line is not None:
            yield line * min(box.w / art.view.w, box.h / art.view.h)
