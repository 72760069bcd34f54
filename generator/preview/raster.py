"""Faces and pages as pixels: faces by resvg with the fonts that print, pages by pdfium, lines over them by Pillow."""

import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any

from PIL import Image, ImageDraw

from generator.core.cache import NOTHING_KEPT, Kept, key_of
from generator.core.fonts import FontSet
from generator.core.geometry import Rect
from generator.core.outline import Outline
from generator.core.problems import Problem, error_of
from generator.core.svg import may_be_heavy, pictures_in, title_of
from generator.core.units import MM_PER_INCH, PT_PER_INCH, number, pixels
from generator.core.worker import Crew, Failed, TooMuch, Worker, parted, too_much
from generator.draw.face import Face
from generator.preview.engine import drawn, drawn_all, drawn_by, reading
from generator.preview.lighter import Lighter

KEPT = "png"
"""What pictures are called in the cache."""
TOGETHER, SLICE = 8, 64
"""Pictures that one process draws at a time, and those that are held at once."""
AGAIN = 32_000_000
"""Bytes of pictures that are held since they come again, as the one back of a deck does."""
LEAST = 32
"""Pixels, where a picture is drawn only to see whether it can be."""


@dataclass
class Rasteriser:
    """Renders SVGs; loads the fonts once. Not to be shared between threads."""

    fonts: FontSet
    kept: Kept = NOTHING_KEPT
    worker: Worker = field(default_factory=Worker)
    crew: Crew = field(default_factory=Crew)
    _lighter: Lighter = field(default_factory=Lighter)

    @cached_property
    def _options(self) -> Any:
        return reading(self._paths)

    @property
    def _paths(self) -> tuple[str, ...]:
        return tuple(str(file.path) for file in self.fonts.files)

    def face(self, face: Face, dpi: float, window: Rect | None = None) -> Image.Image:
        """The part of a face inside a window, in mm from the trim's top left; by default all of it."""
        return _pixels(self.png(face, dpi, window))

    def png(self, face: Face, dpi: float, window: Rect | None = None) -> bytes:
        """The same as a PNG, as it comes from resvg."""
        view = window or face.full
        key = self._key(face, dpi, view)
        return self.kept.get(KEPT, key) or self._new(key, face, view, dpi)

    def _new(self, key: str, face: Face, view: Rect, dpi: float) -> bytes:
        made = self._drawn_now(face, view, pixels(view.w, dpi), pixels(view.h, dpi))
        self.kept.put(KEPT, key, made)
        return made

    def pngs(self, faces: Sequence[tuple[Face, Rect]], dpi: float) -> Iterator[bytes]:
        """Windows of several faces as PNGs, in their order; what is not kept yet is drawn by the whole crew."""
        keys = [self._key(face, dpi, view) for face, view in faces]
        left, again = Counter(keys), dict[str, bytes]()
        for start in range(0, len(faces), SLICE):
            part = dict(zip(keys[start : start + SLICE], faces[start : start + SLICE], strict=True))
            known = again | {key: png for key in part if key not in again and (png := self.kept.get(KEPT, key))}
            known |= self._together({key: each for key, each in part.items() if key not in known}, dpi)
            for key in keys[start : start + SLICE]:
                known[key] = known.get(key) or self._new(key, *part[key], dpi)
                left[key] -= 1
                yield known[key]
            again = _few({key: png for key, png in known.items() if left[key]})

    def _key(self, face: Face, dpi: float, view: Rect) -> str:
        return key_of(self.fonts.digest, face.name, face.full, view, pixels(view.w, dpi), pixels(view.h, dpi))

    def _together(self, missing: Mapping[str, tuple[Face, Rect]], dpi: float) -> dict[str, bytes]:
        """Those that others can draw; not what may be too much, which has a worker, and not what cannot be drawn."""
        plain = {
            key: _sized_to(
                windowed(self._shown(face, dpi / MM_PER_INCH), view), pixels(view.w, dpi), pixels(view.h, dpi)
            )
            for key, (face, view) in missing.items()
            if self.crew.jobs > 1 and not may_be_heavy(face.drawn.written)
        }
        if len(plain) < 2 * TOGETHER:
            return {}
        batches = [tuple(plain)[at : at + TOGETHER] for at in range(0, len(plain), TOGETHER)]
        works = (([plain[key] for key in batch], self._paths) for batch in batches)
        answers = self.crew.map(drawn_all, works)
        made = {
            key: png
            for batch, answer in zip(batches, answers, strict=True)
            for key, png in zip(batch, parted(answer), strict=True)
            if png
        }
        for key, png in made.items():
            self.kept.put(KEPT, key, png)
        return made

    def seen(self, face: Face, dpi: float) -> Image.Image:
        """All of a face, to be looked at once: its picture is not kept."""
        view = face.full
        return _pixels(self._drawn_now(face, view, pixels(view.w, dpi), pixels(view.h, dpi)))

    def _shown(self, face: Face, fineness: float) -> str:
        """A face's SVG for so many pixels a mm."""
        return self._lighter.svg(face, fineness) if face.drawn.pictures else face.drawn.written

    def _drawn_now(self, face: Face, view: Rect, width: int, height: int) -> bytes:
        try:
            svg = windowed(self._shown(face, width / view.w), view)
            return self._rendered(svg, width, height, heavy=may_be_heavy(face.drawn.written))
        except TooMuch as error:
            raise error_of([too_much(face.label, error.why)]) from error
        except Failed as error:
            said = f"{self._guilty(face)}: its picture cannot be drawn: {error}"
            raise error_of([Problem(None, said, "an SVG that resvg can read")]) from error

    def _guilty(self, face: Face) -> str:
        """A face, or the art on it that cannot be drawn by itself."""
        for art in pictures_in(face.drawn.written):
            try:
                self._rendered(art, LEAST, LEAST, heavy=may_be_heavy(art))
            except (TooMuch, Failed):
                return f"{face.label}: {title_of(art) or 'art'}"
        return face.label

    def svg(self, svg: str, width: int, height: int) -> Image.Image:
        """An SVG whose root has a viewBox, so many pixels wide and high."""
        return _pixels(self._rendered(svg, width, height, heavy=may_be_heavy(svg)))

    def _rendered(self, svg: str, width: int, height: int, *, heavy: bool) -> bytes:
        sized = _sized_to(svg, width, height)
        return self.worker.run(drawn, sized, self._paths) if heavy else drawn_by(sized, self._options)


