"""From the bytes of an SVG file to a picture that is safe and plain, within bounds.

The bounds are on what it may ask of the engines, which would otherwise go on for hours or eat all memory. Measured on
a poker card at the 288 dpi at which filters become pixels: a morphology of 3 % of the diagonal takes three seconds,
1,000 octaves of turbulence forty, a kernel of 25 × 25 two.
"""

import re
from collections.abc import Iterator
from math import hypot
from xml.etree import ElementTree as ET

from generator.core.geometry import Rect, Size
from generator.core.problems import Wrong
from generator.draw.art.gate import admit
from generator.draw.art.images import check_images, inner_pictures, is_svg
from generator.draw.art.model import HREF, LABEL, PX, ArtTree, by_id, property_of, references, walk
from generator.draw.art.plain import modernise, plain

MAX_ELEMENTS = 200_000
"""With every `<use>` counted as what it stands for."""
MAX_DEPTH = 240
MAX_FILTERED = 300
MAX_PRIMITIVES = 60
MAX_STOPS = 500
MAX_OCTAVES = 10
MAX_KERNEL = 15
MAX_SPREAD = 0.03
"""The largest radius of a morphology, of the picture's diagonal."""
MAX_REGION = 100.0
"""The largest filter region, as a multiple of the area of what is filtered: of a thin line it may reach far."""

MARKERS = ("marker", "marker-mid", "marker-start", "marker-end")
_URL = re.compile(r"url\(\s*['\"]?#([^)'\"]+?)['\"]?\s*\)")


def check_limits(root: ET.Element, view: Rect, name: str) -> None:
    """Raise for what could not be drawn in good time."""
    ids = by_id(root)
    _Weights(ids, name).of(root)
    filtered = list(_filtered(root, ids))
    if len(filtered) > MAX_FILTERED:
        raise _too_much(name, f"{len(filtered)} elements have a filter", f"at most {MAX_FILTERED}")
    for element in root.iter():
        if element.tag in {"linearGradient", "radialGradient"} and len(element) > MAX_STOPS:
            raise _too_much(name, f"a gradient has {len(element)} stops", f"at most {MAX_STOPS}")
    diagonal = hypot(view.w, view.h)
    enlarged = max((at.matrix.scale for at in walk(root) if at.element.tag == "use"), default=1.0)
    for one, scale in filtered:
        _check_filter(one, scale * max(enlarged, 1.0) / diagonal, name)


def _too_much(name: str, found: str, expected: str) -> Wrong:
    return Wrong(f"{name}: {found}", expected, "flatten the effect to a PNG, or draw it more simply")


class _Weights:
    """How many elements each element stands for, with all that it refers to."""

    def __init__(self, ids: dict[str, ET.Element], name: str) -> None:
        self._ids = ids
        self._name = name
        self._known: dict[ET.Element, tuple[int, int]] = {}
        self._open: set[ET.Element] = set()

    def of(self, element: ET.Element) -> tuple[int, int]:
        """The weight, and how many elements lie in each other, worked out once for each element."""
        if element in self._known:
            return self._known[element]
        if element in self._open:
            label = element.get("id", element.tag)
            raise Wrong(f"{self._name}: {label!r} is drawn within itself", "a picture without circles in it")
        self._open.add(element)
        targets = (self._ids.get(reference[1:]) for reference in references(element) if reference.startswith("#"))
        parts = [self.of(part) for part in (*element, *targets) if part is not None and self._in_reach()]
        self._open.discard(element)
        weight, depth = 1 + sum(part[0] for part in parts), 1 + max((part[1] for part in parts), default=0)
        weight += sum(self.of(marker)[0] * times for marker, times in self._markers(element))
        if weight > MAX_ELEMENTS:
            raise _too_much(self._name, f"it draws more than {MAX_ELEMENTS} elements", f"at most {MAX_ELEMENTS}")
        self._known[element] = weight, depth if depth <= MAX_DEPTH else self._too_deep()
        return self._known[element]

    def _markers(self, element: ET.Element) -> Iterator[tuple[ET.Element, int]]:
        """The markers that an element, or what lies in it, shows, with how often besides the first time."""
        for name in MARKERS:
            for key in _URL.findall(property_of(element, name) or ""):
                if (marker := self._ids.get(key)) is not None and marker not in self._open:
                    yield marker, sum(_corners(shape, name) for shape in element.iter())

    def _in_reach(self) -> bool:
        return len(self._open) <= MAX_DEPTH or bool(self._too_deep())

    def _too_deep(self) -> int:
        found = f"{self._name}: elements are nested more than {MAX_DEPTH} deep, those that are used counted too"
        raise Wrong(found, "a simpler SVG")


_NUMBER = re.compile(r"\d+\.?\d*|\.\d+")


def _corners(shape: ET.Element, marker: str) -> int:
    """At how many places of a shape a marker may stand."""
    if marker in {"marker-start", "marker-end"}:
        return 1
    return sum(1 for _ in _NUMBER.finditer(shape.get("d", "") + shape.get("points", ""))) // 2


def _filtered(root: ET.Element, ids: dict[str, ET.Element]) -> Iterator[tuple[ET.Element, float]]:
    """Every use of a filter, with the scale of what it is used on."""
    for at in walk(root):
        for key in _URL.findall(property_of(at.element, "filter") or ""):
            if key in ids:
                yield ids[key], at.matrix.scale


