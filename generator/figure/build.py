"""All figures of a pack: read, checked against their claims, and drawn."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generator.board.claims import check_claim
from generator.board.footprint import find_box
from generator.board.groups import check_token_positions
from generator.board.kit import Board, FaceUp, Kit
from generator.board.lattice import FREE
from generator.board.outcome import ClaimSummary, describe_board, summarise_claims
from generator.board.rules import BoardRules
from generator.board.writing import parse_grid, parse_list
from generator.core import units
from generator.core.geometry import Point, Size
from generator.core.problems import Reporter, Where, Wrong, unknown
from generator.draw.draw import DrawnComponent
from generator.figure.covering import hidden
from generator.figure.drawing import Album, DesignFaces, draw_figure
from generator.figure.gestures import gesture_faults
from generator.figure.pen import Pen
from generator.figure.spec import FigureSpec
from generator.figure.spots import FigureGround
from generator.pack.folder import PackFolder
from generator.pack.game import FIGURES, Game
from generator.pack.source import Node, misplaced, parse, translated
from generator.pack.validation import read_mended
from generator.picture.face import Face

_LIKE = re.compile(r"\s*like\s+(\S+)\s*")
"""`board: like city`: the board of another figure, for other overlays and claims."""

_MAY = {True: "may", False: "may not"}
_CLAIM = {True: "a claim such as `legal: true`", False: "a claim such as `legal: false because …`"}


@dataclass(frozen=True)
class SetPiece:
    """A piece of a set-up: its design, where its middle lies from that of A1 (mm of the table), how it is turned."""

    design: str
    at: Point
    turn: int
    face_up: bool


@dataclass(frozen=True)
class CheckedFigure:
    """A figure as the rules show it; `alt` tells what is on it to who cannot see it. Its `claims` hold.

    `said` is what they say, none where nobody looked.
    Of a set-up, `laid` is every piece as it lies before play, lower ones first.
    What overlays hide that counts is told in `hidden`. A `piece` is so wide or high on it, in mm, whichever is less.
    """

    name: str
    face: Face
    caption: str
    alt: str
    wide: bool
    where: Where
    claims: tuple[str, ...] = ()
    said: ClaimSummary | None = None
    scale: float = 1.0
    laid: tuple[SetPiece, ...] = ()
    piece: float = 0.0
    hidden: tuple[str, ...] = ()


def figures(
    game: Game, drawn: Sequence[DrawnComponent], rules: BoardRules, report: Reporter
) -> dict[str, CheckedFigure]:
    """The figures of a pack by name; none when it has no `figures.yaml`."""
    folder = PackFolder(game.folder)
    if not (game.folder / FIGURES).is_file():
        return {}
    with report.at(folder.where(FIGURES)):
        root = parse(folder.text(FIGURES), folder.where(FIGURES).file)
        report.add(*misplaced(root))
        return _made(game, _album(drawn, rules.kit), root, rules, report)
    return {}


def _made(game: Game, album: Album, root: Node, rules: BoardRules, report: Reporter) -> dict[str, CheckedFigure]:
    items = dict(_items(root, report))
    maker = _Maker(game, rules, album, items, report)
    read = [written for name, node in items.items() if (written := maker.read(name, with_board(node, items)))]
    out = [board for one in read if (board := maker.add_printed_tiles(one))]
    for one in out:
        maker.check_said(one)
        maker.check_gestures(one)
    found = [(one.name, maker.drawn(one)) for one in out]
    return {name: figure for name, figure in found if figure}


def _items(root: Node, report: Reporter) -> list[tuple[str, Node]]:
    if isinstance(root.value, dict):
        return list(root.value.items())
    report.tell(root.where, "figures are a mapping", "a name for each figure, with its board below it")
    return []


def _album(drawn: Sequence[DrawnComponent], kit: Kit) -> Album:
    designs: dict[str, DesignFaces] = {}
    for component in drawn:
        for design in component.designs:
            shown = DesignFaces(component.spec.outline, design.front, design.back)
            designs[f"{component.spec.id}:{design.id}"] = shown
            if design.id in kit.designs:
                designs[design.id] = shown
    return Album(kit, designs)


def _mm(size: Size) -> str:
    return f"{units.number(size.w)} × {units.number(size.h)} mm"


APART, SAME = 3.0, 0.02
"""mm: how far apart pieces lie that lie anywhere; how much two tiles of one size may differ."""


class _FigureRead(NamedTuple):
    """A figure as it is written."""

    name: str
    node: Node
    spec: FigureSpec


class _FigureSetOut(NamedTuple):
    """The same with its board; `said` is what its claims say, `lying` what lies where."""

    name: str
    node: Node
    spec: FigureSpec
    board: Board
    said: ClaimSummary
    lying: str


@dataclass(frozen=True)
class _Maker:
    """Makes one pack's figures."""

    game: Game
    rules: BoardRules
    album: Album
    names: Collection[str]
    report: Reporter

    def read(self, name: str, node: Node) -> "_FigureRead | None":
        """What is written of a figure, or nothing when it is wrong; the problems say why."""
        spec = read_mended(translated(node, self.game.language), FigureSpec, self.game.palette, self.report)
        return _FigureRead(name, node, spec) if spec else None

    def add_printed_tiles(self, one: "_FigureRead") -> "_FigureSetOut | None":
        """The same with its board, on which each claim is checked, and what its claims say."""
        name, node, spec = one
        with self.report.at(node.place(("board",)), name):
            board = self._board(spec)
            out = _FigureSetOut(*one, board, summarise_claims(spec.claims), describe_board(board, self._titles()))
            for number, claim in enumerate(spec.claims):
                where = node.place(("claims", number))
                with self.report.at(where, f"{name}: claim {claim!r}"):
                    outcome = check_claim(claim, board, self.rules)
                    if not outcome.ok:
                        found = f"{name}: the claim {claim!r} is not what the board shows"
                        self.report.tell(where, found, f"{outcome.claim}: {outcome.actual}")
            return out
        return None

    def drawn(self, one: "_FigureSetOut") -> CheckedFigure | None:
        """The figure as the rules show it."""
        spec = one.spec
        with self.report.at(one.node.where, one.name):
            face = self._face(one.name, spec, one.board)
            told = f"{spec.caption.rstrip('.')}. {one.lying}".lstrip(". ") if spec.caption else one.lying
            laid = self._laid(spec, one.board)
            return CheckedFigure(
                one.name,
                face,
                spec.caption,
                spec.alt or told,
                spec.wide,
                one.node.where,
                spec.claims,
                one.said,
                spec.scale,
                laid,
                spec.scale * (min(self._tile(one.board)) - (APART if one.board.lattice == FREE else 0.0)),
                tuple(self._hidden(spec, one.board)),
            )
        return None

    def _hidden(self, spec: FigureSpec, board: Board) -> Iterator[str]:
        pen = Pen(self.game.fonts, self.game.language)
        return hidden(
            spec,
            self._ground(spec, board),
            self.album,
            {name: one.size for name, one in self.game.features.items()},
            pen,
        )

    def _laid(self, spec: FigureSpec, board: Board) -> tuple[SetPiece, ...]:
        """The pieces of a set-up as large as they are."""
        if not spec.setup:
            return ()
        tile = self._tile(board)
        ground = FigureGround(self.rules.analyse(board), tile.h, tile.w)
        lower_first = sorted(board.placements, key=lambda one: (one.level, one.row, one.column))
        return tuple(
            SetPiece(
                one.design,
                ground.middle_of(one),
                ground.lattice.table_turn(one.place, one.turn),
                one.side is FaceUp.FRONT,
            )
            for one in lower_first
        )

    def _board(self, spec: FigureSpec) -> Board:
        kit, lattice = self.rules.kit.with_aliases(spec.names), self.rules.lattice
        written = spec.board
        check_board(written, self.names)
        board = parse_grid(written, kit, lattice) if isinstance(written, str) else parse_list(written, kit, lattice)
        real = tuple(replace(one, design=kit.design(one.design).id) for one in board.placements)
        return check_token_positions(self.rules.analyse(self.rules.add_printed_tiles(replace(board, placements=real))))

    def check_said(self, one: "_FigureSetOut") -> None:
        """A tick says that something may be done and a cross that it may not; a label says numbers: so must a claim."""
        for nth, overlay in enumerate(one.spec.overlays):
            where, verdict = (
                one.node.place(("overlays", nth)),
                overlay.verdict if self.rules.has_matching_rules else None,
            )
            if verdict is not None and verdict not in one.said.marked:
                found = f"{one.name}: a {overlay.main}, and no claim says that something {_MAY[verdict]} be done"
                self.report.tell(where, found, _CLAIM[verdict], "a ring says nothing of the kind")
            for number in one.said.unclaimed(overlay.text):
                found = f"{one.name}: a label says {number}, and no claim of the figure does"
                self.report.tell(where, found, "a claim that says it, or the number in words")

    def check_gestures(self, one: "_FigureSetOut") -> None:
        """Report held pieces off their targets, strikes without a ring, and moves without an arrow."""
        with self.report.at(one.node.where, one.name):
            ground = self._ground(one.spec, one.board)
            for fault in gesture_faults(one.spec, ground, self.album):
                where = one.node.place((fault.key, fault.number))
                self.report.tell(where, f"{one.name}: {fault.found}", fault.expected, fault.hint)

    def _ground(self, spec: FigureSpec, board: Board) -> FigureGround:
        """Return the board at the figure's scale."""
        tile = self._tile(board)
        return FigureGround(self.rules.analyse(board), tile.h * spec.scale, tile.w * spec.scale)

    def _face(self, name: str, spec: FigureSpec, board: Board) -> Face:
        pen = Pen(self.game.fonts, self.game.language)
        return draw_figure(spec, self._ground(spec, board), self.album, pen, f"figure {name}")

    def _tile(self, board: Board) -> Size:
        """How large tiles are: all alike, unless they lie anywhere."""
        on_board = [one.design for one in board.placements]
        if not on_board:
            return next(iter(self.album.designs.values())).outline.size
        tiles = [design for design in on_board if not self.rules.kit.design(design).is_token]
        board.lattice.check_sides({design: self.album.designs[design].outline.names for design in tiles})
        sizes = {self._place_size(design): design for design in tiles or on_board[:1]}
        if board.lattice == FREE:
            return Size(max(size.w for size in sizes) + APART, max(size.h for size in sizes) + APART)
        first, *others = sizes.items()
        for size, design in others:
            if max(abs(size.w - first[0].w), abs(size.h - first[0].h)) > SAME:
                raise Wrong(
                    f"{first[1]!r} is {_mm(first[0])} and {design!r} {_mm(size)}: tiles of one board are alike",
                    "tiles of one size, `lies: token` for what rests on them, or `board: free` in game.yaml",
                )
        return first[0]

    def _place_size(self, design: str) -> Size:
        """How large one place of a tile is, also where it covers several."""
        size, covers = self.album.designs[design].outline.size, self.rules.kit.design(design).covers
        if len(covers) < 2:
            return size
        one, whole = (find_box(part, self.rules.lattice) for part in ((), covers))
        return Size(size.w * one.w / whole.w, size.h * one.h / whole.h)

    def _titles(self) -> Mapping[str, str]:
        pairs = [(part.id, design) for part in self.game.components for design in part.designs]
        by_full = {f"{part}:{design.id}": design.title for part, design in pairs}
        return {**{design.id: design.title for _, design in pairs}, **by_full}


def with_board(node: Node, figures: Mapping[str, Node]) -> Node:
    """The figure with the board and the names of the one that it is like, beside names of its own."""
    part = node.find("board")
    other = figures.get(_model(part.value) or "") if part else None
    board = other.find("board") if other and other is not node else None
    if part is None or other is None or board is None or not isinstance(node.value, dict):
        return node
    named = [names for each in (other, node) if (names := each.find("names"))]
    joined = {key: value for names in named if isinstance(names.value, dict) for key, value in names.value.items()}
    own = {"names": Node(joined, named[-1].where)} if joined else {}
    return Node({**node.value, **own, "board": Node(board.value, part.where)}, node.where, node.keys)


def check_board(written: object, figures: Collection[str]) -> None:
    """Raise where a board is still like one that is not there, or that is itself like another."""
    name = _model(written)
    if name is not None:
        raise unknown("figure with a board of its own", name, figures)


def _model(written: object) -> str | None:
    match = _LIKE.fullmatch(written) if isinstance(written, str) else None
    return match[1] if match else None
