"""What a text is set with: its style, the fonts of the job, the icons, the language."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from generator.core.fonts import FontSet
from generator.pack.game import Caps, Style
from generator.text.markup import StyledText
from generator.text.shape import SMALL_CAPS, LetterLook, Metrics, check_characters, check_feature, metrics

BOLD = 700
ICON_HEIGHT = 1.2
"""An icon is a little taller than a capital, and its middle stands at the middle of one."""
ICON_SIDE = 0.08
"""The white on either side of an icon, in em, as letters have it."""

_DOTTED = {"tr", "az"}


@dataclass(frozen=True)
class Setting:
    """The same for every paragraph and every size of a text."""

    style: Style
    fonts: FontSet
    icons: Mapping[str, float]
    lang: str

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
        weight = max(self.style.weight, BOLD) if span.bold else self.style.weight
        font = self.fonts.find(self.style.font, weight, italic=self.style.italic != span.italic)
        features = (SMALL_CAPS,) if self.style.caps is Caps.SMALL else ()
        return LetterLook(font, features, self.spacing)

    def check(self, text: str, look: LetterLook) -> None:
        """Raise when a look's font cannot draw a text."""
        check_characters(text, look.font, self.fonts)
        for feature in look.features:
            check_feature(look.font, feature, "small capitals", self.fonts)

    def cased(self, text: str) -> str:
        """The text in the letters that the style wants."""
        if self.style.caps is not Caps.UPPER:
            return text
        dotted = self.lang.split("-")[0].split("_")[0].lower() in _DOTTED
        return (text.replace("i", "\u0130") if dotted else text).upper()

    def icon_size(self, name: str) -> tuple[float, float]:
        """Width and height of an icon in em, without the white on its sides."""
        height = ICON_HEIGHT * self.metrics.cap
        return height * self.icons[name], height
