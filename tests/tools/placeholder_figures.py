"""Make placeholders for the figures of rules: boxes with a name."""

import re
from dataclasses import replace
from pathlib import Path

from generator.base.errors import Where
from generator.base.files import Outbox
from generator.base.geometry import Size
from generator.export import write
from generator.pack.game import RulesSettings
from generator.pack.load import DEFAULT_HEADING
from generator.picture.face import Face
from generator.pipeline.project import BuildRequest, Project
from generator.rules.figures.build import CheckedFigure
from generator.rules.model import Figure
from tests.tools.make_face import rect, text_run

ROOT = Path(__file__).parents[2]
GAMES = {
    name: re.findall(
        r"^([\w-]+):", (ROOT / f"templates/{name}/figures.yaml").read_text(), re.MULTILINE
    )
    for name in ("hydras", "hoses-and-hydrants")
}
"""The names of the figures of two games."""

DEFAULT_HEADING_RULES = RulesSettings("rules.md", DEFAULT_HEADING, "#a3301f", 2)


def picture(name: str, w: float = 60, h: float = 60) -> Face:
    """Return a green box with its name in it."""
    return Face((rect(0, 0, w, h, "#00c000"), text_run(name, 4, h / 2)), Size(w, h), 0, name)


def figure(name: str, w: float = 60, h: float = 60, *, wide: bool = False) -> Figure:
    return Figure(name, picture(name, w, h), f"the figure {name}", f"Caption of {name}.", wide)


def figures(names):
    """Return placeholders as checked figures, without checking claims."""
    placeholders = (
        figure(name, 60 + 5 * (len(name) % 3), 40 + 5 * (len(name) % 4)) for name in names
    )
    return {
        item.name: CheckedFigure(
            item.name, item.face, item.alt, item.caption, item.wide, where=Where("")
        )
        for item in placeholders
    }


def publish(name: str, folder: Path, **changes) -> Path:
    """Write the rules of a bundled game to a folder, with placeholders for its figures."""
    project = Project(BuildRequest(str(ROOT / "templates" / name)))
    game = replace(
        project.game, rules=replace(project.game.rules or DEFAULT_HEADING_RULES, **changes)
    )
    project.results.update({("game",): game, ("figures",): figures(GAMES[name])})
    with Outbox(folder) as outbox:
        assert list(write(["rules"], project, outbox))
    return folder
