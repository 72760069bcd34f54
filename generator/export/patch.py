"""What changed since a release, and only that: a file for each paper, with a page on top that says what to do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from generator.app.comparing import Compared, between, kept_rules
from generator.app.printing import PrintWish, piece_of
from generator.app.project import LaidSheets, Project
from generator.core.files import Outbox
from generator.core.fonts import NOTE_FONT
from generator.core.geometry import Point, Size
from generator.core.held import Held
from generator.core.paper import PaperWish, check_unshared
from generator.core.problems import fail, placed
from generator.core.steps import step
from generator.core.words import SheetWords, Words, words_for
from generator.export import Written
from generator.export.cuts import write_cuts
from generator.export.rules import on_paper
from generator.impose.lay import impose_fewest
from generator.impose.packing import gather_pieces
from generator.impose.setup import Caption, Setup
from generator.impose.sheet import Job, Note, Piece, SheetPage, SheetSide
from generator.pack.game import Game
from generator.pdf.faces import FacePages, compile_faces
from generator.pdf.finish import About, FiledPages, count_pages, write_file
from generator.pdf.leaflet import lay_leaflet
from generator.pdf.sheets import LaidPages, draw_sheets
from generator.picture.face import Face
from generator.release.compare import Severity
from generator.release.file import SUFFIX, file_name
from generator.release.leaflet import Contents, PageSpan, Pieces, leaflet
from generator.release.plan import Lot, Patch, dressed, plan
from generator.release.report import not_kept, said, unchanged

ALWAYS, CHANGED, NEVER = "always", "changed", "never"
RULES = (CHANGED, ALWAYS, NEVER)
"""When the rules are in the patch."""


@dataclass(frozen=True)
class PatchWish:
    """What goes into a patch: changes of at least a severity, and the rules when."""

    least: Severity = Severity.LOOK
    rules: str = CHANGED


def write(project: Project, outbox: Outbox) -> Iterator[Written]:
    """What is said of the patch, and its files, where there is anything to print or to take out."""
    with between(project) as both:
        press = _Press(project, both)
        patch, hint = press.patch, not_kept(both.difference.old, both.form)
        told = (hint,) if patch.told else ()
        if patch.empty and not press.with_rules:
            yield Written(None, unchanged(patch), told)
            return
        yield Written(None, said(patch), told)
        _check_rules(press)
        with placed():
            check_unshared(project.order.wish(PrintWish).papers, "a patch")
        for paper in project.papers:
            yield from _on_paper(press, paper, outbox)


@dataclass(frozen=True, eq=False)
class _Press:
    """Makes the files of one patch; faces are compiled once for all papers."""

    project: Project
    both: Compared
    known: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False)

    @property
    def game(self) -> Game:
        """The game in the form in which it is printed."""
        return self.project.game

    @property
    def wish(self) -> PatchWish:
        """What goes into it."""
        return self.project.order.wish(PatchWish)

    @property
    def words(self) -> Words:
        """What the program says, in the language of the patch."""
        return words_for(self.game.language)

    @property
    def name(self) -> str:
        """What the new release is called in that form."""
        return (self.both.shown or self.both.difference.new).name

    @property
    def versions(self) -> dict[str, str]:
        """From which version, to which."""
        return {"old": self.both.difference.old.version, "new": self.both.difference.new.version}

    @property
    @step
    def patch(self) -> Patch:
        """What is printed and what is taken out."""
        with self.project.watch.stage("plan"):
            patch = plan(self.both.difference, self.both.comparer, self.wish.least)
            return dressed(patch, self.both.shown) if self.both.shown else patch

    @property
    def with_rules(self) -> bool:
        """Whether the rules are wanted, and there are any."""
        if self.game.rules is None or self.wish.rules == NEVER:
            return False
        changed = [rules for rules in self.both.difference.rules if rules.new and rules.language == self.game.language]
        return self.wish.rules == ALWAYS or bool(changed)

    @property
    @step
    def new(self) -> dict[str, Face]:
        """The faces that are printed, by name."""
        return _faces([face for lot in self.patch.prints for face in lot.design.faces])

    @property
    @step
    def new_pages(self) -> tuple[FacePages, ...]:
        """Those faces as pages of PDF."""
        with self.project.watch.stage("faces", len(self.new)):
            return compile_faces(tuple(self.new.values()), self.both.new.fonts)

    @property
    @step
    def old_pages(self) -> tuple[FacePages, ...]:
        """The same of the faces that are taken out, which the leaflet shows."""
        old = _faces([lot.shown for lot in self.patch.removes])
        with self.project.watch.stage("faces", len(old)):
            return compile_faces(tuple(old.values()), self.both.old.fonts)

    def laid(self, paper: PaperWish) -> LaidSheets:
        """The sheets for a paper; their footers say from which version to which they lead."""
        versions = self.words.patch.versions.format(**self.versions)
        caption = Caption(self.name, self.game.edition(versions))
        with placed():
            wanted, how = pieces(self.patch.prints), replace(self.project.setup(paper), caption=caption)
            return LaidSheets(how, impose_fewest(gather_pieces(wanted, how), how))

    def pdf(self, laid: LaidSheets) -> Held:
        """The file for one paper."""
        size, job = laid.setup.paper.page, laid.job
        rules, own, contents = self._to_read(laid, size)
        new, old, about = self.new_pages, self.old_pages, self._about(job, _last(contents))
        with self.project.watch.stage("pdf"):
            missing = contents.own.last - count_pages(own)
            blank = self._sheets([self._blank(laid.setup)], ())
            leaves = [FiledPages(own, old), *blank * missing]
            leaves += [FiledPages(rules)] if rules else []
            if contents.blank:
                leaves += blank
            for part in job.parts:
                leaves += self._sheets(part.pages, new)
            return write_file(leaves, about)

    def _to_read(self, laid: LaidSheets, size: Size) -> tuple[bytes | None, bytes, Contents]:
        """The rules, which are numbered from the leaflet on, and that leaflet, which names their pages."""
        before = 1
        while True:
            rules = on_paper(self.project, size, before) if self.with_rules else None
            own, contents = self._leaflet(laid, count_pages(rules) if rules else 0)
            if contents.own.last <= before:
                return rules, own, contents
            before = contents.own.last

    def _leaflet(self, laid: LaidSheets, rules: int) -> tuple[bytes, Contents]:
        """Laid out again until it has no more pages than it says that it has."""
        pages = 1
        while True:
            contents = _contents(laid.job, pages, rules, self.words.sheet)
            blocks = leaflet(self.patch, contents, self._called, self.words.patch)
            data = lay_leaflet(blocks, laid.setup.paper.page, self.game.fonts)
            if count_pages(data) <= pages:
                return data, contents
            pages = count_pages(data)

    def _sheets(self, pages: Sequence[SheetPage], chunks: tuple[FacePages, ...]) -> list[FiledPages]:
        laid = LaidPages(pages, self.new, self.game.fonts.find(NOTE_FONT))
        return [FiledPages(draw_sheets(laid), chunks)] if pages else []

    def _blank(self, laid_out: Setup) -> SheetPage:
        w, h = laid_out.paper.size
        return SheetPage(
            laid_out.paper.size, SheetSide("", notes=(Note(self.words.patch.blank_page, Point(w / 2, h / 2), 3.5),))
        )

    @property
    def _called(self) -> str:
        return f"{self.name} ({self.game.variant_title})" if self.game.variant else self.name

    def _about(self, job: Job, last: int) -> About:
        """Its pages are called by their numbers, since the leaflet names them so and a print dialogue asks for them."""
        title = self.words.patch.title.format(name=self._called, **self.versions)
        about = self.project.about(title, job.duplex, tuple(str(number) for number in range(1, last + 1)))
        return replace(about, credits=", ".join(self.both.difference.new.credits))

    @property
    def stem(self) -> str:
        """How the names of its files begin."""
        old, new = (file_name(version).removesuffix(SUFFIX) for version in self.versions.values())
        return self.game.stem("patch", f"{old}-to-{new}")


def _check_rules(press: _Press) -> None:
    """A release keeps the words of its rules and not their pages: those are set from the pack, which must have them."""
    release = press.both.new.release
    if press.with_rules and kept_rules(press.project.plain.game) != release.rules:
        found = f"the rules of release {release.version} cannot be printed: the pack has others by now"
        fail(None, found, hint="leave them out with --rules never")


def _on_paper(press: _Press, paper: PaperWish, outbox: Outbox) -> Iterator[Written]:
    """The file for a paper, and what helps to cut it."""
    laid = press.laid(paper)
    path = outbox.write(f"{press.stem}-{laid.setup.paper.name}.pdf", press.pdf(laid))
    yield Written(path, laid.job.summary if laid.job.sheets else "to read", laid.job.notices)
    if press.project.order.wish(PrintWish).cuts:
        yield from write_cuts(press.project, laid, outbox, f"{press.stem}-cuts")


def pieces(lots: Sequence[Lot]) -> list[Piece]:
    """The pieces of some lots."""
    return [piece for lot in lots for piece in [_of_lot(lot)] * lot.count]


def _of_lot(lot: Lot) -> Piece:
    return piece_of(lot.component, lot.design, lot.component.outline(lot.design.front.size))


def _faces(faces: Sequence[Face]) -> dict[str, Face]:
    return {face.name: face for face in faces}


def _contents(job: Job, own: int, rules: int, words: SheetWords) -> Contents:
    """Where everything stands, when the leaflet and the rules have so many pages."""
    at = own + rules
    blank = at + 1 if job.duplex != "Simplex" and at % 2 and job.sheets else None
    at += 1 if blank else 0
    found = []
    for part, how in zip(job.parts, (words.way(job.mode), words.way_behind(job.mode)), strict=False):
        if part.pages:
            found.append(Pieces(PageSpan(at + 1, at + len(part.pages)), how))
            at += len(part.pages)
    return Contents(PageSpan(1, own), PageSpan(own + 1, own + rules) if rules else None, tuple(found), blank)


def _last(contents: Contents) -> int:
    spans = [contents.own, contents.rules, *(pieces.span for pieces in contents.pieces)]
    return max(span.last for span in spans if span)
