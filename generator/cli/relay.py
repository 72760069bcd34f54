"""`pnp relay`: rearrange the pieces of a print-and-play PDF on other paper."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.base.errors import InvalidValueError
from generator.cli.commands import PnpCommand, is_verbose
from generator.cli.options import (
    cut_plan_option,
    limit_options,
    output_option,
    read_print_options,
    sheet_options,
    timings_option,
)
from generator.cli.output import print_notes, say, write_outputs

if TYPE_CHECKING:
    from generator.relay.find_pieces import GridRequest


class PageNumbers(click.ParamType[tuple[int, ...]]):
    """Page numbers and ranges, such as `2-9,12`."""

    name = "numbers"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Return every page number in the list."""
        from generator.relay.worker import page_numbers

        if isinstance(value, tuple):
            return value
        try:
            return page_numbers(str(value))
        except InvalidValueError as error:
            self.fail(f"{error.found}; expected {error.expected}", param, ctx)


class CountedGrid(click.ParamType["GridRequest"]):
    """A grid: `3x3`, `3x3 of poker`, or `3x3 of 63.5 x 88.9 mm at 10mm 15mm gap 3mm`."""

    name = "grid"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> "GridRequest":
        """Return the grid with its measures in mm."""
        from generator.relay.find_pieces import GridRequest
        from generator.relay.worker import parse_grid_request

        if isinstance(value, GridRequest):
            return value
        try:
            return parse_grid_request(str(value))
        except InvalidValueError as error:
            self.fail(f"{error.found}; expected {error.expected}", param, ctx)


@click.command(
    "relay",
    cls=PnpCommand,
    examples=(
        "pnp relay game.pdf --paper letter",
        "pnp relay game.pdf --grid '3x3 of poker' --backs last --show",
    ),
)
@click.argument("file", metavar="FILE.pdf", type=click.Path(dir_okay=False))
@click.argument(
    "backs_file", metavar="[BACKS.pdf]", required=False, type=click.Path(dir_okay=False)
)
@output_option
@click.option(
    "--page",
    "pages",
    type=PageNumbers(),
    default=(),
    metavar="2-9,12",
    help="Pages to use.  [default: all]",
)
@click.option(
    "--grid",
    type=CountedGrid(),
    metavar="3x3",
    help="Columns by rows, if pnp does not find them; also '3x3 of poker', or "
    "'3x3 of 63.5 x 88.9 mm at 10mm 15mm gap 3mm' from the page's top left corner.",
)
@click.option(
    "--backs",
    default="auto",
    show_default=True,
    metavar="POSITION",
    help="Position of the backs: alternate, halves, last, before, backs-half, first, fold, none; "
    "auto compares the pages.",
)
@click.option("--over", is_flag=True, help="The pages are meant to be flipped over the top edge.")
@click.option("--show", is_flag=True, help="Only show the pieces that were found.")
@sheet_options
@cut_plan_option
@limit_options
@timings_option
def command(
    file: str,
    backs_file: str | None,
    output: str,
    pages: tuple[int, ...],
    grid: "GridRequest | None",
    backs: str,
    *,
    over: bool,
    show: bool,
    timings: bool,
) -> None:
    """Rearrange the pieces of FILE.pdf on other paper, with cut marks and with backs behind their fronts.

    pnp finds the pieces by boxes, cut marks, lines or pixels, shows them in a PDF, and reports what it could not find.
    Backs can follow their fronts, come after all fronts, lie beyond a fold, or be in BACKS.pdf.
    Files go to OUTPUT/<file>/.
    """
    from generator.base.errors import nearest
    from generator.base.files import own_folder
    from generator.pipeline.project import BuildRequest
    from generator.relay.backs import BACKS_MODES
    from generator.relay.project import RelayOptions

    if backs not in BACKS_MODES:
        expected = f"expected {', '.join(BACKS_MODES)}. {nearest(backs, BACKS_MODES)}".strip()
        raise click.UsageError(f"unknown position of backs {backs!r}; {expected}")
    options = RelayOptions(
        file, backs_file or "", pages, grid, backs, turns_over_top=over, show=show
    )
    request = BuildRequest("", options=(options, read_print_options()))
    files = write_outputs(request, ["relay"], lambda _: own_folder(Path(output), options.slug))
    for line in files.lines:
        say(line)
    print_notes(notice for item in files.written for notice in item.notices)
    if timings or is_verbose():
        files.print_timings()
