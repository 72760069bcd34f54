"""Drawn faces in the disk cache, as JSON.

Faces hold few types of values: the items, boxes and points listed in `_TYPES`. Anything else in an
entry makes it unreadable, and reading one never runs code. Fonts are stored by name and looked up
in the game's own set. Art is stored once, under its fingerprint, however many faces show it.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from generator.base.cache import NO_CACHE, CacheStore
from generator.base.errors import InvalidValueError
from generator.base.fonts import FontFile, FontSet
from generator.base.geometry import Affine, Point, Rect, Size
from generator.base.values import field_names
from generator.picture.face import Advice, CrampedFeature, Face, KeepInside
from generator.picture.items import (
    Art,
    Box,
    Circle,
    EmbeddedImage,
    Gradient,
    Group,
    Path,
    PlacedArt,
    PlacedImage,
    Polygon,
    Shape,
    Stroke,
    TextRun,
    art_of,
    walk,
)

FACES = "face"
ART = "placed art"

MAX_BYTES = 250_000
"""A larger face takes longer to read than to draw."""

_TYPES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(Affine, Point, Rect, Size),
        *(Box, Circle, Gradient, Group, Path, PlacedArt, Polygon, Shape, Stroke, TextRun),
        *(Advice, Art, CrampedFeature, EmbeddedImage, Face, KeepInside),
    )
}

_PLAIN_TYPES = frozenset({str, int, float, bool, type(None)})
"""The types of most of a face's 500 values, which JSON has, too. Looking a type up is faster than `isinstance`."""

# What can be wrong with an entry that another version or a broken disk left behind.
_UNREADABLE = (
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    IndexError,
    RecursionError,
    InvalidValueError,
)


@dataclass
class FaceCache:
    """Reads and writes the faces of one game.

    `only` are the keys of the faces to store, if it is not empty: a copy of an edition is drawn once,
    and only the faces that no order changes are needed again.
    """

    cache: CacheStore
    fonts: FontSet
    only: frozenset[str] = frozenset()
    _art: dict[str, Art] = field(default_factory=dict)

    def get(self, key: str) -> Face | None:
        """Return the face stored under a key, or None if there is none that can be read."""
        data = self.cache.get(FACES, key) if self._is_stored(key) else None
        if data is None:
            return None
        try:
            face = self._decode(json.loads(data))
        except _UNREADABLE:
            return None
        return face if isinstance(face, Face) else None

    def put(self, key: str, face: Face) -> None:
        """Store a face, unless it is large or shows images of pixels: such faces are quicker to draw than to read."""
        if self.cache is NO_CACHE or not self._is_stored(key):
            return
        if any(isinstance(item, PlacedImage) for item, _ in walk(face.items)):
            return
        data = json.dumps(self._encode(face), separators=(",", ":")).encode()
        if len(data) > MAX_BYTES:
            return
        for art in (*art_of(face), *(box.art for box in face.keep_inside if box.art)):
            if art.fingerprint not in self._art:
                self._art[art.fingerprint] = art
                self.cache.put(ART, art.fingerprint, json.dumps(self._encode_fields(art)).encode())
        self.cache.put(FACES, key, data)

    def _is_stored(self, key: str) -> bool:
        return not self.only or key in self.only

    def _encode(self, value: Any) -> Any:
        if type(value) in _PLAIN_TYPES or isinstance(value, str):  # `Html` is a string, too
            return value
        if isinstance(value, FontFile):
            return {"Font": [value.family, value.weight, value.italic]}
        if isinstance(value, Art):
            return {"Placed": [value.fingerprint]}
        if type(value).__name__ in _TYPES:
            return {type(value).__name__: self._encode_fields(value)}
        if isinstance(value, tuple):
            return [self._encode(item) for item in value]
        raise TypeError(f"{type(value).__name__} is not stored in faces")

    def _encode_fields(self, value: Any) -> list[Any]:
        kind: Any = type(value)
        names = field_names(kind)  # None for named tuples
        parts = value if names is None else [getattr(value, name) for name in names]
        return [self._encode(part) for part in parts]

    def _decode(self, value: Any) -> Any:
        if isinstance(value, list):
            return tuple(self._decode(item) for item in value)
        if not isinstance(value, dict):
            return value
        ((name, parts),) = value.items()
        if name == "Font":
            family, weight, italic = parts
            return self.fonts.find(family, weight, italic=italic)
        if name == "Placed":
            return self._stored_art(*parts)
        return _TYPES[name](*(self._decode(part) for part in parts))

    def _stored_art(self, fingerprint: str) -> Art:
        if fingerprint not in self._art:
            data = self.cache.get(ART, fingerprint)
            if data is None:
                raise KeyError(fingerprint)
            self._art[fingerprint] = Art(*self._decode(json.loads(data)))
        return self._art[fingerprint]
