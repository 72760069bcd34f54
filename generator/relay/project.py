"""The pipeline for a third-party PDF: its pieces are found, cut out and printed like the pieces of a pack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from generator.base.budget import BudgetError, allow
from generator.base.errors import PnpError, fail, raise_any, raising_at
from generator.base.fonts import font_set
from generator.base.geometry import Rect, Size
from generator.base.outline import Outline
from generator.base.paper import Orientation, paper
from generator.base.steps import step
from generator.base.ui_strings import ENGLISH
from generator.base.values import Frozen
from generator.base.worker import Worker
from generator.impose.duplex import LONG_EDGE
from generator.impose.marks import CROSSHAIR
from generator.impose.sheet import Piece
from generator.pack.game import Game, PrintSettings
from generator.pack.sizes import named_sizes
from generator.pdf.faces import FacePages
from generator.pipeline.printing import check_copies, find_named_ids
from generator.pipeline.project import Project
from generator.relay.backs import AUTO, BACKS_MODES, FOLD, Matcher, SourcePair, turn_upright
from generator.relay.find_pieces import (
    FoundPieces,
    GridRequest,
    are_equal_sizes,
    common_size,
    find_all,
    half_gap_between,
    size_text,
)
from generator.relay.page import PageContent, PieceWindow, PlaceAppearance
from generator.relay.source_file import WORK_SECONDS, SourceFile

PAPERS = paper("a4"), paper("letter")
PRINT = PrintSettings(
    PAPERS, None, Orientation.PORTRAIT, pack=False, duplex=LONG_EDGE, marks=CROSSHAIR
)
"""The print settings that the command does not override."""

# The range of bleed that is cut out around a piece. Less is the inaccuracy of the trim found; more is seldom
# needed, because our gutters are narrower.
MAX_BLEED_MM = 3.0
MIN_BLEED_MM = 0.8


@dataclass(frozen=True)
class RelayOptions:
    """The file to read, perhaps another with its backs, its pages to use, and the user's hints.

    With `turns_over_top`, its pages are meant to be flipped over the top edge. With `show`, the command
    draws what it finds instead of sheets.
    """

    file: str = ""
    backs_file: str = ""
    pages: tuple[int, ...] = ()
    grid: GridRequest | None = None
    backs: str = AUTO
    turns_over_top: bool = False
    show: bool = False

    @property
    def slug(self) -> str:
        """The file's name as part of other file names."""
        stem = Path(self.file).stem
        return (
            "".join("-" if not char.isprintable() or char in "\\/:" else char for char in stem)
            or "file"
        )


