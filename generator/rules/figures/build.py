"""Read a pack's `figures.yaml`, check the claims of each figure, and draw the figures."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from generator.base import units
from generator.base.errors import InvalidValueError, Reporter, Where, unknown
from generator.base.geometry import Affine, Point, Rect, Size
from generator.base.polygon import round_all
from generator.board.board import Board, FaceUp, Kit
from generator.board.claims import check_claim
from generator.board.counting import check_token_positions
from generator.board.lattice import FREE, Place
from generator.board.outcome import ClaimSummary, describe_board, summarise_claims
from generator.board.parse_board import parse_grid, parse_list
from generator.board.rules import BoardRules
from generator.board.tiles import find_box
from generator.draw.draw import DrawnComponent
from generator.pack.folder import PackFolder
from generator.pack.game import FIGURES, Game
from generator.pack.validation import read_mended
from generator.pack.yaml_nodes import Node, misplaced, parse, translated
from generator.picture.face import Face, KeepInside
from generator.rules.figures.draw import (
    Album,
    DesignFaces,
    draw_figure,
    place_pieces,
    visible_pieces,
)
from generator.rules.figures.gestures import gesture_faults
from generator.rules.figures.pen import Pen
from generator.rules.figures.spec import FigureSpec
from generator.rules.figures.spots import FigureGround

FEATURE = "feature "
TEXT = "text"
"""The labels that faces give to features and to text."""

MAX_HIDDEN_SHARE = 0.35
"""The share of a feature or of a side's label that may be hidden; the rest still identifies it."""
MAX_HIDDEN_LETTER_SHARE = 0.5
"""The share of one letter that may be hidden."""

# A grid of 9 × 9 points measures shares to about 1 %; letters are small and many, so 5 × 5 is
# enough.
SAMPLES_PER_SIDE = 9
LETTER_SAMPLES_PER_SIDE = 5

BORDER_WIDTH_TILES = 0.44
"""The width of a side's label along the side, in tiles."""
BORDER_DEPTH_TILES = 0.1
"""The depth of a side's label into the tile, in tiles."""


class Sign(NamedTuple):
    """A mark on the board that readers need: name, place, surrounding box, and sample points of its parts.

    Each letter of a text is a part: one hidden letter can change a word. `limit` is the share of a part that may be
    hidden.
    """

    name: str
    place: Place
    box: Rect
    parts: tuple[tuple[Point, ...], ...]
    limit: float = MAX_HIDDEN_SHARE


def hidden_signs(
    spec: FigureSpec, ground: FigureGround, album: Album, sizes: Mapping[str, float], pen: Pen
) -> Iterator[str]:
    """Yield a message for each overlay that hides too much of a sign.

    `sizes` are those of features in mm; `pen` is copied to draw each overlay on its own.
    """
    signs = [*_signs(spec, ground, album, sizes), *_borders(ground)] if spec.overlays else []
    for overlay in spec.overlays:
        own = pen.another()
        overlay.draw(ground, own)
        for sign in (item for item in signs if any(item.box.overlaps(box) for box in own.reach)):
            share = max(sum(map(own.covers, spots)) / len(spots) for spots in sign.parts)
            if share > sign.limit:
                article = "an" if overlay.main[0] in "aeiou" else "a"
                yield f"{article} {overlay.main} hides {share * 100:.0f} % of {sign.name} on {sign.place}"


def _signs(
    spec: FigureSpec, ground: FigureGround, album: Album, sizes: Mapping[str, float]
) -> Iterator[Sign]:
    """Yield the signs on faces.

    On a face that is one picture, features stand in the middle of its links.
    """
    shown = visible_pieces(spec, ground)
    for item, piece in zip(shown, place_pieces(shown, spec, ground, album), strict=True):
        # Text that art itself contains comes last.
        boxes = sorted(piece.face.keep_inside, key=lambda box_of_face: box_of_face.is_from_author)
        drawn = any(
            box_of_face.label.startswith(FEATURE)
            for box_of_face in boxes
            if not box_of_face.is_from_author
        )
        for box_of_face in boxes:
            if box_of_face.box.w and box_of_face.box.h:
                yield _sign(box_of_face, item.place, piece.at)
        tile = ground.scene.tiles.get(item.place)
        for link in tile.links if tile and tile.design == item.design and not drawn else ():
            if link.feature in sizes and len(link.ports) > 1:
                size = sizes[str(link.feature)] * spec.scale
                box = Rect(piece.centre.x, piece.centre.y, 0, 0).grown(size / 2)
                yield Sign(
                    f"the {link.feature}", item.place, box, (tuple(_points_in_ellipse(box)),)
                )


