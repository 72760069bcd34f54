"""Render faces as pixels with resvg and the print fonts.

Previews, checks and releases use it. The pictures are cached, and a worker process renders those
that may take long.
"""

import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any
from xml.etree import ElementTree as ET

from PIL import Image
from PIL.PngImagePlugin import PngImageFile

from generator.base.budget import drawing
from generator.base.cache import NO_CACHE, CacheStore, key_of
from generator.base.errors import PnpError, Problem
from generator.base.fonts import FontSet
from generator.base.geometry import Rect, Size
from generator.base.spill import SpilledBytes
from generator.base.units import PT_PER_INCH, pixels
from generator.base.worker import Crew, Worker, WorkError, WorkLimitError, split_answers, too_much
from generator.picture.face import Face
from generator.picture.images import (
    CMYK,
    COARSE_SIDE_PX,
    SCALABLE_MODES,
    Pixels,
    make_coarse_copy,
    open_address,
    screen_address,
    shrink_image,
    uncompressed_address,
)
from generator.picture.items import Picture, PlacedImage, art_of, walk
from generator.picture.resvg import make_options, render_png, render_pngs, render_with_options
from generator.picture.svg import SvgWriter
from generator.picture.workload import needs_worker

IMAGE_FINENESS = 1.5
"""Factor by which an embedded image stays finer than the rendered pixels."""
MAX_HELD_CHARACTERS = 64_000_000
"""Total length of the addresses of reduced images that stay in memory, the latest ones.

An image that several faces show is mostly needed again soon.
"""
HEAD_CHARACTERS = 1 << 16
"""Characters at the start of an image address that are read to find the image's size."""


@dataclass
class ImageDownscaler:
    """Reduces images to the resolution that is visible, so that engines decode no more than that.

    Remembers their sizes, and as many of the reduced images as fit into `MAX_HELD_CHARACTERS`.
    """

    _sizes: dict[str, tuple[Size, str]] = field(default_factory=dict)
    # Bounded by the length of the images, not by their number as functools.lru_cache would have it:
    # one takes from a few kB to several MB.
    _reduced: dict[tuple[str, int], str] = field(default_factory=dict)

    def svg(self, picture: Picture, fineness: float, window: Rect, size: tuple[str, str]) -> str:
        """Return the SVG of a window of a picture, with images fit for `fineness` pixels a mm."""
        writer = SvgWriter(image_address=lambda image, box: self._address(image, box, fineness))
        return writer.write(picture, window, size)

    def _address(self, image: Pixels, box: Rect, fineness: float) -> str:
        """Return the address of an image, or of a reduced copy that is fine enough for its box."""
        spilled = image.spilled
        if not image.is_large:
            return spilled.text
        if image.key not in self._sizes:
            self._sizes[image.key] = read_size(spilled)
        size, mode = self._sizes[image.key]
        scale = max(box.w / size.w, box.h / size.h) * fineness * IMAGE_FINENESS
        factor = max(1, int(1 / scale)) if scale else 1
        if factor == 1 and mode != CMYK:
            return spilled.text
        if spilled.smaller and min(size) <= factor * COARSE_SIDE_PX:
            return spilled.smallest.text
        if (image.key, factor) not in self._reduced:
            small = self._reduce(spilled, size, factor)
            while (
                self._reduced
                and sum(map(len, self._reduced.values())) + len(small) > MAX_HELD_CHARACTERS
            ):
                del self._reduced[next(iter(self._reduced))]
            self._reduced[image.key, factor] = small
        return self._reduced[image.key, factor]

    def _reduce(self, picture: SpilledBytes, size: Size, factor: int) -> str:
        with open_address(picture.text) as image:
            if image.mode == CMYK:
                return screen_address(image, factor)
            if image.mode not in SCALABLE_MODES:
                return picture.text
            return uncompressed_address(
                make_coarse_copy(image)
                if min(size) <= factor * COARSE_SIDE_PX
                else shrink_image(image, factor)
            )


