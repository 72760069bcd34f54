"""Pre-cut sheets of cards and labels: the rows of `precut.toml`, or a user's file of the same form."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from generator.base.errors import InvalidValueError, Kind, unknown
from generator.base.geometry import Rect, Size
from generator.base.paper import Paper, paper
from generator.base.units import number
from generator.impose.sheet import Piece, PlacedFace, SheetPage, SheetSide

# Difference in mm that is allowed between a piece and its slot.
SLOT_TOLERANCE_MM = 1.0

TEMPLATE_SUFFIX = ".toml"
# A template file is a few lines; anything larger is a mistake.
MAX_TEMPLATE_BYTES = 100_000
# A sheet with more is a mistake, too.
MAX_SLOTS = 1000


@dataclass(frozen=True)
class PrecutSheet:
    """A pre-cut sheet with its slots in the order in which they are filled."""

    name: str
    title: str
    paper: Paper
    slots: tuple[Rect, ...]

    def find_turn(self, size: Size, name: str) -> int:
        """Return the turn in degrees clockwise for a piece of this size.

        Raise InvalidValueError if it does not fit.
        """
        for turn in (0, 90):
            turned = size.turned(turn)
            if all(
                max(abs(turned.w - slot.w), abs(turned.h - slot.h)) <= SLOT_TOLERANCE_MM
                for slot in self.slots
            ):
                return turn
        slot = self.slots[0]
        raise InvalidValueError(
            f"{name}: {number(size.w)} × {number(size.h)} mm does not fit the slots of {self.name}",
            f"pieces of {number(slot.w)} × {number(slot.h)} mm",
            "another --template, or --only with the components that fit",
            Kind.FIT,
        )

    def fill_pages(self, pieces: Sequence[Piece], skip: int) -> tuple[SheetPage, ...]:
        """Return the fronts, each followed by its backs if there are any, mirrored for a flip on the long edge.

        `skip` slots of the first sheet are already used. Raise InvalidValueError if that is all of them.
        """
        if skip >= len(self.slots):
            raise InvalidValueError(
                f"--skip {skip} leaves no slot: a sheet of {self.name} has {len(self.slots)}",
                f"0 to {len(self.slots) - 1}",
            )
        turns = {piece.component: self.find_turn(piece.size, piece.component) for piece in pieces}
        places = [(skip + index, piece) for index, piece in enumerate(pieces)]
        capacity = len(self.slots)
        pages = []
        backs = any(piece.back for piece in pieces)
        for start in range(0, skip + len(pieces), capacity):
            on_page = [
                (at - start, piece) for at, piece in places if start <= at < start + capacity
            ]
            page_number = start // capacity + 1
            fronts = tuple(
                _face(piece, piece.front, self.slots[at], turns[piece.component])
                for at, piece in on_page
            )
            pages.append(SheetPage(self.paper.size, SheetSide(f"{page_number}", fronts)))
            behind = [(self._behind(at), piece, piece.back) for at, piece in on_page]
            placed_backs = tuple(
                _face(piece, back, slot, -turns[piece.component] % 360)
                for slot, piece, back in behind
                if back
            )
            if backs:
                pages.append(
                    SheetPage(self.paper.size, SheetSide(f"{page_number} back", placed_backs))
                )
        return tuple(pages)

    def _behind(self, at: int) -> Rect:
        slot = self.slots[at]
        return Rect(self.paper.size.w - slot.right, slot.y, slot.w, slot.h)


def _face(piece: Piece, face: str, slot: Rect, turn: int) -> PlacedFace:
    """Place a face in the middle of its slot; its bleed fills the slot as far as it is drawn."""
    size = piece.size.turned(turn)
    trim = Rect(slot.x + (slot.w - size.w) / 2, slot.y + (slot.h - size.h) / 2, *size)
    return PlacedFace(face, piece.id, trim, slot.common(trim.grown(piece.bleed)), turn)


def load_precut_sheets() -> dict[str, PrecutSheet]:
    """Return all rows of the table by name."""
    rows = tomllib.loads((files(__package__) / "precut.toml").read_text(encoding="utf-8"))
    return {name: _sheet(name, row) for name, row in rows.items()}


def find_precut_sheet(name: str) -> PrecutSheet:
    """Return the row called `name`; raise InvalidValueError for an unknown name."""
    rows = load_precut_sheets()
    if name not in rows:
        wrong = unknown("template", name, rows)
        raise InvalidValueError(
            wrong.found,
            f"{wrong.expected}, or a file that ends in {TEMPLATE_SUFFIX}",
            wrong.hint,
            Kind.USAGE,
        )
    return rows[name]


def read_precut_file(path: Path) -> PrecutSheet:
    """Read a user's template file: the keys of a row, or a list of `slots` (x, y, width, height).

    Raise InvalidValueError if the file is too large or not a template.
    """
    if path.stat().st_size > MAX_TEMPLATE_BYTES:
        raise InvalidValueError(f"{path}: too large", f"at most {MAX_TEMPLATE_BYTES} bytes")
    return parse_precut(str(path), path.read_bytes())


def parse_precut(name: str, data: bytes) -> PrecutSheet:
    """Read a template from the bytes of a file.

    Raise InvalidValueError if they are not a template.
    """
    try:
        return _sheet(Path(name).stem, tomllib.loads(data.decode("utf-8")))
    except (
        tomllib.TOMLDecodeError,
        UnicodeDecodeError,
        KeyError,
        TypeError,
        ValueError,
        OverflowError,
    ) as error:
        if isinstance(error, InvalidValueError):
            raise
        why = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise InvalidValueError(f"{name} is not a template: {why}", TEMPLATE_FORM) from None


TEMPLATE_FORM = (
    "title, paper, and either slots = [[x, y, w, h], …] or grid, first, size and step, each "
    "two numbers in mm"
)


def _sheet(name: str, row: dict[str, Any]) -> PrecutSheet:
    sheet_paper = paper(str(row["paper"]))
    slots = row.get("slots")
    if slots is None:
        (columns, rows), (x, y), (w, h), (right, down) = (
            row[key] for key in ("grid", "first", "size", "step")
        )
        if not 1 <= columns * rows <= MAX_SLOTS:
            raise InvalidValueError(
                f"{name}: a grid cannot be {columns} × {rows}", f"1 to {MAX_SLOTS} slots"
            )
        slots = [
            (x + right * at, y + down * line, w, h) for line in range(rows) for at in range(columns)
        ]
    slot_rects = tuple(Rect(*(float(side) for side in slot)) for slot in slots)
    page = Rect(0, 0, *sheet_paper.size)
    for slot in slot_rects:
        if not page.holds(slot) or min(slot.size) <= 0:
            raise InvalidValueError(
                f"{name}: a slot at {number(slot.x)}, {number(slot.y)} leaves {sheet_paper.title}",
                "slots on the paper",
            )
    if not slot_rects:
        raise InvalidValueError(f"{name}: no slots", TEMPLATE_FORM)
    return PrecutSheet(name, str(row.get("title", name)), sheet_paper, slot_rects)
