"""Pre-cut sheets of cards and labels: the rows of `templates.toml`, or a user's file of the same form."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from generator.core.geometry import Rect, Size
from generator.core.paper import Paper, paper
from generator.core.problems import Kind, Wrong, unknown
from generator.core.units import number
from generator.impose.sheet import Piece, PlacedFace, SheetPage, SheetSide

# Difference in mm that is allowed between a piece and its slot.
NEAR = 1.0

ENDING = ".toml"
# A template file is a few lines; anything larger is a mistake.
BIGGEST = 100_000


@dataclass(frozen=True)
class PrecutSheet:
    """A pre-cut sheet with its slots in the order in which they are filled."""

    name: str
    title: str
    paper: Paper
    slots: tuple[Rect, ...]

    def turn(self, size: Size, what: str) -> int:
        """Return the turn in degrees clockwise for a piece of this size; raise Wrong if it does not fit."""
        for turn in (0, 90):
            own = size.turned(turn)
            if all(max(abs(own.w - slot.w), abs(own.h - slot.h)) <= NEAR for slot in self.slots):
                return turn
        slot = self.slots[0]
        raise Wrong(
            f"{what}: {number(size.w)} × {number(size.h)} mm does not fit the slots of {self.name}",
            f"pieces of {number(slot.w)} × {number(slot.h)} mm",
            "another --template, or --only with the components that fit",
            Kind.FIT,
        )

    def pages(self, pieces: Sequence[Piece], skip: int) -> tuple[SheetPage, ...]:
        """Return the fronts, each followed by its backs if there are any, mirrored for a flip on the long edge."""
        turns = {piece.component: self.turn(piece.size, piece.component) for piece in pieces}
        places = [(skip + nth, piece) for nth, piece in enumerate(pieces)]
        room = len(self.slots)
        made = []
        backs = any(piece.back for piece in pieces)
        for start in range(0, skip + len(pieces), room):
            here = [(at - start, piece) for at, piece in places if start <= at < start + room]
            number_ = start // room + 1
            fronts = tuple(_face(piece, piece.front, self.slots[at], turns[piece.component]) for at, piece in here)
            made.append(SheetPage(self.paper.size, SheetSide(f"{number_}", fronts)))
            behind = [(self._behind(at), piece, piece.back) for at, piece in here]
            laid = tuple(
                _face(piece, back, slot, -turns[piece.component] % 360) for slot, piece, back in behind if back
            )
            if backs:
                made.append(SheetPage(self.paper.size, SheetSide(f"{number_} back", laid)))
        return tuple(made)

    def _behind(self, at: int) -> Rect:
        slot = self.slots[at]
        return Rect(self.paper.size.w - slot.right, slot.y, slot.w, slot.h)


def _face(piece: Piece, face: str, slot: Rect, turn: int) -> PlacedFace:
    """Place a face in the middle of its slot; its bleed fills the slot as far as it is drawn."""
    size = piece.size.turned(turn)
    trim = Rect(slot.x + (slot.w - size.w) / 2, slot.y + (slot.h - size.h) / 2, *size)
    return PlacedFace(face, piece.id, trim, slot.common(trim.grown(piece.bleed)), turn)


def precut_sheets() -> dict[str, PrecutSheet]:
    """Return all rows of the table by name."""
    rows = tomllib.loads((files(__package__) / "templates.toml").read_text(encoding="utf-8"))
    return {name: _sheet(name, row) for name, row in rows.items()}


def precut(name: str) -> PrecutSheet:
    """Return the row called `name`; raise Wrong for an unknown name."""
    rows = precut_sheets()
    if name not in rows:
        wrong = unknown("template", name, rows)
        raise Wrong(wrong.found, f"{wrong.expected}, or a file that ends in {ENDING}", wrong.hint)
    return rows[name]


def precut_of(path: Path) -> PrecutSheet:
    """Read a user's template file: the keys of a row, or a list of `slots` (x, y, width, height).

    Raise Wrong if the file is too large or not a template.
    """
    if path.stat().st_size > BIGGEST:
        raise Wrong(f"{path}: too large", f"at most {BIGGEST} bytes")
    return precut_from(str(path), path.read_bytes())


def precut_from(name: str, data: bytes) -> PrecutSheet:
    """Read a template from the bytes of a file; raise Wrong if they are not a template."""
    try:
        return _sheet(Path(name).stem, tomllib.loads(data.decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, Wrong):
            raise
        raise Wrong(f"{name}: {error} is not as a template says it", FORM) from None


FORM = "title, paper, and either slots = [[x, y, w, h], …] or grid, first, size and step, each two numbers in mm"


def _sheet(name: str, row: dict[str, Any]) -> PrecutSheet:
    where = paper(str(row["paper"]))
    slots = row.get("slots")
    if slots is None:
        (columns, rows), (x, y), (w, h), (right, down) = (row[key] for key in ("grid", "first", "size", "step"))
        if not 1 <= columns * rows <= 1000:
            raise Wrong(f"{name}: a grid of {columns} × {rows} cannot be", "1 to 1000 slots")
        slots = [(x + right * at, y + down * line, w, h) for line in range(rows) for at in range(columns)]
    made = tuple(Rect(*(float(side) for side in slot)) for slot in slots)
    page = Rect(0, 0, *where.size)
    for slot in made:
        if not page.holds(slot) or min(slot.size) <= 0:
            raise Wrong(
                f"{name}: a slot at {number(slot.x)}, {number(slot.y)} leaves {where.title}", "slots on the paper"
            )
    if not made:
        raise Wrong(f"{name}: no slots", FORM)
    return PrecutSheet(name, str(row.get("title", name)), where, made)
