"""`pnp printer`: save, list and remove measured printers."""

from typing import TYPE_CHECKING

import click

from generator.base.errors import InvalidValueError, Kind
from generator.cli.options import DUPLEX_MODE, MARGINS, ParsedType
from generator.cli.output import print_result, reporting_errors

if TYPE_CHECKING:
    from generator.impose.setup import Margins


@click.group("printer")
def command() -> None:
    """Save a printer's measured error under a name, for --printer NAME."""


def _parse_pair(text: str) -> tuple[float, float]:
    """Return two numbers; a comma between them and a typographic minus sign are accepted."""
    from generator.base.units import length

    parts = text.replace("−", "-").replace(",", " ").split()
    try:
        first, second = (length(part) for part in parts)
    except ValueError:
        raise InvalidValueError(
            f"{text!r} is not a pair of numbers", 'two in quotes, such as "0.5 -0.25"'
        ) from None
    return first, second


NUMBER_PAIR = ParsedType('"x y"', _parse_pair)
"""A pair of numbers, such as two readings of a scale; the help shows its quotes."""


@command.command("add")
@click.argument("name")
@click.option(
    "--a", type=NUMBER_PAIR, help="Readings of cross A in mm: horizontal scale, vertical scale."
)
@click.option(
    "--b", type=NUMBER_PAIR, help="Readings of cross B in mm: horizontal scale, vertical scale."
)
@click.option(
    "--offset",
    type=NUMBER_PAIR,
    help="Instead of --a and --b: shift of the back in mm, to the right and down.",
)
@click.option("--turn", type=float, help="With --offset: turn of the back in degrees, clockwise.")
@click.option(
    "--bars",
    type=NUMBER_PAIR,
    help="Measured lengths of the back's 100 mm bars, in mm: horizontal, vertical.",
)
@click.option(
    "--front-bars",
    type=NUMBER_PAIR,
    help="Measured lengths of the front's bars, in mm.  [default: 100 100]",
)
@click.option(
    "--sides", default="backs", show_default=True, help="Sides to correct: backs, or both."
)
@click.option(
    "--edge",
    type=MARGINS,
    help="Edge that the printer leaves blank: 4, 4mm, or four lengths clockwise from the top, as seen on the page.",
)
@click.option(
    "--duplex",
    default="long-edge",
    show_default=True,
    type=DUPLEX_MODE,
    metavar="MODE",
    help="Duplex mode with which the sheet was printed.",
)
@click.option("--landscape/--portrait", default=False, help="Orientation of the sheet.")
def add(
    name: str,
    a: tuple[float, float] | None,
    b: tuple[float, float] | None,
    offset: tuple[float, float] | None,
    turn: float | None,
    bars: tuple[float, float] | None,
    front_bars: tuple[float, float] | None,
    sides: str,
    edge: "Margins | None",
    duplex: str,
    *,
    landscape: bool,
) -> None:
    """Save the readings from the sheet of pnp calibrate as printer NAME.

    For edges of different widths: --edge "3mm 3mm 12.7mm 3mm", clockwise from the top.
    """
    from generator.base.geometry import Point
    from generator.base.paper import Orientation
    from generator.impose.printer import (
        BAR_LENGTH_MM,
        Profile,
        compare_bars,
        compute_shift_and_turn,
        find_scale_offsets,
        store_profile,
    )

    if (a is None) != (b is None):
        raise click.UsageError("Give both --a and --b: a turn shows only at two crosses.")
    if a is not None and (offset is not None or turn is not None):
        raise click.UsageError("Give the readings --a and --b, or --offset and --turn, not both.")
    with reporting_errors():
        orientation = Orientation.LANDSCAPE if landscape else Orientation.PORTRAIT
        shift = Point(*(offset or (0, 0)))
        rotation = turn or 0.0
        if a and b:
            shift, rotation = compute_shift_and_turn(
                Point(*a), Point(*b), find_scale_offsets(duplex, orientation)
            )
        lengths = compare_bars(
            bars or (BAR_LENGTH_MM, BAR_LENGTH_MM), front_bars or (BAR_LENGTH_MM, BAR_LENGTH_MM)
        )
        profile = Profile(name, *shift, rotation, *lengths, sides, duplex, orientation, edge)
        if not any((a, offset, turn, bars, front_bars)) and edge is None:
            raise InvalidValueError(
                "there are no readings",
                "readings from the sheet of pnp calibrate: --a, --b, --bars …",
                kind=Kind.USAGE,
            )
        store_profile(profile)
    print_result(f"{name}: {profile}")


@command.command("list")
def list_printers() -> None:
    """List the printers and their errors."""
    from generator.impose.printer import load_profiles

    with reporting_errors():
        profiles = load_profiles()
    for name, profile in sorted(profiles.items()):
        print_result(f"{name}: {profile}")
    if not profiles:
        print_result("no printers yet; print a test sheet with: pnp calibrate")


@command.command("remove")
@click.argument("name")
def remove_printer(name: str) -> None:
    """Remove printer NAME."""
    from generator.impose.printer import remove_profile

    with reporting_errors():
        remove_profile(name)
    print_result(f"{name} is removed")