def image_boxes(picture: Picture) -> dict[str, Size]:
    """Return the size in mm of each large image on a picture, by key.

    The largest if it is shown several times.
    """
    boxes: dict[str, Size] = {}
    for item, _ in walk(picture.items):
        if isinstance(item, PlacedImage) and item.image.is_large:
            boxes[item.image.key] = max_size(item.box.size, boxes.get(item.image.key))
    return boxes


def max_size(one: Size, other: Size | None) -> Size:
    """Return the larger width and the larger height of two sizes."""
    return Size(max(one.w, other.w), max(one.h, other.h)) if other else one


def pixel_size(picture: SpilledBytes) -> Size:
    """Return the size in pixels of an image, given its address."""
    return read_size(picture)[0]


def read_size(picture: SpilledBytes) -> tuple[Size, str]:
    """Return the size in pixels and the Pillow mode of an image, given its address."""
    try:
        kind, _, begin = picture.head(HEAD_CHARACTERS).decode().partition(",")
        with open_address(f"{kind},{begin[: len(begin) // 4 * 4]}") as image_head:
            return Size(*map(float, image_head.size)), image_head.mode
    except (OSError, SyntaxError):  # its metadata reach beyond the head
        with open_address(picture.text) as image:
            return Size(*map(float, image.size)), image.mode


CACHE_KIND = "png"
"""The kind of PNGs in the cache."""
PICTURES_PER_TASK = 8
"""Pictures that a worker process renders per request."""
PICTURES_IN_MEMORY = 64
"""Pictures that are rendered before any of them is handed out."""
MAX_RECURRING_BYTES = 32_000_000
"""Total size of the PNGs that stay in memory because they recur, such as the common back of a deck."""
PROBE_PIXELS = 32
"""Side in pixels of a rendering that only tests whether a picture can be rendered."""


