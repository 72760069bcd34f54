"""Compare two faces by their pixels, as they look once they are printed and cut.

Both faces are rendered at their trim size on white, at 20 pixels per mm, and blurred by 0.05 mm, because ink
spreads about that far on paper. A pixel matches if its colour lies within the range of colours that the other
face has within 0.1 mm. So antialiasing and small shifts, which no printer or cutter avoids, do not count.
The faces look different if the pixels that do not match

- differ by more than `EDGE_LEVELS` of 255 levels over more than `MIN_CHANGE_MM2` in total (a moved comma), or
- differ by more than `TONE_LEVELS` levels over a patch that is wider than 0.3 mm (another colour).

The relation is not transitive: of three releases, each may look like the next, and the last unlike the first.
"""

from dataclasses import dataclass, field

from PIL import Image, ImageChops, ImageFilter

from generator.base.geometry import Rect
from generator.base.units import MM_PER_INCH
from generator.picture.face import Face
from generator.picture.images import mask_above
from generator.picture.items import fonts_of
from generator.picture.raster import Rasteriser
from generator.release.record import RecordedFont, face_digest

# The first pass is coarse; the part in which it finds differences is compared at the fine resolution.
COARSE_PX_PER_MM = 10
FINE_PX_PER_MM = 20

# Measured on 24 faces of two starters and three bundled games, each shifted by 0.025, 0.05 and 0.1 mm:
# of the shifted face, at most 0.025 mm² differ by more than 12 levels, and 0.01 mm² by more than 24.
EDGE_LEVELS = 24
# Six levels of middle grey are 2.3 of CIE L*, about the least difference that the eye notices (Mahy
# and others 1994). No shifted face had such a patch, not even with three levels.
TONE_LEVELS = 6
# A full stop set in 7 pt covers 0.1 mm².
MIN_CHANGE_MM2 = 0.02

# Half of 0.001 mm, the precision of the numbers in our files.
TOLERANCE_MM = 0.0005

# In fine pixels: the distance that a colour may move (0.1 mm), half the width of the narrowest patch
# that counts (0.3 mm), and the rim of neighbouring pixels that a part of a picture needs: at least
# the blur and both of these distances.
_SHIFT_PX = 2
_PATCH_RADIUS_PX = 3
_RIM_PX = 10


@dataclass
class FaceComparer:
    """Compares faces of two releases, each rendered with the fonts of its own release."""

    old: Rasteriser
    new: Rasteriser
    old_fonts: tuple[RecordedFont, ...] = ()
    new_fonts: tuple[RecordedFont, ...] = ()
    _results: dict[tuple[str, str], bool] = field(default_factory=dict)
    # By the faces' names: most designs share their back, and a face is compared with several others.
    _digests: dict[str, str] = field(default_factory=dict)

    def look_same(self, old: Face | None, new: Face | None) -> bool:
        """Return True if the two faces cannot be told apart once they are printed and cut."""
        if old is None or new is None:
            return old is new
        is_same_size = have_same_size(old, new)
        if not self.are_identical(old, new) and is_same_size:
            key = (old.name, new.name)
            if key not in self._results:
                self._results[key] = not self._differ(old, new)
            return self._results[key]
        return is_same_size

    def are_identical(self, old: Face, new: Face) -> bool:
        """Return True if both faces have equal drawings, fonts, sizes and bleed."""
        return (
            (old.name == new.name or self._digest(old) == self._digest(new))
            and have_same_size(old, new)
            and abs(old.bleed - new.bleed) < TOLERANCE_MM
            and _fonts_used(old, self.old_fonts) == _fonts_used(new, self.new_fonts)
        )

    def _digest(self, face: Face) -> str:
        if face.name not in self._digests:
            self._digests[face.name] = face_digest(face)
        return self._digests[face.name]

    def difference_mask(self, old: Face, new: Face) -> Image.Image:
        """Return a mask, white where two faces of one size look different, at `FINE_PX_PER_MM`."""
        return _difference_mask(self._render_pair(old, new, FINE_PX_PER_MM))

    def _differ(self, old: Face, new: Face) -> bool:
        """Return True if the faces look different; coarse pictures show where they may."""
        coarse = self._render_pair(old, new, COARSE_PX_PER_MM)
        box = mask_above(ImageChops.difference(*coarse), TONE_LEVELS).getbbox()
        if box is None or _is_obvious(coarse):
            return box is not None
        old_part, new_part = (
            picture.crop(_zoom(box)) for picture in self._render_pair(old, new, FINE_PX_PER_MM)
        )
        return _difference_mask((old_part, new_part)).getbbox() is not None

    def _render_pair(self, old: Face, new: Face, fineness: int) -> tuple[Image.Image, Image.Image]:
        """Render both faces at their trim size on white, at `fineness` pixels per mm."""
        dpi = fineness * MM_PER_INCH
        window = Rect(0, 0, *old.size)
        return _on_white(self.old.face(old, dpi, window)), _on_white(
            self.new.face(new, dpi, window)
        )


