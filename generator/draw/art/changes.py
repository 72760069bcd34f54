"""Changes that `set:` makes to elements of a picture: text, paint, position, another picture."""

import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from xml.etree import ElementTree as ET

from generator.base.errors import InvalidValueError, prefixing, unknown
from generator.draw.art.texts import fill_text
from generator.draw.art.tree import (
    HREF,
    LABEL,
    ArtTree,
    by_id,
    declarations,
    format_style,
    property_of,
    set_style,
    url_targets,
)
from generator.pack.colours import parse_colour
from generator.pack.folder import Asset
from generator.picture.images import Pixels

_URL = re.compile(r"url\(\s*#[^)\s]+\s*\)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)")
_TRANSFORM = re.compile(
    r"(?:\s*(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([-+\d.,\se]*\)\s*,?)*"
)


@dataclass(frozen=True)
class ArtChange:
    """The changes of one element; None leaves a part unchanged."""

    text: str | None = None
    properties: tuple[tuple[str, str], ...] = ()
    href: str | None = None
    picture: Asset | None = None


def _check_paint(value: str) -> str:
    if value in {"currentColor", "inherit"} or _URL.fullmatch(value):
        return value
    return parse_colour(value)


def _check_number(value: str) -> str:
    if not _NUMBER.fullmatch(value):
        raise InvalidValueError(
            f"{value!r} is not a number", "a number in the picture's own units, such as 12.5"
        )
    return value


def _check_opacity(value: str) -> str:
    if not _NUMBER.fullmatch(value) or not 0 <= float(value) <= 1:
        raise InvalidValueError(f"{value!r} is not an opacity", "a number from 0 to 1")
    return value


def _check_transform(value: str) -> str:
    if not _TRANSFORM.fullmatch(value):
        raise InvalidValueError(
            f"{value!r} is not a transformation", "steps such as translate(10 5) rotate(90)"
        )
    return value


def _one_of(*values: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value not in values:
            raise unknown("value", value, values)
        return value

    return read


def _check_plain(value: str) -> str:
    if re.search(r"[;{}<>]|url\(", value):
        raise InvalidValueError(f"{value!r} is not allowed here", "a plain value")
    return value


PAINTS = ("fill", "stroke", "color", "stop-color", "flood-color")
GEOMETRY = ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry")
PROPERTIES: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(PAINTS, _check_paint),
    **dict.fromkeys(("opacity", "fill-opacity", "stroke-opacity", "stop-opacity"), _check_opacity),
    **dict.fromkeys(("stroke-width", "font-size", "letter-spacing"), _check_number),
    **dict.fromkeys(GEOMETRY, _check_number),
    "display": _one_of("none", "inline"),
    "visibility": _one_of("hidden", "visible"),
    "text-anchor": _one_of("start", "middle", "end"),
    "font-style": _one_of("normal", "italic"),
    "font-family": _check_plain,
    "font-weight": _check_plain,
    "transform": _check_transform,
}
"""The properties that can be set, each with its parser."""


def read_change(value: object, asset: Callable[[str], Asset]) -> ArtChange:
    """Parse a text, or a mapping of properties; `asset` finds a file of the pack.

    Raises `InvalidValueError` for unknown properties and invalid values.
    """
    if value is None or isinstance(value, str):
        return ArtChange(text=_single_line(value or ""))
    if not isinstance(value, dict):
        raise InvalidValueError("this is a list", "a text, or a mapping such as {fill: red}")
    texts = {
        key: str(item or "").strip()
        for key, item in value.items()
        if not isinstance(item, list | dict)
    }
    for key in value:
        if key not in {*PROPERTIES, "text", "href"}:
            raise unknown("property", key, (*PROPERTIES, "text", "href"))
        if key not in texts:
            raise InvalidValueError(f"{key}: this is a list or a mapping", "a single value")
    href = texts.get("href", "")
    is_in_picture = href.startswith("#")
    return ArtChange(
        text=_single_line(texts["text"]) if "text" in texts else None,
        properties=tuple(
            (key, _read_property(key, text))
            for key, text in texts.items()
            if text and key in PROPERTIES
        ),
        href=href if is_in_picture else None,
        picture=asset(href) if href and not is_in_picture else None,
    )


