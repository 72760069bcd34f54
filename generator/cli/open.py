"""`pnp open`: show the latest output with the system's program for it."""

from pathlib import Path

import click

from generator.base.errors import InvalidValueError, Kind
from generator.base.files import display
from generator.cli.commands import PnpCommand
from generator.cli.options import folder_option
from generator.cli.output import launch, reporting_errors

SUFFIXES = (".pdf", ".html", ".png", ".svg", ".dxf", ".zip", ".json")
"""The kinds of files that pnp writes for people; index.html stands for a folder of pictures."""

MAX_NAMED_FILES = 8


@click.command(
    "open",
    cls=PnpCommand,
    prints_result=True,
    examples=("pnp open", "pnp open rules", "pnp open potions-1-sheets-a4.pdf"),
)
@click.argument("file", default="", metavar="[FILE]")
@folder_option("Folder that was given to the commands that wrote the files.")
@click.option("--folder", is_flag=True, help="Show the file in its folder.")
def command(file: str, output: str, *, folder: bool) -> None:
    """Show the latest output, such as the sheets that you have just built.

    FILE is a file, or a part of the name of an output, such as `rules` or
    `letter`: the latest output whose name contains it is shown.
    """
    with reporting_errors():
        path = Path(file) if file and Path(file).is_file() else find_output(Path(output), file)
    launch(path, in_folder=folder)


def find_output(folder: Path, part: str) -> Path:
    """Return the latest output whose path below a folder contains `part`; raise `InvalidValueError` without any."""
    outputs = [
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in SUFFIXES and path.is_file() and not _is_hidden(path, folder)
    ]
    if not outputs:
        raise InvalidValueError(
            f"there are no outputs in {display(folder)}",
            "the files of a build",
            "build a game first: pnp build my-game",
            Kind.USAGE,
        )
    matching = [
        path for path in outputs if part.lower() in path.relative_to(folder).as_posix().lower()
    ]
    if not matching:
        names = sorted({path.name for path in outputs})[:MAX_NAMED_FILES]
        raise InvalidValueError(
            f"no output has {part!r} in its name", f"such as {', '.join(names)}", kind=Kind.USAGE
        )
    # Outputs of one build are equally old to a second: the first by name is the sheets on A4.
    latest = max(int(path.stat().st_mtime) for path in matching)
    newest = [path for path in matching if int(path.stat().st_mtime) == latest]
    return min(newest, key=lambda path: (path.suffix.lower() != ".pdf", len(path.parts), path.name))


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)
