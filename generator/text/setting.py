"""The settings of a text: its style, fonts, icons and language."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce

from generator.core.fonts import FontSet
from generator.pack.style import Caps, InlineLook, Style
from generator.text import bidi
from generator.text.lacking import check_characters, check_feature
from generator.text.markup import StyledText
from generator.text.shape import SMALL_CAPS, LetterLook, Metrics, measure_metrics

BOLD_WEIGHT = 700
# Height of an icon as a multiple of the cap height; its middle is at the middle of a capital.
ICON_HEIGHT_IN_CAPS = 1.2
# White space on either side of an icon in em, like the side bearings of letters.
ICON_SIDE_EM = 0.08

NO_INLINE_STYLE = InlineLook()
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
        return measure_metrics(self.look(StyledText("")).font)

    def look(self, span: StyledText) -> LetterLook:
        """Return the font of a span: bold is at least bold; italic in italic text is upright."""
        style = self.style
        inline = self.inline(span)
        weight = inline.weight or style.weight
        italic = style.italic if inline.italic is None else inline.italic
        font = self.fonts.find(
            inline.font or style.font, max(weight, BOLD_WEIGHT) if span.bold else weight, italic=italic != span.italic
        )
        caps = inline.caps or style.caps
        return LetterLook(
            font,
            (SMALL_CAPS,) if caps is Caps.SMALL else (),
            self.spacing,
            inline.size / style.size if inline.size else inline.scale,
            inline.rise / style.size,
            inline.colour,
            inline.underline,
            caps is Caps.UPPER,
        )

    def inline(self, span: StyledText) -> InlineLook:
        """Return the changes by the inline style of a span."""
        looks = (self.style.inline.get(mark, InlineLook()) for mark in span.marks)
        return reduce(InlineLook.with_inner, looks, InlineLook()) if span.marks else NO_INLINE_STYLE

    def check(self, text: str, look: LetterLook) -> None:
        """Raise Wrong if the font of a look lacks a character."""
        check_characters(text, look.font, self.fonts)
        for feature in look.features:
            check_feature(look.font, feature, "small capitals", self.fonts)

    def cased(self, text: str, look: LetterLook) -> str:
        """Return the text in the case of a look."""
        if not look.upper:
            return text
        dotted = self.lang.split("-")[0].split("_")[0].lower() in _DOTTED
        return (text.replace("i", "\u0130") if dotted else text).upper()

    def icon_size(self, name: str, look: LetterLook) -> tuple[float, float]:
        """Return the width and height of an icon in em, without the white space at its sides."""
        height = ICON_HEIGHT_IN_CAPS * self.metrics.cap * look.scale
        return height * self.icons[name], height
