"""The command `pnp`. Each command is one thin file here, found by this table and imported when it is used."""

import importlib

import click

from generator import __version__
from generator.cli.terminal import ending, prepare, raised, reported

COMMANDS = {
    "build": "Make all files of a game: sheets, rules, a gallery, its release.",
    "rules": "Make the rules of a game: to read, to fold, and as a web page.",
    "check": "Say what is wrong with a pack, and what would not print well.",
    "live": "Show a game in the browser while it is written.",
    "preview": "Show faces, components and sheets as pictures.",
    "export": "Make what tables on a screen, print shops and presses take.",
    "edition": "Print copies of a game that are each their own.",
    "farm": "Make many games at once, here or on several machines.",
    "release": "Keep a game as it is now, so that later changes can be told and printed.",
    "diff": "Show what changed between two releases.",
    "patch": "Print only what changed since a release.",
    "pull": "Download the tables that a pack names by address.",
    "relay": "Lay the pieces of somebody else's PDF on other paper.",
    "calibrate": "Make the sheet to measure a printer with.",
    "cache": "Say what pnp keeps so as not to make it twice, or remove it.",
    "printer": "Keep what a printer does wrong, by name.",
    "list": "List games, papers, sizes, fonts, targets, or what is made of a game.",
    "new": "Begin a pack of your own.",
    "schema": "Print the JSON Schema of a pack's files, for editors.",
}
"""Every command with its one-line help; its module is its name here."""


class LazyGroup(click.Group):
    """Imports a command when it is called, so that `pnp --help` needs none of the libraries."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """A command by its name."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"generator.cli.{cmd_name}_command").command
        return command if isinstance(command, click.Command) else None

    def invoke(self, ctx: click.Context) -> object:
        """Run a command so that it ends in words, whatever happens; with `--debug` a fault of ours shows its place."""
        prepare()
        with ending(raised if ctx.params.get("debug") else reported):
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the table, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Click's own way, with the nearest name where there is none of that name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from generator.core.problems import nearest

            ctx.fail(f"No such command {args[0]!r}. {nearest(args[0], COMMANDS)}".strip())
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pnp")
@click.option("--debug", is_flag=True, help="Show where in the program an error of its own arose.")
def main(debug: bool) -> None:  # noqa: FBT001 - click's signature; the group reads it
    """Print-and-play: a game written as plain data becomes sheets that you print, cut and play.

    GAME is a folder with a game.yaml, or the name of a game that comes with the program.
    """
