"""The pictures of pixels that a page's faces show, no finer than a screen shows them."""

import io
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import quote

from PIL import Image

from generator.core.geometry import Size
from generator.core.held import Held
from generator.core.pixels import PLAIN, QUALITY, TYPES, Pixels, data_address, jpeg, opened, opened_address, reduced
from generator.core.units import MM_PER_INCH
from generator.picture.html import PageWriter
from generator.picture.items import Picture, PlacedImage
from generator.picture.raster import image_boxes, larger, size_of
from generator.picture.svg import Element, aspect_ratio

DPI = 120
"""Enough for a screen; what is made smaller by whole steps is finer."""
HARD = 6
FEW = 1024
"""How hard PNGs are packed, and how many colours they have."""
KINDS = {"png": TYPES["PNG"], "jpg": TYPES["JPEG"], "webp": "image/webp"}
"""What files are, by how their names end."""


@dataclass
class Screen:
    """Makes each picture once, and puts it where `keep` says, or into the page; there it is defined if many show it."""

    keep: Callable[[str, bytes], object] | None = None
    files: set[str] = field(default_factory=set)
    _boxes: dict[str, Size] = field(default_factory=dict)
    _times: Counter[str] = field(default_factory=Counter)
    _known: dict[str, str] = field(default_factory=dict)

    def expect(self, pictures: Iterable[Picture]) -> None:
        """Note all pictures that will be shown: how large their images are, and how often each is shown."""
        for picture in pictures:
            for key, box in image_boxes(picture).items():
                self._boxes[key] = larger(box, self._boxes.get(key))
                self._times[key] += 1

    def is_shared(self, image: Pixels) -> bool:
        """Return True if an image stands in the page itself and several pictures show it."""
        return self.keep is None and self._times[image.key] > 1

    def address(self, image: Pixels) -> str:
        """Return the address of an image as a screen shows it; a large one is made once."""
        if not image.is_apart:
            return image.address
        if image.key not in self._known:
            stem = f"picture-{image.key[-12:]}"
            self._known[image.key] = self.place(stem, *for_screen(image.held, self._boxes.get(image.key)))
        return self._known[image.key]

    def place(self, stem: str, kind: str, data: bytes) -> str:
        """The address of a file."""
        address = data_address(KINDS[kind], data)
        if self.keep:
            address = quote(f"{stem}.{kind}")
            self.keep(f"{stem}.{kind}", data)
        self.files.add(address)
        return address


class ScreenWriter(PageWriter):
    """Writes pictures with images no finer than a screen shows; an image that several pictures show is a symbol."""

    def __init__(self, screen: Screen) -> None:
        super().__init__(image_address=lambda image, _box: screen.address(image))
        self._screen = screen

    def image(self, item: PlacedImage) -> Element:
        """Return an image element, or a reference to the image's symbol."""
        address = self._screen.address(item.image)
        self.addresses |= self._screen.files
        if not self._screen.is_shared(item.image):
            return self.image_element(address, item)
        ratio = aspect_ratio(item)
        symbol = f"p{item.image.key[-12:]}-{item.fit}-{item.position}"
        if symbol not in self.definitions:
            with opened_address(address) as picture:
                self.define_image(symbol, address, Size(*picture.size), ratio)
        return self.reference(symbol, item.box)


def for_screen(picture: Held, box: Size | None) -> tuple[str, bytes]:
    """How the file ends, and its bytes, for a picture that is shown in a box (mm), or whole where that is not known."""
    held = picture.less if picture.less and _finer(picture.less, box) >= 1 else picture
    data = b64decode(held.text.partition(",")[2])
    with opened(data) as whole:
        kind = "jpg" if whole.format == "JPEG" else "png"
        share = max(1, int(_finer(held, box)))
        is_made = kind == "jpg" and held is not picture and share == 1
        if is_made or whole.mode not in PLAIN:
            return kind, data
        if kind == "jpg":  # which is read by halves
            return kind, jpeg(reduced(whole, 1 << share.bit_length() - 1))
        return _packed(reduced(whole, share))


def _finer(picture: Held, box: Size | None) -> float:
    """How many times as fine as a screen a picture is in a box; of one that is not known, nobody can tell."""
    size = size_of(picture)
    return min(size.w / box.w, size.h / box.h) * MM_PER_INCH / DPI if box else 0.0


def _packed(picture: Image.Image) -> tuple[str, bytes]:
    """What was a PNG: as one again where it is drawn, in few colours; a photograph as those are packed."""
    buffer = io.BytesIO()
    plain = picture.convert("RGBA") if picture.mode == "RGBa" else picture
    if plain.getcolors(FEW):
        plain.save(buffer, "PNG", compress_level=HARD)
        return "png", buffer.getvalue()
    if plain.mode != "RGBA":
        return "jpg", jpeg(plain)
    plain.save(buffer, "WEBP", quality=QUALITY, method=0)
    return "webp", buffer.getvalue()
