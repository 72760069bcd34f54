"""What a person says of somebody else's file where it is not found: which pages, and how pieces lie on them."""

import re

from generator.core.geometry import Point, Size
from generator.core.problems import Wrong
from generator.core.units import length
from generator.pack.sizes import grid, parse_size
from generator.relay.finding import GridSaid

HIGHEST = 100_000
"""Of pages."""

_GRID = re.compile(
    r"(?P<grid>\d+\s*[x×]\s*\d+)(?:\s+of\s+(?P<size>.+?))?(?:\s+at\s+(?P<at>\S+\s+\S+))?(?:\s+gap\s+(?P<gap>\S+(?:\s+\S+)?))?"
)
_SPAN = re.compile(r"(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?")


def page_numbers(text: str) -> tuple[int, ...]:
    """`2-9,12` as numbers, each once, in their order."""
    found: dict[int, None] = {}
    for part in text.split(","):
        match = _SPAN.fullmatch(part.strip())
        first = int(match[1]) if match else 0
        last = int(match[2]) if match and match[2] else first
        if not 1 <= first <= last <= HIGHEST:
            raise Wrong(f"{part.strip()!r} names no pages", "numbers from 1 on, such as 2-9,12")
        found |= dict.fromkeys(range(first, last + 1))
    return tuple(sorted(found))


def grid_said(text: str) -> GridSaid:
    """`3x3`, `3x3 of poker`, `3x3 of 63.5 x 88.9 mm at 10mm 15mm gap 3mm`."""
    match = _GRID.fullmatch(text.strip())
    if match is None:
        raise Wrong(f"{text!r} is no grid", "3x3, 3x3 of poker, or 3x3 of 63.5 x 88.9 mm at 10mm 15mm gap 3mm")
    columns, rows = grid(match["grid"])
    size = parse_size(match["size"]).size if match["size"] else None
    at = Point(*(length(part) for part in match["at"].split())) if match["at"] else None
    gaps = [length(part) for part in (match["gap"] or "0").split()]
    if at and size is None:
        raise Wrong(f"{text!r} says where pieces begin, and not how large they are", "3x3 of poker at 10mm 15mm")
    if min(gaps) < 0:
        raise Wrong(f"a gap in {text!r} is negative", "0 mm or more")
    return GridSaid(columns, rows, size, at, Size(gaps[0], gaps[-1]))
