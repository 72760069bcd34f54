"""What is said when a text does not fit: by how much, which way, at which size, and what to do."""

from math import ceil

from generator.core.geometry import EPSILON, Rect
from generator.core.problems import Kind, Wrong
from generator.core.units import number, points
from generator.text.model import Block


def overflow(block: Block, box: Rect, widest: str, minimum: float | None) -> Wrong:
    """The error for a block that sticks out of its box."""
    wide, tall = block.box.w - box.w, block.box.h - box.h
    excess = [f"{_up(wide)} mm too wide"] * (wide > EPSILON) + [f"{_up(tall)} mm too tall"] * (tall > EPSILON)
    found = f"the text is {' and '.join(excess)} for its box at {number(points(block.size))} pt"
    if wide > EPSILON:
        found += f"; its widest line is {widest!r}"
    smaller = "allow a smaller size with `fit:`" if minimum is None else "let `fit:` go lower"
    room = f"at most {number(box.w)} × {number(box.h)} mm"
    return Wrong(found, room, f"shorten the text, enlarge the box, or {smaller}", Kind.FIT)


def _up(mm: float) -> str:
    """Rounded up, so that a box enlarged by it is large enough."""
    return number(ceil((mm - EPSILON) * 100) / 100)
