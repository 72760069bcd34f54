"""Glyph outlines from HarfBuzz, for letters that are drawn as shapes instead of text."""

from collections.abc import Callable
from functools import cache
from typing import Any

import uharfbuzz as hb

from generator.core.fonts import FontFile

# A `move`, `line`, `quad`, `cubic` or `close` with its points in em, from the text's left end, y
# down.
ContourStep = tuple[str, tuple[tuple[float, float], ...]]


@cache
def extract_contours(text: str, font: FontFile) -> tuple[ContourStep, ...]:
    """Return the outline steps of a left-to-right text in drawing order."""
    face = hb.Font(hb.Face(hb.Blob.from_file_path(str(font.path))))
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.direction = "ltr"
    buffer.guess_segment_properties()
    hb.shape(face, buffer)
    made: list[ContourStep] = []
    x = 0
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        right, up, along, _ = position.position
        drawn = _drawing(made, x + right, up, face.face.upem)
        face.draw_glyph(info.codepoint, drawn)
        x += along
    return tuple(made)


def _drawing(made: list[ContourStep], right: int, up: int, upem: int) -> Any:
    """Return HarfBuzz drawing functions that append the steps of a glyph at a place."""

    def noted(name: str) -> Callable[..., None]:
        def note(*told: Any) -> None:
            *values, _ = told
            points = zip(values[::2], values[1::2], strict=True)
            made.append((name, tuple(((x + right) / upem, -(y + up) / upem) for x, y in points)))

        return note

    drawing = hb.DrawFuncs()
    drawing.set_move_to_func(noted("move"))
    drawing.set_line_to_func(noted("line"))
    drawing.set_quadratic_to_func(noted("quad"))
    drawing.set_cubic_to_func(noted("cubic"))
    drawing.set_close_path_func(noted("close"))
    return drawing
