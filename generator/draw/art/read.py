"""Read an SVG file into a safe, plain picture within limits.

Pictures that it links to, as Inkscape does by default, are read from the pack and embedded: engines
never open a file.

The limits bound the work of the engines, which could otherwise take hours or all memory. Measured
on a poker card at 288 dpi, the resolution at which filters become pixels: a morphology of 10 % of
the diagonal takes 0.7 seconds, 1,000 octaves of turbulence take forty, a kernel of 25 × 25 takes
two.
"""

import posixpath
import re
from collections.abc import Iterator
from math import hypot
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from generator.base.errors import InvalidValueError, prefixing
from generator.base.geometry import Rect
from generator.base.spill import SpillFile
from generator.base.svg_table import key_of, tag_of
from generator.draw.art.gate import LOADING_ELEMENTS, admit, is_file_link, parse
from generator.draw.art.images import check_images, inner_pictures
from generator.draw.art.simplify import (
    has_press_colours,
    make_plain,
    pin_regions,
    resolve_text_lengths,
    rewrite_css,
)
from generator.draw.art.tree import (
    DEFINITIONS,
    HREF,
    LABEL,
    MEDIUM_FONT_SIZE,
    ArtTree,
    by_id,
    length,
    property_of,
    references,
    url_targets,
    walk,
)
from generator.pack.folder import Asset, PackFolder
from generator.picture.images import read_pixels

MAX_LINKED_BYTES = 30_000_000
"""Bytes of all pictures that one SVG links to: unlike photographs of `image:` layers, art is held in memory."""


def find_linked(asset: Asset, address: str) -> Asset:
    """Return the file of the pack that an SVG links to.

    Raise `InvalidValueError` if it is missing or outside the pack.
    """
    if asset.pack is None:
        raise InvalidValueError(
            f"{asset.name} links to {address!r}", "a picture that holds all it needs: embed images"
        )
    name = posixpath.normpath(posixpath.join(posixpath.dirname(asset.name), unquote(address)))
    with prefixing(f"{asset.name} links to {address!r}"):
        return PackFolder(asset.pack).asset(name)


def linked_files(asset: Asset) -> tuple[Asset, ...]:
    """Return all files that an SVG links to, also those that they link to.

    Missing files are left out.
    """
    files: dict[Asset, None] = {}
    ahead = [asset]
    while ahead:
        new = [item for item in _files_in(ahead.pop()) if item not in files]
        files |= dict.fromkeys(new)
        ahead += new
    return tuple(files)


def _files_in(asset: Asset) -> Iterator[Asset]:
    data = asset.read()
    # Most art links to nothing, and need not be parsed. UTF-16 has a zero beside each letter.
    if not asset.is_svg or b"image" not in data.replace(b"\0", b"").lower():
        return
    try:
        root = parse(data, asset.name)
    except InvalidValueError:
        return  # it is reported when it is drawn
    for element in root.iter():
        for key, value in element.attrib.items():
            if (
                tag_of(element) in LOADING_ELEMENTS
                and key_of(key) == "href"
                and is_file_link(value)
            ):
                try:
                    yield find_linked(asset, value.strip())
                except InvalidValueError:
                    continue  # so is a missing file


MAX_ELEMENTS = 200_000
"""Elements drawn, with every `<use>` counted as the elements that it repeats."""
MAX_DEPTH = 240
"""Nesting depth with every `<use>` counted; a little more than the gate allows without them."""
MAX_FILTERED_ELEMENTS = 300
MAX_FILTER_STEPS = 60
MAX_GRADIENT_STOPS = 500
MAX_OCTAVES = 10
MAX_KERNEL_SIDE = 15
MAX_MORPHOLOGY_SHARE = 0.1
"""The largest radius of a morphology, as a share of the picture's diagonal."""
MAX_UNSPLIT_MORPHOLOGY_SHARE = 0.01
"""The largest radius of a morphology in one step; `_split_morphologies` splits larger ones."""
ONE_PIXEL = "1e-6"
"""A radius that resvg rounds up to one pixel; it takes a radius of 0 for a mistake."""
MAX_REGION_AREAS = 100.0
"""The largest filter region, as a multiple of the filtered element's area.

The multiple is large because the area of a thin line is small.
"""

_FLOAT = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
MARKERS = ("marker", "marker-mid", "marker-start", "marker-end")


