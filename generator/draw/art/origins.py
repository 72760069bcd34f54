"""Write `transform-box: fill-box` into the transforms themselves, since the engines do not know it."""

from xml.etree import ElementTree as ET

from generator.base.errors import InvalidValueError
from generator.base.fonts import FontSet
from generator.base.geometry import Point, Rect
from generator.draw.art.ink_outline import object_box
from generator.draw.art.texts import text_boxes
from generator.draw.art.tree import MEDIUM_FONT_SIZE, ArtTree, declarations, format_style, length

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
