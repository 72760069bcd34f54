"""What lies on one side of a tile: links, areas, labelled sides, and points inside it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from generator.core.ports import mirrored


class Bend(StrEnum):
    """The way that a link between two ports takes."""

    GENTLE = "gentle"
    SHARP = "sharp"
    STRAIGHT = "straight"


class Plane(StrEnum):
    """How a link lies to those of its tile that it crosses; `apart` also from those that it shares a port with."""

    LATER = "later"
    OVER = "over"
    UNDER = "under"
    APART = "apart"
    JOINS = "joins"


@dataclass(frozen=True)
class Course:
    """How a link runs: its bend, a place to go through (hundredths of the tile), its plane.

    `reach` is how far a link with one port goes: a share of the way to the centre, or mm where it is above 1. `hub`
    is a link whose legs go straight to one place.
    """

    bend: Bend = Bend.GENTLE
    through: tuple[float, float] | None = None
    reach: float | None = None
    plane: Plane = Plane.LATER
    hub: bool = False


@dataclass(frozen=True)
class Stand:
    """What a feature brings of its own: `at` is a share of its link's length, `size` mm, `turn` degrees."""

    slots: int = 1
    value: float = 0.0
    turn: float | None = None
    at: float | None = None
    size: float | None = None


DEFAULT, PLAIN = Course(), Stand()


@dataclass(frozen=True)
class Link:
    """One road, hose or neck: the ports that it joins, its kind, and what stands on it."""

    ports: tuple[str, ...]
    kind: str
    feature: str | None = None
    course: Course = DEFAULT
    stand: Stand = PLAIN


@dataclass(frozen=True)
class Border:
    """A side with a label and no link."""

    port: str
    label: str


@dataclass(frozen=True)
class Area:
    """A region that reaches some sides, or parts of them, and what stands in it."""

    parts: tuple[str, ...]
    kind: str
    feature: str | None = None
    stand: Stand = PLAIN


@dataclass(frozen=True)
class Inner:
    """A point inside the tile, in hundredths of its width and height."""

    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Tile:
    """What runs across one side of a tile, in the order in which it was written."""

    links: tuple[Link, ...] = ()
    borders: tuple[Border, ...] = ()
    areas: tuple[Area, ...] = ()
    points: tuple[Inner, ...] = ()

    def mirrored(self) -> "Tile":
        """The same seen from behind."""
        inner = {point.name for point in self.points}

        def flip(port: str) -> str:
            return port if port in inner else mirrored(port)

        return Tile(
            tuple(
                replace(link, ports=tuple(map(flip, link.ports)), course=_flipped(link.course)) for link in self.links
            ),
            tuple(replace(border, port=flip(border.port)) for border in self.borders),
            tuple(replace(area, parts=tuple(map(mirrored, area.parts))) for area in self.areas),
            tuple(replace(point, x=100 - point.x) for point in self.points),
        )

    @property
    def carried(self) -> Iterator[tuple[str | None, Stand]]:
        """What stands on its links and in its areas."""
        yield from ((link.feature, link.stand) for link in self.links)
        yield from ((area.feature, area.stand) for area in self.areas)


NO_LINKS = Tile()


def _flipped(course: Course) -> Course:
    return replace(course, through=(100 - course.through[0], course.through[1])) if course.through else course
