"""The kinds of overlays: found by this table. A kind's key in `figures.yaml` is its name here."""

from generator.figure.overlays.base import Overlay
from generator.figure.overlays.lines import Arrow, Path
from generator.figure.overlays.marks import Cross, Ring, Shade, Tick
from generator.figure.overlays.words import Label, Number

OVERLAYS: dict[str, type[Overlay]] = {
    "arrow": Arrow,
    "cross": Cross,
    "label": Label,
    "number": Number,
    "path": Path,
    "ring": Ring,
    "shade": Shade,
    "tick": Tick,
}
