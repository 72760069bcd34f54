"""The art of one job: each picture is read once, finished, and written anew for the engines.

Pictures are written from the table of allowed elements and attributes, so nothing else reaches the
engines.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from xml.etree import ElementTree as ET

from generator.base.errors import InvalidValueError
from generator.base.fonts import FontSet
from generator.base.geometry import Point, Rect
from generator.base.spill import SpillFile
from generator.base.svg_table import SVG, SVG_KIND, to_web_file
from generator.draw.art.changes import ArtChange, apply_changes
from generator.draw.art.drawn import DrawnElement, drawn_elements, thinnest_line
from generator.draw.art.images import embedded_images
from generator.draw.art.ink_outline import draws_on_its_page, has_effects, ink_outline, object_box
from generator.draw.art.read import read_art
from generator.draw.art.texts import (
    ArtText,
    check_texts,
    fonts_of,
    named_fonts,
    set_fonts,
    text_boxes,
    words_of,
)
from generator.draw.art.tree import (
    HREF,
    MEDIUM_FONT_SIZE,
    NO_PAINT,
    STROKED_ELEMENTS,
    TEXT_ELEMENTS,
    ArtTree,
    declarations,
    fix_widths,
    format_style,
    length,
    property_of,
)
from generator.pack.folder import Asset
from generator.picture.face import Advice
from generator.picture.images import Pixels, opaque_outline, read_pixels
from generator.picture.items import Art

PAGE_ATTRIBUTES = (
    "x",
    "y",
    "width",
    "height",
    "viewBox",
    "preserveAspectRatio",
    "version",
    "baseProfile",
)
"""The attributes of an outermost `<svg>` that describe its page."""

_CURRENT_COLOUR = re.compile("currentcolor", re.IGNORECASE)


def takes_colour(art: ArtTree) -> bool:
    """Return True if any part of a picture uses `currentColor`."""
    values = (value for element in art.root.iter() for value in element.attrib.values())
    return any(map(_CURRENT_COLOUR.search, values)) or any(map(takes_colour, art.inner.values()))


def finish(art: ArtTree, fonts: FontSet) -> ArtTree:
    """Return a copy in which every text names its font file's family, including pictures inside it."""
    inner = {address: finish(item, fonts) for address, item in art.inner.items()}
    copy = replace(art, root=deepcopy(art.root), inner=inner)
    if next(copy.root.iter("text"), None) is not None:
        set_fonts(copy, fonts)
    fix_widths(copy)
    write_origins(copy, fonts)
    return copy


def svg_of(art: ArtTree, colour: str | None) -> str:
    """Return a finished picture as a complete SVG; `colour` replaces `currentColor`."""
    inner = {address: _address(item, colour) for address, item in art.inner.items()}
    root = art.root
    if inner:
        root = deepcopy(root)
        for element in root.iter():
            if element.get(HREF, "").strip() in inner:
                element.set(HREF, inner[element.attrib[HREF].strip()])
    return to_web_file(_page_root(root, art, colour), art.name, set(inner.values()))


def _address(art: ArtTree, colour: str | None) -> str:
    """Return a finished picture as the address of an image inside another picture."""
    return SVG_KIND + b64encode(svg_of(art, colour).encode(errors="replace")).decode()


def _page_root(root: ET.Element, art: ArtTree, colour: str | None) -> ET.Element:
    """Return the root element with exactly the visible part of the picture as its page."""
    page = ET.Element("svg")
    x, y, w, h = (f"{value:.9g}" for value in art.view)
    page.attrib |= {"width": w, "height": h, "viewBox": f"{x} {y} {w} {h}"}
    page.attrib |= {key: value for key, value in root.attrib.items() if key not in PAGE_ATTRIBUTES}
    if "style" in page.attrib:
        page.set(
            "style",
            format_style(
                {
                    k: v
                    for k, v in declarations(page.attrib["style"]).items()
                    if k not in PAGE_ATTRIBUTES
                }
            ),
        )
    if colour and property_of(root, "color") is None:
        page.set("color", colour)
    page.text = root.text
    page.extend(list(root))
    return page


Changes = tuple[tuple[str, ArtChange], ...]


def art_from_svg(svg: str, view: Rect) -> Art:
    """Return art whose SVG this program finished before, such as art in a release.

    Raise `InvalidValueError` if it is unsafe.
    """
    tree = read_art(svg.encode(errors="replace"), "art")
    tree = replace(tree, name=ET.fromstring(svg).findtext(f"{{{SVG}}}title") or tree.name)
    return Art(
        name=tree.name,
        svg=svg,
        view=view,
        fonts=named_fonts(tree),
        words=words_of(tree),
        thinnest_line=thinnest_line(drawn_elements(tree)),
    )


