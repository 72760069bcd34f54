"""`pnp printer`: the printers that have been measured."""

import click

from generator.cli.terminal import running, say
from generator.core.problems import Wrong


@click.group("printer")
def command() -> None:
    """Keep what a printer does wrong, by name, for `--printer NAME`."""


class NumberPair(click.ParamType[tuple[float, float]]):
    """Two numbers, such as two readings of a scale."""

    name = "x y"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        """Read both; a comma between them and a minus sign of print are taken."""
        from generator.core.units import length

        if isinstance(value, tuple):
            return value
        parts = str(value).replace("−", "-").replace(",", " ").split()
        try:
            first, second = (length(part) for part in parts)
        except (Wrong, ValueError):
            self.fail(f"{value!r} is no pair of numbers; expected two, such as '0.5 -0.25'", param, ctx)
        return first, second


@command.command("add")
@click.argument("name")
@click.option("--a", type=NumberPair(), help="Where cross A falls on its scales, in mm: level, upright.")
@click.option("--b", type=NumberPair(), help="The same of cross B.")
@click.option(
    "--offset", type=NumberPair(), help="Instead of --a and --b: how far a back lies too far right and down, in mm."
)
@click.option("--turn", type=float, help="With --offset: by how many degrees it is turned clockwise.")
@click.option("--bars", type=NumberPair(), help="What the back's bars of 100 mm measure, in mm: across, down.")
@click.option("--front-bars", type=NumberPair(), help="The same on the front; 100 100 unless said otherwise.")
@click.option("--sides", default="backs", show_default=True, help="What this is undone on: backs, or both.")
@click.option("--edge", type=float, help="What the printer leaves blank at the paper's edges, in mm.")
@click.option("--duplex", default="long-edge", show_default=True, metavar="MODE", help="How the sheet was printed.")
@click.option("--landscape/--portrait", default=False, help="Which way the sheet lay.")
def add(
    name: str,
    a: tuple[float, float] | None,
    b: tuple[float, float] | None,
    offset: tuple[float, float] | None,
    turn: float | None,
    bars: tuple[float, float] | None,
    front_bars: tuple[float, float] | None,
    sides: str,
    edge: float | None,
    duplex: str,
    *,
    landscape: bool,
) -> None:
    """Keep what was read off the sheet of `pnp calibrate` as printer NAME."""
    from generator.core.geometry import Point
    from generator.core.paper import Orientation
    from generator.impose.duplex import find_mode
    from generator.printer.profile import BAR_LENGTH_MM, Profile, compare_bars, compute_shift_and_turn, store_profile
    from generator.printer.sheet import find_scale_offsets

    if (a is None) != (b is None):
        raise click.UsageError("A turn shows at two crosses: give both --a and --b.")
    if a is not None and (offset is not None or turn is not None):
        raise click.UsageError("Give the readings --a and --b, or --offset and --turn, not both.")
    with running():
        way = Orientation.LANDSCAPE if landscape else Orientation.PORTRAIT
        shift, turned = Point(*(offset or (0, 0))), turn or 0.0
        if a and b:
            shift, turned = compute_shift_and_turn(Point(*a), Point(*b), find_scale_offsets(duplex, way))
        lengths = compare_bars(bars or (BAR_LENGTH_MM, BAR_LENGTH_MM), front_bars or (BAR_LENGTH_MM, BAR_LENGTH_MM))
        made = Profile(name, *shift, turned, *lengths, sides, find_mode(duplex).name, way, edge)
        if not any((a, offset, turn, bars, front_bars)) and edge is None:
            raise Wrong("nothing was measured", "what was read off the sheet of pnp calibrate: --a, --b, --bars …")
        store_profile(made)
    say(f"{name}: {made}")


@command.command("list")
def list_printers() -> None:
    """List the printers, with what they do wrong."""
    from generator.printer.profile import load_profiles

    with running():
        known = load_profiles()
    for name, profile in sorted(known.items()):
        say(f"{name}: {profile}")
    if not known:
        say("no printers yet; pnp calibrate makes the sheet to measure one with")


@command.command("remove")
@click.argument("name")
def remove_printer(name: str) -> None:
    """Forget printer NAME."""
    from generator.printer.profile import remove_profile

    with running():
        remove_profile(name)
    say(f"{name} is forgotten")
