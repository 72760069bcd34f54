"""The order of the stages for patches: what `pnp patch` writes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from generator import __version__
from generator.core.files import Outbox
from generator.core.geometry import Point
from generator.core.problems import fail, placed, unknown
from generator.core.timing import Watch
from generator.core.words import SheetWords, Words, words_for
from generator.draw.face import Face
from generator.impose import duplex
from generator.impose.lay import impose, impose_packed
from generator.impose.setup import Caption, Setup
from generator.impose.sheet import Job, Note, Page, Piece, Side
from generator.jobs.comparing import Compared, Pack
from generator.jobs.cutting import write_cuts
from generator.jobs.gathering import gathered
from generator.jobs.pipeline import NOTE_FONT
from generator.jobs.rulebook import RulesPages, kept_rules
from generator.jobs.wishes import MAKES, PrintWish, setup
from generator.pack.game import Game
from generator.pack.shape import Shape, ShapeKind
from generator.pdf.faces import FacePages, compile_faces
from generator.pdf.graft import About, Leaf, bind, count_pages
from generator.pdf.leaflet import lay_leaflet
from generator.pdf.sheets import lay_sheets
from generator.release.compare import Severity
from generator.release.dress import dressed
from generator.release.folder import SUFFIX, file_name
from generator.release.leaflet import Contents, Pieces, Span, leaflet
from generator.release.plan import Lot, Patch, plan

ALWAYS, CHANGED, NEVER = "always", "changed", "never"
RULES = (CHANGED, ALWAYS, NEVER)
"""When the rules are in the patch."""


@dataclass(frozen=True)
class PatchWish:
    """What goes into a patch: changes of at least a severity, and the rules when."""

    least: Severity = Severity.LOOK
    rules: str = CHANGED


@dataclass
class PatchPress:
    """Makes the files of one patch; faces are compiled once for all papers."""

    pack: Pack
    both: Compared
    wish: PatchWish
    watch: Watch
    rules: RulesPages | None = None
    _old: tuple[FacePages, ...] = ()
    _new: tuple[FacePages, ...] = ()

    @property
    def game(self) -> Game:
        """The game in the form in which it is printed."""
        return self.pack.wanted.game

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

    def plan(self) -> Patch:
        """What is printed and what is taken out."""
        with self.watch.stage("plan"):
            patch = plan(self.both.difference, self.both.eye, self.wish.least)
            return dressed(patch, self.both.shown) if self.both.shown else patch

    @property
    def with_rules(self) -> bool:
        """Whether the rules are wanted, and there are any."""
        if self.rules is None or self.wish.rules == NEVER:
            return False
        changed = [rules for rules in self.both.difference.rules if rules.new and rules.language == self.game.language]
        return self.wish.rules == ALWAYS or bool(changed)

    def compile(self, patch: Patch) -> None:
        """Make pages of the faces that are printed and of those that are shown."""
        new = _faces([face for lot in patch.prints for face in lot.design.faces])
        old = _faces([lot.design.front for lot in patch.removes])
        with self.watch.stage("faces", len(new) + len(old)):
            self._new = compile_faces(tuple(new.values()), self.both.new.fonts)
            self._old = compile_faces(tuple(old.values()), self.both.old.fonts)

    def pdf(self, patch: Patch, laid_out: Setup, job: Job) -> bytes:
        """The file for one paper."""
        rules = self.rules(laid_out.paper.size) if self.rules and self.with_rules else None
        with self.watch.stage("pdf"):
            own, contents = self._leaflet(patch, laid_out, job, count_pages(rules) if rules else 0)
            missing = contents.own.last - count_pages(own)
            blank = self._sheets([self._blank(laid_out)], {}, ())
            leaves = [Leaf(own, self._old), *blank * missing]
            leaves += [Leaf(rules)] if rules else []
            if contents.blank:
                leaves += blank
            faces = _faces([face for lot in patch.prints for face in lot.design.faces])
            for part in job.parts:
                leaves += self._sheets(part.pages, faces, self._new)
            return bind(leaves, self._about(patch, job, _last(contents)))

    def _leaflet(self, patch: Patch, laid_out: Setup, job: Job, rules: int) -> tuple[bytes, Contents]:
        """Laid out again until it has no more pages than it says that it has."""
        pages = 1
        while True:
            contents = _contents(job, pages, rules, self.words.sheet)
            blocks = leaflet(patch, contents, self._called, self.words.patch)
            laid = lay_leaflet(blocks, laid_out.paper.size, self.game.fonts)
            if count_pages(laid) <= pages:
                return laid, contents
            pages = count_pages(laid)

    def _sheets(self, pages: Sequence[Page], faces: dict[str, Face], chunks: tuple[FacePages, ...]) -> list[Leaf]:
        return [Leaf(laid, chunks) for laid in lay_sheets(pages, faces, self.game.fonts.find(NOTE_FONT))]

    def _blank(self, laid_out: Setup) -> Page:
        w, h = laid_out.paper.size
        return Page(laid_out.paper.size, Side("", notes=(Note(self.words.patch.blank_page, Point(w / 2, h / 2), 3.5),)))

    @property
    def _called(self) -> str:
        return f"{self.name} ({self.game.variant_title})" if self.game.variant else self.name

    def _about(self, patch: Patch, job: Job, last: int) -> About:
        """Its pages are called by their numbers, since the leaflet names them so and a print dialogue asks for them."""
        return About(
            title=self.words.patch.title.format(name=self._called, **self.versions),
            language=self.game.language,
            credits=", ".join(patch.difference.new.credits),
            producer=f"pnp {__version__}",
            duplex=job.duplex,
            labels=tuple(str(number) for number in range(1, last + 1)),
        )

    def setup(self, paper: str, wish: PrintWish) -> Setup:
        """How the sheets are laid out; their footers say from which version to which they lead."""
        versions = self.words.patch.versions.format(**self.versions)
        return replace(setup(self.game, paper, wish), caption=Caption(self.name, self.game.edition(versions)))

    @property
    def stem(self) -> str:
        """How the names of its files begin."""
        old, new = (file_name(version).removesuffix(SUFFIX) for version in self.versions.values())
        return self.game.stem("patch", f"{old}-to-{new}")


def _check_rules(press: PatchPress) -> None:
    """A release keeps the words of its rules and not their pages: those are set from the pack, which must have them."""
    release = press.both.new.release
    if press.with_rules and kept_rules(press.pack.plain.game) != release.rules:
        found = f"the rules of release {release.version} cannot be printed: the pack has others by now"
        fail(None, found, hint="leave them out with --rules never")


def write_patches(press: PatchPress, wish: PrintWish, outbox: Outbox) -> tuple[Patch, list[tuple[Path, Job | None]]]:
    """A file for every paper that is wanted, each with its job, and what helps to cut it, without.

    None where there is nothing to print and nothing to take out.
    """
    patch, game = press.plan(), press.game
    if patch.empty and not press.with_rules:
        return patch, []
    _check_rules(press)
    press.compile(patch)
    written: list[tuple[Path, Job | None]] = []
    for name in wish.papers or game.print.papers:
        with placed():
            laid_out = press.setup(name, wish)
            job = _fewest(gathered(pieces(patch.prints), laid_out), laid_out)
        data = press.pdf(patch, laid_out, job)
        written.append((outbox.write(f"{press.stem}-{laid_out.paper.name}.pdf", data), job))
        written += [(path, None) for path in write_cuts(game, laid_out, wish, job, outbox, f"{press.stem}-cuts")]
    return patch, written


def _fewest(wanted: Sequence[Piece], laid_out: Setup) -> Job:
    """On grids; where sheets that are parted by straight cuts are fewer, on those."""
    job = impose(wanted, laid_out)
    if len(job.sheets) < 2 or laid_out.skip:
        return job
    return min(job, impose_packed(wanted, laid_out), key=lambda each: len(each.sheets))


def pieces(lots: Sequence[Lot]) -> list[Piece]:
    """The pieces of some lots."""
    return [piece for lot in lots for piece in [_piece(lot)] * lot.count]


def _piece(lot: Lot) -> Piece:
    component, front = lot.component, lot.design.front
    shape = Shape(ShapeKind(component.shape), front.size)
    piece = Piece(
        id=f"{component.id}:{lot.design.id}",
        component=component.title,
        size=front.size,
        bleed=front.bleed,
        front=front.name,
        back=lot.design.back.name if lot.design.back else None,
        gutter=component.gutter,
        grid=component.grid,
        radius=front.size.w / 2 if shape.kind is ShapeKind.CIRCLE else component.radius,
        corners=shape.corners if shape.kind is ShapeKind.HEX else (),
        more=tuple(face.name for face in lot.design.more),
    )
    if component.make not in MAKES:
        raise unknown("make", component.make, MAKES)
    return MAKES[component.make].made(piece)


def _faces(faces: Sequence[Face]) -> dict[str, Face]:
    return {face.name: face for face in faces}


def _contents(job: Job, own: int, rules: int, words: SheetWords) -> Contents:
    """Where everything stands, when the leaflet and the rules have so many pages."""
    at = own + rules
    blank = at + 1 if job.duplex != "Simplex" and at % 2 and job.sheets else None
    at += 1 if blank else 0
    mode, found = duplex.mode(job.mode), []
    for part, how in zip(job.parts, (words.way(mode.name), words.way_behind(mode.name)), strict=False):
        if part.pages:
            found.append(Pieces(Span(at + 1, at + len(part.pages)), how))
            at += len(part.pages)
    return Contents(Span(1, own), Span(own + 1, own + rules) if rules else None, tuple(found), blank)


def _last(contents: Contents) -> int:
    spans = [contents.own, contents.rules, *(pieces.span for pieces in contents.pieces)]
    return max(span.last for span in spans if span)