@dataclass(frozen=True)
class PlaceableArt:
    """A picture ready to be placed: the item, the places of the texts inside it, and advice for its author."""

    item: Art
    texts: tuple[ArtText, ...]
    draws: bool
    takes_colour: bool
    advice: tuple[Advice, ...]


@dataclass
class ArtShelf:
    """Reads and caches the art of one job; `language` selects among translated texts."""

    language: str = "en"
    _arts: dict[tuple[Asset, frozenset[str]], ArtTree] = field(default_factory=dict)
    _prepared: dict[tuple[Asset, str | None], PlaceableArt] = field(default_factory=dict)
    _outlines: dict[Asset, tuple[Point, ...]] = field(default_factory=dict)
    _pixels: dict[str, Pixels] = field(default_factory=dict)
    _spill_file: SpillFile = field(default_factory=SpillFile)

    def art(self, asset: Asset, replaced: frozenset[str] = frozenset()) -> ArtTree:
        """Return a picture, read and checked; the links of `replaced` images are ignored."""
        key = (asset, replaced)
        if key not in self._arts:
            self._arts[key] = read_art(
                asset.read(), asset.name, self.language, replaced, source=asset
            )
        return self._arts[key]

    def prepare(
        self, asset: Asset, fonts: FontSet, changes: Changes, colour: str | None
    ) -> PlaceableArt:
        """Return a picture ready to be placed, with changes to its elements.

        `colour` replaces `currentColor`.
        """
        if changes:
            return self._finish(asset, fonts, changes, colour)
        key = (asset, colour)
        if key not in self._prepared:
            self._prepared[key] = self._finish(asset, fonts, (), colour)
        return self._prepared[key]

    def _finish(
        self, asset: Asset, fonts: FontSet, changes: Changes, colour: str | None
    ) -> PlaceableArt:
        replaced = frozenset(key for key, change in changes if change.picture or change.href)
        tree = self.art(asset, replaced)
        if changes:
            tree = apply_changes(tree, dict(changes), self._picture)
        tree = finish(tree, fonts)
        drawn = tuple(drawn_elements(tree))
        is_coloured = takes_colour(tree)
        files = [
            change.picture for _, change in changes if change.picture and not change.picture.is_svg
        ]
        names = {self.pixels(file).address: file.name for file in files}
        art = Art(
            name=asset.name,
            svg=svg_of(tree, colour if is_coloured else None),
            view=tree.view,
            fonts=fonts_of(tree, fonts),
            images=tuple(embedded_images(tree, names)),
            words=words_of(tree),
            thinnest_line=thinnest_line(drawn),
        )
        return PlaceableArt(
            art,
            check_texts(tree, fonts),
            draws_something(tree, drawn),
            is_coloured,
            tuple(_advice_on(tree, drawn)),
        )

    def outline(self, asset: Asset, fonts: FontSet) -> tuple[Point, ...]:
        """Return the convex outline of a picture's ink, around the middle of a box 1 mm wide into which it fits."""
        if asset not in self._outlines:
            self._outlines[asset] = self._measure_outline(asset, fonts)
        return self._outlines[asset]

    def _measure_outline(self, asset: Asset, fonts: FontSet) -> tuple[Point, ...]:
        if asset.is_svg:
            view = self.art(asset).view
            corners = ink_outline(self.art(asset), self.prepare(asset, fonts, (), None).texts)
        else:
            pixels = self.pixels(asset)
            view = Rect(0, 0, pixels.width, pixels.height)
            corners = opaque_outline(pixels)
        scale = 1 / max(view.size)
        return tuple((corner - view.centre).scaled(scale) for corner in corners)

    def _picture(self, asset: Asset) -> ArtTree | Pixels:
        return self.art(asset) if asset.is_svg else self.pixels(asset)

    def ratio(self, asset: Asset) -> float:
        """Return the width of a picture as a multiple of its height."""
        if asset.is_svg:
            return self.art(asset).ratio
        picture = self.pixels(asset)
        return picture.width / picture.height

    def pixels(self, asset: Asset) -> Pixels:
        """Return a raster image, read and checked."""
        if asset.name not in self._pixels:
            self._pixels[asset.name] = read_pixels(asset.name, asset.read(), self._spill_file)
        return self._pixels[asset.name]


def _advice_on(tree: ArtTree, drawn: Sequence[DrawnElement]) -> Iterator[Advice]:
    """Yield advice on a finished picture, given what it draws, and on the pictures inside it."""
    if not draws_something(tree, drawn):
        yield Advice(
            f"{tree.name} draws nothing",
            "nothing in it is visible: look at fill, stroke and display",
        )
    elif not draws_on_its_page(tree, drawn):
        yield Advice(
            f"{tree.name} draws nothing on its page",
            "its elements lie outside its viewBox: move them, or make the page larger",
        )
    if tree.has_press_colours:
        text = f"{tree.name} has press colours (icc-color), which are not used"
        yield Advice(text, "pnp prints the screen colours next to them")
    if _has_text_in_context_gradient(tree):
        text = f"{tree.name} has text painted with context-fill or context-stroke, which shifts gradients and patterns"
        yield Advice(
            text,
            'give the text its gradient itself, such as fill="url(#gold)", or convert it to paths',
        )
    for inner in tree.inner.values():
        yield from _advice_on(inner, tuple(drawn_elements(inner)))


