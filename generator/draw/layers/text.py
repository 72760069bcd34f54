"""`text: $title`: text in a box, in an outline, around pictures or along a line.

`blocks: [...]` sets texts, rules and spaces in a column, sharing the height of a box.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from generator.base.errors import InvalidValueError, Kind
from generator.base.geometry import EPSILON, Affine, Point, Rect
from generator.base.paths import Track
from generator.base.paths import track as path_track
from generator.base.polygon import box_around
from generator.base.units import number, points
from generator.draw.canvas import Canvas, DrawnLayer
from generator.draw.layers.shapes import CIRCLE_CORNERS, AnyShape, TextArea
from generator.pack.fields import (
    Above,
    Axes,
    Box,
    Colour,
    Length,
    Line,
    NotNegative,
    Place,
    Real,
    StyleField,
    Text,
    TextSize,
    Weight,
)
from generator.pack.game import Spec
from generator.pack.text_marks import check_marks, style_with_text_marks
from generator.pack.validation import only_one
from generator.text import (
    Block,
    OverflowingTextError,
    TextSpace,
    has_rtl,
    is_rtl_language,
    set_text,
    split_letters,
)
from generator.text.style import Align, Style, VAlign

LONG_LINE_BOX = Rect(0.0, 0.0, 5_000.0, 1_000.0)
"""mm; a box in which no text along a line wraps."""
CAPITAL_HEIGHT = 0.7
"""The usual height of capitals in em."""

SCALE_STEP = 0.02
"""The step by which texts that share a height shrink."""

TALL_BOX_MM = 2_000.0
"""The height of a box in which any text fits, to measure the text's own height."""


def set_on(
    canvas: Canvas, text: str, style: Style, box: Rect | TextSpace, fit: float | None
) -> Block:
    """Set a text with the fonts, icons and language of a canvas."""
    subject = canvas.subject
    return set_text(
        text,
        style,
        box,
        subject.fonts,
        icons=canvas.icon_widths(),
        lang=subject.language,
        minimum=fit,
    )


def fit_to_height(
    measure_heights: Callable[[float], list[float]], max_height: float, min_scale: float
) -> tuple[float, list[float]]:
    """Return the largest scale at which texts fit into a shared height, and their heights in mm.

    `measure_heights` returns the heights at a scale. At `min_scale`, the heights are returned even if
    they do not fit, and an `OverflowingTextError` is raised.
    """
    scale = 1.0
    while True:
        is_last = scale <= min_scale
        try:
            heights = measure_heights(scale)
        except OverflowingTextError:
            if is_last:
                raise
        else:
            if is_last or sum(heights) <= max_height + EPSILON:
                return scale, heights
        scale = max(scale - SCALE_STEP, min_scale)


class StyleChanges(Spec):
    """The settings of a style that a text can change, for example by a column."""

    colour: Colour | None = None
    font: Text | None = None
    weight: Weight | None = None
    size: TextSize | None = None

    def change(self, style: Style, axes: Mapping[str, float], **more: Any) -> Style:
        """Return a style with the settings given here, and `more`; None changes nothing.

        Axes that `axes` does not name keep their values, unless the font is another.
        """
        settings = {name: getattr(self, name) for name in StyleChanges.model_fields} | more
        unchanged_axes = style.axes if self.font in {None, style.font} else ()
        settings["axes"] = tuple(sorted({**dict(unchanged_axes), **axes}.items()))
        return replace(
            style, **{name: value for name, value in settings.items() if value is not None}
        )


class TextArc(Spec):
    """A circular arc around `at` for text: clockwise between two angles in degrees from the top, or back."""

    radius: Above
    at: Place = Field(default="center", validate_default=True)
    start: Real = Field(default=-90.0, alias="from")
    end: Real = Field(default=90.0, alias="to")

    @property
    def track(self) -> Track:
        """Return the baseline."""
        turns = (
            self.start + (self.end - self.start) * n / CIRCLE_CORNERS
            for n in range(CIRCLE_CORNERS + 1)
        )
        return Track(tuple(self.at + Point(0.0, -self.radius).turned(turn) for turn in turns))


