"""How much each thing in the margins is made smaller, step by step, when room is short."""

from dataclasses import dataclass

from generator.core.units import MM_PER_PT

SMALLEST = 5 * MM_PER_PT
"""No text is set smaller than 5 pt (in mm)."""


@dataclass(frozen=True)
class Level:
    """Lengths in mm: how far marks may still stand out, the depth of the ruler, the footer's font size."""

    mark: float
    ruler: float
    text: float


LEVELS = (
    Level(4.0, 3.0, 7 * MM_PER_PT),
    Level(1.5, 3.0, 7 * MM_PER_PT),
    Level(1.5, 2.4, 6 * MM_PER_PT),
    Level(1.0, 2.0, SMALLEST),
    Level(0.5, 1.725, SMALLEST),
)
"""From the best to the tightest."""
