"""Compile art to PDF pages, each piece once, and check them against resvg's rendering.

Typst sets text wrongly in an SVG inside another SVG, and writes an SVG as often as it is shown. So
a marker, a tiny image with the digest of the art, takes its place until the form of its page
replaces it (`forms.py`). Pages that PDFium renders differently from resvg are replaced by resvg's
pixels.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from PIL import Image, ImageChops

from generator.base.budget import drawing
from generator.base.cache import CacheStore, key_of
from generator.base.errors import PnpError, Problem
from generator.base.fonts import FontSet
from generator.base.geometry import EPSILON, Size
from generator.base.html import html
from generator.base.svg_table import SVG
from generator.base.units import MM_PER_INCH, number, pixels
from generator.base.worker import Worker, WorkError, WorkLimitError, too_much
from generator.pdf.typst import PageSource
from generator.picture.face import Face
from generator.picture.images import png_address, strongest_channel
from generator.picture.items import Art, PlacedArt, PlacedImage, walk
from generator.picture.svg import Element, SvgWriter, Tree, aspect_ratio, box_attributes

if TYPE_CHECKING:
    from generator.picture.raster import Rasteriser

# Resolution of pictures that replace art.
DPI = 600
# Longest side of such a picture in pixels.
MAX_SIDE_PX = 5000

# Limits of a page of art.
MIN_PAGE_MM = 0.5
MAX_PAGE_MM = 2000.0

# Sizes at which both renderings are compared, in pixels of the longer side: a larger one follows
# only if they differ.
SIDES = (160, 480, 1440)
TILED_SIDES = (480, 960, 1920)  # for art with patterns
# A page is rendered this much smaller, because PDFium adds a pixel for any remainder.
RENDER_SLACK_PX = 0.01
# Of 255 levels: antialiasing differs by up to this much between the engines.
MAX_ANTIALIASING_LEVELS = 56
# The share of all pixels that may differ by more.
MAX_DIFFERENT_SHARE = 3e-4
# Squares along the longer side, the levels by which the mean colour of a square may differ, and the
# squares that may differ by more.
SQUARES = 20
MAX_TONE_LEVELS = 7
MAX_DIFFERENT_SQUARES = 4
# Width in pixels of the neighbourhood in which a colour may have moved. PDFium moves tiles of
# patterns to whole pixels.
SHIFT_PX = 3
TILED_SHIFT_PX = 5
# The background for comparisons: neither black nor white art is lost on it.
BACKGROUND_RGB = (96, 144, 192)

# The step's name in the cache, and its entries for art that both engines render alike, and for other art.
CACHE_STEP = "art"
ALIKE = b"alike"
DIFFERENT = b"apart"

# A marker's pixels: bytes that no drawing has by chance, then the name of what it stands for.
_MAGIC = b"placed art: \0\1"
_NAME_BYTES = 10
# Width and height in pixels: 24 bytes of RGB hold the magic and the name.
MARKER_SIZE = (8, 1)
MAX_CACHED_MARKERS = 1000
_WORDS = re.compile(r">[^<]*<")
_COLOUR = re.compile(r"(?<!url\()(?<!href=\")#[0-9a-fA-F]{3,8}\b")


@lru_cache(MAX_CACHED_MARKERS)
def _shape_digest(svg: str) -> str:
    """Return a digest that is equal for pictures that differ in words and colours only.

    The engines agree on all of these pictures or on none, so one comparison does for all.
    """
    return sha256(_COLOUR.sub("#", _WORDS.sub("><", svg)).encode()).hexdigest()


class MarkerWriter(SvgWriter):
    """Writes faces for print: a marker stands for each piece of art and each large image until its form replaces it.

    `sizes` are the sizes of the large images, by key.
    """

    def __init__(self, sizes: Mapping[str, Size]) -> None:
        super().__init__(art_address=lambda art: _marker(art_marker_name(art)))
        self._sizes = sizes

    def image(self, item: PlacedImage) -> Element:
        """Return a large image as a marker, stretched over the image's box, since markers have another shape."""
        if not item.image.is_large:
            return super().image(item)
        w, h = map(number, self._sizes[item.image.key])
        outer = ET.Element(
            "svg", {**box_attributes(item.box), "preserveAspectRatio": aspect_ratio(item)}
        )
        outer.set("viewBox", f"0 0 {w} {h}")
        image = {
            "width": w,
            "height": h,
            "preserveAspectRatio": "none",
            "href": _marker(image_marker_name(item.image.key)),
        }
        ET.SubElement(outer, "image", image)
        return Tree(outer)


