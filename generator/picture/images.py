"""Pixel images: read, checked, scaled down, and extended past their edges."""

import functools
import io
import re
import struct
import warnings
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256

from PIL import ExifTags, Image, ImageChops, ImageOps, UnidentifiedImageError

from generator.base.errors import InvalidValueError
from generator.base.geometry import Point, Rect
from generator.base.polygon import box as polygon_box
from generator.base.polygon import hull
from generator.base.spill import SpilledBytes, SpillFile
from generator.base.svg_table import PICTURE_KEY
from generator.base.units import MM_PER_INCH

MAX_PIXELS = 60_000_000
"""Size limit of an image: more than three A3 sheets at 300 dpi, of 17.4 million pixels each."""
MAX_SIDE = 65_535
"""Pixels that a side of a JPEG can have at most.

typst panics, or writes an empty page, for PNGs with sides of millions of pixels.
"""
TYPES = {"PNG": "image/png", "JPEG": "image/jpeg"}
PHONE_JPEG = "MPO"
"""Pillow's name for a JPEG with a second picture after it, as phones write them."""
UPRIGHT = 1
"""The EXIF orientation of an image that is not turned."""
CMYK = "CMYK"
"""The mode of a print shop's JPEG, which is printed as it is; resvg would show wrong colours."""
PNG_MODES = {"1", "L", "LA", "P", "RGB", "RGBA", "I;16"}
"""The modes that a PNG can have; others, such as the CMYK of a print shop's JPEG, become RGB."""
UNREADABLE = (
    *(OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError),
    *(struct.error, zlib.error),
)
"""The errors that Pillow raises for damaged or malicious files."""
_PNG = b"\x89PNG"


@dataclass(frozen=True)
class Pixels:
    """An image on a face: a handle to its data address, and its size in pixels.

    `key` stands for the address in a drawing.
    """

    name: str
    spilled: SpilledBytes = field(compare=False)  # `key` is a digest of it
    key: str
    width: int
    height: int

    @property
    def is_large(self) -> bool:
        """True if the image is so large that drawings refer to it by its key."""
        return PICTURE_KEY.fullmatch(self.key) is not None

    @property
    def address(self) -> str:
        """The data address."""
        return self.spilled.text

    def open(self) -> Image.Image:
        """Return the decoded image."""
        return open_address(self.address)


def read_pixels(name: str, data: bytes, spill_file: SpillFile) -> Pixels:
    """Read and check an image file, and turn it as its EXIF orientation says."""
    try:
        with open_image(data) as image:
            return _decode_fully(name, data, image, spill_file)
    except UnidentifiedImageError as error:
        raise InvalidValueError(f"{name} is not a pixel image", "a PNG or a JPEG file") from error
    except Image.DecompressionBombError as error:
        raise too_large_error(name) from error
    except InvalidValueError:
        raise
    except UNREADABLE as error:
        raise InvalidValueError(
            f"{name} is not a picture that can be read ({error})", "a PNG or a JPEG file"
        ) from error


def open_image(data: bytes) -> Image.Image:
    """Open an image without decoding it; our own limits replace Pillow's on the size."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        return Image.open(io.BytesIO(data))


def check_end(name: str, data: bytes) -> None:
    """Raise `InvalidValueError` for a PNG cut short after its last pixel, which Pillow shows and typst rejects."""
    if data.startswith(_PNG) and b"IEND" not in data:
        raise InvalidValueError(
            f"{name} is incomplete: its end is missing", "a whole PNG file", "save it again"
        )


def too_large_error(name: str, size: str = "") -> InvalidValueError:
    """Return the error for a picture of more pixels than anybody prints, or of a longer side."""
    most = f"at most {MAX_PIXELS // 1_000_000} million pixels, and {MAX_SIDE:,} on a side"
    return InvalidValueError(f"{name} has {size or 'far too many pixels'}", most)


def is_too_large(width: int, height: int) -> bool:
    """Return True if a picture has too many pixels, in all or on a side."""
    return width * height > MAX_PIXELS or max(width, height) > MAX_SIDE


def _decode_fully(name: str, data: bytes, image: Image.Image, spill_file: SpillFile) -> Pixels:
    """Decode an image to its end, which is where a file that was cut short fails."""
    if is_too_large(image.width, image.height):
        raise too_large_error(name, f"{image.width} × {image.height} pixels")
    kind = "JPEG" if image.format == PHONE_JPEG else image.format or ""
    if kind not in TYPES:
        raise InvalidValueError(
            f"{name} has the format {kind}", "a PNG or a JPEG file", "save it again as PNG"
        )
    size = image.size
    if image.getexif().get(ExifTags.Base.Orientation, UPRIGHT) != UPRIGHT:
        return _png(name, ImageOps.exif_transpose(image), spill_file)
    small = make_coarse_copy(image)
    check_end(name, data)
    result = _pixels(name, data, TYPES[kind], size, spill_file)
    if not result.is_large or small.mode not in SCALABLE_MODES or min(small.size) == min(size):
        return result
    smaller = spill_file.append(uncompressed_address(small).encode())
    if kind == "JPEG" and min(image.size) < min(size):
        smaller = replace(
            spill_file.append(data_address(TYPES[kind], encode_jpeg(image)).encode()),
            smaller=smaller,
        )
    return replace(result, spilled=replace(result.spilled, smaller=smaller))


COARSE_SIDE_PX = 96
"""The least side of the small copy that is made of each large image when it is first read.