def _few(pngs: Mapping[str, bytes]) -> dict[str, bytes]:
    """As many as may be held until they come again."""
    sums = accumulate(len(png) for png in pngs.values())
    return {key: png for (key, png), size in zip(pngs.items(), sums, strict=True) if size <= AGAIN}


def _pixels(png: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(png))
    picture.load()
    return picture if picture.mode == "RGBA" else picture.convert("RGBA")


def _sized_to(svg: str, width: int, height: int) -> str:
    head, tail = svg.split(">", 1) if svg.startswith("<svg") else _split(svg)
    return _sized(head, str(width), str(height)) + ">" + tail


def windowed(svg: str, window: Rect) -> str:
    """A face's SVG with another view and the size in mm that belongs to it."""
    head, tail = _split(svg)
    sized = _sized(head, f"{number(window.w)}mm", f"{number(window.h)}mm")
    return _attribute(sized, "viewBox", " ".join(number(n) for n in window)) + ">" + tail


def _split(svg: str) -> tuple[str, str]:
    """The text before and after the end of the root's opening tag."""
    start = svg.index("<svg")
    end = svg.index(">", start)
    return svg[start:end], svg[end + 1 :]


def _sized(head: str, width: str, height: str) -> str:
    return _attribute(_attribute(head, "width", width), "height", height)


def _attribute(head: str, name: str, value: str) -> str:
    before, _, rest = head.partition(f' {name}="')
    _, _, after = rest.partition('"')
    return f'{before} {name}="{value}"{after}'


TRIM, SAFE = "#e6007e", "#00a0e0"
LINE = 0.25
"""mm."""


def mark(image: Image.Image, window: Rect, outline: Outline, safe: float, dpi: float) -> Image.Image:
    """The picture of a window of a face with the trim in magenta and the safe area in blue."""
    marked = image.convert("RGB")
    draw = ImageDraw.Draw(marked)
    scale = dpi / MM_PER_INCH
    width = max(1, round(LINE * scale))
    for line, colour in ((outline, TRIM), (outline.shrunk(safe), SAFE)):
        flat = line.flat if line else ()
        places = [((x - window.x) * scale, (y - window.y) * scale) for x, y in (*flat, *flat[:1])]
        draw.line(places, fill=colour, width=width, joint="curve")
    return marked


def page_pictures(pdf: bytes, dpi: float, wanted: Sequence[int] | None = None) -> Iterator[Image.Image]:
    """Each page in turn, or those that are wanted, counted from 0."""
    import pypdfium2  # it is slow to load, and faces need it not

    document = pypdfium2.PdfDocument(pdf)
    try:
        for at in range(len(document)) if wanted is None else wanted:
            page = document[at]
            yield page.render(scale=dpi / PT_PER_INCH).to_pil()
            page.close()
    finally:
        document.close()
