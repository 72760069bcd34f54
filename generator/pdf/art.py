"""Art that faces show: each piece on a page of its own, once a job, however many faces show it.

Typst sets text wrongly in a picture that another picture shows, and writes what several show several times. So a pixel
image with the digest of the art stands in its place until the form of its page does (`forms.py`). The page is then
looked at: where pdfium shows it otherwise than resvg does, resvg's picture is printed instead.
"""

import io
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from PIL import Image, ImageChops, ImageFilter

from generator.core.cache import Kept, key_of
from generator.core.fonts import FontSet
from generator.core.geometry import EPSILON, Size
from generator.core.problems import Problem, error_of
from generator.core.runs import Ground, apart
from generator.core.svg import PICTURE_KEY, SVG, SVG_KIND, title_of
from generator.core.units import MM_PER_INCH, number, pixels
from generator.core.worker import Failed, TooMuch, Worker, too_much
from generator.draw.face import Face

if TYPE_CHECKING:
    from generator.core.raster import Rasteriser

DPI = 600
"""Of a picture that stands in for art."""
MAX_SIDE = 5000
"""Pixels, of such a picture."""

TINY, HUGE = 0.5, 2000.0
"""mm; a page of art is no smaller and no wider."""

SIDES, TILED_SIDES = (160, 480, 1440), (480, 960, 1920)
"""Pixels along the longer side of art when it is looked at, and again when it seems to differ; of art with patterns."""
HAIR = 0.01
"""Of a pixel, by which a page is smaller than its picture: pdfium takes a pixel more for whatever is left."""
NOISE = 56
"""Levels of 255 between two engines' ways to smooth an edge."""
SPECKS = 3e-4
"""The share of all pixels that may differ by more."""
SQUARES, TONE, FEW = 20, 7, 4
"""Squares along the longer side, by how many levels the mean of one may differ, how many may by more."""
NEAR, TILED = 3, 5
"""Pixels across, in which a colour may have moved: pdfium puts the tiles of a pattern on whole pixels of its own."""
GROUND = (96, 144, 192)
"""What art is laid on to be looked at: neither its black nor its white is lost on it."""

KEPT = "art"
"""What is kept of art that was looked at is called so in the cache."""

_MAGIC = b"placed art: \0\1"
_LENGTH = 10
MARKER, MARKERS = (8, 1), 1000
"""Pixels of the image that stands for art, and how many such images are remembered."""
_SHOWN = re.compile(rf'(<image\b[^<>]*?\bhref=")({re.escape(SVG_KIND)}[^"]*)"')
_IMAGE = re.compile(rf'(?:<symbol\b([^<>]*)>)?<image\b([^<>]*?)\bhref="({re.escape(SVG_KIND)}[^"]*)"([^<>]*)>')
_PIXELS = re.compile(rf'<image\b([^<>]*?)\b(?:xlink:)?href="({PICTURE_KEY.pattern})"([^<>]*?)/>')
_PLACED = {"x", "y", "width", "height", "preserveAspectRatio"}
_WORDS, _COLOUR = re.compile(r">[^<]*<"), re.compile(r"(?<!url\()(?<!href=\")#[0-9a-fA-F]{3,8}\b")
_USE = re.compile(r"<use\b([^<>]*)>")
_VALUE = re.compile(r'([\w:-]+)="([^"]*)"')


@dataclass(frozen=True)
class Leaf:
    """What typst draws a page of: an SVG, as large as it is shown, in mm; `label` is what to call it."""

    name: str
    label: str
    svg: str
    size: Size

    @cached_property
    def kin(self) -> str:
        """The same for pictures that differ in words and colours alone: the engines draw all of them alike, or none."""
        return sha256(_COLOUR.sub("#", _WORDS.sub("><", self.svg)).encode()).hexdigest()


def marked(face: Face, sizes: Mapping[str, Size]) -> str:
    """A face's SVG with a pixel image in the place of each piece of art and of each larger picture, of such sizes."""
    drawn = face.drawn
    if drawn.pictures:
        text = _PIXELS.sub(lambda match: _stretched(match, sizes), drawn.written)
        drawn = replace(drawn, written=text)
    text = drawn.svg
    return _SHOWN.sub(lambda match: f'{match[1]}{_marker(_name(match[2]))}"', text) if SVG_KIND in text else text


def _stretched(match: re.Match[str], sizes: Mapping[str, Size]) -> str:
    """A picture as a marker that is stretched over what the picture would take, whatever shape markers have."""
    before, key, behind = match.groups()
    around = before + behind
    if {name for name, _ in _VALUE.findall(around)} - _PLACED:
        return match[0]
    w, h = map(number, sizes[key])
    image = f'<image width="{w}" height="{h}" preserveAspectRatio="none" href="{_marker(bare(key))}"/>'
    return f'<svg {around} viewBox="0 0 {w} {h}">{image}</svg>'


def bare(key: str) -> str:
    """The name of a picture that has that key."""
    return key.partition(":")[2][: 2 * _LENGTH]


def name_in(pixels: bytes) -> str | None:
    """Which art a pixel image stands for; nothing when it is a picture of its own."""
    return pixels[len(_MAGIC) :][:_LENGTH].hex() if pixels.startswith(_MAGIC) else None


