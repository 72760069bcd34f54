"""Pictures as SVG: the one file that writes SVG, with svgwrite's elements.

typst compiles this SVG for print, resvg renders it for previews, and galleries and releases hold
it. Callers choose how images and art are addressed: complete in itself, as files beside a page, or
as markers that print replaces.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache
from hashlib import sha256
from xml.etree import ElementTree as ET

import svgwrite
from svgwrite.base import BaseElement
from svgwrite.text import Text

from generator.base.fonts import FontFile
from generator.base.geometry import IDENTITY, Affine, Fit, Rect, Size
from generator.base.outline import Outline
from generator.base.paths import curve_data
from generator.base.svg_table import SVG_KIND
from generator.base.units import fine, number
from generator.picture.images import Pixels
from generator.picture.items import (
    Art,
    Box,
    Circle,
    Geometry,
    Gradient,
    Group,
    Item,
    Paint,
    Path,
    Picture,
    PlacedArt,
    PlacedImage,
    PlacedPicture,
    Polygon,
    Shape,
    Stroke,
    TextRun,
)

FITS: dict[str, str] = {"contain": "xMidYMid meet", "cover": "xMidYMid slice", "stretch": "none"}
"""Each fit as `preserveAspectRatio`."""

ALIGNS = {
    "center": "xMidYMid",
    "top": "xMidYMin",
    "bottom": "xMidYMax",
    "left": "xMinYMid",
    "right": "xMaxYMid",
}
"""Each position as the alignment of `preserveAspectRatio`."""


Element = BaseElement
"""An element of svgwrite's, for the signatures of other modules: this file alone imports svgwrite."""


class Tree(BaseElement):  # type: ignore[misc]  # svgwrite has no type hints
    """An svgwrite element that wraps a finished tree, as svgwrite's own `Title` does."""

    elementname = "g"

    def __init__(self, element: ET.Element) -> None:
        self._element = element

    def get_xml(self) -> ET.Element:
        """Return the tree."""
        return self._element


def art_data_address(art: Art) -> str:
    """Return art as a data address, so that the SVG is complete in itself."""
    return SVG_KIND + b64encode(art.svg.encode(errors="replace")).decode()


def image_data_address(image: Pixels, box: Rect) -> str:  # noqa: ARG001 - other addresses depend on the box
    """Return an image as a data address, so that the SVG is complete in itself."""
    return image.address


