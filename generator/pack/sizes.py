"""Parse the `size:` of a component: a named size, a shape with measures, corners, or an SVG outline."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

from generator.base.errors import InvalidValueError, nearest, unknown
from generator.base.geometry import IDENTITY, Affine, Point, Size, read_transform
from generator.base.outline import Outline
from generator.base.paths import Edge, read_path, read_points
from generator.base.shapes import (
    SHAPES,
    check_side,
    fill_box,
    parse_shape,
    polygon_outline,
    trace_path,
)
from generator.base.units import MM_PER_INCH, length, lengths, number
from generator.pack.folder import PackFolder


@dataclass(frozen=True)
class ManyFaces:
    """The faces of a die or a box: their number, shape, and sizes if they differ.

    `sizes` computes the faces of a box from the size and the thickness in mm of its content.
    """

    count: int
    shape: str = "rect"
    sizes: Callable[[Size, float], tuple[Outline, ...]] | None = None


@dataclass(frozen=True)
class MadeInto:
    """The product that a component becomes: its name, and its faces if they are not a front and a back."""

    name: str
    faces: ManyFaces | None = None

    def __str__(self) -> str:
        return self.name


MAX_CORNERS = 200
"""Largest number of corners in `polygon:`; finer outlines are drawn as SVG."""
CSS_DPI = 96
"""Pixels per inch in CSS, in which an SVG without a width in mm is measured."""
SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class NamedSize:
    """A named size from `sizes.toml`."""

    name: str
    title: str
    size: Size


@cache
def named_sizes() -> dict[str, NamedSize]:
    """Return the sizes of `sizes.toml` by name."""
    rows = tomllib.loads((Path(__file__).parent / "sizes.toml").read_text("utf-8"))
    sides = {name: lengths(row["size"]) for name, row in rows.items()}
    return {
        name: NamedSize(name, row["title"], Size(sides[name][0], sides[name][-1]))
        for name, row in rows.items()
    }


def parse_size(text: str) -> Outline:
    """Parse `poker`, `2.5in` (a square), `63.5 x 88.9 mm`, `hex 40mm`, `triangle 40mm` or `circle 22mm`."""
    text = text.strip()
    if text in named_sizes():
        return fill_box("rect", named_sizes()[text].size)
    if (shape := parse_shape(text)) is not None:
        return shape
    if re.fullmatch(r"[A-Za-z][\w -]*", text):
        names = [*named_sizes(), *(name for name in SHAPES if " " not in name)]
        error = unknown("size", text, named_sizes())
        word = text.partition(" ")[0]
        hint = (
            nearest(text, named_sizes())
            or nearest(word, names)
            or "or write it out: 63.5 x 88.9 mm"
        )
        raise InvalidValueError(error.found, error.expected, hint)
    values = [check_side(value) for value in lengths(text)]
    if len(values) > 2:
        raise InvalidValueError(
            f"{text!r} is not a size", "one length for a square or two with an x between them"
        )
    return fill_box("rect", Size(values[0], values[-1]))


def read_size(value: object, folder: PackFolder) -> Outline:
    """Parse the value of `size:`: a text, `{polygon: …}` or `{outline: art/puzzle.svg}`."""
    if not isinstance(value, dict):
        if not isinstance(value, str):
            raise InvalidValueError(
                "nothing is written here" if value is None else "this is a list",
                "a size, such as poker",
            )
        return parse_size(value)
    readers: Mapping[str, Callable[[], Outline]] = {
        "polygon": lambda: _read_polygon(value["polygon"]),
        "outline": lambda: _read_outline_file(folder, str(value["outline"])),
    }
    keys = [key for key in value if key in readers]
    if len(keys) != 1 or set(value) - {*readers, "width"}:
        expected = "polygon: and its corners, or outline: and an SVG file, and perhaps its width:"
        raise InvalidValueError(f"a size of {', '.join(map(str, value)) or 'nothing'}", expected)
    outline = readers[keys[0]]()
    if "width" in value:
        width = check_side(length(str(value["width"])))
        outline = outline.mapped(Affine(a=width / outline.size.w, d=width / outline.size.w))
    for side in outline.size:
        check_side(side)
    return outline


def _read_polygon(value: object) -> Outline:
    """Return the outline of corners `[[0, 0], [40, 0], [20, 30]]`, or of the text `0 0, 40 0, 20 30`."""
    if isinstance(value, str):
        value = [pair.split() for pair in value.split(",")]
    if not isinstance(value, list) or not 3 <= len(value) <= MAX_CORNERS:
        raise InvalidValueError(
            "a polygon without corners",
            f"3 to {MAX_CORNERS} corners, such as [[0, 0], [40, 0], [20, 30]]",
        )
    return polygon_outline(tuple(_read_corner(pair) for pair in value))


def _read_corner(pair: object) -> Point:
    if isinstance(pair, str):
        pair = pair.split()
    if (
        not isinstance(pair, list)
        or len(pair) != 2
        or not all(isinstance(item, str) for item in pair)
    ):
        raise InvalidValueError(
            f"{pair!r} is not a corner", "two lengths: from the left and from the top"
        )
    return Point(length(pair[0]), length(pair[1]))


def _read_outline_file(folder: PackFolder, name: str) -> Outline:
    """Return the outline in an SVG file, which must hold exactly one path or polygon."""
    data = folder.read(name)
    if b"<!" in data.replace(b"<!--", b"").replace(b"<![CDATA[", b""):
        raise InvalidValueError(
            f"{name} declares a document type", "an SVG without one: save it again as plain SVG"
        )
    try:
        root = ET.fromstring(data)
    except (ET.ParseError, ValueError, LookupError) as error:
        raise InvalidValueError(
            f"{name} is not well-formed XML: {error}", "an SVG picture"
        ) from error
    lines = list(_closed_lines(root, name))
    if len(lines) != 1:
        raise InvalidValueError(
            f"{name} has {len(lines)} closed lines", "one path or polygon: the outline"
        )
    scale = _unit_length(root)
    return trace_path([edge.mapped(Affine(a=scale, d=scale)) for edge in lines[0]], name)


def _closed_lines(root: ET.Element, name: str) -> Iterator[list[Edge]]:
    """Yield the closed lines of a picture, with all transforms applied."""
    open_elements = [(root, IDENTITY)]
    while open_elements:
        element, outer = open_elements.pop()
        if element.tag in {f"{SVG}defs", f"{SVG}clipPath", f"{SVG}symbol", f"{SVG}metadata"}:
            continue
        matrix = outer @ read_transform(element.get("transform", ""))
        if element.tag in {f"{SVG}path", f"{SVG}polygon"}:
            edges_of_lines = read_path(element.get("d", "")) + read_points(
                element.get("points", "")
            )
            yield from ([edge.mapped(matrix) for edge in line] for line in edges_of_lines if line)
        elif element.tag in {
            f"{SVG}{kind}" for kind in ("rect", "circle", "ellipse", "polyline", "line", "use")
        }:
            kind = element.tag.removeprefix(SVG)
            raise InvalidValueError(
                f"{name} has a {kind}", "one path or polygon: turn the object into a path"
            )
        open_elements.extend((child, matrix) for child in element)


def _unit_length(root: ET.Element) -> float:
    """Return the length of an SVG user unit in mm, from the width or else 96 units per inch as in CSS."""
    view = root.get("viewBox", "").replace(",", " ").split()
    width = root.get("width", "")
    try:
        view_width = float(view[2]) if len(view) == 4 else 0.0
        pixels = width.removesuffix("px")
        mm = (
            float(pixels) * MM_PER_INCH / CSS_DPI
            if pixels.replace(".", "", 1).isdigit()
            else length(width)
        )
    except (ValueError, InvalidValueError):
        return MM_PER_INCH / CSS_DPI
    if view_width <= 0:
        return MM_PER_INCH / CSS_DPI
    return mm / view_width


def check_radius(outline: Outline, radius: float) -> None:
    """Raise `InvalidValueError` if corners of an outline cannot be rounded with this radius in mm."""
    if not radius:
        return
    if outline.curve or not outline.is_convex or outline.is_circle:
        raise InvalidValueError(
            "corners of this outline cannot be rounded",
            "no radius; draw round corners in the outline",
        )
    most = _largest_radius(outline)
    if radius > most + 1e-6:
        raise InvalidValueError(
            f"a radius cannot be {number(radius)} mm", f"0 mm to {number(most)} mm"
        )


def _largest_radius(outline: Outline) -> float:
    """Return the largest radius in mm that leaves a part of every side straight."""
    low = 0.0
    high = min(outline.size)
    for _ in range(40):  # 40 halvings of at most some metres: far below a nanometre
        middle = (low + high) / 2
        core = outline.rounded(middle).core
        if len(core) == len(outline.corners) and outline.is_convex:
            low = middle
        else:
            high = middle
    return low


def parse_grid(value: object) -> tuple[int, int]:
    """Parse a number of columns and rows, such as `4 x 7`."""
    match = re.fullmatch(r"(\d{1,3})\s*[x×]\s*(\d{1,3})", str(value).strip())
    if match is None or not int(match[1]) or not int(match[2]):
        raise InvalidValueError(f"{value!r} is not a grid", "columns x rows, such as 4 x 7")
    return int(match[1]), int(match[2])


MAX_COVERED_PLACES = 60
"""Largest number of board places that one piece covers; more are taken for a mistake."""


def _count_disconnected(places: tuple[tuple[int, int], ...]) -> int:
    """Return the number of places that are not connected with the first, at a side or a corner."""
    left = set(places)
    todo = {places[0]}
    while todo:
        left -= todo
        todo = {
            (x, y) for x, y in left if any(abs(x - a) <= 1 and abs(y - b) <= 1 for a, b in todo)
        }
    return len(left)


def parse_covered_places(value: object) -> tuple[tuple[int, int], ...]:
    """Parse the places that a piece covers, as (column, row) pairs.

    The value is `2 x 1`, or rows of text in which a blank or `-` is no place. Raises
    `InvalidValueError` if the places are not connected.
    """
    if isinstance(value, list | tuple):
        rows = [str(row) for row in value]
    else:
        columns, count = parse_grid(value)
        rows = ["." * columns] * count
    covered = tuple(
        (x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign not in " -"
    )
    if not 1 <= len(covered) <= MAX_COVERED_PLACES:
        raise InvalidValueError(
            f"a piece over {len(covered)} places",
            f"1 to {MAX_COVERED_PLACES}, such as 2 x 1 or ['..', '.-']",
        )
    if min(x for x, _ in covered) or min(y for _, y in covered):
        raise InvalidValueError(
            "the first row or column of this piece has no place", "rows without an empty rim"
        )
    if apart := _count_disconnected(covered):
        raise InvalidValueError(
            f"{apart} of the {len(covered)} places of this piece touch no other part of it",
            "places that touch",
        )
    return covered
