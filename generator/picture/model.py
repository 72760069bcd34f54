"""A picture as it is composed: its parts, the lowest first, each with the map that brings it to its place; and as SVG.

Lengths in mm. A picture's origin is the top left of its trim; bleed is negative space and what lies past the size.
A map takes a part's own coordinates to those of the picture that it lies in. All of it is frozen, can be hashed and
pickled, and a picture's name says what it shows: the same for the same parts, different for different ones.
As SVG, for the eye and for typst, every picture in it is written once, as a symbol; so are those of a web page.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from itertools import groupby
from xml.etree import ElementTree as ET

from generator.core.geometry import IDENTITY, Affine, Rect, Size
from generator.core.held import Drawing, Held, svg_root
from generator.core.outline import Outline
from generator.core.paths import curve_data
from generator.core.svg import SVG, SVG_KIND, unfolded
from generator.core.units import fine, number
from generator.core.values import digest_of
from generator.text import TextRun

_PLAIN = (f'xmlns="{SVG}"', ""), ("xlink:href", "href")
"""What is replaced, so that the elements of one SVG can stand in another."""


class MediaKind(StrEnum):
    """What an author's file is, as the web calls it."""

    SVG = "image/svg+xml"
    PNG = "image/png"
    JPEG = "image/jpeg"


@dataclass(frozen=True)
class PlacedArt:
    """An author's picture, placed whole as it was given: it fills its box, and shows inside the clip where it has one.

    `clip` is in the coordinates of the box.
    """

    name: str
    kind: MediaKind
    data: bytes
    box: Rect
    at: Affine = IDENTITY
    clip: Outline | None = None

    @cached_property
    def digest(self) -> str:
        """Of the file and of where it lies."""
        return digest_of(sha256(self.data).hexdigest(), self.kind, self.box, self.at, self.clip and self.clip.d)


@dataclass(frozen=True)
class PlacedWords:
    """Text that is set: each run from its left edge on its baseline."""

    runs: tuple[TextRun, ...]
    at: Affine = IDENTITY

    @cached_property
    def digest(self) -> str:
        """Of the letters, their fonts and places; a font is its name here, wherever its file lies."""
        looks = (
            (run.text, run.font.key, run.size, run.x, run.y, run.colour, run.spacing, run.small_caps, run.underline)
            for run in self.runs
        )
        return digest_of(*looks, self.at)


@dataclass(frozen=True)
class PlacedPicture:
    """A picture in another; `clip` is in the coordinates of the one that is placed."""

    picture: "Picture"
    at: Affine = IDENTITY
    clip: Outline | None = None

    @cached_property
    def digest(self) -> str:
        """Of the picture and of where it lies."""
        return digest_of(self.picture.name, self.at, self.clip and self.clip.d)


Part = Drawing | PlacedArt | PlacedWords | PlacedPicture


@dataclass(frozen=True)
class Picture:
    """What is composed, and the trim that it is composed for."""

    parts: tuple[Part, ...]
    size: Size
    bleed: float = 0.0

    @cached_property
    def name(self) -> str:
        """The same for the same picture, different for different ones."""
        digests = [part.digest for part in self.parts]
        return (
            digests[0] if len(digests) == 1 and isinstance(self.parts[0], Drawing) else digest_of(*digests, self.full)
        )

    @property
    def full(self) -> Rect:
        """All of it with its bleed."""
        return Rect(0, 0, *self.size).grown(self.bleed)

    @property
    def placed(self) -> tuple[PlacedPicture, ...]:
        """The pictures that lie in it."""
        return tuple(part for part in self.parts if isinstance(part, PlacedPicture))

    @cached_property
    def layers(self) -> "tuple[PlacedPicture, ...]":
        """The same as pictures alone: what lies between two placed ones is a picture too."""
        if not self.placed:
            return (PlacedPicture(self),)
        runs = groupby(self.parts, lambda part: isinstance(part, PlacedPicture))
        return tuple(layer for placed, run in runs for layer in self._layers(tuple(run), placed=placed))

    @cached_property
    def leaves(self) -> "tuple[Picture, ...]":
        """What must be drawn to show it, each once: it itself, or what it is put together of."""
        if not self.placed:
            return (self,)
        found = {leaf.name: leaf for layer in self.layers for leaf in layer.picture.leaves}
        return tuple(found.values())

    def _layers(self, run: tuple[Part, ...], *, placed: bool) -> Iterator[PlacedPicture]:
        if not placed:
            yield PlacedPicture(Picture(run, self.size, self.bleed))
        yield from (part for part in run if isinstance(part, PlacedPicture))

    @property
    def edge(self) -> Outline:
        """What it is cut to: its outline where it is cut out, otherwise the box of its trim."""
        clip = self.placed[0].clip if len(self.parts) == 1 and self.placed else None
        return clip or Outline.of_box(Rect(0, 0, *self.size))

    @property
    def symbol(self) -> str:
        """The id of its symbol."""
        return f"face-{self.name}"

    @property
    def svg(self) -> str:
        """All of it as one SVG."""
        return self.drawn.svg

    @property
    def told(self) -> str:
        """The same to be searched: the art that it shows stands behind it, not in it."""
        return unfolded(self.drawn.written)

    @cached_property
    def drawn(self) -> Drawing:
        """All of it as one drawing, with its larger pictures apart; one of a single drawing is that drawing."""
        only = self.parts[0] if len(self.parts) == 1 else None
        if isinstance(only, Drawing):
            return only
        pictures: dict[str, Held] = {}

        def apart(part: Drawing) -> str:
            pictures.update(part.pictures)
            return part.written

        known = Definitions(text_of=apart)
        body = list(known.body(self))
        root = svg_root(self.full)
        ET.SubElement(root, "defs").extend(known.elements)
        root.extend(body)
        return Drawing(ET.tostring(root, encoding="unicode"), tuple(pictures.items()))


