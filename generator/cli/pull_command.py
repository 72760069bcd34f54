"""`pnp pull`: the tables of a pack, from where they are written."""

import click

from generator.cli.options import game_argument
from generator.cli.terminal import running, say


@click.command("pull")
@game_argument
@click.option("--near", is_flag=True, help="Also from this machine and the network round it.")
def command(game: str, *, near: bool) -> None:
    """Download the tables that GAME names by address into its CSV files, all or none.

    In game.yaml, beside a component's `data: cards.csv`, write
    `source: https://…`, for instance the address of a Google Sheet, as the
    browser shows it. The tables are checked as a build would before they take
    the place of the old ones. Only this command touches the network.
    """
    from generator.app.packs import find_pack
    from generator.app.pulling import pull

    with running():
        for table in pull(find_pack(game), near=near):
            say(str(table))