def have_same_size(old: Face, new: Face) -> bool:
    """Return True if both trim sizes agree to 0.0005 mm.

    3.5 inches are 88.9 mm, though not to the last digit of a float.
    """
    return all(abs(a - b) < TOLERANCE_MM for a, b in zip(old.size, new.size, strict=True))


def _fonts_used(face: Face, fonts: tuple[RecordedFont, ...]) -> set[tuple[str, int, bool, str]]:
    """Return the fonts that set a face, with the digests of their files."""
    used = {(font.family, font.weight, font.italic) for font in fonts_of(face)}
    available = ((font.family, font.weight, font.italic, font.digest) for font in fonts)
    return {key for key in available if key[:3] in used}


def _on_white(picture: Image.Image) -> Image.Image:
    """Return a picture on a white background, without its alpha channel."""
    paper = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(paper, picture).convert("RGB")


def _zoom(box: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Return a box of a coarse picture in fine pixels, with a rim that the blur reaches."""
    zoom = FINE_PX_PER_MM // COARSE_PX_PER_MM
    left, top, right, bottom = (at * zoom for at in box)
    return left - _RIM_PX, top - _RIM_PX, right + _RIM_PX, bottom + _RIM_PX


def _is_obvious(coarse: tuple[Image.Image, Image.Image]) -> bool:
    """Return True if a patch 0.5 mm wide differs by twice `TONE_LEVELS` in the coarse pictures."""
    left = ImageChops.lighter(_excess(*coarse, 1), _excess(*coarse[::-1], 1))
    return _extreme_nearby(mask_above(left, 2 * TONE_LEVELS), 2, darkest=True).getbbox() is not None


def _difference_mask(pair: tuple[Image.Image, Image.Image]) -> Image.Image:
    """Return a mask, white where two fine pictures look different."""
    edges, tones = _edges_and_patches(pair)
    return ImageChops.lighter(edges, tones) if _area(edges) > MIN_CHANGE_MM2 else tones


def _edges_and_patches(pair: tuple[Image.Image, Image.Image]) -> tuple[Image.Image, Image.Image]:
    """Return masks of the differences at edges, and of patches in another tone."""
    old, new = (picture.filter(ImageFilter.GaussianBlur(1)) for picture in pair)
    left = ImageChops.lighter(_excess(old, new), _excess(new, old))
    return mask_above(left, EDGE_LEVELS), _patches(mask_above(left, TONE_LEVELS))


def _area(mask: Image.Image) -> float:
    """Return the white area of a mask in mm²."""
    return mask.histogram()[255] / FINE_PX_PER_MM**2


def _excess(picture: Image.Image, other: Image.Image, reach: int = _SHIFT_PX) -> Image.Image:
    """Return how far each pixel lies outside the range of colours that `other` has within `reach` pixels."""
    low = _extreme_nearby(other, reach, darkest=True)
    high = _extreme_nearby(other, reach, darkest=False)
    return ImageChops.lighter(ImageChops.subtract(picture, high), ImageChops.subtract(low, picture))


def _extreme_nearby(picture: Image.Image, reach: int, *, darkest: bool) -> Image.Image:
    """Return for each pixel the darkest, or the lightest, colour within `reach` pixels."""
    merge = ImageChops.darker if darkest else ImageChops.lighter
    for across, down in ((1, 0), (0, 1)):
        for _ in range(reach):
            ahead = ImageChops.offset(picture, across, down)
            behind = ImageChops.offset(picture, -across, -down)
            picture = merge(merge(ahead, behind), picture)
    return picture


def _patches(mask: Image.Image) -> Image.Image:
    """Return the parts of a mask that are wider than a line: an opening by `_PATCH_RADIUS_PX`."""
    return _extreme_nearby(
        _extreme_nearby(mask, _PATCH_RADIUS_PX, darkest=True), _PATCH_RADIUS_PX, darkest=False
    )
