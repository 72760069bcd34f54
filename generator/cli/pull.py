"""`pnp pull`: download the tables that a pack links to."""

import click

from generator.cli.commands import PnpCommand
from generator.cli.options import game_argument
from generator.cli.output import print_result, reporting_errors


@click.command(
    "pull",
    cls=PnpCommand,
    examples=("pnp pull my-game",),
)
@game_argument
@click.option("--near", is_flag=True, help="Also download from this machine and the local network.")
@click.option(
    "--proxy", is_flag=True, help="Download through the proxy that is set on this machine."
)
def command(game: str, *, near: bool, proxy: bool) -> None:
    """Download the tables that GAME links to into its CSV files: all of them, or none.

    In game.yaml, next to a component's `data: cards.csv`, write
    `source: https://…`, such as the address of a Google Sheet in your browser.
    pnp checks the tables as in a build before they replace the old files.
    No other command uses the network, except pnp live --pull.
    """
    from generator.pipeline.packs import find_pack
    from generator.pipeline.pull import pull

    with reporting_errors():
        for table in pull(find_pack(game), near=near, proxy=proxy):
            print_result(str(table))
            for note in table.notes:
                print_result(f"- {note}")
