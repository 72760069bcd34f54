"""What the pack decides of a booklet's looks: its type, its colours, and a face of its own."""

from dataclasses import dataclass

from generator.core.fonts import FontFile
from generator.picture.face import Face

INK = "#1f1b18"
WHITE = "#ffffff"
LIGHTEST = 0.45
"""The luminance past which a colour is no longer read on white, and ink is read on it."""


def luminance(colour: str) -> float:
    """How light a colour `#rrggbb` is, from 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@dataclass(frozen=True)
class Dress:
    """The pictures of a theme by their place.

    Behind the text of every page, repeated along its head and its foot, across the first page, round the words of the
    back cover, repeated under headings, before them, under the numbers of steps, and in the place of dots.
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


@dataclass(frozen=True)
class Theme:
    """A booklet's face.

    Colours: of the page, of a band behind headings, of boxes, of the title on the cover's picture, of what stands on
    the art under numbers, of the letters that sections begin with; without one there is none of these. The frame is a
    line round figures, in mm.
    """

    page: str = ""
    band: str = ""
    box: str = ""
    title: str = ""
    numerals: str = ""
    initial: str = ""
    frame: tuple[float, str] | None = None
    dress: Dress = Dress()

    @property
    def on_numeral(self) -> str:
        """What is read on the art under numbers, which is meant to be dark."""
        return self.numerals or WHITE

    @property
    def on_band(self) -> str:
        """What is read on the band."""
        return WHITE if luminance(self.band) <= LIGHTEST else INK


@dataclass(frozen=True)
class Look:
    """What the pack decides of the looks; `columns` are those of the page to read, `cover` its picture.

    A colour that could not be read on white paper is ink instead.
    """

    heading: FontFile
    colour: str
    accent: str
    columns: int = 2
    cover: Face | None = None
    theme: Theme = Theme()

    def __post_init__(self) -> None:
        for name in ("colour", "accent"):
            colour = getattr(self, name)
            if not colour.startswith("#") or luminance(colour) > LIGHTEST:
                object.__setattr__(self, name, INK)
