"""The rules for a screen: one page, complete in itself."""

from collections.abc import Iterator

from generator.app.project import Project
from generator.core.files import Outbox
from generator.export import Written
from generator.rules.html import render_html


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """The page, with every figure."""
    if project.rules is None:
        return
    with project.watch.stage("rules"):
        data = render_html(project.rules, project.game.fonts).encode()
    yield Written(outbox.write(f"{project.game.stem('rules')}.html", data), "for a screen")
