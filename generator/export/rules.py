"""The rules to read."""

from collections.abc import Iterator

from generator.app.project import Project
from generator.core.files import Outbox
from generator.core.geometry import Size
from generator.core.problems import placed
from generator.export import Written
from generator.pack.folder import PackFolder
from generator.pdf.finish import About
from generator.pdf.typeset.made import ON_SHEETS, TO_READ, BookKind, TypesetRules, typeset
from generator.rules.model import Rules


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """The pages in the order in which they are read."""
    rules = project.rules
    if rules is None:
        return
    with project.watch.stage("rules"):
        made, said = set_rules(project, rules, TO_READ)
        path = outbox.write(f"{project.game.stem('rules')}.pdf", made.finished(said))
    yield Written(path, counted(made.book.count, "page"), made.book.faults)


def on_paper(project: Project, size: Size, before: int = 0) -> bytes:
    """The same of a game that has rules, for both sides of paper of a size in mm, as few as read well.

    Their numbers go on from the pages that stand before them. What makes a booklet of them is left out.
    """
    rules = needed(project).unbound
    with project.watch.stage("rules"):
        made, said = set_rules(project, rules, ON_SHEETS.on(size, before))
        return made.finished(said)


def needed(project: Project) -> Rules:
    """The rules of a game that has some."""
    if project.rules is None:
        raise ValueError(f"{project.game.slug} has no rules")
    return project.rules


def set_rules(project: Project, rules: Rules, way: BookKind) -> tuple[TypesetRules, About]:
    """A game's rules, as they are or dressed otherwise, set in a way; and what a file of them says of itself."""
    settings = project.game.rules
    said = project.about(title(project, rules), "DuplexFlipLongEdge", ())
    with placed(PackFolder(project.game.folder).where(settings.file if settings else "")):
        return typeset(rules, project.game.fonts, project.rule_pages, way), said


def title(project: Project, rules: Rules) -> str:
    """What the files of the rules are called where a reader shows it."""
    return f"{rules.title} – {project.game.name} {project.game.edition()}"


def counted(count: int, word: str) -> str:
    """`1 page`, `12 pages`."""
    return f"{count} {word}{'' if count == 1 else 's'}"
