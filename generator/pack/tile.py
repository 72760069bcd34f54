"""The content of one side of a tile: links, areas, side labels and inner points, and their notation.

`n-e:red s:blue@hydrant` is a red link from the north to the east side, and a blue one from the
south to a hydrant. `n-e-s:street@intersection` is a junction; `n,e,se:road@city(2)` joins legs in a
hub of two slots. `w=road` labels the west side without a link. `market(30,60)` is a point in
hundredths of the tile, `area n e1: city` a region.

Brackets hold details: the course of a link, `n-e:road(sharp)`, and of a feature, `@city(value 30)`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import combinations

from generator.base.errors import InvalidValueError, unknown
from generator.base.ports import (
    COMPASS,
    canonical_port,
    is_valid_part,
    mirror_port,
    outer_names,
    part_name,
    part_of,
    side_of,
)
from generator.base.units import length, number


class Bend(StrEnum):
    """The bend of a link between two ports."""

    GENTLE = "gentle"
    SHARP = "sharp"
    STRAIGHT = "straight"


class Plane(StrEnum):
    """The way in which a link meets others that it crosses, which by default the later one passes over.

    A link that is `apart` also does not join those that share a port with it.
    """

    LATER = "later"
    OVER = "over"
    UNDER = "under"
    APART = "apart"
    JOINS = "joins"


@dataclass(frozen=True)
class Course:
    """The course of a link: its bend, a point to pass through (hundredths of the tile), and its plane.

    `reach` is the length of a link with one port: a share of the way to the centre, or mm above 1. In a `hub`, all legs
    run straight to one place.
    """

    bend: Bend = Bend.GENTLE
    through: tuple[float, float] | None = None
    reach: float | None = None
    plane: Plane = Plane.LATER
    hub: bool = False

    @property
    def notation(self) -> str:
        """The notation that `parse_course` reads, in brackets; empty for the default course."""
        words = [self.bend.value] if self.bend is not Bend.GENTLE else []
        words += [self.plane.value] if self.plane is not Plane.LATER else []
        words += (
            [f"through {number(self.through[0])} {number(self.through[1])}"] if self.through else []
        )
        if self.reach is not None:
            words.append(
                f"length {f'{self.reach:.0%}' if self.reach <= 1 else f'{number(self.reach)}mm'}"
            )
        return f"({' '.join(words)})" if words else ""

    def mirrored(self) -> "Course":
        """Return the course as seen from behind."""
        if self.through is None:
            return self
        return replace(self, through=(100 - self.through[0], self.through[1]))


@dataclass(frozen=True)
class Stand:
    """The details of a feature: `at` is a share of its link's length, `size` in mm, `turn` in degrees."""

    slots: int = 1
    value: float = 0.0
    turn: float | None = None
    at: float | None = None
    size: float | None = None

    def notation(self, feature: str | None) -> str:
        """Return the notation of a feature with these details; empty without a feature."""
        if feature is None:
            return ""
        words = [str(self.slots)] if self.slots != 1 else []
        words += [f"value {number(self.value)}"] if self.value else []
        words += [f"turn {number(self.turn)}"] if self.turn is not None else []
        words += [f"at {self.at:.0%}"] if self.at is not None else []
        words += [f"size {number(self.size)}mm"] if self.size is not None else []
        return f"@{feature}({', '.join(words)})" if words else f"@{feature}"


DEFAULT_COURSE = Course()
DEFAULT_STAND = Stand()


@dataclass(frozen=True)
class Link:
    """A road, hose or neck: the ports that it joins, its kind, and the feature on it."""

    ports: tuple[str, ...]
    kind: str
    feature: str | None = None
    course: Course = DEFAULT_COURSE
    stand: Stand = DEFAULT_STAND


@dataclass(frozen=True)
class Border:
    """A side with a label and no link."""

    port: str
    label: str


@dataclass(frozen=True)
class Area:
    """A region that reaches sides or parts of them, and the feature in it."""

    parts: tuple[str, ...]
    kind: str
    feature: str | None = None
    stand: Stand = DEFAULT_STAND


