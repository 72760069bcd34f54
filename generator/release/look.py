"""Whether two faces look the same, and where they do not.

Both are rendered at their trim, twenty pixels a millimetre, on white, and smoothed by 0.05 mm as ink on paper
is. A pixel of one is explained by the other when its colour lies within the range of colours that the other has
within 0.1 mm of the place: that forgives antialiasing and what no cutter or printer holds. The faces look
different when what is not explained

- differs by more than `EDGE` levels of 255 over more than `SPECK` mm² together (a moved comma), or
- differs by more than `TONE` levels over a patch that is wider than 0.3 mm (another colour).

Looking the same is not passed on: of three releases, each may look like the next and the last not like the first.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from PIL import Image, ImageChops, ImageFilter

from generator.core.geometry import Rect
from generator.core.units import MM_PER_INCH
from generator.picture.face import Face
from generator.picture.items import fonts_of
from generator.picture.raster import Rasteriser
from generator.release.record import KeptFont, face_digest

COARSE = 10
FINE = 20
"""Pixels a millimetre: for a first look, and where that sees a difference."""

EDGE = 24
TONE = 6
SPECK = 0.02
"""mm²; a full stop in 7 pt has 0.1."""

HAIR = 0.0005
"""mm; half of what is the least in any file that we write."""

SQUARE = 6
"""mm; the second look goes from square to square."""

_NEAR = 2
_WIDE = 3
_RIM = 10
"""Pixels of `FINE`: how far a colour may have moved, half the width of a patch that counts, and what of the
neighbours a square must see for that."""

_INSIDE = (_RIM, _RIM, _RIM + SQUARE * FINE, _RIM + SQUARE * FINE)


@dataclass
class Eye:
    """Compares the faces of two releases, each rendered with the fonts of its own."""

    old: Rasteriser
    new: Rasteriser
    old_fonts: tuple[KeptFont, ...] = ()
    new_fonts: tuple[KeptFont, ...] = ()
    _known: dict[tuple[str, str], bool] = field(default_factory=dict)

    def same(self, old: Face | None, new: Face | None) -> bool:
        """Whether nobody could tell the two apart once they are cut."""
        if old is None or new is None:
            return old is new
        alike = same_size(old, new)
        if not self.identical(old, new) and alike:
            key = (old.name, new.name)
            if key not in self._known:
                self._known[key] = not self._differ(old, new)
            return self._known[key]
        return alike

    def identical(self, old: Face, new: Face) -> bool:
        """Whether the two are the same file set in the same fonts, bleed and all."""
        return (
            (old.name == new.name or face_digest(old) == face_digest(new))
            and same_size(old, new)
            and abs(old.bleed - new.bleed) < HAIR
            and _set_in(old, self.old_fonts) == _set_in(new, self.new_fonts)
        )

    def marked(self, old: Face, new: Face) -> Image.Image:
        """Where two faces of one size look different: white on black, `FINE` pixels a millimetre."""
        edges, tones = _found(self._pair(old, new, FINE))
        return ImageChops.lighter(edges, tones) if _area(edges) > SPECK else tones

    def _differ(self, old: Face, new: Face) -> bool:
        """Square by square where the first look sees anything, until it is enough."""
        first = self._pair(old, new, COARSE)
        seen = _above(ImageChops.difference(*first), TONE)
        if seen.getbbox() is None or _plain(first):
            return seen.getbbox() is not None
        pair = self._pair(old, new, FINE)
        area = 0.0
        for square in _squares(seen):
            edges, tones = (mask.crop(_INSIDE) for mask in _found(_cropped(pair, square)))
            area += _area(edges)
            if area > SPECK or tones.getbbox():
                return True
        return False

    def _pair(self, old: Face, new: Face, fineness: int) -> tuple[Image.Image, Image.Image]:
        dpi = fineness * MM_PER_INCH
        window = Rect(0, 0, *old.size)
        return _on_white(self.old.face(old, dpi, window)), _on_white(self.new.face(new, dpi, window))


def same_size(one: Face, other: Face) -> bool:
    """Whether two trims are one: 3.5 inches are 88.9 mm, though not to the last digit of a computer."""
    return all(abs(a - b) < HAIR for a, b in zip(one.size, other.size, strict=True))


def _set_in(face: Face, fonts: tuple[KeptFont, ...]) -> set[tuple[str, int, bool, str]]:
    """Return the fonts that set a face, with the digests of their files."""
    used = {(font.family, font.weight, font.italic) for font in fonts_of(face)}
    found = ((font.family, font.weight, font.italic, font.digest) for font in fonts)
    return {key for key in found if key[:3] in used}


def _on_white(picture: Image.Image) -> Image.Image:
    paper = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(paper, picture).convert("RGB")


def _squares(seen: Image.Image) -> Iterator[tuple[int, int, int, int]]:
    """The squares of a first look in which it sees anything, in pixels of the second."""
    step = SQUARE * COARSE
    zoom = FINE // COARSE
    for top in range(0, seen.height, step):
        for left in range(0, seen.width, step):
            if seen.crop((left, top, left + step, top + step)).getbbox():
                yield left * zoom, top * zoom, (left + step) * zoom, (top + step) * zoom


def _plain(first: tuple[Image.Image, Image.Image]) -> bool:
    """Whether the first look is enough: a patch half a millimetre wide, in quite another tone."""
    left = ImageChops.lighter(_unexplained(*first, 1), _unexplained(*first[::-1], 1))
    return _spread(_above(left, 2 * TONE), 2, darkest=True).getbbox() is not None


def _cropped(
    pair: tuple[Image.Image, Image.Image], square: tuple[int, int, int, int]
) -> tuple[Image.Image, Image.Image]:
    """The square of both with a rim; past the edge both are black."""
    left, top, right, bottom = square
    old, new = (picture.crop((left - _RIM, top - _RIM, right + _RIM, bottom + _RIM)) for picture in pair)
    return old, new


def _found(pair: tuple[Image.Image, Image.Image]) -> tuple[Image.Image, Image.Image]:
    """What differs at edges, and patches of another tone."""
    old, new = (picture.filter(ImageFilter.GaussianBlur(1)) for picture in pair)
    left = ImageChops.lighter(_unexplained(old, new), _unexplained(new, old))
    return _above(left, EDGE), _patches(_above(left, TONE))


def _area(mask: Image.Image) -> float:
    """mm² of a mask that are white."""
    return mask.histogram()[255] / FINE**2


def _unexplained(picture: Image.Image, by: Image.Image, near: int = _NEAR) -> Image.Image:
    """By how much each pixel lies outside what the other picture has near it."""
    low = _spread(by, near, darkest=True)
    high = _spread(by, near, darkest=False)
    return ImageChops.lighter(ImageChops.subtract(picture, high), ImageChops.subtract(low, picture))


def _spread(picture: Image.Image, reach: int, *, darkest: bool) -> Image.Image:
    """The darkest or the lightest that lies within so many pixels."""
    merge = ImageChops.darker if darkest else ImageChops.lighter
    for across, down in ((1, 0), (0, 1)):
        for _ in range(reach):
            ahead = ImageChops.offset(picture, across, down)
            behind = ImageChops.offset(picture, -across, -down)
            picture = merge(merge(ahead, behind), picture)
    return picture


def _above(picture: Image.Image, level: int) -> Image.Image:
    """White where any of the colours is more than a level."""
    red, green, blue = picture.split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return most.point([0] * (level + 1) + [255] * (255 - level))


def _patches(mask: Image.Image) -> Image.Image:
    """What of a mask is wider than a line."""
    return _spread(_spread(mask, _WIDE, darkest=True), _WIDE, darkest=False)
