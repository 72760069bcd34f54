"""Large images of pixels: reduce those that are too fine, and write PDFs with a page for each image.

qpdf joins these files with the sheets on disk (`forms.py`), because pikepdf copies objects from
other files through memory. Compressed data are taken over as they are.
"""

import io
import struct
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

import pikepdf
from PIL import Image
from reportlab.pdfbase.pdfdoc import PDFError
from reportlab.pdfbase.pdfutils import readJPEGInfo

from generator.base.cache import CacheStore, key_of
from generator.base.geometry import Size
from generator.base.spill import SpilledBytes, SpillFile, spill
from generator.base.units import MM_PER_INCH
from generator.pdf.art_pages import MARKER_SIZE, image_marker_name, image_svg
from generator.pdf.typst import PageSource
from generator.picture.face import Face
from generator.picture.images import encode_png, png_address
from generator.picture.items import PlacedImage, walk
from generator.picture.raster import pixel_size

# The step's name in the cache.
CACHE_STEP = "image"
# The quality of reduced JPEGs. Measured on noise with the spectrum of photographs: 99 % of the pixels change by at
# most 8 of 255 levels (38 dB). Quality 95 halves that and takes a quarter more bytes.
JPEG_QUALITY = 92
# An image may be this much finer than the limit without being reduced: resampling would blur it and save little.
MAX_OVERSAMPLING = 1.05
# Pillow's modes of images that are reduced, and its names of the entries that change an image's colours: images with
# such an entry keep their pixels.
_SCALABLE_MODES = {"L", "LA", "RGB", "RGBA"}
_COLOUR_INFO = {"icc_profile", "gamma", "chromaticity", "transparency"}
# zlib's level: higher levels take twice as long and save a twentieth of the space.
PNG_COMPRESSION = 4

# PNG chunks are read here, since no library gives what is needed: Pillow hands out no compressed data
# of a PNG, so its pixels would be packed again. ReportLab packs PNGs again, too, and pikepdf reads
# images of PDFs only.
_PNG = b"\x89PNG\r\n\x1a\n"
# The SOI marker.
_JPEG = b"\xff\xd8"
_COLOUR_CHUNKS = {b"iCCP", b"gAMA", b"cHRM", b"cICP", b"tRNS", b"PLTE"}
_GREY = 0
_RGB = 2
_GREY_ALPHA = 4
_RGBA = 6
_CHANNELS = {_GREY: 1, _RGB: 3}


@dataclass(frozen=True)
class PackedImage:
    """An image whose compressed data a PDF can hold unchanged: a JPEG, or the data of a PNG."""

    size: tuple[int, int]
    channels: int
    data: bytes
    is_jpeg: bool = False
    alpha: "PackedImage | None" = None  # the transparency, as a grey image

    @property
    def packed_size(self) -> int:
        """The number of bytes in a file."""
        return len(self.data) + (len(self.alpha.data) if self.alpha else 0)


# The width of an image's page, in points in our files and in mm in typst's. Only the image is used, so any size does.
PAGE_SIDE = 100.0


@dataclass(frozen=True)
class PrintedImage:
    """A large image to print, with at most `dpi` pixels per inch at its largest size on any face."""

    label: str  # a face that shows the image, for messages
    spilled: SpilledBytes  # its data address
    key: str = ""
    box: Size | None = None  # its largest size on a face, in mm; None without a limit
    dpi: int | None = None

    @property
    def address(self) -> str:
        """The data address of the image."""
        return self.spilled.text

    @property
    def data(self) -> bytes:
        """The bytes of the image's file."""
        return b64decode(self.address.partition(",")[2])

    @cached_property
    def size(self) -> Size:
        """The size in pixels."""
        return pixel_size(self.spilled)

    @property
    def scale(self) -> float:
        """The scale by which the image is reduced; 1 for an image that is not too fine."""
        if not self.dpi or not self.box:
            return 1.0
        dpi_on_paper = min(self.size.w / self.box.w, self.size.h / self.box.h) * MM_PER_INCH
        return self.dpi / dpi_on_paper if dpi_on_paper > MAX_OVERSAMPLING * self.dpi else 1.0

    @property
    def printed_file(self) -> tuple[bytes, str]:
        """The file to print and its key, reduced if it is too fine and has no colour profile."""
        data = self.data
        scale = self.scale
        if scale == 1.0:
            return data, self.key
        with Image.open(io.BytesIO(data)) as picture:
            if picture.mode not in _SCALABLE_MODES or picture.info.keys() & _COLOUR_INFO:
                return data, self.key
            size = ceil(picture.width * scale), ceil(picture.height * scale)
            return _reduce(picture, size), f"{self.key} {size[0]} {size[1]}"

    def page_source(self, key: str) -> PageSource:
        """Return a page with the image, for typst."""
        size = Size(PAGE_SIDE, PAGE_SIDE * self.size.h / self.size.w)
        return PageSource(
            image_marker_name(key), self.label, image_svg(self.address, self.size), size
        )


