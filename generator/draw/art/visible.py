"""Find art that draws nothing, from its elements alone.

Elements that lie outside the page are not noticed here: only a rendering shows them.
"""

from collections.abc import Iterable, Mapping
from xml.etree import ElementTree as ET

from generator.draw.art.images import MAX_USE_DEPTH
from generator.draw.art.tree import (
    DEFINITIONS,
    HREF,
    MEDIUM_FONT_SIZE,
    NO_PAINT,
    STROKED_ELEMENTS,
    ArtTree,
    InheritedPaint,
    by_id,
    href_target,
    length,
    property_of,
)

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
    return _any_draws(art.root, by_id(art.root), InheritedPaint().of(art.root))


def _any_draws(
    elements: Iterable[ET.Element],
    ids: Mapping[str, ET.Element],
    paint: InheritedPaint,
    depth: int = 0,
) -> bool:
    """Return True if any of some elements is visible; `depth` is the nesting depth of uses."""
    return any(_draws(element, ids, paint, depth) for element in elements)


def _draws(
    element: ET.Element, ids: Mapping[str, ET.Element], outer: InheritedPaint, depth: int
) -> bool:
    if (
        element.tag in DEFINITIONS
        or property_of(element, "display") == "none"
        or _is_zero(element, "opacity")
    ):
        return False
    paint = outer.of(element)
    if any(property_of(element, name) for name in EFFECTS):
        is_drawing = True
    elif element.tag in STROKED_ELEMENTS:
        is_painted = paint.visibility == "visible" and not {paint.fill, paint.stroke} <= NO_PAINT
        is_drawing = is_painted and all(
            _has_size(element, name) for name in SIZES.get(element.tag, ())
        )
    elif element.tag == "text":
        is_drawing = bool("".join(element.itertext()).strip())
    elif element.tag == "image":
        is_drawing = paint.visibility == "visible" and bool(element.get(HREF, "").strip())
    elif element.tag == "use":
        target = ids.get(href_target(element))
        repeated = () if target is None else target if target.tag == "symbol" else (target,)
        is_drawing = depth < MAX_USE_DEPTH and _any_draws(repeated, ids, paint, depth + 1)
    else:
        is_drawing = _any_draws(element, ids, paint, depth)
    return is_drawing


def _is_zero(element: ET.Element, name: str) -> bool:
    return length(property_of(element, name) or "1", MEDIUM_FONT_SIZE, 1.0) == 0


def _has_size(element: ET.Element, name: str) -> bool:
    return bool((property_of(element, name) or "").strip()) and not _is_zero(element, name)
