"""Pictures in a web page: each once, as a symbol, however often it is shown; or each by itself, until it is seen."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import NamedTuple

from generator.core.held import Drawing
from generator.core.outline import Outline
from generator.core.svg import pictures_in, written
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


def is_quick(svg: str) -> bool:
    """Whether a browser draws a picture at once, as it prints: without effects, and without texts in what it shows."""
    return not any(effect in svg for effect in _EFFECTS) and all(map(_art_is_quick, pictures_in(svg)))


@lru_cache(maxsize=1024)
def _art_is_quick(art: str) -> bool:
    """The same picture stands on many faces."""
    page = _PAGE.match(art)
    is_large = page is not None and min(map(float, page.groups())) >= _LEAST
    return is_large and not _OTHERWISE.search(_BYTES.sub("", art)) and is_quick(art)


def plates(
    cuts: Mapping[str, tuple[Picture, Outline]],
    text_of: Callable[[Drawing], str],
    files: set[str],
    most: int,
) -> Plates:
    """Pictures as they are cut out, but for those of which more letters than `most` are their own.

    `text_of` writes a drawing with its pictures of pixels, whose addresses it adds to `files`.
    """
    known = Definitions(files, text_of)
    bodies = {
        name: "".join(written(element, known.art) for element in known.cut(picture, outline))
        for name, (picture, outline) in cuts.items()
    }
    common = {element.get("id", ""): written(element, known.art) for element in known.elements}
    leads = {name: _NAMED.findall(text) for name, text in common.items()}
    needs = {name: _needed(_NAMED.findall(body), leads) for name, body in bodies.items()}
    times = Counter(part for parts in needs.values() for part in parts)
    own = {name: len(bodies[name]) + sum(len(common[part]) / times[part] for part in needs[name]) for name in bodies}
    shown = {name: body for name, body in bodies.items() if own[name] <= most}
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
