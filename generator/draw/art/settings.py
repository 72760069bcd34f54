"""`set:` done: a copy of a picture in which some elements are otherwise, found by id or by Inkscape's label."""

import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from xml.etree import ElementTree as ET

from generator.core.problems import Wrong, unknown
from generator.draw.art.changes import ArtChange
from generator.draw.art.model import HREF, LABEL, Art, by_id, declarations, property_of, styled, written
from generator.draw.art.template import fill_text
from generator.draw.pixels import Pixels
from generator.pack.game import Asset

PAINT = {"fill", "stroke", "color", "stop-color", "flood-color"}
STYLES = {"opacity", "display", "visibility", "text-anchor", "stroke-width"}
_TARGET = re.compile(r"url\(\s*#([^)\s]+)\s*\)")


def changed(art: Art, changes: Mapping[str, ArtChange], picture: Callable[[Asset], Art | Pixels]) -> Art:
    """The picture with its changes made; `picture` reads another one of the pack."""
    if not changes:
        return art
    root = deepcopy(art.root)
    ids, inner = by_id(root), dict(art.inner)
    for key, change in changes.items():
        element = _find(root, ids, key, art.name)
        if change.text is not None:
            fill_text(element, change.text, key, art.name)
        for name, value in change.properties:
            _check_target(value, ids, art.name)
            _set(element, name, value)
        if change.href is not None:
            _check_target(f"url({change.href})", ids, art.name)
            element.set(HREF, change.href)
        if change.picture is not None:
            shown = picture(change.picture)
            _replace(element, shown, key, art.name)
            inner |= {element.attrib[HREF]: shown} if isinstance(shown, Art) else {}
    return Art(art.name, root, art.view, inner)


def _find(root: ET.Element, ids: Mapping[str, ET.Element], key: str, name: str) -> ET.Element:
    if key in ids:
        return ids[key]
    labelled = [element for element in root.iter() if element.get(LABEL) == key]
    if len(labelled) == 1:
        return labelled[0]
    if labelled:
        raise Wrong(f"{name}: {len(labelled)} elements are labelled {key!r}", "one", "give each its own label")
    labels = {element.get(LABEL, "") for element in root.iter()} - {""}
    wrong = unknown("id", key, {*ids, *labels})
    raise Wrong(f"{name}: {wrong.found}", wrong.expected, wrong.hint)


def _check_target(value: str, ids: Mapping[str, ET.Element], name: str) -> None:
    for key in _TARGET.findall(value):
        if key not in ids:
            wrong = unknown("id", key, ids)
            raise Wrong(f"{name}: {wrong.found}", wrong.expected, wrong.hint)


def _set(element: ET.Element, name: str, value: str) -> None:
    for one in _meant(element, name):
        if name == "transform" or name in {"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry"}:
            _unstyle(one, name)
            one.set(name, value)
        else:
            styled(one, **{name: value})


def _meant(element: ET.Element, name: str) -> Iterator[ET.Element]:
    """The element, and for its colours all in it that have a colour of that kind: a group is painted as a whole."""
    yield element
    if name in PAINT or name.startswith("font-"):
        for inner in element.iter():
            own = property_of(inner, name)
            if inner is not element and own is not None and own != "none":
                yield inner


def _unstyle(element: ET.Element, name: str) -> None:
    if "style" in element.attrib:
        kept = {key: value for key, value in declarations(element.attrib["style"]).items() if key != name}
        element.set("style", written(kept))


def _replace(element: ET.Element, picture: Art | Pixels, key: str, name: str) -> None:
    if element.tag != "image":
        raise Wrong(f"{name}: {key!r} is a <{element.tag}>, which shows no picture", "the id of an <image>")
    element.set(HREF, picture.address if isinstance(picture, Pixels) else f"data:{picture.name}")
