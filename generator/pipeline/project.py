"""The pipeline: the steps from a pack's folder to its files, in their order.

    load ─ draw ─┬─ figures ─ rules ─ rule pages ─┐
                 ├─ face pages ───────────────────┼─ the files
                 └─ impose on a paper ────────────┘

Commands and exporters ask a `Project` for what they need. A step then runs, after those that it
takes its input from; it runs once, and its time is measured (`base/steps.py`). No other module
knows the order. A step imports its package only when it runs, so that a command loads no more than
it uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from generator.base.budget import allow
from generator.base.cache import NO_CACHE, CacheStore
from generator.base.errors import PnpError, Problem, Reporter, raise_any, raising_at
from generator.base.paper import PaperChoice
from generator.base.steps import Watch, step, timed_step
from generator.base.ui_strings import words_for
from generator.base.worker import Crew
from generator.draw.draw import DrawnComponent, draw_game, share_text_sizes
from generator.pack.game import Game
from generator.pack.lint import find_empty_tables
from generator.pack.load import PackForm, load
from generator.picture.face import Face, SharedFaces
from generator.pipeline.packs import find_pack
from generator.pipeline.printing import (
    ImposedSheets,
    PrintOptions,
    impose_pieces,
    list_pieces,
    make_setup,
)
from generator.pipeline.vocabulary import vocabulary

if TYPE_CHECKING:
    from generator.base.geometry import Size
    from generator.base.spill import SpilledBytes
    from generator.impose.setup import Setup
    from generator.impose.sheet import FilePart, Job, Piece, SheetPage
    from generator.pdf.faces import FacePages
    from generator.pdf.finish import DocumentInfo
    from generator.picture.raster import Rasteriser
    from generator.release.record import RecordedFont
    from generator.rules.figures.build import CheckedFigure
    from generator.rules.model import Rules

Options = TypeVar("Options")


@dataclass(frozen=True)
class BuildRequest:
    """A request: the pack, by its folder or the name of a bundled game, its form, and options.

    `options` holds at most one value of each options class of the stages and exporters; a class
    without one has its defaults. A request can be pickled for another process.
    """

    pack: str
    form: PackForm = field(default_factory=PackForm)
    options: tuple[object, ...] = ()

    def get(self, kind: type[Options]) -> Options:
        """Return the options of a class; its defaults if the request has none."""
        return next((options for options in self.options if isinstance(options, kind)), kind())


@dataclass(frozen=True, eq=False)
class Project:
    """One game in one form on its way through the steps.

    `watch` times the steps, `results` holds the results of those that have run, `cache` is the disk
    cache, and `crew` the worker processes.
    """

    request: BuildRequest
    watch: Watch = field(default_factory=Watch)
    results: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False)
    cache: CacheStore = NO_CACHE
    crew: Crew = field(default_factory=Crew)

    # Load: folder → Game

    @property
    @step
    def folder(self) -> Path:
        """The pack's folder."""
        return find_pack(self.request.pack)

    @property
    @timed_step("load")
    def game(self) -> Game:
        """The loaded and validated pack; raises `PnpError` with all of its mistakes."""
        game = share_text_sizes(load(self.folder, vocabulary(), self.request.form))
        allow(game.design_count)  # the budget of the command grows with the designs
        return game

    # Draw: Game → faces

    @property
    @timed_step("draw")
    def _drawing(self) -> tuple[tuple[DrawnComponent, ...], tuple[Problem, ...]]:
        """All designs in full ink, and the problems of a draft; other problems are raised."""
        problems = Reporter().problems
        components = draw_game(
            self.game,
            self.watch.counter(self.game.design_count),
            problems.extend if self.game.draft else raise_any,
            self.cache,
            self.request.get(SharedFaces),
        )
        return components, tuple(problems)

    @property
    def components_in_full_ink(self) -> tuple[DrawnComponent, ...]:
        """All designs with their faces, in the pack's own colours."""
        return self._drawing[0]

    @property
    def draft_problems(self) -> tuple[Problem, ...]:
        """The problems of a draft's designs, whose pieces are marked."""
        return self._drawing[1]

    @property
    @step
    def components(self) -> tuple[DrawnComponent, ...]:
        """All designs with their faces, in low ink if the request asks for it."""
        return (
            self._components_in_low_ink
            if self.print_options.low_ink
            else self.components_in_full_ink
        )

    @property
    @timed_step("low ink")
    def _components_in_low_ink(self) -> tuple[DrawnComponent, ...]:
        from generator.draw.low_ink_game import save_ink

        return save_ink(self.components_in_full_ink, self.game, self.raster)

    @property
    @step
    def faces(self) -> Mapping[str, Face]:
        """The distinct faces by name."""
        return {face.name: face for component in self.components for face in component.faces}

    @property
    @step
    def raster(self) -> Rasteriser:
        """The rasteriser for this game's faces."""
        from generator.picture.raster import Rasteriser

        return Rasteriser(self.game.fonts, self.cache, crew=self.crew)

    @property
    @step
    def used_fonts(self) -> tuple[RecordedFont, ...]:
        """The fonts of the faces, cut down to the glyphs that appear."""
        from generator.release.record import subset_used_fonts

        return subset_used_fonts(self.game.fonts, tuple(self.faces.values()))

    # Figures: Game and faces → pictures of boards whose claims hold

    @property
    @timed_step("figures")
    def figures(self) -> Mapping[str, CheckedFigure]:
        """The rules' figures by name, with their claims checked."""
        if not self.game.has_rules:
            return {}
        from generator.pipeline.rulebook import check_figures

        return check_figures(self.game, self.components)

    # Rules: Markdown and figures → Rules

    @property
    @timed_step("rules")
    def rules(self) -> Rules | None:
        """The parsed rules; None for a game without any, whose figures are still checked."""
        if not self.game.has_rules:
            return None
        from generator.pipeline.rulebook import making_blocks, parse_rules

        return parse_rules(self.game, self.components, self.figures, lambda: making_blocks(self))

    # Impose: pieces → sheets

    @property
    def print_options(self) -> PrintOptions:
        """The command's options for sheets."""
        return self.request.get(PrintOptions)

    @property
    def papers(self) -> tuple[PaperChoice, ...]:
        """The papers to print on; of a stock of several, those that hold sheets."""
        choices = self.print_options.papers or tuple(map(PaperChoice, self.game.print.papers))
        return tuple(paper for paper in choices if not paper.stock or self.impose(paper).job.sheets)

    def pieces(self) -> list[Piece]:
        """Return the pieces to print, in component order."""
        return list_pieces(self.components, self.print_options)

    def setup(self, paper: PaperChoice) -> Setup:
        """Return the setup of the sheets for a paper."""
        with raising_at():
            return make_setup(self.game, paper.paper, self.print_options)

    @timed_step("impose")
    def impose(self, paper: PaperChoice) -> ImposedSheets:
        """Return the sheets for a paper with all pieces placed."""
        with raising_at():
            return impose_pieces(self.game, self.pieces(), paper, self.print_options)

    def impose_some(self, paper: PaperChoice) -> ImposedSheets:
        """Return the sheets for a paper; raise `PnpError` if there are none."""
        imposed = self.impose(paper)
        if not imposed.job.sheets:
            raise self.make_empty_error("print")
        return imposed

    def make_empty_error(self, action: str) -> PnpError:
        """Return the error for a game, or the chosen part of it, without any piece to print or export."""
        found = f"{self.game.name}: there is nothing to {action}"
        nothing = Problem(None, found, "a design with a count above 0")
        return PnpError([nothing, *find_empty_tables(self.game)])

    # Pages: faces → PDF pages

    @property
    @timed_step("faces")
    def face_pages(self) -> tuple[FacePages, ...]:
        """The faces as PDF pages."""
        from generator.pdf.faces import compile_faces

        return compile_faces(
            tuple(self.faces.values()),
            self.game.fonts,
            self.watch.counter(len(self.faces)),
            self.cache,
            self.request.get(SharedFaces),
            self.print_options.dpi,
        )

    @property
    @timed_step("rules")
    def rule_pages(self) -> tuple[FacePages, ...]:
        """The pictures of the rules as PDF pages."""
        from generator.pdf.faces import compile_faces

        faces = {face.name: face for face in self.rules.faces} if self.rules else {}
        return compile_faces(tuple(faces.values()), self.game.fonts, cache=self.cache)

    # Write: sheets and pages → the file

    @property
    def face_sizes(self) -> Mapping[str, Size]:
        """The size of each face with its bleed, in mm, by name."""
        return {name: face.full.size for name, face in self.faces.items()}

    def document_info(self, title: str, duplex: str, labels: tuple[str, ...] = ()) -> DocumentInfo:
        """Return the metadata and print settings of one of the game's PDFs."""
        from generator.pdf.finish import DocumentInfo

        return DocumentInfo(title, self.game.language, ", ".join(self.game.authors), duplex, labels)

    def write_sheets(self, job: Job, part: FilePart, opening: bytes = b"") -> SpilledBytes:
        """Return one file of a job as PDF; `opening` holds pages to put before its sheets."""
        game = self.game
        title = f"{game.name} {game.edition()} – {words_for(game.language).sheet.sheets}"
        pages = self.face_pages
        with self.watch.stage("pdf"):
            info = self.document_info(title, job.duplex)
            return self.write_pages(part.pages, info, self.face_sizes, pages, opening)

    def write_pages(
        self,
        pages: Sequence[SheetPage],
        info: DocumentInfo,
        face_sizes: Mapping[str, Size] = MappingProxyType({}),  # sheets without faces
        face_pages: Iterable[FacePages] = (),
        opening: bytes = b"",
    ) -> SpilledBytes:
        """Return sides of sheets as PDF; the faces on them have sizes with bleed in mm, by name."""
        from generator.pdf.sheets import SheetPages, write_sheets

        sheets = SheetPages(pages, face_sizes, self.game.fonts.note_font)
        return write_sheets(sheets, face_pages, info, opening)

    # Other forms of the game, and the steps that have run

    def in_form(self, form: PackForm) -> Project:
        """Return the project of the same pack in another form; a form is drawn once."""
        results = self.results.setdefault(("form", form), {})
        return replace(self, request=replace(self.request, form=form), results=results)

    @property
    def default_form(self) -> Project:
        """The project of the pack in its own language, without a variant."""
        return self.in_form(PackForm()) if self.game.variant or self.game.translated else self

    def has_run(self, name: str) -> bool:
        """Return True if the step with this name has run."""
        return (name,) in self.results
