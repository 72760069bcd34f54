"""The sheets: what is printed and cut, a file for each paper, or two where it takes two passes."""

from collections.abc import Iterator

from generator.app.project import NOTE_FONT, Project
from generator.core.files import Outbox
from generator.core.problems import fail
from generator.core.words import words_for
from generator.export import Written
from generator.impose.sheet import FilePart, Job
from generator.pdf.graft import finish
from generator.pdf.sheets import lay_sheets


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """The sheets on every paper that is wanted."""
    game = project.game
    for paper in project.papers:
        laid = project.laid(paper)
        if not laid.job.sheets:
            fail(None, f"{game.name}: there is nothing to print", "a design with a count above 0")
        for part in laid.job.parts:
            name = "-".join(word for word in (game.stem("sheets"), laid.setup.paper.name, part.name) if word)
            path = outbox.write(f"{name}.pdf", pdf(project, laid.job, part))
            yield Written(path, laid.job.summary, (*laid.job.notices, *project.shared_cuts))


def pdf(project: Project, job: Job, part: FilePart) -> bytes:
    """One of the files of a job."""
    game, pages = project.game, project.face_pages
    title = f"{game.name} {game.edition()} – {words_for(game.language).sheet.sheets}"
    labels = tuple(page.side.label for page in part.pages)
    with project.watch.stage("pdf"):
        laid = lay_sheets(part.pages, project.faces, game.fonts.find(NOTE_FONT))
        return finish(laid, pages, project.about(title, job.duplex, labels))