def _sign(box_of_face: KeepInside, place: Place, at: Affine) -> Sign:
    """Return a box of a face as a sign at its place in the figure."""
    label = box_of_face.label
    corners = [at.apply(corner) for corner in box_of_face.corners]
    box = round_all(tuple(corners))
    if box_of_face.letters:
        return Sign(
            f"a letter of the {label}",
            place,
            box,
            tuple(_letter_points(corners, box_of_face.letters)),
            MAX_HIDDEN_LETTER_SHARE,
        )
    name = label.removeprefix(FEATURE).strip("'") if label.startswith(FEATURE) else label
    spots = (
        _points_in_box(corners, SAMPLES_PER_SIDE)
        if label == TEXT
        else [at.apply(spot) for spot in _points_in_ellipse(box_of_face.box)]
    )
    return Sign(f"the {name}", place, box, (tuple(spots),))


def _borders(ground: FigureGround) -> Iterator[Sign]:
    """Yield the labels of sides as signs: a strip inside each side."""
    for place, tile in ground.scene.tiles.items():
        for border in tile.face.tile.borders:
            middle = ground.spot(f"{place}.{border.port}")
            inward = (ground.centre(place) - middle).unit()
            along = inward.turned(90).scaled(BORDER_WIDTH_TILES / 2 * ground.tile)
            inner = middle + inward.scaled(BORDER_DEPTH_TILES * ground.tile)
            spots = [
                a + (b - a).scaled(step / (SAMPLES_PER_SIDE - 1))
                for a, b in ((middle - along, middle + along), (inner - along, inner + along))
                for step in range(SAMPLES_PER_SIDE)
            ]
            yield Sign(
                f"the border to {border.label}", place, round_all(tuple(spots)), (tuple(spots),)
            )


def _letter_points(corners: Sequence[Point], count: int) -> Iterator[tuple[Point, ...]]:
    """Yield sample points of each letter of a line; all letters are taken to be equally wide."""
    start, right, _, below = corners
    step = (right - start).scaled(1 / count)
    for index in range(count):
        left = start + step.scaled(index)
        yield tuple(
            _points_in_box(
                (left, left + step, left + step, left + (below - start)), LETTER_SAMPLES_PER_SIDE
            )
        )


def _points_in_box(corners: Sequence[Point], grain: int) -> Iterator[Point]:
    """Yield points spread evenly over a turned box, whose corners run clockwise from the top left."""
    start, right, _, below = corners
    shares = [(step + 0.5) / grain for step in range(grain)]
    for x, y in product(shares, shares):
        yield start + (right - start).scaled(x) + (below - start).scaled(y)


def _points_in_ellipse(box: Rect) -> Iterator[Point]:
    """Yield points spread evenly over the ellipse in a box."""
    steps = [2 * step / (SAMPLES_PER_SIDE - 1) - 1 for step in range(SAMPLES_PER_SIDE)]
    for x, y in product(steps, steps):
        if x * x + y * y <= 1:
            yield box.centre + Point(x * box.w / 2, y * box.h / 2)


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


