"""The short notation for what lies on a tile: links, areas, labelled sides, and points inside it.

`n-e:red s:blue@hydrant` is a red link from the north side to the east side and a blue one from the south to a hydrant;
`n-e-s:street@intersection` is a junction, `n,e,se:road@city(2)` legs that meet in a hub of two slots; `w=road` labels
the west side without a link; `market(30,60)` is a point at so many hundredths of the tile, `area n e1: city` a region.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from generator.core import ports as names
from generator.core.ports import HEX_PORTS, SQUARE_PORTS
from generator.core.problems import Wrong, unknown
from generator.core.units import length, number
from generator.pack.tile import DEFAULT, NO_LINKS, PLAIN, Area, Bend, Border, Course, Inner, Link, Plane, Stand, Tile

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
    "write_tile",
]

_ITEM = re.compile(
    r"(?P<ports>[a-z0-9/]+(?:-[a-z0-9/]+)*|[a-z0-9/]+(?:,[a-z0-9/]+)+)"
    r"(?::(?P<kind>[\w-]+)(?:\((?P<course>[^()]*)\))?)?"
    r"(?:@(?P<feature>[\w-]+)(?:\((?P<stand>[^()]*)\))?)?"
)
_BORDER = re.compile(r"(?P<port>[a-z]+(?:\d{1,2}(?:/\d{1,2})?)?)=(?P<label>[\w-]+)")
_POINT = re.compile(r"(?P<name>[a-z][a-z0-9]*)\(\s*(?P<x>\d+(?:\.\d+)?)\s*[, ]\s*(?P<y>\d+(?:\.\d+)?)\s*\)")
_AREA = re.compile(r"(?P<kind>[\w-]+)(?:@(?P<feature>[\w-]+)(?:\((?P<stand>[^()]*)\))?)?")
_TOKEN = re.compile(r"(?P<item>(?:[^\s,()]|\([^()]*\))+)(?P<next>,(?=[^\s,]))?|(?P<stray>[()])|[\s,]")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

_WHOLE = re.compile(r"\d{1,4}")

AREA = "area"
MOST_SLOTS = 12


def parse_tile(text: str, ports: tuple[str, ...], default_kind: str | None = None) -> Tile:
    """Read a tile's notation; `ports` are the names of the shape's sides, none for a circle."""
    items = list(_items(text))
    points = [_point(match, ports) for item in items if (match := _POINT.fullmatch(item))]
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
            raise Wrong(
                f"{item!r} is no link", "sides, a kind and perhaps a feature, such as n-e:red or s:blue@hydrant"
            )
    _check_once(links, borders, areas, points)
    return Tile(tuple(links), tuple(borders), tuple(areas), tuple(points))


def _items(text: str) -> Iterator[str]:
    """The items of a notation: commas part them, but those between the legs of a hub."""
    waiting = ""
    for token in _TOKEN.finditer(text):
        if token["stray"]:
            raise Wrong(f"{text!r} has a bracket too many", "brackets in pairs, such as @city(2)")
        if token["item"] is None:
            continue
        waiting += token["item"]
        in_area = waiting == AREA or (waiting.startswith(AREA + " ") and not re.search(r":.", waiting))
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
    """Reads the items of one tile."""

    sides: tuple[str, ...]
    inner: frozenset[str]
    default_kind: str | None

    def link(self, match: re.Match[str]) -> Link:
        kind = match["kind"] or self.default_kind
        if kind is None:
            raise Wrong(f"{match[0]!r} names no kind of link", "a kind after a colon, such as n-e:red")
        found = tuple(self.port(name) for name in re.split("[-,]", match["ports"]))
        if len(set(found)) != len(found):
            raise Wrong(f"{match[0]!r} names a side twice", "each side once")
        course = replace(_course(match["course"] or ""), hub="," in match["ports"])
        if course.reach is not None and len(found) > 1:
            raise Wrong(f"{match[0]!r} has {len(found)} ports and a length", "a length for a link with one port")
        return Link(found, kind, match["feature"], course, _stand(match["stand"] or ""))

    def area(self, item: str) -> Area:
        where, _, rest = item[len(AREA) :].partition(":")
        match = _AREA.fullmatch(rest.strip())
        if match is None or not where.strip():
            raise Wrong(f"{item!r} is no area", "its sides or parts of them, and a kind, such as area n e1: city")
        parts = tuple(self.side(part) for part in where.replace(",", " ").split())
        return Area(parts, match["kind"], match["feature"], _stand(match["stand"] or ""))

    def side(self, name: str) -> str:
        """A side, or a part of one."""
        if names.side_of(name) not in self.sides or not names.valid_part(name):
            raise unknown("side", name, self.sides)
        return names.part_named(names.side_of(name), *names.part_of(name))

    def port(self, name: str) -> str:
        """Where a link ends: on a side, in a corner, at an angle of a circle, or inside."""
        if name in self.inner:
            return name
        if not self.sides:
            return _angle(name)
        known = names.outer_names(self.sides)
        corner = name in known and name not in self.sides
        if not corner and (names.side_of(name) not in self.sides or not names.valid_part(name)):
            raise unknown("side", name, [*known, *self.inner])
        return names.canonical(name)


def _angle(name: str) -> str:
    points = ("n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw", "nnw")
    if name in points and points.index(name) % 2 == 0:
        return str(points.index(name) * 45 // 2)
    if not _WHOLE.fullmatch(name) or int(name) >= 360:
        raise Wrong(f"{name!r} is no port of a circle", "degrees clockwise from the top, such as 0-120:road")
    return str(int(name))


def _point(match: re.Match[str], sides: tuple[str, ...]) -> Inner:
    if match["name"] in names.outer_names(sides) or names.side_of(match["name"]) in sides:
        raise Wrong(f"{match['name']!r} is a side or a corner", "another name for a point inside")
    x, y = float(match["x"]), float(match["y"])
    if not (0 < x < 100 and 0 < y < 100):
        raise Wrong(f"{match[0]!r} does not lie inside", "hundredths of the tile's width and height, such as (30,60)")
    return Inner(match["name"], x, y)


def _words(text: str) -> list[str]:
    return re.split(r"[\s,=]+", text.strip()) if text.strip() else []


def _course(text: str) -> Course:
    found, words = DEFAULT, iter(_words(text))
    for word in words:
        if word in tuple(Bend):
            found = replace(found, bend=Bend(word))
        elif word in tuple(Plane):
            found = replace(found, plane=Plane(word))
        elif word == "through":
            found = replace(found, through=(_value(words, word), _value(words, word)))
        elif word == "length":
            found = replace(found, reach=_reach(next(words, "")))
        else:
            raise unknown("way of a link", word, [*Bend, *Plane, "through", "length"])
    return found


def _reach(text: str) -> float:
    reach = _percent(text) if text.endswith("%") else length(text)
    if reach <= 0 or (reach <= 1 and not text.endswith("%")):
        raise Wrong(f"a length of {text!r}", "a share of the way to the centre, such as length 60%, or mm above 1")
    return reach


def _stand(text: str) -> Stand:
    found, words = PLAIN, iter(_words(text))
    for word in words:
        if _WHOLE.fullmatch(word):
            found = replace(found, slots=_slots(word))
        elif word == "slots":
            found = replace(found, slots=_slots(next(words, "")))
        elif word == "value":
            found = replace(found, value=_value(words, word))
        elif word == "turn":
            found = replace(found, turn=_value(words, word))
        elif word == "at":
            found = replace(found, at=_percent(next(words, "")))
        elif word == "size":
            found = replace(found, size=length(next(words, "")))
        else:
            raise unknown("word of a feature", word, ("slots", "value", "turn", "at", "size"))
    return found


def _slots(text: str) -> int:
    if not _WHOLE.fullmatch(text) or not 1 <= int(text) <= MOST_SLOTS:
        raise Wrong(f"{text!r} slots", f"1 to {MOST_SLOTS}, such as @city(2)")
    return int(text)


def _percent(text: str) -> float:
    if not re.fullmatch(r"\d{1,3}%", text) or int(text[:-1]) > 100:
        raise Wrong(f"{text!r} is no share of a link's length", "0% to 100%, such as @stop(at 30%)")
    return int(text[:-1]) / 100


def _value(words: Iterator[str], after: str) -> float:
    word = next(words, "")
    if not _NUMBER.fullmatch(word):
        raise Wrong(f"no number after {after!r}", f"a number, such as {after} 30")
    return float(word)


def _check_once(links: list[Link], borders: list[Border], areas: list[Area], points: list[Inner]) -> None:
    """Nothing stands twice on a tile."""
    keys = (
        *((f"{'-'.join(one.ports)}:{one.kind}", (frozenset(one.ports), one.kind)) for one in links),
        *((f"the label of {one.port}", one.port) for one in borders),
        *((f"the point {one.name}", one.name + "()") for one in points),
    )
    seen: set[object] = set()
    for text, key in keys:
        if key in seen:
            raise Wrong(f"{text} stands twice", "each once")
        seen.add(key)
    for parts in ([part for area in areas for part in area.parts], [border.port for border in borders]):
        for one, other in combinations(parts, 2):
            if _overlap(one, other):
                raise Wrong(f"{one} and {other} are one part of the tile's edge", "each part once")


def _overlap(one: str, other: str) -> bool:
    (a, of), (b, off) = names.part_of(one), names.part_of(other)
    return names.side_of(one) == names.side_of(other) and (
        Fraction(a - 1, of) < Fraction(b, off) and Fraction(b - 1, off) < Fraction(a, of)
    )


def write_tile(tile: Tile) -> str:
    """The notation of a tile, as `parse_tile` reads it."""
    items = [f"{point.name}({number(point.x)},{number(point.y)})" for point in tile.points]
    items += [f"area {' '.join(area.parts)}: {area.kind}{_standing(area.feature, area.stand)}" for area in tile.areas]
    for link in tile.links:
        ports = ("," if link.course.hub else "-").join(link.ports)
        items.append(f"{ports}:{link.kind}{_running(link.course)}{_standing(link.feature, link.stand)}")
    return " ".join([*items, *(f"{border.port}={border.label}" for border in tile.borders)])


def _running(course: Course) -> str:
    words = [course.bend.value] if course.bend is not Bend.GENTLE else []
    words += [course.plane.value] if course.plane is not Plane.LATER else []
    words += [f"through {number(course.through[0])} {number(course.through[1])}"] if course.through else []
    if course.reach is not None:
        words.append(f"length {f'{course.reach:.0%}' if course.reach <= 1 else f'{number(course.reach)}mm'}")
    return f"({' '.join(words)})" if words else ""


def _standing(feature: str | None, stand: Stand) -> str:
    if feature is None:
        return ""
    words = [str(stand.slots)] if stand.slots != 1 else []
    words += [f"value {number(stand.value)}"] if stand.value else []
    words += [f"turn {number(stand.turn)}"] if stand.turn is not None else []
    words += [f"at {stand.at:.0%}"] if stand.at is not None else []
    words += [f"size {number(stand.size)}mm"] if stand.size is not None else []
    return f"@{feature}({', '.join(words)})" if words else f"@{feature}"
