"""The pictures of a job, each read once."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from hashlib import sha256
from xml.etree import ElementTree as ET

from generator.core.fonts import FontSet
from generator.core.geometry import Rect
from generator.draw.art import Art, read_art
from generator.draw.art.changes import ArtChange
from generator.draw.art.fonts import set_fonts
from generator.draw.art.gradients import settle_gradients
from generator.draw.art.inline import symbol
from generator.draw.art.lines import thinnest_line
from generator.draw.art.rasters import Raster, pixels_of, rasters
from generator.draw.art.settings import changed
from generator.draw.art.strokes import settle_strokes
from generator.draw.art.template import Corners, check_texts
from generator.draw.art.viewport import settle
from generator.draw.pixels import Pixels, read_pixels
from generator.pack.game import Asset

Changes = tuple[tuple[str, ArtChange], ...]


@dataclass(frozen=True)
class ShownArt:
    """A picture made ready: its symbol, where texts were filled in, and its pixel images."""

    art: Art
    symbol: ET.Element
    texts: tuple[Corners, ...]
    rasters: tuple[Raster, ...]
    names: Mapping[str, str]

    def called(self, raster: Raster) -> str:
        """What the check calls an image: by its file where it has one."""
        return self.names.get(raster.address, f"an image in {self.art.name}")


@dataclass
class ArtShelf:
    """Reads art when it is first asked for, and keeps it for the rest of the job.

    `language` chooses between the texts of a picture that has them in several.
    """

    language: str = "en"
    _arts: dict[Asset, Art] = field(default_factory=dict)
    _shown: dict[tuple[Asset, str], ShownArt] = field(default_factory=dict)
    _sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    _pixels: dict[str, Pixels] = field(default_factory=dict)
    _lines: dict[Asset, float | None] = field(default_factory=dict)

    def art(self, asset: Asset) -> Art:
        """A picture, read and checked."""
        if asset not in self._arts:
            self._arts[asset] = read_art(asset.read(), asset.name, self.language)
        return self._arts[asset]

    def shown(self, asset: Asset, fit: str, fonts: FontSet, changes: Changes = ()) -> ShownArt:
        """A picture with its `<symbol>`, whose id is the same in every face that shows it in the same way."""
        key = (asset, fit)
        if changes:
            return self._made(asset, fit, fonts, changes)
        if key not in self._shown:
            self._shown[key] = self._made(asset, fit, fonts, ())
        return self._shown[key]

    def size(self, raster: Raster, name: str) -> tuple[int, int]:
        """The pixels of an image in a picture of that name."""
        if raster.address not in self._sizes:
            self._sizes[raster.address] = pixels_of(raster.address, name)
        return self._sizes[raster.address]

    def _made(self, asset: Asset, fit: str, fonts: FontSet, changes: Changes) -> ShownArt:
        art = changed(self.art(asset), dict(changes), self._picture)
        art = Art(art.name, art.root if changes else deepcopy(art.root), art.view)
        set_fonts(art, fonts)
        settle(art)
        texts, images = check_texts(art, fonts), rasters(art)
        settle_gradients(art)
        settle_strokes(art)
        name = "a" + sha256(f"{asset.name} {fit} {changes or ''}".encode()).hexdigest()[:8]
        files = [change.picture for _, change in changes if change.picture and not change.picture.is_svg]
        names = {self.pixels(file).address: file.name for file in files}
        return ShownArt(art, symbol(art, name, fit), texts, images, names)

    def _picture(self, asset: Asset) -> Art | Pixels:
        return self.art(asset) if asset.is_svg else self.pixels(asset)

    def pixels(self, asset: Asset) -> Pixels:
        """A picture of pixels, read and checked."""
        if asset.name not in self._pixels:
            self._pixels[asset.name] = read_pixels(asset)
        return self._pixels[asset.name]

    def thinnest(self, asset: Asset, box: Rect) -> Iterator[float]:
        """The thinnest line of a picture at the size of its box, in mm, if it draws any."""
        art = self.art(asset)
        if asset not in self._lines:
            self._lines[asset] = thinnest_line(art.root)
        line = self._lines[asset]
        if line is not None:
            yield line * min(box.w / art.view.w, box.h / art.view.h)


@dataclass(frozen=True)
class Widths(Mapping[str, float]):
    """How wide each icon is, as a multiple of its height; an icon is read when its width is asked for."""

    icons: Mapping[str, Asset]
    shelf: ArtShelf

    def __getitem__(self, name: str) -> float:
        asset = self.icons[name]
        if asset.is_svg:
            return self.shelf.art(asset).ratio
        picture = self.shelf.pixels(asset)
        return picture.width / picture.height

    def __contains__(self, name: object) -> bool:
        return name in self.icons

    def __iter__(self) -> Iterator[str]:
        return iter(self.icons)

    def __len__(self) -> int:
        return len(self.icons)