def check_limits(root: ET.Element, view: Rect, name: str) -> None:
    """Raise `InvalidValueError` for a picture that would take too long to draw."""
    ids = by_id(root)
    _Weights(ids, name).of(root)
    filtered = list(_filter_uses(root, ids))
    if len(filtered) > MAX_FILTERED_ELEMENTS:
        raise _limit_error(
            name, f"{len(filtered)} elements have a filter", f"at most {MAX_FILTERED_ELEMENTS}"
        )
    for element in root.iter():
        if (
            element.tag in {"linearGradient", "radialGradient"}
            and len(element) > MAX_GRADIENT_STOPS
        ):
            raise _limit_error(
                name, f"a gradient has {len(element)} stops", f"at most {MAX_GRADIENT_STOPS}"
            )
    diagonal = hypot(view.w, view.h)
    enlarged = max((at.matrix.scale for at in walk(root) if at.element.tag == "use"), default=1.0)
    for item, scale in filtered:
        _check_filter(item, scale * max(enlarged, 1.0) / diagonal, name)


def _limit_error(name: str, found: str, expected: str) -> InvalidValueError:
    return InvalidValueError(
        f"{name}: {found}", expected, "flatten the effect to a PNG, or draw it more simply"
    )


class _Weights:
    """The number of elements that each element draws, including everything it refers to."""

    def __init__(self, ids: dict[str, ET.Element], name: str) -> None:
        self._ids = ids
        self._name = name
        self._known: dict[ET.Element, tuple[int, int]] = {}
        self._open: set[ET.Element] = set()

    def of(self, element: ET.Element) -> tuple[int, int]:
        """Return the weight and the nesting depth of an element.

        Raise `InvalidValueError` for circles and beyond limits.
        """
        if element in self._known:
            return self._known[element]
        if element in self._open:
            label = element.get("id", element.tag)
            raise InvalidValueError(
                f"{self._name}: {label!r} is drawn within itself",
                "parts that do not repeat themselves",
            )
        self._open.add(element)
        targets = (self._ids.get(name) for name in references(element))
        parts = []
        for part in (*element, *targets):
            if part is not None:
                self._check_depth(len(self._open))
                parts.append(self.of(part))
        self._open.discard(element)
        weight = 1 + sum(part[0] for part in parts)
        depth = 1 + max((part[1] for part in parts), default=0)
        weight += sum(self.of(marker)[0] * times for marker, times in self._markers(element))
        if weight > MAX_ELEMENTS:
            raise _limit_error(
                self._name, f"it draws more than {MAX_ELEMENTS} elements", f"at most {MAX_ELEMENTS}"
            )
        self._check_depth(depth)
        self._known[element] = weight, depth
        return weight, depth

    def _markers(self, element: ET.Element) -> Iterator[tuple[ET.Element, int]]:
        """Yield the markers on an element and its descendants, with the number of their copies."""
        for name in MARKERS:
            for key in url_targets(property_of(element, name)):
                if (marker := self._ids.get(key)) is not None and marker not in self._open:
                    yield marker, sum(_count_marker_places(shape, name) for shape in element.iter())

    def _check_depth(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise InvalidValueError(
                f"{self._name}: elements are nested more than {MAX_DEPTH} deep, "
                "those that a use repeats included",
                "a simpler SVG",
            )


_NUMBER = re.compile(r"\d+\.?\d*|\.\d+")


def _count_marker_places(shape: ET.Element, marker: str) -> int:
    """Return an upper bound on the places of a shape where a marker may stand."""
    if marker in {"marker-start", "marker-end"}:
        return 1
    return sum(1 for _ in _NUMBER.finditer(shape.get("d", "") + shape.get("points", ""))) // 2


def _filter_uses(
    root: ET.Element, ids: dict[str, ET.Element]
) -> Iterator[tuple[ET.Element, float]]:
    """Yield every use of a filter, with the scale of the filtered element."""
    for at in walk(root):
        for key in url_targets(property_of(at.element, "filter")):
            if key in ids:
                yield ids[key], at.matrix.scale


def _check_filter(effect: ET.Element, scale: float, name: str) -> None:
    label = f"the filter {effect.get('id', '')!r}"
    if len(effect) > MAX_FILTER_STEPS:
        raise _limit_error(name, f"{label} has {len(effect)} steps", f"at most {MAX_FILTER_STEPS}")
    if (
        effect.get("filterUnits") != "userSpaceOnUse"
        and _region_share(effect, "width") * _region_share(effect, "height") > MAX_REGION_AREAS
    ):
        raise _limit_error(
            name,
            f"{label} has a very large region",
            f"at most {MAX_REGION_AREAS:.0f} times the area of the object",
        )
    in_box = effect.get("primitiveUnits") == "objectBoundingBox"
    for step in effect:
        for what, value, most in _filter_costs(step, 1.0 if in_box else scale):
            if not value <= most:
                raise _limit_error(name, f"{label}: {what} is {value:.3g}", f"at most {most:.3g}")


def _split_morphologies(root: ET.Element, view: Rect) -> None:
    """Split large morphologies into a horizontal step and a vertical one.

    resvg looks at the whole rectangle of each pixel. A rectangle is the sum of two lines, so that
    the result is the same to one pixel, but the time grows with the radius and not with its square:
    5 % of the diagonal of a poker card take 0.34 s of CPU time at 288 dpi; one step took 28 s.
    """
    scales: dict[ET.Element, float] = {}
    for item, scale in _filter_uses(root, by_id(root)):
        scales[item] = max(scales.get(item, 0.0), scale)
    for entry, scale in scales.items():
        radius_unit = (
            1.0
            if entry.get("primitiveUnits") == "objectBoundingBox"
            else hypot(view.w, view.h) / scale
        )
        steps: list[ET.Element] = []
        for step in entry:
            radii = [float(radius) for radius in _FLOAT.findall(step.get("radius", ""))]
            if (
                step.tag == "feMorphology"
                and len(radii) in {1, 2}
                and min(radii) > MAX_UNSPLIT_MORPHOLOGY_SHARE * radius_unit
            ):
                first = ET.Element(
                    step.tag, {key: value for key, value in step.attrib.items() if key != "result"}
                )
                first.set("radius", f"{radii[0]:.9g} {ONE_PIXEL}")
                steps.append(first)
                step.attrib.pop("in", None)
                step.set("radius", f"{ONE_PIXEL} {radii[-1]:.9g}")
            steps.append(step)
        entry[:] = steps


def _limit_regions(root: ET.Element, view: Rect) -> None:
    """Cut filter regions in the picture's units to three times the view in each direction.

    resvg 0.47 draws nothing, or panics, if a region leaves five times the canvas. What lies so far
    outside the view cannot be seen; only steps that repeat or fit something in their region depend
    on its size, and are left alone.
    """
    ids = by_id(root)
    near = view.grown(max(view.size))
    hidden = {
        inner for element in root.iter() if element.tag in DEFINITIONS for inner in element.iter()
    }
    needed: dict[ET.Element, list[Rect] | None] = {}
    for at in walk(root):
        for key in url_targets(property_of(at.element, "filter")):
            effect = ids.get(key)
            if effect is None or effect.get("filterUnits") != "userSpaceOnUse":
                continue
            boxes = needed.setdefault(effect, [])
            if at.element in hidden or at.matrix.min_scale <= 0:
                needed[effect] = None  # it is shown elsewhere, and perhaps in another size
            elif boxes is not None:
                back = at.matrix.inverse()
                boxes.append(back.bounding_box(near))
    for effect, boxes in needed.items():
        if boxes and not any(step.tag in {"feTile", "feImage"} for step in effect):
            _cut_region(effect, Rect.around(boxes), view)


def _cut_region(effect: ET.Element, needed: Rect, view: Rect) -> None:
    """Cut the region of a filter to the visible surroundings, if it is larger."""
    defaults = {"x": "-10%", "y": "-10%", "width": "120%", "height": "120%"}
    wholes = {"x": view.w, "y": view.h, "width": view.w, "height": view.h}
    sides = [
        length(effect.get(side, defaults[side]), MEDIUM_FONT_SIZE, wholes[side])
        for side in defaults
    ]
    if any(side is None for side in sides):
        return
    region = Rect(*(side or 0.0 for side in sides))
    if needed.holds(region) or not needed.overlaps(region):
        return
    for side, value in zip(defaults, needed.common(region), strict=True):
        effect.set(side, f"{value:.9g}")


def _filter_costs(step: ET.Element, scale: float) -> Iterator[tuple[str, float, float]]:
    """Yield a filter step's expensive values: description, value, limit."""
    if step.tag == "feMorphology":
        yield (
            "the radius, as a share of the picture's diagonal,",
            _largest_number(step.get("radius")) * scale,
            MAX_MORPHOLOGY_SHARE,
        )
    elif step.tag == "feTurbulence":
        yield "the number of octaves", _largest_number(step.get("numOctaves")), MAX_OCTAVES
    elif step.tag == "feConvolveMatrix":
        yield "the order of the matrix", _largest_number(step.get("order")), MAX_KERNEL_SIDE


def _largest_number(text: str | None) -> float:
    return max((float(value) for value in _FLOAT.findall(text or "")), default=0.0)


def _region_share(element: ET.Element, side: str) -> float:
    text = element.get(side, "1.2")
    return _largest_number(text) / 100 if text.strip().endswith("%") else _largest_number(text)


MAX_PICTURE_DEPTH = 3
"""Nesting depth of SVG pictures in pictures."""


def read_art(
    data: bytes,
    name: str,
    language: str = "en",
    replaced: frozenset[str] = frozenset(),
    depth: int = 0,
    source: Asset | None = None,
) -> ArtTree:
    """Read and check an SVG; `language` selects among its translated texts.

    `replaced` are images, by id or label, that will show something else: their links are dropped.
    Other images may link to files that lie in the pack of `source`, the SVG's file. Raises
    `InvalidValueError`.
    """
    written, referred_ids = admit(data, name, replaced=replaced, may_link=source is not None)
    root = make_plain(written, language, referred_ids)
    for image in root.iter("image"):
        if replaced & {image.get("id", ""), image.get(LABEL, "")}:
            image.attrib.pop(HREF, None)
    linked = _linked_images(root, source) if source else {}
    files = {}
    for image, asset in linked.items():
        if not asset.is_svg:
            pixels = read_pixels(asset.name, asset.read(), SpillFile())
            image.set(HREF, pixels.address)
            files[pixels.address] = asset.name
    check_images(root, name)
    _apply_css(root, name)
    press_colours = has_press_colours(root)
    rewrite_css(root)
    view = _read_view(root, name)
    if depth > MAX_PICTURE_DEPTH:
        raise InvalidValueError(
            f"{name}: pictures are nested more than {MAX_PICTURE_DEPTH} deep", "a simpler SVG"
        )
    inner = inner_pictures(
        root, name, lambda inner_data: read_art(inner_data, name, language, depth=depth + 1)
    )
    for image, asset in linked.items():
        if asset.is_svg:
            address = f"data:{asset.name}"
            image.set(HREF, address)
            if address not in inner:
                inner[address] = read_art(
                    asset.read(), asset.name, language, depth=depth + 1, source=asset
                )
    check_limits(root, view, name)
    resolve_text_lengths(root, view.w)
    _split_morphologies(root, view)
    _limit_regions(root, view)
    pin_regions(root)
    return ArtTree(name, root, view, inner, files, press_colours)


def _linked_images(root: ET.Element, source: Asset) -> dict[ET.Element, Asset]:
    """Return the images that link to files of the pack, with their files.

    Raise `InvalidValueError` if these are too large.
    """
    files = {
        image: find_linked(source, image.attrib[HREF].strip())
        for image in root.iter()
        if image.tag in LOADING_ELEMENTS and is_file_link(image.get(HREF, ""))
    }
    size = sum(len(asset.read()) for asset in {*files.values()})
    if size > MAX_LINKED_BYTES:
        megabytes = MAX_LINKED_BYTES // 1_000_000
        raise InvalidValueError(
            f"{source.name} links to pictures of {size / 1_000_000:.0f} MB",
            f"at most {megabytes} MB",
            "smaller pictures, or `image:` layers next to the drawing",
        )
    return files


def _apply_css(root: ET.Element, name: str) -> None:
    """Apply the style sheets.

    A picture without any, like most icons, does not load the CSS parser.
    """
    if not any(
        element.tag == "style" or "style" in element.attrib or _uses_variable(element)
        for element in root.iter()
    ):
        return
    from generator.draw.art.css import cascade

    cascade(root, name)


def _uses_variable(element: ET.Element) -> bool:
    """Return True if an attribute uses a CSS variable."""
    return any("var(" in value for value in element.attrib.values())


def _read_view(root: ET.Element, name: str) -> Rect:
    """Return the visible part of the picture in its own units.

    Raise `InvalidValueError` if it has no size.
    """
    box = root.get("viewBox")
    if box is not None:
        return _parse_view_box(box, name)
    width, height = (length(root.get(side, ""), MEDIUM_FONT_SIZE) for side in ("width", "height"))
    if width and height and min(width, height) > 0:
        return Rect(0, 0, width, height)
    raise InvalidValueError(
        f"{name} has neither a viewBox nor a width and a height", "a viewBox on its <svg> element"
    )


def _parse_view_box(box: str, name: str) -> Rect:
    try:
        x, y, w, h = (float(part) for part in re.split(r"[\s,]+", box.strip()))
    except ValueError:
        raise InvalidValueError(f"{name}: viewBox {box!r}", "four numbers") from None
    if not all(abs(value) < 1e9 for value in (x, y, w, h)):
        raise InvalidValueError(f"{name}: viewBox {box!r}", "four numbers below 1,000,000,000")
    if w > 0 and h > 0:
        return Rect(x, y, w, h)
    raise InvalidValueError(f"{name}: viewBox {box!r} is empty", "a width and a height above 0")
