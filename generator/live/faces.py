"""Render the sides of designs on demand and cache their pictures.

A side has a key that is known before rendering. The page asks for pictures by key; the server knows
no other address for them.
"""

import gc
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from io import BytesIO
from threading import RLock
from typing import Generic, TypeVar

from PIL import Image

from generator.base.errors import InvalidValueError, Kind, PnpError, Problem
from generator.base.fonts import FontSet
from generator.base.geometry import Rect
from generator.base.units import MM_PER_INCH
from generator.draw.art.library import ArtShelf
from generator.draw.canvas import Canvas, transform_of
from generator.draw.draw import (
    DesignSide,
    FaceKeys,
    Fault,
    SideArtist,
    mark_overflow,
    name_with_place,
)
from generator.pack.game import Game, LayerAt
from generator.picture.face import Face
from generator.picture.raster import Rasteriser

# Resolutions of the pictures in pixels per mm.
SCALES = (2, 4, 8, 16)
# Rendered sides and pictures in the cache: a large deck at one resolution.
MAX_CACHED_FACES = 1500
MAX_CACHED_PNGS = 600
# Earlier states whose sides a page may still request, because news of a state reaches the page a
# moment later.
MAX_EARLIER_STATES = 8
# Resolution in pixels per mm for measuring the extent of a layer.
PROBE_PIXELS_PER_MM = 4.0

Value = TypeVar("Value")


class RecentCache(Generic[Value]):
    """A cache that drops the least recently used entries.

    `functools.lru_cache` cannot drop single entries by key, as `keep_only` does.
    """

    def __init__(self, max_entries: int) -> None:
        self._max_entries = max_entries
        self._entries: OrderedDict[str, Value] = OrderedDict()

    def get(self, key: str) -> Value | None:
        """Return the value of a key, or None."""
        if key in self._entries:
            self._entries.move_to_end(key)
        return self._entries.get(key)

    def keep_only(self, keys: Collection[str]) -> None:
        """Drop all entries but those of these sides; an entry is stored as `side` or `side-scale`."""
        for name in [name for name in self._entries if name.partition("-")[0] not in keys]:
            del self._entries[name]

    def store(self, key: str, value: Value) -> Value:
        """Store a value and return it."""
        self._entries[key] = value
        while len(self._entries) > self._max_entries:
            self._entries.popitem(last=False)
        return value


@dataclass(frozen=True)
class RenderedSide:
    """The rendered face of a side and its problems."""

    face: Face
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class LayerExtent:
    """A layer and its extent: the box around its box and its ink, in mm from the trim's top left.

    `ink` is None if the layer has no box and draws nothing.
    """

    at: LayerAt
    ink: Rect | None


