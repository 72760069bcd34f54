"""A picture as SVG, for the eye and for typst: every picture in it is written once, as a symbol.

The viewBox is in mm, with the origin at the trim's top left. `Definitions` is also what the web page is written with.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from xml.etree import ElementTree as ET

from generator.core.geometry import IDENTITY, Affine, Rect
from generator.core.held import Held
from generator.core.outline import Outline
from generator.core.paths import curve_data
from generator.core.svg import SVG, SVG_KIND, XLINK
from generator.core.units import fine, number
from generator.picture.model import Drawing, Part, Picture, PlacedArt, PlacedPicture, PlacedWords

_PLAIN = (f'xmlns="{SVG}"', ""), ("xlink:href", "href")
"""What is replaced, so that the elements of one SVG can stand in another."""


def write_svg(picture: Picture) -> str:
    """The picture as a file."""
    return composed(picture).svg


def composed(picture: Picture) -> Drawing:
    """The picture as one drawing, with its larger pictures apart; one of a single drawing is that drawing."""
    only = picture.parts[0] if len(picture.parts) == 1 else None
    if isinstance(only, Drawing):
        return only
    pictures: dict[str, Held] = {}

    def apart(part: Drawing) -> str:
        pictures.update(part.pictures)
        return part.written

    known = Definitions(text_of=apart)
    body = list(known.body(picture))
    root = svg_root(picture.full)
    ET.SubElement(root, "defs").extend(known.elements)
    root.extend(body)
    return Drawing(ET.tostring(root, encoding="unicode"), tuple(pictures.items()))


def whole(part: Drawing) -> str:
    """A drawing, complete in itself."""
    return part.svg


def svg_root(view: Rect) -> ET.Element:
    """The root of a file that shows a box, in mm."""
    size = {"width": f"{number(view.w)}mm", "height": f"{number(view.h)}mm"}
    return ET.Element(
        "svg", {"xmlns": SVG, "xmlns:xlink": XLINK, **size, "viewBox": " ".join(number(edge) for edge in view)}
    )


def drawing(view: Rect, elements: list[ET.Element]) -> Drawing:
    """Elements, in the coordinates of a view, as a part of a picture."""
    root = svg_root(view)
    root.extend(elements)
    return Drawing(ET.tostring(root, encoding="unicode"))


def symbol_of(picture: Picture) -> str:
    """The id of a picture's symbol."""
    return f"face-{picture.name}"


@dataclass
class Definitions:
    """What is defined for one file, each by its id; `art` are the addresses of what is placed whole."""

    art: set[str] = field(default_factory=set)
    text_of: Callable[[Drawing], str] = whole
    _known: dict[str, ET.Element] = field(default_factory=dict)

    @property
    def elements(self) -> list[ET.Element]:
        """All of it, in an order that does not depend on what is shown first."""
        return [self._known[name] for name in sorted(self._known)]

    def symbol(self, picture: Picture) -> str:
        """Define a picture; gives the id of its symbol."""
        name = symbol_of(picture)
        if name not in self._known:
            made = self._known[name] = ET.Element("symbol", {"id": name, "overflow": "visible"})
            made.extend(self.body(picture))
        return name

    def body(self, picture: Picture) -> Iterator[ET.Element]:
        """The elements of a picture's parts, in its own coordinates."""
        for part in picture.parts:
            yield from self._part(part, picture.full)

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