class SvgWriter:
    """Writes pictures as SVG.

    A group that several pictures share is built once. What pictures refer to (clips, gradients,
    art, pictures placed in pictures) is defined once: per file with `write`, or for a whole page
    with `elements` and `definitions`.
    """

    def __init__(
        self,
        image_address: Callable[[Pixels, Rect], str] = image_data_address,
        art_address: Callable[[Art], str] = art_data_address,
    ) -> None:
        self._image_address = image_address
        self._art_address = art_address
        # svgwrite validates each element unless told otherwise, which triples the time (0.32
        # against 0.12 ms a face).
        self._make = svgwrite.Drawing(debug=False)
        self._groups: dict[str, tuple[ET.Element, Definitions]] = {}
        self.definitions: Definitions = {}

    def write(
        self, picture: Picture, window: Rect | None = None, size: tuple[str, str] | None = None
    ) -> str:
        """Return a complete SVG file of a window of the picture, in mm.

        Without a window, the file shows the whole picture with its bleed. `size`
        is the width and height to write if the window's own in mm are not wanted.
        """
        view = window or picture.full
        drawing = svgwrite.Drawing(
            size=size or (f"{number(view.w)}mm", f"{number(view.h)}mm"),
            viewBox=" ".join(map(number, view)),
            debug=False,
        )
        definitions: Definitions = {}
        for item in picture.items:
            drawing.add(self._element(item, definitions))
        # Sorted, so that the bytes do not depend on the order of drawing.
        for name in sorted(definitions):
            drawing.defs.add(definitions[name])
        # As svgwrite's `tostring`, but without its detour over bytes, which took a fifth of the time.
        return ET.tostring(drawing.get_xml(), encoding="unicode")

    def elements(self, picture: Picture) -> list[ET.Element]:
        """Return the elements of a picture's items.

        Their definitions are added to `definitions`.
        """
        return [self._element(item, self.definitions).get_xml() for item in picture.items]

    def cut_elements(self, picture: Picture, outline: Outline) -> list[ET.Element]:
        """Return the elements of a picture cut to an outline.

        A box with sharp corners is left to the viewport.
        """
        if outline.is_box and not outline.radius:
            return self.elements(picture)
        group = self._clipped_by(outline, self.definitions)
        for item in picture.items:
            group.add(self._element(item, self.definitions))
        return [group.get_xml()]

    def define_picture(self, picture: Picture) -> str:
        """Define a picture as a symbol in `definitions`; return the symbol's id."""
        return self._define_picture(picture, self.definitions)

    def define_image(self, name: str, address: str, size: Size, ratio: str) -> None:
        """Define an image of some pixels as a symbol in `definitions`.

        `ratio` is its preserveAspectRatio.
        """
        symbol = self._make.symbol(id=name)
        symbol["viewBox"] = f"0 0 {number(size.w)} {number(size.h)}"
        symbol["preserveAspectRatio"] = ratio
        symbol.add(self._make.image(address, size=_numbers(*size)))
        self.definitions[name] = symbol

    def reference(self, symbol: str, box: Rect) -> BaseElement:
        """Return an element that shows a symbol in a box."""
        return self._make.use(
            f"#{symbol}", insert=_numbers(box.x, box.y), size=_numbers(box.w, box.h)
        )

    def _element(self, item: Item, definitions: Definitions) -> BaseElement:
        match item:
            case Shape(geometry, fill, stroke):
                return self._geometry(geometry, self._paint(fill, stroke, definitions))
            case TextRun():
                return Tree(_text(item))
            case PlacedArt(art, box, fit):
                symbol = self._define_art(art, fit, definitions)
                place = item.view_box if fit == "contain" else box
                return self.reference(symbol, place)
            case PlacedImage():
                return self.image(item)
            case Group():
                return self._group(item, definitions)
            case PlacedPicture():
                return self._placed_picture(item, definitions)

    def image(self, item: PlacedImage) -> BaseElement:
        """Return an image element; a subclass may place its images in another way."""
        return self.image_element(self._image_address(item.image, item.box), item)

    def image_element(self, address: str, item: PlacedImage) -> BaseElement:
        """Return an image element that shows an address in the item's box."""
        box = item.box
        return self._make.image(
            address,
            insert=_numbers(box.x, box.y),
            size=_numbers(box.w, box.h),
            preserveAspectRatio=aspect_ratio(item),
        )

    def _group(self, group: Group, definitions: Definitions) -> BaseElement:
        if group.fingerprint not in self._groups:
            own_definitions: Definitions = {}
            element_group = self._make.g()
            if group.at != IDENTITY:
                element_group["transform"] = format_matrix(group.at)
            if group.opacity != 1:
                element_group["opacity"] = number(group.opacity)
            if group.clip:
                element_group["clip-path"] = (
                    f"url(#{self._define_clip(group.clip, own_definitions)})"
                )
            for item in group.items:
                element_group.add(self._element(item, own_definitions))
            self._groups[group.fingerprint] = element_group.get_xml(), own_definitions
        element, own_definitions = self._groups[group.fingerprint]
        definitions.update(own_definitions)
        return Tree(element)

    def _placed_picture(self, placed: PlacedPicture, definitions: Definitions) -> BaseElement:
        symbol = self._define_picture(placed.picture, definitions)
        group = self._clipped_by(placed.clip, definitions) if placed.clip else self._make.g()
        if placed.at != IDENTITY:
            group["transform"] = format_matrix(placed.at)
        group.add(self._make.use(f"#{symbol}"))
        return group

    def _clipped_by(self, outline: Outline, definitions: Definitions) -> BaseElement:
        return self._make.g(
            clip_path=f"url(#{self._define_clip(curve_data(outline.edges), definitions)})"
        )

    def _define_picture(self, picture: Picture, definitions: Definitions) -> str:
        name = f"face-{picture.name}"
        if name not in definitions:
            symbol = self._make.symbol(id=name, overflow="visible")
            definitions[name] = symbol
            for item in picture.items:
                symbol.add(self._element(item, definitions))
        return name

    def _define_art(self, art: Art, fit: Fit, definitions: Definitions) -> str:
        name = f"a{art.fingerprint[:12]}-{fit}"
        if name not in definitions:
            # Nine digits: art has units of its own, and a view may be a millionth of one wide.
            x, y, w, h = (f"{value:.9g}" for value in art.view)
            symbol = self._make.symbol(id=name)
            symbol["viewBox"] = f"{x} {y} {w} {h}"
            symbol["preserveAspectRatio"] = FITS[fit]
            symbol.add(
                self._make.image(self._art_address(art), (x, y), (w, h), preserveAspectRatio="none")
            )
            definitions[name] = symbol
        return name

    def _define_clip(self, data: str, definitions: Definitions) -> str:
        name = "c" + _short_digest(data)
        if name not in definitions:
            clip = self._make.clipPath(id=name)
            clip.add(self._make.path(data, clip_rule="evenodd"))
            definitions[name] = clip
        return name

    def _geometry(self, geometry: Geometry, paint: dict[str, str]) -> BaseElement:
        match geometry:
            case Box(rect, radius):
                rounding = {"rx": number(radius)} if radius else {}
                return self._make.rect(
                    _numbers(rect.x, rect.y), _numbers(rect.w, rect.h), **rounding, **paint
                )
            case Circle(centre, radius):
                return self._make.circle(_numbers(*centre), number(radius), **paint)
            case Polygon(corners):
                return self._make.polygon([_numbers(*corner) for corner in corners], **paint)
            case Path(d):
                return self._make.path(d, **paint)

    def _paint(
        self, fill: Paint, stroke: Stroke | None, definitions: Definitions
    ) -> dict[str, str]:
        colour = self._define_gradient(fill, definitions) if isinstance(fill, Gradient) else fill
        return {"fill": colour} | (stroke_attributes(stroke) if stroke else {})

    def _define_gradient(self, gradient: Gradient, definitions: Definitions) -> str:
        across = gradient.across / 2
        down = gradient.down / 2
        stops = [(number(share), colour) for share, colour in gradient.stops]
        # Named by the numbers as they are written, so that a face from a release writes the same
        # SVG again.
        name = "g" + _short_digest(repr((fine(across), fine(down), stops)))
        if name not in definitions:
            if across or down:
                start = _numbers(0.5 - across, 0.5 - down)
                end = _numbers(0.5 + across, 0.5 + down)
                element = self._make.linearGradient(start, end, id=name)
            else:
                element = self._make.radialGradient(("0.5", "0.5"), "0.5", id=name)
            for share, colour in stops:
                element.add_stop_color(share, colour)
            definitions[name] = element
        return f"url(#{name})"


