"""The parts that the web pages of all outputs share: the page's frame, pictures and reduced images.

No page runs scripts of others, uses the network or sends anything.
"""

import io
import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple
from urllib.parse import quote
from xml.etree import ElementTree as ET

from PIL import Image

from generator.base.geometry import Rect, Size
from generator.base.html import Html, html, join_html, raw_text
from generator.base.outline import Outline
from generator.base.spill import SpilledBytes
from generator.base.svg_table import key_of, pictures_in, tag_of, to_web_text
from generator.base.units import MM_PER_INCH, number
from generator.picture.images import (
    SCALABLE_MODES,
    SCREEN_JPEG_QUALITY,
    TYPES,
    Pixels,
    data_address,
    encode_jpeg,
    encode_png,
    open_address,
    open_image,
    shrink_image,
)
from generator.picture.items import Art, Picture, PlacedImage, art_of
from generator.picture.raster import image_boxes, max_size, pixel_size
from generator.picture.svg import (
    Element,
    SvgWriter,
    art_data_address,
    aspect_ratio,
    image_data_address,
)

_UNSAFE_IN_CSS = re.compile(r"[^\w -]")


# The sources of images that a page allows: the page itself, or also the files next to it.
EMBEDDED_ONLY = "data:"
EMBEDDED_OR_BESIDE = "'self' file: data:"


def policy(scripts: Iterable[str] = (), pictures: str = EMBEDDED_ONLY) -> Html:
    """Return the content security policy for a page's head: our own scripts by their digests, and no others.

    `pictures` is `EMBEDDED_ONLY` or `EMBEDDED_OR_BESIDE`.
    """
    digests = " ".join(
        f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts
    )
    rules = {
        "default-src": "'none'",
        "script-src": digests or "'none'",
        "style-src": "'unsafe-inline'",
        "font-src": "data:",
        "img-src": pictures,
        "form-action": "'none'",
        "base-uri": "'none'",
    }
    content = "; ".join(f"{name} {value}" for name, value in rules.items())
    return html('<meta http-equiv="Content-Security-Policy" content="$content">', content=content)


@cache
def shared_style() -> str:
    """Return the CSS that all pages share: colours, buttons, dialogs and captions."""
    return (files(__package__) / "page.css").read_text("utf-8")


_TEMPLATE = """<!doctype html>
<html lang="$language"$direction>
<head>
<meta charset="utf-8">
$policy
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
$style
</style>
</head>
<body>
$body
</body>
</html>
"""


def compose_page(
    title: str,
    language: str,
    style: str,
    body: Html,
    pictures: str = EMBEDDED_ONLY,
    *,
    is_rtl: bool = False,
) -> Html:
    """Return a page without scripts; `pictures` is `EMBEDDED_ONLY` or `EMBEDDED_OR_BESIDE`.

    `style` is CSS, which follows the style that all pages share.
    """
    return html(
        _TEMPLATE,
        language=language,
        direction=html(' dir="rtl"') if is_rtl else "",
        policy=policy(pictures=pictures),
        title=title,
        style=raw_text(f"{shared_style()}\n{style}"),
        body=body,
    )


def css_text(text: str) -> str:
    """Return a text as a quoted CSS string.

    Every character that could end it is escaped by its number.
    """
    return "'" + _UNSAFE_IN_CSS.sub(lambda match: f"\\{ord(match[0]):x} ", text) + "'"


def font_face(family: str, weight: int, data: bytes, *, italic: bool) -> str:
    """Return a CSS rule with a font inside the page."""
    style = "italic" if italic else "normal"
    return (
        f"@font-face{{font-family:{css_text(family)};font-weight:{weight};font-style:{style};"
        f"font-display:swap;src:url(data:font/ttf;base64,{b64encode(data).decode()})}}"
    )


CSS_DPI = 96
# Factor by which pictures are larger on a screen than on paper: a figure as wide as a column of
# the booklet (76 mm) is then as wide as the text on a screen.
SCREEN_MAGNIFICATION = 2.4


