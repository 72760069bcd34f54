"""Write the rules: as a PDF to read, as a booklet to print, fold and staple, and as a web page in one file."""

from collections.abc import Iterator

from generator.base.errors import raising_at
from generator.base.files import Outbox
from generator.base.geometry import Size
from generator.base.paper import paper
from generator.base.units import format_count
from generator.export import WrittenFile
from generator.impose.signature import make_signature
from generator.pack.folder import PackFolder
from generator.pdf.finish import DocumentInfo, DocumentPart, write_file
from generator.pdf.sheets import draw_sheets
from generator.pipeline.project import Project
from generator.rules.booklet.make import (
    ON_SHEETS,
    TO_FOLD,
    TO_READ,
    BookKind,
    TypesetRules,
    fold_pages,
    typeset,
)
from generator.rules.html import render_html
from generator.rules.model import Rules


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write the pages in reading order."""
    rules = project.rules
    if rules is None:
        return
    with project.watch.stage("rules"):
        typeset_rules, info = set_rules(project, rules, TO_READ)
        path = outbox.write(f"{project.game.stem('rules')}.pdf", typeset_rules.reading_file(info))
    yield WrittenFile(
        path, format_count(typeset_rules.book.count, "page"), typeset_rules.book.faults
    )


def set_rules_on_paper(project: Project, size: Size, before: int = 0) -> bytes:
    """Set a game's rules for both sides of paper of a size in mm, on as few legible pages as possible.

    `before` pages precede them, and page numbers continue. The cover and other parts of a booklet are left out.
    """
    rules = require_rules(project).unbound
    with project.watch.stage("rules"):
        typeset_rules, info = set_rules(project, rules, ON_SHEETS.on(size, before))
        return typeset_rules.reading_file(info)


def require_rules(project: Project) -> Rules:
    """Return the rules of a game; raise `ValueError` if it has none."""
    if project.rules is None:
        raise ValueError(f"{project.game.slug} has no rules")
    return project.rules


def set_rules(project: Project, rules: Rules, kind: BookKind) -> tuple[TypesetRules, DocumentInfo]:
    """Typeset rules as a kind of book; return them with the PDF's metadata."""
    settings = project.game.rules
    info = project.document_info(compose_title(project, rules), "DuplexFlipLongEdge")
    with raising_at(PackFolder(project.game.folder).where(settings.file if settings else "")):
        return typeset(rules, project.game.fonts, project.rule_pages, kind), info


def compose_title(project: Project, rules: Rules) -> str:
    """Return the title of the rules' PDF files, which viewers display."""
    return f"{rules.title} – {project.game.name} {project.game.edition()}"


BOOKLET_PAPERS = ("a4", "letter")
BOOKLET_DUPLEX = "DuplexFlipShortEdge"


def write_booklet(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Set the rules once and impose them on each paper."""
    rules = project.rules
    if rules is None:
        return
    with project.watch.stage("rules"):
        typeset_rules, _ = set_rules(project, rules, TO_FOLD)
        sheets = make_signature(typeset_rules.book.count, back_cover=typeset_rules.book.back_cover)
        sides = rules.words.outside, rules.words.inside
        labels = tuple(f"{number} {side}" for number in range(1, len(sheets) + 1) for side in sides)
        info = project.document_info(compose_title(project, rules), BOOKLET_DUPLEX, labels)
        for name in BOOKLET_PAPERS:
            size = paper(name).size
            placed, pages = fold_pages(
                typeset_rules.pdf,
                sheets,
                Size(max(size), min(size)),
                project.game.fonts.note_font,
            )
            data = write_file([DocumentPart(draw_sheets(placed), (pages,))], info, tagged=pages)
            path = outbox.write(f"{project.game.stem('rules')}-booklet-{name}.pdf", data)
            yield WrittenFile(
                path,
                f"{format_count(len(sheets), 'sheet')} to print on both sides and fold",
                typeset_rules.book.faults,
            )


def write_web_page(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write the page, with every figure."""
    if project.rules is None:
        return
    with project.watch.stage("rules"):
        data = render_html(project.rules, project.game.fonts).encode()
    yield WrittenFile(
        outbox.write(f"{project.game.stem('rules')}.html", data), "the rules as a web page"
    )
