"""`text: $title` — words in a box, in an outline, round pictures or along a line, set in one of the pack's styles."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from generator.core.geometry import EPSILON, Point, Rect
from generator.core.paths import Track
from generator.core.paths import track as path_track
from generator.core.problems import Kind, Wrong
from generator.core.units import number, points
from generator.draw.canvas import Canvas
from generator.draw.layers.base import DrawnLayer
from generator.draw.layers.shapes import ROUND, AnyShape, TextArea
from generator.pack import fields
from generator.pack.game import GroupMove
from generator.pack.looks import check_marks, style_with_text_marks
from generator.pack.style import Align, Style, VAlign
from generator.pack.validation import only_beside, only_one
from generator.text import Block, Overflow, TextRoom, has_rtl, is_rtl_language, letters, set_text

SETTINGS = ("colour", "align", "valign", "font", "weight", "size")
"""What a layer may say otherwise than its style."""
LONG = Rect(0.0, 0.0, 5_000.0, 1_000.0)
"""mm; where a line is set that goes along something."""
CAPITAL = 0.7
"""About how high a capital is, as a share of the size."""

FINE = 0.02
"""Texts that share a box shrink together, by fiftieths."""

DEEP = 2_000.0
"""mm; such a text is set with room enough, and its height is looked at afterwards."""


def set_on(canvas: Canvas, text: str, style: Style, box: Rect | TextRoom, fit: float | None) -> Block:
    """A text set with the fonts, the icons and the language of a canvas."""
    subject = canvas.subject
    return set_text(text, style, box, subject.fonts, icons=canvas.icon_widths(), lang=subject.language, minimum=fit)


def shared(needed: Callable[[float], list[float]], room: float, least: float) -> tuple[float, list[float]]:
    """How much smaller texts are set that share a height, and what each takes; at `least` they may take too much."""
    scale = 1.0
    while True:
        is_last = scale - FINE < least
        try:
            heights = needed(scale)
        except Overflow:
            if is_last:
                raise
        else:
            if is_last or sum(heights) <= room + EPSILON:
                return scale, heights
        scale -= FINE


class Bow(BaseModel):
    """Part of a circle round `at` that text goes along: clockwise between two angles, or back; 0 is at the top."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)
    radius: fields.Above
    at: fields.Place = Field(default="center", validate_default=True)
    start: fields.Real = Field(default=-90.0, alias="from")
    end: fields.Real = Field(default=90.0, alias="to")

    @property
    def track(self) -> Track:
        """The line that letters stand on."""
        turns = (self.start + (self.end - self.start) * n / ROUND for n in range(ROUND + 1))
        return Track(tuple(self.at + Point(0.0, -self.radius).turned(turn) for turn in turns))


def _area(value: object) -> object:
    """A shape; a box alone is a rectangle."""
    is_box = isinstance(value, str) or (isinstance(value, list) and len(value) == 4 and isinstance(value[0], str))
    return {"inset": "0"} if value == "trim" else {"rect": value} if is_box else value


def _areas(value: object) -> object:
    several = value if isinstance(value, list) and not (value and isinstance(value[0], str)) else [value]
    return [{"rect": one} if isinstance(one, str) else _area(one) for one in several]


_Around = AnyShape | fields.Box | list[AnyShape | fields.Box]


