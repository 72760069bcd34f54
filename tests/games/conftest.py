"""Which piece a printed picture is of, wherever on the sheets it lies."""

import pytest

from generator.core.timing import Watch
from generator.jobs.pipeline import draw
from generator.pack.load import Wish


@pytest.fixture(scope="session")
def belongs():
    """Which component and design a printed picture belongs to, by the name that the file gives it."""
    known = {}

    def of(game):
        if game not in known:
            drawn = draw(game, Wish(), Watch()).components
            known[game] = {
                face.name: (component.spec.id, design.id)
                for component in drawn
                for design in component.designs
                for face in design.faces
            }
        return known[game]

    return of