def _shape_mapping(value: object) -> object:
    """Return a shape's mapping; a box alone becomes a rectangle, `trim` the piece's outline."""
    is_box = isinstance(value, str) or (
        isinstance(value, list) and len(value) == 4 and isinstance(value[0], str)
    )
    return {"inset": "0"} if value == "trim" else {"rect": value} if is_box else value


def _shape_mappings(value: object) -> object:
    is_box = isinstance(value, list) and bool(value) and isinstance(value[0], str)
    shapes = value if isinstance(value, list) and not is_box else [value]
    return [{"rect": item} if isinstance(item, str) else _shape_mapping(item) for item in shapes]


_Around = AnyShape | Box | list[AnyShape | Box]


class TextLayer(StyleChanges, DrawnLayer):
    """Text in a box, `inside` an outline, or along an `arc` or a `path`.

    With `fit` the text may shrink to that size; if it is still too long, the build fails. All
    texts of a component with the same word in `together` get one size. Shapes in `around` displace
    the lines by `gap` mm. `outline` is a line around every letter; `shadow` is its offset and
    colour.
    """

    main: ClassVar[str | None] = "text"
    instead: ClassVar[Mapping[str, tuple[str, str]]] = {
        "at": (
            "a text needs a box",
            "`box: [5, 8, 50, 12]`, for example: left, top, width and height in mm",
        ),
    }
    text: Text
    box: Box | None = None
    style: StyleField
    axes: Axes = Field(default_factory=dict)
    fit: TextSize | None = None
    together: Text = ""
    align: Align | None = None
    valign: VAlign | None = None
    turn: Real = 0.0
    outline: Line = None
    shadow: Line = None
    inside: Annotated[
        TextArea | None,
        BeforeValidator(_shape_mapping, json_schema_input_type=TextArea | Box),
    ] = None
    around: Annotated[
        tuple[AnyShape, ...], BeforeValidator(_shape_mappings, json_schema_input_type=_Around)
    ] = ()
    gap: NotNegative = 1.0
    arc: TextArc | None = None
    path: Text | None = None

    _check_text = field_validator("text")(check_marks)
    _add_marks = field_validator("style")(style_with_text_marks)
    _check_one_place = model_validator(mode="after")(
        only_one(
            ("box", "inside", "arc", "path"),
            "the text has no place",
            "{both} at once",
            "box: [x, y, width, height], or one of inside, arc and path",
        )
    )

    @model_validator(mode="after")
    def _check_around(self) -> Self:
        if self.around and self.box is None:
            raise InvalidValueError(
                "around: only text in a box can flow around pictures", "box: [x, y, width, height]"
            )
        return self

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.together and self.fit is None:
            raise InvalidValueError(
                "together: only texts that may shrink share a size",
                "fit: and the smallest size, such as 7pt",
            )
        return self

    @property
    def styled(self) -> Style:
        """Return the style with this layer's changes."""
        return self.change(self.style, self.axes, align=self.align, valign=self.valign)

    @property
    def styles(self) -> tuple[Style, ...]:
        """Return the style of the text."""
        return (self.styled,)

    def fitting_size(self, canvas: Canvas) -> float:
        """Return the largest size in mm at which the text fits, or the smallest allowed if none does."""
        try:
            return set_on(canvas, self.text, self.styled, self._text_area(canvas), self.fit).size
        except OverflowingTextError as over:
            return over.block.size

    def draw(self, canvas: Canvas) -> None:
        """Set the text and draw its runs; raise `OverflowingTextError` if the text does not fit."""
        if not self.text.strip():
            return None
        track = self.arc.track if self.arc else path_track(self.path) if self.path else None
        if track:
            return self._draw_along(canvas, track)
        space = self._text_area(canvas)
        try:
            self._draw_block(canvas, set_on(canvas, self.text, self.styled, space, self.fit), space)
        except OverflowingTextError as over:
            self._draw_block(canvas, over.block, space)
            raise

    def _text_area(self, canvas: Canvas) -> Rect | TextSpace:
        if self.inside:
            corners = self.inside.within(canvas.subject.outline)
            return TextSpace(box_around(corners), corners)
        box = self.box or canvas.subject.full
        return (
            TextSpace(box, (), tuple(shape.corners() for shape in self.around), self.gap)
            if self.around
            else box
        )

    def _draw_block(self, canvas: Canvas, block: Block, space: Rect | TextSpace) -> None:
        box = space.box if isinstance(space, TextSpace) else space
        if self.box:
            canvas.note_text_box(box, self.turn)
        with canvas.turned(box.centre, self.turn):
            canvas.block(block, self.outline, self.shadow)
            canvas.keep_safe("text", block.box, letters=block.letters)

    def _draw_along(self, canvas: Canvas, track: Track) -> None:
        """Set the text as one line, and each letter on the track.

        Draw it even if it is too long.
        """
        style = replace(self.styled, align=Align.LEFT, valign=VAlign.TOP)
        block = set_on(canvas, self.text, style, LONG_LINE_BOX, None)
        if block.lines > 1 or has_rtl(self.text):
            raise InvalidValueError(
                "only a single line of left-to-right text can follow a path",
                "a short text, or a box",
            )
        if block.box.w > track.length and self.fit:
            size = max(style.size * track.length / block.box.w, min(self.fit, style.size))
            block = set_on(canvas, self.text, replace(style, size=size), LONG_LINE_BOX, None)
        left = track.length - block.box.w
        align = self.styled.align.on_page(is_rtl=is_rtl_language(canvas.subject.language))
        first = {Align.CENTER: left / 2, Align.RIGHT: left}.get(align, 0.0) - block.box.x
        letters = list(place_letters(block, track, first))
        # All outlines and shadows lie below all letters, so that none covers the letter before.
        if self.outline or self.shadow:
            for move, letter in letters:
                with canvas.transformed(move):
                    canvas.block(letter, self.outline, self.shadow)
        for move, letter in letters:
            with canvas.transformed(move):
                canvas.block(letter)
                canvas.keep_safe("text", letter.box)
        if left < -EPSILON:
            found = f"the text is {number(-left)} mm too long for its line at {number(points(block.size))} pt"
            hint = "shorten the text, or let it shrink with `fit:`"
            raise InvalidValueError(found, f"at most {number(track.length)} mm", hint, Kind.FIT)