@dataclass
class Definitions:
    """What is defined for one file, each by its id; `art` are the addresses of what is placed whole."""

    art: set[str] = field(default_factory=set)
    text_of: Callable[[Drawing], str] = Drawing.whole
    _known: dict[str, ET.Element] = field(default_factory=dict)

    @property
    def elements(self) -> list[ET.Element]:
        """All of it, in an order that does not depend on what is shown first."""
        return [self._known[name] for name in sorted(self._known)]

    def symbol(self, picture: Picture) -> str:
        """Define a picture; gives the id of its symbol."""
        name = picture.symbol
        if name not in self._known:
            made = self._known[name] = ET.Element("symbol", {"id": name, "overflow": "visible"})
            made.extend(self.body(picture))
        return name

    def body(self, picture: Picture) -> Iterator[ET.Element]:
        """The elements of a picture's parts, in its own coordinates."""
        for part in picture.parts:
            yield from self._part(part, picture.full)

    def cut(self, picture: Picture, outline: Outline) -> list[ET.Element]:
        """The same of a picture as it is cut out; sharp right corners are those of its box."""
        inside = list(self.body(picture))
        return inside if outline.is_box and not outline.radius else [self._moved(IDENTITY, outline, inside)]

    def _part(self, part: Part, full: Rect) -> Iterator[ET.Element]:
        match part:
            case Drawing():
                yield from self._drawing(part, full)
            case PlacedArt():
                image = _image(part)
                self.art.add(image.get("href", ""))
                yield self._moved(part.at, part.clip, [image])
            case PlacedWords():
                yield self._moved(part.at, None, [run.element for run in part.runs])
            case PlacedPicture():
                shown = ET.Element("use", {"href": f"#{self.symbol(part.picture)}"})
                yield self._moved(part.at, part.clip, [shown])

    def _drawing(self, part: Drawing, full: Rect) -> Iterator[ET.Element]:
        text = self.text_of(part)
        for written, plain in _PLAIN:
            text = text.replace(written, plain)
        root = ET.fromstring(text)
        addresses = (image.get("href", "") for image in root.iter("image"))
        self.art |= {address for address in addresses if address.startswith(SVG_KIND)}
        shown: list[ET.Element] = []
        for child in root:
            if child.tag == "defs":
                self._known |= {item.get("id", ""): item for item in child}
            else:
                shown.append(child)
        at = _onto(view_of(root, full), full)
        yield from shown if at == IDENTITY else [self._moved(at, None, shown)]

    def _moved(self, at: Affine, clip: Outline | None, elements: list[ET.Element]) -> ET.Element:
        group = ET.Element("g", {} if at == IDENTITY else {"transform": matrix(at)})
        if clip:
            group.set("clip-path", f"url(#{self._clip(clip)})")
        group.extend(elements)
        return group

    def _clip(self, outline: Outline) -> str:
        data = curve_data(outline.edges)
        name = f"clip-{sha256(data.encode()).hexdigest()[:10]}"
        if name not in self._known:
            made = self._known[name] = ET.Element("clipPath", {"id": name})
            ET.SubElement(made, "path", {"d": data})
        return name


def matrix(at: Affine) -> str:
    """A map as SVG writes it."""
    return f"matrix({' '.join(fine(value) for value in at)})"


def view_of(root: ET.Element, full: Rect) -> Rect:
    """The viewBox of a drawing, which may be in units of its own; all of the picture where there is none."""
    values = [float(value) for value in re.split(r"[\s,]+", root.get("viewBox", "").strip()) if value]
    return Rect(*values) if len(values) == 4 else full


def _onto(view: Rect, full: Rect) -> Affine:
    """From a view to a box; nothing at all where they differ by no more than is written."""
    if all(number(a) == number(b) for a, b in zip(view, full, strict=True)):
        return IDENTITY
    across, down = full.w / view.w, full.h / view.h
    return Affine(across, 0.0, 0.0, down, full.x - across * view.x, full.y - down * view.y)


def _image(art: PlacedArt) -> ET.Element:
    box = {name: number(value) for name, value in zip(("x", "y", "width", "height"), art.box, strict=True)}
    address = f"data:{art.kind};base64,{b64encode(art.data).decode()}"
    return ET.Element("image", {**box, "preserveAspectRatio": "none", "href": address})
