"""Pieces of one size in somebody else's file: what it is called, which way they lie, how much room is between them."""

from collections.abc import Iterator, Sequence
from statistics import median

from generator.core.geometry import Rect, Size
from generator.core.units import number
from generator.pack.sizes import named_sizes
from generator.relay.backs import SourcePair
from generator.relay.boxes import alike

NAMED = 0.12
"""mm; so near to a size that has a name it is that."""


def upright(pairs: Sequence[SourcePair]) -> Iterator[SourcePair]:
    """Pieces of one size that lie both ways on their pages are turned to lie one way."""
    first: list[Size] = []
    for front, back in ((pair.front, pair.back) for pair in pairs):
        is_known = any(alike(one, front.size) for one in first)
        if not is_known and any(alike(one.turned(90), front.size) for one in first):
            turned = back._replace(turn=(back.turn + 270) % 360) if back else None
            yield SourcePair(front._replace(turn=90), turned)
            continue
        if not is_known:
            first.append(front.size)
        yield SourcePair(front, back)


def common_size(sizes: Sequence[Size]) -> Size:
    """The size of pieces that are alike: one that has a name, where it is as near as drawing programs are exact."""
    mean = Size(median(size.w for size in sizes), median(size.h for size in sizes))
    rows = [row.size for row in named_sizes().values()]
    return next((one for size in rows for one in (size, size.turned(90)) if alike(one, mean, NAMED)), mean)


def room_between(places: Sequence[Rect]) -> float:
    """Half the least room between neighbours, in mm."""
    room = float("inf")
    for nth, one in enumerate(places):
        for other in places[nth + 1 :]:
            both = one.common(other)
            if both.w > 0 or both.h > 0:
                room = min(room, max(0.0, -min(both.w, both.h)))
    return room / 2


def called(size: Size) -> str:
    """A size by its name, where it has one, and in mm."""
    mm = f"{number(round(size.w, 2))} x {number(round(size.h, 2))} mm"
    name = next((row.name for row in named_sizes().values() if alike(row.size, size, NAMED)), "")
    return f"{name}, {mm}" if name else mm
