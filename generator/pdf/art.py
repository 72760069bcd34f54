"""Art that faces show: each piece on a page of its own, once a job, however many faces show it.

Typst sets text wrongly in a picture that another picture shows, and writes what several show several times. So a pixel
image with the digest of the art stands in its place until the form of its page does (`forms.py`). The page is then
looked at: where pdfium shows it otherwise than resvg does, resvg's picture is printed instead.
"""

import io
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from PIL import Image, ImageChops, ImageFilter

from generator.core.cache import Kept, key_of
from generator.core.fonts import FontSet
from generator.core.geometry import EPSILON, Size
from generator.core.problems import Problem, error_of
from generator.core.svg import SVG
from generator.core.units import MM_PER_INCH, number, pixels
from generator.core.worker import Failed, TooMuch, Worker, too_much
from generator.pdf.room import PageSource
from generator.picture.face import Face
from generator.picture.items import Art, PlacedArt, PlacedImage, walk
from generator.picture.svg import Element, SvgWriter, Tree, aspect_ratio, box_attributes

if TYPE_CHECKING:
    from generator.picture.raster import Rasteriser

DPI = 600
"""Of a picture that stands in for art."""
MAX_SIDE = 5000
"""Pixels, of such a picture."""

TINY = 0.5
HUGE = 2000.0
"""mm; a page of art is no smaller and no wider."""

SIDES = (160, 480, 1440)
TILED_SIDES = (480, 960, 1920)
"""Pixels along the longer side of art when it is looked at, and again when it seems to differ; of art with patterns."""
HAIR = 0.01
"""Of a pixel, by which a page is smaller than its picture: pdfium takes a pixel more for whatever is left."""
NOISE = 56
"""Levels of 255 between two engines' ways to smooth an edge."""
SPECKS = 3e-4
"""The share of all pixels that may differ by more."""
SQUARES = 20
TONE = 7
FEW = 4
"""Squares along the longer side, by how many levels the mean of one may differ, how many may by more."""
NEAR = 3
TILED = 5
"""Pixels across, in which a colour may have moved: pdfium puts the tiles of a pattern on whole pixels of its own."""
GROUND = (96, 144, 192)
"""What art is laid on to be looked at: neither its black nor its white is lost on it."""

KEPT = "art"
"""What is kept of art that was looked at is called so in the cache."""

_MAGIC = b"placed art: \0\1"
_LENGTH = 10
MARKER = (8, 1)
MARKERS = 1000
"""Pixels of the image that stands for art, and how many such images are remembered."""
_WORDS = re.compile(r">[^<]*<")
_COLOUR = re.compile(r"(?<!url\()(?<!href=\")#[0-9a-fA-F]{3,8}\b")


@lru_cache(MARKERS)
def _kin_of(svg: str) -> str:
    """Return a digest that is equal for pictures that differ in words and colours alone.

    The engines draw all of them alike, or none.
    """
    return sha256(_COLOUR.sub("#", _WORDS.sub("><", svg)).encode()).hexdigest()


class MarkerWriter(SvgWriter):
    """Writes faces for print: a marker stands for each piece of art and each large image until its form replaces it.

    `sizes` are the sizes of the large images, by key.
    """

    def __init__(self, sizes: Mapping[str, Size]) -> None:
        super().__init__(art_address=lambda art: _marker(marker_name(art)))
        self._sizes = sizes

    def image(self, item: PlacedImage) -> Element:
        """Return a large image as a marker, stretched over what the image would take, whatever shape markers have."""
        if not item.image.is_apart:
            return super().image(item)
        w, h = map(number, self._sizes[item.image.key])
        outer = ET.Element("svg", {**box_attributes(item.box), "preserveAspectRatio": aspect_ratio(item)})
        outer.set("viewBox", f"0 0 {w} {h}")
        image = {"width": w, "height": h, "preserveAspectRatio": "none", "href": _marker(bare(item.image.key))}
        ET.SubElement(outer, "image", image)
        return Tree(outer)


def marker_name(art: Art) -> str:
    """Return the name that a marker carries for a piece of art."""
    return art.fingerprint[: 2 * _LENGTH]


def bare(key: str) -> str:
    """The name of a picture that has that key."""
    return key.partition(":")[2][: 2 * _LENGTH]


def name_in(pixels: bytes) -> str | None:
    """Which art a pixel image stands for; nothing when it is a picture of its own."""
    return pixels[len(_MAGIC) :][:_LENGTH].hex() if pixels.startswith(_MAGIC) else None


def art_in(faces: Iterable[Face]) -> tuple[PageSource, ...]:
    """Return all art on some faces, each piece once, at the largest size at which it stands on one."""
    found: dict[str, PageSource] = {}
    for face in faces:
        for item, _ in walk(face.items):
            if isinstance(item, PlacedArt):
                name = marker_name(item.art)
                size = _page_size(item)
                if name not in found:
                    found[name] = PageSource(name, item.art.name or face.label, item.art.svg, size)
                elif size.w > found[name].size.w:
                    found[name] = replace(found[name], size=size)
    return tuple(found.values())


def _page_size(item: PlacedArt) -> Size:
    """Return how large the page of placed art is: its size on the face, unless that is tiny or huge."""
    view = Size(*(max(side, EPSILON) for side in item.art.view.size))
    scale = max(item.view_box.w / view.w, TINY / min(view))
    if item.fit == "stretch":
        scale = max(item.box.w / view.w, item.box.h / view.h, TINY / min(view))
    scale = min(scale, HUGE / max(view))
    return Size(view.w * scale, view.h * scale)


