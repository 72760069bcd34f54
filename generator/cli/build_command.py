"""`pnp build`: everything that a person prints."""

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from generator.cli.caching import Again, speed_options
from generator.cli.options import (
    colour_option,
    cut_plan_option,
    dpi_option,
    game_argument,
    look_options,
    low_ink_option,
    output_option,
    sheet_options,
    sheet_wish,
    timings_option,
)
from generator.cli.terminal import game_folder, make, tell
from generator.export import EXPORTS, made_by, usual

if TYPE_CHECKING:
    from generator.app.project import Project

GALLERY = "gallery"
WHAT = tuple(made_by("build"))


@click.command("build")
@game_argument
@output_option
@click.option("--what", multiple=True, type=click.Choice(WHAT), help="What to make; all of it unless said otherwise.")
@sheet_options
@cut_plan_option
@colour_option
@low_ink_option
@dpi_option
@look_options
@click.option("--single", is_flag=True, help="Make the gallery one file, with all its pictures inside.")
@click.option("--draft", is_flag=True, help="Print in spite of what does not fit or is missing, and mark it in red.")
@speed_options
@timings_option
def command(
    game: str,
    output: str,
    what: tuple[str, ...],
    variant: str,
    lang: str,
    *,
    single: bool,
    draft: bool,
    timings: bool,
) -> None:
    """Make all files of GAME: sheets for each paper, rules, a gallery of all faces, and its release.

    The files go to OUTPUT/<game>/. Print them at 100 %, never "fit to page".
    Where --only or --skip print a part of the game, the sheets alone are made.
    So it is with --draft, whose files say that they are drafts; with faults it ends with exit code 4.
    """
    again = Again(game, output)
    if again.told():
        return
    from generator.app.project import Order
    from generator.pack.load import PackForm

    order = Order(game, PackForm(variant, lang, draft), (sheet_wish(), *_gallery(what, single=single)))
    for name in what if draft else ():
        if not EXPORTS[name].partly:
            raise click.UsageError(f"a draft has sheets alone, no {name}: leave out --draft or --what {name}")
    for name in what if order.form != PackForm() else ():
        if not EXPORTS[name].forms:
            raise click.UsageError(f"a {name} is the pack as it is: leave out --variant and --lang")
    made = make(order, what or usual(order), game_folder(output))
    made.tell()
    warnings = _warnings(made.project)
    again.keep(made, made.lines, warnings)
    if timings:
        made.show_timings()
    if warnings:
        tell(warnings)
    made.tell_blemishes()


def _warnings(project: "Project") -> str:
    """Return the number of warnings with the command that lists them, such as `3 warnings: pnp check potions`."""
    count = len(project.warnings)
    if not count:
        return ""
    form = project.order.form
    words = ["pnp", "check", project.order.pack]
    if form.variant:
        words += ["--variant", form.variant]
    if form.language:
        words += ["--lang", form.language]
    return f"{count} warning{'' if count == 1 else 's'}: {shlex.join(words)}"


def _gallery(what: tuple[str, ...], *, single: bool) -> Iterator[object]:
    """How the gallery is wished for."""
    if not single:
        return
    if what and GALLERY not in what:
        raise click.UsageError(f"--single is about the gallery: add --what {GALLERY}, or leave it out")
    from generator.export.gallery import GalleryWish

    yield GalleryWish(single)