def _has_text_in_context_gradient(tree: ArtTree) -> bool:
    """Return True if a text may take a gradient or a pattern from its context.

    Both engines place it wrongly: usvg 0.47 takes the text for one without a transform. Plain
    colours are right.
    """
    paints = [
        (element, property_of(element, name) or "")
        for element in tree.root.iter()
        for name in ("fill", "stroke")
    ]
    # The markers of Inkscape's arrows have context-stroke on their paths, which is right.
    has_context = any(
        paint.startswith("context-") and any(inner.tag in TEXT_ELEMENTS for inner in element.iter())
        for element, paint in paints
    )
    return has_context and any(
        "url(" in paint
        for element, paint in paints
        if element.tag in {"use", "g", "svg", *STROKED_ELEMENTS}
    )


FILL_BOXES = {"fill-box", "content-box"}
"""In SVG both are the box of an element's geometry."""
SHARES = {"left": 0.0, "top": 0.0, "center": 0.5, "right": 1.0, "bottom": 1.0}


def write_origins(art: ArtTree, fonts: FontSet) -> None:
    """Replace origins in the box of an element by steps of its transform."""
    if not any(
        "fill-box" in item.get("style", "") or "content-box" in item.get("style", "")
        for item in art.root.iter()
    ):
        return
    texts = text_boxes(art, fonts)
    # Inner elements come first, since their transforms change the boxes of those around them.
    for element in reversed(list(art.root.iter())):
        styles = declarations(element.get("style", ""))
        transform = element.get("transform", "").strip()
        if styles.get("transform-box") in FILL_BOXES and transform:
            origin = _origin(
                styles.get("transform-origin", element.get("transform-origin", "0 0")),
                art,
                element,
                texts,
            )
            to_origin = f"translate({origin.x:.9g} {origin.y:.9g})"
            back = f"translate({-origin.x:.9g} {-origin.y:.9g})"
            element.set("transform", f"{to_origin} {transform} {back}")
            element.attrib.pop("transform-origin", None)
            style = {
                key: value
                for key, value in styles.items()
                if key not in {"transform-box", "transform-origin"}
            }
            element.set("style", format_style(style))


def _origin(text: str, art: ArtTree, element: ET.Element, texts: dict[ET.Element, Rect]) -> Point:
    """Return the origin that `transform-origin` names, in the element's coordinates."""
    box = object_box(art, element, texts) or Rect(0, 0, 0, 0)
    words = text.split()[:2]
    across, down = (*words, "center") if len(words) == 1 else words or ("0", "0")
    if across in {"top", "bottom"} or down in {"left", "right"}:
        across, down = down, across
    return Point(box.x + _offset(across, box.w, art.name), box.y + _offset(down, box.h, art.name))


def _offset(word: str, full_length: float, name: str) -> float:
    value = (
        SHARES[word] * full_length
        if word in SHARES
        else length(word, MEDIUM_FONT_SIZE, full_length)
    )
    if value is None:
        raise InvalidValueError(
            f"{name}: {word!r} is not an origin",
            "words such as center, lengths, or shares such as 50%",
        )
    return value


_SIZES = {
    "rect": ("width", "height"),
    "circle": ("r",),
    "path": ("d",),
    "polygon": ("points",),
    "polyline": ("points",),
}
"""The attributes without which a shape draws nothing."""


def draws_something(art: ArtTree, drawn: Iterable[DrawnElement]) -> bool:
    """Return False if no element that a picture draws can be visible, even inside the page."""
    return has_effects(art) or any(map(_is_visible, drawn))


def _is_visible(at: DrawnElement) -> bool:
    if at.tag == "text":
        return bool("".join(at.element.itertext()).strip())
    if at.tag == "image":
        return at.paint.visibility == "visible" and bool(at.element.get(HREF, "").strip())
    is_painted = (
        at.paint.visibility == "visible" and not {at.paint.fill, at.paint.stroke} <= NO_PAINT
    )
    return is_painted and all(_has_size(at.element, name) for name in _SIZES.get(at.tag, ()))


def _has_size(element: ET.Element, name: str) -> bool:
    value = (property_of(element, name) or "").strip()
    return bool(value) and length(value, MEDIUM_FONT_SIZE, 1.0) != 0