@dataclass(frozen=True)
class Inner:
    """A point inside the tile, in hundredths of its width and height."""

    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Tile:
    """The content of one side of a tile, in the order written."""

    links: tuple[Link, ...] = ()
    borders: tuple[Border, ...] = ()
    areas: tuple[Area, ...] = ()
    points: tuple[Inner, ...] = ()

    def mirrored(self) -> "Tile":
        """Return the tile as seen from behind."""
        inner = {point.name for point in self.points}

        def flip(port: str) -> str:
            return port if port in inner else mirror_port(port)

        return Tile(
            tuple(
                replace(link, ports=tuple(map(flip, link.ports)), course=link.course.mirrored())
                for link in self.links
            ),
            tuple(replace(border, port=flip(border.port)) for border in self.borders),
            tuple(replace(area, parts=tuple(map(mirror_port, area.parts))) for area in self.areas),
            tuple(replace(point, x=100 - point.x) for point in self.points),
        )

    @property
    def carried(self) -> Iterator[tuple[str | None, Stand]]:
        """Yield the features of links and areas, with their details."""
        yield from ((link.feature, link.stand) for link in self.links)
        yield from ((area.feature, area.stand) for area in self.areas)

    @property
    def notation(self) -> str:
        """The notation that `parse_tile` reads."""
        items = [f"{point.name}({number(point.x)},{number(point.y)})" for point in self.points]
        items += [
            f"area {' '.join(area.parts)}: {area.kind}{area.stand.notation(area.feature)}"
            for area in self.areas
        ]
        for link in self.links:
            ports = ("," if link.course.hub else "-").join(link.ports)
            items.append(
                f"{ports}:{link.kind}{link.course.notation}{link.stand.notation(link.feature)}"
            )
        return " ".join([*items, *(f"{border.port}={border.label}" for border in self.borders)])


EMPTY_TILE = Tile()


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_WHOLE = re.compile(r"\d{1,4}")
MAX_SLOTS = 12
"""Largest number of slots of a feature; more are taken for a mistake."""


def _words(text: str) -> list[str]:
    return re.split(r"[\s,=]+", text.strip()) if text.strip() else []


def parse_course(text: str) -> Course:
    """Parse the course of a link."""
    course = DEFAULT_COURSE
    words = iter(_words(text))
    for several in (tuple(Bend), tuple(Plane)):
        both = [word for word in _words(text) if word in several]
        if len(both) > 1:
            raise InvalidValueError(
                f"a link that is {' and '.join(both)}", f"one of {', '.join(several)}"
            )
    for word in words:
        if word in tuple(Bend):
            course = replace(course, bend=Bend(word))
        elif word in tuple(Plane):
            course = replace(course, plane=Plane(word))
        elif word == "through":
            course = replace(course, through=_read_through(words))
        elif word == "length":
            course = replace(course, reach=_read_reach(next(words, "")))
        else:
            raise unknown("option of a link", word, [*Bend, *Plane, "through", "length"])
    return course


def _read_through(words: Iterator[str]) -> tuple[float, float]:
    """Read the two numbers after `through`."""
    x = _read_number_after(words, "through")
    y = _read_number_after(words, "through")
    if not (0 < x < 100 and 0 < y < 100):
        raise InvalidValueError(
            f"through {number(x)} {number(y)} is not on the tile",
            "hundredths of its width and height, such as through 30 60",
        )
    return x, y


def _read_reach(text: str) -> float:
    reach = _read_percent(text) if text.endswith("%") else length(text)
    if reach <= 0 or (reach <= 1 and not text.endswith("%")):
        raise InvalidValueError(
            f"a length of {text!r}",
            "a share of the way to the centre, such as length 60%, or mm above 1",
        )
    return reach


def parse_stand(text: str) -> Stand:
    """Parse the details of a feature."""
    stand = DEFAULT_STAND
    words = iter(_words(text))
    keywords: list[str] = []
    for word in words:
        keywords.append("slots" if _WHOLE.fullmatch(word) else word)
        if keywords.count(keywords[-1]) > 1:
            raise InvalidValueError(
                f"{text!r} gives its {keywords[-1]} twice", "each once, such as @city(2, value 30)"
            )
        if _WHOLE.fullmatch(word):
            stand = replace(stand, slots=_read_slots(word))
        elif word == "slots":
            stand = replace(stand, slots=_read_slots(next(words, "")))
        elif word == "value":
            stand = replace(stand, value=_read_number_after(words, word))
        elif word == "turn":
            stand = replace(stand, turn=_read_number_after(words, word))
        elif word == "at":
            stand = replace(stand, at=_read_percent(next(words, "")))
        elif word == "size":
            stand = replace(stand, size=_read_size(next(words, "")))
        else:
            raise unknown("word of a feature", word, ("slots", "value", "turn", "at", "size"))
    return stand


def _read_slots(text: str) -> int:
    if not _WHOLE.fullmatch(text) or not 1 <= int(text) <= MAX_SLOTS:
        raise InvalidValueError(f"{text!r} slots", f"1 to {MAX_SLOTS}, such as @city(2)")
    return int(text)


