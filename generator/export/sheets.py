"""The sheets: what is printed and cut, a file for each paper, or two where it takes two passes."""

from collections.abc import Iterator

from generator.app.printing import PrintWish, SheetColour
from generator.app.project import NOTE_FONT, Project
from generator.check.ink import told
from generator.core.files import Outbox
from generator.core.problems import fail
from generator.core.words import words_for
from generator.export import Written
from generator.impose.sheet import FilePart, Job
from generator.pdf.graft import finish
from generator.pdf.press.inks import PressInks
from generator.pdf.press.standard import in_inks
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
            data, inks = _coloured(project, pdf(project, laid.job, part))
            path = outbox.write(f"{name}.pdf", data)
            yield Written(path, laid.job.summary, (*laid.job.notices, *project.shared_cuts, *inks))
        yield Written(None, f"  {laid.setup.paper.name}: {told(laid.job, project.inks)}")


def _coloured(project: Project, data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The file in the colours that are wished for, and what should be known of its inks."""
    if project.order.wish(PrintWish).colour == SheetColour.RGB:
        return data, ()
    inks = PressInks()
    with project.watch.stage("inks"):
        made = in_inks(data, inks)
    return made, (f"sheets in inks by {inks.title}: at most {inks.heaviest * 100:.0f} % in one place",)


def pdf(project: Project, job: Job, part: FilePart) -> bytes:
    """One of the files of a job."""
    game, pages = project.game, project.face_pages
    title = f"{game.name} {game.edition()} – {words_for(game.language).sheet.sheets}"
    labels = tuple(page.side.label for page in part.pages)
    with project.watch.stage("pdf"):
        laid = lay_sheets(part.pages, project.faces, game.fonts.find(NOTE_FONT))
        return finish(laid, pages, project.about(title, job.duplex, labels))
