"""How much ink letters take: the area of their outlines, for what is measured by its share of the paper."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import uharfbuzz as hb

from generator.core.fonts import FontFile

SMALL_CAPS = ("smcp",)
"""What draws small letters as small capitals."""

Step = tuple[str, tuple[float, ...]]
"""A line or a curve of an outline, called as SVG calls it, and the numbers of its places."""


class Weight(NamedTuple):
    """How far a letter goes along its line (em), and the area that it inks (square em)."""

    advance: float
    area: float


@cache
def weights(font: FontFile, features: tuple[str, ...] = ()) -> Callable[[str], Weight]:
    """What the letters of a font weigh, each found once."""
    face = hb.Font(hb.Face(hb.Blob.from_file_path(str(font.path))))
    upem: int = face.face.upem
    wish = dict.fromkeys(features, True)

    @cache
    def area(glyph: int) -> float:
        return abs(_area(_outline(face, glyph))) / (upem * upem)

    @cache
    def weight(letter: str) -> Weight:
        buffer = hb.Buffer()
        buffer.add_str(letter)
        buffer.guess_segment_properties()
        hb.shape(face, buffer, wish)
        along = sum(position.x_advance for position in buffer.glyph_positions)
        return Weight(along / upem, sum(area(info.codepoint) for info in buffer.glyph_infos))

    return weight


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
