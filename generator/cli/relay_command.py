"""`pnp relay`: somebody else's print-and-play file on other paper."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli.options import cut_plan_option, output_option, sheet_options, sheet_wish, timings_option
from generator.cli.terminal import make, notes, say
from generator.core.problems import Wrong

if TYPE_CHECKING:
    from generator.relay.finding import GridSaid


class PageNumbers(click.ParamType[tuple[int, ...]]):
    """`2-9,12`."""

    name = "numbers"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Each number that is named."""
        from generator.app.source import page_numbers

        if isinstance(value, tuple):
            return value
        try:
            return page_numbers(str(value))
        except Wrong as wrong:
            self.fail(f"{wrong.found}; expected {wrong.expected}", param, ctx)


class CountedGrid(click.ParamType["GridSaid"]):
    """`3x3`, `3x3 of poker`, `3x3 of 63.5 x 88.9 mm at 10mm 15mm gap 3mm`."""

    name = "grid"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> "GridSaid":
        """Read it into numbers and mm."""
        from generator.app.source import grid_said
        from generator.relay.finding import GridSaid

        if isinstance(value, GridSaid):
            return value
        try:
            return grid_said(str(value))
        except Wrong as wrong:
            self.fail(f"{wrong.found}; expected {wrong.expected}", param, ctx)


@click.command("relay")
@click.argument("file", metavar="FILE.pdf", type=click.Path(dir_okay=False))
@click.argument("backs_file", metavar="[BACKS.pdf]", required=False, type=click.Path(dir_okay=False))
@output_option
@click.option("--page", "pages", type=PageNumbers(), default=(), metavar="2-9,12", help="The pages to take.")
@click.option(
    "--grid",
    type=CountedGrid(),
    metavar="3x3",
    help="Columns by rows, where they are not found; also '3x3 of poker', or "
    "'3x3 of 63.5 x 88.9 mm at 10mm 15mm gap 3mm' from the page's top left.",
)
@click.option(
    "--backs",
    default="auto",
    show_default=True,
    metavar="WAY",
    help="Where the backs are: alternate, halves, last, before, backs-half, first, fold, none; "
    "found by how pages look unless said.",
)
@click.option("--over", is_flag=True, help="The pages were made to be turned over their upper edge.")
@click.option("--show", is_flag=True, help="Only show what is found.")
@sheet_options
@cut_plan_option
@timings_option
def command(
    file: str,
    backs_file: str | None,
    output: str,
    pages: tuple[int, ...],
    grid: "GridSaid | None",
    backs: str,
    *,
    over: bool,
    show: bool,
    timings: bool,
) -> None:
    """Lay the pieces of somebody else's FILE.pdf on other paper, with our marks, backs behind their fronts.

    Finds the pieces by boxes, cut marks, lines or pixels, shows what it found in a PDF of its own, and says what it
    could not find. Backs may follow their fronts, come after all of them, lie beyond a fold, or be in BACKS.pdf.
    The files go to OUTPUT/<file>/.
    """
    from generator.app.project import Order
    from generator.app.relay import RelayWish
    from generator.core.files import own_folder
    from generator.core.problems import nearest
    from generator.relay.backs import WAYS

    if backs not in WAYS:
        raise click.UsageError(f"no way of backs {backs!r}; expected {', '.join(WAYS)}. {nearest(backs, WAYS)}".strip())
    wish = RelayWish(file, backs_file or "", pages, grid, backs, over, show)
    order = Order("", wishes=(wish, sheet_wish()))
    made = make(order, ["relay"], lambda _: own_folder(Path(output), wish.slug))
    for line in made.lines:
        say(line)
    notes(notice for each in made.written for notice in each.notices)
    if timings:
        made.show_timings()