@dataclass(frozen=True, eq=False)
class RelayProject(Project):
    """The steps of a third-party PDF; from its pieces on, they are those of any game.

    `folder` is a temporary folder for straightened scans.
    """

    worker: Worker = field(default_factory=lambda: Worker(WORK_SECONDS))
    folder: Path = Path()

    @property
    def options(self) -> RelayOptions:
        """The settings for reading the file."""
        return self.request.get(RelayOptions)

    @property
    @step
    def game(self) -> Game:
        """A stub `Game` named after the imported PDF."""
        slug = self.options.slug
        folder = Path(self.options.file).parent
        nothing: Frozen[str, Any] = Frozen({})
        return Game(
            slug=slug,
            name=slug,
            version="",
            folder=folder,
            language=ENGLISH,
            credits=(),
            palette=nothing,
            links=nothing,
            features=nothing,
            icons=nothing,
            components=(),
            print=PRINT,
            fonts=font_set(),
        )

    @property
    @step
    def sources(self) -> tuple[SourceFile, ...]:
        """The files to read: that of the fronts, and that of the backs if there is one."""
        names = filter(None, (self.options.file, self.options.backs_file))
        return tuple(
            SourceFile(Path(name), index, self.worker, self.folder)
            for index, name in enumerate(names)
        )

    @property
    @step
    def found_pieces(self) -> tuple[FoundPieces, ...]:
        """The pieces of each page; a page that cannot be read has none and is reported."""
        allow(sum(len(source.chosen_pages(self.options.pages)) for source in self.sources), "page")
        with self.watch.stage("straighten"):
            for source in self.sources:
                source.straighten(source.chosen_pages(self.options.pages))
        with self.watch.stage("read"):
            pages = [page for source in self.sources for page in self._pages(source)]
        sizes = {name: row.size for name, row in named_sizes().items()}
        with self.watch.stage("find"), raising_at(self.sources[0].where):
            return tuple(
                find_all(
                    pages,
                    lambda page: self.sources[page.file].pixels(page.number),
                    sizes,
                    self.options.grid,
                )
            )

    def _pages(self, source: SourceFile) -> Iterator[PageContent]:
        for page in source.chosen_pages(self.options.pages):
            try:
                yield source.page(page)
            except BudgetError:
                raise
            except PnpError as error:
                self.results.setdefault(("unread",), []).extend(error.problems)

    @property
    def unread(self) -> tuple[str, ...]:
        """The problems of pages that are left out."""
        return tuple(problem.found for problem in self.results.get(("unread",), ()))

    def describe_places(
        self, found: FoundPieces, places: Sequence[Rect]
    ) -> Sequence[PlaceAppearance]:
        """Return the appearance of some places on a page, and store each for `appearance`."""
        page = found.page
        appearances = (
            self.sources[page.file].appearances(page.number, tuple(places)) if places else ()
        )
        self.results.update(
            {
                (page.file, page.number, place.centre): item
                for place, item in zip(places, appearances, strict=True)
            }
        )
        return appearances

    def appearance(self, window: PieceWindow) -> PlaceAppearance:
        """Return the appearance of a window: the one stored while backs were sought, or a new one."""
        key = window.file, window.number, window.trim.centre
        result: PlaceAppearance = (
            self.results.get(key)
            or self.sources[window.file].appearances(window.number, (window.trim,))[0]
        )
        return result

    @property
    def matcher(self) -> Matcher:
        """The matcher that finds backs."""
        return Matcher(self.describe_places, self.options.turns_over_top)

    @property
    @step
    def backs_mode(self) -> str:
        """The file's arrangement of backs: a key of `BACKS_MODES`."""
        if self.options.backs != AUTO or self.options.backs_file:
            return self.options.backs
        with self.watch.stage("match"):
            return self.matcher.find_mode(self._pages_from_first_piece)

    @property
    def _pages_from_first_piece(self) -> Sequence[FoundPieces]:
        """The pages of the first file from the first page with pieces on: titles and rules often come before."""
        pages = [found for found in self.found_pieces if found.page.file == 0]
        first = next((index for index, found in enumerate(pages) if found.places), len(pages))
        return pages[first:]

    @property
    @step
    def pairs(self) -> tuple[SourcePair, ...]:
        """All pieces: each front with its back, grouped by size."""
        with self.watch.stage("match"):
            pairs = tuple(self._pair_backs())
        if not pairs:
            raise_any(self.results.get(("unread",), ()))
            hint = "set their number with --grid 3x3, and choose pages with --page 2-9"
            fail(
                self.sources[0].where,
                "pnp finds no pieces on its pages",
                "pages with pieces in a grid",
                hint,
            )
        return tuple(self._group_by_bleed(turn_upright(pairs)))

    def _pair_backs(self) -> Iterator[SourcePair]:
        if self.options.backs_file:
            fronts, backs = (
                [piece for piece in self.found_pieces if piece.page.file == index]
                for index in (0, 1)
            )
            behind = backs * len(fronts) if len(backs) == 1 else backs
            yield from self.matcher.pair_pieces(
                list(zip(fronts, [*behind, *[None] * len(fronts)], strict=False)), 0.0
            )
        elif self.backs_mode == FOLD:
            for found in self._pages_from_first_piece:
                if fold := self.matcher.find_fold(found):
                    yield from self.matcher.unfold(found, fold, 0.0)
        elif pair_pages := BACKS_MODES[self.backs_mode].pair_pages:
            yield from self.matcher.pair_pieces(pair_pages(self._pages_from_first_piece), 0.0)

    def _group_by_bleed(self, pairs: Iterator[SourcePair]) -> Iterator[SourcePair]:
        """Yield the pieces grouped by size, with the part of their surroundings that is their bleed."""
        groups: dict[Size, list[SourcePair]] = {}
        for pair in pairs:
            size = next(
                (item for item in groups if are_equal_sizes(item, pair.front.size)), pair.front.size
            )
            groups.setdefault(size, []).append(pair)
        for group in groups.values():
            bleed = self._bleed(group)
            size = common_size([pair.front.size for pair in group])
            yield from (pair.sized(size, bleed) for pair in group)

    def _bleed(self, group: Sequence[SourcePair]) -> float:
        windows = [window for pair in group for window in (pair.front, pair.back) if window]
        reaches = [self.appearance(window).reach for window in windows]
        bleeds = [reach for reach in reaches if reach >= MIN_BLEED_MM]
        if not bleeds:
            return 0.0
        half_gap = min(
            half_gap_between(found.places) for found in self.found_pieces if found.places
        )
        bleed = int(min(median(bleeds), half_gap, MAX_BLEED_MM) * 10) / 10
        return bleed if bleed >= MIN_BLEED_MM else 0.0

    @property
    @step
    def windows(self) -> Mapping[str, PieceWindow]:
        """The areas cut out of the files, by name: each face once."""
        both = (window for pair in self.pairs for window in (pair.front, pair.back) if window)
        return {self.sources[window.file].name(window): window for window in both}

    @property
    def face_sizes(self) -> Mapping[str, Size]:
        """The sizes of the windows in mm, by name."""
        return {name: window.full.size for name, window in self.windows.items()}

    @property
    @step
    def face_pages(self) -> tuple[FacePages, ...]:
        """The windows as PDF pages."""
        with self.watch.stage("faces", len(self.windows)):
            return self.cut(self.windows)

    def cut(self, windows: Mapping[str, PieceWindow]) -> tuple[FacePages, ...]:
        """Return windows as PDF pages, one PDF for each source file."""
        pdfs = []
        for source in self.sources:
            names = sorted(
                (name for name, window in windows.items() if window.file == source.index),
                key=windows.__getitem__,
            )
            if names:
                pdf = source.cut([windows[name] for name in names])
                pdfs.append(FacePages(pdf, {name: page for page, name in enumerate(names)}))
        return tuple(pdfs)

    def pieces(self) -> list[Piece]:
        """Return the pieces to print."""
        options = self.print_options
        check_copies(options)
        ids: dict[str, list[str]] = {}
        all_pieces = []
        for pair in self.pairs:
            page = pair.front.number
            ids_of_page = ids.setdefault(f"page-{page}", [])
            ids_of_page.append(f"{page}.{len(ids_of_page) + 1}")
            all_pieces.append(self._piece(pair, ids_of_page[-1]))
        chosen_ids = {design for _, design in find_named_ids(ids, options.only)}
        return [
            piece for _ in range(options.copies) for piece in all_pieces if piece.id in chosen_ids
        ]

    def _piece(self, pair: SourcePair, piece_id: str) -> Piece:
        size = pair.front.size
        front = self.sources[pair.front.file].name(pair.front)
        back = pair.back and self.sources[pair.back.file].name(pair.back)
        outline = Outline.of_box(Rect(0, 0, *size))
        return Piece(piece_id, size_text(size), outline, pair.front.bleed, front, back)
