"""`pnp new`: a pack that builds, to begin with."""

import json
import shutil
from pathlib import Path

import click

STARTERS = Path(__file__).resolve().parent.parent / "starters"
KINDS = tuple(sorted(path.name for path in STARTERS.iterdir() if path.is_dir()))


@click.command("new")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--kind", type=click.Choice(KINDS), default="cards", show_default=True, help="What sort of game to begin with."
)
def command(folder: Path, kind: str) -> None:
    """Begin a pack in FOLDER: cards from a spreadsheet, or tiles whose roads meet.

    The schemas beside it let an editor complete and check the files while you type.
    """
    from generator.pack.schema import game_schema, layout_schema
    from generator.pipeline import vocabulary
    from generator.places import display

    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(f"{display(folder)} is there already and is not empty. Name a new folder.")
    shutil.copytree(STARTERS / kind, folder, dirs_exist_ok=True)
    schemas = folder / "schema"
    schemas.mkdir()
    known = vocabulary()
    for name, schema in (("game", game_schema(known.board)), ("layout", layout_schema(known.layers))):
        (schemas / f"{name}.json").write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", "utf-8")
    click.echo(f"{display(folder)} is a pack of {kind} now. Next:\n  pnp build {display(folder)}")
