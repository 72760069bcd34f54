"""`pnp live`: see a pack while it is written."""

import click

from generator.cli.options import game_argument, look_options
from generator.cli.terminal import running, say, tell


@click.command("live")
@game_argument
@look_options
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port of the page; a free one unless said.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where the page is served.")
@click.option("--browser/--no-browser", default=True, help="Open the page in the browser, or only say where it is.")
@click.option(
    "--pull", type=click.FloatRange(0), default=0, metavar="SECONDS", help="Pull tables by address so often; 0: never."
)
@click.option("--near", is_flag=True, help="Pull also from this machine and the network round it.")
@click.option("--read-only", is_flag=True, help="Let the page change nothing.")
@click.option(
    "--editor", default="", metavar="COMMAND", help="What opens a file from the page: 'code -g {file}:{line}'."
)
def command(
    game: str,
    variant: str,
    lang: str,
    port: int,
    host: str,
    editor: str,
    pull: float,
    *,
    browser: bool,
    near: bool,
    read_only: bool,
) -> None:
    """Show GAME in the browser, and what changes as soon as it is saved.

    The page shows every card, the sheets, and the rules; a mistake lies on the
    card that it is about. Only who has the address that is printed can open the
    page, and only on this machine. Ctrl-C ends it.
    """
    from generator.app.packs import find_pack
    from generator.live.serving import LiveRun
    from generator.pack.load import PackForm

    with running():
        serving = LiveRun(find_pack(game), PackForm(variant, lang), host, port, editor, read_only, pull, near)
    if not serving.server.is_private:
        tell(
            f"note: everybody who has this address and can reach {host} can see this pack"
            + ("" if read_only else ", and change it: --read-only")
        )
    say(f"{serving.server.address}  (Ctrl-C ends it)")
    serving.serve(opened=browser)
    say("ended")
