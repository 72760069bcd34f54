"""One game on its way: an order says what is wanted; every step is a value, made when first asked for and kept.

    folder ─ game ─ drawn ─┬─ figures ─ rules ─ rule_pages
                           ├─ faces ─ face_pages
                           └─ laid(paper)

Commands, exporters and whatever else shows or sends a game ask one of these; nothing else knows the order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from generator.app.packs import find_pack, vocabulary
from generator.app.printing import PrintWish, pieces, setup, sheets_shared
from generator.core.cache import NOTHING_KEPT, Kept
from generator.core.fonts import NOTE_FONT
from generator.core.paper import PaperWish
from generator.core.problems import Problem, Reporter, fail, placed, raise_any
from generator.core.steps import Watch, step
from generator.core.words import words_for
from generator.core.worker import Crew
from generator.draw.draw import DrawnComponent, draw_game
from generator.draw.findings import Finding, component_findings
from generator.pack.game import Game
from generator.pack.load import PackForm, load
from generator.picture.face import Face

if TYPE_CHECKING:
    from generator.core.held import Held
    from generator.figure.build import CheckedFigure
    from generator.impose.setup import Setup
    from generator.impose.sheet import FilePart, Job, Piece
    from generator.pdf.faces import FacePages
    from generator.pdf.finish import About
    from generator.pdf.sheets import Boxed
    from generator.picture.raster import Rasteriser
    from generator.release.record import KeptFont
    from generator.rules.model import Rules

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Order:
    """A pack, by its folder or the name of one that comes with the program, and how it is wanted.

    `wishes` are values of the stages' and exporters' own types, one of a type; what is not among them is as it is
    when nothing is said. An order can be sent to another process.
    """

    pack: str
    form: PackForm = field(default_factory=PackForm)
    wishes: tuple[object, ...] = ()

    def wish(self, kind: type[Kind]) -> Kind:
        """The wish of a kind."""
        return next((wish for wish in self.wishes if isinstance(wish, kind)), kind())


@dataclass(frozen=True)
class LaidSheets:
    """The sheets for one paper, and how they are laid out."""

    setup: Setup
    job: Job


@dataclass(frozen=True, eq=False)
class Project:
    """The steps of one game in one form.

    `kept` is where they look for what was made before, `crew` are the processes that help.
    """

    order: Order
    watch: Watch = field(default_factory=Watch)
    known: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False)
    kept: Kept = NOTHING_KEPT
    crew: Crew = field(default_factory=Crew)

    @property
    @step
    def folder(self) -> Path:
        """Where the pack lies."""
        return find_pack(self.order.pack)

    @property
    @step
    def game(self) -> Game:
        """The pack, read and checked."""
        with self.watch.stage("load"):
            return load(self.folder, vocabulary(), self.order.form)

    @property
    @step
    def drawn(self) -> tuple[DrawnComponent, ...]:
        """All designs with their faces."""
        return self._drawing[0]

    @property
    def blemishes(self) -> tuple[Problem, ...]:
        """What is wrong with the designs of a draft."""
        return self._drawing[1]

    @property
    @step
    def _drawing(self) -> tuple[tuple[DrawnComponent, ...], tuple[Problem, ...]]:
        game, found = self.game, Reporter().problems
        with self.watch.stage("draw", sum(len(component.designs) for component in game.components)) as tick:
            drawn = draw_game(game, tick, found.extend if game.draft else raise_any, self.kept)
        if self.order.wish(PrintWish).low_ink:
            from generator.app.saving import saving

            with self.watch.stage("thrift"):
                drawn = saving(drawn, self.raster)
        return drawn, tuple(found)

    def drawn_of(self, wanted: frozenset[tuple[str, str]]) -> tuple[DrawnComponent, ...]:
        """The designs of these components and ids alone, where not all are drawn already."""
        if ("drawn",) in self.known:
            return self.drawn
        parts = [
            replace(part, designs=tuple(design for design in part.designs if (part.id, design.id) in wanted))
            for part in self.game.components
        ]
        with self.watch.stage("draw", len(wanted)) as tick:
            game = replace(self.game, components=tuple(part for part in parts if part.designs))
            return draw_game(game, tick, kept=self.kept)

    @property
    @step
    def faces(self) -> Mapping[str, Face]:
        """Each picture once, by name."""
        return {face.name: face for component in self.drawn for face in component.faces}

    @property
    @step
    def fonts_shown(self) -> tuple[KeptFont, ...]:
        """The fonts in which the faces are set, with the glyphs that they show."""
        from generator.release.record import subset_used_fonts

        return subset_used_fonts(self.game.fonts, tuple(self.faces.values()))

    @property
    def boxed(self) -> Mapping[str, Boxed]:
        """How large each picture is, by name."""
        return self.faces

    @property
    @step
    def face_pages(self) -> tuple[FacePages, ...]:
        """Those pictures as pages of PDF."""
        from generator.pdf.faces import InCommon, compile_faces

        common, dpi = self.order.wish(InCommon), self.order.wish(PrintWish).dpi
        with self.watch.stage("faces", len(self.faces)) as tick:
            return compile_faces(tuple(self.faces.values()), self.game.fonts, tick, self.kept, common, dpi)

    @property
    @step
    def figures(self) -> Mapping[str, CheckedFigure]:
        """The figures of the rules, all that they claim checked; a pack may have some and no rules."""
        if not self.game.has_rules:
            return {}
        from generator.app.rulebook import illustrated

        with self.watch.stage("figures"):
            return illustrated(self.game, self.drawn)

    @property
    @step
    def rules(self) -> Rules | None:
        """The rules, read, where the game has some."""
        figures, settings = self.figures, self.game.rules
        if settings is None:
            return None
        from generator.app.making import making_blocks
        from generator.app.rulebook import rules_of

        with self.watch.stage("rules"):
            return rules_of(self.game, settings, self.drawn, figures, lambda: making_blocks(self))

    @property
    @step
    def rule_pages(self) -> tuple[FacePages, ...]:
        """The pictures in the rules as pages of PDF."""
        from generator.pdf.faces import compile_faces

        faces = {face.name: face for face in self.rules.faces} if self.rules else {}
        with self.watch.stage("rules"):
            return compile_faces(tuple(faces.values()), self.game.fonts, kept=self.kept)

    @property
    @step
    def raster(self) -> Rasteriser:
        """Who makes pixels of the faces."""
        from generator.picture.raster import Rasteriser

        return Rasteriser(self.game.fonts, self.kept, crew=self.crew)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The warnings of `pnp check` that are known without rendering, in the steps made so far."""
        found = [fault for component in self.drawn for fault in component_findings(component)]
        if ("figures",) in self.known:
            from generator.app.rulebook import hidden_by_overlays

            found += hidden_by_overlays(self.figures)
        return tuple(found)

    @property
    def papers(self) -> tuple[PaperWish, ...]:
        """The papers that the sheets are wanted on; of a stock of several, those that are used."""
        wanted = self.order.wish(PrintWish).papers or tuple(map(PaperWish, self.game.print.papers))
        return tuple(one for one in wanted if not one.stock or self.laid(one).job.sheets)

    def setup(self, paper: PaperWish) -> Setup:
        """How sheets of a paper are laid out."""
        return self._setup(paper, self.order.wish(PrintWish))

    @step
    def _setup(self, paper: PaperWish, wish: PrintWish) -> Setup:
        with placed():
            return setup(self.game, paper.paper, wish)

    def laid(self, paper: PaperWish) -> LaidSheets:
        """The sheets for a paper."""
        return self._laid(paper, self.order.wish(PrintWish))

    @step
    def _laid(self, paper: PaperWish, wish: PrintWish) -> LaidSheets:
        from generator.impose.lay import impose, impose_packed
        from generator.impose.stock import PaperStock, distribute_pieces

        with placed():
            wanted = self.pieces(wish)
        lay = impose_packed if sheets_shared(self.game, wish) else impose
        how = self.setup(paper)
        with self.watch.stage("impose"), placed():
            if paper.stock:
                papers = [PaperStock(setup(self.game, one, wish), count) for one, count in paper.stock]
                wanted = distribute_pieces(wanted, papers)[[one for one, _ in paper.stock].index(paper.paper)]
            return LaidSheets(how, lay(wanted, how))

    def pieces(self, wish: PrintWish) -> list[Piece]:
        """What is printed."""
        return pieces(self.drawn, wish)

    def wishing(self, *wishes: object) -> Project:
        """The same game with other wishes: what is drawn of it is drawn once for both."""
        return replace(self, order=replace(self.order, wishes=wishes))

    def other(self, form: PackForm) -> Project:
        """The same pack in another form."""
        return Project(replace(self.order, form=form), self.watch, self._known_of(form), self.kept, self.crew)

    @step
    def _known_of(self, form: PackForm) -> dict[tuple[object, ...], Any]:  # noqa: ARG002 - it is kept by its form
        return {}

    @property
    def plain(self) -> Project:
        """The pack in its own language and look."""
        return self.other(PackForm()) if self.game.variant or self.game.translated else self

    def sheets_pdf(self, job: Job, part: FilePart, opening: bytes = b"") -> Held:
        """One of the files of a job; what opens it stands before its sheets, on sheets of paper of its own."""
        from generator.pdf.sheets import LaidPages, write_sheets

        game = self.game
        title = f"{game.name} {game.edition()} – {words_for(game.language).sheet.sheets}"
        about = self.about(title, job.duplex, tuple(page.side.label for page in part.pages))
        faces, pages = self.boxed, self.face_pages
        with self.watch.stage("pdf"):
            return write_sheets(LaidPages(part.pages, faces, game.fonts.find(NOTE_FONT)), pages, about, opening)

    def about(self, title: str, duplex: str, labels: tuple[str, ...]) -> About:
        """What a file of this game says of itself, and how it asks to be printed."""
        from generator.pdf.finish import About

        return About(title, self.game.language, ", ".join(self.game.credits), duplex, labels)

    def need_rules(self) -> None:
        """Refuse a game that has no rules."""
        if self.game.rules is None:
            fail(None, f"{self.game.name} has no rules", "`rules: {file: rules.md}` in its game.yaml")
