"""The rules to fold: pages on both sides of sheets, as they lie one in the other."""

from collections.abc import Iterator

from generator.app.project import Project
from generator.core.files import Outbox
from generator.core.geometry import Size
from generator.export import Written
from generator.export.rules import book_pdf, counted, set_rules, title
from generator.impose.paper import paper
from generator.impose.signature import signature
from generator.pdf.booklet.book import set_to_fold
from generator.pdf.booklet.formats import FOLDED
from generator.pdf.booklet.stitch import stitch
from generator.pdf.graft import finish

PAPERS = ("a4", "letter")
DUPLEX = "DuplexFlipShortEdge"


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """One setting for both papers."""
    rules = project.rules
    if rules is None:
        return
    with project.watch.stage("rules"):
        book = set_rules(project, FOLDED, set_to_fold)
        small = book_pdf(project, book, DUPLEX)
        sheets = signature(book.count, back_cover=book.back_cover)
        sides = rules.words.outside, rules.words.inside
        labels = tuple(f"{number} {side}" for number in range(1, len(sheets) + 1) for side in sides)
        about = project.about(title(project, rules), DUPLEX, labels)
        for name in PAPERS:
            size = paper(name).size
            data = finish(stitch(small, sheets, Size(max(size), min(size))), (), about)
            path = outbox.write(f"{project.game.stem('rules')}-booklet-{name}.pdf", data)
            yield Written(path, f"{counted(len(sheets), 'sheet')} to print on both sides and fold")
