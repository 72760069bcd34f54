"""Pictures in a web page: each once, as a symbol, however often it is shown; or each by itself, until it is seen."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import NamedTuple
from xml.etree import ElementTree as ET

from generator.core.geometry import Rect
from generator.core.outline import Outline
from generator.core.pixels import Pixels
from generator.core.svg import pictures_in, written
from generator.core.units import MM_PER_INCH, number
from generator.picture.items import Art, Picture, art_of
from generator.picture.svg import SvgWriter, art_data_address, image_data_address

CSS_DPI = 96
LARGER = 1.5
"""How much larger than on paper pictures are on a screen, where there is room for it."""


class Share(NamedTuple):
    """How much of its room a picture takes, and of its own size: what stands beside it is drawn alike."""

    room: float
    size: float


ALL = Share(1.0, 1.0)


@dataclass(frozen=True)
class Sprite:
    """The pictures of a page: hidden symbols, and their ids by the pictures' names."""

    symbols: str
    ids: Mapping[str, str]

    def use(self, picture: Picture, alt: str, kind: str = "face", share: Share = ALL) -> str:
        """A picture in its place, cut to its trim; `alt` is what a reader hears who does not see it."""
        w, h = number(picture.size.w), number(picture.size.h)
        width = number(share.size * LARGER * picture.size.w / MM_PER_INCH * CSS_DPI)
        height = number(share.size * LARGER * picture.size.h / MM_PER_INCH * CSS_DPI)
        size = f'width="{width}" height="{height}" ' if kind == "face" else ""
        if share.room < 1:
            size += f'style="max-width:{number(100 * share.room)}%" '
        label = f'role="img" aria-label="{escape(alt)}"' if alt else 'aria-hidden="true"'
        shown = f'<use href="#{self.ids[picture.name]}"/>'
        return f'<svg class="{kind}" {size}viewBox="0 0 {w} {h}" {label}>{shown}</svg>'


class PageWriter(SvgWriter):
    """Writes pictures as parts of a web page; `addresses` are those of all images and art that the page may show."""

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

    def html(self, elements: Iterable[ET.Element]) -> str:
        """Return elements as text for a page: what the table of SVG allows, and nothing else."""
        return "".join(written(element, self.addresses) for element in elements)

    @property
    def definitions_html(self) -> dict[str, str]:
        """The text of each definition, by id and in order."""
        return {name: self.html([self.definitions[name].get_xml()]) for name in sorted(self.definitions)}


def sprite(pictures: Iterable[Picture], art_address: Callable[[Art], str] = art_data_address) -> Sprite:
    """Return the symbols of some pictures and of what they consist of, each once."""
    writer = PageWriter(art_address=art_address)
    ids = {picture.name: writer.define_picture(picture) for picture in pictures}
    symbols = "".join(writer.definitions_html.values())
    return Sprite(f'<svg class="sprite" aria-hidden="true">{symbols}</svg>', ids)


@dataclass(frozen=True)
class Plates:
    """Pictures of which a page shows some at a time: what is in each, by name, and what they have in common, once."""

    shown: Mapping[str, str]
    common: str


_NAMED = re.compile(r"#([\w-]+)")
_EFFECTS = "<filter", "<mask", "<pattern", "<marker", "mix-blend-mode"
_OTHERWISE = re.compile(
    r"<text|\bfilter[=:]|vector-effect|pathLength|miter-clip|transform-box|image-rendering|linearRGB"
    r"|calc\(|hwb\(|hsla?\([^,)]*\)|\b(?:unset|revert)\b|stroke-width(?:=\"|:)-|r[xy]=\"auto\"|<symbol\b[^>]*\stransform="
    r"|\d(?:deg|turn|g?rad|r?em|ex|ch|vw|vh|vmin|vmax)\b"
)
"""What browsers draw otherwise in art than it is printed; a text in it has fonts that no page gives it."""
_BYTES = re.compile(r"(?<=;base64,)[A-Za-z0-9+/=]+")
_PAGE = re.compile(r'<svg\b[^>]* width="([^"]*)" height="([^"]*)"')
_LEAST = 1.0
"""Units that art is wide and high at least; of what is less than half a pixel, Chromium draws nothing at any size."""


def draws_alike(picture: Picture) -> bool:
    """Return True if a browser draws a picture quickly and as it prints: its art has no effects and no texts."""
    return all(_art_draws_alike(art.svg) for art in art_of(picture))


@lru_cache(maxsize=1024)  # the same art stands on many faces
def _art_draws_alike(svg: str) -> bool:
    page = _PAGE.match(svg)
    is_large = page is not None and min(map(float, page.groups())) >= _LEAST
    is_plain = not any(effect in svg for effect in _EFFECTS) and not _OTHERWISE.search(_BYTES.sub("", svg))
    return is_large and is_plain and all(map(_art_draws_alike, pictures_in(svg)))


def plates(cuts: Mapping[str, tuple[Picture, Outline]], writer: PageWriter, max_letters: int) -> Plates:
    """Return pictures as they are cut out, except those of which more than `max_letters` letters are their own."""
    bodies = {name: writer.html(writer.cut_elements(picture, outline)) for name, (picture, outline) in cuts.items()}
    common = writer.definitions_html
    leads = {name: _NAMED.findall(text) for name, text in common.items()}
    needs = {name: _needed(_NAMED.findall(body), leads) for name, body in bodies.items()}
    times = Counter(part for parts in needs.values() for part in parts)
    own = {name: len(bodies[name]) + sum(len(common[part]) / times[part] for part in needs[name]) for name in bodies}
    shown = {name: body for name, body in bodies.items() if own[name] <= max_letters}
    used = {part for name in shown for part in needs[name]}
    return Plates(shown, "".join(text for part, text in common.items() if part in used))


def _needed(named: Iterable[str], leads: Mapping[str, Iterable[str]]) -> set[str]:
    """All that is referred to, also by what is referred to; `leads` says what each definition names."""
    found: set[str] = set()
    left = [name for name in named if name in leads]
    while left:
        part = left.pop()
        if part not in found:
            found.add(part)
            left += (name for name in leads[part] if name in leads)
    return found
