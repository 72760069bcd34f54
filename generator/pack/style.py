"""Text styles: the named styles of a pack, and the changes that inline marks make."""

from dataclasses import dataclass
from enum import StrEnum

from generator.core.values import Frozen


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
class InlineLook:
    """The changes that `[…]` makes to the text up to `[/]`; empty and None fields change nothing.

    `size` is in mm; otherwise the text is scaled by `scale`. `rise` is the shift above the baseline in mm.
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

    def with_inner(self, inner: "InlineLook") -> "InlineLook":
        """Return the look of a mark inside a text that has this look."""
        scaled = 0.0 if inner.scale != 1.0 and not self.size else self.size * inner.scale
        return InlineLook(
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


INLINE_WORDS: Frozen[str, InlineLook] = Frozen(
    {
        "big": InlineLook(scale=1.25),
        "small": InlineLook(scale=0.8),
        "bold": InlineLook(weight=700),
        "italic": InlineLook(italic=True),
        "upright": InlineLook(italic=False),
        "underline": InlineLook(underline=True),
        "caps": InlineLook(caps=Caps.UPPER),
        "small-caps": InlineLook(caps=Caps.SMALL),
        "left": InlineLook(align=Align.LEFT),
        "center": InlineLook(align=Align.CENTER),
        "right": InlineLook(align=Align.RIGHT),
    }
)
"""The words of inline marks that every pack has, besides its styles and colours."""

NO_LOOKS: Frozen[str, InlineLook] = Frozen({})


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
    inline: Frozen[str, InlineLook] = NO_LOOKS
