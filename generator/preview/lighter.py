"""Larger pictures of pixels in a face, made as small as it is shown: no engine decodes more than anybody sees."""

import io
import re
import struct
import zlib
from base64 import b64decode, b64encode
from dataclasses import dataclass, field

from PIL import Image

from generator.core.geometry import Size
from generator.core.held import Held
from generator.core.svg import PICTURE_KEY
from generator.draw.face import Face

FINER = 2.0
"""How much finer than the pixels that are drawn a picture stays."""
HELD = 64_000_000
"""Letters of pictures that are held: what is shown again is mostly shown soon."""

PLAIN = {"1", "L", "LA", "P", "RGB", "RGBA"}
"""Colours of pictures that are made smaller."""

_IMAGE = re.compile(rf'<image\b([^<>]*?)\bhref="({PICTURE_KEY.pattern})"([^<>]*)>')
_SIDE = re.compile(r'\b(width|height)="([\d.]+)"')


@dataclass
class Lighter:
    """Knows how large pictures are, and holds those that it made smaller."""

    _sizes: dict[str, Size] = field(default_factory=dict)
    _made: dict[tuple[str, int], str] = field(default_factory=dict)

    def svg(self, face: Face, fineness: float) -> str:
        """A face's SVG for so many pixels a mm."""
        drawn = face.drawn
        shown = boxes(drawn.written)
        pictures = {
            key: self._fit(key, picture, shown[key], fineness) if key in shown else picture.text
            for key, picture in drawn.pictures
        }
        return PICTURE_KEY.sub(lambda match: pictures.get(match[0], match[0]), drawn.written)

    def _fit(self, key: str, picture: Held, box: Size, fineness: float) -> str:
        """The address of the picture, or of one that has every so many pixels of it."""
        if key not in self._sizes:
            self._sizes[key] = Size(*map(float, _opened(picture.text).size))
        size = self._sizes[key]
        wanted = max(box.w / size.w, box.h / size.h) * fineness * FINER
        share = int(1 / wanted) if wanted else 1
        if share < 2:
            return picture.text
        if (key, share) not in self._made:
            small = _reduced(picture.text, share)
            while self._made and sum(map(len, self._made.values())) + len(small) > HELD:
                del self._made[next(iter(self._made))]
            self._made[key, share] = small
        return self._made[key, share]


def boxes(written: str) -> dict[str, Size]:
    """How large each picture is shown, in mm; the largest where it is shown several times."""
    found: dict[str, Size] = {}
    for before, key, behind in _IMAGE.findall(written):
        sides = {name: float(value) for name, value in _SIDE.findall(before + behind)}
        if len(sides) == 2:
            known = found.get(key, Size(0, 0))
            found[key] = Size(max(known.w, sides["width"]), max(known.h, sides["height"]))
    return found


def _opened(address: str) -> Image.Image:
    return Image.open(io.BytesIO(b64decode(address.partition(",")[2])))


def _reduced(address: str, share: int) -> str:
    with _opened(address) as picture:
        whole = picture.width
        if picture.mode not in PLAIN:
            return address
        picture.draft("RGB", (whole // share, picture.height // share))
        left = max(1, round(share * picture.width / whole))
        if picture.has_transparency_data:  # colours that nobody sees must not run into those beside them
            small = picture.convert("RGBA").convert("RGBa").reduce(left).convert("RGBA")
        else:
            small = picture.convert("RGB").reduce(left)
    return f"data:image/png;base64,{b64encode(_loose(small)).decode()}"


def _loose(picture: Image.Image) -> bytes:
    """A PNG in which nothing is packed: it is read at once, and Pillow would look for the best way all the same."""
    (width, height), channels = picture.size, len(picture.getbands())
    plain, row = picture.tobytes(), width * channels
    rows = zlib.compress(b"".join(b"\0" + plain[at : at + row] for at in range(0, len(plain), row)), 0)
    head = struct.pack(">IIBBBBB", width, height, 8, 2 if channels == 3 else 6, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
