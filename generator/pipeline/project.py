"""The pipeline: every step from a pack's folder to finished PDFs, run on first use and then cached.

    folder ─ game ─ components ─┬─ figures ─ rules ─ rule_pages
                                ├─ faces ─ face_pages
                                └─ impose(paper)

Commands and exporters ask a `Project`; no other module knows the order of the steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from generator.base.budget import allow
from generator.base.cache import NO_CACHE, CacheStore
from generator.base.errors import Problem, Reporter, fail, raise_any, raising_at
from generator.base.fonts import NOTE_FONT
from generator.base.paper import PaperChoice
from generator.base.steps import Watch, step
from generator.base.ui_strings import words_for
from generator.base.worker import Crew
from generator.draw.draw import DrawnComponent, draw_game
from generator.draw.findings import (
    MAX_NAMED_FACES,
    Finding,
    component_findings,
    cramped_notes,
    gap_finding,
)
from generator.draw.text_sets import share_text_sizes
from generator.pack.game import Game
from generator.pack.load import PackForm, load
from generator.picture.face import Face
from generator.pipeline.packs import find_pack, vocabulary
from generator.pipeline.printing import PrintOptions, pieces, setup, sheets_shared

if TYPE_CHECKING:
    from generator.base.spill import SpilledBytes
    from generator.impose.setup import Setup
    from generator.impose.sheet import FilePart, Job, Piece
    from generator.pdf.faces import FacePages
    from generator.pdf.finish import About
    from generator.pdf.sheets import Boxed
    from generator.picture.raster import Rasteriser
    from generator.release.record import RecordedFont
    from generator.rules.figures.build import CheckedFigure
    from generator.rules.model import Rules

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class BuildRequest:
    """A request: the pack, by its folder or the name of a bundled game, its form, and further settings.

    `options` holds at most one value of each settings type of the stages and exporters; a type without one has its
    defaults. A request can be pickled for another process.
    """

    pack: str
    form: PackForm = field(default_factory=PackForm)
    options: tuple[object, ...] = ()

    def get(self, kind: type[Kind]) -> Kind:
        """Return the settings of a type; its defaults if the request has none."""
        return next((options for options in self.options if isinstance(options, kind)), kind())


@dataclass(frozen=True)
class ImposedSheets:
    """The sheets for one paper, and their setup."""

    setup: Setup
    job: Job


@dataclass(frozen=True, eq=False)
class Project:
    """The steps of one game in one form.

    `known` caches their results, `kept` is the disk cache, and `crew` the worker processes.
    """

    request: BuildRequest
    watch: Watch = field(default_factory=Watch)
    results: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False)
    cache: CacheStore = NO_CACHE
    crew: Crew = field(default_factory=Crew)

    @property
    @step
    def folder(self) -> Path:
        """The pack's folder."""
        return find_pack(self.request.pack)

    @property
    @step
    def game(self) -> Game:
        """The loaded and validated pack; raises `PackError` with all of its mistakes."""
        with self.watch.stage("load"):
            game = share_text_sizes(load(self.folder, vocabulary(), self.request.form))
        allow(sum(len(component.designs) for component in game.components))
        return game

    @property
    @step
    def components(self) -> tuple[DrawnComponent, ...]:
        """All designs with their faces, in low ink if the request asks for it."""
        if not self.request.get(PrintOptions).low_ink:
            return self.components_in_full_ink
        from generator.draw.low_ink import save_ink

        drawn = self.components_in_full_ink
        with self.watch.stage("thrift"):
            return save_ink(drawn, self.game, self.raster)

    @property
    def components_in_full_ink(self) -> tuple[DrawnComponent, ...]:
        """All designs with their faces, in the pack's own colours."""
        return self._draw_all[0]

    @property
    def draft_problems(self) -> tuple[Problem, ...]:
        """The problems of a draft's designs."""
        return self._draw_all[1]

    @property
    @step
    def _draw_all(self) -> tuple[tuple[DrawnComponent, ...], tuple[Problem, ...]]:
        game = self.game
        found = Reporter().problems
        with self.watch.stage(
            "draw", sum(len(component.designs) for component in game.components)
        ) as tick:
            drawn = draw_game(game, tick, found.extend if game.draft else raise_any, self.cache)
        return drawn, tuple(found)

    def draw_only(self, wanted: frozenset[tuple[str, str]]) -> tuple[DrawnComponent, ...]:
        """Draw only the designs with these component and design ids.

        Return all if they are already drawn.
        """
        if ("components",) in self.results:
            return self.components
        parts = [
            replace(
                part,
                designs=tuple(design for design in part.designs if (part.id, design.id) in wanted),
            )
            for part in self.game.components
        ]
        with self.watch.stage("draw", len(wanted)) as tick:
            game = replace(self.game, components=tuple(part for part in parts if part.designs))
            return draw_game(game, tick, kept=self.cache)

    @property
    @step
    def faces(self) -> Mapping[str, Face]:
        """The distinct faces by name."""
        return {face.name: face for component in self.components for face in component.faces}

    @property
    @step
    def used_fonts(self) -> tuple[RecordedFont, ...]:
        """The fonts of the faces, cut down to the glyphs that appear."""
        from generator.release.record import subset_used_fonts

        return subset_used_fonts(self.game.fonts, tuple(self.faces.values()))

    @property
    def face_sizes(self) -> Mapping[str, Boxed]:
        """The size of each face by name."""
        return self.faces

    @property
    @step
    def face_pages(self) -> tuple[FacePages, ...]:
        """The faces as PDF pages."""
        from generator.pdf.faces import InCommon, compile_faces

        common = self.request.get(InCommon)
        dpi = self.request.get(PrintOptions).dpi
        with self.watch.stage("faces", len(self.faces)) as tick:
            return compile_faces(
                tuple(self.faces.values()), self.game.fonts, tick, self.cache, common, dpi
            )

    @property
    @step
    def figures(self) -> Mapping[str, CheckedFigure]:
        """The rules' figures by name, with their claims checked."""
        if not self.game.has_rules:
            return {}
        from generator.pipeline.rulebook import check_figures

        with self.watch.stage("figures"):
            return check_figures(self.game, self.components)

    @property
    @step
    def rules(self) -> Rules | None:
        """The parsed rules; None for a game without any."""
        figures = self.figures
        settings = self.game.rules
        if settings is None:
            return None
        from generator.pipeline.rulebook import making_blocks, rules_of

        with self.watch.stage("rules"):
            return rules_of(
                self.game, settings, self.components, figures, lambda: making_blocks(self)
            )

    @property
    @step
    def rule_pages(self) -> tuple[FacePages, ...]:
        """The pictures of the rules as PDF pages."""
        from generator.pdf.faces import compile_faces

        faces = {face.name: face for face in self.rules.faces} if self.rules else {}
        with self.watch.stage("rules"):
            return compile_faces(tuple(faces.values()), self.game.fonts, kept=self.cache)

    @property
    @step
    def raster(self) -> Rasteriser:
        """The rasteriser for this game's faces."""
        from generator.picture.raster import Rasteriser

        return Rasteriser(self.game.fonts, self.cache, crew=self.crew)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The warnings of `pnp check` that are known without rendering, in the steps made so far."""
        from generator.pack.lint import find_gaps

        found = [gap_finding(gap) for gap in find_gaps(self.game)]
        found += [fault for component in self.components for fault in component_findings(component)]
        if ("figures",) in self.results:
            from generator.pipeline.rulebook import hidden_by_overlays

            found += hidden_by_overlays(self.figures)
        return tuple(found)

    def cramped_notes(self, limit: int = MAX_NAMED_FACES) -> tuple[str, ...]:
        """Return a note for each kind of feature that has too little room.

        At most `limit` faces are named.

        There are none if the command drew only some designs: drawing the others could fail.
        """
        return (
            tuple(cramped_notes(self.components, limit)) if ("components",) in self.results else ()
        )

    @property
    def papers(self) -> tuple[PaperChoice, ...]:
        """The papers to print on; of a stock of several, those that hold sheets."""
        wanted = self.request.get(PrintOptions).papers or tuple(
            map(PaperChoice, self.game.print.papers)
        )
        return tuple(item for item in wanted if not item.stock or self.impose(item).job.sheets)

    def setup(self, paper: PaperChoice) -> Setup:
        """Return the setup of the sheets for a paper."""
        return self._setup(paper, self.request.get(PrintOptions))

    @step
    def _setup(self, paper: PaperChoice, options: PrintOptions) -> Setup:
        with raising_at():
            return setup(self.game, paper.paper, options)

    def impose(self, paper: PaperChoice) -> ImposedSheets:
        """Return the sheets for a paper with all pieces placed."""
        return self._impose(paper, self.request.get(PrintOptions))

    @step
    def _impose(self, paper: PaperChoice, options: PrintOptions) -> ImposedSheets:
        from generator.impose.impose import impose, impose_packed
        from generator.impose.stock import PaperStock, distribute_pieces

        with raising_at():
            wanted = self.pieces(options)
        lay = impose_packed if sheets_shared(self.game, options) else impose
        how = self.setup(paper)
        with self.watch.stage("impose"), raising_at():
            if paper.stock:
                papers = [
                    PaperStock(setup(self.game, entry, options), count)
                    for entry, count in paper.stock
                ]
                wanted = distribute_pieces(wanted, papers)[
                    [item for item, _ in paper.stock].index(paper.paper)
                ]
            return ImposedSheets(how, lay(wanted, how))

    def pieces(self, options: PrintOptions) -> list[Piece]:
        """Return the pieces to print, in component order."""
        return pieces(self.components, options)

    def with_options(self, *options: object) -> Project:
        """Return the project with other settings; both share the steps that are done."""
        return replace(self, request=replace(self.request, options=options))

    def in_form(self, form: PackForm) -> Project:
        """Return the project of the same pack in another form."""
        return Project(
            replace(self.request, form=form),
            self.watch,
            self._results_of(form),
            self.cache,
            self.crew,
        )

    @step
    def _results_of(self, form: PackForm) -> dict[tuple[object, ...], Any]:  # noqa: ARG002 - it is kept by its form
        return {}

    @property
    def default_form(self) -> Project:
        """The project of the pack in its own language and look."""
        return self.in_form(PackForm()) if self.game.variant or self.game.translated else self

    def write_sheets(self, job: Job, part: FilePart, opening: bytes = b"") -> SpilledBytes:
        """Return one file of a job as PDF; `opening` holds pages to put before its sheets."""
        from generator.pdf.sheets import PlacedPages, write_sheets

        game = self.game
        title = f"{game.name} {game.edition()} – {words_for(game.language).sheet.sheets}"
        about = self.about(title, job.duplex, tuple(page.side.label for page in part.pages))
        faces = self.face_sizes
        pages = self.face_pages
        with self.watch.stage("pdf"):
            return write_sheets(
                PlacedPages(part.pages, faces, game.fonts.find(NOTE_FONT)), pages, about, opening
            )

    def about(self, title: str, duplex: str, labels: tuple[str, ...]) -> About:
        """Return the metadata and print settings of one of the game's PDFs."""
        from generator.pdf.finish import About

        return About(title, self.game.language, ", ".join(self.game.credits), duplex, labels)

    def require_rules(self) -> None:
        """Raise a `PnpError` if the game has no rules."""
        if self.game.rules is None:
            fail(
                None, f"{self.game.name} has no rules", "`rules: {file: rules.md}` in its game.yaml"
            )