def colour_samples() -> list[PageSource]:
    """Return a coloured and a grey image, from whose compiled pages typst's colour spaces can be taken."""
    samples = {
        "colours": Image.new("RGB", MARKER_SIZE, "#204060"),
        "grey": Image.new("L", MARKER_SIZE, 96),
    }
    return [
        PrintedImage(name, spill(png_address(picture).encode())).page_source(f":{name}")
        for name, picture in samples.items()
    ]


def _reduce(picture: Image.Image, size: tuple[int, int]) -> bytes:
    """Return the file of an image with fewer pixels: a JPEG for a JPEG, otherwise a PNG."""
    # Alpha is premultiplied, so that the colours of invisible pixels do not mix with visible ones.
    premultiplied = {"LA": "La", "RGBA": "RGBa"}.get(picture.mode, picture.mode)
    small = (
        picture.convert(premultiplied).resize(size, Image.Resampling.LANCZOS).convert(picture.mode)
    )
    if picture.format != "JPEG":
        return encode_png(small, PNG_COMPRESSION)
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=JPEG_QUALITY, subsampling=0)
    return buffer.getvalue()


def reduction_notes(resolutions: Sequence[int]) -> tuple[str, ...]:
    """Return a note on images that were reduced to these resolutions in dpi, if any."""
    if not resolutions:
        return ()
    count = len(resolutions)
    what = "1 picture has" if count == 1 else f"{count} pictures have"
    dpi = max(resolutions)
    return (f"{what} more than {dpi} pixels an inch; printed with {dpi} (--dpi)",)


def large_images_of(faces: Iterable[Face], dpi: int | None = None) -> Mapping[str, PrintedImage]:
    """Return the large images of some faces by key."""
    images: dict[str, PrintedImage] = {}
    for face in faces:
        for item, _ in walk(face.items):
            if not (isinstance(item, PlacedImage) and item.image.is_large):
                continue
            key = item.image.key
            box = item.box.size
            earlier = images.get(key)
            if earlier is None:
                images[key] = PrintedImage(
                    face.label, item.image.spilled, key, box if dpi else None, dpi
                )
            elif earlier.box and earlier.box != box:
                images[key] = replace(earlier, box=Size(*map(max, box, earlier.box)))
    return images


def packed_image(data: bytes, key: str, cache: CacheStore) -> PackedImage | None:
    """Return the image of a file for a PDF, or None if typst has to convert it."""
    if data.startswith(_JPEG):
        return _jpeg(data)
    if not data.startswith(_PNG):
        return None
    chunks = dict(_chunks(data))
    header = struct.unpack(">IIBBBBB", chunks[b"IHDR"][:13])
    width, height, bits, colour, _, _, is_interlaced = header
    if bits != 8 or is_interlaced or chunks.keys() & _COLOUR_CHUNKS:
        return None
    if colour in _CHANNELS:
        return PackedImage((width, height), _CHANNELS[colour], chunks[b"IDAT"])
    return _pack_with_alpha(data, key, cache) if colour in {_GREY_ALPHA, _RGBA} else None


def _pack_with_alpha(data: bytes, key: str, cache: CacheStore) -> PackedImage:
    """Return the colours and the alpha of a PNG as two images, compressed again."""
    cache_key = key_of(CACHE_STEP, key)
    # The cached entry: the length of the colours' PNG in four bytes, that PNG, and that of the alpha, if it is needed.
    packed = cache.get(CACHE_STEP, cache_key)
    if packed is None:
        with Image.open(io.BytesIO(data)) as picture:
            alpha = picture.getchannel("A")
            opaque = picture.convert("L" if picture.mode == "LA" else "RGB")
        layers = [opaque] if alpha.getextrema() == (255, 255) else [opaque, alpha]
        parts = [encode_png(layer, PNG_COMPRESSION) for layer in layers]
        packed = struct.pack(">I", len(parts[0])) + b"".join(parts)
        cache.put(CACHE_STEP, cache_key, packed)
    (length,) = struct.unpack(">I", packed[:4])
    colours = packed[4 : 4 + length]
    alpha_png = packed[4 + length :]
    return replace(_read_own_png(colours), alpha=_read_own_png(alpha_png) if alpha_png else None)


