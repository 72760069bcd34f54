"""Links that end in a corner which is called as one would call a side."""

from collections.abc import Iterator

from generator.core.ports import CORNERS
from generator.pack.game import Component

MAIN = frozenset({"n", "e", "s", "w"})
"""A hexagon on a flat side has corners in the east and in the west, and no sides there."""
SHOWN = 3


def ends_in_corners(component: Component) -> Iterator[str]:
    """A line for a component whose links end so, for whoever took such a corner for a side."""
    sides = component.outline.names
    corners = {*CORNERS.get(sides, ())} & MAIN
    found = {
        f"{'-'.join(link.ports)} of {design.id}": None
        for design in component.designs
        for link in design.front.tile.links
        if corners & {*link.ports}
    }
    if found:
        shown = ", ".join(list(found)[:SHOWN]) + (", …" if len(found) > SHOWN else "")
        yield f"{component.title}: links end in corners ({shown}); the sides are {', '.join(sides)}"
