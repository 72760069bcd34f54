"""Models of a pack's `figures.yaml`."""

from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationInfo,
    WithJsonSchema,
    model_validator,
)

from generator.base.errors import InvalidValueError
from generator.board.spec import BoardSpec, find_kind
from generator.pack import fields
from generator.rules.figures.overlays import OVERLAYS, Overlay
from generator.rules.figures.table import RowField

MAX_SCALE = 5.0
"""The largest scale of a figure; a larger one is taken for a misplaced decimal point."""


def _read_overlay(value: object, info: ValidationInfo) -> object:
    """Return the overlay of a mapping such as `tick: B2` with its sibling keys."""
    if not isinstance(value, dict):
        raise InvalidValueError("this overlay is not a mapping", f"one of: {', '.join(OVERLAYS)}")
    return find_kind("overlay", value, OVERLAYS).model_validate(value, context=info.context)


def _read_claims(value: object) -> object:
    """Return claims as texts.

    YAML reads a claim without quotes as a mapping because of its colon.
    """
    items = [value] if not isinstance(value, list) else value
    pairs = (
        [f"{key}: {stated}" for key, stated in item.items()] if isinstance(item, dict) else [item]
        for item in items
    )
    return tuple(claim for claims in pairs for claim in claims)


def _read_crop(value: object) -> object:
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidValueError("this is not a crop", "two places, such as [A1, C2]")
    return tuple(value)


def _check_scale(value: float) -> float:
    if not 0 < value <= MAX_SCALE:
        raise InvalidValueError(
            f"a scale of {value:g}",
            f"a share of the size on paper, more than 0 and at most {MAX_SCALE:g}",
        )
    return value


def _check_size(size: float) -> float:
    if size <= 0:
        raise InvalidValueError(f"a size of {size:g}", "a share of the piece's own, such as 0.7")
    return size


OverlayField = Annotated[
    Overlay, BeforeValidator(_read_overlay), WithJsonSchema({"type": "object"})
]
Claims = Annotated[tuple[fields.Text, ...], BeforeValidator(_read_claims)]


class HeldSpec(BoardSpec):
    """A piece held above the board, and the spot over which it is held."""

    piece: fields.Text
    at: fields.Text
    tilt: fields.Real = 8.0


class PieceSpec(BoardSpec):
    """A change of a board's piece: moved to a side or corner of its place or by tiles (`at`), or scaled.

    Without a `place`, all pieces of the design are changed.
    """

    piece: fields.Text
    place: fields.Text | None = None
    at: fields.Text = ""
    size: Annotated[fields.Real, AfterValidator(_check_size)] = 1.0


class FigureSpec(BoardSpec):
    """A figure: a board, a table, or a table with a board on it.

    `board` is rows of cells, a list of places, or `like` and the name of another figure. `names`
    are short words for cells. `claims` are checked against the board. `scale` is the size of a tile
    as a share of its printed size. `coordinates` shows the names of columns and rows. A `setup` is
    a table before play.

    `table` has rows of things that lie on a table seen from above. The rules of a patch leave out
    an `optional` figure.
    """

    board: fields.Text | tuple[fields.Text, ...] = ()
    table: tuple[RowField, ...] = ()
    names: dict[str, fields.Text] = Field({})
    scale: Annotated[fields.Real, AfterValidator(_check_scale)] = 0.6
    coordinates: fields.Bool = False
    crop: Annotated[tuple[fields.Text, fields.Text], BeforeValidator(_read_crop)] | None = None
    pieces: tuple[PieceSpec, ...] = ()
    held: tuple[HeldSpec, ...] = ()
    overlays: tuple[OverlayField, ...] = ()
    claims: Claims = ()
    caption: fields.Text = ""
    alt: fields.Text | None = None
    wide: fields.Bool = False
    optional: fields.Bool = False
    setup: fields.Bool = False

    @model_validator(mode="after")
    def _check_content(self) -> Self:
        if not self.table and "board" not in self.model_fields_set:
            raise InvalidValueError("a figure without `board:`", "a `board:`, a `table:`, or both")
        return self
