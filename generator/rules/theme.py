"""The style of a booklet that a pack chooses: type, colours and a theme."""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.base.fonts import FontFile
from generator.picture.face import Face

INK = "#1f1b18"
WHITE = "#ffffff"
# Lighter colours are not used for text on white, and as a background take dark text. A grey of this
# luma has a contrast of 4.8:1 on white; WCAG 2.2 asks for 4.5:1, and for 3:1 of large text (1.4.3).
# Vivid colours at the limit have less: orange 3.6:1, green 3.5:1, bright magenta 2.9:1.
MAX_LUMA_ON_WHITE = 0.45


def luma(colour: str) -> float:
    """Return the luma of a colour `#rrggbb`, from 0 to 1: the weighted sum of its sRGB values.

    The weights are those of WCAG's relative luminance, which weighs linear values
    (`base/colours.py`).
    """
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def text_colour_on(fill: str) -> str:
    """Return the colour of text that is legible on a colour."""
    return WHITE if luma(fill) <= MAX_LUMA_ON_WHITE else INK


@dataclass(frozen=True)
class ThemePictures:
    """The pictures of a theme.

    `behind` is the page background, `head` and `foot` repeat along the edges of pages. `first` is
    the first page and `back` the back cover. `rule` repeats under headings, `mark` precedes them.
    `numeral` is behind the numbers of steps, and `bullet` replaces dots. `fillers` fill the feet of
    pages in turn.
    """

    behind: Face | None = None
    head: Face | None = None
    foot: Face | None = None
    first: Face | None = None
    back: Face | None = None
    rule: Face | None = None
    mark: Face | None = None
    numeral: Face | None = None
    bullet: Face | None = None
    fillers: tuple[Face, ...] = ()

    @property
    def faces(self) -> Iterator[Face]:
        """All pictures of the theme."""
        for picture in vars(self).values():
            if isinstance(picture, Face):
                yield picture
        yield from self.fillers

    @property
    def tails(self) -> tuple[Face, ...]:
        """The pictures for the feet of pages: the fillers, or without any the art of the back cover."""
        return self.fillers or ((self.back,) if self.back else ())


@dataclass(frozen=True)
class Theme:
    """The colours of a booklet; an empty one leaves its part out.

    `page` is the background, `headings` the style of section headings and `band` its colour, `box`
    the background of boxes, `title` the title on the cover picture, `numerals` the numbers on the
    art behind them, `initial` the initial of the booklet. `frame` is the width (mm) and colour of
    the line around figures. On a `lettered` cover, the picture shows the title.
    """

    page: str = ""
    band: str = ""
    box: str = ""
    title: str = ""
    lettered: bool = False
    headings: str = ""
    numerals: str = ""
    initial: str = ""
    frame: tuple[float, str] | None = None
    pictures: ThemePictures = ThemePictures()

    @property
    def fills_cover(self) -> bool:
        """True if the picture of the cover fills its page, with the title on it."""
        return self.lettered or bool(self.title)

    @property
    def on_numeral(self) -> str:
        """The colour of numbers on their art, which is expected to be dark."""
        return self.numerals or WHITE

    @property
    def heading_style(self) -> str:
        """The style of section headings: the chosen one, or a ribbon in the colour of `band`."""
        return self.headings or ("ribbon" if self.band else "rule")


@dataclass(frozen=True)
class BookletStyle:
    """The style of a booklet: fonts, colours, columns of the page, cover picture and theme.

    A colour that would be illegible on white paper is replaced by ink.
    """

    heading: FontFile
    colour: str
    accent: str
    columns: int = 2
    cover: Face | None = None
    theme: Theme = Theme()

    @property
    def heading_fill(self) -> str:
        """The colour of the ornaments of section headings."""
        return self.theme.band or self.accent

    @property
    def heading_colour(self) -> str:
        """The colour of the words of section headings."""
        if self.theme.heading_style != "ribbon":
            return self.colour
        return text_colour_on(self.heading_fill)

    def __post_init__(self) -> None:
        for name in ("colour", "accent"):
            colour = getattr(self, name)
            if not colour.startswith("#") or luma(colour) > MAX_LUMA_ON_WHITE:
                object.__setattr__(self, name, INK)
