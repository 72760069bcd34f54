"""What overlays draw with: shapes and words over a figure, in mm."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from xml.etree import ElementTree as ET

from generator.core.fonts import FontSet
from generator.core.geometry import Point, Rect
from generator.core.units import MM_PER_PT, number
from generator.figure.curve import line_data
from generator.pack.game import Align, Style, VAlign
from generator.text import set_text

INK, PAPER = "#1d2730", "#ffffff"
GOOD, BAD, MARK = "#1f8a4c", "#c8322b", "#f0b429"

WORDS = Style(
    font="Alegreya Sans", weight=700, size=11 * MM_PER_PT, colour=INK, align=Align.CENTER, valign=VAlign.MIDDLE
)
"""How labels and numbers are set: eleven points, so that they stay readable when the booklet is folded small."""

LIGHT = 160
"""Of 255; the luma from which a colour is light."""

ROOM = 80.0
"""mm; a label is set in one line unless it is longer than this."""


@dataclass
class Pen:
    """Collects what is drawn over a figure, and how far it reaches."""

    fonts: FontSet
    language: str
    elements: list[ET.Element] = field(default_factory=list)
    reach: list[Rect] = field(default_factory=list)

    def circle(self, centre: Point, radius: float, fill: str, line: str = "none", width: float = 0.0) -> None:
        """A disc or a ring."""
        paint = {"fill": fill, "stroke": line, "stroke-width": number(width)}
        self._add("circle", {"cx": number(centre.x), "cy": number(centre.y), "r": number(radius), **paint})
        self._reached(Rect(centre.x, centre.y, 0, 0).grown(radius + width / 2))

    def polygon(self, corners: Sequence[Point], fill: str, opacity: float = 1.0) -> None:
        """A filled outline."""
        points = " ".join(f"{number(p.x)},{number(p.y)}" for p in corners)
        self._add("polygon", {"points": points, "fill": fill, "fill-opacity": number(opacity)})
        self._reached(_round(corners))

    def line(self, points: Sequence[Point], colour: str, width: float, dash: str = "") -> None:
        """A line through some points, with a white rim so that it shows on any ground."""
        self._line(line_data(points), colour, PAPER, width, dash)
        self._reached(_round(points).grown(width))

    def _line(self, data: str, colour: str, rim: str, width: float, dash: str = "") -> None:
        look = {"d": data, "fill": "none", "stroke-linecap": "round", "stroke-linejoin": "round"}
        self._add("path", {**look, "stroke": rim, "stroke-width": number(width * 1.9), "stroke-opacity": "0.85"})
        dashes = {"stroke-dasharray": dash} if dash else {}
        self._add("path", {**look, "stroke": colour, "stroke-width": number(width), **dashes})

    def way(self, points: Sequence[Point], colour: str, width: float, rounding: float = 0.0) -> None:
        """A line with a head at its end; its rim is dark where it is light itself."""
        end = points[-1]
        along = (end - points[-2]).unit()
        head = 3.2 * width
        line = [*points[:-1], end - along.scaled(head * 0.9)]
        self._line(line_data(line, rounding), colour, _rim(colour), width)
        self._reached(_round(line).grown(width))
        left, right = along.turned(150).scaled(head), along.turned(-150).scaled(head)
        tip = [end + along.scaled(width / 2), end + left, end + right]
        self._edge(tip, _rim(colour), width * 0.9)
        self.polygon(tip, colour)

    def _edge(self, corners: Sequence[Point], colour: str, width: float) -> None:
        look = {"stroke": colour, "stroke-width": number(width), "stroke-opacity": "0.85", "stroke-linejoin": "round"}
        self._add("path", {"d": line_data(corners) + "Z", "fill": "none", **look})

    def words(self, text: str, at: Point, style: Style = WORDS) -> Rect:
        """A text with its middle at a place, on a slip of paper; gives the box of the slip."""
        ink = self._set(text, at, style, []).grown(1.0)
        slip = {"x": number(ink.x), "y": number(ink.y), "width": number(ink.w), "height": number(ink.h), "rx": "1"}
        self._add("rect", {**slip, "fill": PAPER, "fill-opacity": "0.92"})
        self._set(text, at, style, self.elements)
        self._reached(ink)
        return ink

    def name(self, text: str, at: Point) -> None:
        """A few letters with their middle at a place, on nothing."""
        self._reached(self._set(text, at, WORDS, self.elements))

    def numeral(self, text: str, at: Point, fill: str = INK) -> None:
        """A number in a disc."""
        self.circle(at, 2.9, PAPER)
        self.circle(at, 2.5, fill)
        self._set(text, at, replace(WORDS, colour=PAPER), self.elements)

    def _set(self, text: str, at: Point, style: Style, into: list[ET.Element]) -> Rect:
        box = Rect(at.x - ROOM / 2, at.y - ROOM / 2, ROOM, ROOM)
        block = set_text(text, style, box, self.fonts, icons={}, lang=self.language, minimum=None)
        for run in block.runs:
            families = ", ".join(f"'{name}'" for name in run.font.names)
            look = {"font-family": families, "font-size": number(run.size), "font-weight": str(run.font.weight)}
            place = {"x": number(run.x), "y": number(run.y), "fill": run.colour, "xml:space": "preserve"}
            element = ET.Element("text", {**place, **look})
            element.text = run.text
            into.append(element)
        return block.box

    def _add(self, tag: str, attributes: dict[str, str]) -> None:
        self.elements.append(ET.Element(tag, attributes))

    def _reached(self, box: Rect) -> None:
        self.reach.append(box)


def _round(points: Sequence[Point]) -> Rect:
    xs, ys = [p.x for p in points], [p.y for p in points]
    return Rect.between(min(xs), min(ys), max(xs), max(ys))


def _rim(colour: str) -> str:
    """What is seen round a colour: paper, or ink where the colour itself is light."""
    if not colour.startswith("#"):
        return PAPER
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return INK if 0.2126 * red + 0.7152 * green + 0.0722 * blue > LIGHT else PAPER