@dataclass
class FaceRenderer:
    """Renders the faces of one game, for one thread at a time.

    Pictures are rasterised in a thread of their own: resvg's objects must be used and dropped in
    the thread that made them.
    """

    lock: RLock = field(default_factory=RLock)
    _raster_thread: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, "painter")
    )
    _sides: dict[str, DesignSide] = field(default_factory=dict)
    _earlier: tuple[Mapping[str, DesignSide], ...] = ()
    _keys: dict[int, tuple[DesignSide, str]] = field(default_factory=dict)
    _artist: SideArtist | None = None
    _raster: Rasteriser | None = None
    _fonts: tuple[object, ...] = ()
    _rendered: RecentCache[RenderedSide] = field(
        default_factory=lambda: RecentCache(MAX_CACHED_FACES)
    )
    _faultless: set[str] = field(default_factory=set)
    _pngs: RecentCache[bytes] = field(default_factory=lambda: RecentCache(MAX_CACHED_PNGS))
    _pinned: Mapping[str, DesignSide] = field(default_factory=dict)

    def take_state(
        self, game: Game, sides: Sequence[DesignSide], *, is_unchanged: bool
    ) -> list[str]:
        """Take a new state of the game and return the keys of its sides.

        With `is_unchanged`, the key of a layout is reused if the layout is the same object as before.
        """
        key_maker = FaceKeys(game)
        before = self._keys if is_unchanged else {}
        keys: dict[int, tuple[DesignSide, str]] = {}
        side_keys = []
        for side in sides:
            side_id = id(side.spec)
            if side_id not in keys:
                keys[side_id] = (
                    before[side_id] if side_id in before else (side, key_maker.key(side))
                )
            # A front and a back with the same layout are two sides.
            side_keys.append(f"{keys[side_id][1]}{'b' if side.name == 'back' else ''}")
        with self.lock:
            if not is_unchanged or self._artist is None:
                self._raster_thread.submit(self._update_rasteriser, game.fonts)
                self._artist = SideArtist(game, ArtShelf(game.language), _mark_overflow)
            self._keys = keys
            visible = self._sides.keys() | self._pinned.keys() | set(side_keys)
            self._earlier = (self._sides, *self._earlier[: MAX_EARLIER_STATES - 1])
            self._sides = dict(zip(side_keys, sides, strict=True))
            self._rendered.keep_only(visible)
            self._pngs.keep_only(visible)
            self._faultless &= self._sides.keys()
        return side_keys

    def pin(self, sides: Mapping[str, DesignSide]) -> None:
        """Keep sides of an earlier state that are shown in place of faulty ones."""
        self._pinned = sides

    def render(self, key: str) -> RenderedSide | None:
        """Return the rendered side of a key from the current or a recent state, or None."""
        with self.lock:
            side = self.find_recent_side(key)
            artist = self._artist
            if side is None or artist is None:
                return None
            rendered = self._rendered.get(key) or self._rendered.store(
                key, _render_side(artist, side)
            )
            if not rendered.problems:
                self._faultless.add(key)
            return rendered

    def find_problems(self, key: str) -> tuple[Problem, ...]:
        """Return the problems of a side; the side is rendered unless it is known to have none."""
        rendered = None if key in self._faultless else self.render(key)
        return rendered.problems if rendered else ()

    def is_rendered(self, key: str) -> bool:
        """Return True if the problems of a side are known."""
        return key in self._faultless or self._rendered.get(key) is not None

    def render_png(self, key: str, scale: int) -> bytes | None:
        """Return the PNG of a side with its bleed, at `scale` pixels per mm.

        None for an unknown key.
        """
        name = f"{key}-{scale}"
        with self.lock:
            png = self._pngs.get(name)
            if png is None and (rendered := self.render(key)):
                png = self._pngs.store(name, self._paint_in_thread(rendered.face, scale))
            return png

    def _update_rasteriser(self, fonts: FontSet) -> None:
        """Make a new rasteriser if the font files changed."""
        stamps = tuple((file, file.path.stat().st_mtime_ns) for file in fonts.files)
        if stamps != self._fonts:
            self._raster = Rasteriser(fonts)
            self._fonts = stamps

    def close(self) -> None:
        """Drop the rasteriser in its thread and stop rendering."""
        with self.lock:
            self._artist = None
            self._raster_thread.submit(self._drop).result()
            self._raster_thread.shutdown()

    def _drop(self) -> None:
        self._raster = None
        gc.collect()  # a later collection might run in another thread

    def _paint_in_thread(self, face: Face, scale: float) -> bytes:
        return self._raster_thread.submit(self._paint, face, scale).result()

    def _paint(self, face: Face, scale: float) -> bytes:
        if self._raster is None:
            raise RuntimeError("no game is shown")
        return self._raster.png(face, scale * MM_PER_INCH)

    def find_side(self, key: str) -> DesignSide | None:
        """Return the side of a key in the current state, or None."""
        return self._sides.get(key) or self._pinned.get(key)

    def find_recent_side(self, key: str) -> DesignSide | None:
        """Return the side of a key in the current state or a recent one, or None."""
        return self.find_side(key) or next(
            (sides[key] for sides in self._earlier if key in sides), None
        )

    def measure_layers(self, key: str) -> Iterator[LayerExtent]:
        """Yield every layer of a side with its extent, the lowest first; each is rendered alone."""
        with self.lock:
            side = self.find_recent_side(key)
            artist = self._artist
            if side is None or artist is None:
                raise make_gone_error()
            for at in side.spec.layers:
                face = artist.draw_layer(side, at)
                boxes = [item for item in (self._ink(face), _box(side, at, face)) if item]
                yield LayerExtent(at, Rect.around(boxes) if boxes else None)

    def _ink(self, face: Face) -> Rect | None:
        try:
            with Image.open(BytesIO(self._paint_in_thread(face, PROBE_PIXELS_PER_MM))) as image:
                extent = image.convert("RGBA").getchannel("A").getbbox()
        except PnpError:
            return None
        if extent is None:
            return None
        left, top, right, bottom = (value / PROBE_PIXELS_PER_MM for value in extent)
        return Rect(face.full.x + left, face.full.y + top, right - left, bottom - top)


def make_gone_error() -> InvalidValueError:
    """Return the error for a picture that is no longer displayed."""
    return InvalidValueError("this picture has changed", "the current page: reload it")


def _render_side(artist: SideArtist, side: DesignSide) -> RenderedSide:
    face, faults = artist.draw(side)
    return RenderedSide(
        face, tuple(error.at(at.where, name_with_place(side)) for at, error in faults)
    )


def _box(side: DesignSide, at: LayerAt, face: Face) -> Rect | None:
    """Return the box of a layer as it is displayed, or None."""
    box = getattr(at.layer, "box", None)
    if not isinstance(box, Rect):
        return None
    moved = transform_of(at.moves).bounding_box(box)
    return (
        Rect(face.size.w - moved.right, moved.y, moved.w, moved.h) if side.spec.mirrored else moved
    )


def _mark_overflow(canvas: Canvas, faults: Sequence[Fault]) -> None:
    """Mark each box that its content overflows in red."""
    for at, error in faults:
        box = getattr(at.layer, "box", None)
        if error.kind is Kind.FIT and isinstance(box, Rect):
            mark_overflow(canvas, box, at.moves)
