"""The one line that says what a sheet is and how to print it."""

from generator.core.geometry import Size
from generator.impose.furniture import lettering
from generator.impose.furniture.bands import Frame
from generator.impose.furniture.levels import SMALLEST, Level
from generator.impose.setup import Caption
from generator.impose.sheet import Note


def text(caption: Caption, component: str, sheet: str, side: str, printing: str) -> str:
    """The footer: `Game 2 · cards · sheet 2 of 5 · front · print at 100 %, flip on the long edge`."""
    game = f"{caption.game} {caption.version}".strip()
    parts = (game, component, sheet, side, printing)
    return " · ".join(part for part in parts if part)


def wants(line: str, level: Level, room: float) -> Size | None:
    """Its length and depth at the level's font size, or smaller if it is too long for the room."""
    size = min(level.text, room / lettering.width(line, 1))
    if size < SMALLEST:
        return None
    return Size(lettering.width(line, size), lettering.height(line) * size)


def note(line: str, frame: Frame) -> Note:
    """The line in the frame that was found for it."""
    size = frame.depth / lettering.height(line)
    return Note(line, frame.at(0, lettering.ascent(line) * size), size, turn=frame.turn)
