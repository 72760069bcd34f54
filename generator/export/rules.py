"""Write the rules as a PDF to read."""

from collections.abc import Iterator

from generator.base.errors import raising_at
from generator.base.files import Outbox
from generator.base.geometry import Size
from generator.export import Written
from generator.pack.folder import PackFolder
from generator.pdf.finish import About
from generator.pipeline.project import Project
from generator.rules.booklet.make import ON_SHEETS, TO_READ, BookKind, TypesetRules, typeset
from generator.rules.model import Rules


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """Write the pages in reading order."""
    rules = project.rules
    if rules is None:
        return
    with project.watch.stage("rules"):
        typeset_rules, about = set_rules(project, rules, TO_READ)
        path = outbox.write(f"{project.game.stem('rules')}.pdf", typeset_rules.reading_file(about))
    yield Written(path, format_count(typeset_rules.book.count, "page"), typeset_rules.book.faults)


def on_paper(project: Project, size: Size, before: int = 0) -> bytes:
    """Set a game's rules for both sides of paper of a size in mm, on as few legible pages as possible.

    `before` pages precede them, and page numbers continue. The cover and other parts of a booklet are left out.
    """
    rules = require_rules(project).unbound
    with project.watch.stage("rules"):
        typeset_rules, about = set_rules(project, rules, ON_SHEETS.on(size, before))
        return typeset_rules.reading_file(about)


def require_rules(project: Project) -> Rules:
    """Return the rules of a game; raise `ValueError` if it has none."""
    if project.rules is None:
        raise ValueError(f"{project.game.slug} has no rules")
    return project.rules


def set_rules(project: Project, rules: Rules, kind: BookKind) -> tuple[TypesetRules, About]:
    """Typeset rules as a kind of book; return them with the PDF's metadata."""
    settings = project.game.rules
    about = project.about(compose_title(project, rules), "DuplexFlipLongEdge", ())
    with raising_at(PackFolder(project.game.folder).where(settings.file if settings else "")):
        return typeset(rules, project.game.fonts, project.rule_pages, kind), about


def compose_title(project: Project, rules: Rules) -> str:
    """Return the title of the rules' PDF files, which viewers display."""
    return f"{rules.title} – {project.game.name} {project.game.edition()}"


def format_count(count: int, word: str) -> str:
    """Return a number with its noun: `1 page`, `12 pages`."""
    return f"{count} {word}{'' if count == 1 else 's'}"
