"""Text styles: the named styles of a pack, and the changes that inline marks make."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, reduce
from itertools import groupby
from operator import itemgetter

from generator.base.fonts import SYMBOL_FAMILIES, AxisValues, FontFile, FontSet, family_at
from generator.base.values import Frozen
from generator.text import bidi
from generator.text.markup import StyledText
from generator.text.shape import (
    SMALL_CAPS,
    LetterStyle,
    Metrics,
    check_characters,
    check_small_caps,
    has_character,
    measure_metrics,
)


class Align(StrEnum):
    """The horizontal alignment of lines; `start` is the side where the language begins to read."""

    START = "start"
    END = "end"
    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"
    JUSTIFY = "justify"

    def on_page(self, *, is_rtl: bool) -> "Align":
        """Return `left` or `right` in place of `start` or `end`."""
        if self is Align.START:
            return Align.RIGHT if is_rtl else Align.LEFT
        if self is Align.END:
            return Align.LEFT if is_rtl else Align.RIGHT
        return self


class VAlign(StrEnum):
    """The vertical alignment of a text in its box."""

    TOP = "top"
    MIDDLE = "middle"
    BOTTOM = "bottom"


class Caps(StrEnum):
    """The case of letters: as written, small capitals (which the font must have), or capitals."""

    NORMAL = "normal"
    SMALL = "small"
    UPPER = "upper"


@dataclass(frozen=True)
class InlineStyle:
    """The changes that `[…]` makes to the text up to `[/]`; empty and None fields change nothing.

    `size` is in mm; otherwise the text is scaled by `scale`. `rise` is the shift above the baseline
    in mm.
    """

    font: str = ""
    weight: int = 0
    italic: bool | None = None
    size: float = 0.0
    scale: float = 1.0
    colour: str = ""
    caps: Caps | None = None
    align: Align | None = None
    underline: bool = False
    rise: float = 0.0

    def with_inner(self, inner: "InlineStyle") -> "InlineStyle":
        """Return the style of a mark inside a text with this inline style."""
        scaled = 0.0 if inner.scale != 1.0 and not self.size else self.size * inner.scale
        return InlineStyle(
            font=inner.font or self.font,
            weight=inner.weight or self.weight,
            italic=self.italic if inner.italic is None else inner.italic,
            size=inner.size or scaled,
            scale=self.scale * inner.scale,
            colour=inner.colour or self.colour,
            caps=inner.caps or self.caps,
            align=inner.align or self.align,
            underline=inner.underline or self.underline,
            rise=inner.rise or self.rise,
        )


INLINE_WORDS: Frozen[str, InlineStyle] = Frozen(
    {
        "big": InlineStyle(scale=1.25),
        "small": InlineStyle(scale=0.8),
        "bold": InlineStyle(weight=700),
        "italic": InlineStyle(italic=True),
        "upright": InlineStyle(italic=False),
        "underline": InlineStyle(underline=True),
        "caps": InlineStyle(caps=Caps.UPPER),
        "small-caps": InlineStyle(caps=Caps.SMALL),
        "left": InlineStyle(align=Align.LEFT),
        "center": InlineStyle(align=Align.CENTER),
        "right": InlineStyle(align=Align.RIGHT),
    }
)
"""The words of inline marks that every pack has, besides its styles and colours."""

NO_INLINE_STYLES: Frozen[str, InlineStyle] = Frozen({})


@dataclass(frozen=True)
class Style:
    """A text style; `size` and `spacing` in mm, `leading` as a multiple of the size.

    `inline` holds the meaning of the inline marks in a text of this style.
    """

    font: str = "Alegreya Sans"
    weight: int = 400
    italic: bool = False
    size: float = 3.5
    colour: str = "#000000"
    align: Align = Align.START
    valign: VAlign = VAlign.TOP
    leading: float = 1.2
    spacing: float = 0.0
    caps: Caps = Caps.NORMAL
    hyphenate: bool = False
    inline: Frozen[str, InlineStyle] = NO_INLINE_STYLES
    keep_spaces: bool = False
    others: tuple[str, ...] = ()
    """Families for the characters that `font` lacks, the preferred first."""
    axes: AxisValues = ()
    """Values on the axes of `font`, if that is a variable font."""

    @property
    def family(self) -> str:
        """The family under which the fonts of a game have `font` at the values of its axes."""
        return family_at(self.font, self.axes)


# CSS calls the weight 700 `bold` (CSS Fonts 4, 2.2.1), so `**…**` looks the same on paper and on a web page.
BOLD_WEIGHT = 700
# Height of an icon as a multiple of the cap height; its middle is at the middle of a capital.
ICON_HEIGHT_IN_CAPS = 1.2
# White space on either side of an icon in em, like the side bearings of letters.
ICON_SIDE_EM = 0.08

NO_CHANGE = InlineStyle()
# In Turkish and Azerbaijani the capital of i has a dot, which Python's `upper` drops.
_DOTTED = {"tr", "az"}


@dataclass(frozen=True)
class Setting:
    """The settings shared by all paragraphs and sizes of a text."""

    style: Style
    fonts: FontSet
    icons: Mapping[str, float]
    lang: str

    @cached_property
    def is_rtl(self) -> bool:
        """True if the language is written from right to left."""
        return bidi.is_rtl_language(self.lang)

    @property
    def spacing(self) -> float:
        """The letter spacing in em, so that it shrinks with the letters."""
        return self.style.spacing / self.style.size

    @cached_property
    def metrics(self) -> Metrics:
        """The heights of the style's own font."""
        return measure_metrics(self.letter_style(StyledText("")).font)

    def letter_style(self, span: StyledText) -> LetterStyle:
        """Return the letters of a span: bold is at least bold; italic in italic text is upright."""
        style = self.style
        inline = self.inline(span)
        weight = inline.weight or style.weight
        weight = max(weight, BOLD_WEIGHT) if span.bold else weight
        italic = (style.italic if inline.italic is None else inline.italic) != span.italic
        if span.family:
            font = self.fonts.nearest_face(span.family, weight, italic=italic)
        else:
            font = self.fonts.find(inline.font or style.family, weight, italic=italic)
        caps = inline.caps or style.caps
        return LetterStyle(
            font,
            (SMALL_CAPS,) if caps is Caps.SMALL and not span.family else (),
            self.spacing,
            inline.size / style.size if inline.size else inline.scale,
            inline.rise / style.size,
            inline.colour,
            inline.underline,
            caps is Caps.UPPER,
        )

    def split_by_font(self, spans: Iterable[StyledText]) -> Iterator[StyledText]:
        """Yield the spans with another family for each run that the style's font cannot draw.

        The families are the style's `others`, then ours for symbols and emoji.
        """
        for span in spans:
            if span.icon or (span.text.isascii() and not self.style.others):
                yield span
                continue
            font = self.letter_style(span).font
            families: list[str] = []
            for character in span.text:
                families.append(self._family_for(character, font, families[-1:]))
            runs = groupby(zip(families, span.text, strict=True), key=itemgetter(0))
            for family, run in runs:
                yield replace(span, text="".join(char for _, char in run), family=family)

    def _family_for(self, character: str, font: FontFile, before: Sequence[str]) -> str:
        """Return the first of `others` with a character; empty if the own font has it, or none.

        Accents and joiners stay in the font of the letter before them, and so do blanks, so that a
        word in another script is shaped as one run.
        """
        is_joined = character.isspace() or unicodedata.category(character) in {"Mn", "Me", "Cf"}
        if is_joined and before and not (character.isspace() and before[0] in SYMBOL_FAMILIES):
            return before[0]
        if has_character(font, character):
            return ""
        return next(
            (
                family
                for family in (*self.style.others, *SYMBOL_FAMILIES)
                if has_character(self.fonts.nearest_face(family), character)
            ),
            "",
        )

    def inline(self, span: StyledText) -> InlineStyle:
        """Return the changes by the inline style of a span."""
        changes = (self.style.inline.get(mark, NO_CHANGE) for mark in span.marks)
        return reduce(InlineStyle.with_inner, changes, NO_CHANGE)

    def check(self, text: str, letter_style: LetterStyle) -> None:
        """Raise InvalidValueError if the font of a style lacks a character, or small capitals that it needs."""
        check_characters(text, letter_style.font, self.fonts)
        if SMALL_CAPS in letter_style.features:
            check_small_caps(letter_style.font, self.fonts)

    def change_case(self, text: str, letter_style: LetterStyle) -> str:
        """Return the text in the case of a style."""
        if not letter_style.upper:
            return text
        dotted = self.lang.split("-")[0].split("_")[0].lower() in _DOTTED
        return (text.replace("i", "\u0130") if dotted else text).upper()

    def icon_size(self, name: str, letter_style: LetterStyle) -> tuple[float, float]:
        """Return the width and height of an icon in em, without the white space at its sides."""
        height = ICON_HEIGHT_IN_CAPS * self.metrics.cap * letter_style.scale
        return height * self.icons[name], height
