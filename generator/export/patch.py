"""Write patches: one file per paper with only the pieces changed since a release, and a leaflet of instructions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from generator.base.errors import fail, raising_at
from generator.base.files import Outbox
from generator.base.geometry import Point, Size
from generator.base.paper import PaperChoice, check_unshared
from generator.base.spill import SpilledBytes
from generator.base.ui_strings import SheetWords, Words, words_for
from generator.export import WrittenFile
from generator.export.cuts import write_cuts
from generator.export.rules import set_rules_on_paper
from generator.impose.impose import impose_fewest
from generator.impose.packing import gather_pieces
from generator.impose.sheet import Job, Note, Piece, SheetPage, SheetSide
from generator.pack.game import Game
from generator.pdf.faces import FacePages, compile_faces
from generator.pdf.finish import DocumentInfo, DocumentPart, count_pages, write_file
from generator.pdf.sheets import SheetPages, draw_sheets
from generator.picture.face import Face
from generator.pipeline.open_releases import ComparedReleases, compare_requested, record_rules
from generator.pipeline.printing import ImposedSheets, keep_order, make_piece, name_mode
from generator.pipeline.project import Project
from generator.pipeline.rulebook import guide_style
from generator.release.compare_releases import Severity
from generator.release.leaflet import Contents, Leaflet, PageSpan
from generator.release.plan import Lot, Patch, apply_form, plan_patch
from generator.release.release_file import SUFFIX, file_name
from generator.release.report import describe_empty_patch, describe_patch, note_missing_form
from generator.rules.booklet.make import TypesetRules, kind_for_sheets, typeset
from generator.rules.model import Rules
from generator.rules.theme import Theme

ALWAYS = "always"
CHANGED = "changed"
NEVER = "never"
"""The values of --rules: when a patch includes the rules."""


@dataclass(frozen=True)
class PatchOptions:
    """The contents of a patch: the least severity of changes that are printed, and when it includes the rules."""

    min_severity: Severity = Severity.LOOK
    rules: str = CHANGED


def write(project: Project, outbox: Outbox) -> Iterator[WrittenFile]:
    """Write a patch for each paper, unless there is nothing to print and nothing to take out."""
    with compare_requested(project, extras=False) as releases:
        patch = _make_plan(project, releases)
        has_rules = _has_rules(project, releases)
        hint = note_missing_form(releases.difference.old, releases.form)
        notices = (hint,) if patch.is_other_form else ()
        if patch.is_empty and not has_rules:
            yield WrittenFile(None, describe_empty_patch(patch), notices)
            return
        yield WrittenFile(None, describe_patch(patch), notices)
        if has_rules:
            _check_rules(project, releases)
        with raising_at():
            check_unshared(project.print_options.papers, "a patch")
        content = _compile(project, releases, patch, has_rules=has_rules)
        for paper in project.papers:
            yield from _write_paper(content, paper, outbox)


@dataclass(frozen=True)
class PatchContent:
    """The parts that the files of a patch for all papers share.

    `new_pages` are the compiled `new_faces`, which are printed; `old_pages` are those of the pieces
    to take out, which the leaflet shows. They are set in the fonts of their own release.
    """

    project: Project
    releases: ComparedReleases
    patch: Patch
    has_rules: bool
    new_faces: Mapping[str, Face]
    new_pages: tuple[FacePages, ...]
    old_pages: tuple[FacePages, ...]

    @property
    def words(self) -> Words:
        """The words of the program in the language of the patch."""
        return words_for(self.project.game.language)

    @property
    def name(self) -> str:
        """The name of the game in the new release."""
        return (self.releases.new_in_form or self.releases.difference.new).name

    @property
    def full_name(self) -> str:
        """The name of the game with its variant: `My Game (Line art)`."""
        game = self.project.game
        return f"{self.name} ({game.variant_title})" if game.variant else self.name

    @property
    def versions(self) -> dict[str, str]:
        """The versions that the patch leads from and to, by `old` and `new`."""
        return {
            "old": self.releases.difference.old.version,
            "new": self.releases.difference.new.version,
        }

    @property
    def edition(self) -> str:
        """The versions as readers see them: `1 to 2 (Line art)`."""
        return self.project.game.edition(self.words.patch.versions.format(**self.versions))

    @property
    def stem(self) -> str:
        """The beginning of the names of all files."""
        old, new = (file_name(version).removesuffix(SUFFIX) for version in self.versions.values())
        return self.project.game.stem("patch", f"{old}-to-{new}")


def _make_plan(project: Project, releases: ComparedReleases) -> Patch:
    """Return the pieces to print and to take out, in the requested form of the game."""
    with project.watch.stage("plan"):
        patch = plan_patch(
            releases.difference, releases.comparer, project.request.get(PatchOptions).min_severity
        )
        return apply_form(patch, releases.new_in_form) if releases.new_in_form else patch


def _has_rules(project: Project, releases: ComparedReleases) -> bool:
    """Return True if the patch contains the rules."""
    options = project.request.get(PatchOptions)
    if project.game.rules is None or options.rules == NEVER:
        return False
    language = project.game.language
    changed = any(rules.new and rules.language == language for rules in releases.difference.rules)
    return options.rules == ALWAYS or changed


def _check_rules(project: Project, releases: ComparedReleases) -> None:
    """Raise if the pack no longer has the rules of the new release, which keeps their text but not their pages."""
    release = releases.new.release
    if record_rules(project.default_form.game) != release.rules:
        found = f"the rules of release {release.version} cannot be printed: the pack's rules have changed"
        fail(None, found, hint="leave them out with --rules never")


def _compile(
    project: Project, releases: ComparedReleases, patch: Patch, *, has_rules: bool
) -> PatchContent:
    """Compile the faces to print, and those to take out, once for all papers."""
    new = _by_name(face for lot in patch.prints for face in lot.design.faces)
    old = _by_name(lot.thumbnail for lot in patch.removes)
    with project.watch.stage("faces", len(new) + len(old)):
        new_pages = compile_faces(tuple(new.values()), releases.new.fonts)
        old_pages = compile_faces(tuple(old.values()), releases.old.fonts)
    return PatchContent(project, releases, patch, has_rules, new, new_pages, old_pages)


def _by_name(faces: Iterable[Face]) -> dict[str, Face]:
    return {face.name: face for face in faces}


def _write_paper(
    content: PatchContent, paper: PaperChoice, outbox: Outbox
) -> Iterator[WrittenFile]:
    """Write the file for a paper, and the files that help to cut it."""
    imposed = _impose(content, paper)
    mode = name_mode(content.project.game, content.project.print_options)
    name = "-".join(filter(None, (content.stem, imposed.setup.paper.name, mode)))
    path = outbox.write(f"{name}.pdf", _bind_file(content, imposed))
    yield WrittenFile(
        path, imposed.job.summary if imposed.job.sheets else "to read", imposed.job.notices
    )
    if content.project.print_options.cuts:
        yield from write_cuts(content.project, imposed, outbox, f"{content.stem}-cuts")


def _impose(content: PatchContent, paper: PaperChoice) -> ImposedSheets:
    """Place the new pieces on sheets of a paper, whose footers name both versions."""
    caption = f"{content.name} {content.edition}"
    with raising_at():
        setup = replace(content.project.setup(paper), caption=caption)
        ordered = list(_put_in_order(list_pieces(content.patch.prints), content.project.game))
        return ImposedSheets(setup, impose_fewest(gather_pieces(ordered, setup), setup))


def _put_in_order(pieces: Sequence[Piece], game: Game) -> Iterator[Piece]:
    """Yield the pieces of each component, turned and in their places as the pack's order has them."""
    components = {component.id: component for component in game.components}
    for name, group in groupby(pieces, key=lambda piece: piece.id.partition(":")[0]):
        component = components.get(name)
        own = list(group)
        yield from keep_order(own, component) if component else own


