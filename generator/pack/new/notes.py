"""What the designer is told about an import: what was skipped, changed or left out, and where."""

from collections.abc import Iterator
from dataclasses import dataclass, field


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
            yield f"{', '.join(places)}: {text}" if places else text
