"""What a text is set with: its style, the fonts of the job, the icons, the language."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce

from generator.core.fonts import FontSet
from generator.pack.style import Caps, InlineLook, Style
from generator.text import bidi
from generator.text.lacking import check_characters, check_feature
from generator.text.markup import StyledText
from generator.text.shape import SMALL_CAPS, LetterLook, Metrics, metrics

BOLD = 700
ICON_HEIGHT = 1.2
"""An icon is a little taller than a capital, and its middle stands at the middle of one."""
ICON_SIDE = 0.08
"""The white on either side of an icon, in em, as letters have it."""

PLAIN = InlineLook()
_DOTTED = {"tr", "az"}


@dataclass(frozen=True)
class Setting:
    """The same for every paragraph and every size of a text."""

    style: Style
    fonts: FontSet
    icons: Mapping[str, float]
    lang: str

    @cached_property
    def is_rtl(self) -> bool:
        """Return whether the language is written from right to left."""
        return bidi.is_rtl_language(self.lang)

    @property
    def spacing(self) -> float:
        """The letter spacing in em, so that it shrinks with the letters."""
        return self.style.spacing / self.style.size

    @cached_property
    def metrics(self) -> Metrics:
        """The heights of the style's own font."""
        return metrics(self.look(StyledText("")).font)

    def look(self, span: StyledText) -> LetterLook:
        """The font of a stretch of text: bold is at least bold, italic in an italic text stands upright."""
        style, inline = self.style, self.inline(span)
        weight = inline.weight or style.weight
        italic = style.italic if inline.italic is None else inline.italic
        font = self.fonts.find(
            inline.font or style.font, max(weight, BOLD) if span.bold else weight, italic=italic != span.italic
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
        """What the brackets round a stretch of text change."""
        looks = (self.style.inline.get(mark, InlineLook()) for mark in span.marks)
        return reduce(InlineLook.with_inner, looks, InlineLook()) if span.marks else PLAIN

    def check(self, text: str, look: LetterLook) -> None:
        """Raise when a look's font cannot draw a text."""
        check_characters(text, look.font, self.fonts)
        for feature in look.features:
            check_feature(look.font, feature, "small capitals", self.fonts)

    def cased(self, text: str, look: LetterLook) -> str:
        """The text in the letters that its look wants."""
        if not look.upper:
            return text
        dotted = self.lang.split("-")[0].split("_")[0].lower() in _DOTTED
        return (text.replace("i", "\u0130") if dotted else text).upper()

    def icon_size(self, name: str, look: LetterLook) -> tuple[float, float]:
        """Width and height of an icon in em, without the white on its sides."""
        height = ICON_HEIGHT * self.metrics.cap * look.scale
        return height * self.icons[name], height
