"""The convex outline of a picture's ink, found from its elements without rendering.

Text counts as the boxes of its lines, an image as its box, a filter as the elements that it
changes.
"""

from collections.abc import Iterable, Mapping
from xml.etree import ElementTree as ET

from generator.base import polygon
from generator.base.errors import InvalidValueError
from generator.base.geometry import EPSILON, Point, Rect
from generator.draw.art.drawn import EFFECTS, DrawnElement, begins_in, drawn_elements, drawn_inside
from generator.draw.art.texts import ArtText
from generator.draw.art.tree import ArtTree, property_of


def ink_outline(art: ArtTree, texts: Iterable[ArtText]) -> tuple[Point, ...]:
    """Return the convex hull of everything that a picture draws inside its view, in the picture's units.

    Return the view's corners for a picture without ink, or with a path that cannot be read.
    """
    view = polygon.box(art.view)
    try:
        corners = [corner for at in drawn_elements(art) for corner in at.ink]
    except InvalidValueError:
        return view
    lines = [corner for text in texts for corner in text.corners]
    return polygon.clip_to_rect(polygon.hull([*corners, *lines]), art.view) or view


def object_box(art: ArtTree, element: ET.Element, texts: Mapping[ET.Element, Rect]) -> Rect | None:
    """Return the box of an element's geometry in its own coordinates, painted or not.

    Return None for an element without geometry. `texts` are the boxes of the picture's texts. Raise
    `InvalidValueError` for a path that cannot be read.
    """
    places = [
        at.matrix.apply(place)
        for at in drawn_inside(art, element)
        for place in (polygon.box(texts[at.element]) if at.element in texts else at.geometry)
    ]
    return polygon.box_around(places) if places else None


def draws_on_its_page(art: ArtTree, drawn: Iterable[DrawnElement]) -> bool:
    """Return False if every element that a picture draws surely lies beside its view, so that nothing is printed.

    Texts are not measured: a picture with one counts as drawn.
    """
    if next(art.root.iter("text"), None) is not None or has_effects(art):
        return True
    try:
        return any(
            begins_in(at, art.view)
            or (at.ink and polygon.box_around(at.ink).grown(EPSILON).overlaps(art.view))
            for at in drawn
        )
    except InvalidValueError:
        return True


def has_effects(art: ArtTree) -> bool:
    """Return True if a picture has filters or markers, which may draw something anywhere."""
    return any(property_of(element, name) for element in art.root.iter() for name in EFFECTS)
