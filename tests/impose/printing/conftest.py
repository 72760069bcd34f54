"""A pack whose sides show the flip, drawn once, and files made of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from generator.base.paper import PaperChoice, paper
from generator.pipeline.project import BuildRequest, Project

FLIP = Path(__file__).parents[2] / "data" / "packs" / "flip"


@pytest.fixture(scope="session")
def press():
    project = Project(BuildRequest(str(FLIP)))
    assert project.face_pages
    return project


@pytest.fixture
def printed(press, tmp_path):
    """The files for one paper and one wish, in their order."""

    def make(name, wish):
        request = replace(press.request, options=(wish,))
        wished = replace(press, request=request, results=dict(press.results))
        job = wished.impose(PaperChoice(paper(name))).job
        paths = []
        for part in job.parts:
            paths.append(tmp_path / f"{part.name or 'all'}.pdf")
            paths[-1].write_bytes(wished.write_sheets(job, part).read())
        return paths

    return make


@pytest.fixture(scope="session")
def back_of(press):
    """The name of each front's face, with that of its back."""
    designs = [design for component in press.components for design in component.designs]
    return {design.front.name: design.back.name for design in designs}
