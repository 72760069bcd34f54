"""How much ink letters take: the area of their outlines, for what is measured by its share of the paper."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from generator.core.fonts import FontFile
from generator.text.shape import LetterLook, Step, glyphs_of, outline_of, shape


class Weight(NamedTuple):
    """How far a letter goes along its line (em), and the area that it inks (square em)."""

    advance: float
    area: float


@cache
def weights(font: FontFile, features: tuple[str, ...] = ()) -> Callable[[str], Weight]:
    """What the letters of a font weigh, each found once."""
    look = LetterLook(font, features)
    area = cache(lambda glyph: abs(_area(outline_of(font, glyph))))

    @cache
    def weight(letter: str) -> Weight:
        return Weight(shape(letter, look, "ltr").width, sum(map(area, glyphs_of(letter, look))))

    return weight


def _area(outline: Sequence[Step]) -> float:
    """Of closed lines, quadratic and cubic curves, by Green's theorem; holes run the other way round."""
    twice, at, start = 0.0, (0.0, 0.0), (0.0, 0.0)
    for letter, values in outline:
        places = list(zip(values[::2], values[1::2], strict=True)) or [start]
        if letter == "M":
            start = places[0]
        else:
            twice += _swept(at, *places)
        at = places[-1]
    return twice / 2


def _swept(*places: tuple[float, float]) -> float:
    """Twice the area between the origin and a curve."""
    cross = [[a[0] * b[1] - a[1] * b[0] for b in places] for a in places]
    if len(places) == 2:
        return cross[0][1]
    if len(places) == 3:
        return (2 * cross[0][1] + 2 * cross[1][2] + cross[0][2]) / 3
    return (6 * cross[0][1] + 3 * cross[0][2] + cross[0][3] + 3 * cross[1][2] + 3 * cross[1][3] + 6 * cross[2][3]) / 10