def _bind_file(content: PatchContent, imposed: ImposedSheets) -> SpilledBytes:
    """Return the file for one paper: leaflet, rules and sheets, with blank pages so that fronts fall on odd pages."""
    rules, leaflet, contents = _set_rules_and_leaflet(content, imposed)
    blank = _draw_pages(content, [_blank_page(content, imposed.setup.paper.size)])
    leaves = [DocumentPart(leaflet.pdf), *blank * (contents.leaflet_span.last - leaflet.book.count)]
    if rules:
        leaves.append(DocumentPart(rules))
    if contents.blank:
        leaves += blank
    with content.project.watch.stage("pdf"):
        for part in imposed.job.parts:
            leaves += _draw_pages(content, part.pages)
        return write_file(leaves, _document_info(content, imposed.job, _find_last_page(contents)))


def _set_rules_and_leaflet(
    content: PatchContent, imposed: ImposedSheets
) -> tuple[bytes | None, TypesetRules, Contents]:
    """Set the rules and the leaflet until both agree: rules are numbered after the leaflet, which names their pages."""
    before = 1
    while True:
        rules = (
            set_rules_on_paper(content.project, imposed.setup.paper.page, before)
            if content.has_rules
            else None
        )
        leaflet, contents = _set_leaflet(content, imposed, count_pages(rules) if rules else 0)
        if contents.leaflet_span.last <= before:
            return rules, leaflet, contents
        before = contents.leaflet_span.last


