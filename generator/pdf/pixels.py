"""Larger pictures of pixels as images of PDF: JPEGs and plain PNGs with the bytes that they have, others packed anew.

PDF reads both as they are packed in their files, so nobody decodes them, and they get no larger. Of what is seen
through, the colours and what can be seen of them are two images. What is told in other ways (colours by a profile,
sixteen bits, palettes, in passes) is left to typst, as is the question which colours red, green and blue are: `spaces`
has its answer.
"""

import io
import struct
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

from PIL import Image

from generator.core.cache import Kept, key_of
from generator.core.geometry import Size
from generator.core.held import Held, held
from generator.core.svg import SVG
from generator.core.units import MM_PER_INCH, number
from generator.pdf.art import MARKER, bare, png_address
from generator.pdf.room import PageSource
from generator.picture.face import Face
from generator.picture.items import PlacedImage, walk
from generator.picture.raster import size_of

KEPT = "image"
"""What pictures that were packed anew are called in the cache."""
QUALITY = 92
"""Of JPEGs that were made smaller."""
SLACK = 1.05
"""How much finer than wanted a picture may be and stay as it is."""
_SCALED = {"L", "LA", "RGB", "RGBA"}
_OF_COLOURS = {"icc_profile", "gamma", "chromaticity", "transparency"}
EFFORT = 4
"""How hard they are packed: with more they take twice as long, and a twentieth less room."""

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8"
_OTHER_COLOURS = {b"iCCP", b"gAMA", b"cHRM", b"cICP", b"tRNS", b"PLTE"}
_GREY = 0
_RGB = 2
_GREY_ALPHA = 4
_RGBA = 6
_CHANNELS = {_GREY: 1, _RGB: 3}
_FRAMES = {0xC0, 0xC1, 0xC2}
"""The kinds of JPEG that PDF reads."""
_ALONE = {0x01, *range(0xD0, 0xD8)}
"""Marks of a JPEG that nothing belongs to."""


@dataclass(frozen=True)
class PackedImage:
    """A picture as it is packed, and how; `alpha` is what can be seen of it, where that is not all."""

    size: tuple[int, int]
    channels: int
    data: bytes
    is_jpeg: bool = False
    alpha: "PackedImage | None" = None

    @property
    def packed_size(self) -> int:
        """Bytes that it takes in a file."""
        return len(self.data) + (len(self.alpha.data) if self.alpha else 0)


PICTURE_SIDE = 100.0
"""mm; how wide a picture's page is, of which the picture alone is used."""


@dataclass(frozen=True)
class PixelsShown:
    """A picture of pixels, a face that shows it, how large it is shown at most (mm), and how fine it may print."""

    label: str
    picture: Held
    key: str = ""
    box: Size | None = None
    dpi: int | None = None

    @property
    def address(self) -> str:
        """Its address."""
        return self.picture.text

    @property
    def data(self) -> bytes:
        """Its file."""
        return b64decode(self.address.partition(",")[2])

    @cached_property
    def size(self) -> Size:
        """In pixels."""
        return size_of(self.picture)

    @property
    def share(self) -> float:
        """How much of its pixels in a row print."""
        if not self.dpi or not self.box:
            return 1.0
        dense = min(self.size.w / self.box.w, self.size.h / self.box.h) * MM_PER_INCH
        return self.dpi / dense if dense > SLACK * self.dpi else 1.0

    @property
    def wanted(self) -> tuple[bytes, str]:
        """The file as it is to print, and its key; made smaller where it is too fine and tells pixels alone."""
        data = self.data
        share = self.share
        if share == 1.0:
            return data, self.key
        with Image.open(io.BytesIO(data)) as picture:
            if picture.mode not in _SCALED or picture.info.keys() & _OF_COLOURS:
                return data, self.key
            size = ceil(picture.width * share), ceil(picture.height * share)
            return _scaled(picture, size), f"{self.key} {size[0]} {size[1]}"

    def leaf(self, key: str) -> PageSource:
        """A page of it."""
        w, h = map(number, self.size)
        image = f'<image width="{w}" height="{h}" preserveAspectRatio="none" href="{self.address}"/>'
        svg = f'<svg xmlns="{SVG}" width="{w}" height="{h}" viewBox="0 0 {w} {h}">{image}</svg>'
        return PageSource(bare(key), self.label, svg, Size(PICTURE_SIDE, PICTURE_SIDE * self.size.h / self.size.w))


def colour_samples() -> list[PageSource]:
    """A picture in colours and one in grey, of which only matters what typst takes their colours for."""
    samples = {"colours": Image.new("RGB", MARKER, "#204060"), "grey": Image.new("L", MARKER, 96)}
    return [
        PixelsShown(name, held(png_address(picture).encode())).leaf(f":{name}") for name, picture in samples.items()
    ]


def _scaled(picture: Image.Image, size: tuple[int, int]) -> bytes:
    """A picture as large as that, in a file of its kind; colours that nobody sees do not run into those beside them."""
    buffer = io.BytesIO()
    mixed = {"LA": "La", "RGBA": "RGBa"}.get(picture.mode, picture.mode)
    small = picture.convert(mixed).resize(size, Image.Resampling.LANCZOS).convert(picture.mode)
    if picture.format == "JPEG":
        small.save(buffer, "JPEG", quality=QUALITY, subsampling=0)
    else:
        small.save(buffer, "PNG", compress_level=EFFORT)
    return buffer.getvalue()