def art_marker_name(art: Art) -> str:
    """Return the name that a marker carries for a piece of art."""
    return art.fingerprint[: 2 * _NAME_BYTES]


def image_marker_name(key: str) -> str:
    """Return the name that a marker carries for the large image with this key."""
    return key.partition(":")[2][: 2 * _NAME_BYTES]


def marker_name_in(pixels: bytes) -> str | None:
    """Return the name of the art or the image that a marker's pixels stand for, or None for any other image."""
    return pixels[len(_MAGIC) :][:_NAME_BYTES].hex() if pixels.startswith(_MAGIC) else None


def art_in(faces: Iterable[Face]) -> tuple[PageSource, ...]:
    """Return all art on some faces once, each at its largest size."""
    sources: dict[str, PageSource] = {}
    for face in faces:
        for item, _ in walk(face.items):
            if isinstance(item, PlacedArt):
                name = art_marker_name(item.art)
                size = _page_size(item)
                if name not in sources:
                    sources[name] = PageSource(
                        name, item.art.name or face.label, item.art.svg, size
                    )
                elif size.w > sources[name].size.w:
                    sources[name] = replace(sources[name], size=size)
    return tuple(sources.values())


def _page_size(item: PlacedArt) -> Size:
    """Return the size in mm of a page of placed art: the art's size on the face, within limits."""
    view = Size(*(max(side, EPSILON) for side in item.art.view.size))
    scale = max(item.view_box.w / view.w, MIN_PAGE_MM / min(view))
    if item.fit == "stretch":
        scale = max(item.box.w / view.w, item.box.h / view.h, MIN_PAGE_MM / min(view))
    scale = min(scale, MAX_PAGE_MM / max(view))
    return Size(view.w * scale, view.h * scale)


@lru_cache(MAX_CACHED_MARKERS)
def _marker(name: str) -> str:
    """Return the data address of the marker for a name."""
    return png_address(Image.frombytes("RGB", MARKER_SIZE, _MAGIC + bytes.fromhex(name)))


def image_svg(address: str, size: Size, unit: str = "") -> str:
    """Return an SVG that is filled by the image of a data address."""
    return html(
        '<svg xmlns="$svg" width="$w$unit" height="$h$unit" viewBox="0 0 $w $h">'
        '<image width="$w" height="$h" preserveAspectRatio="none" href="$address"/></svg>',
        svg=SVG,
        w=number(size.w),
        h=number(size.h),
        unit=unit,
        address=address,
    )


@dataclass
class ArtComparer:
    """Compares pages of art with resvg's rendering; results are cached, by the digest of their shapes."""

    fonts: FontSet
    worker: Worker
    cache: CacheStore
    results: dict[str, bytes] = field(default_factory=dict)

    @cached_property
    def _raster(self) -> "Rasteriser":
        # Loads resvg and all fonts, which cached results do not need.
        from generator.picture.raster import Rasteriser

        return Rasteriser(self.fonts, worker=self.worker)

    def find_different(self, sources: Sequence[PageSource], pdf: bytes) -> list[PageSource]:
        """Return the pages that PDFium renders differently from resvg, apart from antialiasing."""
        first: dict[str, int] = {}
        for index, source in enumerate(sources):
            first.setdefault(_shape_digest(source.svg), index)
        for shape in first:
            self.results[shape] = (
                self.results.get(shape) or self.cache.get(CACHE_STEP, self._key(shape)) or b""
            )
        new = {index: sources[index] for shape, index in first.items() if not self.results[shape]}
        for source, differs in self._compare(new, pdf):
            shape = _shape_digest(source.svg)
            self.results[shape] = DIFFERENT if differs else ALIKE
            self.cache.put(CACHE_STEP, self._key(shape), self.results[shape])
        return [source for source in sources if self.results[_shape_digest(source.svg)] != ALIKE]

    def _key(self, shape: str) -> str:
        """Return the cache key of a result, which depends on all limits of the comparison."""
        return key_of(
            self.fonts.digest,
            shape,
            SIDES,
            TILED_SIDES,
            MAX_ANTIALIASING_LEVELS,
            MAX_DIFFERENT_SHARE,
            SHIFT_PX,
            TILED_SHIFT_PX,
            SQUARES,
            MAX_TONE_LEVELS,
            MAX_DIFFERENT_SQUARES,
        )

    def _compare(
        self, sources: Mapping[int, PageSource], pdf: bytes
    ) -> Iterator[tuple[PageSource, bool]]:
        """Yield each source with True if its page, by number, differs at every size that is tried."""
        if not sources:
            return
        import pypdfium2  # slow to load

        document = pypdfium2.PdfDocument(pdf)
        try:
            for number, source in sources.items():
                page = document[number]
                sides = TILED_SIDES if "<pattern" in source.svg else SIDES
                with drawing(source.label):
                    differs = all(self._differs(source, _render_page(page, side)) for side in sides)
                yield source, differs
                page.close()
        finally:
            document.close()

    def _differs(self, source: PageSource, printed: Image.Image) -> bool:
        rendered = Image.new("RGB", printed.size, BACKGROUND_RGB)
        transparent = self._render(source, *printed.size)
        rendered.paste(transparent, mask=transparent.getchannel("A"))
        width_px = TILED_SHIFT_PX if "<pattern" in source.svg else SHIFT_PX
        return _is_different(ImageChops.difference(rendered, printed)) and any(
            _is_different(_excess(item, other, width_px))
            for item, other in ((rendered, printed), (printed, rendered))
        )

    def _render(self, source: PageSource, width: int, height: int) -> Image.Image:
        try:
            return self._raster.svg(source.svg, width, height)
        except WorkLimitError as error:
            raise PnpError([too_much(source.label, error.why)]) from error
        except WorkError as error:
            found = f"{source.label}: it cannot be drawn: {error}"
            raise PnpError([Problem(None, found, "an SVG that resvg can read")]) from error

    def rasterise(self, source: PageSource) -> PageSource:
        """Return a page of art with resvg's pixels in the place of its SVG."""
        dpi = min(DPI, MAX_SIDE_PX / max(source.size) * MM_PER_INCH)
        picture = self._render(source, *(pixels(side, dpi) for side in source.size))
        return replace(source, content=image_svg(png_address(picture), source.size, "mm"))


