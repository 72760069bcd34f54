"""Fixtures that find the piece of a printed picture."""

import json
from functools import lru_cache

import pytest

from generator.pipeline.project import BuildRequest, Project


@pytest.fixture(scope="session")
def drawn():
    """Return a game, drawn once for each worker: `drawn("hydras")`; two are kept."""
    return lru_cache(2)(lambda game: Project(BuildRequest(game)))


@pytest.fixture(scope="session")
def belongs(shared, drawn):
    """Return the component and design of each printed picture, by its name in the file."""
    known = {}

    def of(game):
        def fill(folder):
            names = {
                face.name: (component.spec.id, design.id)
                for component in drawn(game).components
                for design in component.designs
                for face in design.faces
            }
            (folder / "faces.json").write_text(json.dumps(names), "utf-8")

        if game not in known:
            text = (shared(f"faces-{game}", fill) / "faces.json").read_text("utf-8")
            known[game] = {name: tuple(place) for name, place in json.loads(text).items()}
        return known[game]

    return of
