"""Larger pictures of pixels in a face, made as small as it is shown: no engine decodes more than anybody sees."""

import re
from dataclasses import dataclass, field

from generator.core.geometry import Size
from generator.core.held import Held
from generator.core.svg import PICTURE_KEY
from generator.draw.face import Face
from generator.draw.pixels import COARSE, PLAIN, address_of, coarse, opened_address, reduced

FINER = 1.5
"""How much finer than the pixels that are drawn a picture stays."""
HELD = 64_000_000
"""Letters of pictures that are held: what is shown again is mostly shown soon."""
HEAD = 1 << 16
"""Letters of an address, in which the file mostly tells its size."""

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
            self._sizes[key] = size_of(picture)
        size = self._sizes[key]
        wanted = max(box.w / size.w, box.h / size.h) * fineness * FINER
        share = int(1 / wanted) if wanted else 1
        if share < 2:
            return picture.text
        if picture.less and min(size) <= share * COARSE:
            return picture.less.text
        if (key, share) not in self._made:
            small = self._reduced(picture, size, share)
            while self._made and sum(map(len, self._made.values())) + len(small) > HELD:
                del self._made[next(iter(self._made))]
            self._made[key, share] = small
        return self._made[key, share]

    def _reduced(self, picture: Held, size: Size, share: int) -> str:
        with opened_address(picture.text) as whole:
            if whole.mode not in PLAIN:
                return picture.text
            return address_of(coarse(whole) if min(size) <= share * COARSE else reduced(whole, share))


def boxes(written: str) -> dict[str, Size]:
    """How large each picture is shown, in mm; the largest where it is shown several times."""
    found: dict[str, Size] = {}
    for before, key, behind in _IMAGE.findall(written):
        sides = {name: float(value) for name, value in _SIDE.findall(before + behind)}
        if len(sides) == 2:
            known = found.get(key, Size(0, 0))
            found[key] = Size(max(known.w, sides["width"]), max(known.h, sides["height"]))
    return found


def size_of(picture: Held) -> Size:
    """The pixels of a picture that is held as an address."""
    try:
        kind, _, begin = picture.head(HEAD).decode().partition(",")
        with opened_address(f"{kind},{begin[: len(begin) // 4 * 4]}") as begun:
            return Size(*map(float, begun.size))
    except (OSError, SyntaxError):  # what it tells of itself besides is longer
        with opened_address(picture.text) as whole:
            return Size(*map(float, whole.size))
