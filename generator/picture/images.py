"""Pixel images: read, checked, scaled down, and extended past their edges."""

import io
import struct
import warnings
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from PIL import Image, ImageOps, UnidentifiedImageError

from generator.base.errors import InvalidValueError
from generator.base.geometry import Point, Rect
from generator.base.polygon import box as polygon_box
from generator.base.polygon import hull
from generator.base.spill import SpilledBytes, SpillFile, picture_key
from generator.base.units import MM_PER_INCH
from generator.picture.svg_table import PICTURE_KEY

MAX_PIXELS = 60_000_000
"""More than an A3 sheet at 300 dpi four times over."""
MAX_SIDE = 65_535
"""Pixels on a side, as JPEG has it.

Typst ends in a panic, or writes an empty page, for sides of millions.
"""
TYPES = {"PNG": "image/png", "JPEG": "image/jpeg"}
PHONE_JPEG = "MPO"
"""Pillow's name for a JPEG with a second picture after it, as phones write them."""
UPRIGHT = 1
ORIENTATION = 0x0112
INKS = "CMYK"
"""The colours of a print shop's JPEG, which prints as it is.

Resvg takes them for something else.
"""
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
    held: SpilledBytes = field(compare=False)  # `key` is a digest of it
    key: str
    width: int
    height: int

    @property
    def is_apart(self) -> bool:
        """True if the image is large enough to be stored apart from the drawing."""
        return PICTURE_KEY.fullmatch(self.key) is not None

    @property
    def address(self) -> str:
        """The data address."""
        return self.held.text

    def open(self) -> Image.Image:
        """Return the decoded image."""
        return open_address(self.address)


def read_pixels(name: str, data: bytes, aside: SpillFile) -> Pixels:
    """Read and check an image file, and turn it as its EXIF orientation says."""
    try:
        with open_image(data) as image:
            return _decode_fully(name, data, image, aside)
    except UnidentifiedImageError as error:
        raise InvalidValueError(f"{name} is not a pixel image", "a PNG or a JPEG file") from error
    except Image.DecompressionBombError as error:
        raise too_large(name) from error
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


def too_large(name: str, size: str = "") -> InvalidValueError:
    """Return the error for a picture of more pixels than anybody prints, or of a longer side."""
    most = f"at most {MAX_PIXELS // 1_000_000} million pixels, and {MAX_SIDE:,} on a side"
    return InvalidValueError(f"{name} has {size or 'far too many pixels'}", most)


def is_too_large(width: int, height: int) -> bool:
    """Return True if a picture has too many pixels, in all or on a side."""
    return width * height > MAX_PIXELS or max(width, height) > MAX_SIDE


def _decode_fully(name: str, data: bytes, image: Image.Image, aside: SpillFile) -> Pixels:
    """Decode an image to its end, which is where a file that was cut short fails."""
    if is_too_large(image.width, image.height):
        raise too_large(name, f"{image.width} × {image.height} pixels")
    kind = "JPEG" if image.format == PHONE_JPEG else image.format or ""
    if kind not in TYPES:
        raise InvalidValueError(
            f"{name} is a {kind} picture", "a PNG or a JPEG file", "save it again as PNG"
        )
    size = image.size
    if image.getexif().get(ORIENTATION, UPRIGHT) != UPRIGHT:
        return _png(name, ImageOps.exif_transpose(image), aside)
    small = coarse(image)
    check_end(name, data)
    made = _pixels(name, data, TYPES[kind], size, aside)
    if not made.is_apart or small.mode not in SCALABLE_MODES or min(small.size) == min(size):
        return made
    less = aside.append(address_of(small).encode())
    if kind == "JPEG" and min(image.size) < min(size):
        less = replace(aside.append(data_address(TYPES[kind], jpeg(image)).encode()), less=less)
    return replace(made, held=replace(made.held, less=less))


COARSE, SCREEN = 96, 300
"""Pixels across, at least, of pictures that are made when one is first read: who needs no more decodes nothing then.

Of a JPEG there is one for screens between it and the coarse one: of its parts, engines and Pillow read as few as that.
"""
# Pillow's quality of JPEGs for screens.
QUALITY = 85
HALF_OPAQUE = 127
SCALABLE_MODES = {"1", "L", "LA", "P", "RGB", "RGBA", "RGBa"}
"""The modes of images that can be scaled down."""


