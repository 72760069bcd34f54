"""Which piece a printed picture is of, wherever on the sheets it lies."""

import json
from functools import lru_cache

import pytest

from generator.pipeline.project import BuildRequest, Project


@pytest.fixture(scope="session")
def drawn():
    """A game, drawn once a worker: `drawn("hydras")`; no more than two are kept."""
    return lru_cache(2)(lambda game: Project(BuildRequest(game)))


@pytest.fixture(scope="session")
def belongs(shared, drawn):
    """Which component and design a printed picture belongs to, by the name that the file gives it."""
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
