"""Reduce the images of a web page to the resolution of screens."""

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

# Enough for screens. Images are reduced by whole steps, so most stay finer.
DPI = 120
# zlib's default level, and the number of colours up to which a picture is a drawing and stays a PNG.
PNG_COMPRESSION = 6
MAX_PNG_COLOURS = 1024
# Media types by file suffix.
KINDS = {"png": TYPES["PNG"], "jpg": TYPES["JPEG"], "webp": "image/webp"}


@dataclass
class Screen:
    """Reduces each image once and stores it by `keep`, or embeds it in the page.

    An embedded image that several pictures show is defined once.
    """

    keep: Callable[[str, bytes], object] | None = None
    files: set[str] = field(default_factory=set)
    _boxes: dict[str, Size] = field(default_factory=dict)
    _times: Counter[str] = field(default_factory=Counter)
    _known: dict[str, str] = field(default_factory=dict)

    def expect(self, pictures: Iterable[Picture]) -> None:
        """Record the largest size and the number of uses of each image in the pictures."""
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
            self._known[image.key] = self.place(stem, *reduce_for_screen(image.held, self._boxes.get(image.key)))
        return self._known[image.key]

    def place(self, stem: str, kind: str, data: bytes) -> str:
        """Store a file, and return its address."""
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


def reduce_for_screen(picture: Held, box: Size | None) -> tuple[str, bytes]:
    """Return the suffix and bytes of an image for a box in mm; without a box, at full size."""
    held = picture.less if picture.less and _oversampling(picture.less, box) >= 1 else picture
    data = b64decode(held.text.partition(",")[2])
    with opened(data) as whole:
        kind = "jpg" if whole.format == "JPEG" else "png"
        share = max(1, int(_oversampling(held, box)))
        is_made = kind == "jpg" and held is not picture and share == 1
        if is_made or whole.mode not in PLAIN:
            return kind, data
        if kind == "jpg":  # the JPEG decoder reduces by powers of two
            return kind, jpeg(reduced(whole, 1 << share.bit_length() - 1))
        return _encode(reduced(whole, share))


def _oversampling(picture: Held, box: Size | None) -> float:
    """Return the image's resolution in a box as a multiple of a screen's; 0 without a box."""
    size = size_of(picture)
    return min(size.w / box.w, size.h / box.h) * MM_PER_INCH / DPI if box else 0.0


def _encode(picture: Image.Image) -> tuple[str, bytes]:
    """Return the suffix and bytes of a former PNG: a PNG if it has few colours, else a JPEG, or WebP with alpha."""
    buffer = io.BytesIO()
    plain = picture.convert("RGBA") if picture.mode == "RGBa" else picture
    if plain.getcolors(MAX_PNG_COLOURS):
        plain.save(buffer, "PNG", compress_level=PNG_COMPRESSION)
        return "png", buffer.getvalue()
    if plain.mode != "RGBA":
        return "jpg", jpeg(plain)
    plain.save(buffer, "WEBP", quality=QUALITY, method=0)
    return "webp", buffer.getvalue()
