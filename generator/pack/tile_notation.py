"""Parse the notation of a tile's links, areas, side labels and inner points.

`n-e:red s:blue@hydrant` is a red link from the north to the east side, and a blue one from the
south to a hydrant. `n-e-s:street@intersection` is a junction; `n,e,se:road@city(2)` joins legs in a
hub of two slots. `w=road` labels the west side without a link. `market(30,60)` is a point in
hundredths of the tile, `area n e1: city` a region.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from generator.base import ports as names
from generator.base.errors import InvalidValueError, unknown
from generator.base.ports import HEX_PORTS, SQUARE_PORTS
from generator.pack.tile import (
    NO_LINKS,
    Area,
    Border,
    Course,
    Inner,
    Link,
    Stand,
    Tile,
    parse_course,
    parse_stand,
)

__all__ = [
    "HEX_PORTS",
    "NO_LINKS",
    "SQUARE_PORTS",
    "Area",
    "Border",
    "Course",
    "Inner",
    "Link",
    "Stand",
    "Tile",
    "parse_tile",
]

_ITEM = re.compile(
    r"(?P<ports>[a-z0-9/]+(?:-[a-z0-9/]+)*|[a-z0-9/]+(?:,[a-z0-9/]+)+)"
    r"(?::(?P<kind>[\w-]+)(?:\((?P<course>[^()]*)\))?)?"
    r"(?:@(?P<feature>[\w-]+)(?:\((?P<stand>[^()]*)\))?)?"
)
_BORDER = re.compile(r"(?P<port>[a-z]+(?:\d{1,2}(?:/\d{1,2})?)?)=(?P<label>[\w-]+)")
_POINT = re.compile(
    r"(?P<name>[a-z][a-z0-9]*)\(\s*(?P<x>\d+(?:\.\d+)?)\s*[, ]\s*(?P<y>\d+(?:\.\d+)?)\s*\)"
)
_AREA = re.compile(r"(?P<kind>[\w-]+)(?:@(?P<feature>[\w-]+)(?:\((?P<stand>[^()]*)\))?)?")
_TOKEN = re.compile(
    r"(?P<item>(?:[^\s,()]|\([^()]*\))+)(?P<next>,(?=[^\s,]))?|(?P<stray>[()])|[\s,]"
)

_WHOLE = re.compile(r"\d{1,4}")

AREA = "area"


def parse_tile(text: str, ports: tuple[str, ...], default_kind: str | None = None) -> Tile:
    """Parse a tile's notation; raise `InvalidValueError` at the first mistake.

    `ports` are the names of the shape's sides, empty for a circle. `default_kind` applies to links
    without a kind.
    """
    items = list(_split_items(text))
    points = [_parse_point(match, ports) for item in items if (match := _POINT.fullmatch(item))]
    reader = _TileReader(ports, frozenset(point.name for point in points), default_kind)
    links: list[Link] = []
    borders: list[Border] = []
    areas: list[Area] = []
    for item in items:
        if item.startswith(AREA + " "):
            areas.append(reader.area(item))
        elif border := _BORDER.fullmatch(item):
            borders.append(Border(reader.side(border["port"]), border["label"]))
        elif link := _ITEM.fullmatch(item):
            links.append(reader.link(link))
        elif not _POINT.fullmatch(item):
            expected = "sides, a kind and perhaps a feature, such as n-e:red or s:blue@hydrant"
            raise InvalidValueError(f"{item!r} is not a link", expected, _hint_for(item))
    _check_once(links, borders, areas, points)
    return Tile(tuple(links), tuple(borders), tuple(areas), tuple(points))


def _split_items(text: str) -> Iterator[str]:
    """Yield the items of a notation. A comma separates items, except between the legs of a hub."""
    waiting = ""
    for token in _TOKEN.finditer(text):
        if token["stray"]:
            raise InvalidValueError(
                f"{text!r} has a bracket too many", "brackets in pairs, such as @city(2)"
            )
        if token["item"] is None:
            continue
        waiting += token["item"]
        in_area = waiting == AREA or (
            waiting.startswith(AREA + " ") and not re.search(r":.", waiting)
        )
        if in_area:
            waiting += " "
        elif token["next"] and not re.search(r"[:=(]", waiting):
            waiting += ","
        else:
            yield waiting
            waiting = ""
    if waiting:
        yield waiting.strip(", ")


@dataclass(frozen=True)
class _TileReader:
    """The names that one tile's items may use."""

    sides: tuple[str, ...]
    inner: frozenset[str]
    default_kind: str | None

    def link(self, match: re.Match[str]) -> Link:
        kind = match["kind"] or self.default_kind
        if kind is None:
            hint = "no blanks within a link, and one between two of them"
            raise InvalidValueError(
                f"{match[0]!r} names no kind of link", "a kind after a colon, such as n-e:red", hint
            )
        found = tuple(self.port(name) for name in re.split("[-,]", match["ports"]))
        if len(set(found)) != len(found):
            raise InvalidValueError(f"{match[0]!r} names a side twice", "each side once")
        way = replace(parse_course(match["course"] or ""), hub="," in match["ports"])
        if way.reach is not None and len(found) > 1:
            raise InvalidValueError(
                f"{match[0]!r} has {len(found)} ports and a length",
                "a length for a link with one port",
            )
        if len(found) == 1 and found[0] in self.inner and not match["feature"]:
            raise InvalidValueError(
                f"{match[0]!r} leads nowhere",
                f"a side beside it, such as {self.sides[0]}-{match[0]}, or a feature",
            )
        return Link(found, kind, match["feature"], way, parse_stand(match["stand"] or ""))

    def area(self, item: str) -> Area:
        where, _, rest = item[len(AREA) :].partition(":")
        match = _AREA.fullmatch(rest.strip())
        if match is None or not where.strip():
            raise InvalidValueError(
                f"{item!r} is not an area",
                "its sides or parts of them, and a kind, such as area n e1: city",
            )
        parts = tuple(self.side(part) for part in where.replace(",", " ").split())
        return Area(parts, match["kind"], match["feature"], parse_stand(match["stand"] or ""))

    def side(self, name: str) -> str:
        """Return the canonical name of a side, or of a part of one."""
        if not self.sides:
            raise InvalidValueError(
                f"{name!r}: a circle has no sides", "links from angle to angle, such as 0-120:road"
            )
        if names.side_of(name) not in self.sides or not names.valid_part(name):
            raise unknown("side", name, self.sides)
        return names.part_named(names.side_of(name), *names.part_of(name))

    def port(self, name: str) -> str:
        """Return the canonical name of a link's end: a side, a corner, an angle of a circle, or a point."""
        if name in self.inner:
            return name
        if not self.sides:
            return _parse_angle(name)
        known = names.outer_names(self.sides)
        corner = name in known and name not in self.sides
        if not corner and (names.side_of(name) not in self.sides or not names.valid_part(name)):
            wrong = unknown("side", name, [*known, *self.inner])
            short = _COMPASS.get(name, "")
            raise InvalidValueError(
                wrong.found,
                wrong.expected,
                f"did you mean {short!r}?" if short in known else wrong.hint,
            )
        return names.canonical(name)