@dataclass
class Rasteriser:
    """Renders SVGs; loads the fonts once. Not to be shared between threads."""

    fonts: FontSet
    cache: CacheStore = NO_CACHE
    worker: Worker = field(default_factory=Worker)
    crew: Crew = field(default_factory=Crew)
    _downscaler: ImageDownscaler = field(default_factory=ImageDownscaler)

    @cached_property
    def _options(self) -> Any:
        return make_options(self.fonts.open_paths)

    def face(self, face: Face, dpi: float, window: Rect | None = None) -> Image.Image:
        """Return the image of a face, or of a window of it in mm from the trim's top left."""
        return _pixels(self.png(face, dpi, window))

    def png(self, face: Face, dpi: float, window: Rect | None = None) -> bytes:
        """Return the PNG of a face, or of a window of it in mm from the trim's top left, as resvg wrote it."""
        view = window or face.full
        key = self._key(face, dpi, view)
        return self.cache.get(CACHE_KIND, key) or self._new(key, face, view, dpi)

    def _new(self, key: str, face: Face, view: Rect, dpi: float) -> bytes:
        png = self._render_now(face, view, dpi)
        self.cache.put(CACHE_KIND, key, png)
        return png

    def pngs(self, faces: Sequence[tuple[Face, Rect]], dpi: float) -> Iterator[bytes]:
        """Yield PNGs of windows of faces, in order.

        All worker processes render the uncached ones.
        """
        keys = [self._key(face, dpi, view) for face, view in faces]
        uses_left = Counter(keys)
        reused: dict[str, bytes] = {}
        for start in range(0, len(faces), PICTURES_IN_MEMORY):
            end = start + PICTURES_IN_MEMORY
            part = dict(zip(keys[start:end], faces[start:end], strict=True))
            available = reused | {
                key: png
                for key in part
                if key not in reused and (png := self.cache.get(CACHE_KIND, key))
            }
            available |= self._render_in_crew(
                {key: item for key, item in part.items() if key not in available}, dpi
            )
            for key in keys[start:end]:
                available[key] = available.get(key) or self._new(key, *part[key], dpi)
                uses_left[key] -= 1
                yield available[key]
            reused = _within_memory({key: png for key, png in available.items() if uses_left[key]})

    def _key(self, face: Face, dpi: float, view: Rect) -> str:
        return key_of(
            self.fonts.digest, face.name, face.full, view, pixels(view.w, dpi), pixels(view.h, dpi)
        )

    def _render_in_crew(
        self, missing: Mapping[str, tuple[Face, Rect]], dpi: float
    ) -> dict[str, bytes]:
        """Return the PNGs that the worker processes can render.

        Skip heavy faces and faces that fail.
        """
        plain = {
            key: self._svg(face, view, dpi)
            for key, (face, view) in missing.items()
            if self.crew.jobs > 1 and not needs_worker(face)
        }
        if len(plain) < 2 * PICTURES_PER_TASK:
            return {}
        batches = [
            tuple(plain)[at : at + PICTURES_PER_TASK]
            for at in range(0, len(plain), PICTURES_PER_TASK)
        ]
        works = (([plain[key] for key in batch], self.fonts.open_paths) for batch in batches)
        answers = self.crew.map(render_pngs, works)
        pngs = {
            key: png
            for batch, answer in zip(batches, answers, strict=True)
            for key, png in zip(batch, split_answers(answer), strict=True)
            if png
        }
        for key, png in pngs.items():
            self.cache.put(CACHE_KIND, key, png)
        return pngs

    def pixels_of(self, face: Face, dpi: float) -> Image.Image:
        """Return the image of a whole face without caching it, for checks that need it once."""
        return _pixels(self._render_now(face, face.full, dpi))

    def _svg(self, face: Face, view: Rect, dpi: float) -> str:
        """Return the SVG of a window of a face at a resolution."""
        width = pixels(view.w, dpi)
        height = pixels(view.h, dpi)
        return self._downscaler.svg(face, width / view.w, view, (str(width), str(height)))

    def _render_now(self, face: Face, view: Rect, dpi: float) -> bytes:
        try:
            with drawing(face.label):
                return self._rendered(self._svg(face, view, dpi), heavy=needs_worker(face))
        except WorkLimitError as error:
            raise PnpError([too_much(face.label, error.why)]) from error
        except WorkError as error:
            found = f"{self._name_culprit(face)}: its picture cannot be drawn: {error}"
            raise PnpError([Problem(None, found, "an SVG that resvg can read")]) from error

    def _name_culprit(self, face: Face) -> str:
        """Name a face, or the art on it that cannot be rendered by itself."""
        for art in art_of(face):
            try:
                self._rendered(
                    _sized_to(art.svg, PROBE_PIXELS, PROBE_PIXELS), heavy=needs_worker(art.svg)
                )
            except (WorkLimitError, WorkError):
                return f"{face.label}: {art.name or 'art'}"
        return face.label

    def svg(self, svg: str, width: int, height: int) -> Image.Image:
        """Return the image of an SVG whose root has a viewBox, at a size in pixels."""
        return _pixels(self._rendered(_sized_to(svg, width, height), heavy=needs_worker(svg)))

    def _rendered(self, svg: str, *, heavy: bool) -> bytes:
        return (
            self.worker.run(render_png, svg, self.fonts.open_paths)
            if heavy
            else render_with_options(svg, self._options)
        )


def _within_memory(pngs: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return as many PNGs as may stay in memory."""
    sums = accumulate(len(png) for png in pngs.values())
    return {
        key: png
        for (key, png), size in zip(pngs.items(), sums, strict=True)
        if size <= MAX_RECURRING_BYTES
    }


def _pixels(png: bytes) -> Image.Image:
    picture: Image.Image = PngImageFile(io.BytesIO(png))
    picture.load()
    return picture if picture.mode == "RGBA" else picture.convert("RGBA")


def _sized_to(svg: str, width: int, height: int) -> str:
    """Return an SVG that is so many pixels wide and high."""
    root = ET.fromstring(svg)
    root.set("width", str(width))
    root.set("height", str(height))
    sized: str = ET.tostring(root, encoding="unicode")
    return sized


def page_pictures(pdf: bytes, dpi: float) -> Iterator[Image.Image]:
    """Render the pages of a PDF."""
    import pypdfium2  # slow to load, and only needed for pages

    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            yield page.render(scale=dpi / PT_PER_INCH).to_pil()
            page.close()
    finally:
        document.close()
