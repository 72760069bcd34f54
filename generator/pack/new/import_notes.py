"""The report on an import: each part of a table that is left out or changed, with its place."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from generator.base.errors import list_ranges

_ROW = re.compile(r"row (\d+)(.*)")


@dataclass(frozen=True)
class Notes:
    """Notes on an import; equal notes on several cells become one that lists the cells."""

    _places: dict[str, list[str]] = field(default_factory=dict)

    def add(self, text: str, place: str = "") -> None:
        """Add a note, with the place that it is about."""
        places = self._places.setdefault(text, [])
        if place and place not in places:
            places.append(place)

    def __iter__(self) -> Iterator[str]:
        """Yield the notes in the order in which they were first added."""
        for text, places in self._places.items():
            yield f"{list_places(places)}: {text}" if places else text


def list_places(places: Sequence[str]) -> str:
    """Return places as text, with neighbouring rows as ranges: `rows 3–5, 9 ('Text'), fox.png`."""
    rows: dict[str, list[int]] = {}
    others = []
    for place in places:
        if match := _ROW.fullmatch(place):
            rows.setdefault(match[2], []).append(int(match[1]))
        else:
            others.append(place)
    listed = [
        f"{'rows' if len(lines) > 1 else 'row'} {', '.join(list_ranges(sorted(lines)))}{column}"
        for column, lines in rows.items()
    ]
    return ", ".join([*listed, *others])
