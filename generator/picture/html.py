"""Pictures in a web page: each once, as a symbol, however often it is shown."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

from generator.core.classes import dataclass
from generator.core.svg import written
from generator.core.units import MM_PER_INCH, number
from generator.picture.model import Definitions, Picture

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
    """The pictures of a page: what stands there unseen, the ids in it by the pictures' names, what each tells."""

    symbols: str
    ids: Mapping[str, str]
    told: tuple[str, ...]

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


def sprite(pictures: Iterable[Picture]) -> Sprite:
    """Some pictures, and what they are put together of, written as browsers read SVG."""
    known, shown = Definitions(), tuple(pictures)
    ids = {picture.name: known.symbol(picture) for picture in shown}
    told = tuple(picture.told for picture in shown)
    symbols = "".join(written(element, known.art) for element in known.elements)
    return Sprite(f'<svg class="sprite" aria-hidden="true">{symbols}</svg>', ids, told)