def coarse(picture: Image.Image) -> Image.Image:
    """Return a small version of an opened image, always made in the same way.

    A JPEG is decoded at the size that screens need.
    """
    share = max(1.0, min(picture.size) / SCREEN)
    picture.draft(picture.mode, (int(picture.width / share), int(picture.height / share)))
    picture.load()
    return (
        shrink_image(picture, max(1, min(picture.size) // COARSE))
        if picture.mode in SCALABLE_MODES
        else picture
    )


def shrink_image(picture: Image.Image, share: int) -> Image.Image:
    """Return an image scaled down by a whole factor.

    The colours of transparent pixels do not bleed into others.
    """
    whole = picture.width
    picture.draft("RGB", (whole // share, picture.height // share))
    left = max(1, round(share * picture.width / whole))
    if picture.has_transparency_data:
        return picture.convert("RGBA").convert("RGBa").reduce(left)
    return picture.convert("RGB").reduce(left)


def opaque_outline(pixels: Pixels) -> tuple[Point, ...]:
    """Return the convex hull of an image's pixels that are at least half opaque, in pixels from the top left.

    It is measured on a small copy. An image without such pixels counts as its box.
    """
    alpha = (
        coarse(pixels.open())
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


def jpeg(picture: Image.Image) -> bytes:
    """Return an image as a JPEG for screens."""
    buffer = io.BytesIO()
    picture.convert("RGB").save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()


def in_light(picture: Image.Image, share: int) -> str:
    """Return a scaled CMYK image as a data address, in the colours of screens."""
    return data_address(TYPES["JPEG"], jpeg(shrink_image(picture, share) if share > 1 else picture))


def address_of(picture: Image.Image) -> str:
    """Return the data address of an image that is decoded at once, so it is not compressed."""
    plain = picture.convert("RGBA") if picture.mode == "RGBa" else picture
    return data_address(TYPES["PNG"], _loose(plain))


def _loose(picture: Image.Image) -> bytes:
    """Return an uncompressed PNG; Pillow would try all filters even then."""
    (width, height), channels = picture.size, len(picture.getbands())
    plain, row = picture.tobytes(), width * channels
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


def dots(pixels: tuple[int, int], size: tuple[float, float], fit: str) -> float:
    """Return the pixels per inch of an image that fits into a size in mm, in its coarser direction."""
    across, down = (count / mm * MM_PER_INCH for count, mm in zip(pixels, size, strict=True))
    return max(across, down) if fit == "contain" else min(across, down)


def visible_part(image: Image.Image, box: Rect, position: str) -> Image.Image:
    """Return the part of an image that a box shows if the image covers it, cropped away from `position`."""
    scale = max(box.w / image.width, box.h / image.height)
    width, height = box.w / scale, box.h / scale
    left = {"left": 0.0, "right": 1.0}.get(position, 0.5) * (image.width - width)
    top = {"top": 0.0, "bottom": 1.0}.get(position, 0.5) * (image.height - height)
    return image.crop((round(left), round(top), round(left + width), round(top + height)))


def grown_parts(
    picture: Pixels, image: Image.Image, box: Rect, bleed: float, how: str
) -> Iterator[tuple[Pixels, Rect]]:
    """Yield the eight parts in the bleed round a box's image, extended by its mirror image or its edge."""
    across, down = image.width * bleed / box.w, image.height * bleed / box.h
    if how == "edge":
        across = down = 1
    x, y = max(1, round(across)), max(1, round(down))
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
                    _png(f"{picture.name} {i}{j}", part, picture.held.place),
                    Rect(place_x, place_y, width, height),
                )


def _png(name: str, image: Image.Image, aside: SpillFile) -> Pixels:
    if image.mode not in PNG_MODES:
        image = image.convert("RGB")
    return _pixels(name, encode_png(image), TYPES["PNG"], image.size, aside)


def _pixels(name: str, data: bytes, kind: str, size: tuple[int, int], aside: SpillFile) -> Pixels:
    address = data_address(kind, data)
    return Pixels(name, aside.append(address.encode()), picture_key(address), *size)
