"""`pnp new`: create a pack that builds."""

import shlex
from pathlib import Path

import click

from generator.cli.commands import PnpCommand
from generator.cli.output import print_result, reporting_errors

STARTERS = Path(__file__).resolve().parent.parent / "starters"
KINDS = tuple(sorted(path.name for path in STARTERS.iterdir() if path.is_dir()))


@click.command(
    "new",
    cls=PnpCommand,
    examples=(
        "pnp new my-game",
        "pnp new my-game --from cards.xlsx",
        "pnp new my-game --from finished-cards/",
    ),
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--kind", type=click.Choice(KINDS), default="cards", show_default=True, help="Kind of game."
)
@click.option(
    "--from",
    "origin",
    metavar="TABLE|FOLDER|ADDRESS",
    help="Your own table, such as cards.xlsx or the address of a Google Sheet;"
    " or a folder with finished pictures of cards.",
)
@click.option("--near", is_flag=True, help="Also download from this machine and the local network.")
@click.option(
    "--proxy", is_flag=True, help="Download through the proxy that is set on this machine."
)
def command(folder: Path, kind: str, origin: str | None, *, near: bool, proxy: bool) -> None:
    """Create a pack in FOLDER: cards from a spreadsheet, or tiles with roads.

    With --from, pnp makes a layout for the columns of your table, and the pack builds
    at once. pnp lists everything that it skipped, changed or left out, with its place.
    The schemas in FOLDER let your editor complete and check the files while you type.
    """
    from generator.base.files import Outbox, bundled_folder, display
    from generator.pipeline.new_pack import NewPack, new_pack
    from generator.pipeline.vocabulary import schemas

    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(f"{display(folder)} exists and is not empty. Name a new folder.")
    if origin and kind != "cards":
        raise click.UsageError("--from makes a pack of cards. Leave out --kind.")
    with reporting_errors(), Outbox(folder) as outbox:
        contents = (
            new_pack(origin, folder.resolve().name, near=near, proxy=proxy)
            if origin
            else NewPack(_read_starter(kind))
        )
        for name, data in contents.files.items():
            outbox.write(name, data)
        for name, text in schemas().items():
            outbox.write(f"schema/{name}", f"{text}\n".encode())
    if contents.summary:
        print_result(contents.summary)
    for note in contents.notes:
        print_result(f"- {note}")
    guide = display(bundled_folder("templates") / "README.md")
    layouts = display(bundled_folder("docs") / "layouts.md")
    print_result(f"Guides: {guide} and, on layouts, {layouts}")
    print_result(f"Created {display(folder)}, a pack of {kind}. Next:")
    quoted_folder = shlex.quote(display(folder))
    for step in (*contents.steps, "pnp build {folder}"):
        print_result(f"  {step.format(folder=quoted_folder)}")


def _read_starter(kind: str) -> dict[str, bytes]:
    """Return the files of a starter by name."""
    starter = STARTERS / kind
    paths = sorted(path for path in starter.rglob("*") if path.is_file())
    return {path.relative_to(starter).as_posix(): path.read_bytes() for path in paths}
