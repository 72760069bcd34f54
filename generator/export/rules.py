"""The rules to read."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from generator.app.project import Project
from generator.core.files import Outbox
from generator.core.fonts import FontSet
from generator.core.geometry import Size
from generator.core.problems import placed
from generator.export import Written
from generator.pack.folder import PackFolder
from generator.pdf.booklet.book import Book, set_book, set_on_sheets
from generator.pdf.booklet.formats import PAGE, Format
from generator.pdf.booklet.write import write_book
from generator.pdf.graft import finish
from generator.rules.model import Rules


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """The pages in the order in which they are read."""
    if project.rules is None:
        return
    with project.watch.stage("rules"):
        book = set_rules(project, PAGE.in_columns(project.rules.look.columns), set_book)
        path = outbox.write(f"{project.game.stem('rules')}.pdf", book_pdf(project, book, "DuplexFlipLongEdge"))
    yield Written(path, counted(book.count, "page"))


def on_paper(project: Project, size: Size) -> bytes:
    """The same pages of a game that has rules, for both sides of paper of a size in mm, as few as read well."""
    columns = project.rules.look.columns if project.rules else 1
    with project.watch.stage("rules"):
        book = set_rules(project, replace(PAGE, size=size, columns=columns), set_on_sheets)
        return book_pdf(project, book, "DuplexFlipLongEdge")


def set_rules(project: Project, form: Format, way: Callable[[Rules, FontSet, Format], Book]) -> Book:
    """The rules of a game that has some, set on pages of a format."""
    rules, settings = project.rules, project.game.rules
    if rules is None or settings is None:
        raise ValueError(f"{project.game.slug} has no rules")
    with placed(PackFolder(project.game.folder).where(settings.file)):
        return way(rules, project.game.fonts, form)


def book_pdf(project: Project, book: Book, duplex: str) -> bytes:
    """The file of a book."""
    labels = tuple(str(number) for number in range(1, book.count + 1))
    about = project.about(title(project, book.rules), duplex, labels)
    return finish(write_book(book), project.rule_pages, about)


def title(project: Project, rules: Rules) -> str:
    """What the files of the rules are called where a reader shows it."""
    return f"{rules.title} – {project.game.name} {project.game.edition()}"


def counted(count: int, word: str) -> str:
    """`1 page`, `12 pages`."""
    return f"{count} {word}{'' if count == 1 else 's'}"
