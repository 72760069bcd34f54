"""The pictures of a job, each read once, and as the engines get them: whole, as their authors drew them.

They are written anew from the table of what may stand in one.
"""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from html import escape
from xml.etree import ElementTree as ET

from generator.core.fonts import FontSet
from generator.core.geometry import Rect
from generator.core.held import Aside
from generator.core.pixels import Pixels, read_pixels
from generator.core.svg import SVG, SVG_KIND, written
from generator.draw.art.changes import ArtChange, changed
from generator.draw.art.images import Raster, pixels_of, rasters
from generator.draw.art.model import HREF, Art, declarations, fix_widths, property_of, thinnest_line
from generator.draw.art.model import written as style_of
from generator.draw.art.texts import ArtText, check_texts, set_fonts
from generator.draw.drawings import written_whole
from generator.pack.game import Asset

PAGE = ("x", "y", "width", "height", "viewBox", "preserveAspectRatio", "version", "baseProfile")
"""What an outermost `<svg>` says of its page."""

_COLOURED = re.compile("currentcolor", re.IGNORECASE)


def takes_colour(art: Art) -> bool:
    """Whether anything in it has the colour of what stands round it."""
    values = (value for element in art.root.iter() for value in element.attrib.values())
    return any(map(_COLOURED.search, values)) or any(map(takes_colour, art.inner.values()))


def finished(art: Art, fonts: FontSet) -> Art:
    """A copy in which every text names the file that sets it, also in the pictures that it shows."""
    inner = {address: finished(one, fonts) for address, one in art.inner.items()}
    copy = Art(art.name, deepcopy(art.root), art.view, inner)
    if next(copy.root.iter("text"), None) is not None:
        set_fonts(copy, fonts)
    fix_widths(copy)
    return copy


def address_of(art: Art, colour: str | None) -> str:
    """A finished picture as the address of an image; `colour` is what it takes for currentColor."""
    inner = {address: address_of(one, colour) for address, one in art.inner.items()}
    root = art.root
    if inner:
        root = deepcopy(root)
        for element in root.iter():
            if element.get(HREF, "").strip() in inner:
                element.set(HREF, inner[element.attrib[HREF].strip()])
    text = written(_page(root, art, colour), set(inner.values()))
    named = f"<title>{escape(art.name, quote=False)}</title>"
    head, tail = text.replace("<svg", f'<svg xmlns="{SVG}"', 1).split(">", 1)
    whole = f"{head[:-1]}>{named}</svg>" if head.endswith("/") else f"{head}>{named}{tail}"
    return SVG_KIND + b64encode(whole.encode(errors="replace")).decode()


def _page(root: ET.Element, art: Art, colour: str | None) -> ET.Element:
    """The root with a page of just what the picture shows."""
    page = ET.Element("svg")
    x, y, w, h = (f"{value:.9g}" for value in art.view)
    page.attrib |= {"width": w, "height": h, "viewBox": f"{x} {y} {w} {h}"}
    page.attrib |= {key: value for key, value in root.attrib.items() if key not in PAGE}
    if "style" in page.attrib:
        page.set("style", style_of({k: v for k, v in declarations(page.attrib["style"]).items() if k not in PAGE}))
    if colour and property_of(root, "color") is None:
        page.set("color", colour)
    page.text = root.text
    page.extend(list(root))
    return page


def symbol(art: Art, name: str, fit: str, colour: str | None) -> ET.Element:
    """A finished picture as `<symbol id=name>`; `fit` is SVG's preserveAspectRatio. What lies past its view is cut."""
    x, y, w, h = (f"{value:.9g}" for value in art.view)
    outer = ET.Element("symbol", {"id": name, "viewBox": f"{x} {y} {w} {h}", "preserveAspectRatio": fit})
    box = {"x": x, "y": y, "width": w, "height": h, "preserveAspectRatio": "none"}
    ET.SubElement(outer, "image", {**box, HREF: address_of(art, colour)})
    return outer


