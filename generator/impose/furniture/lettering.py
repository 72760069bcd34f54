"""How much room a line of text needs, estimated on the safe side: imposition knows no fonts."""

PER_CHARACTER = 0.5
"""A character's width in parts of the font size; text faces average 0.35 to 0.45."""

DESCENT = 0.25
"""What hangs below the baseline, in parts of the font size."""


def width(text: str, size: float) -> float:
    """The length of a line in mm at a font size in mm."""
    return PER_CHARACTER * size * len(text)


def ascent(text: str) -> float:
    """What stands above the baseline, in parts of the font size; accents on capitals stand higher."""
    return 0.92 if any(letter.isupper() and letter > "\x7f" for letter in text) else 0.725


def height(text: str) -> float:
    """From the foot of the line to its top, in parts of the font size."""
    return ascent(text) + DESCENT
