"""`pnp schema`: print the JSON Schema of a pack's files, for editors."""

import json

import click

from generator.cli.commands import PnpCommand
from generator.cli.output import say


@click.command(
    "schema",
    cls=PnpCommand,
    prints_result=True,
    examples=(
        "pnp schema",
        "pnp schema layout",
    ),
)
@click.argument("what", type=click.Choice(["game", "layout"]), default="game")
def command(what: str) -> None:
    """Print the JSON Schema of game.yaml or of a layout."""
    from generator.pack.schema import game_schema, layout_schema
    from generator.pipeline.packs import vocabulary

    known = vocabulary()
    schema = (
        game_schema(known.board() if known.board else None)
        if what == "game"
        else layout_schema(known.layers)
    )
    say(json.dumps(schema, indent=2, ensure_ascii=False))
