"""Fixtures that give a shipped game's project and the piece of each printed picture."""

import json
from functools import cache

import pytest

from generator.pipeline.project import BuildRequest, Project


@pytest.fixture(scope="session")
def project_of():
    """Return a function that gives the project of a game.

    The projects are cached: with faces and figures, the five games take 35 MB.
    """
    return cache(lambda game: Project(BuildRequest(game)))


@pytest.fixture(scope="session")
def pieces_by_picture(shared, project_of):
    """Return a function that gives the component and design of each picture, by its name."""
    known = {}

    def of(game):
        def fill(folder):
            names = {
                face.name: (component.spec.id, design.id)
                for component in project_of(game).components
                for design in component.designs
                for face in design.faces
            }
            (folder / "faces.json").write_text(json.dumps(names), "utf-8")

        if game not in known:
            text = (shared(f"faces-{game}", fill) / "faces.json").read_text("utf-8")
            known[game] = {name: tuple(place) for name, place in json.loads(text).items()}
        return known[game]

    return of