def art_in(faces: Iterable[Face]) -> tuple[Leaf, ...]:
    """All art that faces show, each once, at the largest size at which it is shown."""
    found, looked = dict[str, Leaf](), WeakSet[Ground]()
    for face in faces:
        ground, _ = apart(face.drawn.written) if SVG_KIND in face.drawn.written else (None, ())
        if ground is None or ground in looked:
            continue
        looked.add(ground)
        for address, size in _placed(ground.filled({})):
            name = _name(address)
            if name not in found:
                svg = b64decode(address[len(SVG_KIND) :]).decode(errors="replace")
                found[name] = Leaf(name, title_of(svg) or face.label, svg, size)
            elif size.w > found[name].size.w:
                found[name] = replace(found[name], size=size)
    return tuple(found.values())


def _placed(svg: str) -> Iterator[tuple[str, Size]]:
    """The addresses of art in a face, each with the size that it has there."""
    uses = [dict(_VALUE.findall(match[1])) for match in _USE.finditer(svg)]
    for head, before, address, behind in _IMAGE.findall(svg):
        image, symbol = dict(_VALUE.findall(before + behind)), dict(_VALUE.findall(head))
        whole = _size(image)
        shares = [_share(whole, symbol, _size(use)) for use in uses if symbol and _target(use) == symbol.get("id")]
        share = min(max(*shares, TINY / min(whole)) if shares else 1.0, HUGE / max(whole))
        yield address, Size(whole.w * share, whole.h * share)


def _size(values: Mapping[str, str]) -> Size:
    """The size of an element that we wrote; of one that somebody else did, some size."""
    found = [re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", values.get(side, "")) for side in ("width", "height")]
    return Size(*(max(float(match[0]) if match else 1.0, EPSILON) for match in found))


def _target(use: Mapping[str, str]) -> str:
    return use.get("xlink:href", use.get("href", ""))[1:]


def _share(whole: Size, symbol: Mapping[str, str], box: Size) -> float:
    """How much larger than in its own units a picture is in a box."""
    sides = box.w / whole.w, box.h / whole.h
    return min(sides) if symbol.get("preserveAspectRatio", "meet").endswith("meet") else max(sides)


def _name(address: str) -> str:
    return sha256(address.encode()).hexdigest()[: 2 * _LENGTH]


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
        from generator.core.raster import Rasteriser  # with resvg and all fonts: what was seen before needs neither

        return Rasteriser(self.fonts, worker=self.worker)

    def unlike(self, leaves: Sequence[Leaf], pdf: bytes) -> list[Leaf]:
        """Those whose pages pdfium shows otherwise than resvg does, beyond how they smooth edges."""
        first: dict[str, int] = {}
        for nth, leaf in enumerate(leaves):
            first.setdefault(leaf.kin, nth)
        for kin in first:
            self.seen[kin] = self.seen.get(kin) or self.kept.get(KEPT, self._key(kin)) or b""
        new = {nth: leaves[nth] for kin, nth in first.items() if not self.seen[kin]}
        for leaf, differs in self._looked(new, pdf):
            self.seen[leaf.kin] = b"apart" if differs else b"alike"
            self.kept.put(KEPT, self._key(leaf.kin), self.seen[leaf.kin])
        return [leaf for leaf in leaves if self.seen[leaf.kin] != b"alike"]

    def _key(self, kin: str) -> str:
        return key_of(self.fonts.digest, kin, SIDES, TILED_SIDES, NOISE, SPECKS, NEAR, TILED, SQUARES, TONE, FEW)

    def _looked(self, leaves: Mapping[int, Leaf], pdf: bytes) -> Iterator[tuple[Leaf, bool]]:
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

    def _differs(self, leaf: Leaf, printed: Image.Image) -> bool:
        seen = Image.new("RGB", printed.size, GROUND)
        drawn = self._drawn(leaf, *printed.size)
        seen.paste(drawn, mask=drawn.getchannel("A"))
        near = TILED if "<pattern" in leaf.svg else NEAR
        return _apart(ImageChops.difference(seen, printed)) and any(
            _apart(_beyond(one, other, near)) for one, other in ((seen, printed), (printed, seen))
        )

    def _drawn(self, leaf: Leaf, width: int, height: int) -> Image.Image:
        try:
            return self._raster.svg(leaf.svg, width, height)
        except TooMuch as error:
            raise error_of([too_much(leaf.label, error.why)]) from error
        except Failed as error:
            said = f"{leaf.label}: it cannot be drawn: {error}"
            raise error_of([Problem(None, said, "an SVG that resvg can read")]) from error

    def stand_in(self, leaf: Leaf) -> Leaf:
        """The same as a picture of resvg's."""
        dpi = min(DPI, MAX_SIDE / max(leaf.size) * MM_PER_INCH)
        picture = io.BytesIO()
        self._drawn(leaf, *(pixels(side, dpi) for side in leaf.size)).save(picture, "PNG")
        w, h = map(number, leaf.size)
        address = f"data:image/png;base64,{b64encode(picture.getvalue()).decode()}"
        image = f'<image width="{w}" height="{h}" preserveAspectRatio="none" href="{address}"/>'
        head = f'<svg xmlns="{SVG}" width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}">'
        return replace(leaf, svg=f"{head}{image}</svg>")


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
    least, most = other.filter(ImageFilter.MinFilter(near)), other.filter(ImageFilter.MaxFilter(near))
    return ImageChops.lighter(ImageChops.subtract(one, most), ImageChops.subtract(least, one))


def _above(difference: Image.Image, levels: int) -> int:
    """How many pixels differ by more than so many levels."""
    red, green, blue = difference.split()
    return sum(ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()[levels:])
