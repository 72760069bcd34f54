"""The page that says how a game is made: what one needs, how it is printed, and how each piece is cut."""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.app.project import LaidSheets, Project
from generator.core.files import Outbox
from generator.core.units import number
from generator.core.words import MakingWords, Words, words_for
from generator.export import Written
from generator.impose.sheet import Bed, FilePart
from generator.pack.game import Component, Game
from generator.pdf.graft import count_pages, finish
from generator.pdf.leaflet import lay_leaflet
from generator.release.leaflet import Block, LeafletHeading, LeafletWords, PageSpan

BOARD = "board"
FLAT = frozenset({"piece", BOARD})
"""What is made of a component without folding and glue."""


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """For every paper its own, since the sheets of each have their own pages."""
    game = project.game
    for paper in project.papers:
        laid = project.laid(paper)
        page = _MakingPage(game, laid, words_for(game.language))
        with project.watch.stage("pdf"):
            data = lay_leaflet(tuple(page.blocks()), laid.setup.paper.page, game.fonts)
            labels = tuple(str(at + 1) for at in range(count_pages(data)))
            made = finish(data, (), project.about(page.title, "Simplex", labels))
        yield Written(outbox.write(f"{game.stem('making')}-{laid.setup.paper.name}.pdf", made), "how to make the game")


@dataclass(frozen=True)
class _MakingPage:
    """Says in one language what is done with the sheets for one paper."""

    game: Game
    laid: LaidSheets
    words: Words

    @property
    def said(self) -> MakingWords:
        """Its own words."""
        return self.words.making

    @property
    def title(self) -> str:
        """What stands on top."""
        return self.said.title.format(name=f"{self.game.name} {self.game.edition()}")

    @property
    def folded(self) -> tuple[Component, ...]:
        """What is folded and glued."""
        return tuple(component for component in self.game.components if component.make not in FLAT)

    def blocks(self) -> Iterator[Block]:
        """All of it, in the order in which it is done."""
        yield LeafletHeading(self.title, 1)
        yield LeafletHeading(self.said.needs)
        yield from (LeafletWords(f"• {need}") for need in self._needs())
        yield LeafletHeading(self.said.printing)
        yield from self._printing()
        yield LeafletHeading(self.said.check)
        yield LeafletWords(self.said.ruler)
        if any(sheet.back for sheet in self.laid.job.sheets):
            yield LeafletWords(self.said.backs)
        yield LeafletHeading(self.said.cutting)
        yield from (LeafletWords(self._where(bed), bold=True) for bed in self.laid.job.beds)
        if any(_mixed(bed) for bed in self.laid.job.beds):
            yield LeafletWords(self.said.mixed)
        yield from (LeafletWords(text) for text in self._cutting())

    def _needs(self) -> Iterator[str]:
        paper, count = self.laid.setup.paper.title, len(self.laid.job.sheets)
        yield self.said.card.format(paper=paper, count=count)
        yield self.said.tools
        if self.folded:
            yield self.said.glue
        yield from self.game.needs

    def _printing(self) -> Iterator[LeafletWords]:
        """The scale and the edge to flip; where it takes two files, of each its own."""
        job, ways = self.laid.job, self.words.sheet
        yield LeafletWords(self.said.size.format(how=ways.way(job.mode)), bold=True)
        if len(job.parts) > 1:
            for part, how in zip(job.parts, (ways.way(job.mode), ways.way_behind(job.mode)), strict=False):
                yield LeafletWords(self.said.file.format(name=part.name, how=how))

    def _where(self, bed: Bed) -> str:
        """`Pages 1–4, Cards (sheets: 2)`, by the pages of the file, of the first where there are two."""
        span = _span(self.laid.job.parts[0], bed).said(self.words.patch)
        pages = span[:1].upper() + span[1:]
        return self.said.pages.format(pages=pages, title=bed.component, count=bed.last - bed.first + 1)

    def _cutting(self) -> Iterator[str]:
        """Each way to cut, and what is cut so."""
        found: dict[str, list[str]] = {}
        for component in self.game.components:
            if component.count:
                way, what = self._cut(component)
                found.setdefault(way, []).append(what)
        for way, all_of_it in found.items():
            yield way.format(what="; ".join(dict.fromkeys(all_of_it)))

    def _cut(self, component: Component) -> tuple[str, str]:
        """How a component is cut, and what is said of it there."""
        said, title, outline = self.said, component.title, component.outline
        if component.make not in FLAT:
            return said.net, title
        if outline.is_circle:
            return said.circle, f"{title} Ø {number(outline.size.w)} mm"
        if not outline.is_box or not self.laid.setup.marks.reach:
            return said.outline, title
        what = f"{title} {number(outline.size.w)} × {number(outline.size.h)}"
        what = said.corners.format(what=what, mm=number(outline.radius)) if outline.radius else f"{what} mm"
        return (said.board if component.make == BOARD else said.straight), what


def _mixed(bed: Bed) -> bool:
    """Whether its pieces have several sizes, lying either way; a hundredth of a mm is none."""
    return len({tuple(sorted(round(side, 2) for side in outline.size)) for outline in bed.outlines}) > 1


def _span(part: FilePart, bed: Bed) -> PageSpan:
    """The pages of a bed's sheets: a page's label begins with the number of its sheet."""
    sheets = range(bed.first, bed.last + 1)
    pages = [at for at, page in enumerate(part.pages, 1) if int(page.side.label.split()[0]) in sheets]
    return PageSpan(min(pages), max(pages))
