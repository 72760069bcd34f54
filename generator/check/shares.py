"""The inked share of a face: its ground is drawn once for all faces that have it, and letters are weighed, not drawn.

A place that is full of any ink counts whole, one with a tint by as much as the tint covers. Where much ink lies on
letters, as on their shadow or on a line round them, a face is drawn whole, so finely that the lower ones are hidden.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from math import sqrt
from typing import NamedTuple
from weakref import WeakKeyDictionary
from xml.etree import ElementTree as ET

from PIL import Image, ImageChops

from generator.check.letters import SMALL_CAPS, Weights, weigh
from generator.core.fonts import FontSet
from generator.core.geometry import Rect
from generator.core.raster import Rasteriser
from generator.core.runs import Ground, Run, apart, tags, values
from generator.core.units import MM_PER_INCH, number
from generator.draw.face import Face
from generator.draw.thrift import box_of

FULL = 255
"""The level of a dot that takes all ink that it can."""
DPI = 15
"""Coarse: what is averaged anyway."""
FINE, DOTS = 75, 1_000_000
"""Where letters lie on letters; and about how many dots such a face has at most."""
TWICE = 0.015
"""Of a face; where no more may be counted twice, its letters are weighed, which takes a quarter of the time."""
THICK = 1.0
"""mm; a thinner line round something covers little."""
HIGH = 0.7
"""em; about as high as letters are."""
MOST = 40
"""Things that are drawn later: what lies below more is drawn with them."""

_NEEDED = {"fill", "font-family", "font-size", "font-weight"}
_KNOWN = _NEEDED | {"xml:space", "font-style", "font-variant", "letter-spacing", "text-decoration"}
"""What a run of letters may say of itself."""
_LINE = {"stroke", "stroke-width", "stroke-linejoin"}
"""One with a line round its letters is drawn as it is."""


class _Look(NamedTuple):
    """How letters look: what they weigh, their size and spacing (mm), their colour, and its ink where that is known.

    `lined` ones have a line round them.
    """

    weigh: Callable[[str], Weights]
    size: float
    spacing: float
    fill: str
    level: float | None
    lined: bool


class _Strip(NamedTuple):
    """A run of letters: about where they lie, how many square mm they ink, and in what."""

    box: Rect
    dark: float
    look: _Look

    @property
    def share(self) -> float:
        """How much of its box is inked."""
        return min(1.0, self.dark / (self.box.w * self.box.h))

    @property
    def tint(self) -> str:
        """What is as dark as they are together: so coarse, nobody tells the two apart."""
        place = " ".join(f'{name}="{number(side)}"' for name, side in zip(_SIDES, self.box, strict=True))
        return f'<rect {place} fill="{self.look.fill}" fill-opacity="{number(self.share)}"/>'


_SIDES = "x", "y", "width", "height"
_COLOUR = re.compile("#[0-9a-fA-F]{6}")


class _Drawn:
    """The ink of a ground, dot by dot; `view` is the part of a face that is seen."""

    def __init__(self, picture: Image.Image, view: Rect) -> None:
        self._view, (self._wide, self._high) = view, picture.size
        self._dots = levels(picture).tobytes()
        self.share = sum(self._dots) / (FULL * len(self._dots))

    def under(self, box: Rect) -> float:
        """How much of a part of it is inked."""
        across, down = self._wide / self._view.w, self._high / self._view.h
        left, top = round((box.x - self._view.x) * across), round((box.y - self._view.y) * down)
        left, top = min(left, self._wide - 1), min(top, self._high - 1)
        w, h = round(box.w * across) or 1, round(box.h * down) or 1
        right, bottom = min(left + w, self._wide), min(top + h, self._high)
        dots = b"".join([self._dots[y * self._wide + left : y * self._wide + right] for y in range(top, bottom)])
        return sum(dots) / (FULL * len(dots))


Later = tuple[Rect, ...] | None
"""Where something is drawn later; nothing where that cannot be told."""


class InkScale:
    """Weighs the ink of faces; what is remembered of a ground goes with it."""

    def __init__(self, raster: Rasteriser) -> None:
        self._raster = raster
        self._look = cache(lambda said: _look(values(said), raster.fonts))
        self._later = WeakKeyDictionary[Ground, tuple[Later, ...]]()
        self._drawn = WeakKeyDictionary[Ground, tuple[object, _Drawn]]()

    def share(self, face: Face) -> float:
        """How much of a face is inked, from 0 to 1."""
        ground, runs = apart(face.drawn.written)
        strips, area = list(map(self._strip, runs)), face.full.w * face.full.h
        if _twice(filter(None, strips)) > TWICE * area:
            return inked(self._raster.seen(face, _fine(area)))
        free, kept = list[tuple[_Strip, float]](), dict[int, str]()
        for nth, (run, strip, later) in enumerate(zip(runs, strips, self._drawn_later(ground), strict=True)):
            if strip is None or strip.look.lined:
                kept[nth] = run.written
            elif strip.look.level is not None and _is_free(strip.box, face.full, later):
                free.append((strip, strip.look.level))
            else:
                kept[nth] = strip.tint
        drawn = self._ground(face, ground, kept)
        more = sum(strip.dark * (level - drawn.under(strip.box)) for strip, level in free)
        return min(1.0, max(0.0, drawn.share + more / area))

    def _strip(self, run: Run) -> _Strip | None:
        look = self._look(run.look)
        if look is None:
            return None
        weights, size, text = look.weigh(run.text), look.size, run.text
        wide = size * weights.advance + look.spacing * len(text)
        box = Rect(float(run.x), float(run.y) - HIGH * size, wide, HIGH * size)
        return _Strip(box, size * size * weights.area, look) if min(wide, size) > 0 else None

    def _ground(self, face: Face, ground: Ground, kept: Mapping[int, str]) -> _Drawn:
        key = face.full, kept
        known = self._drawn.get(ground)
        if known is None or known[0] != key:
            written = Face((replace(face.drawn, written=ground.filled(kept)),), face.size, face.bleed, face.label)
            known = self._drawn[ground] = key, _Drawn(self._raster.seen(written, DPI), face.full)
        return known[1]

    def _drawn_later(self, ground: Ground) -> tuple[Later, ...]:
        if ground not in self._later:
            self._later[ground] = _later(ground)
        return self._later[ground]


def _look(said: Mapping[str, str], fonts: FontSet) -> _Look | None:
    """How letters look, when that is all that is said."""
    if not _NEEDED <= said.keys() <= _KNOWN | _LINE:
        return None
    family = said["font-family"].split(",")[0].strip("' ")
    font = fonts.find(family, int(said["font-weight"]), italic="font-style" in said)
    weight = weigh(font, SMALL_CAPS if "font-variant" in said else ())
    size, spacing = float(said["font-size"]), float(said.get("letter-spacing", 0))
    return _Look(weight, size, spacing, said["fill"], _level(said["fill"]), lined="stroke" in said)


def _level(colour: str) -> float | None:
    """How much ink a colour takes; nothing where it is not written in figures."""
    return 1 - min(bytes.fromhex(colour[1:])) / FULL if _COLOUR.fullmatch(colour) else None


def _twice(strips: Iterable[_Strip]) -> float:
    """How many square mm of ink may lie on that of other letters, and would be weighed twice."""
    down, found = sorted(strips, key=lambda strip: strip.box.y), 0.0
    for nth, strip in enumerate(down, 1):
        for other in down[nth:]:
            if other.box.y >= strip.box.bottom:
                break
            both = strip.box.common(other.box)
            if min(both.size) > 0:
                found += both.w * both.h * min(strip.share, other.share)
    return found


def _fine(area: float) -> float:
    """In dots an inch: fewer for large faces."""
    return max(DPI, min(FINE, MM_PER_INCH * sqrt(DOTS / area)))


def _is_free(box: Rect, full: Rect, later: Later) -> bool:
    """Whether letters can be told apart from their ground: they are seen whole, and nothing lies over them."""
    return later is not None and full.holds(box) and not any(box.overlaps(other) for other in later)


def _later(ground: Ground) -> tuple[Later, ...]:
    """What is drawn after each run of a ground."""
    found, places = list[Later](), list[Rect]()
    is_known = True
    for depth, piece in zip(reversed(ground.depths), reversed(ground.pieces), strict=False):
        for close, name, said, _ in tags(piece):
            place = () if close else _place(name, values(said))
            is_known = is_known and place is not None and len(places) < MOST
            places += place or ()
        found.append(None if depth is None or not is_known else tuple(places))
    return tuple(reversed(found))


def _place(name: str, said: Mapping[str, str]) -> tuple[Rect, ...] | None:
    """Where an element is drawn, a thin line round something nowhere; nothing if that is not known."""
    if "transform" in said:
        return None
    try:
        line = float(said.get("stroke-width", 0))
    except ValueError:
        return None
    if name == "g" or (said.get("fill") == "none" and line <= THICK):
        return ()
    box = box_of(name, ET.Element(name, dict(said)))
    return box and (box.grown(line / 2),)


def levels(picture: Image.Image) -> Image.Image:
    """How much of each dot of a picture is inked; where nothing is painted there is paper."""
    red, green, blue, alpha = (picture if picture.mode == "RGBA" else picture.convert("RGBA")).split()
    darkest = ImageChops.darker(ImageChops.darker(red, green), blue)
    return ImageChops.multiply(ImageChops.invert(darkest), alpha)


def inked(picture: Image.Image) -> float:
    """The share of a picture that takes ink, from 0 to 1."""
    dots = levels(picture).tobytes()
    return sum(dots) / (FULL * len(dots))
