"""How a game is made: what one needs, how it is printed, how each piece is cut and folded."""

from collections.abc import Iterator
from dataclasses import replace

from generator.app.making import making_rules
from generator.app.project import LaidSheets, Project
from generator.core.files import Outbox
from generator.core.problems import placed
from generator.export import Written
from generator.export.sheets import is_led_in, is_room_for_words, readable
from generator.pdf.faces import compile_faces
from generator.pdf.graft import count_pages, finish
from generator.pdf.typeset.made import beside_sheets, columns_beside, typeset

MOST = 8
"""Pages; none has as many."""


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """For every paper its own, since the sheets of each have their own pages; no file where it opens the sheets'."""
    led = is_led_in(project)
    for paper in project.papers:
        laid = project.laid(paper)
        if not laid.job.sheets or (led and is_room_for_words(laid)):
            continue
        with project.watch.stage("making"):
            data = _pages(project, laid, 0)
        name = f"{project.game.stem('making')}-{laid.setup.paper.name}.pdf"
        yield Written(outbox.write(name, data), "how to make the game")


def opening(project: Project, laid: LaidSheets) -> bytes:
    """What stands before the sheets; it names their pages, which come after its own."""
    with project.watch.stage("making"):
        step = 1 if laid.job.duplex == "Simplex" else 2
        for before in range(step, MOST, step):
            data = _pages(project, laid, before)
            if count_pages(data) <= before:
                return data
    raise AssertionError("how a game is made is said on a few pages")


def _pages(project: Project, laid: LaidSheets, before: int) -> bytes:
    size = readable(laid.setup.paper.page)
    rules = making_rules(project, laid, before, columns_beside(size))
    faces = tuple({face.name: face for face in rules.faces}.values())
    fonts = project.game.fonts
    with placed():
        pages = compile_faces(faces, fonts, kept=project.kept)
        made = typeset(rules, fonts, pages, beside_sheets(size))
    about = project.about(rules.title, laid.job.duplex, ())
    return finish(made.pdf, (), replace(about, labels=tuple("i" * nth for nth in range(1, made.book.count + 1))))