class Share(NamedTuple):
    """The share of the available width that a picture takes, and its scale.

    Pictures side by side have the same scale.
    """

    width: float
    size: float


FULL_WIDTH = Share(1.0, 1.0)


@dataclass(frozen=True)
class Sprite:
    """The pictures of a page: hidden symbols, and their ids by the pictures' names."""

    symbols: Html
    ids: Mapping[str, str]

    def use(
        self, picture: Picture, alt: str, kind: str = "face", share: Share = FULL_WIDTH
    ) -> Html:
        """Return the HTML of a picture cut to its trim; `alt` is its text for screen readers."""
        scale = share.size * SCREEN_MAGNIFICATION / MM_PER_INCH * CSS_DPI
        width = number(scale * picture.size.w)
        height = number(scale * picture.size.h)
        style = (
            html(' style="max-width:$percent%"', percent=number(100 * share.width))
            if share.width < 1
            else ""
        )
        return html(
            '<svg class="$kind"$size$style viewBox="0 0 $w $h" $label><use href="#$id"/></svg>',
            kind=kind,
            size=html(' width="$width" height="$height"', width=width, height=height)
            if kind == "face"
            else "",
            style=style,
            w=number(picture.size.w),
            h=number(picture.size.h),
            label=html('role="img" aria-label="$alt"', alt=alt)
            if alt
            else html('aria-hidden="true"'),
            id=self.ids[picture.name],
        )


class PageWriter(SvgWriter):
    """Writes pictures as parts of a web page.

    `addresses` are those of all images and art that the page may show.
    """

    def __init__(
        self,
        image_address: Callable[[Pixels, Rect], str] = image_data_address,
        art_address: Callable[[Art], str] = art_data_address,
    ) -> None:
        super().__init__(image_address, lambda art: self._noted(art_address(art)))
        self.addresses: set[str] = set()

    def _noted(self, address: str) -> str:
        self.addresses.add(address)
        return address

    def to_html(self, elements: Iterable[ET.Element]) -> Html:
        """Return elements as HTML for a page, with only the tags and attributes of the SVG table."""
        return join_html(to_web_text(element, self.addresses) for element in elements)

    @property
    def definitions_html(self) -> dict[str, Html]:
        """The HTML of each definition, by id and in order."""
        return {
            name: self.to_html([self.definitions[name].get_xml()])
            for name in sorted(self.definitions)
        }


def make_sprite(
    pictures: Iterable[Picture], art_address: Callable[[Art], str] = art_data_address
) -> Sprite:
    """Return the symbols of some pictures and of their parts, each once."""
    writer = PageWriter(art_address=art_address)
    ids = {picture.name: writer.define_picture(picture) for picture in pictures}
    symbols = join_html(writer.definitions_html.values())
    return Sprite(
        html('<svg class="sprite" aria-hidden="true">$symbols</svg>', symbols=symbols), ids
    )


@dataclass(frozen=True)
class PicturePool:
    """Pictures that a page shows a few at a time: the HTML of each by name, and the definitions that they share."""

    bodies: Mapping[str, Html]
    common: Html


_REFERENCE = re.compile(r"(?:url\()?#([\w-]+)\)?")

# Elements and properties that browsers draw slowly, or differently from print: a text in art has
# fonts that no page gives it.
_UNLIKE_ELEMENTS = frozenset({"text", "filter", "mask", "pattern", "marker"})
_UNLIKE_PROPERTIES = frozenset(
    {"filter", "mix-blend-mode", "vector-effect", "pathLength", "transform-box", "image-rendering"}
)
_UNLIKE_VALUE = re.compile(
    r"miter-clip|linearRGB|calc\(|hwb\(|hsla?\([^,)]*\)|\b(?:unset|revert)\b"
    r"|\d(?:deg|turn|g?rad|r?em|ex|ch|vw|vh|vmin|vmax)\b"
)
# Chromium draws nothing of art that is less than half a unit wide or high, at any size.
_MIN_ART_SIDE = 1.0