Changes = tuple[tuple[str, ArtChange], ...]


@dataclass(frozen=True)
class ShownArt:
    """A picture made ready: its symbol, its texts, and its pixel images."""

    art: Art
    symbol: ET.Element
    texts: tuple[ArtText, ...]
    rasters: tuple[Raster, ...]
    names: Mapping[str, str]
    line: float | None

    @property
    def name(self) -> str:
        """What a face calls it."""
        return self.symbol.get("id", "")

    @cached_property
    def written(self) -> str:
        """Its symbol."""
        return written_whole(self.symbol)

    def called(self, raster: Raster) -> str:
        """What the check calls an image: by its file where it has one."""
        return self.names.get(raster.address, f"an image in {self.art.name}")

    def thinnest(self, box: Rect) -> Iterator[float]:
        """Its thinnest line at the size of its box, in mm, if it draws any."""
        if self.line is not None:
            yield self.line * min(box.w / self.art.view.w, box.h / self.art.view.h)


@dataclass
class ArtShelf:
    """Reads art when it is first asked for, and keeps it for the rest of the job.

    `language` chooses between the texts of a picture that has them in several.
    """

    language: str = "en"
    _arts: dict[tuple[Asset, frozenset[str]], Art] = field(default_factory=dict)
    _shown: dict[tuple[Asset, str, str | None], ShownArt] = field(default_factory=dict)
    _sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    _pixels: dict[str, Pixels] = field(default_factory=dict)
    _aside: Aside = field(default_factory=Aside)

    def art(self, asset: Asset, replaced: frozenset[str] = frozenset()) -> Art:
        """A picture, read and checked; what its images show that are `replaced` does not matter."""
        key = (asset, replaced)
        if key not in self._arts:
            from generator.draw.art.read import read_art

            self._arts[key] = read_art(asset.read(), asset.name, self.language, replaced)
        return self._arts[key]

    def shown(self, asset: Asset, fit: str, fonts: FontSet, changes: Changes, colour: str | None) -> ShownArt:
        """A picture with its `<symbol>`, whose id is the same in every face that shows it in the same way."""
        key = (asset, fit, colour)
        if changes:
            return self._made(asset, fit, fonts, changes, colour)
        if key not in self._shown:
            self._shown[key] = self._made(asset, fit, fonts, (), colour)
        return self._shown[key]

    def size(self, raster: Raster, name: str) -> tuple[int, int]:
        """The pixels of an image in a picture of that name."""
        if raster.address not in self._sizes:
            self._sizes[raster.address] = pixels_of(raster.address, name)
        return self._sizes[raster.address]

    def _made(self, asset: Asset, fit: str, fonts: FontSet, changes: Changes, colour: str | None) -> ShownArt:
        replaced = frozenset(key for key, change in changes if change.picture or change.href)
        plain = self.art(asset, replaced)
        art = finished(changed(plain, dict(changes), self._picture) if changes else plain, fonts)
        colour = colour if takes_colour(art) else None
        name = f"a{_short(f'{asset.name} {fit} {changes or str()}', 8)}{f'-{_short(colour, 6)}' if colour else ''}"
        files = [change.picture for _, change in changes if change.picture and not change.picture.is_svg]
        names = {self.pixels(file).address: file.name for file in files}
        drawn = symbol(art, name, fit, colour)
        return ShownArt(art, drawn, check_texts(art, fonts), rasters(art), names, thinnest_line(art.root))

    def _picture(self, asset: Asset) -> Art | Pixels:
        return self.art(asset) if asset.is_svg else self.pixels(asset)

    def pixels(self, asset: Asset) -> Pixels:
        """A picture of pixels, read and checked."""
        if asset.name not in self._pixels:
            self._pixels[asset.name] = read_pixels(asset.name, asset.read(), self._aside)
        return self._pixels[asset.name]


def _short(text: str, digits: int) -> str:
    return sha256(text.encode()).hexdigest()[:digits]


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
