"""How sheets lie where the printer puts them."""

from generator.core.problems import unknown

FACE_DOWN, FACE_UP = "face-down", "face-up"

TRAYS = {
    FACE_DOWN: "printed side down: turned over, the first sheet is on top",
    FACE_UP: "printed side up: the last sheet is on top",
}
"""Each kind of tray, and what it means for the second pass."""


def check_tray(name: str) -> None:
    """Raise what is wrong with a name that is not in the table."""
    if name not in TRAYS:
        raise unknown("tray", name, TRAYS)