@dataclass(frozen=True)
class CheckedFigure:
    """A drawn figure of the rules whose claims hold.

    `alt` describes the figure for readers who cannot see it. `said` is the content of the claims.
    In a set-up, `laid` lists the pieces before play, lower ones first. `piece` is the smaller side
    of a piece on the figure in mm. `hidden` lists what overlays cover too much.
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
        root = parse(folder.text(FIGURES), folder.where(FIGURES).file)
        report.add(*misplaced(root))
        return _build_figures(game, _collect_designs(components, rules.kit), root, rules, report)
    return {}


def _build_figures(
    game: Game, album: Album, root: Node, rules: BoardRules, report: Reporter
) -> dict[str, CheckedFigure]:
    items = dict(_list_figures(root, report))
    figure_maker = _FigureMaker(game, rules, album, items, report)
    read = [
        written
        for name, node in items.items()
        if (written := figure_maker.read(name, with_board(node, items)))
    ]
    out = [board for entry in read if (board := figure_maker.build_board(entry))]
    for one in out:
        figure_maker.check_claimed(one)
        figure_maker.check_gestures(one)
    found = [(item.name, figure_maker.draw(item)) for item in out]
    return {name: figure for name, figure in found if figure}


def _list_figures(root: Node, report: Reporter) -> list[tuple[str, Node]]:
    if isinstance(root.value, dict):
        return list(root.value.items())
    report.add_problem(
        root.where, "figures are a mapping", "a name for each figure, with its board below it"
    )
    return []


def _collect_designs(components: Sequence[DrawnComponent], kit: Kit) -> Album:
    designs: dict[str, DesignFaces] = {}
    for component in components:
        for design in component.designs:
            shown = DesignFaces(component.spec.outline, design.front, design.back)
            designs[f"{component.spec.id}:{design.id}"] = shown
            if design.id in kit.designs:
                designs[design.id] = shown
    return Album(kit, designs)


def _mm(size: Size) -> str:
    return f"{units.number(size.w)} × {units.number(size.h)} mm"


FREE_BOARD_GAP_MM = 3.0
"""The gap between pieces of a free board."""
TILE_TOLERANCE_MM = 0.02
"""The difference in size of tiles that still count as alike, for rounding."""


class _FigureRead(NamedTuple):
    """A figure as written."""

    name: str
    node: Node
    spec: FigureSpec


class _BoardFigure(NamedTuple):
    """A figure with its board.

    `said` is the content of its claims, `lying` describes the board in words.
    """

    name: str
    node: Node
    spec: FigureSpec
    board: Board
    said: ClaimSummary
    lying: str


@dataclass(frozen=True)
class _FigureMaker:
    """The inputs for making one pack's figures."""

    game: Game
    rules: BoardRules
    album: Album
    names: Collection[str]
    report: Reporter

    def read(self, name: str, node: Node) -> "_FigureRead | None":
        """Validate a figure; report problems and return None if it is wrong."""
        spec = read_mended(
            translated(node, self.game.language), FigureSpec, self.game.palette, self.report
        )
        return _FigureRead(name, node, spec) if spec else None

    def build_board(self, one: "_FigureRead") -> "_BoardFigure | None":
        """Build a figure's board and check its claims.

        Report problems and return None if it is wrong.
        """
        name, node, spec = one
        with self.report.at(node.place(("board",)), name):
            board = self._build_board(spec)
            out = _BoardFigure(
                *one, board, summarise_claims(spec.claims), describe_board(board, self._titles())
            )
            for number, claim in enumerate(spec.claims):
                where = node.place(("claims", number))
                with self.report.at(where, f"{name}: claim {claim!r}"):
                    outcome = check_claim(claim, board, self.rules)
                    if not outcome.ok:
                        found = f"{name}: the claim {claim!r} is not what the board shows"
                        self.report.add_problem(where, found, f"{outcome.claim}: {outcome.actual}")
            return out
        return None

    def draw(self, one: "_BoardFigure") -> CheckedFigure | None:
        """Draw a figure; return None if that fails."""
        spec = one.spec
        with self.report.at(one.node.where, one.name):
            face = self._draw_face(one.name, spec, one.board)
            description = (
                f"{spec.caption.rstrip('.')}. {one.lying}".lstrip(". ")
                if spec.caption
                else one.lying
            )
            laid = self._set_pieces(spec, one.board)
            return CheckedFigure(
                one.name,
                face,
                spec.caption,
                spec.alt or description,
                spec.wide,
                one.node.where,
                spec.claims,
                one.said,
                spec.scale,
                laid,
                spec.scale
                * (
                    min(self._place_area(one.board))
                    - (FREE_BOARD_GAP_MM if one.board.lattice == FREE else 0.0)
                ),
                tuple(self._hidden_signs(spec, one.board)),
            )
        return None

    def _hidden_signs(self, spec: FigureSpec, board: Board) -> Iterator[str]:
        pen = Pen(self.game.fonts, self.game.language)
        return hidden_signs(
            spec,
            self._ground(spec, board),
            self.album,
            {name: feature.size for name, feature in self.game.features.items()},
            pen,
        )

    def _set_pieces(self, spec: FigureSpec, board: Board) -> tuple[SetPiece, ...]:
        """Return the pieces of a set-up in their actual size."""
        if not spec.setup:
            return ()
        tile = self._place_area(board)
        ground = FigureGround(self.rules.analyse(board), tile.h, tile.w)
        lower_first = sorted(board.placements, key=lambda one: (one.level, one.row, one.column))
        return tuple(
            SetPiece(
                item.design,
                ground.middle_of(item),
                ground.lattice.table_turn(item.place, item.turn),
                item.side is FaceUp.FRONT,
            )
            for item in lower_first
        )

    def _build_board(self, spec: FigureSpec) -> Board:
        kit = self.rules.kit.with_aliases(spec.names)
        lattice = self.rules.lattice
        written = spec.board
        check_board(written, self.names)
        board = (
            parse_grid(written, kit, lattice)
            if isinstance(written, str)
            else parse_list(written, kit, lattice)
        )
        real = tuple(
            replace(placement, design=kit.design(placement.design).id)
            for placement in board.placements
        )
        return check_token_positions(
            self.rules.analyse(self.rules.add_printed_tiles(replace(board, placements=real)))
        )

    def check_claimed(self, one: "_BoardFigure") -> None:
        """Report ticks, crosses and numbers in labels that no claim confirms."""
        for index, overlay in enumerate(one.spec.overlays):
            where = one.node.place(("overlays", index))
            verdict = overlay.verdict if self.rules.has_matching_rules else None
            if verdict is not None and verdict not in one.said.marked:
                found = f"{one.name}: a {overlay.main}, and no claim says that something {_MAY[verdict]} be done"
                self.report.add_problem(
                    where, found, _CLAIM[verdict], "a ring says nothing of the kind"
                )
            for number in one.said.unclaimed(overlay.text):
                found = f"{one.name}: a label says {number}, but no claim of the figure does"
                self.report.add_problem(
                    where, found, "a claim that says it, or the number in words"
                )

    def check_gestures(self, one: "_BoardFigure") -> None:
        """Report held pieces off their targets, strikes without a ring, and moves without an arrow."""
        with self.report.at(one.node.where, one.name):
            ground = self._ground(one.spec, one.board)
            for fault in gesture_faults(one.spec, ground, self.album):
                where = one.node.place((fault.key, fault.number))
                self.report.add_problem(
                    where, f"{one.name}: {fault.found}", fault.expected, fault.hint
                )

    def _ground(self, spec: FigureSpec, board: Board) -> FigureGround:
        """Return the board at the figure's scale."""
        tile = self._place_area(board)
        return FigureGround(self.rules.analyse(board), tile.h * spec.scale, tile.w * spec.scale)

    def _draw_face(self, name: str, spec: FigureSpec, board: Board) -> Face:
        pen = Pen(self.game.fonts, self.game.language)
        return draw_figure(spec, self._ground(spec, board), self.album, pen, f"figure {name}")

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
        first, *others = sizes.items()
        for size, design in others:
            if max(abs(size.w - first[0].w), abs(size.h - first[0].h)) > TILE_TOLERANCE_MM:
                raise InvalidValueError(
                    f"{first[1]!r} is {_mm(first[0])} and {design!r} {_mm(size)}: tiles of one board are alike",
                    "tiles of one size, `lies: token` for what rests on them, or `board: free` in game.yaml",
                )
        return first[0]

    def _place_size(self, design: str) -> Size:
        """Return the size of one place of a design in mm, also if the design covers several places."""
        size = self.album.designs[design].outline.size
        covers = self.rules.kit.design(design).covers
        if len(covers) < 2:
            return size
        one, whole = (find_box(part, self.rules.lattice) for part in ((), covers))
        return Size(size.w * one.w / whole.w, size.h * one.h / whole.h)

    def _titles(self) -> Mapping[str, str]:
        pairs = [(part.id, design) for part in self.game.components for design in part.designs]
        by_full = {f"{part}:{design.id}": design.title for part, design in pairs}
        return {**{design.id: design.title for _, design in pairs}, **by_full}


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
    own = {"names": Node(joined, named[-1].where)} if joined else {}
    return Node(
        {**node.value, **own, "board": Node(board.value, part.where)}, node.where, node.keys
    )


def check_board(written: object, figures: Collection[str]) -> None:
    """Raise `InvalidValueError` if `board: like …` refers to a figure that is unknown or has no board."""
    name = _referenced_figure(written)
    if name is not None:
        raise unknown("figure with a board of its own", name, figures)


def _referenced_figure(written: object) -> str | None:
    match = _LIKE.fullmatch(written) if isinstance(written, str) else None
    return match[1] if match else None
