"""`pnp diff`: what changed between two releases."""

import json
from pathlib import Path

import click

from generator.cli.caching import opened, speed_options
from generator.cli.options import from_to_options, game_argument, look_options
from generator.cli.terminal import notes, say
from generator.core.files import display


def _file(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The name of the page; an option that stands where the name was forgotten is none."""
    if value is not None and value.startswith("-"):
        raise click.BadParameter(
            f"{value!r} is no file; expected where to write the page, such as diff.html", ctx, param
        )
    return value


@click.command("diff")
@game_argument
@from_to_options
@look_options
@click.option("--json", "as_json", is_flag=True, help="Say it for programs.")
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    callback=_file,
    help="Write a page that shows before and after side by side, and marks what changed.",
)
@speed_options
def command(game: str, old: str, new: str | None, variant: str, lang: str, page: str | None, *, as_json: bool) -> None:
    """Show what changed in GAME since a release.

    Two faces that look the same are the same, whatever drew them. What is
    changed: `front (rules)` says something else, `front (look)` only looks
    different; `redrawn` cannot be seen at all.
    """
    from generator.app.comparing import CompareWish, between
    from generator.app.project import Order
    from generator.core.files import Outbox
    from generator.export.changes import write_page
    from generator.pack.load import PackForm
    from generator.release.report import data, lines, not_kept

    with opened(Order(game, PackForm(variant, lang), (CompareWish(old, new),))) as project, between(project) as both:
        if page:
            with Outbox(Path(page).parent) as outbox:
                write_page(project, both, outbox, Path(page).name)
    if both.shown:
        notes([not_kept(both.difference.old, both.form)])
    if as_json:
        say(json.dumps(data(both.difference), indent=2, ensure_ascii=False))
        return
    for line in lines(both.difference):
        say(line)
    if page:
        say(display(Path(page)))