_COMPASS = {
    "north": "n",
    "east": "e",
    "south": "s",
    "west": "w",
    "top": "n",
    "right": "e",
    "bottom": "s",
    "left": "w",
}


def _hint_for(item: str) -> str:
    """Return a hint for text that is nearly a link; may be empty."""
    if item != item.lower() and any(form.fullmatch(item.lower()) for form in (_ITEM, _BORDER)):
        return f"did you mean {item.lower()!r}?"
    if re.search(r"[;|+]", item):
        return "blanks between links: n-e:red s:blue"
    return (
        "no blank before or after the sign =" if item.endswith("=") or item.startswith("=") else ""
    )


def _parse_angle(name: str) -> str:
    points = (
        "n",
        "nne",
        "ne",
        "ene",
        "e",
        "ese",
        "se",
        "sse",
        "s",
        "ssw",
        "sw",
        "wsw",
        "w",
        "wnw",
        "nw",
        "nnw",
    )
    if name in points and points.index(name) % 2 == 0:
        return str(points.index(name) * 45 // 2)
    if not _WHOLE.fullmatch(name) or int(name) >= 360:
        raise InvalidValueError(
            f"{name!r} is not a port of a circle",
            "degrees clockwise from the top, such as 0-120:road",
        )
    return str(int(name))


def _parse_point(match: re.Match[str], sides: tuple[str, ...]) -> Inner:
    if match["name"] in names.outer_names(sides) or names.side_of(match["name"]) in sides:
        raise InvalidValueError(
            f"{match['name']!r} is a side or a corner", "another name for a point inside"
        )
    x = float(match["x"])
    y = float(match["y"])
    if not (0 < x < 100 and 0 < y < 100):
        raise InvalidValueError(
            f"{match[0]!r} does not lie inside",
            "hundredths of the tile's width and height, such as (30,60)",
        )
    return Inner(match["name"], x, y)


def _check_once(
    links: list[Link], borders: list[Border], areas: list[Area], points: list[Inner]
) -> None:
    """Raise `InvalidValueError` if a link, label or point is repeated, or if parts of the edge overlap."""
    keys = (
        *(
            (f"{'-'.join(link.ports)}:{link.kind}", (frozenset(link.ports), link.kind))
            for link in links
        ),
        *((f"the label of {item.port}", item.port) for item in borders),
        *((f"the point {point.name}", point.name + "()") for point in points),
    )
    seen: set[object] = set()
    for text, key in keys:
        if key in seen:
            raise InvalidValueError(f"{text} occurs twice", "each once")
        seen.add(key)
    for parts in (
        [part for area in areas for part in area.parts],
        [border.port for border in borders],
    ):
        for entry, other in combinations(parts, 2):
            if _do_overlap(entry, other):
                raise InvalidValueError(
                    f"{entry} and {other} are one part of the tile's edge", "each part once"
                )


def _do_overlap(one: str, other: str) -> bool:
    (a, of), (b, off) = names.part_of(one), names.part_of(other)
    return names.side_of(one) == names.side_of(other) and (
        Fraction(a - 1, of) < Fraction(b, off) and Fraction(b - 1, off) < Fraction(a, of)
    )
