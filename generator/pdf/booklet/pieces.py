"""The flowables that booklets are made of, besides ReportLab's paragraphs and tables. Lengths in points."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.platypus.flowables import Flowable

from generator.core.geometry import Size
from generator.core.units import points
from generator.draw.face import Face
from generator.pdf.forms import show, trace, upwards

HAIRLINE = 0.4
YES, NO = "#2c7a3f", "#b3261e"
BADGE = 11.0


class FaceBox(Flowable):  # type: ignore[misc]
    """A face at its own size or smaller, cut to its trim; the form of its name is filled later.

    `share` makes it as much smaller than it would be.
    """

    def __init__(self, face: Face, width: float, height: float, *, share: float = 1.0, line: bool = False) -> None:
        super().__init__()
        self._face = face
        self._line = line
        self._share = share
        self._room = width, height
        self._scale = 1.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Its size in the room, which is also what its own room allows."""
        w, h = points(self._face.size.w), points(self._face.size.h)
        own = self._share * min(1.0, self._room[0] / w, self._room[1] / h)
        self._scale = min(own, width / w, height / h)
        self.width, self.height = w * self._scale, h * self._scale
        return self.width, self.height

    def draw(self) -> None:
        """Place the form."""
        canvas: Any = self.canv
        show(canvas, self._face, Size(self.width, self.height))
        if self._line:
            canvas.setLineWidth(HAIRLINE)
            canvas.setStrokeColor(HexColor("#8a8378"))
            edge = canvas.beginPath()
            trace(edge, self._face.edge, upwards(self._face.size.h, points(self._scale)))
            canvas.drawPath(edge, stroke=1, fill=0)


@dataclass(frozen=True)
class FramedStack:
    """What stands round a stack: a ground, a bar at its left, room inside."""

    fill: str = ""
    bar: str = ""
    room: float = 0.0


class Stack(Flowable):  # type: ignore[misc]
    """Flowables under each other that stay together; `middle` centres them across."""

    def __init__(
        self, parts: Sequence[Any], frame: FramedStack = FramedStack(), *, gap: float = 3.0, middle: bool = False
    ) -> None:
        super().__init__()
        self._parts = parts
        self._frame = frame
        self._gap = gap
        self._middle = middle
        self._sizes: list[tuple[float, float]] = []

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As wide as the room."""
        self.width, inner = width, width - 2 * self._frame.room
        self._sizes = [part.wrap(inner, height) for part in self._parts]
        gaps = self._gap * (len(self._parts) - 1)
        self.height = sum(size[1] for size in self._sizes) + gaps + 2 * self._frame.room
        return width, self.height

    def draw(self) -> None:
        """The ground, then the parts."""
        frame, canvas = self._frame, self.canv
        if frame.fill:
            canvas.setFillColor(HexColor(frame.fill))
            canvas.rect(0, 0, self.width, self.height, stroke=0, fill=1)
        if frame.bar:
            canvas.setFillColor(HexColor(frame.bar))
            canvas.rect(0, 0, 2.2, self.height, stroke=0, fill=1)
        y = self.height - frame.room
        for part, (w, h) in zip(self._parts, self._sizes, strict=True):
            left = (self.width - w) / 2 if self._middle else frame.room
            part.drawOn(canvas, left, y - h)
            y -= h + self._gap


class FlowableRow(Flowable):  # type: ignore[misc]
    """Flowables beside each other, their tops level, or their middles; `widths` as shares of the room."""

    def __init__(self, parts: Sequence[Any], widths: Sequence[float], gap: float, *, middle: bool = False) -> None:
        super().__init__()
        self._middle = middle
        self._parts = parts
        self._widths = widths
        self._gap = gap
        self._sizes: list[tuple[float, float]] = []

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """As high as the highest."""
        shared = width - self._gap * (len(self._parts) - 1)
        rooms = [share * shared for share in self._widths]
        self._sizes = [(room, part.wrap(room, height)[1]) for part, room in zip(self._parts, rooms, strict=True)]
        self.width, self.height = width, max(size[1] for size in self._sizes)
        return self.width, self.height

    def draw(self) -> None:
        """The parts from left to right."""
        x = 0.0
        for part, (w, h) in zip(self._parts, self._sizes, strict=True):
            part.drawOn(self.canv, x, (self.height - h) / (2 if self._middle else 1))
            x += w + self._gap


class VerdictMark(Flowable):  # type: ignore[misc]
    """A tick or a cross with its word: a shape, a colour and a word say the same."""

    def __init__(self, *, good: bool, word: str, font: str, size: float) -> None:
        super().__init__()
        self._good, self._word, self._font, self._size = good, word, font, size

    def wrap(self, width: float, height: float) -> tuple[float, float]:  # noqa: ARG002 - ReportLab's signature
        """A line's height."""
        self.width, self.height = width, BADGE + 1
        return width, self.height

    def draw(self) -> None:
        """The sign in its disc, then the word."""
        canvas = self.canv
        colour = HexColor(YES if self._good else NO)
        half = BADGE / 2
        canvas.setFillColor(colour)
        canvas.circle(half, half, half, stroke=0, fill=1)
        canvas.setStrokeColor(HexColor("#ffffff"))
        canvas.setLineWidth(1.5)
        canvas.setLineCap(1)
        for line in _TICK if self._good else _CROSS:
            canvas.line(*(half + part * half for part in line))
        canvas.setFillColor(colour)
        canvas.setFont(self._font, self._size)
        canvas.drawString(BADGE + 4, half - self._size * 0.33, self._word)


_TICK = ((-0.45, 0.0, -0.1, -0.38), (-0.1, -0.38, 0.5, 0.4))
_CROSS = ((-0.38, -0.38, 0.38, 0.38), (-0.38, 0.38, 0.38, -0.38))


class RuleLine(Flowable):  # type: ignore[misc]
    """A line across the room."""

    def __init__(self, colour: str, thickness: float, share: float = 1.0) -> None:
        super().__init__()
        self._colour, self._thickness, self._share = colour, thickness, share

    def wrap(self, width: float, height: float) -> tuple[float, float]:  # noqa: ARG002 - ReportLab's signature
        """As wide as the room."""
        self.width, self.height = width, self._thickness
        return width, self.height

    def draw(self) -> None:
        """A bar rather than a stroke, so that its ends are square."""
        self.canv.setFillColor(HexColor(self._colour))
        self.canv.rect(0, 0, self.width * self._share, self._thickness, stroke=0, fill=1)