@lru_cache(MARKERS)
def _marker(name: str) -> str:
    """The address of the image that stands for art of that name."""
    return png_address(Image.frombytes("RGB", MARKER, _MAGIC + bytes.fromhex(name)))


def png_address(picture: Image.Image) -> str:
    """A picture as the address of a PNG."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return f"data:image/png;base64,{b64encode(buffer.getvalue()).decode()}"


@dataclass
class ArtEye:
    """Looks at pages of art; what it saw is kept."""

    fonts: FontSet
    worker: Worker
    kept: Kept
    seen: dict[str, bytes] = field(default_factory=dict)

    @cached_property
    def _raster(self) -> "Rasteriser":
        from generator.picture.raster import Rasteriser  # with resvg and all fonts: what was seen before needs neither

        return Rasteriser(self.fonts, worker=self.worker)

    def unlike(self, leaves: Sequence[PageSource], pdf: bytes) -> list[PageSource]:
        """Those whose pages pdfium shows otherwise than resvg does, beyond how they smooth edges."""
        first: dict[str, int] = {}
        for nth, leaf in enumerate(leaves):
            first.setdefault(_kin_of(leaf.svg), nth)
        for kin in first:
            self.seen[kin] = self.seen.get(kin) or self.kept.get(KEPT, self._key(kin)) or b""
        new = {nth: leaves[nth] for kin, nth in first.items() if not self.seen[kin]}
        for leaf, differs in self._looked(new, pdf):
            self.seen[_kin_of(leaf.svg)] = b"apart" if differs else b"alike"
            self.kept.put(KEPT, self._key(_kin_of(leaf.svg)), self.seen[_kin_of(leaf.svg)])
        return [leaf for leaf in leaves if self.seen[_kin_of(leaf.svg)] != b"alike"]

    def _key(self, kin: str) -> str:
        return key_of(self.fonts.digest, kin, SIDES, TILED_SIDES, NOISE, SPECKS, NEAR, TILED, SQUARES, TONE, FEW)

    def _looked(self, leaves: Mapping[int, PageSource], pdf: bytes) -> Iterator[tuple[PageSource, bool]]:
        if not leaves:
            return
        import pypdfium2  # it is slow to load

        document = pypdfium2.PdfDocument(pdf)
        try:
            for number, leaf in leaves.items():
                page = document[number]
                sides = TILED_SIDES if "<pattern" in leaf.svg else SIDES
                yield leaf, all(self._differs(leaf, _page(page, side)) for side in sides)
                page.close()
        finally:
            document.close()

    def _differs(self, leaf: PageSource, printed: Image.Image) -> bool:
        seen = Image.new("RGB", printed.size, GROUND)
        drawn = self._drawn(leaf, *printed.size)
        seen.paste(drawn, mask=drawn.getchannel("A"))
        near = TILED if "<pattern" in leaf.svg else NEAR
        return _apart(ImageChops.difference(seen, printed)) and any(
            _apart(_beyond(one, other, near)) for one, other in ((seen, printed), (printed, seen))
        )

    def _drawn(self, leaf: PageSource, width: int, height: int) -> Image.Image:
        try:
            return self._raster.svg(leaf.svg, width, height)
        except TooMuch as error:
            raise error_of([too_much(leaf.label, error.why)]) from error
        except Failed as error:
            said = f"{leaf.label}: it cannot be drawn: {error}"
            raise error_of([Problem(None, said, "an SVG that resvg can read")]) from error

    def stand_in(self, leaf: PageSource) -> PageSource:
        """The same as a picture of resvg's."""
        dpi = min(DPI, MAX_SIDE / max(leaf.size) * MM_PER_INCH)
        picture = io.BytesIO()
        self._drawn(leaf, *(pixels(side, dpi) for side in leaf.size)).save(picture, "PNG")
        w, h = map(number, leaf.size)
        address = f"data:image/png;base64,{b64encode(picture.getvalue()).decode()}"
        image = f'<image width="{w}" height="{h}" preserveAspectRatio="none" href="{address}"/>'
        head = f'<svg xmlns="{SVG}" width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}">'
        return replace(leaf, content=f"{head}{image}</svg>")


def _page(page: Any, side: int) -> Image.Image:
    """A page as pdfium shows it, on a ground; of a size at which both sides are whole, so that neither is stretched."""
    w, h = page.get_size()
    share = min(w, h) / max(w, h)
    whole = min(range(side, side + side // 4), key=lambda pixels: abs(pixels * share - round(pixels * share)))
    drawn = page.render(scale=(whole - HAIR) / max(w, h), fill_color=(*GROUND, 255))
    picture: Image.Image = drawn.to_pil().convert("RGB")
    return picture


def _apart(difference: Image.Image) -> bool:
    """Whether a difference is more than smoothed edges: in single pixels, or in the mean of whole squares."""
    squares = difference.reduce(max(1, max(difference.size) // SQUARES))
    return _above(difference, NOISE) > SPECKS * difference.width * difference.height or _above(squares, TONE) > FEW


def _beyond(one: Image.Image, other: Image.Image, near: int) -> Image.Image:
    """How far each pixel of one is from all colours that the other has near it."""
    least = other.filter(ImageFilter.MinFilter(near))
    most = other.filter(ImageFilter.MaxFilter(near))
    return ImageChops.lighter(ImageChops.subtract(one, most), ImageChops.subtract(least, one))


def _above(difference: Image.Image, levels: int) -> int:
    """How many pixels differ by more than so many levels."""
    red, green, blue = difference.split()
    return sum(ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()[levels:])
