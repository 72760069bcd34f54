"""Test that every face and figure of every shipped game keeps the contract of pictures."""

import pytest

from generator.pipeline.notes import quick_warnings
from generator.pipeline.packs import packs
from tests.tools.picture_contract import faults


@pytest.mark.parametrize("game", packs())
def test_faces_and_figures_of_game_keep_picture_contract(game, project_of):
    project = project_of(game)
    faces = [face for component in project.components for face in component.faces]
    figures = [figure.face for figure in project.figures.values()]
    assert len(faces) > 20
    assert figures
    assert quick_warnings(project) == (), "a build prints no warnings"
    assert faults([*faces, *figures], project.game.fonts.families) == ()
