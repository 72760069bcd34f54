"""Find art that draws nothing, from its elements alone.

Elements that lie outside the page are not noticed here: only a rendering shows them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from xml.etree import ElementTree as ET

from generator.draw.art.images import MAX_USES, UNDRAWN_ELEMENTS
from generator.draw.art.tree import (
    HREF,
    MEDIUM_FONT_SIZE,
    STROKED_ELEMENTS,
    ArtTree,
    by_id,
    length,
    property_of,
)

UNPAINTED = {"none", "transparent"}
EFFECTS = ("filter", "marker-start", "marker-mid", "marker-end")
"""Properties that may draw something where the element itself draws nothing."""
SIZES = {
    "rect": ("width", "height"),
    "circle": ("r",),
    "path": ("d",),
    "polygon": ("points",),
    "polyline": ("points",),
}
"""The attributes without which a shape draws nothing."""


def draws_something(art: ArtTree) -> bool:
    """Return False if no element of a picture can be visible, even inside the page."""
    return _any_draws(art.root, by_id(art.root), _InheritedPaint().of(art.root))


@dataclass(frozen=True)
class _InheritedPaint:
    """The inherited properties that decide whether an element is visible, and the nesting depth of uses."""

    fill: str = "black"
    stroke: str = "none"
    visibility: str = "visible"
    depth: int = 0

    def of(self, element: ET.Element) -> "_InheritedPaint":
        """Return the properties of an element that inherits these."""

        def value(name: str, inherited: str) -> str:
            found = (property_of(element, name) or "inherit").strip()
            return inherited if found == "inherit" else found

        return _InheritedPaint(
            value("fill", self.fill),
            value("stroke", self.stroke),
            value("visibility", self.visibility),
            self.depth,
        )

    @property
    def is_visible(self) -> bool:
        """Return True if a shape with these properties is painted."""
        return self.visibility == "visible" and not {self.fill, self.stroke} <= UNPAINTED


def _any_draws(
    elements: Iterable[ET.Element], ids: Mapping[str, ET.Element], paint: _InheritedPaint
) -> bool:
    return any(_draws(element, ids, paint) for element in elements)


def _draws(element: ET.Element, ids: Mapping[str, ET.Element], outer: _InheritedPaint) -> bool:
    if (
        element.tag in UNDRAWN_ELEMENTS
        or property_of(element, "display") == "none"
        or _is_zero(element, "opacity")
    ):
        return False
    paint = outer.of(element)
    if any(property_of(element, name) for name in EFFECTS):
        drawn = True
    elif element.tag in STROKED_ELEMENTS:
        drawn = paint.is_visible and all(
            _has_size(element, name) for name in SIZES.get(element.tag, ())
        )
    elif element.tag == "text":
        drawn = bool("".join(element.itertext()).strip())
    elif element.tag == "image":
        drawn = paint.visibility == "visible" and bool(element.get(HREF, "").strip())
    elif element.tag == "use":
        target = ids.get(element.get(HREF, "").strip().removeprefix("#"))
        deeper = replace(paint, depth=paint.depth + 1)
        shown = () if target is None else target if target.tag == "symbol" else (target,)
        drawn = paint.depth < MAX_USES and _any_draws(shown, ids, deeper)
    else:
        drawn = _any_draws(element, ids, paint)
    return drawn


def _is_zero(element: ET.Element, name: str) -> bool:
    return length(property_of(element, name) or "1", MEDIUM_FONT_SIZE, 1.0) == 0


def _has_size(element: ET.Element, name: str) -> bool:
    return bool((property_of(element, name) or "").strip()) and not _is_zero(element, name)
