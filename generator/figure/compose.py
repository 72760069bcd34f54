"""Faces laid beside each other in one picture: each face once, as a symbol, however often it is shown."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from xml.etree import ElementTree as ET

from generator.core.geometry import Point, Rect, Size
from generator.core.units import number
from generator.draw.face import Face, Part
from generator.pack.shape import Shape, ShapeKind

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
EDGE_WIDTH = 0.25
"""mm; the line round a piece, so that two that touch are seen to be two."""

EDGE: Mapping[str, str] = MappingProxyType({"fill": "none", "stroke": "#000000", "stroke-opacity": "0.4"})


@dataclass(frozen=True)
class Laid:
    """A face at its place in a figure: where its middle is (mm), and how it is turned (degrees clockwise)."""

    face: Face
    shape: Shape
    centre: Point
    turn: float = 0.0
    scale: float = 1.0


def picture(laid: Sequence[Laid], over: Iterable[ET.Element], box: Rect, above: Sequence[Laid] = ()) -> str:
    """An SVG of a box of the figure (mm), with the faces, whatever lies over them, and faces above that."""
    root = ET.Element(
        "svg",
        {
            "xmlns": SVG,
            "xmlns:xlink": XLINK,
            "width": f"{number(box.w)}mm",
            "height": f"{number(box.h)}mm",
            "viewBox": f"0 0 {number(box.w)} {number(box.h)}",
        },
    )
    definitions = ET.SubElement(root, "defs")
    known: dict[str, ET.Element] = {}
    for one in (*laid, *above):
        _define(one, known)
    definitions.extend(known[name] for name in sorted(known))
    drawing = ET.SubElement(root, "g", {"transform": f"translate({number(-box.x)} {number(-box.y)})"})
    for one in laid:
        drawing.extend(_shown(one))
    drawing.extend(over)
    for one in above:
        drawing.extend(_shown(one))
    return ET.tostring(root, encoding="unicode")


def parts(laid: Sequence[Laid], over: Sequence[ET.Element], box: Rect, above: Sequence[Laid] = ()) -> tuple[Part, ...]:
    """The same picture as the faces that it is made of: pieces and their edges, the overlays, what lies above."""
    found = [part for one in laid for part in _parts(one, box)]
    if over:
        layer = Face(picture((), over, box), Size(box.w, box.h), 0.0, "overlays")
        found.append(Part(layer, Point(box.w / 2, box.h / 2), 0.0, 1.0, _corners(layer)))
    return (*found, *(part for one in above for part in _parts(one, box)))


def _parts(one: Laid, box: Rect) -> Iterable[Part]:
    centre = one.centre - Point(box.x, box.y)
    yield Part(one.face, centre, one.turn, one.scale, one.shape.corners)
    edge = _edge(one.shape, one.scale)
    yield Part(edge, centre, one.turn, one.scale, _corners(edge))


def _edge(shape: Shape, scale: float) -> Face:
    """The line round a piece as a face of its own; as wide at any scale."""
    width = EDGE_WIDTH / scale
    full = Rect(0, 0, *shape.size).grown(width)
    root = ET.Element("svg", {"xmlns": SVG, "viewBox": " ".join(map(number, full))})
    root.set("width", f"{number(full.w)}mm")
    root.set("height", f"{number(full.h)}mm")
    root.append(_outline(shape, {**EDGE, "stroke-width": number(width)}))
    return Face(ET.tostring(root, encoding="unicode"), shape.size, width, "edge")


def _corners(face: Face) -> tuple[Point, ...]:
    """All of it, with its bleed."""
    full = face.full
    right, low = full.x + full.w, full.y + full.h
    return (Point(full.x, full.y), Point(right, full.y), Point(right, low), Point(full.x, low))


def _define(one: Laid, known: dict[str, ET.Element]) -> None:
    """The face as a group to be used, what it needs itself, and the clip of its trim."""
    name = _name(one.face)
    if name in known:
        return
    source = ET.fromstring(_plain(one.face.svg))
    group = ET.Element("g", {"id": name})
    for child in source:
        if child.tag == "defs":
            known.update({item.get("id", ""): item for item in child})
        else:
            group.append(child)
    known[name] = group
    clip = ET.Element("clipPath", {"id": f"{name}-trim"})
    clip.append(_outline(one.shape, {}))
    known[f"{name}-trim"] = clip


def _shown(one: Laid) -> Iterable[ET.Element]:
    middle = one.shape.size
    place = (
        f"translate({number(one.centre.x)} {number(one.centre.y)}) rotate({number(one.turn)}) "
        f"scale({number(one.scale)}) translate({number(-middle.w / 2)} {number(-middle.h / 2)})"
    )
    group = ET.Element("g", {"transform": place})
    cut = ET.SubElement(group, "g", {"clip-path": f"url(#{_name(one.face)}-trim)"})
    ET.SubElement(cut, "use", {"xlink:href": f"#{_name(one.face)}"})
    group.append(_outline(one.shape, {**EDGE, "stroke-width": number(EDGE_WIDTH / one.scale)}))
    yield group


def _outline(shape: Shape, paint: dict[str, str]) -> ET.Element:
    if shape.kind is ShapeKind.CIRCLE:
        middle = number(shape.size.w / 2)
        return ET.Element("circle", {"cx": middle, "cy": middle, "r": middle, **paint})
    corners = " ".join(f"{number(p.x)},{number(p.y)}" for p in shape.corners)
    return ET.Element("polygon", {"points": corners, **paint})


def bounds(laid: Sequence[Laid]) -> Rect:
    """The box round all pieces, as they are turned."""
    return Rect.round_all([_box(one) for one in laid])


def _box(one: Laid) -> Rect:
    half = Size(one.shape.size.w / 2 * one.scale, one.shape.size.h / 2 * one.scale)
    corners = [Point(x, y).turned(one.turn) + one.centre for x in (-half.w, half.w) for y in (-half.h, half.h)]
    xs, ys = [p.x for p in corners], [p.y for p in corners]
    return Rect.between(min(xs), min(ys), max(xs), max(ys))


def _name(face: Face) -> str:
    return "f" + face.name


def _plain(svg: str) -> str:
    """The face's SVG with plain names, as it was written, so that its elements can stand in another SVG."""
    return svg.replace('xmlns="http://www.w3.org/2000/svg"', "").replace("xlink:href", "href")