def place_letters(block: Block, track: Track, first: float) -> Iterator[tuple[Affine, Block]]:
    """Yield each letter and icon of a line, with its transform to the track.

    The line begins at `first` mm.
    """
    base = max(block.runs, key=lambda run: run.width).y if block.runs else block.box.bottom
    for letter in (letter for run in block.runs for letter in split_letters(run)):
        move = Affine.moving(Point(0, 0), *track.at(first + letter.x + letter.width / 2))
        run = replace(letter, x=-letter.width / 2, y=letter.y - base)
        ink = Rect(
            run.x, run.y - run.size * CAPITAL_HEIGHT, letter.width, run.size * CAPITAL_HEIGHT
        )
        yield move, Block((run,), (), block.size, ink, 1)
    for icon in block.icons:
        box = icon.box.shifted((-icon.box.centre.x, -base))
        yield (
            Affine.moving(Point(0, 0), *track.at(first + icon.box.centre.x)),
            Block((), (replace(icon, box=box),), block.size, box, 1),
        )


class BlockSpec(StyleChanges):
    """A block: a text, a `rule` across the box, or a `space`.

    It is left out unless `when` holds.
    """

    text: Text = ""
    style: StyleField | None = None
    axes: Axes = Field(default_factory=dict)
    align: Align | None = None
    rule: Line = None
    space: Length = 0.0
    when: Text = ""

    _check_text = field_validator("text")(check_marks)
    _add_marks = field_validator("style")(style_with_text_marks)

    @model_validator(mode="after")
    def _check_one_kind(self) -> "BlockSpec":
        if len(self.model_fields_set & {"text", "rule", "space"}) != 1:
            raise InvalidValueError(
                "a block with no content, or with two kinds",
                "text: with a style, rule: 0.3mm $ink, or space: 2mm",
            )
        if "text" in self.model_fields_set and self.style is None:
            raise InvalidValueError("a text without a style", "style: and the name of one")
        return self

    @property
    def styled(self) -> Style:
        """Return the style with this block's changes."""
        return self.change(self.style or Style(), self.axes, align=self.align, valign=VAlign.TOP)