def _read_property(key: str, text: str) -> str:
    with prefixing(key):
        return PROPERTIES[key](text)


def _single_line(text: str) -> str:
    if "\n" in text.strip() or "\r" in text.strip():
        raise InvalidValueError(
            "a text of several lines",
            "one line",
            "put longer texts into a text: layer over the picture",
        )
    return text.strip()


def apply_changes(
    art: ArtTree, changes: Mapping[str, ArtChange], picture: Callable[[Asset], ArtTree | Pixels]
) -> ArtTree:
    """Return a copy of a picture with the changes; `picture` reads other pictures of the pack.

    Raises `InvalidValueError` for ids and labels that the picture lacks.
    """
    if not changes:
        return art
    root = deepcopy(art.root)
    ids = by_id(root)
    inner = dict(art.inner)
    for key, change in changes.items():
        element = _find_element(root, ids, key, art.name)
        if change.text is not None:
            fill_text(element, change.text, key, art.name)
        for name, value in change.properties:
            _check_target(value, ids, art.name)
            _set_property(element, name, value)
        if change.href is not None:
            _check_target(f"url({change.href})", ids, art.name)
            element.set(HREF, change.href)
        if change.picture is not None:
            pictured = picture(change.picture)
            _replace_picture(element, pictured, key, art.name)
            inner |= {element.attrib[HREF]: pictured} if isinstance(pictured, ArtTree) else {}
    return replace(art, root=root, inner=inner)


def _find_element(
    root: ET.Element, ids: Mapping[str, ET.Element], key: str, name: str
) -> ET.Element:
    if key in ids:
        return ids[key]
    labelled = [element for element in root.iter() if element.get(LABEL) == key]
    if len(labelled) == 1:
        return labelled[0]
    if labelled:
        raise InvalidValueError(
            f"{name}: {len(labelled)} elements are labelled {key!r}",
            "one",
            "give each its own label",
        )
    labels = {element.get(LABEL, "") for element in root.iter()} - {""}
    with prefixing(name):
        raise unknown("id", key, {*ids, *labels})


def _check_target(value: str, ids: Mapping[str, ET.Element], name: str) -> None:
    """Raise `InvalidValueError` if a value such as `url(#gold)` names an id that the picture lacks."""
    for key in url_targets(value):
        if key not in ids:
            with prefixing(name):
                raise unknown("id", key, ids)


def _set_property(element: ET.Element, name: str, value: str) -> None:
    for item in _affected_elements(element, name):
        if name in {"transform", *GEOMETRY}:
            _remove_from_style(item, name)
            item.set(name, value)
        else:
            set_style(item, **{name: value})


def _affected_elements(element: ET.Element, name: str) -> Iterator[ET.Element]:
    """Yield the element; for paint and fonts also the descendants that have a value of their own.

    Thus a whole group changes colour, as in a drawing program.
    """
    yield element
    if name in PAINTS or name.startswith("font-"):
        for inner in element.iter():
            own_value = property_of(inner, name)
            if inner is not element and own_value is not None and own_value != "none":
                yield inner


def _remove_from_style(element: ET.Element, name: str) -> None:
    if "style" in element.attrib:
        remaining = {
            key: value
            for key, value in declarations(element.attrib["style"]).items()
            if key != name
        }
        element.set("style", format_style(remaining))


def _replace_picture(element: ET.Element, picture: ArtTree | Pixels, key: str, name: str) -> None:
    if element.tag != "image":
        raise InvalidValueError(
            f"{name}: {key!r} is a <{element.tag}>, which shows no picture", "the id of an <image>"
        )
    # No file has the address of an SVG picture: `ArtTree.inner` finds the picture by it.
    element.set(HREF, picture.address if isinstance(picture, Pixels) else f"data:{picture.name}")
