"""`pnp schema`: print the JSON Schema of a pack's files, or set editors up to use it."""

from pathlib import Path

import click

from generator.cli.commands import PnpCommand
from generator.cli.output import print_result, reporting_errors

EDITORS = {
    ".vscode/settings.json": "VS Code, with its extension YAML by Red Hat",
    ".zed/settings.json": "Zed",
    ".nvim.lua": "Neovim 0.11 or newer, with `set exrc` and the server yamlls enabled",
}
"""The editor that reads each file of settings, with its requirements."""


@click.command(
    "schema",
    cls=PnpCommand,
    prints_result=True,
    examples=(
        "pnp schema",
        "pnp schema layout",
        "pnp schema --install my-game",
    ),
)
@click.argument("what", type=click.Choice(["game", "layout"]), default="game")
@click.option(
    "--install",
    "folder",
    is_flag=False,
    flag_value=".",
    default=None,
    metavar="[FOLDER]",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Write both schemas and the settings of VS Code, Zed and Neovim into FOLDER, the folder"
    " that you open in your editor. Other settings stay.  [default of FOLDER: the current one]",
)
def command(what: str, folder: Path | None) -> None:
    """Print the JSON Schema of game.yaml or of a layout.

    With --install, set up your editor: it then completes and checks the files
    of all packs in FOLDER while you type.
    """
    from generator.pipeline.vocabulary import schemas

    if folder is None:
        print_result(schemas()[f"{what}.json"])
        return
    from generator.base.files import Outbox, display
    from generator.pack.schema import merge_editor_settings

    with reporting_errors(), Outbox(folder) as outbox:
        settings = merge_editor_settings(folder)
        for name, text in settings.items():
            outbox.write(name, text.encode())
        for name, text in schemas().items():
            outbox.write(f"schema/{name}", f"{text}\n".encode())
    for name, editor in EDITORS.items():
        print_result(f"{display(folder / name)}  {editor}")
    print_result(
        f"{display(folder / 'schema')}  the schemas; run this command again after an update of pnp"
    )