def draws_as_printed(picture: Picture) -> bool:
    """Return True if a browser draws a picture quickly and as it prints: its art has no effects and no texts."""
    return all(_art_draws_as_printed(art.svg) for art in art_of(picture))


@lru_cache(maxsize=1024)  # the same art stands on many faces
def _art_draws_as_printed(svg: str) -> bool:
    root = ET.fromstring(svg)
    is_large = min(float(root.get(side, 0)) for side in ("width", "height")) >= _MIN_ART_SIDE
    return (
        is_large
        and all(map(_element_draws_as_printed, root.iter()))
        and all(map(_art_draws_as_printed, pictures_in(root)))
    )


def _element_draws_as_printed(element: ET.Element) -> bool:
    tag = tag_of(element)
    if tag in _UNLIKE_ELEMENTS or (tag == "symbol" and "transform" in element.attrib):
        return False
    style = (part.partition(":") for part in element.get("style", "").split(";"))
    properties = [*element.items(), *((name.strip(), value.strip()) for name, _, value in style)]
    return not any(_is_unlike(name, value) for name, value in properties if key_of(name) != "href")


def _is_unlike(name: str, value: str) -> bool:
    """Return True if browsers draw a property differently from print."""
    return (
        name in _UNLIKE_PROPERTIES
        or (name == "stroke-width" and value.startswith("-"))
        or (name in {"rx", "ry"} and value == "auto")
        or (name != "d" and _UNLIKE_VALUE.search(value) is not None)
    )


def make_picture_pool(
    cuts: Mapping[str, tuple[Picture, Outline]], writer: PageWriter, max_letters: int
) -> PicturePool:
    """Return pictures as they are cut out, except those of which more than `max_letters` letters are their own."""
    bodies = {
        name: writer.cut_elements(picture, outline) for name, (picture, outline) in cuts.items()
    }
    common = {name: writer.definitions[name].get_xml() for name in sorted(writer.definitions)}
    references = {name: _references([element]) for name, element in common.items()}
    needs = {name: _needed(_references(elements), references) for name, elements in bodies.items()}
    texts = {name: writer.to_html(elements) for name, elements in bodies.items()}
    definitions = {name: writer.to_html([element]) for name, element in common.items()}
    times = Counter(part for parts in needs.values() for part in parts)
    letter_counts = {
        name: len(texts[name]) + sum(len(definitions[part]) / times[part] for part in needs[name])
        for name in texts
    }
    included = {name: text for name, text in texts.items() if letter_counts[name] <= max_letters}
    used = {part for name in included for part in needs[name]}
    return PicturePool(
        included, join_html(text for part, text in definitions.items() if part in used)
    )


def _references(elements: Iterable[ET.Element]) -> set[str]:
    """Return the ids that some elements refer to."""
    values = (
        value for element in elements for part in element.iter() for value in part.attrib.values()
    )
    return {match[1] for value in values if (match := _REFERENCE.fullmatch(value))}


def _needed(named: Iterable[str], references: Mapping[str, Iterable[str]]) -> set[str]:
    """Return all ids that are referred to, directly or by definitions.

    `references` are those of each definition.
    """
    ids: set[str] = set()
    left = [name for name in named if name in references]
    while left:
        part = left.pop()
        if part not in ids:
            ids.add(part)
            left += (name for name in references[part] if name in references)
    return ids


# Enough for screens. Images are reduced by whole steps, so most stay finer.
SCREEN_DPI = 120
# The number of colours up to which a picture is a drawing and stays a PNG.
MAX_PNG_COLOURS = 1024
# By the suffix of the file.
MEDIA_TYPES = {"png": TYPES["PNG"], "jpg": TYPES["JPEG"], "webp": "image/webp"}


