"""`tick: B2`, `cross: B2.e`, `ring: B2`, `shade: [A1, B1]` — right, wrong, look here, these."""

from typing import ClassVar

from generator.board.place import Place
from generator.core.geometry import Point
from generator.figure.overlays.base import Overlay
from generator.figure.pen import BAD, GOOD, INK, MARK, PAPER, Pen
from generator.figure.spots import Ground
from generator.pack.fields import Length, Text
from generator.pack.links import HEX_PORTS


class Tick(Overlay):
    """A green tick in a disc."""

    main: ClassVar[str] = "tick"
    verdict: ClassVar[bool | None] = True
    tick: Text
    size: Length = 9.0

    def draw(self, ground: Ground, pen: Pen) -> None:
        """Draw it at its spot."""
        at, unit = ground.spot(self.tick), self.size / 9
        pen.circle(at, 4.5 * unit, GOOD, PAPER, 0.7 * unit)
        stroke = [Point(-2.1, 0.2), Point(-0.6, 1.8), Point(2.2, -1.7)]
        _white(pen, [at + p.scaled(unit) for p in stroke], 1.1 * unit)


class Cross(Overlay):
    """A red cross in a disc."""

    main: ClassVar[str] = "cross"
    verdict: ClassVar[bool | None] = False
    cross: Text
    size: Length = 9.0

    def draw(self, ground: Ground, pen: Pen) -> None:
        """Draw it at its spot."""
        at, unit = ground.spot(self.cross), self.size / 9
        pen.circle(at, 4.5 * unit, BAD, PAPER, 0.7 * unit)
        for stroke in ((Point(-1.7, -1.7), Point(1.7, 1.7)), (Point(-1.7, 1.7), Point(1.7, -1.7))):
            _white(pen, [at + p.scaled(unit) for p in stroke], 1.1 * unit)


class Ring(Overlay):
    """A ring round a spot."""

    main: ClassVar[str] = "ring"
    ring: Text
    size: Length = 12.0

    def draw(self, ground: Ground, pen: Pen) -> None:
        """Draw it at its spot."""
        at = ground.spot(self.ring)
        pen.circle(at, self.size / 2, "none", PAPER, 1.7)
        pen.circle(at, self.size / 2, "none", BAD, 1.0)


class Shade(Overlay):
    """Tiles shaded, as those that fall off."""

    main: ClassVar[str] = "shade"
    shade: list[Text] | Text
    colour: Text = "dark"

    def draw(self, ground: Ground, pen: Pen) -> None:
        """Shade each of the places."""
        fill, opacity = (MARK, 0.45) if self.colour == "light" else (INK, 0.55)
        names = [self.shade] if isinstance(self.shade, str) else self.shade
        for name in names:
            pen.polygon(_corners(ground, ground.place(name)), fill, opacity)


def _corners(ground: Ground, place: Place) -> list[Point]:
    centre, half = ground.centre(place), ground.tile / 2
    if ground.lattice.ports == HEX_PORTS:
        across = ground.tile / 3**0.5
        return [centre + Point(across, 0).turned(60 * corner) for corner in range(6)]
    return [centre + Point(x * half, y * half) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def _white(pen: Pen, points: list[Point], width: float) -> None:
    pen.line(points, PAPER, width)
