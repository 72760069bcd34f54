"""Fixtures of a pack whose sides show their orientation: drawn once, and printed in any mode."""

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
def write_files(press, tmp_path):
    """Return a function that writes the files for a paper and print options, in order."""

    def make(name, print_options):
        request = replace(press.request, options=(print_options,))
        project = replace(press, request=request, results=dict(press.results))
        job = project.impose(PaperChoice(paper(name))).job
        paths = []
        for part in job.parts:
            paths.append(tmp_path / f"{part.name or 'all'}.pdf")
            paths[-1].write_bytes(project.write_sheets(job, part).read())
        return paths

    return make


@pytest.fixture(scope="session")
def back_of(press):
    """Return the name of each design's back by the name of its front."""
    designs = [design for component in press.components for design in component.designs]
    return {design.front.name: design.back.name for design in designs}
