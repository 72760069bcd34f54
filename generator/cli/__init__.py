"""The command `pnp`: a group whose commands are modules of this package, imported when they are used."""

import importlib

import click

from generator import __version__
from generator.cli.output import handle_exit, prepare, raise_bug, report_bug, wants_colour

COMMANDS = {
    "build": "Build all files of a game: sheets, rules, gallery, release.",
    "rules": "Build the rules of a game: to read, to fold, and as a web page.",
    "check": "Check a pack for mistakes and for print faults.",
    "live": "Show a game in the browser and reload it on every change.",
    "preview": "Write pictures of faces, components and sheets.",
    "export": "Export a game for virtual tabletops, print shops and presses.",
    "edition": "Print personalised copies of a game.",
    "farm": "Build many games at once, on this machine or several.",
    "release": "Save the current version, so that a patch can print later changes.",
    "diff": "Show what changed between two releases.",
    "patch": "Print only the pieces that changed since a release.",
    "pull": "Download the tables that a pack links to.",
    "relay": "Rearrange the pieces of a print-and-play PDF on other paper.",
    "calibrate": "Make a test sheet to measure a printer.",
    "cache": "Show or clear the cache.",
    "printer": "Save a printer's measured error under a name.",
    "list": "List games, papers, sizes, fonts, targets and other names.",
    "new": "Create a pack of your own.",
    "schema": "Print the JSON Schema of a pack's files, for editors.",
    "icons": "Find icons, and import icon sets.",
    "docs": "Open the guides in the browser.",
    "open": "Show the latest output.",
    "completion": "Complete commands and names when you press Tab.",
    "doctor": "Show what is installed, and what does not work.",
}
"""The summary of each command; its module has the same name."""


class LazyGroup(click.Group):
    """A group that imports a command when it is called, so that `pnp --help` needs no libraries."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the commands in the order of `COMMANDS`."""
        return [*COMMANDS]  # not list(): once imported, the module `list` hides the built-in here

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return a command; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"generator.cli.{cmd_name}").command
        return command if isinstance(command, click.Command) else None

    def invoke(self, ctx: click.Context) -> object:
        """Run a command and turn every error into a message.

        With --debug, show the traceback of our own bugs.
        """
        prepare()
        ctx.color = wants_colour()
        with handle_exit(raise_bug if ctx.params.get("debug") else report_bug):
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the summaries without importing the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command as click does; suggest the nearest name for an unknown one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from generator.base.errors import nearest

            ctx.fail(f"No such command {args[0]!r}. {nearest(args[0], COMMANDS)}".strip())
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="pnp")
@click.option("--debug", is_flag=True, help="Show a traceback if pnp itself fails.")
def main(debug: bool) -> None:  # noqa: FBT001 - click's signature; the group reads it
    """Turn a folder of plain data into a board game to print, cut and play.

    GAME is a folder with a game.yaml, or a bundled game (pnp list games). If you
    leave it out, pnp uses the current folder. pnp COMMAND --help shows examples and all options.
    """