A preview that needs no more pixels then decodes nothing else.
"""
SCREEN_SIDE_PX = 300
"""The least side of a second copy that is made of a JPEG, which decoders can read in part."""
SCREEN_JPEG_QUALITY = 85
"""Pillow's quality of JPEGs for screens."""
HALF_OPAQUE = 127
"""The highest alpha of a pixel that is less than half opaque."""
SCALABLE_MODES = {"1", "L", "LA", "P", "RGB", "RGBA", "RGBa"}
"""The modes of images that can be scaled down."""


def make_coarse_copy(picture: Image.Image) -> Image.Image:
    """Return a small version of an opened image, always made in the same way.

    A JPEG is decoded at the size that screens need.
    """
    share = max(1.0, min(picture.size) / SCREEN_SIDE_PX)
    picture.draft(picture.mode, (int(picture.width / share), int(picture.height / share)))
    picture.load()
    return (
        shrink_image(picture, max(1, min(picture.size) // COARSE_SIDE_PX))
        if picture.mode in SCALABLE_MODES
        else picture
    )


def shrink_image(picture: Image.Image, factor: int) -> Image.Image:
    """Return an image scaled down by a whole factor.

    The colours of transparent pixels do not bleed into others.
    """
    width = picture.width
    picture.draft("RGB", (width // factor, picture.height // factor))  # only JPEGs can do this
    remaining = max(1, round(factor * picture.width / width))
    if picture.has_transparency_data:
        return picture.convert("RGBA").convert("RGBa").reduce(remaining)
    return picture.convert("RGB").reduce(remaining)


def opaque_outline(pixels: Pixels) -> tuple[Point, ...]:
    """Return the convex hull of an image's pixels that are at least half opaque, in pixels from the top left.

    It is measured on a small copy. An image without such pixels counts as its box.
    """
    alpha = (
        make_coarse_copy(pixels.open())
        .convert("RGBA")
        .getchannel("A")
        .point(lambda value: 255 if value > HALF_OPAQUE else 0)
    )
    across = pixels.width / alpha.width
    down = pixels.height / alpha.height
    places = []
    for row in range(alpha.height):
        if box := alpha.crop((0, row, alpha.width, row + 1)).getbbox():
            places += [
                Point(x * across, y * down) for x in (box[0], box[2]) for y in (row, row + 1)
            ]
    return hull(places) or polygon_box(Rect(0, 0, pixels.width, pixels.height))


def open_address(address: str) -> Image.Image:
    """Open the image of a data address without decoding it."""
    return Image.open(io.BytesIO(b64decode(address.partition(",")[2])))


def data_address(kind: str, data: bytes) -> str:
    """Return the data address of a file."""
    return f"data:{kind};base64,{b64encode(data).decode()}"


# zlib's own choice of level, which is 6.
DEFAULT_COMPRESSION = -1


def encode_png(image: Image.Image, compression: int = DEFAULT_COMPRESSION) -> bytes:
    """Return an image as a PNG."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=compression)
    return buffer.getvalue()


def png_address(image: Image.Image) -> str:
    """Return an image as the data address of a PNG."""
    return data_address(TYPES["PNG"], encode_png(image))


def encode_jpeg(picture: Image.Image) -> bytes:
    """Return an image as a JPEG for screens."""
    buffer = io.BytesIO()
    picture.convert("RGB").save(buffer, "JPEG", quality=SCREEN_JPEG_QUALITY)
    return buffer.getvalue()


def screen_address(picture: Image.Image, factor: int) -> str:
    """Return a CMYK image, scaled down by a factor, as the data address of a JPEG in RGB."""
    small = shrink_image(picture, factor) if factor > 1 else picture
    return data_address(TYPES["JPEG"], encode_jpeg(small))


def uncompressed_address(picture: Image.Image) -> str:
    """Return the data address of an uncompressed PNG, for an engine that decodes it at once."""
    plain = picture.convert("RGBA") if picture.mode == "RGBa" else picture
    return data_address(TYPES["PNG"], _uncompressed_png(plain))


def _uncompressed_png(picture: Image.Image) -> bytes:
    """Return an uncompressed PNG.

    Pillow tries all filters for each row even without compression: for an image of 1,000 × 1,400
    pixels it takes 157 ms, and this function 34.
    """
    width, height = picture.size
    channels = len(picture.getbands())
    plain = picture.tobytes()
    row = width * channels
    rows = zlib.compress(
        b"".join(b"\0" + plain[at : at + row] for at in range(0, len(plain), row)), 0
    )
    head = struct.pack(">IIBBBBB", width, height, 8, 2 if channels == 3 else 6, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def dots_per_inch(pixels: tuple[int, int], size: tuple[float, float], fit: str) -> float:
    """Return the pixels per inch of an image that fits into a size in mm, in its coarser direction."""
    across, down = (count / mm * MM_PER_INCH for count, mm in zip(pixels, size, strict=True))
    return max(across, down) if fit == "contain" else min(across, down)


def visible_part(image: Image.Image, box: Rect, position: str) -> Image.Image:
    """Return the part of an image that a box shows if the image covers it, cropped away from `position`."""
    scale = max(box.w / image.width, box.h / image.height)
    width = box.w / scale
    height = box.h / scale
    left = {"left": 0.0, "right": 1.0}.get(position, 0.5) * (image.width - width)
    top = {"top": 0.0, "bottom": 1.0}.get(position, 0.5) * (image.height - height)
    return image.crop((round(left), round(top), round(left + width), round(top + height)))


def bleed_parts(
    picture: Pixels, image: Image.Image, box: Rect, bleed: float, how: str
) -> Iterator[tuple[Pixels, Rect]]:
    """Yield the eight parts in the bleed round a box's image, extended by its mirror image or its edge."""
    x = y = 1
    if how != "edge":
        x = max(1, round(image.width * bleed / box.w))
        y = max(1, round(image.height * bleed / box.h))
    columns = (
        (0, x, box.x - bleed, bleed),
        (0, image.width, box.x, box.w),
        (image.width - x, image.width, box.right, bleed),
    )
    rows = (
        (0, y, box.y - bleed, bleed),
        (0, image.height, box.y, box.h),
        (image.height - y, image.height, box.bottom, bleed),
    )
    for i, (left, right, place_x, width) in enumerate(columns):
        for j, (top, bottom, place_y, height) in enumerate(rows):
            if (i, j) != (1, 1):
                part = image.crop((left, top, right, bottom))
                part = ImageOps.mirror(part) if i != 1 else part
                part = ImageOps.flip(part) if j != 1 else part
                yield (
                    _png(f"{picture.name} {i}{j}", part, picture.spilled.place),
                    Rect(place_x, place_y, width, height),
                )


_LARGE_ADDRESS = re.compile(r"data:image/(?:png|jpeg);base64,[A-Za-z0-9+/]{1000,}=*")


def picture_key(address: str) -> str:
    """Return the key of an image's data address; an address of fewer than 1,000 letters is its own key."""
    if not _LARGE_ADDRESS.fullmatch(address):
        return address
    return f"pnp-picture:{sha256(address.encode()).hexdigest()[:40]}"


def _png(name: str, image: Image.Image, spill_file: SpillFile) -> Pixels:
    if image.mode not in PNG_MODES:
        image = image.convert("RGB")
    return _pixels(name, encode_png(image), TYPES["PNG"], image.size, spill_file)


def _pixels(
    name: str, data: bytes, kind: str, size: tuple[int, int], spill_file: SpillFile
) -> Pixels:
    address = data_address(kind, data)
    return Pixels(name, spill_file.append(address.encode()), picture_key(address), *size)


def strongest_channel(image: Image.Image) -> Image.Image:
    """Return the highest level of all channels of an image, pixel by pixel."""
    return functools.reduce(ImageChops.lighter, image.split())


def mask_above(image: Image.Image, level: int) -> Image.Image:
    """Return a mask of an image, white where any channel exceeds `level`."""
    return strongest_channel(image).point([0] * (level + 1) + [255] * (255 - level))
