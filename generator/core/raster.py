"""Faces as pixels: drawn by resvg with the fonts that print, kept, in a process of its own where it may be too much."""

import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, Protocol

from PIL import Image
from PIL.PngImagePlugin import PngImageFile

from generator.core.cache import NOTHING_KEPT, Kept, key_of
from generator.core.engine import drawn, drawn_all, drawn_by, reading
from generator.core.fonts import FontSet
from generator.core.geometry import Rect, Size
from generator.core.heavy import may_be_heavy
from generator.core.held import Drawing, Held
from generator.core.pixels import COARSE, INKS, PLAIN, address_of, coarse, in_light, opened_address, reduced
from generator.core.problems import Problem, error_of
from generator.core.svg import PICTURE_KEY, pictures_in, title_of
from generator.core.units import MM_PER_INCH, number, pixels
from generator.core.worker import Crew, Failed, TooMuch, Worker, parted, too_much

FINER = 1.5
"""How much finer than the pixels that are drawn a picture stays."""
HELD = 64_000_000
"""Letters of pictures that are held: what is shown again is mostly shown soon."""
HEAD = 1 << 16
"""Letters of an address, in which the file mostly tells its size."""
_IMAGE = re.compile(rf'<image\b([^<>]*?)\bhref="({PICTURE_KEY.pattern})"([^<>]*)>')
_SIDE = re.compile(r'\b(width|height)="([\d.]+)"')


class Visible(Protocol):
    """What is made into pixels, such as a face."""

    @property
    def name(self) -> str:
        """The digest of what is drawn."""

    @property
    def label(self) -> str:
        """What it is called when it cannot be drawn."""

    @property
    def full(self) -> Rect:
        """All of it, in mm from the trim's top left."""

    @property
    def drawn(self) -> Drawing:
        """Its SVG."""


@dataclass
class Lighter:
    """Makes pictures of pixels in a face as small as it is shown, so that no engine decodes more than anybody sees.

    Knows how large they are, and holds those that it made smaller.
    """

    _told: dict[str, tuple[Size, str]] = field(default_factory=dict)
    _made: dict[tuple[str, int], str] = field(default_factory=dict)

    def svg(self, face: Visible, fineness: float) -> str:
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
        if key not in self._told:
            self._told[key] = told(picture)
        size, mode = self._told[key]
        wanted = max(box.w / size.w, box.h / size.h) * fineness * FINER
        share = max(1, int(1 / wanted)) if wanted else 1
        if share == 1 and mode != INKS:
            return picture.text
        if picture.less and min(size) <= share * COARSE:
            return picture.least.text
        if (key, share) not in self._made:
            small = self._reduced(picture, size, share)
            while self._made and sum(map(len, self._made.values())) + len(small) > HELD:
                del self._made[next(iter(self._made))]
            self._made[key, share] = small
        return self._made[key, share]

    def _reduced(self, picture: Held, size: Size, share: int) -> str:
        with opened_address(picture.text) as whole:
            if whole.mode == INKS:
                return in_light(whole, share)
            if whole.mode not in PLAIN:
                return picture.text
            return address_of(coarse(whole) if min(size) <= share * COARSE else reduced(whole, share))


def boxes(written: str) -> dict[str, Size]:
    """How large each picture is shown, in mm; the largest where it is shown several times."""
    found: dict[str, Size] = {}
    for before, key, behind in _IMAGE.findall(written):
        sides = {name: float(value) for name, value in _SIDE.findall(before + behind)}
        if len(sides) == 2:
            found[key] = larger(Size(sides["width"], sides["height"]), found.get(key))
    return found


def larger(one: Size, other: Size | None) -> Size:
    """The larger of both sides of two boxes."""
    return Size(max(one.w, other.w), max(one.h, other.h)) if other else one


def size_of(picture: Held) -> Size:
    """The pixels of a picture that is held as an address."""
    return told(picture)[0]


def told(picture: Held) -> tuple[Size, str]:
    """The pixels of such a picture, and in which colours Pillow says that they are."""
    try:
        kind, _, begin = picture.head(HEAD).decode().partition(",")
        with opened_address(f"{kind},{begin[: len(begin) // 4 * 4]}") as begun:
            return Size(*map(float, begun.size)), begun.mode
    except (OSError, SyntaxError):  # what it tells of itself besides is longer
        with opened_address(picture.text) as whole:
            return Size(*map(float, whole.size)), whole.mode


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
        return reading(self.fonts.open_paths)

    def face(self, face: Visible, dpi: float, window: Rect | None = None) -> Image.Image:
        """The part of a face inside a window, in mm from the trim's top left; by default all of it."""
        return _pixels(self.png(face, dpi, window))

    def png(self, face: Visible, dpi: float, window: Rect | None = None) -> bytes:
        """The same as a PNG, as it comes from resvg."""
        view = window or face.full
        key = self._key(face, dpi, view)
        return self.kept.get(KEPT, key) or self._new(key, face, view, dpi)

    def _new(self, key: str, face: Visible, view: Rect, dpi: float) -> bytes:
        made = self._drawn_now(face, view, pixels(view.w, dpi), pixels(view.h, dpi))
        self.kept.put(KEPT, key, made)
        return made

    def pngs(self, faces: Sequence[tuple[Visible, Rect]], dpi: float) -> Iterator[bytes]:
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

    def _key(self, face: Visible, dpi: float, view: Rect) -> str:
        return key_of(self.fonts.digest, face.name, face.full, view, pixels(view.w, dpi), pixels(view.h, dpi))

    def _together(self, missing: Mapping[str, tuple[Visible, Rect]], dpi: float) -> dict[str, bytes]:
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
        works = (([plain[key] for key in batch], self.fonts.open_paths) for batch in batches)
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

    def seen(self, face: Visible, dpi: float) -> Image.Image:
        """All of a face, to be looked at once: its picture is not kept."""
        view = face.full
        return _pixels(self._drawn_now(face, view, pixels(view.w, dpi), pixels(view.h, dpi)))

    def _shown(self, face: Visible, fineness: float) -> str:
        """A face's SVG for so many pixels a mm."""
        return self._lighter.svg(face, fineness) if face.drawn.pictures else face.drawn.written

    def _drawn_now(self, face: Visible, view: Rect, width: int, height: int) -> bytes:
        try:
            svg = windowed(self._shown(face, width / view.w), view)
            return self._rendered(svg, width, height, heavy=may_be_heavy(face.drawn.written))
        except TooMuch as error:
            raise error_of([too_much(face.label, error.why)]) from error
        except Failed as error:
            said = f"{self._guilty(face)}: its picture cannot be drawn: {error}"
            raise error_of([Problem(None, said, "an SVG that resvg can read")]) from error

    def _guilty(self, face: Visible) -> str:
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
        return self.worker.run(drawn, sized, self.fonts.open_paths) if heavy else drawn_by(sized, self._options)


def _few(pngs: Mapping[str, bytes]) -> dict[str, bytes]:
    """As many as may be held until they come again."""
    sums = accumulate(len(png) for png in pngs.values())
    return {key: png for (key, png), size in zip(pngs.items(), sums, strict=True) if size <= AGAIN}


def _pixels(png: bytes) -> Image.Image:
    picture: Image.Image = PngImageFile(io.BytesIO(png))
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
