"""Read a pack's `figures.yaml`, check the claims of each figure, and draw the figures."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generator.base import units
from generator.base.errors import InvalidValueError, Reporter, Where, unknown
from generator.base.geometry import Point, Size
from generator.board.board import Board, FaceUp, Kit, parse_grid, parse_list
from generator.board.claims import ClaimSummary, check_claim, describe_board, summarise_claims
from generator.board.counting import check_token_positions
from generator.board.lattice import FREE
from generator.board.rules import BoardRules
from generator.board.tiles import find_box
from generator.draw.draw import DrawnComponent
from generator.pack.folder import FIGURES, PackFolder
from generator.pack.game import Game
from generator.pack.validation import read_mended
from generator.pack.yaml_nodes import Node, find_misplaced_keys, parse_yaml, translate
from generator.rules.figures.draw import board_window, draw_figure
from generator.rules.figures.pen import INK, Pen
from generator.rules.figures.picture_checks import gesture_faults, hidden_signs
from generator.rules.figures.sketch import (
    Album,
    Deck,
    DesignFaces,
    Sketch,
    TableSetting,
    choose_colours,
)
from generator.rules.figures.spec import FigureSpec
from generator.rules.figures.spots import FigureBoard
from generator.rules.figures.table import (
    PieceCount,
    describe_things,
    lay_out,
    list_things,
    order_for_counting,
)
from generator.rules.figures.things import Stock, TableThing
from generator.rules.model import Figure

_LIKE = re.compile(r"\s*like\s+(\S+)\s*")
"""`board: like city` reuses the board of another figure."""

_MAY = {True: "may", False: "may not"}
_CLAIM = {True: "a claim such as `legal: true`", False: "a claim such as `legal: false because …`"}


@dataclass(frozen=True)
class SetPiece:
    """A piece of a set-up: design, centre from that of A1 in mm on the table, and turn in degrees."""

    design: str
    at: Point
    turn: int
    face_up: bool


@dataclass(frozen=True, kw_only=True)
class CheckedFigure(Figure):
    """A drawn figure whose claims hold, with its place in `figures.yaml`.

    In a set-up, `set_pieces` lists the pieces before play, lower ones first. `hidden` has a message
    for each overlay that hides too much of a sign.
    """

    where: Where
    set_pieces: tuple[SetPiece, ...] = ()
    hidden: tuple[str, ...] = ()


def read_figures(
    game: Game, components: Sequence[DrawnComponent], rules: BoardRules, report: Reporter
) -> dict[str, CheckedFigure]:
    """Return the figures of a pack by name; empty if the pack has no `figures.yaml`.

    Reports malformed figures, false claims and gestures that the picture does not show.
    """
    folder = PackFolder(game.folder)
    if not (game.folder / FIGURES).is_file():
        return {}
    with report.at(folder.where(FIGURES)):
        root = parse_yaml(folder.text(FIGURES), folder.where(FIGURES).file)
        report.add(*find_misplaced_keys(root))
        return _build_figures(game, _collect_designs(components, rules.kit), root, rules, report)
    return {}


def _build_figures(
    game: Game, album: Album, root: Node, rules: BoardRules, report: Reporter
) -> dict[str, CheckedFigure]:
    figures = dict(_list_figures(root, report))
    nodes = {name: with_board(node, figures) for name, node in figures.items()}
    maker = _FigureMaker(game, rules, album, nodes, report)
    specs = {name: spec for name, node in nodes.items() if (spec := maker.read(node))}
    boards = [figure for name, spec in specs.items() if (figure := maker.build_board(name, spec))]
    for figure in boards:
        maker.check_marks(figure)
        maker.check_gestures(figure)
    figures_drawn = [maker.draw(figure) for figure in boards]
    return {figure.name: figure for figure in figures_drawn if figure}


def _list_figures(root: Node, report: Reporter) -> list[tuple[str, Node]]:
    if isinstance(root.value, dict):
        return list(root.value.items())
    report.add_problem(
        root.where, "this is not a mapping", "a name for each figure, with its board below it"
    )
    return []


def _collect_designs(components: Sequence[DrawnComponent], kit: Kit) -> Album:
    designs: dict[str, DesignFaces] = {}
    for component in components:
        for design in component.designs:
            faces = DesignFaces(component.spec.outline, design.front, design.back)
            designs[f"{component.spec.id}:{design.id}"] = faces
            if design.id in kit.designs:
                designs[design.id] = faces
    decks = {part.spec.id: _build_deck(part, kit) for part in components}
    return Album(kit, designs, decks)


def _build_deck(part: DrawnComponent, kit: Kit) -> Deck:
    """Return the pieces of a component by the names that boards use."""
    backs = {design.back.name: design.back for design in part.designs if design.back}
    full = {design.id: f"{part.spec.id}:{design.id}" for design in part.designs}
    counts = {
        design.id if design.id in kit.designs else full[design.id]: design.count
        for design in part.designs
    }
    back = next(iter(backs.values())) if len(backs) == 1 else None
    return Deck(part.spec.id, part.spec.outline, back, counts)


def _mm(size: Size) -> str:
    return f"{units.number(size.w)} × {units.number(size.h)} mm"


FREE_BOARD_GAP_MM = 3.0
"""The gap between pieces of a free board."""
DEFAULT_TABLE_COLOUR = "#f3ead9"
"""The background of a table in a game whose theme has no colour of boxes: light wood."""
TILE_TOLERANCE_MM = 0.02
"""The difference in size of tiles that still count as alike, for rounding."""


class _BoardFigure(NamedTuple):
    """A figure with its board: `node` is its place in the file, `says` sums up its claims.

    `counts` are the pieces in each pile and bag on its table.
    """

    name: str
    node: Node
    spec: FigureSpec
    board: Board
    says: ClaimSummary
    counts: Mapping[TableThing, int]


@dataclass(frozen=True)
class _FigureMaker:
    """Reads, checks and draws the figures of one pack.

    `nodes` has the figures by name, in which `board: like …` is replaced by the board that it means.
    """

    game: Game
    rules: BoardRules
    album: Album
    nodes: Mapping[str, Node]
    report: Reporter

    def read(self, node: Node) -> FigureSpec | None:
        """Validate a figure; report problems and return None if it is wrong."""
        return read_mended(
            translate(node, self.game.language), FigureSpec, self.game.palette, self.report
        )

    def build_board(self, name: str, spec: FigureSpec) -> _BoardFigure | None:
        """Build a figure's board and check its claims.

        Report problems, and return None if there is no such board.
        """
        node = self.nodes[name]
        with self.report.at(node.place(("board",)), name):
            board = self._parse_board(spec)
            for number, claim in enumerate(spec.claims):
                where = node.place(("claims", number))
                with self.report.at(where, f"{name}: claim {claim!r}"):
                    outcome = check_claim(claim, board, self.rules)
                    if not outcome.ok:
                        found = f"{name}: the claim {claim!r} is not what the board shows"
                        self.report.add_problem(
                            where, found, f"{outcome.subject}: {outcome.actual}"
                        )
            counts = self._count_pieces(name, spec, board)
            if counts is None:
                return None
            says = summarise_claims(spec.claims)
            numbers = says.numbers | {str(count) for count in counts.values()}
            return _BoardFigure(name, node, spec, board, replace(says, numbers=numbers), counts)
        return None

    def _count_pieces(
        self, name: str, spec: FigureSpec, board: Board
    ) -> dict[TableThing, int] | None:
        """Return the pieces in each pile and bag on the table.

        Report unknown pieces and more than the game has, and return None if there are some.
        """
        counts: dict[TableThing, int] = {}
        node = self.nodes[name]
        count = PieceCount(
            self._setting(spec), [placement.design for placement in board.placements]
        )
        known_problems = len(self.report.problems)
        for path, thing in order_for_counting(list(list_things(spec.table))):
            with self.report.at(node.place(path), name):
                if isinstance(thing, Stock):
                    counts[thing] = count.take(thing)
                else:
                    count.add(thing)
        return counts if len(self.report.problems) == known_problems else None

    def draw(self, figure: _BoardFigure) -> CheckedFigure | None:
        """Draw a figure; return None if that fails."""
        name, node, spec, board, says, counts = figure
        with self.report.at(node.where, name):
            table = self._lay_table(spec, board, counts) if spec.table else None
            figure_board = self._figure_board(spec, board, table)
            pen = self._pen()
            sizes = {name: feature.size for name, feature in self.game.features.items()}
            gap = FREE_BOARD_GAP_MM if board.lattice == FREE else 0.0
            return CheckedFigure(
                name,
                draw_figure(spec, figure_board, self.album, pen, f"figure {name}", table),
                alt=spec.alt or self._describe(spec, board, counts),
                caption=spec.caption,
                wide=spec.wide,
                optional=spec.optional,
                says=says,
                scale=spec.scale,
                piece=spec.scale * (min(self._piece_size(spec, board)) - gap),
                where=node.where,
                set_pieces=self._set_pieces(spec, board),
                hidden=tuple(hidden_signs(spec, figure_board, self.album, sizes, pen)),
            )
        return None

    def _pen(self) -> Pen:
        return Pen(self.game.fonts, self.game.language)

    def _setting(self, spec: FigureSpec) -> TableSetting:
        """Return the setting of a table, in the colours of the rules, without a board."""
        settings = self.game.rules
        colours = choose_colours(
            settings.colours.get("box", DEFAULT_TABLE_COLOUR) if settings else DEFAULT_TABLE_COLOUR,
            settings.accent if settings else INK,
        )
        return TableSetting(
            self.album,
            self.rules.lattice,
            spec.scale,
            self.game.fonts,
            self.game.language,
            colours,
        )

    def _lay_table(
        self, spec: FigureSpec, board: Board, counts: Mapping[TableThing, int]
    ) -> Sketch:
        """Return the table of a figure, with room for its board."""
        figure_board = self._figure_board(spec, board)
        window = (
            board_window(spec, figure_board, self.album, self._pen()) if board.placements else None
        )
        scores = self._scored_lines(figure_board) if board.placements else {}
        setting = replace(self._setting(spec), board=window, scores=scores, counts=counts)
        return lay_out(spec.table, setting)

    def _scored_lines(self, figure_board: FigureBoard) -> dict[str, tuple[str, str]]:
        """Return the title and the points of each score on a board."""
        return {
            name: (spec.title or name, units.number(self.rules.score(name, figure_board.scene)))
            for name, spec in self.rules.specs.scoring.items()
        }

    def _piece_size(self, spec: FigureSpec, board: Board) -> Size:
        """Return the size of a place on the board in mm, or of the largest piece on a table without a board."""
        if board.placements:
            return self._place_area(board)
        setting = self._setting(spec)
        things = [thing for _, thing in list_things(spec.table)]
        designs = (setting.placement(cell).design for thing in things for cell in thing.visible)
        named = (setting.deck(name).outline for thing in things for name in thing.components)
        sizes = [self.album.designs[design].outline.size for design in designs]
        sizes += [outline.size for outline in named]
        return max(sizes, key=min, default=self._place_area(board))

    def _describe(self, spec: FigureSpec, board: Board, counts: Mapping[TableThing, int]) -> str:
        """Return the caption, the board and the table in words, for readers who cannot see the figure."""
        titles = self._titles()
        things = describe_things(spec.table, titles, counts)
        contents = ". ".join(filter(None, (describe_board(board, titles), things)))
        return f"{spec.caption.rstrip('.')}. {contents}".lstrip(". ") if spec.caption else contents

    def _set_pieces(self, spec: FigureSpec, board: Board) -> tuple[SetPiece, ...]:
        """Return the pieces of a set-up in their actual size."""
        if not spec.setup:
            return ()
        tile = self._place_area(board)
        figure_board = FigureBoard(self.rules.analyse(board), tile.h, tile.w)
        lower_first = sorted(
            board.placements,
            key=lambda placement: (placement.level, placement.row, placement.column),
        )
        return tuple(
            SetPiece(
                item.design,
                figure_board.middle_of(item),
                figure_board.lattice.table_turn(item.place, item.turn),
                item.side is FaceUp.FRONT,
            )
            for item in lower_first
        )

    def _parse_board(self, spec: FigureSpec) -> Board:
        """Return the board of a figure as its notation describes it; raise `InvalidValueError` for mistakes."""
        kit = self.rules.kit.with_aliases(spec.names)
        lattice = self.rules.lattice
        written = spec.board
        check_board(written, self.nodes)
        board = (
            parse_grid(written, kit, lattice)
            if isinstance(written, str)
            else parse_list(written, kit, lattice)
        )
        real = tuple(
            replace(placement, design=kit.design(placement.design).id)
            for placement in board.placements
        )
        with_printed = self.rules.add_printed_tiles(replace(board, placements=real))
        check_token_positions(self.rules.analyse(with_printed))
        return with_printed

    def check_marks(self, figure: _BoardFigure) -> None:
        """Report ticks, crosses and numbers in labels that no claim confirms."""
        for index, overlay in enumerate(figure.spec.overlays):
            where = figure.node.place(("overlays", index))
            verdict = overlay.verdict if self.rules.has_matching_rules else None
            if verdict is not None and verdict not in figure.says.marked:
                found = f"{figure.name}: a {overlay.main}, and no claim says that something {_MAY[verdict]} be done"
                self.report.add_problem(
                    where, found, _CLAIM[verdict], "a ring marks a place without a verdict"
                )
            for number in figure.says.unclaimed(overlay.text):
                found = f"{figure.name}: a label says {number}, but no claim of the figure does"
                self.report.add_problem(
                    where, found, "a claim that says it, or the number in words"
                )

    def check_gestures(self, figure: _BoardFigure) -> None:
        """Report held pieces off their targets, strikes without a ring, and moves without an arrow."""
        with self.report.at(figure.node.where, figure.name):
            figure_board = self._figure_board(figure.spec, figure.board)
            for path, fault in gesture_faults(figure.spec, figure_board, self.album):
                self.report.add(fault.at(figure.node.place(path), figure.name))

    def _figure_board(
        self, spec: FigureSpec, board: Board, table: Sketch | None = None
    ) -> FigureBoard:
        """Return the board at the figure's scale, with the spots of the things around it."""
        tile = self._place_area(board)
        spots = table.spots.items() if table else ()
        return FigureBoard(
            self.rules.analyse(board),
            tile.h * spec.scale,
            tile.w * spec.scale,
            {name: spot - table.origin for name, spot in spots if table and name},
            self.rules.specs.scoring,
        )

    def _place_area(self, board: Board) -> Size:
        """Return the size of a place in mm; on a free board, of the largest piece with a gap.

        Raises `InvalidValueError` if tiles of one board differ in size.
        """
        on_board = [placement.design for placement in board.placements]
        if not on_board:
            return next(iter(self.album.designs.values())).outline.size
        tiles = [design for design in on_board if not self.rules.kit.design(design).is_token]
        board.lattice.check_sides(
            {design: self.album.designs[design].outline.names for design in tiles}
        )
        sizes = {self._place_size(design): design for design in tiles or on_board[:1]}
        if board.lattice == FREE:
            return Size(
                max(size.w for size in sizes) + FREE_BOARD_GAP_MM,
                max(size.h for size in sizes) + FREE_BOARD_GAP_MM,
            )
        (first_size, first_design), *others = sizes.items()
        for size, design in others:
            if max(abs(size.w - first_size.w), abs(size.h - first_size.h)) > TILE_TOLERANCE_MM:
                raise InvalidValueError(
                    f"{first_design!r} is {_mm(first_size)} and {design!r} {_mm(size)}: tiles of one board are alike",
                    "tiles of one size, `lies: token` for what rests on them, or `board: free` in game.yaml",
                )
        return first_size

    def _place_size(self, design: str) -> Size:
        """Return the size of one place of a design in mm, also if the design covers several places."""
        size = self.album.designs[design].outline.size
        covers = self.rules.kit.design(design).covers
        if len(covers) < 2:
            return size
        one, covered = (find_box(part, self.rules.lattice) for part in ((), covers))
        return Size(size.w * one.w / covered.w, size.h * one.h / covered.h)

    def _titles(self) -> Mapping[str, str]:
        pairs = [(part.id, design) for part in self.game.components for design in part.designs]
        by_full = {f"{part}:{design.id}": design.title for part, design in pairs}
        parts = {part.id: part.title for part in self.game.components}
        return {**parts, **{design.id: design.title for _, design in pairs}, **by_full}


def with_board(node: Node, figures: Mapping[str, Node]) -> Node:
    """Return a figure with the board and names of the figure that `board: like …` refers to."""
    part = node.find("board")
    other = figures.get(_referenced_figure(part.value) or "") if part else None
    board = other.find("board") if other and other is not node else None
    if part is None or other is None or board is None or not isinstance(node.value, dict):
        return node
    named = [names for item in (other, node) if (names := item.find("names"))]
    joined = {
        key: value
        for names in named
        if isinstance(names.value, dict)
        for key, value in names.value.items()
    }
    board_names = {"names": Node(joined, named[-1].where)} if joined else {}
    return Node(
        {**node.value, **board_names, "board": Node(board.value, part.where)}, node.where, node.keys
    )


def check_board(written: object, figures: Collection[str]) -> None:
    """Raise `InvalidValueError` if a board is still `like …` after `with_board`, which found no such board."""
    name = _referenced_figure(written)
    if name is not None:
        raise unknown("figure with a board of its own", name, figures)


def _referenced_figure(written: object) -> str | None:
    match = _LIKE.fullmatch(written) if isinstance(written, str) else None
    return match[1] if match else None