@dataclass(frozen=True)
class MadeSmaller:
    """How many pictures print with fewer pixels than they have, and with how many an inch at most."""

    count: int = 0
    dpi: int = 0

    @classmethod
    def of(cls, pictures: Iterable[PixelsShown]) -> "MadeSmaller":
        """Those among some pictures."""
        fine = [picture.dpi or 0 for picture in pictures if picture.share < 1]
        return cls(len(fine), max(fine, default=0))


NONE_SMALLER = MadeSmaller()


def told_of_pictures(parts: Iterable[MadeSmaller]) -> tuple[str, ...]:
    """What to say of pictures that were made smaller, if there are any."""
    told = [part for part in parts if part.count]
    count = sum(part.count for part in told)
    what = "1 picture has" if count == 1 else f"{count} pictures have"
    return (f"{what} more than {told[0].dpi} pixels an inch; printed with {told[0].dpi} (--dpi)",) if told else ()


def pictures_in(faces: Iterable[Face], dpi: int | None = None) -> Mapping[str, PixelsShown]:
    """All larger pictures of pixels that faces show, each once, by its key."""
    found: dict[str, PixelsShown] = {}
    for face in faces:
        for item, _ in walk(face.items):
            if not (isinstance(item, PlacedImage) and item.image.is_apart):
                continue
            key = item.image.key
            box = item.box.size
            known = found.get(key)
            if known is None:
                found[key] = PixelsShown(face.label, item.image.held, key, box if dpi else None, dpi)
            elif known.box and known.box != box:
                found[key] = replace(known, box=Size(*map(max, box, known.box)))
    return found


def packed_image(data: bytes, key: str, kept: Kept) -> PackedImage | None:
    """What PDF takes of a picture's file, unless it is one for typst."""
    if data.startswith(_JPEG):
        return _jpeg(data)
    if not data.startswith(_PNG):
        return None
    chunks = dict(_chunks(data))
    width, height, bits, colour, _, _, passes = struct.unpack(">IIBBBBB", chunks[b"IHDR"][:13])
    if bits != 8 or passes or chunks.keys() & _OTHER_COLOURS:
        return None
    if colour in _CHANNELS:
        return PackedImage((width, height), _CHANNELS[colour], chunks[b"IDAT"])
    return _seen_through(data, key, kept) if colour in {_GREY_ALPHA, _RGBA} else None


def _seen_through(data: bytes, key: str, kept: Kept) -> PackedImage:
    """The colours and the alpha of a PNG, packed anew."""
    place = key_of(KEPT, key)
    known = kept.get(KEPT, place)
    if known is None:
        with Image.open(io.BytesIO(data)) as picture:
            alpha = picture.getchannel("A")
            plain = picture.convert("L" if picture.mode == "LA" else "RGB")
        parts = [_png(plain)] if alpha.getextrema() == (255, 255) else [_png(plain), _png(alpha)]
        known = struct.pack(">I", len(parts[0])) + b"".join(parts)
        kept.put(KEPT, place, known)
    (length,) = struct.unpack(">I", known[:4])
    colours = known[4 : 4 + length]
    seen = known[4 + length :]
    return replace(_plain(colours), alpha=_plain(seen) if seen else None)


def _png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=EFFORT)
    return buffer.getvalue()


def _plain(data: bytes) -> PackedImage:
    """A PNG of ours."""
    chunks = dict(_chunks(data))
    width, height, _, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    return PackedImage((width, height), _CHANNELS[colour], chunks[b"IDAT"])


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The parts of a PNG by their names; its pixels as one."""
    at = len(_PNG)
    pixels = []
    while at + 8 <= len(data):
        (length,), name = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        part = data[at + 8 : at + 8 + length]
        if name == b"IDAT":
            pixels.append(part)
        else:
            yield name, part
        at += 12 + length
    yield b"IDAT", b"".join(pixels)


def _jpeg(data: bytes) -> PackedImage | None:
    """A JPEG of grey or of the usual colours, of which no profile says what they are."""
    frame = None
    for mark, part in _segments(data):
        if mark in _FRAMES:
            frame = part
        if (mark == 0xE2 and part.startswith(b"ICC_PROFILE")) or (mark == 0xEE and part.startswith(b"Adobe")):
            return None
    if frame is None or len(frame) < 6:
        return None
    bits, height, width, channels = struct.unpack(">BHHB", frame[:6])
    if bits != 8 or channels not in {1, 3} or not height or not width:
        return None
    return PackedImage((width, height), channels, data, is_jpeg=True)


def _segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The marks of a JPEG with what belongs to them, up to its first pixels."""
    at = len(_JPEG)
    while at + 4 <= len(data) and data[at] == 0xFF:
        mark = data[at + 1]
        if mark == 0xFF or mark in _ALONE:
            at += 1 if mark == 0xFF else 2
            continue
        if mark == 0xDA:
            return
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        yield mark, data[at + 4 : at + 2 + length]
        at += 2 + length
