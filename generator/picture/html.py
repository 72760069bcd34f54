"""Pictures in a web page: each once, as a symbol, however often it is shown."""

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from generator.core.svg import written
from generator.core.units import MM_PER_INCH, number
from generator.picture.model import Picture
from generator.picture.svg import Definitions, symbol_of

CSS_DPI = 96
LARGER = 1.5
"""How much larger than on paper pictures are on a screen, where there is room for it."""


class Share(NamedTuple):
    """How much of its room a picture takes, and of its own size: what stands beside it is drawn alike."""

    room: float
    size: float


ALL = Share(1.0, 1.0)


def sprite(pictures: Iterable[Picture]) -> str:
    """All pictures, not shown, and what they are put together of, written as browsers read SVG."""
    known = Definitions()
    for picture in pictures:
        known.symbol(picture)
    symbols = "".join(written(element, known.art) for element in known.elements)
    return f'<svg class="sprite" aria-hidden="true">{symbols}</svg>'


def use(picture: Picture, alt: str, kind: str = "face", share: Share = ALL) -> str:
    """A picture in its place, cut to its trim; `alt` is what a reader hears who does not see it."""
    w, h = number(picture.size.w), number(picture.size.h)
    width = number(share.size * LARGER * picture.size.w / MM_PER_INCH * CSS_DPI)
    height = number(share.size * LARGER * picture.size.h / MM_PER_INCH * CSS_DPI)
    size = f'width="{width}" height="{height}" ' if kind == "face" else ""
    if share.room < 1:
        size += f'style="max-width:{number(100 * share.room)}%" '
    label = f'role="img" aria-label="{escape(alt)}"' if alt else 'aria-hidden="true"'
    shown = f'<use href="#{symbol_of(picture)}"/>'
    return f'<svg class="{kind}" {size}viewBox="0 0 {w} {h}" {label}>{shown}</svg>'