Definitions = dict[str, BaseElement]
"""Elements that others refer to, by id."""


def box_attributes(box: Rect) -> dict[str, str]:
    """Return the place and size of a box as attributes."""
    x, y, w, h = _numbers(*box)
    return {"x": x, "y": y, "width": w, "height": h}


def aspect_ratio(item: PlacedImage) -> str:
    """Return how an image fits its box, as `preserveAspectRatio`."""
    if item.fit == "stretch":
        return FITS["stretch"]
    return f"{ALIGNS[item.position]} {FITS[item.fit].split()[1]}"


def format_matrix(at: Affine) -> str:
    """Return a transform as SVG writes it."""
    return f"matrix({' '.join(fine(value) for value in at)})"


def stroke_attributes(stroke: Stroke) -> dict[str, str]:
    """Return a stroke's attributes; SVG's defaults are left out."""
    attributes = {"stroke": stroke.colour, "stroke-width": number(stroke.width)}
    if stroke.cap != "butt":
        attributes["stroke-linecap"] = stroke.cap
    if stroke.join != "miter":
        attributes["stroke-linejoin"] = stroke.join
    if stroke.dash:
        attributes["stroke-dasharray"] = " ".join(map(number, stroke.dash))
    if stroke.dash_offset:
        attributes["stroke-dashoffset"] = number(stroke.dash_offset)
    return attributes


def _text(run: TextRun) -> ET.Element:
    """Return the element of a text run: a copy of the one for its style, with its place and its words."""
    element = deepcopy(
        _text_element(
            run.font,
            run.size,
            run.spacing,
            run.colour,
            run.stroke,
            small_caps=run.small_caps,
            underline=run.underline,
        )
    )
    element.set("x", number(run.x))
    element.set("y", number(run.y))
    element.text = run.text
    return element


# Most runs of a deck share a few styles. To copy an element takes a tenth of the time in which svgwrite makes one.
@lru_cache(1000)
def _text_element(  # noqa: PLR0913 - these are the style of a run
    font: FontFile,
    size: float,
    spacing: float,
    colour: str,
    stroke: Stroke | None,
    *,
    small_caps: bool,
    underline: bool,
) -> ET.Element:
    """Return the element of an empty text run in a style."""
    attributes = {
        "fill": colour,
        "xml:space": "preserve",
        "font-family": ", ".join(f"'{name}'" for name in font.names),
        "font-size": number(size),
        "font-weight": str(font.weight),
    }
    if font.italic:
        attributes["font-style"] = "italic"
    if small_caps:
        attributes["font-variant"] = "small-caps"
    if underline:
        attributes["text-decoration"] = "underline"
    if spacing:
        attributes["letter-spacing"] = number(spacing)
    if stroke:
        attributes |= stroke_attributes(stroke)
    element: ET.Element = Text("", insert=("0", "0"), **attributes, debug=False).get_xml()
    return element


def _numbers(*values: float) -> tuple[str, ...]:
    return tuple(map(number, values))


def _short_digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]