def _check_filter(one: ET.Element, scale: float, name: str) -> None:
    label = f"the filter {one.get('id', '')!r}"
    if len(one) > MAX_PRIMITIVES:
        raise _too_much(name, f"{label} has {len(one)} steps", f"at most {MAX_PRIMITIVES}")
    if one.get("filterUnits") != "userSpaceOnUse" and _share(one, "width") * _share(one, "height") > MAX_REGION:
        raise _too_much(name, f"{label} reaches very far", f"a region of at most {MAX_REGION:.0f} times the object")
    in_box = one.get("primitiveUnits") == "objectBoundingBox"
    for step in one:
        for what, value, most in _sizes(step, 1.0 if in_box else scale):
            if not value <= most:
                raise _too_much(name, f"{label}: {what} is {value:.3g}", f"at most {most:.3g}")


def _sizes(step: ET.Element, scale: float) -> Iterator[tuple[str, float, float]]:
    """What a step of a filter asks for, with the most that it may."""
    if step.tag == "feMorphology":
        yield "the radius, as a share of the picture's diagonal,", _largest(step.get("radius")) * scale, MAX_SPREAD
    elif step.tag == "feTurbulence":
        yield "the number of octaves", _largest(step.get("numOctaves")), MAX_OCTAVES
    elif step.tag == "feConvolveMatrix":
        yield "the order of the matrix", _largest(step.get("order")), MAX_KERNEL


def _largest(text: str | None) -> float:
    found = re.findall(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", text or "", re.IGNORECASE)
    return max((float(value) for value in found), default=0.0)


def _share(element: ET.Element, side: str) -> float:
    text = element.get(side, "1.2")
    return _largest(text) / 100 if text.strip().endswith("%") else _largest(text)


MAX_FACE = 200_000_000
"""Bytes of a face with all the images in it."""
MAX_NESTED = 3
"""Pictures in pictures."""

_SIZE = re.compile(r"\s*\+?((?:\d++\.?+\d*+|\.\d++)(?:e[-+]?\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)
_OURS = re.compile(r"(?:<\?xml version=\"1.0\" encoding=\"utf-8\" *\?>\s*)?<svg[\s>]")


def read_art(
    data: bytes, name: str, language: str = "en", replaced: frozenset[str] = frozenset(), depth: int = 0
) -> ArtTree:
    """Read and check an SVG; `language` decides between texts that the picture has in several.

    `replaced` are the images, by id or label, that will show something else: what they link to is forgotten.
    """
    root = plain(admit(data, name, replaced=replaced).root, language)
    for image in root.iter("image"):
        if replaced & {image.get("id", ""), image.get(LABEL, "")}:
            image.attrib.pop(HREF, None)
    check_images(root, name)
    _work_out_css(root, name)
    modernise(root)
    view = _view(root, name)
    if depth > MAX_NESTED:
        raise Wrong(f"{name}: pictures lie in pictures more than {MAX_NESTED} deep", "a simpler SVG")
    inner = inner_pictures(root, name, lambda found: read_art(found, name, language, depth=depth + 1))
    check_limits(root, view, name)
    return ArtTree(name, root, view, inner)


def _work_out_css(root: ET.Element, name: str) -> None:
    """Give every element its own style; most icons have none, and need nothing that reads CSS."""
    if not any(element.tag == "style" or "style" in element.attrib or _asks(element) for element in root.iter()):
        return
    from generator.draw.art.css import cascade

    cascade(root, name)


def _asks(element: ET.Element) -> bool:
    """Whether it takes a value from a variable."""
    return any("var(" in value for value in element.attrib.values())


def check_face(svg: str, size: Size, name: str, seen: set[int]) -> None:
    """Check a picture that we once drew ourselves, of a file from anywhere: by the same gate, and as we write them.

    `seen` keeps which images were checked already: many faces show the same. The art that is placed in it comes through
    the gate for art.
    """
    root = plain(admit(svg.encode(), name, MAX_FACE).root, "en")
    if not _OURS.match(svg):
        raise Wrong(f"{name} is no picture that pnp drew", "an SVG that begins with <svg")
    if any(element.tag == "style" for element in root.iter()):
        raise Wrong(f"{name} holds a style sheet", "a picture that has been drawn")
    written = [(image, image.get(HREF)) for image in root.iter("image")]
    check_images(root, name, seen)
    if any(image.get(HREF) != address and is_svg(image) for image, address in written):
        raise Wrong(f"{name} holds an SVG image that pnp did not place", "a picture that has been drawn")
    inner_pictures(root, name, lambda found: read_art(found, f"art in {name}"), seen)
    check_limits(root, _view(root, name) if root.get("viewBox") else Rect(0, 0, *size), name)


def _view(root: ET.Element, name: str) -> Rect:
    """The part of the plane that the picture shows, in its own units."""
    box = root.get("viewBox")
    if box is not None:
        return _view_box(box, name)
    sizes = [_SIZE.fullmatch(root.get(side, "")) for side in ("width", "height")]
    values = [float(match[1]) * PX[match[2].lower()] for match in sizes if match and match[2].lower() in PX]
    if len(values) == len(sizes) and min(values) > 0:
        return Rect(0, 0, values[0], values[1])
    raise Wrong(f"{name} has neither a viewBox nor a width and a height", "a viewBox on its <svg> element")


def _view_box(box: str, name: str) -> Rect:
    try:
        x, y, w, h = (float(part) for part in re.split(r"[\s,]+", box.strip()))
    except ValueError:
        raise Wrong(f"{name}: viewBox {box!r}", "four numbers") from None
    if not all(abs(value) < 1e9 for value in (x, y, w, h)):
        raise Wrong(f"{name}: viewBox {box!r}", "four numbers that are not so large")
    if w > 0 and h > 0:
        return Rect(x, y, w, h)
    raise Wrong(f"{name}: viewBox {box!r} is empty", "a width and a height above 0")