def _read_size(text: str) -> float:
    size = length(text)
    if size <= 0:
        raise InvalidValueError(f"a size of {text}", "above 0, such as size 9mm")
    return size


def _read_percent(text: str) -> float:
    if not re.fullmatch(r"\d{1,3}%", text) or int(text[:-1]) > 100:
        raise InvalidValueError(
            f"{text!r} is not a share of a link's length", "0% to 100%, such as @stop(at 30%)"
        )
    return int(text[:-1]) / 100


def _read_number_after(words: Iterator[str], after: str) -> float:
    word = next(words, "")
    if not _NUMBER.fullmatch(word):
        raise InvalidValueError(f"no number after {after!r}", f"a number, such as {after} 30")
    return float(word)


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

AREA = "area"


def parse_tile(text: str, ports: tuple[str, ...]) -> Tile:
    """Parse a tile's notation; raise `InvalidValueError` at the first mistake.

    `ports` are the names of the shape's sides, empty for a circle.
    """
    items = list(_split_items(text))
    points = [_parse_point(match, ports) for item in items if (match := _POINT.fullmatch(item))]
    reader = _TileReader(ports, frozenset(point.name for point in points))
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

    def link(self, match: re.Match[str]) -> Link:
        """Return the link of a match of `_ITEM`."""
        kind = match["kind"]
        if kind is None:
            hint = "no blanks within a link, and one between two of them"
            raise InvalidValueError(
                f"{match[0]!r} names no kind of link", "a kind after a colon, such as n-e:red", hint
            )
        link_ports = tuple(self.port(name) for name in re.split("[-,]", match["ports"]))
        if len(set(link_ports)) != len(link_ports):
            raise InvalidValueError(f"{match[0]!r} names a side twice", "each side once")
        course = replace(parse_course(match["course"] or ""), hub="," in match["ports"])
        if course.reach is not None and len(link_ports) > 1:
            raise InvalidValueError(
                f"{match[0]!r} has {len(link_ports)} ports and a length",
                "a length for a link with one port",
            )
        if len(link_ports) == 1 and link_ports[0] in self.inner and not match["feature"]:
            raise InvalidValueError(
                f"{match[0]!r} leads nowhere",
                f"a side as well, such as {self.sides[0]}-{match[0]}, or a feature",
            )
        return Link(link_ports, kind, match["feature"], course, parse_stand(match["stand"] or ""))

    def area(self, item: str) -> Area:
        """Return the area of an item such as `area n e1: city@tower`."""
        where, _, settings = item[len(AREA) :].partition(":")
        match = _AREA.fullmatch(settings.strip())
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
        if side_of(name) not in self.sides or not is_valid_part(name):
            raise unknown("side", name, self.sides)
        return part_name(side_of(name), *part_of(name))

    def port(self, name: str) -> str:
        """Return the canonical name of a link's end: a side, a corner, an angle of a circle, or a point."""
        if name in self.inner:
            return name
        if not self.sides:
            return _parse_angle(name)
        names = outer_names(self.sides)
        corner = name in names and name not in self.sides
        if not corner and (side_of(name) not in self.sides or not is_valid_part(name)):
            wrong = unknown("side", name, [*names, *self.inner])
            short = _SHORT_SIDES.get(name, "")
            raise InvalidValueError(
                wrong.found,
                wrong.expected,
                f"did you mean {short!r}?" if short in names else wrong.hint,
            )
        return canonical_port(name)


_SHORT_SIDES = {
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
    """Return a circle's port in degrees, from a number of degrees or a direction such as `ne`."""
    if name in COMPASS:
        return str(45 * COMPASS.index(name))
    if not _WHOLE.fullmatch(name) or int(name) >= 360:
        raise InvalidValueError(
            f"{name!r} is not a port of a circle",
            "degrees clockwise from the top, such as 0-120:road",
        )
    return str(int(name))


def _parse_point(match: re.Match[str], sides: tuple[str, ...]) -> Inner:
    if match["name"] in outer_names(sides) or side_of(match["name"]) in sides:
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
    earlier: set[object] = set()
    for text, key in keys:
        if key in earlier:
            raise InvalidValueError(f"{text} occurs twice", "each once")
        earlier.add(key)
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
    """Return True if two sides or parts of sides share more than a point."""
    if side_of(one) != side_of(other):
        return False
    a, a_parts = part_of(one)
    b, b_parts = part_of(other)
    return Fraction(a - 1, a_parts) < Fraction(b, b_parts) and (
        Fraction(b - 1, b_parts) < Fraction(a, a_parts)
    )
