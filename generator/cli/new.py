"""`pnp new`: create a pack that builds."""

import json
import shlex
from pathlib import Path

import click

from generator.cli.options import ExampleCommand
from generator.cli.output import reporting_errors, say

STARTERS = Path(__file__).resolve().parent.parent / "starters"
KINDS = tuple(sorted(path.name for path in STARTERS.iterdir() if path.is_dir()))


@click.command(
    "new",
    cls=ExampleCommand,
    examples=(
        "pnp new my-game",
        "pnp new my-game --from cards.csv",
    ),
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--kind", type=click.Choice(KINDS), default="cards", show_default=True, help="Kind of game."
)
@click.option(
    "--from",
    "table",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Your own table, such as cards.csv; a layout for its columns is suggested.",
)
def command(folder: Path, kind: str, table: Path | None) -> None:
    """Create a pack in FOLDER: cards from a spreadsheet, or tiles with roads.

    The schemas in FOLDER let your editor complete and check the files while you type.
    """
    from generator.base.files import Outbox, bundled_folder, display
    from generator.pack.new_from_table import pack_of
    from generator.pack.schema import game_schema, layout_schema
    from generator.pipeline.packs import vocabulary

    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(f"{display(folder)} exists and is not empty. Name a new folder.")
    starter = STARTERS / kind
    known = vocabulary()
    found = ""
    with reporting_errors(), Outbox(folder) as outbox:
        if table:
            files, found = pack_of(table)
        else:
            paths = sorted(path for path in starter.rglob("*") if path.is_file())
            files = {path.relative_to(starter).as_posix(): path.read_bytes() for path in paths}
        for name, data in files.items():
            outbox.write(name, data)
        board = known.board() if known.board else None
        for name, schema in (("game", game_schema(board)), ("layout", layout_schema(known.layers))):
            text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
            outbox.write(f"schema/{name}.json", text.encode())
    if found:
        say(f"columns of {table}: {found}; layouts/front.yaml places them")
    say(
        f"Created {display(folder)}, a pack of {kind}. Next:\n  pnp build {shlex.quote(display(folder))}"
    )
    guide = display(bundled_folder("templates") / "README.md")
    layouts = display(bundled_folder("docs") / "layouts.md")
    say(f"Guides: {guide} and, on layouts, {layouts}")