def _read_own_png(data: bytes) -> PackedImage:
    """Return the image in a PNG that was written by `encode_png`."""
    chunks = dict(_chunks(data))
    width, height, _, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    return PackedImage((width, height), _CHANNELS[colour], chunks[b"IDAT"])


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks of a PNG by name; the image data come last, joined."""
    at = len(_PNG)
    pixels = []
    while at + 8 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        name = data[at + 4 : at + 8]
        part = data[at + 8 : at + 8 + length]
        if name == b"IDAT":
            pixels.append(part)
        else:
            yield name, part
        at += 12 + length
    yield b"IDAT", b"".join(pixels)


def _jpeg(data: bytes) -> PackedImage | None:
    """Return a JPEG in grey or RGB as a PDF image.

    None if it has a profile or Adobe's colour transform, or a kind of frame that PDF does not know,
    such as one with arithmetic coding.
    """
    with Image.open(io.BytesIO(data)) as picture:
        if picture.info.keys() & {"icc_profile", "adobe"}:
            return None
    try:
        width, height, channels, _ = readJPEGInfo(io.BytesIO(data))
    except (PDFError, struct.error):
        return None
    if channels not in {1, 3} or not height or not width:
        return None
    return PackedImage((width, height), channels, data, is_jpeg=True)


# Bytes of images in memory at once; a larger image has a file of its own.
MAX_FILE_BYTES = 8_000_000


def image_files(
    images: Iterable[tuple[str, PackedImage]], spaces: bytes
) -> Iterator[tuple[SpilledBytes, dict[str, int]]]:
    """Yield files with some images each, and each image's page number by name.

    `spaces` is the compiled file of `colour_samples`, from which the colour spaces are taken.
    """
    # One store for all files, so that together they spill to disk: in a store of its own, each file would
    # be small enough to stay in memory.
    store = SpillFile()
    part: list[tuple[str, PackedImage]] = []
    size = 0
    for name, image in images:
        if part and size + image.packed_size > MAX_FILE_BYTES:
            yield _write_pages(part, spaces, store)
            part = []
            size = 0
        part.append((name, image))
        size += image.packed_size
    if part:
        yield _write_pages(part, spaces, store)


def _write_pages(
    images: Iterable[tuple[str, PackedImage]], spaces: bytes, store: SpillFile
) -> tuple[SpilledBytes, dict[str, int]]:
    """Write a file with a page for each image; return the file, and the page numbers by name."""
    with pikepdf.new() as pdf, pikepdf.open(io.BytesIO(spaces)) as source:
        spaces_by_channels = _colour_spaces(pdf, source)
        pages: dict[str, int] = {}
        for name, image in images:
            pages[name] = len(pages)
            page = pdf.add_blank_page(page_size=(PAGE_SIDE, PAGE_SIDE))
            page.Resources = pikepdf.Dictionary(
                XObject=pikepdf.Dictionary(I=_image(pdf, image, spaces_by_channels))
            )
        return store.capture(lambda file: pdf.save(file, deterministic_id=True)), pages


def _colour_spaces(pdf: pikepdf.Pdf, source: pikepdf.Pdf) -> Mapping[int, pikepdf.Object]:
    """Return typst's colour spaces for three channels and for one."""
    original_spaces = (image_in(page.Resources).ColorSpace for page in source.pages)
    spaces = (
        space if space.is_indirect else source.make_indirect(space) for space in original_spaces
    )
    return dict(zip((3, 1), map(pdf.copy_foreign, spaces), strict=True))


def _image(
    pdf: pikepdf.Pdf, image: PackedImage, spaces: Mapping[int, pikepdf.Object]
) -> pikepdf.Object:
    """Return an image object with the compressed data as they are."""
    width, height = image.size
    entries = pikepdf.Dictionary(
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Image,
        Width=width,
        Height=height,
        BitsPerComponent=8,
        ColorSpace=spaces[image.channels],
    )
    if image.is_jpeg:
        entries.Filter = pikepdf.Name.DCTDecode
    else:
        entries.Filter = pikepdf.Name.FlateDecode
        # PNG's filters, one of which is named at the start of each row (ISO 32000-1, table 10).
        entries.DecodeParms = pikepdf.Dictionary(
            Predictor=15, Colors=image.channels, BitsPerComponent=8, Columns=width
        )
    if image.alpha:
        entries.SMask = _image(pdf, image.alpha, {1: pikepdf.Name.DeviceGray})
    return pdf.make_indirect(pikepdf.Stream(pdf, image.data, entries))


def image_in(resources: pikepdf.Object) -> pikepdf.Object:
    """Return the one image that resources name, themselves or in their forms."""
    (image,) = resources.XObject.values()
    return image if image.Subtype == "/Image" else image_in(image.Resources)