@dataclass
class Screen:
    """Reduces each image once and stores it by `keep`, or embeds it in the page.

    An embedded image that several pictures show is defined once.
    """

    keep: Callable[[str, bytes], object] | None = None
    files: set[str] = field(default_factory=set)
    _boxes: dict[str, Size] = field(default_factory=dict)
    _times: Counter[str] = field(default_factory=Counter)
    _addresses: dict[str, str] = field(default_factory=dict)

    def expect(self, pictures: Iterable[Picture]) -> None:
        """Record the largest size and the number of uses of each image in the pictures."""
        for picture in pictures:
            for key, box in image_boxes(picture).items():
                self._boxes[key] = max_size(box, self._boxes.get(key))
                self._times[key] += 1

    def is_shared(self, image: Pixels) -> bool:
        """Return True if an image stands in the page itself and several pictures show it."""
        return self.keep is None and self._times[image.key] > 1

    def address(self, image: Pixels) -> str:
        """Return the address of an image as a screen shows it; a large one is made once."""
        if not image.is_large:
            return image.address
        if image.key not in self._addresses:
            stem = f"picture-{image.key[-12:]}"
            self._addresses[image.key] = self.place(
                stem, *reduce_for_screen(image.spilled, self._boxes.get(image.key))
            )
        return self._addresses[image.key]

    def place(self, stem: str, kind: str, data: bytes) -> str:
        """Store a file, and return its address."""
        address = data_address(MEDIA_TYPES[kind], data)
        if self.keep:
            address = quote(f"{stem}.{kind}")
            self.keep(f"{stem}.{kind}", data)
        self.files.add(address)
        return address


class ScreenWriter(PageWriter):
    """Writes pictures with images no finer than a screen shows.

    An image that several pictures show is a symbol.
    """

    def __init__(self, screen: Screen) -> None:
        super().__init__(image_address=lambda image, _box: screen.address(image))
        self._screen = screen

    def image(self, item: PlacedImage) -> Element:
        """Return an image element, or a reference to the image's symbol."""
        address = self._screen.address(item.image)
        self.addresses |= self._screen.files
        if not self._screen.is_shared(item.image):
            return self.image_element(address, item)
        ratio = aspect_ratio(item)
        symbol = f"p{item.image.key[-12:]}-{item.fit}-{item.position}"
        if symbol not in self.definitions:
            with open_address(address) as picture:
                self.define_image(symbol, address, Size(*picture.size), ratio)
        return self.reference(symbol, item.box)


def reduce_for_screen(picture: SpilledBytes, box: Size | None) -> tuple[str, bytes]:
    """Return the suffix and bytes of an image for a box in mm; without a box, at full size."""
    source = (
        picture.smaller if picture.smaller and _oversampling(picture.smaller, box) >= 1 else picture
    )
    data = b64decode(source.text.partition(",")[2])
    with open_image(data) as image:
        kind = "jpg" if image.format == "JPEG" else "png"
        share = max(1, int(_oversampling(source, box)))
        is_made = kind == "jpg" and source is not picture and share == 1
        if is_made or image.mode not in SCALABLE_MODES:
            return kind, data
        if kind == "jpg":  # the JPEG decoder reduces by powers of two
            return kind, encode_jpeg(shrink_image(image, 1 << share.bit_length() - 1))
        return _encode(shrink_image(image, share))


def _oversampling(picture: SpilledBytes, box: Size | None) -> float:
    """Return the image's resolution in a box as a multiple of a screen's; 0 without a box."""
    size = pixel_size(picture)
    return min(size.w / box.w, size.h / box.h) * MM_PER_INCH / SCREEN_DPI if box else 0.0


def _encode(picture: Image.Image) -> tuple[str, bytes]:
    """Return the suffix and bytes of a former PNG: a PNG if it has few colours, else a JPEG, or WebP with alpha."""
    plain = picture.convert("RGBA") if picture.mode == "RGBa" else picture
    if plain.getcolors(MAX_PNG_COLOURS):
        return "png", encode_png(plain)
    if plain.mode != "RGBA":
        return "jpg", encode_jpeg(plain)
    buffer = io.BytesIO()
    plain.save(buffer, "WEBP", quality=SCREEN_JPEG_QUALITY, method=0)
    return "webp", buffer.getvalue()
