"""Check our pictures and their SVGs against the contract, and list all breaches.

A picture has a size in mm, a bleed that is not negative, and items whose transforms are invertible. Art is a valid SVG.

All renderers draw the SVG of a picture alike, because:

- it has one root `<svg>`; its `viewBox` is four numbers and covers the whole picture; `width` and `height` are the
  size of the picture with its bleed, in mm;
- it has only the elements, attributes and properties of the table in `base/svg_table.py`; no style sheet, class,
  script or entity; no value refers to another file;
- all numbers are finite, also in lists, paths and transforms; no width, height or radius is negative, and all texts
  have a size;
- each id occurs once; all references have a target, and no element contains itself; no reference leaves the file,
  except for embedded pixels and embedded art;
- all texts name a family among the fonts.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from xml.etree import ElementTree as ET

from generator.base.geometry import Affine, Rect
from generator.base.svg_table import ELEMENTS, is_inside, is_known, is_plain, key_of, tag_of
from generator.base.units import number
from generator.picture.items import (
    Group,
    Item,
    Picture,
    PlacedArt,
    PlacedImage,
    PlacedPicture,
    TextRun,
)
from generator.picture.svg import SvgWriter

SLACK = 0.002
"""Tolerance in mm: twice the rounding of a written length."""

LISTS = frozenset(
    {
        "viewBox",
        "points",
        "d",
        "transform",
        "gradientTransform",
        "patternTransform",
        "stroke-dasharray",
    }
)
LENGTHS = frozenset(
    {"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "width", "height"}
    | {"font-size", "stroke-width", "letter-spacing", "fill-opacity", "stroke-opacity", "opacity"}
)
NOT_NEGATIVE = frozenset({"width", "height", "r", "rx", "ry", "font-size", "stroke-width"})

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_WORDS = re.compile(r"matrix|translate|scale|rotate|skewX|skewY|none|[MmLlHhVvCcSsQqTtAaZz]")
_SINGLE_LENGTH = re.compile(rf"({_NUMBER.pattern})(?:%|[a-z]+)?")
_URL = re.compile(r"url\(\s*['\"]?#([^)'\"\s]+)")
_FAMILY = re.compile(r"(?:^|;)\s*font-family\s*:\s*([^;]+)")
_ART = re.compile(r"data:image/[\w.+-]+;base64,[A-Za-z0-9+/=]*")


def faults(pictures: Iterable[Picture], families: Collection[str]) -> tuple[str, ...]:
    """Return all breaches of the contract in some pictures and the pictures placed in them, each once."""
    by_name = {item.name: item for picture in pictures for item in _all(picture)}
    breaches: dict[str, None] = {}
    for entry in by_name.values():
        breaches |= dict.fromkeys(_of_items(entry, families))
        breaches |= dict.fromkeys(svg_faults(SvgWriter().write(entry), entry.full, families))
    return tuple(breaches)


def svg_faults(svg: str, full: Rect, families: Collection[str]) -> tuple[str, ...]:
    """Return all breaches of the contract in the SVG of a picture whose box with its bleed is `full`."""
    if "<!" in svg or "<?" in svg:
        return ("it contains a declaration, a comment or an instruction",)
    try:
        root = ET.fromstring(svg)
    except ET.ParseError as error:
        return (f"it is not well-formed: {error}",)
    return tuple(dict.fromkeys(_Checker(root, families).faults(full)))


def _all(picture: Picture) -> Iterator[Picture]:
    yield picture
    for placed in picture.placed:
        yield from _all(placed.picture)


def _of_items(picture: Picture, families: Collection[str]) -> Iterator[str]:
    sides = (*picture.size, picture.bleed)
    if not all(map(isfinite, sides)) or min(picture.size) <= 0 or picture.bleed < 0:
        yield f"a picture of {' x '.join(map(str, picture.size))} mm with a bleed of {picture.bleed} mm"
    for item in picture.items:
        yield from _of_item(item, families)


def _of_item(item: Item, families: Collection[str]) -> Iterator[str]:
    if isinstance(item, Group | PlacedPicture) and not _can_be_undone(item.at):
        yield f"an item is moved by {tuple(item.at)}, which cannot be undone"
    match item:
        case Group(items):
            for inner in items:
                yield from _of_item(inner, families)
        case TextRun():
            if item.font.family not in families:
                yield f"{item.font.family!r} is not among the fonts"
            if not 0 < item.size < float("inf"):
                yield f"{item.text!r} is {item.size} mm high"
        case PlacedArt(art, box):
            if "<svg" not in art.svg:
                yield f"{art.name} is not an SVG"
            yield from _of_box(art.name, box)
        case PlacedImage(image, box):
            yield from _of_box(image.name, box)


def _of_box(name: str, box: Rect) -> Iterator[str]:
    if not all(map(isfinite, box)) or min(box.size) <= 0:
        yield f"{name} fills a box of {' x '.join(map(str, box.size))} mm"


def _can_be_undone(at: Affine) -> bool:
    return all(map(isfinite, at)) and at.scale > 0


@dataclass(frozen=True)
class _Checker:
    """Checks one SVG file."""

    root: ET.Element
    families: Collection[str]

    def faults(self, full: Rect) -> Iterator[str]:
        yield from self._of_root(full)
        ids = Counter(
            element.get("id", "") for element in self.root.iter() if element.get("id") is not None
        )
        yield from (
            f"the id {name!r} occurs {count} times" for name, count in ids.items() if count > 1
        )
        for element in self.root.iter():
            yield from self._of_element(element, ids)
        yield from self._of_words(self.root, "")
        yield from self._of_loops()

    def _of_root(self, full: Rect) -> Iterator[str]:
        if tag_of(self.root) != "svg":
            yield f"its root is <{self.root.tag}>"
        view = self.root.get("viewBox", "").split()
        if len(view) != 4 or not all(map(_NUMBER.fullmatch, view)):
            yield f"its viewBox is {self.root.get('viewBox')!r}"
        for name, side in (("width", full.w), ("height", full.h)):
            value = self.root.get(name, "")
            written = _NUMBER.fullmatch(value.removesuffix("mm"))
            if not value.endswith("mm") or not written or abs(float(written[0]) - side) > SLACK:
                yield f"its {name} is {value!r} for {number(side)} mm"

    def _of_element(self, element: ET.Element, ids: Collection[str]) -> Iterator[str]:
        tag = tag_of(element)
        if tag not in ELEMENTS:
            yield f"<{element.tag.rpartition('}')[2]}>"
            return
        for name, value in element.attrib.items():
            key = key_of(name)
            if not is_known(tag, key) or key == "class":
                yield f"<{tag} {key}>"
            if not is_plain(value):
                yield f"<{tag} {key}={value[:40]!r}> does more than draw"
            yield from _of_numbers(tag, key, value, root=element is self.root)
            yield from self._of_reference(tag, key, value.strip(), ids)

    def _of_reference(self, tag: str, key: str, value: str, ids: Collection[str]) -> Iterator[str]:
        if key == "href":
            if not is_inside(tag, value) and not (tag == "image" and _ART.fullmatch(value)):
                yield f"<{tag}> refers to {value[:40]!r}"
            elif value.startswith("#") and value[1:] not in ids:
                yield f"<{tag}> refers to #{value[1:]}, which is not there"
        yield from (
            f"<{tag} {key}> refers to #{name}, which is not there"
            for name in _URL.findall(value)
            if name not in ids
        )

    def _of_words(self, element: ET.Element, family: str) -> Iterator[str]:
        """Yield a fault for each text in an unknown font.

        A family is inherited, and the first of a list counts.
        """
        styled = _FAMILY.search(element.get("style", ""))
        family = styled[1] if styled else element.get("font-family", family)
        words = (element.text or "") if tag_of(element) in {"text", "tspan", "textPath"} else ""
        first = family.split(",")[0].strip("'\" ")
        if words.strip() and first not in self.families:
            yield (
                f"{first!r} is not among the fonts, for {words.strip()[:20]!r}"
                if first
                else f"{words[:20]!r} has no font"
            )
        for child in element:
            yield from self._of_words(child, family)

    def _of_loops(self) -> Iterator[str]:
        """Yield a fault for each element that contains itself through references."""
        references = {
            element.get("id", ""): {
                used.get("href", used.get("{http://www.w3.org/1999/xlink}href", ""))[1:]
                for used in element.iter()
                if tag_of(used) == "use"
            }
            for element in self.root.iter()
            if element.get("id")
        }
        for name, direct in references.items():
            reached: set[str] = set()
            ahead = set(direct)
            while ahead:
                reached |= ahead
                ahead = {target for step in ahead for target in references.get(step, ())} - reached
            if name in reached:
                yield f"#{name} shows itself"


def _of_numbers(tag: str, key: str, value: str, *, root: bool) -> Iterator[str]:
    if key in LISTS:
        remainder = _NUMBER.sub(" ", value)
        has_infinite = any(not isfinite(float(text)) for text in _NUMBER.findall(value))
        if has_infinite or re.sub(r"[\s,()]+", "", _WORDS.sub("", remainder)):
            yield f"<{tag} {key}={value[:40]!r}> is not a list of finite numbers"
    elif key in LENGTHS and not root:
        for written in value.replace(",", " ").split():
            match = _SINGLE_LENGTH.fullmatch(written)
            if not match or not isfinite(float(match[1])):
                yield f"<{tag} {key}={value[:40]!r}> is not a finite number"
            elif key in NOT_NEGATIVE and float(match[1]) < 0:
                yield f"<{tag} {key}={value!r}> is negative"
