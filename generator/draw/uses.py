"""How much a picture draws once its `<use>` elements are followed: a few lines can stand for millions of shapes."""

from xml.etree import ElementTree as ET

from generator.errors import Wrong

MOST = 200_000
"""Elements; the engines that read faces give up at a million."""

DEEPEST = 240
"""Elements within elements, those that are used counted too."""


def check_uses(root: ET.Element, name: str) -> None:
    """Refuse art that holds itself, or that grows without measure."""
    by_id = {value: element for element in root.iter() if (value := element.get("id"))}
    sizes: dict[ET.Element, int] = {}
    if _size(root, by_id, sizes, (), name) > MOST:
        raise Wrong(f"{name} draws more than {MOST} elements", "a simpler SVG, or a PNG")


def _size(
    element: ET.Element, by_id: dict[str, ET.Element], sizes: dict[ET.Element, int], inside: tuple[str, ...], name: str
) -> int:
    if len(inside) > DEEPEST:
        raise Wrong(f"{name}: <use> elements are nested more than {DEEPEST} deep", "a simpler SVG")
    if element not in sizes:
        size = 1 + sum(_size(child, by_id, sizes, (*inside, ""), name) for child in element)
        target = _target(element)
        if target and target in inside:
            raise Wrong(f"{name}: #{target} is drawn within itself", "a <use> of something else")
        if target in by_id:
            size += _size(by_id[target], by_id, sizes, (*inside, target), name)
        sizes[element] = min(size, MOST + 1)
    return sizes[element]


def _target(element: ET.Element) -> str:
    if not isinstance(element.tag, str) or element.tag.rpartition("}")[2] != "use":
        return ""
    return next((value.strip()[1:] for key, value in element.attrib.items() if key.rpartition("}")[2] == "href"), "")