def _set_leaflet(
    content: PatchContent, imposed: ImposedSheets, rule_pages: int
) -> tuple[TypesetRules, Contents]:
    """Set the leaflet until it has at most as many pages as it names for itself."""
    project = content.project
    game = project.game
    style = replace(guide_style(game), columns=1, theme=Theme())
    kind = kind_for_sheets(imposed.setup.paper.page)
    pages = 1
    while True:
        contents = _number_pages(imposed.job, pages, rule_pages, content.words.sheet)
        leaflet = Leaflet(content.patch, contents, content.full_name, content.words.patch)
        rules = Rules(
            leaflet.title,
            game.language,
            content.words.rules,
            leaflet.blocks,
            style,
            footer=f"{content.name} · {content.edition}",
            is_generated=True,
        )
        with project.watch.stage("leaflet"), raising_at():
            typeset_rules = typeset(rules, game.fonts, content.old_pages, kind)
        if typeset_rules.book.count <= pages:
            return typeset_rules, contents
        pages = typeset_rules.book.count


def _draw_pages(content: PatchContent, pages: Sequence[SheetPage]) -> list[DocumentPart]:
    sizes = {name: face.full.size for name, face in content.new_faces.items()}
    placed = SheetPages(pages, sizes, content.project.game.fonts.note_font)
    return [DocumentPart(draw_sheets(placed), content.new_pages)] if pages else []


def _blank_page(content: PatchContent, size: Size) -> SheetPage:
    """Return a page that only says that it is blank."""
    note = Note(content.words.patch.blank_page, Point(size.w / 2, size.h / 2), 3.5)
    return SheetPage(size, SheetSide("", notes=(note,)))


def _document_info(content: PatchContent, job: Job, last: int) -> DocumentInfo:
    """Return the metadata of a file.

    Its pages are labelled by number, as the leaflet and print dialogues name them.
    """
    title = content.words.patch.title.format(name=content.full_name, **content.versions)
    labels = tuple(str(number) for number in range(1, last + 1))
    return content.project.document_info(title, job.duplex, labels)


def list_pieces(lots: Sequence[Lot]) -> list[Piece]:
    """Return the pieces of some lots."""
    return [piece for lot in lots for piece in [_make_lot_piece(lot)] * lot.count]


def _make_lot_piece(lot: Lot) -> Piece:
    size = Size(*lot.component.size) if lot.component.size else lot.design.front.size
    return make_piece(lot.component, lot.design, lot.component.outline(size))


def _number_pages(job: Job, leaflet_pages: int, rules: int, words: SheetWords) -> Contents:
    """Return the page numbers of all parts, if the leaflet has `leaflet_pages` pages and the rules have `rules`."""
    at = leaflet_pages + rules
    blank = at + 1 if job.duplex != "Simplex" and at % 2 and job.sheets else None
    at += 1 if blank else 0
    piece_pages = []
    for part, how in zip(
        job.parts, (words.how_to_print(job.mode), words.how_to_print_behind(job.mode)), strict=False
    ):
        if part.pages:
            piece_pages.append((PageSpan(at + 1, at + len(part.pages)), how))
            at += len(part.pages)
    return Contents(
        PageSpan(1, leaflet_pages),
        PageSpan(leaflet_pages + 1, leaflet_pages + rules) if rules else None,
        tuple(piece_pages),
        blank,
    )


def _find_last_page(contents: Contents) -> int:
    spans = [contents.leaflet_span, contents.rules, *(span for span, _ in contents.pieces)]
    return max(span.last for span in spans if span)
