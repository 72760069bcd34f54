"""The content of one side of a tile: links, areas, side labels and inner points.

Brackets hold details: the course of a link, `n-e:road(sharp)`, and of a feature, `@city(value 30)`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from generator.base.errors import InvalidValueError, unknown
from generator.base.ports import mirrored
from generator.base.units import length, number


class Bend(StrEnum):
    """The bend of a link between two ports."""

    GENTLE = "gentle"
    SHARP = "sharp"
    STRAIGHT = "straight"


class Plane(StrEnum):
    """The position of a link relative to links that it crosses.

    `apart` also for links that share its port.
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
    def written(self) -> str:
        """Return the notation that `course` parses, with its brackets."""
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


@dataclass(frozen=True)
class Stand:
    """The details of a feature: `at` is a share of its link's length, `size` in mm, `turn` in degrees."""

    slots: int = 1
    value: float = 0.0
    turn: float | None = None
    at: float | None = None
    size: float | None = None

    def under(self, feature: str | None) -> str:
        """Return the notation of a feature with these details."""
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
            return port if port in inner else mirrored(port)

        return Tile(
            tuple(
                replace(link, ports=tuple(map(flip, link.ports)), course=_flip(link.course))
                for link in self.links
            ),
            tuple(replace(border, port=flip(border.port)) for border in self.borders),
            tuple(replace(area, parts=tuple(map(mirrored, area.parts))) for area in self.areas),
            tuple(replace(point, x=100 - point.x) for point in self.points),
        )

    @property
    def carried(self) -> Iterator[tuple[str | None, Stand]]:
        """Yield the features of links and areas, with their details."""
        yield from ((link.feature, link.stand) for link in self.links)
        yield from ((area.feature, area.stand) for area in self.areas)

    @property
    def written(self) -> str:
        """Return the notation of the tile."""
        items = [f"{point.name}({number(point.x)},{number(point.y)})" for point in self.points]
        items += [
            f"area {' '.join(area.parts)}: {area.kind}{area.stand.under(area.feature)}"
            for area in self.areas
        ]
        for link in self.links:
            ports = ("," if link.course.hub else "-").join(link.ports)
            items.append(
                f"{ports}:{link.kind}{link.course.written}{link.stand.under(link.feature)}"
            )
        return " ".join([*items, *(f"{border.port}={border.label}" for border in self.borders)])


NO_LINKS = Tile()


def _flip(course: Course) -> Course:
    return (
        replace(course, through=(100 - course.through[0], course.through[1]))
        if course.through
        else course
    )


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_WHOLE = re.compile(r"\d{1,4}")
MAX_SLOTS = 12
"""Largest number of slots of a feature; more are taken for a mistake."""


def _words(text: str) -> list[str]:
    return re.split(r"[\s,=]+", text.strip()) if text.strip() else []


def parse_course(text: str) -> Course:
    """Parse the course of a link."""
    found = DEFAULT_COURSE
    words = iter(_words(text))
    for several in (tuple(Bend), tuple(Plane)):
        both = [word for word in _words(text) if word in several]
        if len(both) > 1:
            raise InvalidValueError(
                f"a link that is {' and '.join(both)}", f"one of {', '.join(several)}"
            )
    for word in words:
        if word in tuple(Bend):
            found = replace(found, bend=Bend(word))
        elif word in tuple(Plane):
            found = replace(found, plane=Plane(word))
        elif word == "through":
            found = replace(found, through=_place(_value(words, word), _value(words, word)))
        elif word == "length":
            found = replace(found, reach=_reach(next(words, "")))
        else:
            raise unknown("way of a link", word, [*Bend, *Plane, "through", "length"])
    return found


def _place(x: float, y: float) -> tuple[float, float]:
    if not (0 < x < 100 and 0 < y < 100):
        raise InvalidValueError(
            f"through {number(x)} {number(y)} is not on the tile",
            "hundredths of its width and height, such as through 30 60",
        )
    return x, y


def _reach(text: str) -> float:
    reach = _percent(text) if text.endswith("%") else length(text)
    if reach <= 0 or (reach <= 1 and not text.endswith("%")):
        raise InvalidValueError(
            f"a length of {text!r}",
            "a share of the way to the centre, such as length 60%, or mm above 1",
        )
    return reach


def parse_stand(text: str) -> Stand:
    """Parse the details of a feature."""
    found = DEFAULT_STAND
    words = iter(_words(text))
    keywords: list[str] = []
    for word in words:
        keywords.append("slots" if _WHOLE.fullmatch(word) else word)
        if keywords.count(keywords[-1]) > 1:
            raise InvalidValueError(
                f"{text!r} gives its {keywords[-1]} twice", "each once, such as @city(2, value 30)"
            )
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
            found = replace(found, size=_size(next(words, "")))
        else:
            raise unknown("word of a feature", word, ("slots", "value", "turn", "at", "size"))
    return found


def _slots(text: str) -> int:
    if not _WHOLE.fullmatch(text) or not 1 <= int(text) <= MAX_SLOTS:
        raise InvalidValueError(f"{text!r} slots", f"1 to {MAX_SLOTS}, such as @city(2)")
    return int(text)


def _size(text: str) -> float:
    size = length(text)
    if size <= 0:
        raise InvalidValueError(f"a size of {text}", "above 0, such as size 9mm")
    return size


def _percent(text: str) -> float:
    if not re.fullmatch(r"\d{1,3}%", text) or int(text[:-1]) > 100:
        raise InvalidValueError(
            f"{text!r} is not a share of a link's length", "0% to 100%, such as @stop(at 30%)"
        )
    return int(text[:-1]) / 100


def _value(words: Iterator[str], after: str) -> float:
    word = next(words, "")
    if not _NUMBER.fullmatch(word):
        raise InvalidValueError(f"no number after {after!r}", f"a number, such as {after} 30")
    return float(word)
