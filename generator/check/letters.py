"""What letters weigh: how far they reach, and how much of the paper they ink."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import uharfbuzz as hb

from generator.core.fonts import FontFile

SMALL_CAPS = ("smcp",)
"""What draws small letters as small capitals."""

Step = tuple[str, tuple[float, ...]]
"""A line or a curve of an outline, called as SVG calls it, and the numbers of its places."""


class Weights(NamedTuple):
    """How far some letters go along their line (em), and the area that they ink (square em)."""

    advance: float
    area: float


class _Letters(dict[str, float]):
    """A measure of letters, each found when it is first asked for."""

    def __init__(self, find: Callable[[str], float]) -> None:
        self._find = find

    def __missing__(self, letter: str) -> float:
        found = self[letter] = self._find(letter)
        return found


@cache
def weigh(font: FontFile, features: tuple[str, ...] = ()) -> Callable[[str], Weights]:
    """What the letters of a font weigh together."""
    face = hb.Font(hb.Face(hb.Blob.from_file_path(str(font.path))))
    upem: int = face.face.upem
    wish = dict.fromkeys(features, True)

    @cache
    def inked(glyph: int) -> float:
        return abs(_area(_outline(face, glyph))) / (upem * upem)

    def shaped(letter: str) -> Any:
        buffer = hb.Buffer()
        buffer.add_str(letter)
        buffer.guess_segment_properties()
        hb.shape(face, buffer, wish)
        return buffer

    advance = _Letters(lambda letter: sum(at.x_advance for at in shaped(letter).glyph_positions) / upem).__getitem__
    area = _Letters(lambda letter: sum(inked(info.codepoint) for info in shaped(letter).glyph_infos)).__getitem__
    return lambda text: Weights(sum(map(advance, text)), sum(map(area, text)))


def _outline(face: Any, glyph: int) -> list[Step]:
    steps, draw = list[Step](), hb.DrawFuncs()
    listeners = {
        "M": draw.set_move_to_func,
        "L": draw.set_line_to_func,
        "Q": draw.set_quadratic_to_func,
        "C": draw.set_cubic_to_func,
        "Z": draw.set_close_path_func,
    }
    for letter, listen in listeners.items():
        listen(lambda *values, letter=letter: steps.append((letter, values[:-1])))
    face.draw_glyph(glyph, draw, None)
    return steps


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
