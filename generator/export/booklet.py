"""Write the rules as a booklet: pages imposed for printing on both sides, folding and stapling."""

from collections.abc import Iterator

from generator.base.files import Outbox
from generator.base.geometry import Size
from generator.base.paper import paper
from generator.export import Written
from generator.export.rules import compose_title, format_count, set_rules
from generator.impose.signature import make_signature
from generator.pdf.finish import FiledPages, write_file
from generator.pdf.sheets import draw_sheets
from generator.pipeline.project import Project
from generator.rules.booklet.make import TO_FOLD, fold_pages

PAPERS = ("a4", "letter")
DUPLEX = "DuplexFlipShortEdge"


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """Set the rules once and impose them on each paper."""
    rules = project.rules
    if rules is None:
        return
    with project.watch.stage("rules"):
        typeset_rules, _ = set_rules(project, rules, TO_FOLD)
        sheets = make_signature(typeset_rules.book.count, back_cover=typeset_rules.book.back_cover)
        sides = rules.words.outside, rules.words.inside
        labels = tuple(f"{number} {side}" for number in range(1, len(sheets) + 1) for side in sides)
        about = project.about(compose_title(project, rules), DUPLEX, labels)
        for name in PAPERS:
            size = paper(name).size
            placed, pages = fold_pages(
                typeset_rules.pdf, sheets, Size(max(size), min(size)), rules.look.heading
            )
            data = write_file([FiledPages(draw_sheets(placed), (pages,))], about, tagged=pages)
            path = outbox.write(f"{project.game.stem('rules')}-booklet-{name}.pdf", data)
            yield Written(
                path,
                f"{format_count(len(sheets), 'sheet')} to print on both sides and fold",
                typeset_rules.book.faults,
            )
