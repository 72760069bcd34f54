"""Helpers for tests of imposition."""

import pytest

from generator.core.geometry import Size
from generator.impose.sheet import Piece


@pytest.fixture
def pieces():
    def make(count, w, h, bleed=0.0, component="cards", back="back"):
        return [Piece(f"{component}-{n}", component, Size(w, h), bleed, f"front {n}", back) for n in range(count)]

    return make
