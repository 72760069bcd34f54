"""What follows the printing of a deck: the sleeve that fits its cards, how high it stands, and what it weighs."""

from collections.abc import Iterator, Sequence

from generator.core.units import number
from generator.pack.decks import SLEEVE, sleeve_for, stocks
from generator.pack.game import Component

SHOWN = ("200g", "250g", "300g")
"""Papers that cards are printed on."""

LEAST = 2
"""Fewer pieces are no deck."""


def decks(components: Sequence[Component], layers: int) -> Iterator[str]:
    """A line for each component that may be a deck; pieces are so many layers of paper thick."""
    for component in components:
        size, outline = component.outline.size, component.outline
        if component.make != "piece" or not outline.is_box or outline.is_circle or component.count < LEAST:
            continue
        sleeve = sleeve_for(size)
        fits = f"sleeves {sleeve.name} ({sleeve.title})" if sleeve else "no sleeve of `pnp list sleeves` fits"
        papers = ", ".join(_on(name, component, layers) for name in SHOWN)
        more = f"; sleeves add {number(round(component.count * SLEEVE, 1))} mm" if sleeve else ""
        yield f"{component.title}, {component.count} of {outline}: {fits}; a stack is {papers}{more}"


def _on(name: str, component: Component, layers: int) -> str:
    """`13.5 mm and 61 g on 250g`."""
    row, many = stocks()[name], component.count * layers
    high, weight = many * row.thick, many * component.outline.area * row.grams / 1e6
    return f"{number(round(high, 1))} mm and {number(round(weight, 1))} g on {name}"
