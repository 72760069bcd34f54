"""`pnp docs`: open the guides in the browser."""

from pathlib import Path
from tempfile import mkdtemp

import click
from click.shell_completion import CompletionItem

from generator import __version__
from generator.base.errors import InvalidValueError
from generator.cli.commands import PnpCommand
from generator.cli.output import launch, print_result, reporting_errors


def _complete_page(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    from generator.export.guide_pages import guides

    return [CompletionItem(name) for name in guides() if name.startswith(typed)]


@click.command(
    "docs",
    cls=PnpCommand,
    prints_result=True,
    examples=("pnp docs", "pnp docs printing", "pnp docs layouts --text"),
)
@click.argument("page", default="", metavar="[PAGE]", shell_complete=_complete_page)
@click.option("--text", is_flag=True, help="Print the guide as Markdown instead.")
@click.option("--list", "names", is_flag=True, help="Print the names of all guides.")
def command(page: str, *, text: bool, names: bool) -> None:
    """Open the guide PAGE in your browser, or the first one: how to make a pack.

    The guides come with pnp, so this works without a network.
    """
    from generator.export.guide_pages import PACK_GUIDE, find_guide, guides, title_of, write_guides

    if names:
        for name in guides():
            print_result(f"{name:<16} {title_of(name)}")
        return
    with reporting_errors():
        guide = find_guide(page or PACK_GUIDE)
        if text:
            print_result(guides()[guide].read_text("utf-8"))
            return
        path = write_guides(_find_pages_folder()) / f"{guide}.html"
    launch(path)


def _find_pages_folder() -> Path:
    """Return the folder for the pages: next to the cache, or temporary for users without a home."""
    from generator.base.cache import cache_folder

    try:
        return cache_folder() / f"guides-{__version__}"
    except InvalidValueError:
        return Path(mkdtemp(prefix="pnp-guides-"))
