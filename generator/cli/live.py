"""`pnp live`: show a pack in the browser while you edit it."""

from pathlib import Path

import click

from generator.cli.commands import PnpCommand
from generator.cli.options import (
    FiniteFloatRange,
    form_options,
    game_argument,
    output_option,
    read_form,
)
from generator.cli.output import print_message, print_result, reporting_errors

# The longest pause between two downloads, a day. Python's clocks wait for at most some 292 years.
MAX_PULL_SECONDS = 86_400


@click.command(
    "live",
    cls=PnpCommand,
    examples=(
        "pnp live my-game",
        "pnp live my-game --lang nl --read-only",
    ),
)
@game_argument
@output_option
@form_options
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port of the page.  [default: any free port]",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address at which the page is served.",
)
@click.option(
    "--browser/--no-browser",
    default=True,
    help="Open the page in the browser, or only print its address.  [default: browser]",
)
@click.option(
    "--pull",
    type=FiniteFloatRange(0, MAX_PULL_SECONDS),
    default=0,
    metavar="SECONDS",
    help="Download linked tables every N seconds; 0: never.",
)
@click.option("--near", is_flag=True, help="Also download from this machine and the local network.")
@click.option(
    "--proxy", is_flag=True, help="Download through the proxy that is set on this machine."
)
@click.option("--read-only", is_flag=True, help="Do not let the page change files.")
@click.option(
    "--editor",
    default="",
    metavar="COMMAND",
    help="Command that opens a file from the page, such as 'code -g {file}:{line}'.",
)
def command(
    game: str,
    output: str,
    port: int,
    host: str,
    editor: str,
    pull: float,
    *,
    browser: bool,
    near: bool,
    proxy: bool,
    read_only: bool,
) -> None:
    """Show GAME in the browser and update it whenever you save a file.

    The page shows all cards, the sheets and the rules, with each mistake on its
    card. Only people who have the printed address can open the page, and only
    on this machine unless you set --host. Press Ctrl-C to stop.
    """
    from generator.live.start import LiveRun
    from generator.pipeline.packs import find_pack

    with reporting_errors():
        form = read_form()
        run = LiveRun(
            find_pack(game),
            form,
            host,
            port,
            editor,
            read_only,
            pull_seconds=pull,
            near=near,
            proxy=proxy,
            output=Path(output),
        )
    if not run.server.is_private:
        print_message(
            f"note: everyone who has this address and can reach {host} can see this pack"
            + ("" if read_only else ", and change it: --read-only")
        )
    print_result(f"{run.server.address}  (press Ctrl-C to stop)")
    run.serve(opened=browser)
    print_result("ended")
