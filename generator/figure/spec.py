"""What stands in a pack's `figures.yaml`."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationInfo, WithJsonSchema

from generator.core.problems import Wrong, unknown
from generator.figure.overlays import OVERLAYS, Overlay
from generator.pack import fields

LARGEST = 5.0
"""Times its size on paper; a larger tile is a slip of the point."""


class FigurePart(BaseModel):
    """A part of a figure: unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


def _overlay(value: object, info: ValidationInfo) -> object:
    """`tick: B2` with its siblings, as the overlay of that kind."""
    if not isinstance(value, dict):
        raise Wrong("an overlay is a mapping", f"one of: {', '.join(OVERLAYS)}")
    named = [key for key in value if key in OVERLAYS]
    if len(named) != 1:
        raise unknown("overlay", str(next(iter(value), "")), OVERLAYS)
    return OVERLAYS[named[0]].model_validate(value, context=info.context)


def _claims(value: object) -> object:
    """A claim has a colon, which YAML takes for a mapping where it stands without quotes; it is a claim either way."""
    items = [value] if not isinstance(value, list) else value
    pairs = ([f"{key}: {said}" for key, said in item.items()] if isinstance(item, dict) else [item] for item in items)
    return tuple(claim for claims in pairs for claim in claims)


def _two(value: object) -> object:
    if not isinstance(value, list) or len(value) != 2:
        raise Wrong("this is no crop", "two places, such as [A1, C2]")
    return tuple(value)


def _scale(value: float) -> float:
    if not 0 < value <= LARGEST:
        raise Wrong(f"a scale of {value:g}", f"a share of the size on paper, more than 0 and at most {LARGEST:g}")
    return value


def _shown(size: float) -> float:
    if size <= 0:
        raise Wrong(f"a size of {size:g}", "a share of the piece's own, such as 0.7")
    return size


OverlayField = Annotated[Overlay, BeforeValidator(_overlay), WithJsonSchema({"type": "object"})]
Claims = Annotated[tuple[fields.Text, ...], BeforeValidator(_claims)]


class HeldSpec(FigurePart):
    """A piece held above the board: what it is, and the spot over which it is held."""

    piece: fields.Text
    at: fields.Text
    tilt: fields.Real = 8.0


class PieceSpec(FigurePart):
    """How a piece of the board is shown: `at` a side or corner of its place or a shift in tiles, larger or smaller.

    Without a `place` all pieces of that design are meant.
    """

    piece: fields.Text
    place: fields.Text | None = None
    at: fields.Text = ""
    size: Annotated[fields.Real, AfterValidator(_shown)] = 1.0


class FigureSpec(FigurePart):
    """One figure.

    `board` is rows of cells, or a list of places, or `like` and the name of the figure that has the same; `names` are
    its own short words for cells. `claims` are checked against the board. `scale` is the size of a tile as a share of
    its size on paper. With `coordinates` its columns and rows are named. A `setup` is how a table is laid before play.
    """

    board: fields.Text | list[fields.Text]
    names: dict[str, fields.Text] = {}
    scale: Annotated[fields.Real, AfterValidator(_scale)] = 0.6
    coordinates: fields.Bool = False
    crop: Annotated[tuple[fields.Text, fields.Text], BeforeValidator(_two)] | None = None
    pieces: list[PieceSpec] = []
    held: list[HeldSpec] = []
    overlays: list[OverlayField] = []
    claims: Claims = ()
    caption: fields.Text = ""
    alt: fields.Text | None = None
    wide: fields.Bool = False
    setup: fields.Bool = False
