"""The margins that a command is told: read as an argument, and what card stock needs."""

from typing import TYPE_CHECKING

import click

from generator.core.problems import Wrong

if TYPE_CHECKING:
    from generator.impose.setup import Margins

CARD_STOCK = "0.5in"
"""What feeds safely when the paper is thick."""


class MarginsType(click.ParamType["Margins"]):
    """One margin for all sides, or four: top, right, bottom, left."""

    name = "length"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> "Margins":
        """Read them into mm."""
        from generator.core.units import sides
        from generator.impose.setup import Margins

        if isinstance(value, Margins):
            return value
        try:
            return Margins(*sides(str(value)))
        except Wrong as wrong:
            self.fail(f"{wrong.found}; expected {wrong.expected}", param, ctx)


def said_margins(margins: "Margins | None", card_stock: object) -> "Margins | None":
    """What the options for margins say together."""
    from generator.core.units import length
    from generator.impose.setup import Margins

    if card_stock and margins is not None:
        raise click.UsageError(f"--card-stock means --margin {CARD_STOCK}; give one of the two.")
    return Margins.even(length(CARD_STOCK)) if card_stock else margins