class TextLayer(DrawnLayer):
    """Text in a box, `inside` an outline, or along an `arc` or a `path`.

    With `fit` it may shrink to that size, and beyond that the build stops. What is `around` pushes its lines aside,
    `gap` mm away. `outline` is a line round every letter; a `shadow` lies so far below and to the right.
    """

    main: ClassVar[str | None] = "text"
    instead: ClassVar[Mapping[str, tuple[str, str]]] = {
        "at": ("a text needs a box", "`box: [5, 8, 50, 12]`, for example: left, top, width and height in mm"),
    }
    text: fields.Text
    box: fields.Box | None = None
    style: fields.StyleField
    fit: fields.TextSize | None = None
    colour: fields.Colour | None = None
    align: Align | None = None
    valign: VAlign | None = None
    font: fields.Text | None = None
    weight: fields.Weight | None = None
    size: fields.TextSize | None = None
    turn: fields.Real = 0.0
    outline: fields.Line = None
    shadow: fields.Line = None
    inside: Annotated[TextArea | None, BeforeValidator(_area, json_schema_input_type=TextArea | fields.Box)] = None
    around: Annotated[tuple[AnyShape, ...], BeforeValidator(_areas, json_schema_input_type=_Around)] = ()
    gap: fields.NotNegative = 1.0
    arc: Bow | None = None
    path: fields.Text | None = None

    _readable = field_validator("text")(check_marks)
    _looks = field_validator("style")(style_with_text_marks)
    _one_place = model_validator(mode="after")(
        only_one(
            ("box", "inside", "arc", "path"),
            "nothing says where the text stands",
            "{both} at once",
            "box: [x, y, width, height], or one of inside, arc and path",
        )
    )
    _round_in_box = model_validator(mode="after")(
        only_beside("around", "box", "around: only text in a box goes round anything", "box: [x, y, width, height]")
    )

    @property
    def own(self) -> Style:
        """The style with what is otherwise here."""
        given = {name: getattr(self, name) for name in SETTINGS}
        return replace(self.style, **{name: value for name, value in given.items() if value is not None})

    def draw(self, canvas: Canvas) -> None:
        """Set the text and put its runs on the canvas."""
        if not self.text.strip():
            return None
        track = self.arc.track if self.arc else path_track(self.path) if self.path else None
        if track:
            return self._along(canvas, track)
        room = self._room(canvas)
        try:
            self._put(canvas, set_on(canvas, self.text, self.own, room, self.fit), room)
        except Overflow as over:
            self._put(canvas, over.block, room)
            raise

    def _room(self, canvas: Canvas) -> Rect | TextRoom:
        if self.inside:
            ring = self.inside.within(canvas.subject.outline)
            xs, ys = [place.x for place in ring], [place.y for place in ring]
            return TextRoom(Rect.between(min(xs), min(ys), max(xs), max(ys)), ring)
        box = self.box or canvas.subject.full
        return TextRoom(box, (), tuple(shape.ring() for shape in self.around), self.gap) if self.around else box

    def _put(self, canvas: Canvas, block: Block, room: Rect | TextRoom) -> None:
        box = room.box if isinstance(room, TextRoom) else room
        with canvas.turned(box.centre, self.turn):
            canvas.block(block, self.outline, self.shadow)
            canvas.keep_safe("text", block.box, letters=block.letters)

    def _along(self, canvas: Canvas, track: Track) -> None:
        """Set the text as one line, and each of its letters on the track; what is too long is drawn all the same."""
        style = replace(self.own, align=Align.LEFT, valign=VAlign.TOP)
        block = set_on(canvas, self.text, style, LONG, None)
        if block.lines > 1 or has_rtl(self.text):
            raise Wrong("only one line that runs from left to right goes along a line", "a short text, or a box for it")
        if block.box.w > track.length and self.fit:
            size = max(style.size * track.length / block.box.w, min(self.fit, style.size))
            block = set_on(canvas, self.text, replace(style, size=size), LONG, None)
        left = track.length - block.box.w
        align = self.own.align.on_page(is_rtl=is_rtl_language(canvas.subject.language))
        first = {Align.CENTER: left / 2, Align.RIGHT: left}.get(align, 0.0) - block.box.x
        for line, shadow in [(self.outline, self.shadow), (None, None)][not (self.outline or self.shadow) :]:
            for move, letter in strung(block, track, first):
                with canvas.moved((move,)):
                    canvas.block(letter, line, shadow)
                    canvas.keep_safe("text", letter.box)
        if left < -EPSILON:
            found = f"the text is {number(-left)} mm too long for its line at {number(points(block.size))} pt"
            hint = "shorten the text, or let it shrink with `fit:`"
            raise Wrong(found, f"at most {number(track.length)} mm", hint, Kind.FIT)


def strung(block: Block, track: Track, first: float) -> Iterator[tuple[GroupMove, Block]]:
    """The letters and icons of a line, each round the place on a track where it stands; the line begins at `first`."""
    base = max(block.runs, key=lambda run: run.width).y if block.runs else block.box.bottom
    for letter in (letter for run in block.runs for letter in letters(run)):
        move = GroupMove(*track.at(first + letter.x + letter.width / 2))
        run = replace(letter, x=-letter.width / 2, y=letter.y - base)
        ink = Rect(run.x, run.y - run.size * CAPITAL, letter.width, run.size * CAPITAL)
        yield move, Block((run,), (), block.size, ink, 1)
    for icon in block.icons:
        box = icon.box.shifted((-icon.box.centre.x, -base))
        yield GroupMove(*track.at(first + icon.box.centre.x)), Block((), (replace(icon, box=box),), block.size, box, 1)
