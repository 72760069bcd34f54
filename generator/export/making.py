"""Write the how-to-make pages: shopping list, printing, cutting and folding."""

from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter

from generator.base.cache import key_of
from generator.base.errors import raising_at
from generator.base.files import Outbox
from generator.base.fonts import FontFile
from generator.base.geometry import Size
from generator.base.units import roman
from generator.base.values import Digester
from generator.export import WrittenFile
from generator.export.sheets import can_take_opening_pages, has_opening_pages, reading_size
from generator.pdf.faces import compile_faces
from generator.pdf.finish import DocumentInfo, DocumentPart, count_pages, write_file
from generator.picture.face import Face
from generator.pipeline.printing import ImposedSheets, name_mode
from generator.pipeline.project import Project
from generator.pipeline.rulebook import making_rules
from generator.rules.model import Rules

# The step's name in the cache.
CACHE_STEP = "making"
# The opening pages name the page numbers of the sheets behind them, so their own number is guessed
# and raised until they fit. No game has needed this many.
MAX_PAGES = 8


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write a file for each paper, because page numbers differ.

    Skip papers whose sheets include the pages.
    """
    has_opening = has_opening_pages(project)
    for paper in project.papers:
        imposed = project.impose(paper)
        if not imposed.job.sheets or (has_opening and can_take_opening_pages(imposed)):
            continue
        with project.watch.stage("making"):
            data = _fill_pages(project, imposed, 0)
        mode = name_mode(project.game, project.print_options)
        name = "-".join(filter(None, (project.game.stem("making"), imposed.setup.paper.name, mode)))
        yield WrittenFile(outbox.write(f"{name}.pdf", data), "how to make the game")


def make_opening_pages(project: Project, imposed: ImposedSheets) -> bytes:
    """Return the pages that precede the sheets and name the sheets' page numbers."""
    with project.watch.stage("making"):
        step = 1 if imposed.job.duplex == "Simplex" else 2
        for before in range(step, MAX_PAGES, step):
            data = _fill_pages(project, imposed, before)
            if count_pages(data) <= before:
                return data
    raise AssertionError("the how-to-make page takes only a few pages")


def _fill_pages(project: Project, imposed: ImposedSheets, before: int) -> bytes:
    """Return the pages; if they are printed on two sides, without a blank page after them if possible.

    If the last page would be blank, close up the pages if they then take fewer; else fill the blank
    page with pictures of more cuts.
    """
    data = _set_pages(project, imposed, before)
    count = count_pages(data)
    if count < 2 or count % 2 == 0 or imposed.job.duplex == "Simplex":
        return data
    compact = _set_pages(project, imposed, before, is_compact=True)
    if count_pages(compact) < count:
        return compact
    for pictures in range(2, len(imposed.job.beds) + 1):
        longer = _set_pages(project, imposed, before, cut_pictures=pictures)
        if count_pages(longer) == count + 1:
            return longer
    return data


def _set_pages(
    project: Project,
    imposed: ImposedSheets,
    before: int,
    *,
    is_compact: bool = False,
    cut_pictures: int = 1,
) -> bytes:
    """Return the pages from the cache, or typeset them."""
    rules = making_rules(project, imposed, before, is_compact=is_compact, cut_pictures=cut_pictures)
    size = reading_size(imposed.setup.paper.page)
    info = project.document_info(rules.title, imposed.job.duplex)
    key = pages_key(project, rules, size, info)
    stored = project.cache.get(CACHE_STEP, key)
    if stored is None:
        stored = typeset_pages(project, rules, size, info)
        project.cache.put(CACHE_STEP, key, stored)
    return stored


def pages_key(project: Project, rules: Rules, size: Size | None, info: DocumentInfo) -> str:
    """Return the key of the pages that `typeset_pages` makes of its arguments."""
    digest = Digester({Face: attrgetter("name"), FontFile: attrgetter("key")}).digest(rules, size)
    return key_of(project.game.fonts.digest, digest, info)


def typeset_pages(project: Project, rules: Rules, size: Size | None, info: DocumentInfo) -> bytes:
    """Typeset the pages."""
    # typst and pikepdf are slow to load.
    from generator.rules.booklet.make import columns_beside, kind_for_sheets, typeset

    fonts = project.game.fonts
    style = replace(rules.style, columns=columns_beside(size))
    with raising_at():
        pages = compile_faces(
            tuple({face.name: face for face in rules.faces}.values()), fonts, cache=project.cache
        )
        typeset_rules = typeset(replace(rules, style=style), fonts, pages, kind_for_sheets(size))
    labels = tuple(map(roman, range(1, typeset_rules.book.count + 1)))
    return write_file([DocumentPart(typeset_rules.pdf)], replace(info, labels=labels)).read()