def _render_page(page: Any, side: int) -> Image.Image:
    """Render a page with PDFium on the background, at a size at which both sides are nearly whole pixels."""
    w, h = page.get_size()
    share = min(w, h) / max(w, h)
    side_px = min(
        range(side, side + side // 4),
        key=lambda pixels: abs(pixels * share - round(pixels * share)),
    )
    bitmap = page.render(
        scale=(side_px - RENDER_SLACK_PX) / max(w, h), fill_color=(*BACKGROUND_RGB, 255)
    )
    picture: Image.Image = bitmap.to_pil().convert("RGB")
    return picture


def _is_different(difference: Image.Image) -> bool:
    """Return True if a difference is more than antialiasing, in single pixels or in the mean of squares."""
    squares = difference.reduce(max(1, max(difference.size) // SQUARES))
    return (
        _count_from(difference, MAX_ANTIALIASING_LEVELS)
        > MAX_DIFFERENT_SHARE * difference.width * difference.height
        or _count_from(squares, MAX_TONE_LEVELS) > MAX_DIFFERENT_SQUARES
    )


def _excess(one: Image.Image, other: Image.Image, width_px: int) -> Image.Image:
    """Return how far each pixel lies outside the colours of the other picture in a square around the pixel."""
    # Single bands take half the time of RGB, of which Pillow keeps four bytes a pixel.
    bands = zip(one.split(), other.split(), strict=True)
    return Image.merge("RGB", [_excess_of_band(band, around, width_px) for band, around in bands])


def _excess_of_band(one: Image.Image, other: Image.Image, width_px: int) -> Image.Image:
    darkest = _extreme_around(other, width_px, ImageChops.darker)
    lightest = _extreme_around(other, width_px, ImageChops.lighter)
    return ImageChops.lighter(ImageChops.subtract(one, lightest), ImageChops.subtract(darkest, one))


def _extreme_around(
    picture: Image.Image, width_px: int, choose: Callable[[Image.Image, Image.Image], Image.Image]
) -> Image.Image:
    """Return for each pixel the darkest or lightest in a square around it, `width_px` wide.

    Pillow's MinFilter and MaxFilter do the same in ten times the time, since they sort.
    """
    for _ in range(width_px // 2):
        for x, y in ((1, 0), (0, 1)):
            before = picture.copy()
            after = picture.copy()
            before.paste(picture, (x, y))
            after.paste(picture, (-x, -y))
            picture = choose(choose(picture, before), after)
    return picture


def _count_from(difference: Image.Image, levels: int) -> int:
    """Return the number of pixels that differ by at least `levels` in any channel."""
    return sum(strongest_channel(difference).histogram()[levels:])
