"""Places of a board, named as in chess but from the top: `B3` is the second column and the third row."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from generator.core.problems import Wrong

_NAME = re.compile(r"([A-Za-z]{1,2})([1-9]\d{0,2})")
_LETTERS = 26


class Place(NamedTuple):
    """A column and a row, both from 0 on at the top left. Hexagons lie flat, and odd columns hang half a tile lower."""

    column: int
    row: int

    def __str__(self) -> str:
        if self.column < 0 or self.row < 0:
            return f"({self.column + 1}, {self.row + 1})"
        first, last = divmod(self.column, _LETTERS)
        return (chr(64 + first) if first else "") + chr(65 + last) + str(self.row + 1)


def parse_place(text: str) -> Place:
    """Read `B3`."""
    match = _NAME.fullmatch(text)
    if match is None:
        raise Wrong(
            f"{text!r} is no place", "a column's letter and a row's number, such as B3, or a #name of the board"
        )
    column = 0
    for letter in match[1].upper():
        column = column * _LETTERS + ord(letter) - 64
    return Place(column - 1, int(match[2]) - 1)


def listed(places: Iterable[Place]) -> str:
    """`A1, A2 and B1`, row by row."""
    names = [str(place) for place in sorted(places, key=lambda place: (place.row, place.column))]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names) or "no place"