def _check_list(value: object) -> object:
    if not isinstance(value, list | tuple):
        raise InvalidValueError(
            "this is not a list of blocks",
            "such as `- text: $title`, `- rule: 0.3mm $ink`, each with its dash",
        )
    return value


class BlocksLayer(DrawnLayer):
    """Blocks in a column, `gap` mm apart.

    With `fit` all texts shrink together, down to that size.
    """

    main: ClassVar[str | None] = "blocks"
    blocks: Annotated[tuple[BlockSpec, ...], BeforeValidator(_check_list)]
    box: Box
    gap: Length = 1.0
    fit: TextSize | None = None
    valign: Literal["top", "middle", "bottom", "spread"] = "top"

    @property
    def styles(self) -> tuple[Style, ...]:
        """Return the styles of the blocks."""
        return tuple(block.styled for block in self.blocks if block.style)

    def draw(self, canvas: Canvas) -> None:
        """Set the blocks as large as they fit.

        Raise `InvalidValueError` if they are too tall at the smallest size.
        """
        visible = [block for block in self.blocks if block.style is None or block.text.strip()]
        if not any(block.style for block in visible):
            return
        smallest = min(block.styled.size for block in visible if block.style)
        max_height = self.box.h - self.gap * (len(visible) - 1)
        min_scale = self.fit / smallest if self.fit else 1.0
        scale, heights = fit_to_height(
            lambda scale: self._block_heights(canvas, visible, scale), max_height, min_scale
        )
        if self._unused_height(heights) < -EPSILON:
            self._draw_blocks(canvas, visible, heights, scale)
            over = number(-self._unused_height(heights))
            size = number(points(smallest * scale))
            found = (
                f"the blocks are {over} mm too tall for their box, their smallest text at {size} pt"
            )
            hint = "shorten the texts, enlarge the box, or allow smaller ones with `fit:`"
            raise InvalidValueError(found, f"at most {number(self.box.h)} mm", hint, Kind.FIT)
        self._draw_blocks(canvas, visible, heights, scale)

    def _unused_height(self, heights: Sequence[float]) -> float:
        """Return the height of the box in mm that no block uses."""
        return self.box.h - sum(heights) - self.gap * (len(heights) - 1)

    def _block_heights(
        self, canvas: Canvas, visible: Sequence[BlockSpec], scale: float
    ) -> list[float]:
        return [self._block_height(canvas, block, scale) for block in visible]

    def _block_height(self, canvas: Canvas, block: BlockSpec, scale: float) -> float:
        if block.style is None:
            return block.rule.width if block.rule else block.space
        block_set = self._set_text(canvas, block, 0.0, scale)
        return max(block_set.box.bottom, block_set.lines * block_set.size * block.styled.leading)

    def _set_text(self, canvas: Canvas, block: BlockSpec, top: float, scale: float) -> Block:
        style = replace(block.styled, size=block.styled.size * scale)
        return set_on(
            canvas, block.text, style, Rect(self.box.x, top, self.box.w, TALL_BOX_MM), None
        )

    def _draw_blocks(
        self, canvas: Canvas, visible: Sequence[BlockSpec], heights: Sequence[float], scale: float
    ) -> None:
        """Draw the blocks; unused height goes below, above, around or between them."""
        left = self._unused_height(heights)
        top = (
            self.box.y
            + {"top": 0.0, "spread": 0.0, "middle": left / 2, "bottom": left}[self.valign]
        )
        between = self.gap + (left / max(len(visible) - 1, 1) if self.valign == "spread" else 0.0)
        for block, height in zip(visible, heights, strict=True):
            if block.style is not None:
                block_set = self._set_text(canvas, block, top, scale)
                canvas.block(block_set)
                canvas.keep_safe("text", block_set.box, letters=block_set.letters)
            elif block.rule:
                y = number(top + block.rule.width / 2)
                canvas.path(
                    f"M{number(self.box.x)} {y}H{number(self.box.right)}", "none", block.rule
                )
            top += height + between
