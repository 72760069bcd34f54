"""`pnp relay`: rearrange the pieces of a print-and-play PDF on other paper."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli.commands import PnpCommand
from generator.cli.options import (
    ParsedType,
    cut_plan_option,
    limit_options,
    output_option,
    read_print_options,
    sheet_options,
    timings_option,
)
from generator.cli.output import print_notes, print_result
from generator.cli.project import write_outputs

if TYPE_CHECKING:
    from generator.relay.find_pieces import GridRequest


def _parse_pages(text: str) -> tuple[int, ...]:
    from generator.relay.source_file import parse_page_numbers

    return parse_page_numbers(text)


def _parse_grid(text: str) -> "GridRequest":
    from generator.relay.find_pieces import parse_grid_request

    return parse_grid_request(text)


def _parse_backs(text: str) -> str:
    from generator.base.errors import find_row
    from generator.relay.backs import BACKS_MODES

    find_row("position of backs", text, BACKS_MODES)
    return text


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
    type=ParsedType("numbers", _parse_pages),
    default=(),
    metavar="2-9,12",
    help="Pages to use.  [default: all]",
)
@click.option(
    "--grid",
    type=ParsedType("grid", _parse_grid),
    metavar="3x3",
    help="Columns by rows, if pnp does not find them; also '3x3 of poker', or "
    "'3x3 of 63.5 x 88.9 mm at 10mm 15mm gap 3mm' from the page's top left corner.",
)
@click.option(
    "--backs",
    default="auto",
    show_default=True,
    type=ParsedType("position", _parse_backs),
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
) -> None:
    """Rearrange the pieces of FILE.pdf on other paper, with cut marks and with backs behind their fronts.

    pnp finds the pieces by boxes, cut marks, lines or pixels, shows them in a PDF, and reports what it could not find.
    Backs can follow their fronts, come after all fronts, lie beyond a fold, or be in BACKS.pdf.
    Files go to OUTPUT/<file>/.
    """
    from generator.base.files import own_folder
    from generator.pipeline.project import BuildRequest
    from generator.relay.project import RelayOptions

    options = RelayOptions(
        file, backs_file or "", pages, grid, backs, turns_over_top=over, show=show
    )
    request = BuildRequest("", options=(options, read_print_options()))
    files = write_outputs(request, ["relay"], lambda _: own_folder(Path(output), options.slug))
    for line in files.lines:
        print_result(line)
    print_notes(notice for item in files.written for notice in item.notices)
    files.print_timings()
