"""Render the sides of designs on demand and cache their pictures.

A side has a key that is known before rendering. The page asks for pictures by key; the server knows
no other address for them.
"""

import gc
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from io import BytesIO
from threading import RLock

from PIL import Image

from generator.base.errors import InvalidValueError, PnpError, Problem
from generator.base.fonts import FontSet
from generator.base.geometry import Rect
from generator.base.units import MM_PER_INCH
from generator.draw.art.library import ArtShelf
from generator.draw.draft_marks import mark_overflows
from generator.draw.draw import DesignSide, FaceKeys, SideArtist
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


# The problems of a side without their places, each with the number of its layer. Lines of files may
# move while the side stays as it is.
LayerProblems = tuple[tuple[int, Problem], ...]
Rendered = tuple[Face, LayerProblems]


@dataclass
class FaceRenderer:
    """Renders the faces of one game, for one thread at a time.

    Pictures are rasterised in a thread of their own: resvg's objects must be used and dropped in
    the thread that made them.
    """

    lock: RLock = field(default_factory=RLock)
    _raster_thread: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, "raster")
    )
    _sides: dict[str, DesignSide] = field(default_factory=dict)
    _earlier: tuple[Mapping[str, DesignSide], ...] = ()
    _keys: dict[int, tuple[DesignSide, str]] = field(default_factory=dict)
    _artist: SideArtist | None = None
    _raster: Rasteriser | None = None
    _fonts: tuple[object, ...] = ()
    _problems: dict[str, LayerProblems] = field(default_factory=dict)
    _pinned: Mapping[str, DesignSide] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Wrapped here and not above the methods, so that the results go with the renderer.
        self._render = lru_cache(MAX_CACHED_FACES)(self._draw_side)
        self._render_png = lru_cache(MAX_CACHED_PNGS)(self._draw_png)

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
                self._artist = SideArtist(game, ArtShelf(game.language), mark_overflows)
            self._keys = keys
            visible = self._sides.keys() | self._pinned.keys() | set(side_keys)
            self._earlier = (self._sides, *self._earlier[: MAX_EARLIER_STATES - 1])
            self._sides = dict(zip(side_keys, sides, strict=True))
            self._problems = {key: self._problems[key] for key in visible & self._problems.keys()}
            # Browsers keep the pictures that they have.
            self._render_png.cache_clear()
        return side_keys

    def pin(self, sides: Mapping[str, DesignSide]) -> None:
        """Keep sides of an earlier state that are shown in place of faulty ones."""
        self._pinned = sides

    def find_problems(self, key: str) -> tuple[Problem, ...]:
        """Return the problems of a side of the current state or a recent one; the side is rendered if need be."""
        with self.lock:
            if key not in self._problems and self._can_render(key):
                self._problems[key] = self._render(key)[1]
            problems = self._problems.get(key, ())
            side = self.find_recent_side(key)
            if side is None or not problems:
                return ()
            name = side.design_with_place
            layers = side.spec.layers
            return tuple(
                replace(problem, where=layers[number].where, found=f"{name}: {problem.found}")
                for number, problem in problems
            )

    def is_rendered(self, key: str) -> bool:
        """Return True if the problems of a side are known."""
        return key in self._problems

    def render_png(self, key: str, scale: int) -> bytes | None:
        """Return the PNG of a side with its bleed, at `scale` pixels per mm.

        None for an unknown key.
        """
        with self.lock:
            return self._render_png(key, scale) if self._can_render(key) else None

    def _can_render(self, key: str) -> bool:
        return self._artist is not None and self.find_recent_side(key) is not None

    def _find(self, key: str) -> tuple[SideArtist, DesignSide]:
        """Return the artist and the side of a key; raise InvalidValueError for an unknown key."""
        side = self.find_recent_side(key)
        if side is None or self._artist is None:
            raise make_gone_error()
        return self._artist, side

    def _draw_side(self, key: str) -> Rendered:
        artist, side = self._find(key)
        face, faults = artist.draw(side)
        numbers = {id(at): number for number, at in enumerate(side.spec.layers)}
        return face, tuple((numbers[id(at)], error.at(None)) for at, error in faults)

    def _draw_png(self, key: str, scale: int) -> bytes:
        return self._rasterise_in_thread(self._render(key)[0], scale)

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

    def _rasterise_in_thread(self, face: Face, scale: float) -> bytes:
        return self._raster_thread.submit(self._rasterise, face, scale).result()

    def _rasterise(self, face: Face, scale: float) -> bytes:
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

    def measure_layers(self, key: str) -> Iterator[tuple[LayerAt, Rect | None]]:
        """Yield every layer of a side with its extent, the lowest first; each is rendered alone.

        The extent is the box around the layer's box and its ink, in mm from the trim's top left; None
        for a layer that has no box and draws nothing.
        """
        with self.lock:
            artist, side = self._find(key)
            for at in side.spec.layers:
                face = artist.draw_layer(side, at)
                boxes = [item for item in (self._ink(face), _box(side, at, face)) if item]
                yield at, Rect.around(boxes) if boxes else None

    def _ink(self, face: Face) -> Rect | None:
        try:
            with Image.open(BytesIO(self._rasterise_in_thread(face, PROBE_PIXELS_PER_MM))) as image:
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


def _box(side: DesignSide, at: LayerAt, face: Face) -> Rect | None:
    """Return the box of a layer as it is displayed, or None."""
    box = getattr(at.layer, "box", None)
    if not isinstance(box, Rect):
        return None
    moved = at.transform.bounding_box(box)
    return (
        Rect(face.size.w - moved.right, moved.y, moved.w, moved.h) if side.spec.mirrored else moved
    )
