"""Write the rules as a web page in one file."""

from collections.abc import Iterator

from generator.base.files import Outbox
from generator.export import Written
from generator.pipeline.project import Project
from generator.rules.html import render_html


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """Write the page, with every figure."""
    if project.rules is None:
        return
    with project.watch.stage("rules"):
        data = render_html(project.rules, project.game.fonts).encode()
    yield Written(
        outbox.write(f"{project.game.stem('rules')}.html", data), "the rules as a web page"
    )
