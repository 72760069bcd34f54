"""Helpers for tests of imposition."""

import pytest

from generator.base.geometry import Size
from generator.base.shapes import fill_box
from generator.impose.sheet import Piece


@pytest.fixture
def pieces():
    def make(count, w, h, bleed=0.0, component="cards", back="back"):
        outline = fill_box("rect", Size(w, h))
        return [
            Piece(f"{component}-{n}", component, outline, bleed, f"front {n}", back)
            for n in range(count)
        ]

    return make
